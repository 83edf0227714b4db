package testudo.runtime;

import java.util.Arrays;

/**
 * Hashes everything reachable from a value to 128 bits, so that isomorphic heaps, and only they, get equal hashes. Objects are numbered in order of discovery; the
 * list of found objects is the queue, so depth costs no stack. Owns numbering and mixing; what is looked into is {@link Shape}'s decision. Runs no user code.
 *
 * <p>No identity hash gets into a hash: maps with a key that is hashed by identity, and identity maps, are taken as the set of their entries, in an order made from what
 * the entries hold.
 */
final class Linearizer {
    /** A graph larger than this is hashed up to here, with a mark. */
    static final int LARGEST = 10_000;
    /** Up to here an object is found again by comparing with all others. */
    private static final int SCANNED = 32;

    private static final long K1 = 0x9e3779b97f4a7c15L;
    private static final long K2 = 0xc2b2ae3d27d4eb4fL;
    private static final long NULL = 0x51ed270b3a7c1e05L;
    private static final long TRUNCATED = 0x2545f4914f6cdd1dL;
    private static final long SEEN = 0x6c8e9cf570932bd5L;

    /** What an entry of a map holds is looked at so far when entries are ordered. */
    private static final int LARGEST_ENTRY = 1_000;
    private static final int NESTED_MAPS = 2;

    private final Shapes shapes;
    private final int nesting;
    private final int largest;
    /** Orders entries of maps; made when first needed. */
    private Linearizer inner;
    private Object[] objects = new Object[64];
    private int count;
    /** Open addressing, number of the object + 1; in use once there are more than {@link #SCANNED} objects. */
    private int[] table = new int[256];
    private boolean tabled;

    private long a;
    private long b;

    /** Words of arrays and texts hashed so far: what large values cost, the same on every machine. */
    long words;

    /** The result of the last {@link #hash}. */
    long low;
    long high;
    /** Whether the graph was larger than what is walked, and how many objects it had. */
    boolean truncated;
    int found;

    Linearizer(Shapes shapes) {
        this(shapes, LARGEST, 0);
    }

    /** With a limit of its own. */
    Linearizer(Shapes shapes, int largest) {
        this(shapes, largest, 0);
    }

    private Linearizer(Shapes shapes, int largest, int nesting) {
        this.shapes = shapes;
        this.largest = largest;
        this.nesting = nesting;
    }

    void hash(Object root) {
        begin();
        reference(root);
        finish();
    }

    /** Several values as one graph, so that sharing between them counts. */
    void hashAll(Object[] roots, int n) {
        begin();
        for (int i = 0; i < n; i++) reference(roots[i]);
        finish();
    }

    private void begin() {
        a = K1;
        b = K2;
        // Only if the last walk was cut short by a lack of memory.
        if (count > 0) forget();
    }

    private void finish() {
        truncated = false;
        for (int i = 0; i < count; i++) {
            if (i == largest) {
                truncated = true;
                mix(TRUNCATED);
                break;
            }
            walk(objects[i]);
        }
        found = count;
        low = finish(a + Long.rotateLeft(b, 17));
        high = finish(b ^ Long.rotateLeft(a, 41) ^ count);
        forget();
    }

    private void forget() {
        Arrays.fill(objects, 0, count, null);
        if (objects.length > 1 << 16) objects = new Object[64];
        if (tabled) {
            if (table.length > 1 << 16) table = new int[256];
            else Arrays.fill(table, 0);
        }
        tabled = false;
        count = 0;
    }

    private static long finish(long x) {
        x = (x ^ x >>> 33) * 0xff51afd7ed558ccdL;
        x = (x ^ x >>> 33) * 0xc4ceb9fe1a85ec53L;
        return x ^ x >>> 33;
    }

    private void mix(long x) {
        a = Long.rotateLeft((a ^ x) * K1, 29);
        b = (b ^ Long.rotateLeft(x, 32)) * K2;
        b ^= b >>> 31;
    }

    /** A reference met in a field, an array or as root: by value if it is one, else the object's number. */
    private void reference(Object value) {
        if (value == null) {
            mix(NULL);
            return;
        }
        Shape shape = shapes.of(value);
        if (shape.kind == Shape.OBJECT || shape.kind >= Shape.REFERENCES) {
            mix(SEEN + number(value));
        } else {
            mix(shape.nameHash);
            byValue(value, shape);
        }
    }

