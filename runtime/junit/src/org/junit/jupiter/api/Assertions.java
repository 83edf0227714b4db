package org.junit.jupiter.api;

import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.function.Executable;

/**
 * Stands in for the assertions of JUnit 5 where JUnit is not on the class path. Owns the members that generated tests use, with the same overloads (so that javac chooses
 * alike) and the same meaning: floating-point numbers are equal by their bits, arrays by their elements at any depth.
 */
public final class Assertions {
    private Assertions() {}

    private static AssertionError failure(String message, String text) {
        return new AssertionError(message == null ? text : message + " ==> " + text);
    }

    private static String show(Object value) {
        if (value instanceof Object[]) return Arrays.deepToString((Object[]) value);
        return value instanceof String ? '"' + (String) value + '"' : String.valueOf(value);
    }

    private static void equal(boolean equal, Object expected, Object actual, String message) {
        if (!equal) throw failure(message, "expected: <" + show(expected) + "> but was: <" + show(actual) + ">");
    }

    private static void different(boolean equal, Object actual, String message) {
        if (equal) throw failure(message, "expected: not equal but was: <" + show(actual) + ">");
    }

    private static void checkDelta(double delta) {
        if (Double.isNaN(delta) || delta <= 0) throw new AssertionError("positive delta expected but was: <" + delta + ">");
    }

    private static boolean close(double a, double b, double delta) {
        checkDelta(delta);
        return Double.doubleToLongBits(a) == Double.doubleToLongBits(b) || Math.abs(a - b) <= delta;
    }

    private static boolean close(float a, float b, float delta) {
        checkDelta(delta);
        return Float.floatToIntBits(a) == Float.floatToIntBits(b) || Math.abs(a - b) <= delta;
    }

    public static <V> V fail() {
        throw new AssertionError();
    }

    public static <V> V fail(String message) {
        throw new AssertionError(message);
    }

    public static <V> V fail(String message, Throwable cause) {
        throw new AssertionError(message, cause);
    }

    public static <V> V fail(Throwable cause) {
        throw new AssertionError(null, cause);
    }

    public static void assertTrue(boolean condition) {
        assertTrue(condition, null);
    }

    public static void assertTrue(boolean condition, String message) {
        if (!condition) throw failure(message, "expected: <true>");
    }

    public static void assertFalse(boolean condition) {
        assertFalse(condition, null);
    }

    public static void assertFalse(boolean condition, String message) {
        if (condition) throw failure(message, "expected: <false>");
    }

    public static void assertNull(Object actual) {
        assertNull(actual, null);
    }

    public static void assertNull(Object actual, String message) {
        equal(actual == null, null, actual, message);
    }

    public static void assertNotNull(Object actual) {
        assertNotNull(actual, null);
    }

    public static void assertNotNull(Object actual, String message) {
        if (actual == null) throw failure(message, "expected: not <null>");
    }

    public static void assertSame(Object expected, Object actual) {
        assertSame(expected, actual, null);
    }

    public static void assertSame(Object expected, Object actual, String message) {
        equal(expected == actual, expected, actual, message);
    }

    public static void assertNotSame(Object unexpected, Object actual) {
        assertNotSame(unexpected, actual, null);
    }

    public static void assertNotSame(Object unexpected, Object actual, String message) {
        if (unexpected == actual) throw failure(message, "expected: not same but was: <" + show(actual) + ">");
    }

    public static void assertEquals(byte expected, byte actual) {
        equal(expected == actual, expected, actual, null);
    }

    public static void assertEquals(byte expected, byte actual, String message) {
        equal(expected == actual, expected, actual, message);
    }

    public static void assertEquals(byte expected, Byte actual) {
        equal(((Byte) expected).equals(actual), expected, actual, null);
    }

    public static void assertEquals(Byte expected, byte actual) {
        equal(((Byte) actual).equals(expected), expected, actual, null);
    }

    public static void assertEquals(Byte expected, Byte actual) {
        equal(Objects.equals(expected, actual), expected, actual, null);
    }

    public static void assertNotEquals(byte unexpected, byte actual) {
        different(unexpected == actual, actual, null);
    }

    public static void assertNotEquals(byte unexpected, byte actual, String message) {
        different(unexpected == actual, actual, message);
    }

    public static void assertNotEquals(byte unexpected, Byte actual) {
        different(((Byte) unexpected).equals(actual), actual, null);
    }

    public static void assertNotEquals(Byte unexpected, byte actual) {
        different(((Byte) actual).equals(unexpected), actual, null);
    }

    public static void assertNotEquals(Byte unexpected, Byte actual) {
        different(Objects.equals(unexpected, actual), actual, null);
    }

