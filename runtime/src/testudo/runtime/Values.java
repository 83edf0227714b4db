package testudo.runtime;

import java.lang.reflect.Array;

/** Writes values as the brain sees them: primitives, strings, enum constants and arrays by content, other objects by class. Owns the size limits; runs no user code. */
final class Values {
    private static final int DEPTH = 4;
    /** Elements over all levels; what is beyond is sent by length alone. */
    private static final int ELEMENTS = 4096;

    private static final int BOXED = 0x40;
    private static final int STRING = 9;
    private static final int CLASS = 10;
    private static final int ENUM = 11;
    private static final int LONG_STRING = 12;
    private static final int ARRAY = 13;
    private static final int LONG_ARRAY = 14;
    private static final int OBJECT = 15;

    private final Shapes shapes;
    private int elements;

    Values(Shapes shapes) {
        this.shapes = shapes;
    }

    /** Whether a value is worth sending besides its class. */
    static boolean isTelling(Shape shape) {
        return shape == null || shape.kind >= Shape.STRING && shape.kind <= Shape.CLASS || shape.kind >= Shape.REFERENCES;
    }

    void write(Draft draft, Object value, boolean whole) {
        elements = ELEMENTS;
        write(draft, value, whole ? 30_000 : 1_000, whole ? 1_000 : 64, 0);
    }

    private void write(Draft draft, Object value, int longest, int largest, int depth) {
        Output out = draft.output;
        if (value == null) {
            out.u8(0);
            return;
        }
        Shape shape = shapes.of(value);
        switch (shape.kind) {
            case Shape.BOX:
                primitive(out, BOXED, shape.primitive, Linearizer.bits(value, shape.primitive));
                break;
            case Shape.STRING:
                text(out, (String) value, longest);
                break;
            case Shape.CLASS:
                // It is a class, but no type that a value could have.
                if (value == void.class) {
                    object(draft, shape);
                    break;
                }
                out.u8(CLASS);
                out.str(descriptor((Class<?>) value));
                break;
            case Shape.ENUM:
                out.u8(ENUM);
                out.str(Shape.nameOf(((Enum<?>) value).getDeclaringClass()));
                out.str(((Enum<?>) value).name());
                break;
            case Shape.REFERENCES:
            case Shape.PRIMITIVES:
                if (depth < DEPTH) {
                    array(draft, value, shape, longest, largest, depth);
                    break;
                }
                object(draft, shape);
                break;
            default:
                object(draft, shape);
                break;
        }
    }

    private static void object(Draft draft, Shape shape) {
        draft.output.u8(OBJECT);
        draft.classHere(shape);
    }

    private static void text(Output out, String text, int longest) {
        if (text.length() > longest) {
            out.u8(LONG_STRING);
            out.v(text.length());
        } else {
            out.u8(STRING);
            out.str(text);
        }
    }

    private void array(Draft draft, Object array, Shape shape, int longest, int largest, int depth) {
        Output out = draft.output;
        int length = Array.getLength(array);
        boolean fits = length <= largest && length <= elements;
        out.u8(fits ? ARRAY : LONG_ARRAY);
        out.str(shape.name);
        out.v(length);
        if (!fits) return;
        elements -= length;
        for (int i = 0; i < length; i++) {
            if (shape.kind == Shape.REFERENCES) write(draft, ((Object[]) array)[i], longest, largest, depth + 1);
            else primitive(out, 0, shape.primitive, Linearizer.bits(Array.get(array, i), shape.primitive));
        }
    }

    /** Bits as {@link Linearizer#bits} gives them. */
    static void primitive(Output out, int boxed, byte kind, long bits) {
        switch (kind) {
            case 'Z':
                out.u8(boxed | 1);
                out.u8((int) bits);
                break;
            case 'B':
                out.u8(boxed | 2);
                out.z(bits);
                break;
            case 'C':
                out.u8(boxed | 3);
                out.v(bits);
                break;
            case 'S':
                out.u8(boxed | 4);
                out.z(bits);
                break;
            case 'I':
                out.u8(boxed | 5);
                out.z(bits);
                break;
            case 'J':
                out.u8(boxed | 6);
                out.z(bits);
                break;
            case 'F':
                out.u8(boxed | 7);
                out.u32((int) bits);
                break;
            default:
                out.u8(boxed | 8);
                out.u64(bits);
                break;
        }
    }

    static String descriptor(Class<?> type) {
        if (type == void.class) return "V";
        if (type.isPrimitive()) return String.valueOf((char) Shape.descriptorOf(type));
        String name = Shape.nameOf(type);
        return type.isArray() ? name : "L" + name + ";";
    }
}
