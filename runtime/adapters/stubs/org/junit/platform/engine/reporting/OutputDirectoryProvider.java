package org.junit.platform.engine.reporting;

/** The shape of JUnit's own type, to compile against; never packed. */
public interface OutputDirectoryProvider {}
