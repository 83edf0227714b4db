package demo;

import org.junit.jupiter.api.*;

/** Its class cannot be compared, but tested. */
class HungEqualsTest {
    @Test
    void EqualsLooped() {
        new Odd.Hangs().use();
    }
}
