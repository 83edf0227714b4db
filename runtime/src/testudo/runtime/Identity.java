package testudo.runtime;

import java.util.Arrays;

/** Numbers objects by identity, in the order in which they are first met. Owns the table; calls no method of an object, so it may be used from any hook. */
final class Identity {
    private static final int SMALL = 64;
    private static final int LARGE = 1 << 16;

    private Object[] objects = new Object[SMALL];
    /** Open addressing, number + 1. */
    private int[] table = new int[4 * SMALL];
    private int count;

    int count() {
        return count;
    }

    Object at(int number) {
        return objects[number];
    }

    /** Its number, or -1. */
    int find(Object object) {
        int mask = table.length - 1;
        for (int at = place(object, mask), entry; (entry = table[at]) != 0; at = at + 1 & mask) {
            if (objects[entry - 1] == object) return entry - 1;
        }
        return -1;
    }

    /** Its number, a new one if it has none. */
    int number(Object object) {
        int mask = table.length - 1;
        int at = place(object, mask);
        for (int entry; (entry = table[at]) != 0; at = at + 1 & mask) {
            if (objects[entry - 1] == object) return entry - 1;
        }
        if (count == objects.length) {
            grow();
            return number(object);
        }
        objects[count] = object;
        table[at] = count + 1;
        return count++;
    }

    void clear() {
        if (count == 0) return;
        if (objects.length > LARGE) {
            objects = new Object[SMALL];
            table = new int[4 * SMALL];
        } else {
            // By loops, not by the JDK, whose code may be watched.
            for (int i = 0; i < count; i++) objects[i] = null;
            for (int i = 0; i < table.length; i++) table[i] = 0;
        }
        count = 0;
    }

    private static int place(Object object, int mask) {
        return System.identityHashCode(object) * 0x9e3779b1 >>> 7 & mask;
    }

    private void grow() {
        objects = Arrays.copyOf(objects, count * 2);
        table = new int[table.length * 2];
        int mask = table.length - 1;
        for (int i = 0; i < count; i++) {
            int at = place(objects[i], mask);
            while (table[at] != 0) at = at + 1 & mask;
            table[at] = i + 1;
        }
    }
}
