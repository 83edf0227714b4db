package org.junit.platform.engine;

/** The shape of JUnit's own type, to compile against; never packed. */
public interface OutputDirectoryCreator {}
