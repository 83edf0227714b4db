package testudo.runtime;

import java.lang.reflect.Method;

/** What a framework tells about the suite it runs. Implemented by {@link Suite}; called on the thread of the tests. */
public interface SuiteListener {
    int PASSED = 0;
    int FAILED = 1;
    int SKIPPED = 2;

    /** Whether a unit, the smallest thing that can be left out, or something around units is still to be run. */
    boolean isWanted(String unit);

    /** Looking for tests: what happens now belongs to none. */
    void discovering(boolean now);

    /** Something that is no test starts or ends. */
    void boundary();

    /** What is known by this name, and is not a test itself, starts: its fixtures may run now. */
    void around(String id);

    /**
     * A test starts.
     *
     * @param method null if the framework knows none; then {@code name} stands for it
     * @param runs the class it runs as
     */
    void started(String unit, Class<?> runs, Method method, String name, String display);

    void finished(int outcome, Throwable thrown);

    /** A test that ended without having started: left out, or something around it failed. */
    void ended(String unit, Class<?> runs, Method method, String name, String display, int outcome, Throwable thrown, String reason);

    /** Something the user should know. */
    void note(String text);
}
