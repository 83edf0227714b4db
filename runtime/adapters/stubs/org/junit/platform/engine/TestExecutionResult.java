package org.junit.platform.engine;

import java.util.Optional;

/** The shape of JUnit's own type, to compile against; never packed. */
public class TestExecutionResult {
    private TestExecutionResult() {}

    public native Status getStatus();

    public native Optional<Throwable> getThrowable();

    /** As above. */
    public enum Status {
        SUCCESSFUL,
        ABORTED,
        FAILED
    }
}
