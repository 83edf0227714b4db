package demo;

import junit.framework.TestCase;

/** As JUnit 3 had it. */
public class OldestTest extends TestCase {
    private IntStack stack;

    @Override
    protected void setUp() {
        stack = new IntStack();
    }

    public void testPush() {
        stack.push(1);
        assertFalse(stack.isEmpty());
    }
}
