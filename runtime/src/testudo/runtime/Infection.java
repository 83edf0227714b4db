package testudo.runtime;

import java.util.Collection;
import java.util.Map;

/**
 * Marks where a small fault would have made a difference: code under test shows what an instruction works on, and the probe is set if the instruction with a fault would have done
 * something else with it. Owns these questions; never changes anything. The last argument is the number of the probe.
 *
 * <p>Where both operands decide, but only the upper one is at hand, that one is asked: adding or subtracting makes a difference unless it is 0, multiplying or dividing unless it is 0 or 1.
 */
public final class Infection {
    private Infection() {}

    private static void mark(boolean differs, int probe) {
        if (differs) Hooks.HIT[probe] = 1;
    }

    public static void zero(int value, int probe) {
        mark(value == 0, probe);
    }

    public static void equal(int a, int b, int probe) {
        mark(a == b, probe);
    }

    public static void unequal(int a, int b, int probe) {
        mark(a != b, probe);
    }

    public static void nonzero(int value, int probe) {
        mark(value != 0, probe);
    }

    public static void nonzero(long value, int probe) {
        mark(value != 0, probe);
    }

    public static void nonzero(float value, int probe) {
        mark(value != 0, probe);
    }

    public static void nonzero(double value, int probe) {
        mark(value != 0, probe);
    }

    public static void beyondOne(int value, int probe) {
        mark(value != 0 && value != 1, probe);
    }

    public static void beyondOne(long value, int probe) {
        mark(value != 0 && value != 1, probe);
    }

    public static void beyondOne(float value, int probe) {
        mark(value != 0 && value != 1, probe);
    }

    public static void beyondOne(double value, int probe) {
        mark(value != 0 && value != 1, probe);
    }

    /** The first of two probes is for true, which a result that is always false would not be, the second for false. */
    public static void truth(int value, int probe) {
        Hooks.HIT[value != 0 ? probe : probe + 1] = 1;
    }

    /** An object other than null and what stands for nothing. Classes of the JDK only are asked: others could do anything. */
    public static void filled(Object value, int probe) {
        if (value == null) return;
        boolean empty = false;
        if (value instanceof String) empty = ((String) value).isEmpty();
        else if (value instanceof Boolean) empty = !((Boolean) value);
        else if (value instanceof Integer) empty = (Integer) value == 0;
        else if (value instanceof Long) empty = (Long) value == 0;
        else if (value instanceof Collection && value.getClass().getClassLoader() == null) empty = ((Collection<?>) value).isEmpty();
        else if (value instanceof Map && value.getClass().getClassLoader() == null) empty = ((Map<?, ?>) value).isEmpty();
        mark(!empty, probe);
    }
}
