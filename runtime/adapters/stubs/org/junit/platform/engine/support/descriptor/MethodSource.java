package org.junit.platform.engine.support.descriptor;

import java.lang.reflect.Method;
import org.junit.platform.engine.TestSource;

/** The shape of JUnit's own type, to compile against; never packed. */
public class MethodSource implements TestSource {
    private MethodSource() {}

    public native Class<?> getJavaClass();

    public native Method getJavaMethod();
}
