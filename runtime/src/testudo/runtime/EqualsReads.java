package testudo.runtime;

/**
 * What an {@code equals} method reads of two graphs, and the hash of that part. Owns the set of fields and elements read, by the number of the object in its graph; corresponding
 * objects of both graphs share a number. Objects that only the method itself made are ignored.
 */
final class EqualsReads {
    static final int FIELD = 0;
    static final int ELEMENT = 1;
    static final int LENGTH = 2;
    static final int ALL = 3;
    /** One comparison may read so often. */
    private static final int MOST = 1_000_000;

    private final Shapes shapes;
    private final FieldTable fields;
    private final Identity first = new Identity();
    private final Identity second = new Identity();
    /** Open addressing; 0 = free. */
    private long[] keys = new long[256];
    private int count;
    private boolean[] touched = new boolean[64];

    int events;
    boolean stopped;
    private boolean resolving;

    long low;
    long high;
    private long a;
    private long b;

    EqualsReads(Shapes shapes, FieldTable fields) {
        this.shapes = shapes;
        this.fields = fields;
    }

    /** Forgets everything; from now on the objects of these graphs count. */
    void begin(Copier left, Copier right) {
        clear();
        for (int i = 0; i < left.originals.count(); i++) first.number(left.copyAt(i));
        for (int i = 0; i < right.originals.count(); i++) second.number(right.copyAt(i));
    }

    /** The same for one graph, that of the originals. */
    void begin(Copier of) {
        clear();
        for (int i = 0; i < of.originals.count(); i++) first.number(of.originals.at(i));
    }

    /** Nothing is looked at; only the limit is kept. */
    void clear() {
        first.clear();
        second.clear();
        if (keys.length > 1 << 16) keys = new long[256];
        else for (int i = 0; i < keys.length; i++) keys[i] = 0;
        if (touched.length > 1 << 16) touched = new boolean[64];
        else for (int i = 0; i < touched.length; i++) touched[i] = false;
        count = 0;
        events = 0;
        stopped = false;
    }

    boolean isEmpty() {
        return count == 0;
    }

    void read(Object owner, int what, int kind) {
        if (resolving) return;
        if (++events > MOST) {
            stopped = true;
            throw new Stop(Stop.STEP_LIMIT, 0);
        }
        int number = first.find(owner);
        if (number < 0) number = second.find(owner);
        if (number < 0) return;
        long place = what;
        if (kind == FIELD) {
            resolving = true;
            try {
                place = fields.offset(what, owner);
            } finally {
                resolving = false;
            }
            if (place == FieldTable.UNKNOWN) return;
        }
        if (number >= touched.length) {
            boolean[] more = new boolean[Math.max(number + 1, 2 * touched.length)];
            for (int i = 0; i < touched.length; i++) more[i] = touched[i];
            touched = more;
        }
        touched[number] = true;
        add(key(number, kind, place));
    }

    private static long key(int number, int kind, long place) {
        return (long) (number + 1) << 34 | (long) kind << 32 | place & 0xffffffffL;
    }

    private void add(long key) {
        int mask = keys.length - 1;
        int at = place(key, mask);
        while (keys[at] != 0) {
            if (keys[at] == key) return;
            at = at + 1 & mask;
        }
        keys[at] = key;
        if (++count * 2 > keys.length) grow();
    }

    private void grow() {
        long[] old = keys;
        keys = new long[2 * old.length];
        int mask = keys.length - 1;
        for (int i = 0; i < old.length; i++) {
            if (old[i] == 0) continue;
            int at = place(old[i], mask);
            while (keys[at] != 0) at = at + 1 & mask;
            keys[at] = old[i];
        }
    }

    private static int place(long key, int mask) {
        return (int) (key * 0x9e3779b97f4a7c15L >>> 40) & mask;
    }

    private boolean has(int number, int kind, long place) {
        int mask = keys.length - 1;
        long key = key(number, kind, place);
        for (int at = place(key, mask); keys[at] != 0; at = at + 1 & mask) if (keys[at] == key) return true;
        return false;
    }

    /**
     * Hashes the part of the first graph that was read, to {@link #low} and {@link #high}.
     *
     * @param unreadWhole objects of which nothing was read count with all they have: a comparison of a thing with itself does not look into it
     */
    void hash(Object root, boolean unreadWhole, Linearizer values) {
        a = 0x9e3779b97f4a7c15L;
        b = 0xc2b2ae3d27d4eb4fL;
        Identity met = new Identity();
        reference(root, met, values);
        for (int i = 0; i < met.count(); i++) {
            Object object = met.at(i);
            int number = first.find(object);
            boolean whole = number < 0 || unreadWhole && !isTouched(number) || has(number, ALL, 0);
            object(object, number, whole, met, values);
        }
        low = a;
        high = b ^ met.count();
    }

    private boolean isTouched(int number) {
        return number < touched.length && touched[number];
    }

    private void object(Object object, int number, boolean whole, Identity met, Linearizer values) {
        Shape shape = shapes.of(object);
        mix(shape.nameHash);
        if (shape.kind == Shape.OBJECT) {
            long[] offsets = shape.primitiveOffsets;
            byte[] kinds = shape.primitiveKinds;
            for (int i = 0; i < offsets.length; i++) {
                if (whole || has(number, FIELD, offsets[i])) mix(i, Memory.primitive(object, offsets[i], kinds[i]));
            }
            long[] references = shape.referenceOffsets;
            for (int i = 0; i < references.length; i++) {
                if (!whole && !has(number, FIELD, references[i])) continue;
                mix(1000 + i);
                reference(Memory.reference(object, references[i]), met, values);
            }
            return;
        }
        int length = java.lang.reflect.Array.getLength(object);
        if (whole || has(number, LENGTH, 0)) mix(length);
        for (int i = 0; i < length; i++) {
            if (!whole && !has(number, ELEMENT, i)) continue;
            mix(i);
            if (shape.kind == Shape.REFERENCES) {
                reference(((Object[]) object)[i], met, values);
            } else {
                values.hash(java.lang.reflect.Array.get(object, i));
                mix(values.low, values.high);
            }
        }
    }

    private void reference(Object value, Identity met, Linearizer values) {
        if (value != null && Copier.isCopied(shapes.of(value))) {
            mix(met.number(value));
        } else {
            values.hash(value);
            mix(values.low, values.high);
        }
    }

    private void mix(long x, long y) {
        mix(x);
        mix(y);
    }

    private void mix(long x) {
        a = Long.rotateLeft((a ^ x) * 0x9e3779b97f4a7c15L, 29);
        b = (b ^ Long.rotateLeft(x, 32)) * 0xc2b2ae3d27d4eb4fL;
        b ^= b >>> 31;
    }
}
