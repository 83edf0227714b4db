package org.junit.runner;

import org.junit.runner.notification.RunNotifier;

/** The shape of JUnit's own type, to compile against; never packed. */
public abstract class Runner {
    public abstract Description getDescription();

    public abstract void run(RunNotifier notifier);
}
