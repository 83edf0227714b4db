package org.junit;

import java.util.Arrays;
import org.junit.function.ThrowingRunnable;

/**
 * Stands in for the assertions of JUnit 4.13 where JUnit is not on the class path. Owns the members that generated tests use, with the same overloads and the same
 * meaning: messages come first, floating-point numbers need a delta.
 */
public final class Assert {
    private Assert() {}

    private static AssertionError failure(String message, String text) {
        return new AssertionError(message == null ? text : message + " " + text);
    }

    private static void equal(boolean equal, Object expected, Object actual, String message) {
        if (!equal) throw failure(message, "expected:<" + expected + "> but was:<" + actual + ">");
    }

    private static void different(boolean equal, Object actual, String message) {
        if (equal) throw failure(message, "values should be different, actual: " + actual);
    }

    private static boolean same(Object a, Object b) {
        return a == null ? b == null : a.equals(b);
    }

    private static boolean close(double a, double b, double delta) {
        return Double.compare(a, b) == 0 || Math.abs(a - b) <= delta;
    }

    private static boolean close(float a, float b, float delta) {
        return Float.compare(a, b) == 0 || Math.abs(a - b) <= delta;
    }

    public static void fail() {
        fail(null);
    }

    public static void fail(String message) {
        if (message == null) throw new AssertionError();
        throw new AssertionError(message);
    }

    public static void assertTrue(boolean condition) {
        assertTrue(null, condition);
    }

    public static void assertTrue(String message, boolean condition) {
        if (!condition) fail(message);
    }

    public static void assertFalse(boolean condition) {
        assertFalse(null, condition);
    }

    public static void assertFalse(String message, boolean condition) {
        if (condition) fail(message);
    }

    public static void assertNull(Object actual) {
        assertNull(null, actual);
    }

    public static void assertNull(String message, Object actual) {
        if (actual != null) throw failure(message, "expected null, but was:<" + actual + ">");
    }

    public static void assertNotNull(Object actual) {
        assertNotNull(null, actual);
    }

    public static void assertNotNull(String message, Object actual) {
        if (actual == null) fail(message);
    }

    public static void assertSame(Object expected, Object actual) {
        assertSame(null, expected, actual);
    }

    public static void assertSame(String message, Object expected, Object actual) {
        if (expected != actual) throw failure(message, "expected same:<" + expected + "> was not:<" + actual + ">");
    }

    public static void assertNotSame(Object unexpected, Object actual) {
        assertNotSame(null, unexpected, actual);
    }

    public static void assertNotSame(String message, Object unexpected, Object actual) {
        if (unexpected == actual) throw failure(message, "expected not same");
    }

    public static void assertEquals(Object expected, Object actual) {
        assertEquals(null, expected, actual);
    }

    public static void assertEquals(String message, Object expected, Object actual) {
        equal(same(expected, actual), expected, actual, message);
    }

    public static void assertNotEquals(Object unexpected, Object actual) {
        assertNotEquals(null, unexpected, actual);
    }

    public static void assertNotEquals(String message, Object unexpected, Object actual) {
        different(same(unexpected, actual), actual, message);
    }

    public static void assertEquals(long expected, long actual) {
        assertEquals(null, expected, actual);
    }

    public static void assertEquals(String message, long expected, long actual) {
        equal(expected == actual, expected, actual, message);
    }

    public static void assertNotEquals(long unexpected, long actual) {
        assertNotEquals(null, unexpected, actual);
    }

    public static void assertNotEquals(String message, long unexpected, long actual) {
        different(unexpected == actual, actual, message);
    }

    public static void assertEquals(double expected, double actual, double delta) {
        assertEquals(null, expected, actual, delta);
    }

    public static void assertEquals(String message, double expected, double actual, double delta) {
        equal(close(expected, actual, delta), expected, actual, message);
    }

    public static void assertNotEquals(double unexpected, double actual, double delta) {
        assertNotEquals(null, unexpected, actual, delta);
    }

    public static void assertNotEquals(String message, double unexpected, double actual, double delta) {
        different(close(unexpected, actual, delta), actual, message);
    }

    public static void assertEquals(float expected, float actual, float delta) {
        assertEquals(null, expected, actual, delta);
    }

    public static void assertEquals(String message, float expected, float actual, float delta) {
        equal(close(expected, actual, delta), expected, actual, message);
    }

    public static void assertNotEquals(float unexpected, float actual, float delta) {
        assertNotEquals(null, unexpected, actual, delta);
    }

    public static void assertNotEquals(String message, float unexpected, float actual, float delta) {
        different(close(unexpected, actual, delta), actual, message);
    }

