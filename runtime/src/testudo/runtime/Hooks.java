package testudo.runtime;

import java.io.InputStream;
import java.io.PrintStream;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TimeZone;

/**
 * Everything instrumented code calls. Owns the probes, the step budget and the operands of comparisons; distances are {@link Distances}'; keeps the exact meaning of what each hook replaces,
 * and never decides what happens to a sequence.
 */
public final class Hooks {
    /** How many probes and sites there may be; more are refused when a target is opened. */
    static final int PROBES = 1 << 20;
    static final int SITES = 1 << 20;

    /** What one millisecond of sleep costs. */
    private static final int STEPS_PER_MILLISECOND = 1000;
    private static final int STEPS_PER_CALLBACK = 20;
    /** Code that swallowed a stop gets the next one after so many steps, a few times; then every step throws, so that some throw meets no handler. */
    private static final int STEPS_BETWEEN_STOPS = 1000;
    private static final int PATIENT_STOPS = 4;

    public static final byte[] HIT = new byte[PROBES];

    /** Steps left. The watchdog takes them away from another thread; that may be overwritten, and is then done again. */
    static int budget;
    /** What was thrown to stop the running code, kept even if the code swallowed it. */
    static Stop stopped;
    private static int stops;
    /** Class initialisers under way. They have a budget of their own, because they run once and not once per sequence. */
    static int initialising;
    private static int outerBudget;
    private static int limit;

    static Statics statics;

    /** The kind of the last comparison at each site; 0 = none since cleared. */
    static final byte INTS = 1;
    static final byte LONGS = 2;
    static final byte FLOATS = 3;
    static final byte DOUBLES = 4;
    static final byte OBJECTS = 5;
    static final byte SWITCH = 6;
    /** What of comparisons is looked at. */
    static final int OPERANDS = 1;
    static final int DISTANCES = 2;
    static int looking;
    static byte[] compared = new byte[0];
    static long[] left = new long[0];
    static long[] right = new long[0];
    static Object[] leftObject = new Object[0];
    static Object[] rightObject = new Object[0];

    private Hooks() {}

    /** Room for the comparisons of a new target. */
    static void open(int sites) {
        compared = new byte[sites];
        left = new long[sites];
        right = new long[sites];
        leftObject = new Object[sites];
        rightObject = new Object[sites];
        Distances.open(sites);
    }

    /** A fresh budget for code that is about to run. */
    static void begin(int steps) {
        limit = steps;
        budget = steps;
        stopped = null;
        stops = 0;
        initialising = 0;
    }

    static int stepsUsed() {
        int left = initialising > 0 ? outerBudget : budget;
        return stopped != null && stopped.kind == Stop.STEP_LIMIT ? limit : Math.max(0, limit - left);
    }

    public static void step() {
        if (--budget < 0) exhausted();
    }

    /** A call of a generated lambda: most often from code of the JDK, whose own steps nobody counts. */
    public static void callback() {
        if ((budget -= STEPS_PER_CALLBACK) < 0) exhausted();
    }

    private static void exhausted() {
        budget = ++stops <= PATIENT_STOPS ? STEPS_BETWEEN_STOPS : 0;
        if (stopped == null || stopped.kind != Stop.STEP_LIMIT) stopped = new Stop(Stop.STEP_LIMIT, 0);
        throw stopped;
    }

    private static void spend(long steps) {
        if (steps > budget) {
            budget = 0;
            step();
        }
        budget -= (int) steps;
    }

    public static void initStart(int classIndex) {
        if (initialising == 0) {
            outerBudget = budget;
            budget = limit;
            Mutants.suspend();
        }
        initialising = statics.initStart(classIndex);
    }

    public static void initEnd(int classIndex) {
        initialising = statics.initEnd(classIndex);
        if (initialising == 0) {
            budget = outerBudget;
            Mutants.resume();
        }
    }

    // Comparisons.

    public static void icmp(int a, int b, int site) {
        if (looking != 0) ints(INTS, a, b, site);
    }

    public static void icmp0(int a, int site) {
        if (looking != 0) ints(INTS, a, 0, site);
    }

    private static void ints(byte kind, int a, int b, int site) {
        if ((looking & OPERANDS) != 0) record(kind, a, b, site);
        if ((looking & DISTANCES) != 0) Distances.difference((double) ((long) a - b), site);
    }

    public static void sw(int value, int site) {
        if (looking != 0) switched(value, site);
    }

    private static void switched(int value, int site) {
        if ((looking & OPERANDS) != 0) record(SWITCH, value, 0, site);
        if ((looking & DISTANCES) != 0) Distances.value(value, site);
    }

    public static int lcmp(long a, long b, int site) {
        if (looking != 0) longs(a, b, site);
        return a < b ? -1 : a > b ? 1 : 0;
    }

