package testudo.runtime;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What mutant schemata call in the place of instructions that can be wrong on purpose. Owns the number of the mutant that is switched on and the exact
 * meaning of every operator; never decides which mutant runs when.
 *
 * <p>The last argument is the number of the site; the mutants of the site have the numbers behind it. A site marks its own number among the probes when it is
 * reached, and that of a mutant when the mutant would have done something else there: others need not be run.
 */
public final class Mutants {
    /** The mutant that is switched on; 0 for none. */
    static int active;
    private static int suspended;

    private Mutants() {}

    /** What a class initialiser leaves behind serves all later sequences. */
    static void suspend() {
        suspended = active;
        active = 0;
    }

    static void resume() {
        active = suspended;
    }

    /** Marks site and mutant, and says whether the mutant is switched on. */
    private static boolean on(int mutant, boolean differs) {
        if (differs) Hooks.HIT[mutant] = 1;
        return active == mutant;
    }

    private static void reached(int site) {
        Hooks.HIT[site] = 1;
    }

    // Conditions. Those with a boundary have it as their first mutant and the opposite as their second; the others have the opposite only.

    private static boolean condition(boolean holds, int opposite) {
        return on(opposite, true) != holds;
    }

    public static boolean eq(int a, int b, int site) {
        reached(site);
        return condition(a == b, site + 1);
    }

    public static boolean ne(int a, int b, int site) {
        reached(site);
        return condition(a != b, site + 1);
    }

    public static boolean lt(int a, int b, int site) {
        reached(site);
        if (on(site + 1, a == b)) return a <= b;
        return condition(a < b, site + 2);
    }

    public static boolean ge(int a, int b, int site) {
        reached(site);
        if (on(site + 1, a == b)) return a > b;
        return condition(a >= b, site + 2);
    }

    public static boolean gt(int a, int b, int site) {
        reached(site);
        if (on(site + 1, a == b)) return a >= b;
        return condition(a > b, site + 2);
    }

    public static boolean le(int a, int b, int site) {
        reached(site);
        if (on(site + 1, a == b)) return a < b;
        return condition(a <= b, site + 2);
    }

    public static boolean same(Object a, Object b, int site) {
        reached(site);
        return condition(a == b, site + 1);
    }

    public static boolean notSame(Object a, Object b, int site) {
        reached(site);
        return condition(a != b, site + 1);
    }

    public static boolean isNull(Object a, int site) {
        reached(site);
        return condition(a == null, site + 1);
    }

    public static boolean nonNull(Object a, int site) {
        reached(site);
        return condition(a != null, site + 1);
    }

    // Arithmetic, by the names of the instructions.

    public static int iadd(int a, int b, int site) {
        reached(site);
        return on(site + 1, (a - b) != (a + b)) ? a - b : a + b;
    }

    public static int isub(int a, int b, int site) {
        reached(site);
        return on(site + 1, (a + b) != (a - b)) ? a + b : a - b;
    }

    public static int imul(int a, int b, int site) {
        reached(site);
        return on(site + 1, b == 0 || (a / b) != (a * b)) ? a / b : a * b;
    }

    public static int idiv(int a, int b, int site) {
        reached(site);
        return on(site + 1, b == 0 || (a * b) != (a / b)) ? a * b : a / b;
    }

    public static int irem(int a, int b, int site) {
        reached(site);
        return on(site + 1, b == 0 || (a * b) != (a % b)) ? a * b : a % b;
    }

    public static int iand(int a, int b, int site) {
        reached(site);
        return on(site + 1, (a | b) != (a & b)) ? a | b : a & b;
    }

    public static int ior(int a, int b, int site) {
        reached(site);
        return on(site + 1, (a & b) != (a | b)) ? a & b : a | b;
    }

    public static int ixor(int a, int b, int site) {
        reached(site);
        return on(site + 1, (a & b) != (a ^ b)) ? a & b : a ^ b;
    }

    public static int ishl(int a, int b, int site) {
        reached(site);
        return on(site + 1, (a >> b) != (a << b)) ? a >> b : a << b;
    }

    public static int ishr(int a, int b, int site) {
        reached(site);
        return on(site + 1, (a << b) != (a >> b)) ? a << b : a >> b;
    }

