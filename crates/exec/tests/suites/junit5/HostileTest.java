package demo;

import org.junit.jupiter.api.*;

/** Tests that cost a JVM its life, and one behind each. */
@TestMethodOrder(MethodOrderer.MethodName.class)
class HostileTest {
    @Test
    void a_hangs() {
        new Derived().add("x");
        Derived.loop();
    }

    @Test
    void b_goes_on() {
        new Derived().size();
    }

    @Test
    void c_exits() {
        Derived.exit();
    }

    @Test
    void d_goes_on() {
        new Derived().inherited();
    }

    @Test
    void e_halts() {
        new Derived();
        Runtime.getRuntime().halt(3);
    }

    @Test
    void f_goes_on() {
        try {
            new Derived("no number");
        } catch (NumberFormatException expected) {
            new Derived(1);
        }
    }
}
