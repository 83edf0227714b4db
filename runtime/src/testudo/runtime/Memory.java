package testudo.runtime;

import java.lang.reflect.Field;
import java.nio.Buffer;
import jdk.internal.misc.Unsafe;

/**
 * Raw access to fields and array elements. The only class that knows Unsafe; owns the offsets that differ between JDKs; never decides what is read.
 */
final class Memory {
    static final Unsafe UNSAFE = Unsafe.getUnsafe();
    static final long BYTES = arrayConstant("ARRAY_BYTE_BASE_OFFSET");
    static final long BOOLEANS = arrayConstant("ARRAY_BOOLEAN_BASE_OFFSET");
    static final long CHARS = arrayConstant("ARRAY_CHAR_BASE_OFFSET");
    static final long SHORTS = arrayConstant("ARRAY_SHORT_BASE_OFFSET");
    static final long LONGS = arrayConstant("ARRAY_LONG_BASE_OFFSET");
    static final long INTS = arrayConstant("ARRAY_INT_BASE_OFFSET");
    private static final long STRING_VALUE = offset(String.class, "value");
    private static final long STRING_CODER = offset(String.class, "coder");
    private static final long BUFFER_ADDRESS = offset(Buffer.class, "address");

    private Memory() {}

    /** The constants changed their type from int to long between JDK releases, so a compiled reference would fit one of them only. */
    private static long arrayConstant(String name) {
        try {
            Field field = Unsafe.class.getField(name);
            Object base = UNSAFE.staticFieldBase(field);
            long offset = UNSAFE.staticFieldOffset(field);
            // Not by Field.get, which costs ten milliseconds of a worker's start.
            return field.getType() == int.class ? UNSAFE.getInt(base, offset) : UNSAFE.getLong(base, offset);
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException("this JDK's Unsafe lacks " + name, e);
        }
    }

    private static long offset(Class<?> owner, String field) {
        return UNSAFE.objectFieldOffset(owner, field);
    }

    static long offset(Field field) {
        return UNSAFE.objectFieldOffset(field);
    }

    static long staticOffset(Field field) {
        return UNSAFE.staticFieldOffset(field);
    }

    static Object staticBase(Field field) {
        return UNSAFE.staticFieldBase(field);
    }

    static Object reference(Object owner, long offset) {
        return UNSAFE.getReference(owner, offset);
    }

    static void putReference(Object owner, long offset, Object value) {
        UNSAFE.putReference(owner, offset, value);
    }

    /** The bits of a primitive field, widened to a long. Kinds are descriptor characters. */
    static long primitive(Object owner, long offset, byte kind) {
        switch (kind) {
            case 'Z':
            case 'B':
                return UNSAFE.getByte(owner, offset);
            case 'C':
            case 'S':
                return UNSAFE.getShort(owner, offset);
            case 'I':
            case 'F':
                return UNSAFE.getInt(owner, offset);
            default:
                return UNSAFE.getLong(owner, offset);
        }
    }

    static void putPrimitive(Object owner, long offset, byte kind, long bits) {
        switch (kind) {
            case 'Z':
            case 'B':
                UNSAFE.putByte(owner, offset, (byte) bits);
                break;
            case 'C':
            case 'S':
                UNSAFE.putShort(owner, offset, (short) bits);
                break;
            case 'I':
            case 'F':
                UNSAFE.putInt(owner, offset, (int) bits);
                break;
            default:
                UNSAFE.putLong(owner, offset, bits);
                break;
        }
    }

    static long longAt(Object array, long offset) {
        return UNSAFE.getLong(array, offset);
    }

    static byte byteAt(Object array, long offset) {
        return UNSAFE.getByte(array, offset);
    }

    static byte[] bytesOf(String text) {
        return (byte[]) UNSAFE.getReference(text, STRING_VALUE);
    }

    static byte coderOf(String text) {
        return UNSAFE.getByte(text, STRING_CODER);
    }

    /** Where a direct buffer's memory lies. */
    static long address(Buffer buffer) {
        return UNSAFE.getLong(buffer, BUFFER_ADDRESS);
    }
}
