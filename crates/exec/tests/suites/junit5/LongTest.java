package demo;

import org.junit.jupiter.api.*;

/** Does more than is kept of one run, or nearly. */
class LongTest {
    @Test
    void manyCalls() {
        IntStack stack = new IntStack();
        for (int i = 0; i < 59_999; i++) stack.isEmpty();
    }

    @Test
    void largeStates() {
        IntStack stack = new IntStack();
        for (int i = 0; i < 12_000; i++) stack.push(i);
    }

    @Test
    void largeAssertions() {
        int[] large = new int[100_000];
        for (int i = 0; i < 100; i++) Assertions.assertArrayEquals(large, large);
    }

    @Test
    void short_() {
        new IntStack().push(1);
    }
}