    private static void longs(long a, long b, int site) {
        if ((looking & OPERANDS) != 0) record(LONGS, a, b, site);
        if ((looking & DISTANCES) != 0) Distances.longs(a, b, site);
    }

    public static int fcmpl(float a, float b, int site) {
        int result = a > b ? 1 : a == b ? 0 : -1;
        if (looking != 0) floats(a, b, result, site);
        return result;
    }

    public static int fcmpg(float a, float b, int site) {
        int result = a < b ? -1 : a == b ? 0 : 1;
        if (looking != 0) floats(a, b, result, site);
        return result;
    }

    private static void floats(float a, float b, int result, int site) {
        if ((looking & OPERANDS) != 0) record(FLOATS, Float.floatToRawIntBits(a), Float.floatToRawIntBits(b), site);
        if ((looking & DISTANCES) != 0) Distances.fraction(a, b, result, site);
    }

    public static int dcmpl(double a, double b, int site) {
        int result = a > b ? 1 : a == b ? 0 : -1;
        if (looking != 0) doubles(a, b, result, site);
        return result;
    }

    public static int dcmpg(double a, double b, int site) {
        int result = a < b ? -1 : a == b ? 0 : 1;
        if (looking != 0) doubles(a, b, result, site);
        return result;
    }

    private static void doubles(double a, double b, int result, int site) {
        if ((looking & OPERANDS) != 0) record(DOUBLES, Double.doubleToRawLongBits(a), Double.doubleToRawLongBits(b), site);
        if ((looking & DISTANCES) != 0) Distances.fraction(a, b, result, site);
    }

    private static void record(byte kind, long a, long b, int site) {
        compared[site] = kind;
        left[site] = a;
        right[site] = b;
    }

    private static void recordObjects(Object a, Object b, int site) {
        compared[site] = OBJECTS;
        leftObject[site] = a;
        rightObject[site] = b;
    }

    /** Notes the operands if they are asked for; whether there is something to measure. */
    private static boolean look(Object a, Object b, int site) {
        if ((looking & OPERANDS) != 0) recordObjects(a, b, site);
        return measures(site);
    }

    private static boolean measures(int site) {
        return (looking & DISTANCES) != 0 && Distances.isWatched(site);
    }

    public static boolean stringEquals(String a, Object b, int site) {
        boolean result = a.equals(b);
        if (looking != 0 && look(a, b, site)) Distances.truth(result, result ? 1 : Grade.unequal(a, b), site);
        return result;
    }

    public static boolean stringEqualsIgnoreCase(String a, String b, int site) {
        boolean result = a.equalsIgnoreCase(b);
        if (looking != 0 && look(a, b, site)) Distances.truth(result, result ? 1 : Grade.equalIgnoringCase(a, b), site);
        return result;
    }

    public static boolean stringStartsWith(String a, String b, int site) {
        boolean result = a.startsWith(b);
        if (looking != 0 && look(a, b, site)) Distances.truth(result, result ? 1 : Grade.starts(a, b), site);
        return result;
    }

    public static boolean stringEndsWith(String a, String b, int site) {
        boolean result = a.endsWith(b);
        if (looking != 0 && look(a, b, site)) Distances.truth(result, result ? 1 : Grade.ends(a, b), site);
        return result;
    }

    public static boolean stringContains(String a, CharSequence b, int site) {
        boolean result = a.contains(b);
        if (looking != 0 && look(a, b, site)) {
            Distances.truth(result, result ? 1 : b instanceof String ? Grade.contains(a, (String) b) : Grade.UNLIKE, site);
        }
        return result;
    }

    public static boolean stringIsEmpty(String a, int site) {
        boolean result = a.isEmpty();
        if (looking != 0 && measures(site)) Distances.truth(result, result ? 1 : a.length(), site);
        return result;
    }

    public static int stringCompareTo(String a, String b, int site) {
        int result = a.compareTo(b);
        if (looking != 0 && look(a, b, site)) Distances.order(result, result == 0 ? 0 : Grade.equal(a, b), site);
        return result;
    }

    public static int stringIndexOf(String a, String b, int site) {
        int result = a.indexOf(b);
        if (looking != 0 && look(a, b, site)) Distances.difference(result >= 0 ? result : -Grade.contains(a, b), site);
        return result;
    }

    public static boolean stringMatches(String a, String regex, int site) {
        boolean result = a.matches(regex);
        if (looking != 0 && look(a, regex, site)) Distances.truth(result, result ? 1 : Grade.matches(a, regex), site);
        return result;
    }

    /** In front of a switch over strings, which switches over hash codes first. */
    public static int stringHash(String a, int site) {
        int result = a.hashCode();
        if (looking != 0 && measures(site)) Distances.string(a, site);
        return result;
    }

    public static boolean objectEquals(Object a, Object b, int site) {
        if (looking != 0) recordBefore(a, b, site);
        boolean result = a.equals(b);
        if (looking != 0 && measures(site)) Distances.truth(result, result ? 1 : Grade.unequal(a, b), site);
        return result;
    }

