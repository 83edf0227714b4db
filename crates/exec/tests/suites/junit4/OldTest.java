package demo;

import static org.junit.Assert.*;

import java.util.Arrays;
import java.util.Collection;
import org.junit.*;
import org.junit.runner.RunWith;
import org.junit.runners.MethodSorters;

/** The kinds of tests that JUnit 4 has. */
@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class OldTest extends OldBase {
    private final IntStack field = new IntStack();

    @Before
    public void before() {
        field.push(1);
    }

    @Test
    public void a_pops() {
        assertEquals(1, field.pop());
    }

    @Test(expected = IllegalStateException.class)
    public void b_expects() {
        new IntStack().pop();
    }

    @Test
    @Ignore("on purpose")
    public void c_ignored() {}

    @Test
    public void d_fails() {
        assertTrue(field.isEmpty());
    }

    @Test
    public void e_assumes() {
        Assume.assumeTrue(field.isEmpty());
    }
}
