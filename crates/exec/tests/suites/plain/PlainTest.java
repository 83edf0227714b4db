package demo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** A suite as Testudo writes it. */
class PlainTest {
    @Test
    void pops() {
        IntStack stack = new IntStack();
        stack.push(1);
        assertEquals(1, stack.pop());
    }
}
