package org.junit.platform.engine;

/** The shape of JUnit's own type, to compile against; never packed. */
public interface EngineExecutionListener {
    default void executionSkipped(TestDescriptor descriptor, String reason) {}

    default void executionStarted(TestDescriptor descriptor) {}

    default void executionFinished(TestDescriptor descriptor, TestExecutionResult result) {}
}