    private void byValue(Object value, Shape shape) {
        switch (shape.kind) {
            case Shape.BOX:
                mix(bits(value, shape.primitive));
                break;
            case Shape.STRING:
                text((String) value);
                break;
            case Shape.ENUM:
                text(((Enum<?>) value).name());
                break;
            case Shape.CLASS:
                text(((Class<?>) value).getName());
                break;
            case Shape.TEXT:
                text(Shape.text(value));
                break;
            default:
                break;
        }
    }

    static long bits(Object box, byte primitive) {
        switch (primitive) {
            case 'Z':
                return (Boolean) box ? 1 : 0;
            case 'C':
                return (Character) box;
            case 'F':
                return Float.floatToIntBits((Float) box);
            case 'D':
                return Double.doubleToLongBits((Double) box);
            default:
                return ((Number) box).longValue();
        }
    }

    private void text(String text) {
        byte[] bytes = Memory.bytesOf(text);
        mix(Memory.coderOf(text));
        raw(bytes, Memory.BYTES, bytes.length, 0);
    }

    private void walk(Object object) {
        Shape shape = shapes.of(object);
        mix(shape.nameHash);
        if (shape.kind == Shape.OBJECT) {
            if (shape.hashTable != HashTables.NONE && hashTable(object, shape)) return;
            long[] offsets = shape.primitiveOffsets;
            byte[] kinds = shape.primitiveKinds;
            for (int i = 0; i < offsets.length; i++) mix(canonical(Memory.primitive(object, offsets[i], kinds[i]), kinds[i]));
            long[] references = shape.referenceOffsets;
            for (int i = 0; i < references.length; i++) reference(Memory.reference(object, references[i]));
        } else if (shape.kind == Shape.REFERENCES) {
            Object[] array = (Object[]) object;
            words += array.length;
            mix(array.length);
            for (int i = 0; i < array.length; i++) {
                reference(array[i]);
                if (count > largest) break;
            }
        } else {
            primitives(object, shape.primitive);
        }
    }

    /** A map whose places may depend on identity hashes: its entries. False if it is no such map. */
    private boolean hashTable(Object map, Shape shape) {
        byte kind = shape.hashTable;
        if (!HashTables.dependsOnIdentity(map, kind, shapes)) return false;
        Object[] entries = HashTables.entries(map, kind);
        long[] offsets = shape.primitiveOffsets;
        byte[] kinds = shape.primitiveKinds;
        for (int i = 0; i < offsets.length; i++) mix(canonical(Memory.primitive(map, offsets[i], kinds[i]), kinds[i]));
        long[] references = shape.referenceOffsets;
        for (int i = 0; i < references.length; i++) {
            if (!HashTables.isInside(kind, references[i])) reference(Memory.reference(map, references[i]));
        }
        mix(HashTables.capacity(map, kind));
        mix(entries.length);
        int[] order = HashTables.keepsOrder(kind) ? null : order(entries);
        for (int i = 0; i < entries.length / 2; i++) {
            int at = order == null ? i : order[i];
            reference(entries[2 * at]);
            reference(entries[2 * at + 1]);
        }
        return true;
    }

    /** Entries by what they hold; those that hold the same are interchangeable, but for what else they are part of. */
    private int[] order(Object[] entries) {
        int n = entries.length / 2;
        long[] keys = new long[n];
        int[] order = new int[n];
        if (nesting < NESTED_MAPS && inner == null) inner = new Linearizer(shapes, LARGEST_ENTRY, nesting + 1);
        Object[] pair = new Object[2];
        for (int i = 0; i < n; i++) {
            order[i] = i;
            pair[0] = entries[2 * i];
            pair[1] = entries[2 * i + 1];
            if (nesting < NESTED_MAPS) {
                inner.hashAll(pair, 2);
                keys[i] = inner.low;
            } else {
                keys[i] = classOf(pair[0]) * 31 + classOf(pair[1]);
            }
        }
        sort(order, keys, new int[n], 0, n);
        return order;
    }

    private long classOf(Object value) {
        return value == null ? NULL : shapes.of(value).nameHash;
    }