    public static int iushr(int a, int b, int site) {
        reached(site);
        return on(site + 1, (a << b) != (a >>> b)) ? a << b : a >>> b;
    }

    public static long ladd(long a, long b, int site) {
        reached(site);
        return on(site + 1, (a - b) != (a + b)) ? a - b : a + b;
    }

    public static long lsub(long a, long b, int site) {
        reached(site);
        return on(site + 1, (a + b) != (a - b)) ? a + b : a - b;
    }

    public static long lmul(long a, long b, int site) {
        reached(site);
        return on(site + 1, b == 0 || (a / b) != (a * b)) ? a / b : a * b;
    }

    public static long ldiv(long a, long b, int site) {
        reached(site);
        return on(site + 1, b == 0 || (a * b) != (a / b)) ? a * b : a / b;
    }

    public static long lrem(long a, long b, int site) {
        reached(site);
        return on(site + 1, b == 0 || (a * b) != (a % b)) ? a * b : a % b;
    }

    public static long land(long a, long b, int site) {
        reached(site);
        return on(site + 1, (a | b) != (a & b)) ? a | b : a & b;
    }

    public static long lor(long a, long b, int site) {
        reached(site);
        return on(site + 1, (a & b) != (a | b)) ? a & b : a | b;
    }

    public static long lxor(long a, long b, int site) {
        reached(site);
        return on(site + 1, (a & b) != (a ^ b)) ? a & b : a ^ b;
    }

    public static long lshl(long a, int b, int site) {
        reached(site);
        return on(site + 1, (a >> b) != (a << b)) ? a >> b : a << b;
    }

    public static long lshr(long a, int b, int site) {
        reached(site);
        return on(site + 1, (a << b) != (a >> b)) ? a << b : a >> b;
    }

    public static long lushr(long a, int b, int site) {
        reached(site);
        return on(site + 1, (a << b) != (a >>> b)) ? a << b : a >>> b;
    }

    public static float fadd(float a, float b, int site) {
        reached(site);
        return on(site + 1, Float.compare(a - b, a + b) != 0) ? a - b : a + b;
    }

    public static float fsub(float a, float b, int site) {
        reached(site);
        return on(site + 1, Float.compare(a + b, a - b) != 0) ? a + b : a - b;
    }

    public static float fmul(float a, float b, int site) {
        reached(site);
        return on(site + 1, Float.compare(a / b, a * b) != 0) ? a / b : a * b;
    }

    public static float fdiv(float a, float b, int site) {
        reached(site);
        return on(site + 1, Float.compare(a * b, a / b) != 0) ? a * b : a / b;
    }

    public static float frem(float a, float b, int site) {
        reached(site);
        return on(site + 1, Float.compare(a * b, a % b) != 0) ? a * b : a % b;
    }

    public static double dadd(double a, double b, int site) {
        reached(site);
        return on(site + 1, Double.compare(a - b, a + b) != 0) ? a - b : a + b;
    }

    public static double dsub(double a, double b, int site) {
        reached(site);
        return on(site + 1, Double.compare(a + b, a - b) != 0) ? a + b : a - b;
    }

    public static double dmul(double a, double b, int site) {
        reached(site);
        return on(site + 1, Double.compare(a / b, a * b) != 0) ? a / b : a * b;
    }

    public static double ddiv(double a, double b, int site) {
        reached(site);
        return on(site + 1, Double.compare(a * b, a / b) != 0) ? a * b : a / b;
    }

    public static double drem(double a, double b, int site) {
        reached(site);
        return on(site + 1, Double.compare(a * b, a % b) != 0) ? a * b : a % b;
    }

    public static int ineg(int a, int site) {
        reached(site);
        return on(site + 1, -a != a) ? a : -a;
    }

    public static long lneg(long a, int site) {
        reached(site);
        return on(site + 1, -a != a) ? a : -a;
    }

    public static float fneg(float a, int site) {
        reached(site);
        return on(site + 1, true) ? a : -a;
    }

    public static double dneg(double a, int site) {
        reached(site);
        return on(site + 1, true) ? a : -a;
    }

    public static int iinc(int a, int by, int site) {
        reached(site);
        return on(site + 1, true) ? a - by : a + by;
    }

    // Constants.

    public static int constant(int value, int site) {
        reached(site);
        return !on(site + 1, true) ? value : value == 1 ? 0 : value + 1;
    }

