package org.junit.runner;

import java.util.Comparator;
import org.junit.runner.manipulation.Filter;

/** The shape of JUnit's own type, to compile against; never packed. */
public abstract class Request {
    public static native Request aClass(Class<?> type);

    public abstract Runner getRunner();

    public native Request filterWith(Filter filter);

    public native Request sortWith(Comparator<Description> order);
}
