package org.junit.platform.engine;

import java.util.List;

/** The shape of JUnit's own type, to compile against; never packed. */
public interface EngineDiscoveryRequest {
    <T extends DiscoverySelector> List<T> getSelectorsByType(Class<T> type);

    <T extends DiscoveryFilter<?>> List<T> getFiltersByType(Class<T> type);

    ConfigurationParameters getConfigurationParameters();
}
