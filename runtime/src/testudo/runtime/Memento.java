package testudo.runtime;

import java.lang.ref.Reference;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * Remembered contents of static fields and of objects, each by itself. Owns comparing and writing back; final fields are trusted. Never decides when.
 *
 * <p>Cells are numbered: an even number 2n is static field n, an odd one 2n + 1 is object n.
 */
final class Memento {
    private final Shapes shapes;

    private Object[] bases = new Object[16];
    private long[] offsets = new long[16];
    /** Descriptor character of the field's primitive type, 'L' for references. */
    private byte[] kinds = new byte[16];
    private long[] savedBits = new long[16];
    private Object[] savedReferences = new Object[16];
    private int fields;

    private Object[] objects = new Object[16];
    private Shape[] objectShapes = new Shape[16];
    /** A copy of an array's elements, or of an object's mutable reference fields. */
    private Object[] copies = new Object[16];
    private long[][] primitiveCopies = new long[16][];
    private int count;

    /** All objects looked at, mutable or not; they are kept alive, so that weakly held ones do not vanish from the baseline. */
    private final IdentityHashMap<Object, Boolean> visited = new IdentityHashMap<Object, Boolean>();
    private final List<Object> queue = new ArrayList<Object>();
    private int arrayWeight;

    private static final long[] NO_PRIMITIVES = {};

    Memento(Shapes shapes) {
        this.shapes = shapes;
    }

    boolean isEmpty() {
        return fields == 0 && count == 0;
    }

    /** Roughly the number of words a check has to look at, in units of small objects. */
    int weight() {
        return count + fields + arrayWeight;
    }

    /** Remembers a static field, with its present value or as zero, and what it refers to. */
    void recordField(Field field, boolean zero) {
        if (fields == bases.length) {
            bases = Arrays.copyOf(bases, fields * 2);
            offsets = Arrays.copyOf(offsets, fields * 2);
            kinds = Arrays.copyOf(kinds, fields * 2);
            savedBits = Arrays.copyOf(savedBits, fields * 2);
            savedReferences = Arrays.copyOf(savedReferences, fields * 2);
        }
        int i = fields;
        bases[i] = Memory.staticBase(field);
        offsets[i] = Memory.staticOffset(field);
        kinds[i] = field.getType().isPrimitive() ? Shape.descriptorOf(field.getType()) : (byte) 'L';
        fields++;
        if (!zero) renewField(i);
    }

    private void renewField(int i) {
        if (kinds[i] == 'L') {
            savedReferences[i] = Memory.reference(bases[i], offsets[i]);
            record(savedReferences[i]);
        } else {
            savedBits[i] = Memory.primitive(bases[i], offsets[i], kinds[i]);
        }
    }

    /** Remembers every object reachable from here that is not known yet. */
    void record(Object root) {
        visit(root);
        while (!queue.isEmpty()) look(queue.remove(queue.size() - 1));
    }

    private void visit(Object value) {
        if (value == null) return;
        Shape shape = shapes.of(value);
        boolean inside = shape.kind == Shape.OBJECT || shape.kind == Shape.ENUM || shape.kind >= Shape.REFERENCES;
        if (!inside || visited.put(value, Boolean.TRUE) != null) return;
        if (value instanceof Reference) {
            Object referent = ((Reference<?>) value).get();
            if (referent != null) visited.put(referent, Boolean.TRUE);
        }
        queue.add(value);
    }

    private void look(Object value) {
        Shape shape = shapes.of(value);
        if (!shape.immutable() && !(shape.kind >= Shape.REFERENCES && Array.getLength(value) == 0)) {
            if (count == objects.length) {
                objects = Arrays.copyOf(objects, count * 2);
                objectShapes = Arrays.copyOf(objectShapes, count * 2);
                copies = Arrays.copyOf(copies, count * 2);
                primitiveCopies = Arrays.copyOf(primitiveCopies, count * 2);
            }
            objects[count] = value;
            objectShapes[count] = shape;
            count++;
            save(count - 1);
            if (shape.kind >= Shape.REFERENCES) arrayWeight += Array.getLength(value) / (shape.kind == Shape.REFERENCES ? 8 : 64);
        }
        follow(value, shape);
    }

    private void follow(Object value, Shape shape) {
        if (shape.kind == Shape.REFERENCES) {
            for (Object element : (Object[]) value) visit(element);
        } else {
            for (long offset : shape.referenceOffsets) visit(Memory.reference(value, offset));
        }
    }