    public static void assertEquals(char expected, char actual) {
        equal(expected == actual, expected, actual, null);
    }

    public static void assertEquals(char expected, char actual, String message) {
        equal(expected == actual, expected, actual, message);
    }

    public static void assertEquals(char expected, Character actual) {
        equal(((Character) expected).equals(actual), expected, actual, null);
    }

    public static void assertEquals(Character expected, char actual) {
        equal(((Character) actual).equals(expected), expected, actual, null);
    }

    public static void assertEquals(Character expected, Character actual) {
        equal(Objects.equals(expected, actual), expected, actual, null);
    }

    public static void assertNotEquals(char unexpected, char actual) {
        different(unexpected == actual, actual, null);
    }

    public static void assertNotEquals(char unexpected, char actual, String message) {
        different(unexpected == actual, actual, message);
    }

    public static void assertNotEquals(char unexpected, Character actual) {
        different(((Character) unexpected).equals(actual), actual, null);
    }

    public static void assertNotEquals(Character unexpected, char actual) {
        different(((Character) actual).equals(unexpected), actual, null);
    }

    public static void assertNotEquals(Character unexpected, Character actual) {
        different(Objects.equals(unexpected, actual), actual, null);
    }

    public static void assertEquals(short expected, short actual) {
        equal(expected == actual, expected, actual, null);
    }

    public static void assertEquals(short expected, short actual, String message) {
        equal(expected == actual, expected, actual, message);
    }

    public static void assertEquals(short expected, Short actual) {
        equal(((Short) expected).equals(actual), expected, actual, null);
    }

    public static void assertEquals(Short expected, short actual) {
        equal(((Short) actual).equals(expected), expected, actual, null);
    }

    public static void assertEquals(Short expected, Short actual) {
        equal(Objects.equals(expected, actual), expected, actual, null);
    }

    public static void assertNotEquals(short unexpected, short actual) {
        different(unexpected == actual, actual, null);
    }

    public static void assertNotEquals(short unexpected, short actual, String message) {
        different(unexpected == actual, actual, message);
    }

    public static void assertNotEquals(short unexpected, Short actual) {
        different(((Short) unexpected).equals(actual), actual, null);
    }

    public static void assertNotEquals(Short unexpected, short actual) {
        different(((Short) actual).equals(unexpected), actual, null);
    }

    public static void assertNotEquals(Short unexpected, Short actual) {
        different(Objects.equals(unexpected, actual), actual, null);
    }

    public static void assertEquals(int expected, int actual) {
        equal(expected == actual, expected, actual, null);
    }

    public static void assertEquals(int expected, int actual, String message) {
        equal(expected == actual, expected, actual, message);
    }

    public static void assertEquals(int expected, Integer actual) {
        equal(((Integer) expected).equals(actual), expected, actual, null);
    }

    public static void assertEquals(Integer expected, int actual) {
        equal(((Integer) actual).equals(expected), expected, actual, null);
    }

    public static void assertEquals(Integer expected, Integer actual) {
        equal(Objects.equals(expected, actual), expected, actual, null);
    }

    public static void assertNotEquals(int unexpected, int actual) {
        different(unexpected == actual, actual, null);
    }

    public static void assertNotEquals(int unexpected, int actual, String message) {
        different(unexpected == actual, actual, message);
    }

    public static void assertNotEquals(int unexpected, Integer actual) {
        different(((Integer) unexpected).equals(actual), actual, null);
    }

    public static void assertNotEquals(Integer unexpected, int actual) {
        different(((Integer) actual).equals(unexpected), actual, null);
    }

    public static void assertNotEquals(Integer unexpected, Integer actual) {
        different(Objects.equals(unexpected, actual), actual, null);
    }

    public static void assertEquals(long expected, long actual) {
        equal(expected == actual, expected, actual, null);
    }

    public static void assertEquals(long expected, long actual, String message) {
        equal(expected == actual, expected, actual, message);
    }

    public static void assertEquals(long expected, Long actual) {
        equal(((Long) expected).equals(actual), expected, actual, null);
    }

    public static void assertEquals(Long expected, long actual) {
        equal(((Long) actual).equals(expected), expected, actual, null);
    }

    public static void assertEquals(Long expected, Long actual) {
        equal(Objects.equals(expected, actual), expected, actual, null);
    }

    public static void assertNotEquals(long unexpected, long actual) {
        different(unexpected == actual, actual, null);
    }

    public static void assertNotEquals(long unexpected, long actual, String message) {
        different(unexpected == actual, actual, message);
    }

    public static void assertNotEquals(long unexpected, Long actual) {
        different(((Long) unexpected).equals(actual), actual, null);
    }

    public static void assertNotEquals(Long unexpected, long actual) {
        different(((Long) actual).equals(unexpected), actual, null);
    }