    public static boolean objectsEqual(Object a, Object b, int site) {
        if (looking != 0) recordBefore(a, b, site);
        boolean result = a == b || a != null && a.equals(b);
        if (looking != 0 && measures(site)) Distances.truth(result, result ? 1 : Grade.unequal(a, b), site);
        return result;
    }

    /** What is compared by code under test may change, or never come back. */
    private static void recordBefore(Object a, Object b, int site) {
        if ((looking & OPERANDS) != 0) recordObjects(a, b, site);
    }

    public static boolean contains(Collection<?> collection, Object value, int site) {
        boolean result = collection.contains(value);
        if (looking != 0 && measures(site)) {
            Distances.truth(result, !result && Grade.isAskable(collection) ? Grade.missing(collection, value) : 1, site);
        }
        return result;
    }

    public static boolean containsKey(Map<?, ?> map, Object key, int site) {
        boolean result = map.containsKey(key);
        if (looking != 0 && measures(site)) {
            Distances.truth(result, !result && Grade.isAskable(map) ? Grade.missing(map.keySet(), key) : 1, site);
        }
        return result;
    }

    public static boolean containsValue(Map<?, ?> map, Object value, int site) {
        boolean result = map.containsValue(value);
        if (looking != 0 && measures(site)) {
            Distances.truth(result, !result && Grade.isAskable(map) ? Grade.missing(map.values(), value) : 1, site);
        }
        return result;
    }

    public static boolean isEmpty(Collection<?> collection, int site) {
        boolean result = collection.isEmpty();
        if (looking != 0 && measures(site)) Distances.truth(result, !result && Grade.isAskable(collection) ? Grade.size(collection) : 1, site);
        return result;
    }

    public static boolean isEmpty(Map<?, ?> map, int site) {
        boolean result = map.isEmpty();
        if (looking != 0 && measures(site)) Distances.truth(result, !result && Grade.isAskable(map) ? Grade.size(map) : 1, site);
        return result;
    }

    // Calls that must not reach the JVM, or whose effect is undone after the sequence.

    public static void exit(int status) {
        stopped = new Stop(Stop.EXIT, status);
        throw stopped;
    }

    public static void runtimeExit(Runtime runtime, int status) {
        runtime.getClass();
        exit(status);
    }

    public static void runtimeHalt(Runtime runtime, int status) {
        runtime.getClass();
        exit(status);
    }

    public static void addShutdownHook(Runtime runtime, Thread hook) {
        runtime.getClass();
        hook.getClass();
        Reach.mark(Reach.STATE, "java.lang.Runtime.addShutdownHook");
    }

    public static void sleep(long milliseconds) throws InterruptedException {
        if (milliseconds < 0) throw new IllegalArgumentException("timeout value is negative");
        if (Thread.interrupted()) throw new InterruptedException("sleep interrupted");
        Outside.sleep(milliseconds);
        spend(milliseconds > Integer.MAX_VALUE / STEPS_PER_MILLISECOND ? Integer.MAX_VALUE : milliseconds * STEPS_PER_MILLISECOND);
    }

    public static void sleep(long milliseconds, int nanoseconds) throws InterruptedException {
        if (milliseconds < 0) throw new IllegalArgumentException("timeout value is negative");
        if (nanoseconds < 0 || nanoseconds > 999999) throw new IllegalArgumentException("nanosecond timeout value out of range");
        sleep(milliseconds);
    }

    public static String setProperty(String key, String value) {
        Environment.dirty = true;
        return System.setProperty(key, value);
    }

    public static String clearProperty(String key) {
        Environment.dirty = true;
        return System.clearProperty(key);
    }

    public static void setProperties(Properties properties) {
        Environment.dirty = true;
        System.setProperties(properties);
    }

    public static void setLocale(Locale locale) {
        Environment.dirty = true;
        Locale.setDefault(locale);
    }

    public static void setLocale(Locale.Category category, Locale locale) {
        Environment.dirty = true;
        Locale.setDefault(category, locale);
    }

    public static void setTimeZone(TimeZone zone) {
        Environment.dirty = true;
        TimeZone.setDefault(zone);
    }

    public static void setOut(PrintStream stream) {
        Environment.dirty = true;
        System.setOut(stream);
    }

    public static void setErr(PrintStream stream) {
        Environment.dirty = true;
        System.setErr(stream);
    }

    public static void setIn(InputStream stream) {
        Environment.dirty = true;
        System.setIn(stream);
    }

    /** As on a JVM started without the right to set one. */
    @SuppressWarnings({"deprecation", "removal"})
    public static void setSecurityManager(SecurityManager manager) {
        if (manager != null) {
            throw new UnsupportedOperationException("The Security Manager is deprecated and will be removed in a future release");
        }
    }
}
