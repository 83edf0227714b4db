package testudo.runtime;

import java.io.InputStream;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Properties;
import java.util.TimeZone;

/**
 * Everything instrumented code calls. Owns the probes, the step budget and the operands of comparisons; keeps the exact meaning of what each hook replaces,
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

    /** Steps left. */
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
    static boolean recording;
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
        if (recording) record(INTS, a, b, site);
    }

    public static void icmp0(int a, int site) {
        if (recording) record(INTS, a, 0, site);
    }

    public static void sw(int value, int site) {
        if (recording) record(SWITCH, value, 0, site);
    }

    public static int lcmp(long a, long b, int site) {
        if (recording) record(LONGS, a, b, site);
        return a < b ? -1 : a > b ? 1 : 0;
    }

    public static int fcmpl(float a, float b, int site) {
        if (recording) record(FLOATS, Float.floatToRawIntBits(a), Float.floatToRawIntBits(b), site);
        return a > b ? 1 : a == b ? 0 : -1;
    }

    public static int fcmpg(float a, float b, int site) {
        if (recording) record(FLOATS, Float.floatToRawIntBits(a), Float.floatToRawIntBits(b), site);
        return a < b ? -1 : a == b ? 0 : 1;
    }

    public static int dcmpl(double a, double b, int site) {
        if (recording) record(DOUBLES, Double.doubleToRawLongBits(a), Double.doubleToRawLongBits(b), site);
        return a > b ? 1 : a == b ? 0 : -1;
    }

    public static int dcmpg(double a, double b, int site) {
        if (recording) record(DOUBLES, Double.doubleToRawLongBits(a), Double.doubleToRawLongBits(b), site);
        return a < b ? -1 : a == b ? 0 : 1;
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

    public static boolean stringEquals(String a, Object b, int site) {
        if (recording) recordObjects(a, b, site);
        return a.equals(b);
    }

    public static boolean stringEqualsIgnoreCase(String a, String b, int site) {
        if (recording) recordObjects(a, b, site);
        return a.equalsIgnoreCase(b);
    }

    public static boolean stringStartsWith(String a, String b, int site) {
        if (recording) recordObjects(a, b, site);
        return a.startsWith(b);
    }

    public static boolean stringEndsWith(String a, String b, int site) {
        if (recording) recordObjects(a, b, site);
        return a.endsWith(b);
    }

    public static boolean stringContains(String a, CharSequence b, int site) {
        if (recording) recordObjects(a, b, site);
        return a.contains(b);
    }

    public static int stringCompareTo(String a, String b, int site) {
        if (recording) recordObjects(a, b, site);
        return a.compareTo(b);
    }

    public static int stringIndexOf(String a, String b, int site) {
        if (recording) recordObjects(a, b, site);
        return a.indexOf(b);
    }

    public static boolean stringMatches(String a, String regex, int site) {
        if (recording) recordObjects(a, regex, site);
        return a.matches(regex);
    }

    public static boolean objectEquals(Object a, Object b, int site) {
        if (recording) recordObjects(a, b, site);
        return a.equals(b);
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
