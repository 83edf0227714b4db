package demo;

import org.junit.jupiter.api.*;

/** Ends the JVM before its first test. */
class ExitingFixtureTest {
    @BeforeAll
    static void all() {
        System.exit(9);
    }

    @Test
    void never() {}
}
