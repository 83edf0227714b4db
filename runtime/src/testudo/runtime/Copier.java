package testudo.runtime;

/**
 * Copies everything reachable from a value, sharing and cycles included, without running a line of user code. Owns what is copied and what is shared: constants, classes,
 * strings, boxes, threads, loaders, references to be cleared and other opaque things are shared. Iterative, so depth costs no stack.
 */
final class Copier {
    private final Shapes shapes;
    private final int largest;
    /** Originals of the last copy in order of discovery. */
    final Identity originals = new Identity();
    /** Their copies. */
    private Object[] copies = new Object[64];

    Copier(Shapes shapes, int largest) {
        this.shapes = shapes;
        this.largest = largest;
    }

    /** Whether instances are made anew; all others stand for themselves. */
    static boolean isCopied(Shape shape) {
        if (shape.kind >= Shape.REFERENCES) return true;
        return shape.kind == Shape.OBJECT && !java.lang.ref.Reference.class.isAssignableFrom(shape.type);
    }

    /** A copy, or null if there is more to copy than the limit. {@link #originals} keeps what was copied until {@link #forget}. */
    Object copy(Object root) {
        forget();
        if (root == null) return null;
        Object result = copyOf(root);
        for (int i = 0; i < originals.count(); i++) {
            if (originals.count() > largest) {
                forget();
                return null;
            }
            fill(originals.at(i), copies[i]);
        }
        return result;
    }

    Object copyAt(int number) {
        return copies[number];
    }

    void forget() {
        if (copies.length > 1 << 16) copies = new Object[64];
        else for (int i = 0; i < originals.count(); i++) copies[i] = null;
        originals.clear();
    }

    private Object copyOf(Object value) {
        if (value == null) return null;
        Shape shape = shapes.of(value);
        if (shape.type == java.util.Date.class) return new java.util.Date(((java.util.Date) value).getTime());
        if (!isCopied(shape)) return value;
        int known = originals.count();
        int number = originals.number(value);
        if (number < known) return copies[number];
        if (number == copies.length) {
            Object[] more = new Object[number * 2];
            for (int i = 0; i < number; i++) more[i] = copies[i];
            copies = more;
        }
        return copies[number] = empty(value, shape);
    }

    private static Object empty(Object value, Shape shape) {
        if (shape.kind == Shape.OBJECT) {
            try {
                return Memory.UNSAFE.allocateInstance(shape.type);
            } catch (InstantiationException ofAbstractClass) {
                throw new IllegalStateException(ofAbstractClass);
            }
        }
        return java.lang.reflect.Array.newInstance(shape.type.getComponentType(), java.lang.reflect.Array.getLength(value));
    }

    private void fill(Object from, Object to) {
        Shape shape = shapes.of(from);
        if (shape.kind == Shape.OBJECT) {
            long[] offsets = shape.primitiveOffsets;
            byte[] kinds = shape.primitiveKinds;
            for (int i = 0; i < offsets.length; i++) Memory.putPrimitive(to, offsets[i], kinds[i], Memory.primitive(from, offsets[i], kinds[i]));
            long[] references = shape.referenceOffsets;
            for (int i = 0; i < references.length; i++) Memory.putReference(to, references[i], copyOf(Memory.reference(from, references[i])));
        } else if (shape.kind == Shape.REFERENCES) {
            Object[] source = (Object[]) from;
            Object[] target = (Object[]) to;
            for (int i = 0; i < source.length; i++) target[i] = copyOf(source[i]);
        } else {
            System.arraycopy(from, 0, to, 0, java.lang.reflect.Array.getLength(from));
        }
    }

    /** Writes what the copies hold back into their originals. Only right after {@link #copy}, while the copies are as they were made. */
    void restore() {
        Identity back = new Identity();
        for (int i = 0; i < originals.count(); i++) back.number(copies[i]);
        for (int i = 0; i < originals.count(); i++) pour(copies[i], originals.at(i), back);
    }

    private void pour(Object from, Object to, Identity back) {
        Shape shape = shapes.of(to);
        if (shape.kind == Shape.OBJECT) {
            long[] offsets = shape.primitiveOffsets;
            byte[] kinds = shape.primitiveKinds;
            for (int i = 0; i < offsets.length; i++) Memory.putPrimitive(to, offsets[i], kinds[i], Memory.primitive(from, offsets[i], kinds[i]));
            long[] references = shape.referenceOffsets;
            for (int i = 0; i < references.length; i++) Memory.putReference(to, references[i], original(Memory.reference(from, references[i]), back));
        } else if (shape.kind == Shape.REFERENCES) {
            Object[] source = (Object[]) from;
            Object[] target = (Object[]) to;
            for (int i = 0; i < source.length; i++) target[i] = original(source[i], back);
        } else {
            System.arraycopy(from, 0, to, 0, java.lang.reflect.Array.getLength(from));
        }
    }

    private Object original(Object value, Identity back) {
        if (value == null) return null;
        int number = back.find(value);
        return number < 0 ? value : originals.at(number);
    }
}
