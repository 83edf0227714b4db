package org.junit.runner.notification;

/** The shape of JUnit's own type, to compile against; never packed. */
public class RunNotifier {
    public native void addListener(RunListener listener);
}
