package testudo.runtime;

/**
 * A monitor for a JDK whose own classes are observed: only counts, and uses nothing that could be observed. Owns no policy; the product has its own
 * class of this name.
 */
public final class Monitor {
    public static long calls;
    public static long ends;
    public static long writes;
    public static long reads;
    public static long elements;
    public static long copies;

    private Monitor() {}

    public static boolean entering(int member) {
        calls++;
        return true;
    }

    public static void entered(int member, Object self, Object[] arguments) {}

    public static void left(int member, Object result) {
        ends++;
    }

    public static void threw(int member, Throwable thrown) {
        ends++;
    }

    public static void constructing(int member) {}

    public static void constructed(int member) {}

    public static void wrote(Object owner) {
        writes++;
    }

    public static void read(Object owner, int field) {
        reads++;
    }

    public static void readElement(Object array, int index) {
        elements++;
    }

    public static void readLength(Object array) {}

    public static void readAll(Object owner) {}

    public static void arraycopy(Object from, int start, Object to, int at, int length) {
        copies++;
        System.arraycopy(from, start, to, at, length);
    }

    public static int vectorizedMismatch(Object a, long aOffset, Object b, long bOffset, int length, int log2Scale) {
        return ~length;
    }
}