    public static void assertNotEquals(Long unexpected, Long actual) {
        different(Objects.equals(unexpected, actual), actual, null);
    }

    public static void assertEquals(float expected, float actual) {
        equal(Float.floatToIntBits(expected) == Float.floatToIntBits(actual), expected, actual, null);
    }

    public static void assertEquals(float expected, float actual, String message) {
        equal(Float.floatToIntBits(expected) == Float.floatToIntBits(actual), expected, actual, message);
    }

    public static void assertEquals(float expected, Float actual) {
        equal(((Float) expected).equals(actual), expected, actual, null);
    }

    public static void assertEquals(Float expected, float actual) {
        equal(((Float) actual).equals(expected), expected, actual, null);
    }

    public static void assertEquals(Float expected, Float actual) {
        equal(Objects.equals(expected, actual), expected, actual, null);
    }

    public static void assertNotEquals(float unexpected, float actual) {
        different(Float.floatToIntBits(unexpected) == Float.floatToIntBits(actual), actual, null);
    }

    public static void assertNotEquals(float unexpected, float actual, String message) {
        different(Float.floatToIntBits(unexpected) == Float.floatToIntBits(actual), actual, message);
    }

    public static void assertNotEquals(float unexpected, Float actual) {
        different(((Float) unexpected).equals(actual), actual, null);
    }

    public static void assertNotEquals(Float unexpected, float actual) {
        different(((Float) actual).equals(unexpected), actual, null);
    }

    public static void assertNotEquals(Float unexpected, Float actual) {
        different(Objects.equals(unexpected, actual), actual, null);
    }

    public static void assertEquals(double expected, double actual) {
        equal(Double.doubleToLongBits(expected) == Double.doubleToLongBits(actual), expected, actual, null);
    }

    public static void assertEquals(double expected, double actual, String message) {
        equal(Double.doubleToLongBits(expected) == Double.doubleToLongBits(actual), expected, actual, message);
    }

    public static void assertEquals(double expected, Double actual) {
        equal(((Double) expected).equals(actual), expected, actual, null);
    }

    public static void assertEquals(Double expected, double actual) {
        equal(((Double) actual).equals(expected), expected, actual, null);
    }

    public static void assertEquals(Double expected, Double actual) {
        equal(Objects.equals(expected, actual), expected, actual, null);
    }

    public static void assertNotEquals(double unexpected, double actual) {
        different(Double.doubleToLongBits(unexpected) == Double.doubleToLongBits(actual), actual, null);
    }

    public static void assertNotEquals(double unexpected, double actual, String message) {
        different(Double.doubleToLongBits(unexpected) == Double.doubleToLongBits(actual), actual, message);
    }

    public static void assertNotEquals(double unexpected, Double actual) {
        different(((Double) unexpected).equals(actual), actual, null);
    }

    public static void assertNotEquals(Double unexpected, double actual) {
        different(((Double) actual).equals(unexpected), actual, null);
    }

    public static void assertNotEquals(Double unexpected, Double actual) {
        different(Objects.equals(unexpected, actual), actual, null);
    }

    public static void assertEquals(float expected, float actual, float delta) {
        equal(close(expected, actual, delta), expected, actual, null);
    }

    public static void assertEquals(float expected, float actual, float delta, String message) {
        equal(close(expected, actual, delta), expected, actual, message);
    }

    public static void assertNotEquals(float unexpected, float actual, float delta) {
        different(close(unexpected, actual, delta), actual, null);
    }

    public static void assertEquals(double expected, double actual, double delta) {
        equal(close(expected, actual, delta), expected, actual, null);
    }

    public static void assertEquals(double expected, double actual, double delta, String message) {
        equal(close(expected, actual, delta), expected, actual, message);
    }

    public static void assertNotEquals(double unexpected, double actual, double delta) {
        different(close(unexpected, actual, delta), actual, null);
    }

    public static void assertEquals(Object expected, Object actual) {
        assertEquals(expected, actual, null);
    }

    public static void assertEquals(Object expected, Object actual, String message) {
        equal(Objects.equals(expected, actual), expected, actual, message);
    }

    public static void assertNotEquals(Object unexpected, Object actual) {
        assertNotEquals(unexpected, actual, null);
    }

    public static void assertNotEquals(Object unexpected, Object actual, String message) {
        different(Objects.equals(unexpected, actual), actual, message);
    }

    public static void assertArrayEquals(boolean[] expected, boolean[] actual) {
        assertArrayEquals(expected, actual, (String) null);
    }

    public static void assertArrayEquals(boolean[] expected, boolean[] actual, String message) {
        equal(Arrays.equals(expected, actual), Arrays.toString(expected), Arrays.toString(actual), message);
    }

