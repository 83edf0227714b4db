package org.junit.platform.engine;

/** The shape of JUnit's own type, to compile against; never packed. */
public class UniqueId {
    private UniqueId() {}

    public static native UniqueId forEngine(String engine);
}
