package demo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.*;

/** Uses each odd class once; the names of the tests are what is to be found out. */
@TestMethodOrder(MethodOrderer.MethodName.class)
class OddTest {
    @Test
    void NoEquals() {
        new Odd.None().use();
    }

    @Test
    void EqualsThrew() {
        new Odd.Throws().use();
    }

    @Test
    void EqualsLooped() {
        new Odd.Loops().use();
    }

    @Test
    void EqualsWrote() {
        Odd.Writes writes = new Odd.Writes();
        writes.asked();
        assertEquals(0, writes.asked());
    }

    @Test
    void EqualsIrreflexive() {
        new Odd.Irreflexive().use();
    }

    @Test
    void NotCopied() {
        new Odd.OfIdentity(new Object()).use();
    }
}