    public static void assertArrayEquals(byte[] expected, byte[] actual) {
        assertArrayEquals(expected, actual, (String) null);
    }

    public static void assertArrayEquals(byte[] expected, byte[] actual, String message) {
        equal(Arrays.equals(expected, actual), Arrays.toString(expected), Arrays.toString(actual), message);
    }

    public static void assertArrayEquals(char[] expected, char[] actual) {
        assertArrayEquals(expected, actual, (String) null);
    }

    public static void assertArrayEquals(char[] expected, char[] actual, String message) {
        equal(Arrays.equals(expected, actual), Arrays.toString(expected), Arrays.toString(actual), message);
    }

    public static void assertArrayEquals(short[] expected, short[] actual) {
        assertArrayEquals(expected, actual, (String) null);
    }

    public static void assertArrayEquals(short[] expected, short[] actual, String message) {
        equal(Arrays.equals(expected, actual), Arrays.toString(expected), Arrays.toString(actual), message);
    }

    public static void assertArrayEquals(int[] expected, int[] actual) {
        assertArrayEquals(expected, actual, (String) null);
    }

    public static void assertArrayEquals(int[] expected, int[] actual, String message) {
        equal(Arrays.equals(expected, actual), Arrays.toString(expected), Arrays.toString(actual), message);
    }

    public static void assertArrayEquals(long[] expected, long[] actual) {
        assertArrayEquals(expected, actual, (String) null);
    }

    public static void assertArrayEquals(long[] expected, long[] actual, String message) {
        equal(Arrays.equals(expected, actual), Arrays.toString(expected), Arrays.toString(actual), message);
    }

    public static void assertArrayEquals(float[] expected, float[] actual) {
        assertArrayEquals(expected, actual, (String) null);
    }

    public static void assertArrayEquals(float[] expected, float[] actual, String message) {
        equal(Arrays.equals(expected, actual), Arrays.toString(expected), Arrays.toString(actual), message);
    }

    public static void assertArrayEquals(double[] expected, double[] actual) {
        assertArrayEquals(expected, actual, (String) null);
    }

    public static void assertArrayEquals(double[] expected, double[] actual, String message) {
        equal(Arrays.equals(expected, actual), Arrays.toString(expected), Arrays.toString(actual), message);
    }

    public static void assertArrayEquals(Object[] expected, Object[] actual) {
        assertArrayEquals(expected, actual, (String) null);
    }

    public static void assertArrayEquals(Object[] expected, Object[] actual, String message) {
        equal(Arrays.deepEquals(expected, actual), Arrays.deepToString(expected), Arrays.deepToString(actual), message);
    }

    public static void assertArrayEquals(float[] expected, float[] actual, float delta) {
        if (expected == actual) return;
        boolean equal = expected != null && actual != null && expected.length == actual.length;
        for (int i = 0; equal && i < expected.length; i++) equal = close(expected[i], actual[i], delta);
        equal(equal, Arrays.toString(expected), Arrays.toString(actual), null);
    }

    public static void assertArrayEquals(double[] expected, double[] actual, double delta) {
        if (expected == actual) return;
        boolean equal = expected != null && actual != null && expected.length == actual.length;
        for (int i = 0; equal && i < expected.length; i++) equal = close(expected[i], actual[i], delta);
        equal(equal, Arrays.toString(expected), Arrays.toString(actual), null);
    }

    public static <T extends Throwable> T assertThrows(Class<T> expected, Executable code) {
        return assertThrows(expected, code, null);
    }

    public static <T extends Throwable> T assertThrows(Class<T> expected, Executable code, String message) {
        try {
            code.execute();
        } catch (Throwable thrown) {
            if (expected.isInstance(thrown)) return expected.cast(thrown);
            AssertionError error = failure(message, "unexpected exception type thrown, expected: <" + expected.getName() + "> but was: <" + thrown.getClass().getName() + ">");
            error.initCause(thrown);
            throw error;
        }
        throw failure(message, "expected " + expected.getName() + " to be thrown, but nothing was thrown");
    }

    public static <T> T assertInstanceOf(Class<T> expected, Object actual) {
        return assertInstanceOf(expected, actual, null);
    }

    public static <T> T assertInstanceOf(Class<T> expected, Object actual, String message) {
        if (expected.isInstance(actual)) return expected.cast(actual);
        throw failure(message, "expected an instance of <" + expected.getName() + "> but was: <" + (actual == null ? "null" : actual.getClass().getName()) + ">");
    }

    public static void assertDoesNotThrow(Executable code) {
        try {
            code.execute();
        } catch (Throwable thrown) {
            throw new AssertionError("unexpected exception thrown: " + thrown, thrown);
        }
    }
}