    private void save(int i) {
        Object object = objects[i];
        Shape shape = objectShapes[i];
        if (shape.kind == Shape.REFERENCES) {
            copies[i] = ((Object[]) object).clone();
        } else if (shape.kind == Shape.PRIMITIVES) {
            int length = Array.getLength(object);
            copies[i] = Array.newInstance(object.getClass().getComponentType(), length);
            System.arraycopy(object, 0, copies[i], 0, length);
        } else {
            long[] references = shape.mutableReferenceOffsets;
            Object[] saved = new Object[references.length];
            for (int r = 0; r < saved.length; r++) saved[r] = Memory.reference(object, references[r]);
            copies[i] = saved;
            long[] primitives = shape.mutablePrimitiveOffsets;
            long[] bits = primitives.length == 0 ? NO_PRIMITIVES : new long[primitives.length];
            for (int p = 0; p < bits.length; p++) bits[p] = Memory.primitive(object, primitives[p], shape.mutablePrimitiveKinds[p]);
            primitiveCopies[i] = bits;
        }
    }

    private boolean fieldDiffers(int i) {
        return kinds[i] == 'L'
                ? Memory.reference(bases[i], offsets[i]) != savedReferences[i]
                : Memory.primitive(bases[i], offsets[i], kinds[i]) != savedBits[i];
    }

    private boolean objectDiffers(int i) {
        Object object = objects[i];
        Shape shape = objectShapes[i];
        if (shape.kind == Shape.PRIMITIVES) return arrayDiffers(object, copies[i], shape.primitive);
        Object[] saved = (Object[]) copies[i];
        if (shape.kind == Shape.REFERENCES) {
            Object[] now = (Object[]) object;
            for (int e = 0; e < now.length; e++) if (now[e] != saved[e]) return true;
            return false;
        }
        long[] references = shape.mutableReferenceOffsets;
        for (int r = 0; r < references.length; r++) if (Memory.reference(object, references[r]) != saved[r]) return true;
        long[] bits = primitiveCopies[i];
        for (int p = 0; p < bits.length; p++) {
            if (Memory.primitive(object, shape.mutablePrimitiveOffsets[p], shape.mutablePrimitiveKinds[p]) != bits[p]) return true;
        }
        return false;
    }

    private static boolean arrayDiffers(Object now, Object saved, byte primitive) {
        switch (primitive) {
            case 'Z':
                return !Arrays.equals((boolean[]) now, (boolean[]) saved);
            case 'B':
                return !Arrays.equals((byte[]) now, (byte[]) saved);
            case 'C':
                return !Arrays.equals((char[]) now, (char[]) saved);
            case 'S':
                return !Arrays.equals((short[]) now, (short[]) saved);
            case 'I':
                return !Arrays.equals((int[]) now, (int[]) saved);
            case 'J':
                return !Arrays.equals((long[]) now, (long[]) saved);
            case 'F':
                return !Arrays.equals((float[]) now, (float[]) saved);
            default:
                return !Arrays.equals((double[]) now, (double[]) saved);
        }
    }

    /** The cells that differ from what is remembered. */
    BitSet differences() {
        BitSet cells = new BitSet();
        for (int i = 0; i < fields; i++) if (fieldDiffers(i)) cells.set(2 * i);
        for (int i = 0; i < count; i++) if (objectDiffers(i)) cells.set(2 * i + 1);
        return cells;
    }

    /** Takes the present contents of these cells as the ones to remember. */
    void renew(BitSet cells) {
        for (int cell = cells.nextSetBit(0); cell >= 0; cell = cells.nextSetBit(cell + 1)) {
            if ((cell & 1) == 0) {
                renewField(cell >> 1);
            } else {
                save(cell >> 1);
                follow(objects[cell >> 1], objectShapes[cell >> 1]);
                while (!queue.isEmpty()) look(queue.remove(queue.size() - 1));
            }
        }
    }

    /** Writes back what differs; says whether anything did. */
    boolean restore() {
        boolean changed = false;
        for (int i = 0; i < fields; i++) {
            if (fieldDiffers(i)) {
                changed = true;
                if (kinds[i] == 'L') Memory.putReference(bases[i], offsets[i], savedReferences[i]);
                else Memory.putPrimitive(bases[i], offsets[i], kinds[i], savedBits[i]);
            }
        }
        for (int i = 0; i < count; i++) {
            if (objectDiffers(i)) {
                changed = true;
                restoreObject(i);
            }
        }
        return changed;
    }

    private void restoreObject(int i) {
        Object object = objects[i];
        Shape shape = objectShapes[i];
        if (shape.kind >= Shape.REFERENCES) {
            System.arraycopy(copies[i], 0, object, 0, Array.getLength(object));
            return;
        }
        Object[] saved = (Object[]) copies[i];
        long[] references = shape.mutableReferenceOffsets;
        for (int r = 0; r < references.length; r++) Memory.putReference(object, references[r], saved[r]);
        long[] bits = primitiveCopies[i];
        for (int p = 0; p < bits.length; p++) {
            Memory.putPrimitive(object, shape.mutablePrimitiveOffsets[p], shape.mutablePrimitiveKinds[p], bits[p]);
        }
    }
}
