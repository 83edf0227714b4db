package demo;

import org.junit.jupiter.api.*;

/** Two objects each, whose use() or last call is to be told apart or not. */
@TestMethodOrder(MethodOrderer.MethodName.class)
class EqualTest {
    private static void compare(IntStack a, IntStack b) {
        a.isEmpty();
        b.isEmpty();
    }

    private static IntStack stack(int... values) {
        IntStack stack = new IntStack();
        for (int value : values) stack.push(value);
        return stack;
    }

    @Test
    void equal_although_states_differ() {
        IntStack popped = stack(1, 2);
        popped.pop();
        compare(stack(1), popped);
    }

    @Test
    void different() {
        compare(stack(1), stack(2));
    }

    @Test
    void equal_through_the_jdk() {
        Odd.Listed a = new Odd.Listed();
        Odd.Listed b = new Odd.Listed();
        a.add("x");
        b.add("x");
        b.add("y");
        b.remove("y");
        a.remove("z");
        b.remove("z");
    }

    @Test
    void different_through_the_jdk() {
        Odd.Listed a = new Odd.Listed();
        Odd.Listed b = new Odd.Listed();
        a.add("x");
        b.add("y");
        a.remove("z");
        b.remove("z");
    }

    @Test
    void different_by_identity_and_content() {
        Object shared = new Object();
        Odd.OfIdentity a = new Odd.OfIdentity(shared);
        Odd.OfIdentity b = new Odd.OfIdentity(shared);
        a.more(1);
        b.more(2);
        a.use();
        b.use();
    }
}
