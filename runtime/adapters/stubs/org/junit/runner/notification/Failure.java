package org.junit.runner.notification;

import org.junit.runner.Description;

/** The shape of JUnit's own type, to compile against; never packed. */
public class Failure {
    private Failure() {}

    public native Description getDescription();

    public native Throwable getException();
}
