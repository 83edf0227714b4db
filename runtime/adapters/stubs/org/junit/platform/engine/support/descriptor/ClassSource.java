package org.junit.platform.engine.support.descriptor;

import org.junit.platform.engine.TestSource;

/** The shape of JUnit's own type, to compile against; never packed. */
public class ClassSource implements TestSource {
    private ClassSource() {}

    public native Class<?> getJavaClass();
}
