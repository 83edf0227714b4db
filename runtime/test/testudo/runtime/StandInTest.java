package testudo.runtime;

import org.junit.Assert;
import org.junit.function.ThrowingRunnable;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.function.Executable;

/** The stand-in assertions pass and fail where JUnit's do. */
final class StandInTest {
    private StandInTest() {}

    static void run() {
        passes(() -> Assertions.assertEquals(Double.NaN, Double.NaN));
        fails(() -> Assertions.assertEquals(0.0, -0.0));
        fails(() -> Assertions.assertEquals(0.0f, -0.0f));
        passes(() -> Assertions.assertEquals(0.0, -0.0, 0.1));
        fails(() -> Assertions.assertEquals(1.0, 1.0, 0.0));
        passes(() -> Assertions.assertEquals(1, Integer.valueOf(1)));
        fails(() -> Assertions.assertEquals((Object) 1, (Object) 1L));
        fails(() -> Assertions.assertEquals(1, (Integer) null));
        passes(() -> Assertions.assertNotEquals(0.0, -0.0));
        fails(() -> Assertions.assertNotEquals("a", "a"));
        passes(() -> Assertions.assertArrayEquals(new Object[] {new int[] {1}, null}, new Object[] {new int[] {1}, null}));
        fails(() -> Assertions.assertArrayEquals(new Object[] {new int[] {1}}, new Object[] {new int[] {2}}));
        fails(() -> Assertions.assertArrayEquals(new double[] {0.0}, new double[] {-0.0}));
        passes(() -> Assertions.assertArrayEquals(new double[] {0.0}, new double[] {-0.0}, 0.5));
        passes(() -> Assertions.assertThrows(RuntimeException.class, () -> Integer.parseInt("x")));
        fails(() -> Assertions.assertThrows(NullPointerException.class, () -> Integer.parseInt("x")));
        fails(() -> Assertions.assertThrows(RuntimeException.class, () -> {}));
        passes(() -> Assertions.assertInstanceOf(Number.class, 1));
        fails(() -> Assertions.assertInstanceOf(Number.class, null));
        fails(() -> Assertions.assertSame(new String("a"), "a"));
        fails(() -> Assertions.assertTrue(false));
        fails(() -> Assertions.fail("x"));
        passes(() -> Assert.assertEquals(0.0, -0.0, 0.0));
        passes(() -> Assert.assertEquals(Double.NaN, Double.NaN, 0.0));
        fails(() -> Assert.assertEquals(1.0, 1.5, 0.1));
        fails(() -> Assert.assertEquals("message", 1L, 2L));
        fails(() -> Assert.assertEquals((Object) 1, (Object) 1L));
        passes(() -> Assert.assertArrayEquals(new long[] {1}, new long[] {1}));
        fails(() -> Assert.assertArrayEquals(new float[] {1}, new float[] {2}, 0.5f));
        ThrowingRunnable parse = () -> Integer.parseInt("x");
        Check.equal("returned", Assert.assertThrows(NumberFormatException.class, parse).getClass(), NumberFormatException.class);
        fails(() -> Assert.assertNotSame(1, 1));
        fails(() -> Assert.assertNull("a"));
    }

    private static boolean holds(Executable assertion) {
        try {
            assertion.execute();
            return true;
        } catch (AssertionError failed) {
            return false;
        } catch (Throwable other) {
            throw new IllegalStateException(other);
        }
    }

    private static int number;

    private static void passes(Executable assertion) {
        Check.equal("assertion " + ++number, holds(assertion), true);
    }

    private static void fails(Executable assertion) {
        Check.equal("assertion " + ++number, holds(assertion), false);
    }
}
