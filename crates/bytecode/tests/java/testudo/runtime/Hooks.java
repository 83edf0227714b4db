package testudo.runtime;

import java.util.TreeSet;

/**
 * Hooks for tests of the instrumenter: behave as the instructions and calls they stand in for, and remember what they saw. Owns no
 * policy; the product has its own class of this name.
 */
public final class Hooks {
    public static final byte[] HIT = new byte[1 << 20];
    public static long steps;
    public static final TreeSet<String> SEEN = new TreeSet<String>();
    private static boolean off;

    private Hooks() {}

    private static void see(int site, Object a, Object b) {
        if (off) {
            return;
        }
        off = true;
        try {
            if (SEEN.size() < 10000) {
                SEEN.add(String.format("%06d %s %s", site, a, b));
            }
        } finally {
            off = false;
        }
    }

    public static void step() {
        steps++;
    }

    public static void icmp(int a, int b, int site) {
        see(site, a, b);
    }

    public static void icmp0(int a, int site) {
        see(site, a, 0);
    }

    public static int lcmp(long a, long b, int site) {
        see(site, a, b);
        return Long.compare(a, b);
    }

    public static int fcmpl(float a, float b, int site) {
        see(site, a, b);
        return a > b ? 1 : a == b ? 0 : -1;
    }

    public static int fcmpg(float a, float b, int site) {
        see(site, a, b);
        return a < b ? -1 : a == b ? 0 : 1;
    }

    public static int dcmpl(double a, double b, int site) {
        see(site, a, b);
        return a > b ? 1 : a == b ? 0 : -1;
    }

    public static int dcmpg(double a, double b, int site) {
        see(site, a, b);
        return a < b ? -1 : a == b ? 0 : 1;
    }

    public static void sw(int value, int site) {
        see(site, value, "switch");
    }

    public static void initStart(int index) {
        SEEN.add("init " + index + " start");
    }

    public static void initEnd(int index) {
        SEEN.add("init " + index + " end");
    }

    public static boolean stringEquals(String a, Object b, int site) {
        see(site, a, b);
        return a.equals(b);
    }

    public static boolean stringEqualsIgnoreCase(String a, String b, int site) {
        see(site, a, b);
        return a.equalsIgnoreCase(b);
    }

    public static boolean stringStartsWith(String a, String b, int site) {
        see(site, a, b);
        return a.startsWith(b);
    }

    public static boolean stringEndsWith(String a, String b, int site) {
        see(site, a, b);
        return a.endsWith(b);
    }

    public static boolean stringContains(String a, CharSequence b, int site) {
        see(site, a, b);
        return a.contains(b);
    }

    public static int stringCompareTo(String a, String b, int site) {
        see(site, a, b);
        return a.compareTo(b);
    }

    public static int stringIndexOf(String a, String b, int site) {
        see(site, a, b);
        return a.indexOf(b);
    }

    public static boolean stringMatches(String a, String b, int site) {
        see(site, a, b);
        return a.matches(b);
    }

    public static boolean stringIsEmpty(String a, int site) {
        see(site, a, "is empty");
        return a.isEmpty();
    }

    public static int stringHash(String a, int site) {
        see(site, a, "switch");
        return a.hashCode();
    }

    public static boolean objectEquals(Object a, Object b, int site) {
        return a.equals(b);
    }

    public static boolean objectsEqual(Object a, Object b, int site) {
        see(site, a, b);
        return java.util.Objects.equals(a, b);
    }

    public static boolean contains(java.util.Collection<?> collection, Object value, int site) {
        see(site, collection.size(), value);
        return collection.contains(value);
    }

    public static boolean containsKey(java.util.Map<?, ?> map, Object key, int site) {
        see(site, map.size(), key);
        return map.containsKey(key);
    }

    public static boolean containsValue(java.util.Map<?, ?> map, Object value, int site) {
        see(site, map.size(), value);
        return map.containsValue(value);
    }

    public static boolean isEmpty(java.util.Collection<?> collection, int site) {
        return collection.isEmpty();
    }

    public static boolean isEmpty(java.util.Map<?, ?> map, int site) {
        return map.isEmpty();
    }

    public static void exit(int status) {
        SEEN.add("exit " + status);
    }

    public static void runtimeExit(Runtime runtime, int status) {
        SEEN.add("runtime exit " + status);
    }

    public static void runtimeHalt(Runtime runtime, int status) {
        SEEN.add("runtime halt " + status);
    }

    public static void sleep(long millis) {
        SEEN.add("sleep " + millis);
    }

    public static String setProperty(String key, String value) {
        SEEN.add("set " + key + " " + value);
        return null;
    }
}
