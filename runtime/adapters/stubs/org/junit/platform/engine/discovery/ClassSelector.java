package org.junit.platform.engine.discovery;

import org.junit.platform.engine.DiscoverySelector;

/** The shape of JUnit's own type, to compile against; never packed. */
public class ClassSelector implements DiscoverySelector {
    private ClassSelector() {}
}
