package testudo.runtime;

import java.util.List;

/** Runs test classes by some framework. The adapters implement it, beside the user's own JUnit. */
public interface SuiteDriver {
    /** Runs what is in these classes and was not run before; tells the listener. Classes without tests are passed over. */
    void run(List<Class<?>> classes, SuiteListener listener, Long shuffle) throws Exception;
}
