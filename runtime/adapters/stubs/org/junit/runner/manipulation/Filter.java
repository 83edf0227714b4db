package org.junit.runner.manipulation;

import org.junit.runner.Description;

/** The shape of JUnit's own type, to compile against; never packed. */
public abstract class Filter {
    public abstract boolean shouldRun(Description description);

    public abstract String describe();
}