    /** As in JUnit 4, comparing without a delta always fails. */
    @Deprecated
    public static void assertEquals(double expected, double actual) {
        fail("Use assertEquals(expected, actual, delta) to compare floating-point numbers");
    }

    public static void assertArrayEquals(Object[] expecteds, Object[] actuals) {
        assertArrayEquals(null, expecteds, actuals);
    }

    public static void assertArrayEquals(String message, Object[] expecteds, Object[] actuals) {
        equal(Arrays.deepEquals(expecteds, actuals), Arrays.deepToString(expecteds), Arrays.deepToString(actuals), message);
    }

    public static void assertArrayEquals(boolean[] expecteds, boolean[] actuals) {
        assertArrayEquals(null, expecteds, actuals);
    }

    public static void assertArrayEquals(String message, boolean[] expecteds, boolean[] actuals) {
        equal(Arrays.equals(expecteds, actuals), Arrays.toString(expecteds), Arrays.toString(actuals), message);
    }

    public static void assertArrayEquals(byte[] expecteds, byte[] actuals) {
        assertArrayEquals(null, expecteds, actuals);
    }

    public static void assertArrayEquals(String message, byte[] expecteds, byte[] actuals) {
        equal(Arrays.equals(expecteds, actuals), Arrays.toString(expecteds), Arrays.toString(actuals), message);
    }

    public static void assertArrayEquals(char[] expecteds, char[] actuals) {
        assertArrayEquals(null, expecteds, actuals);
    }

    public static void assertArrayEquals(String message, char[] expecteds, char[] actuals) {
        equal(Arrays.equals(expecteds, actuals), Arrays.toString(expecteds), Arrays.toString(actuals), message);
    }

    public static void assertArrayEquals(short[] expecteds, short[] actuals) {
        assertArrayEquals(null, expecteds, actuals);
    }

    public static void assertArrayEquals(String message, short[] expecteds, short[] actuals) {
        equal(Arrays.equals(expecteds, actuals), Arrays.toString(expecteds), Arrays.toString(actuals), message);
    }

    public static void assertArrayEquals(int[] expecteds, int[] actuals) {
        assertArrayEquals(null, expecteds, actuals);
    }

    public static void assertArrayEquals(String message, int[] expecteds, int[] actuals) {
        equal(Arrays.equals(expecteds, actuals), Arrays.toString(expecteds), Arrays.toString(actuals), message);
    }

    public static void assertArrayEquals(long[] expecteds, long[] actuals) {
        assertArrayEquals(null, expecteds, actuals);
    }

    public static void assertArrayEquals(String message, long[] expecteds, long[] actuals) {
        equal(Arrays.equals(expecteds, actuals), Arrays.toString(expecteds), Arrays.toString(actuals), message);
    }

    public static void assertArrayEquals(double[] expecteds, double[] actuals, double delta) {
        assertArrayEquals(null, expecteds, actuals, delta);
    }

    public static void assertArrayEquals(String message, double[] expecteds, double[] actuals, double delta) {
        if (expecteds == actuals) return;
        boolean equal = expecteds != null && actuals != null && expecteds.length == actuals.length;
        for (int i = 0; equal && i < expecteds.length; i++) equal = close(expecteds[i], actuals[i], delta);
        equal(equal, Arrays.toString(expecteds), Arrays.toString(actuals), message);
    }

    public static void assertArrayEquals(float[] expecteds, float[] actuals, float delta) {
        assertArrayEquals(null, expecteds, actuals, delta);
    }

    public static void assertArrayEquals(String message, float[] expecteds, float[] actuals, float delta) {
        if (expecteds == actuals) return;
        boolean equal = expecteds != null && actuals != null && expecteds.length == actuals.length;
        for (int i = 0; equal && i < expecteds.length; i++) equal = close(expecteds[i], actuals[i], delta);
        equal(equal, Arrays.toString(expecteds), Arrays.toString(actuals), message);
    }

    public static <T extends Throwable> T assertThrows(Class<T> expectedThrowable, ThrowingRunnable runnable) {
        return assertThrows(null, expectedThrowable, runnable);
    }

    public static <T extends Throwable> T assertThrows(String message, Class<T> expectedThrowable, ThrowingRunnable runnable) {
        try {
            runnable.run();
        } catch (Throwable thrown) {
            if (expectedThrowable.isInstance(thrown)) return expectedThrowable.cast(thrown);
            AssertionError error = failure(message, "unexpected exception type thrown; expected:<" + expectedThrowable.getName() + "> but was:<" + thrown.getClass().getName() + ">");
            error.initCause(thrown);
            throw error;
        }
        throw failure(message, "expected " + expectedThrowable.getName() + " to be thrown, but nothing was thrown");
    }
}