    /** By merging: nothing of the JDK, which may be under test. */
    private static void sort(int[] order, long[] keys, int[] space, int from, int to) {
        if (to - from < 2) return;
        int middle = from + to >>> 1;
        sort(order, keys, space, from, middle);
        sort(order, keys, space, middle, to);
        int left = from;
        int right = middle;
        for (int i = from; i < to; i++) {
            boolean takesLeft = right == to || left < middle && keys[order[left]] <= keys[order[right]];
            space[i] = takesLeft ? order[left++] : order[right++];
        }
        for (int i = from; i < to; i++) order[i] = space[i];
    }

    /** All NaNs are one. */
    private static long canonical(long bits, byte kind) {
        if (kind == 'D') return Double.doubleToLongBits(Double.longBitsToDouble(bits));
        if (kind == 'F') return Float.floatToIntBits(Float.intBitsToFloat((int) bits));
        return bits;
    }

    private void primitives(Object array, byte primitive) {
        switch (primitive) {
            case 'Z':
                raw(array, Memory.BOOLEANS, ((boolean[]) array).length, 0);
                break;
            case 'B':
                raw(array, Memory.BYTES, ((byte[]) array).length, 0);
                break;
            case 'C':
                raw(array, Memory.CHARS, ((char[]) array).length, 1);
                break;
            case 'S':
                raw(array, Memory.SHORTS, ((short[]) array).length, 1);
                break;
            case 'I':
                raw(array, Memory.INTS, ((int[]) array).length, 2);
                break;
            case 'J':
                raw(array, Memory.LONGS, ((long[]) array).length, 3);
                break;
            case 'F':
                float[] floats = (float[]) array;
                mix(floats.length);
                for (float each : floats) mix(Float.floatToIntBits(each));
                break;
            default:
                double[] doubles = (double[]) array;
                mix(doubles.length);
                for (double each : doubles) mix(Double.doubleToLongBits(each));
                break;
        }
    }

    /** The memory of an array, in four lanes whose multiplications overlap: large arrays are hashed before and after a call. */
    private void raw(Object array, long base, int length, int shift) {
        words += (long) length << shift >>> 3;
        mix(length);
        long at = base;
        long end = base + ((long) length << shift);
        if (end - at >= 64) {
            long p = K1;
            long q = K2;
            long r = NULL;
            long s = SEEN;
            for (; at + 32 <= end; at += 32) {
                p = lane(p, Memory.longAt(array, at));
                q = lane(q, Memory.longAt(array, at + 8));
                r = lane(r, Memory.longAt(array, at + 16));
                s = lane(s, Memory.longAt(array, at + 24));
            }
            mix(p);
            mix(q);
            mix(r);
            mix(s);
        }
        for (; at + 8 <= end; at += 8) mix(Memory.longAt(array, at));
        if (at == end) return;
        // Most texts are shorter than a word.
        long rest = 0;
        for (; at < end; at++) rest = rest << 8 | Memory.byteAt(array, at) & 0xff;
        mix(rest);
    }

    private static long lane(long hash, long x) {
        return Long.rotateLeft((hash ^ x) * K1, 31);
    }

    private int number(Object object) {
        return tabled ? tableNumber(object) : scanNumber(object);
    }

    private int scanNumber(Object object) {
        Object[] known = objects;
        for (int i = 0; i < count; i++) if (known[i] == object) return i;
        if (count == SCANNED) {
            tabled = true;
            for (int i = 0; i < count; i++) place(i);
            return tableNumber(object);
        }
        return append(object);
    }

    private int append(Object object) {
        if (count == objects.length) objects = Arrays.copyOf(objects, count * 2);
        objects[count] = object;
        return count++;
    }

    private int tableNumber(Object object) {
        int mask = table.length - 1;
        int at = System.identityHashCode(object) * 0x9e3779b1 >>> 7 & mask;
        for (int entry = table[at]; entry != 0; entry = table[at = at + 1 & mask]) {
            if (objects[entry - 1] == object) return entry - 1;
        }
        int number = append(object);
        if (count * 2 > table.length) {
            table = new int[table.length * 2];
            for (int i = 0; i < count; i++) place(i);
        } else {
            table[at] = number + 1;
        }
        return number;
    }

    private void place(int number) {
        int mask = table.length - 1;
        int at = System.identityHashCode(objects[number]) * 0x9e3779b1 >>> 7 & mask;
        while (table[at] != 0) at = at + 1 & mask;
        table[at] = number + 1;
    }
}
