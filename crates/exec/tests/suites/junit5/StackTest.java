package demo;

import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.jupiter.api.TestMethodOrder;
import java.util.stream.Stream;

/** The kinds of tests that JUnit 5 has. */
@TestMethodOrder(MethodOrderer.MethodName.class)
class StackTest {
    static final IntStack SHARED = new IntStack();
    final IntStack field = new IntStack();
    IntStack fixture;

    @BeforeAll
    static void all() {
        SHARED.push(99);
    }

    @BeforeEach
    void each() {
        fixture = new IntStack();
        fixture.push(1);
    }

    @Test
    void a_pushes() {
        fixture.push(2);
        assertEquals(2, fixture.pop());
    }

    @Test
    void b_throws() {
        fixture.pop();
        assertThrows(IllegalStateException.class, () -> fixture.pop());
    }

    @Test
    @org.junit.jupiter.api.Disabled("on purpose")
    void c_disabled() {
        fixture.pop();
    }

    @Test
    void d_fails() {
        assertTrue(fixture.isEmpty());
    }

    @Test
    void e_assumes() {
        Assumptions.assumeTrue(fixture.isEmpty());
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4})
    void f_takes(int value) {
        field.push(value);
        assertEquals(value, field.pop());
    }

    @RepeatedTest(2)
    void g_again() {
        SHARED.isEmpty();
    }

    @TestFactory
    Stream<DynamicTest> h_dynamic() {
        return Stream.of("one", "two").map(name -> DynamicTest.dynamicTest(name, () -> fixture.push(name.length())));
    }

    @Test
    void i_thread() throws Exception {
        Thread thread = new Thread(() -> fixture.push(5));
        thread.start();
        thread.join();
    }

    @Test
    void j_callback() {
        fixture.addFrom(() -> 7);
    }

    @Test
    void k_untouched() {
        assertEquals(4, 2 + 2);
    }

    @Nested
    class Inner {
        @Test
        void nested() {
            assertFalse(fixture.isEmpty());
        }
    }
}