    public static long constant(long value, int site) {
        reached(site);
        return !on(site + 1, true) ? value : value == 1 ? 0 : value + 1;
    }

    public static float constant(float value, int site) {
        reached(site);
        return !on(site + 1, true) ? value : value == 1 ? 2 : 1;
    }

    public static double constant(double value, int site) {
        reached(site);
        return !on(site + 1, true) ? value : value == 1 ? 2 : 1;
    }

    // Calls and assignments that do not happen.

    public static boolean isRemoved(int site) {
        reached(site);
        return on(site + 1, true);
    }

    // Results.

    public static boolean isNulled(Object value, int site) {
        reached(site);
        return on(site + 1, value != null);
    }

    public static boolean truth(boolean value, int site) {
        reached(site);
        if (on(site + 1, value)) return false;
        return on(site + 2, !value) || value;
    }

    public static Boolean truth(Boolean value, int site) {
        reached(site);
        if (on(site + 1, !Boolean.FALSE.equals(value))) return Boolean.FALSE;
        return on(site + 2, !Boolean.TRUE.equals(value)) ? Boolean.TRUE : value;
    }

    public static boolean onlyTrue(boolean value, int site) {
        reached(site);
        return on(site + 1, !value) || value;
    }

    public static Boolean onlyTrue(Boolean value, int site) {
        reached(site);
        return on(site + 1, !Boolean.TRUE.equals(value)) ? Boolean.TRUE : value;
    }

    public static boolean onlyFalse(boolean value, int site) {
        reached(site);
        return !on(site + 1, value) && value;
    }

    public static Boolean onlyFalse(Boolean value, int site) {
        reached(site);
        return on(site + 1, !Boolean.FALSE.equals(value)) ? Boolean.FALSE : value;
    }

    public static int empty(int value, int site) {
        reached(site);
        return on(site + 1, value != 0) ? 0 : value;
    }

    public static long empty(long value, int site) {
        reached(site);
        return on(site + 1, value != 0) ? 0 : value;
    }

    public static float empty(float value, int site) {
        reached(site);
        return on(site + 1, Float.compare(value, 0) != 0) ? 0 : value;
    }

    public static double empty(double value, int site) {
        reached(site);
        return on(site + 1, Double.compare(value, 0) != 0) ? 0 : value;
    }

    private static <T> T empty(T value, T empty, int site) {
        reached(site);
        // Another object of the same value is no difference a test may build on.
        return on(site + 1, !empty.equals(value)) ? empty : value;
    }

    public static String empty(String value, int site) {
        return empty(value, "", site);
    }

    public static Integer empty(Integer value, int site) {
        return empty(value, Integer.valueOf(0), site);
    }

    public static Long empty(Long value, int site) {
        return empty(value, Long.valueOf(0), site);
    }

    public static Short empty(Short value, int site) {
        return empty(value, Short.valueOf((short) 0), site);
    }

    public static Character empty(Character value, int site) {
        return empty(value, Character.valueOf((char) 0), site);
    }

    public static Float empty(Float value, int site) {
        return empty(value, Float.valueOf(0), site);
    }

    public static Double empty(Double value, int site) {
        return empty(value, Double.valueOf(0), site);
    }

    public static Optional<?> empty(Optional<?> value, int site) {
        reached(site);
        return on(site + 1, true) ? Optional.empty() : value;
    }

    public static List<?> empty(List<?> value, int site) {
        reached(site);
        return on(site + 1, true) ? Collections.emptyList() : value;
    }

    public static Set<?> empty(Set<?> value, int site) {
        reached(site);
        return on(site + 1, true) ? Collections.emptySet() : value;
    }

    public static Map<?, ?> empty(Map<?, ?> value, int site) {
        reached(site);
        return on(site + 1, true) ? Collections.emptyMap() : value;
    }

    public static Collection<?> empty(Collection<?> value, int site) {
        reached(site);
        return on(site + 1, true) ? Collections.emptyList() : value;
    }

    public static Iterable<?> empty(Iterable<?> value, int site) {
        reached(site);
        return on(site + 1, true) ? Collections.emptyList() : value;
    }

    public static Stream<?> empty(Stream<?> value, int site) {
        reached(site);
        return on(site + 1, true) ? Stream.empty() : value;
    }
}
