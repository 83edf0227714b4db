package org.junit.platform.engine;

import java.util.Optional;
import java.util.Set;

/** The shape of JUnit's own type, to compile against; never packed. */
public interface ConfigurationParameters {
    Optional<String> get(String key);

    Optional<Boolean> getBoolean(String key);

    Set<String> keySet();
}
