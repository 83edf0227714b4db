package org.junit.runner;

import java.util.ArrayList;

/** The shape of JUnit's own type, to compile against; never packed. */
public class Description {
    private Description() {}

    public native String getDisplayName();

    public native ArrayList<Description> getChildren();

    public native boolean isTest();

    public native Class<?> getTestClass();

    public native String getMethodName();
}
