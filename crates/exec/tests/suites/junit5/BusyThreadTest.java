package demo;

import org.junit.jupiter.api.*;

/** Leaves a thread behind that goes on in code under test while other tests end. */
class BusyThreadTest {
    @BeforeAll
    static void start() {
        Thread busy = new Thread(() -> {
            while (true) {
                IntStack stack = new IntStack();
                for (int i = 0; i < 5; i++) stack.push(i);
                while (!stack.isEmpty()) stack.pop();
            }
        });
        busy.setDaemon(true);
        busy.start();
    }

    @RepeatedTest(300)
    void ends() {
        new IntStack().isEmpty();
    }
}
