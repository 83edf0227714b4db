package testudo.runtime;

import java.lang.reflect.Field;
import java.util.Arrays;

/** The constants of the brain's table as Java objects. Owns their creation, classes and enum constants on first use; knows no statement. */
final class Constants {
    /** A class literal or enum constant that nobody asked for yet. */
    private static final class Pending {
        final String type;
        final String constant;

        Pending(String type, String constant) {
            this.type = type;
            this.constant = constant;
        }
    }

    private final ClassLoader loader;
    private Object[] values = new Object[256];
    private int count;

    Constants(ClassLoader loader) {
        this.loader = loader;
    }

    void read(Input in) {
        int first = in.count();
        int n = in.bounded(in.count());
        if (first > count) throw new Input.Problem("constants from " + first + " leave a gap behind " + count);
        if (first + n > values.length) values = Arrays.copyOf(values, Math.max(first + n, values.length * 2));
        for (int i = 0; i < n; i++) values[first + i] = constant(in);
        count = Math.max(count, first + n);
    }

    private static Object constant(Input in) {
        int tag = in.u8();
        switch (tag) {
            case 0:
                return null;
            case 1:
                return in.u8() != 0;
            case 2:
                return (byte) in.z();
            case 3:
                return (char) in.v();
            case 4:
                return (short) in.z();
            case 5:
                return (int) in.z();
            case 6:
                return in.z();
            case 7:
                return Float.intBitsToFloat(in.u32());
            case 8:
                return Double.longBitsToDouble(in.u64());
            case 9:
                return in.str().intern();
            case 10:
                return new Pending(in.str(), null);
            case 11:
                return new Pending(in.str(), in.str());
            default:
                throw new Input.Problem("unknown constant tag " + tag);
        }
    }

    Object get(int number) throws Unlinkable {
        if (number >= count) throw new Input.Problem("constant " + number + " was never sent");
        Object value = values[number];
        return value instanceof Pending ? create(number, (Pending) value) : value;
    }

    private Object create(int number, Pending pending) throws Unlinkable {
        try {
            Object value = pending.constant == null ? type(pending.type) : enumConstant(pending);
            values[number] = value;
            return value;
        } catch (Stop | VirtualMachineError cutShort) {
            throw cutShort;
        } catch (Throwable missingOrFailing) {
            // No such class or constant, or a class initialiser that throws whatever it likes.
            throw new Unlinkable(missingOrFailing.getClass().getName() + ": " + missingOrFailing.getMessage());
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private Object enumConstant(Pending pending) throws ClassNotFoundException {
        Class type = Class.forName(pending.type.replace('/', '.'), true, loader);
        if (!type.isEnum()) throw new IllegalArgumentException(pending.type + " is no enum");
        Object constant = field(type, pending.constant);
        return constant != null ? constant : Enum.valueOf(type, pending.constant);
    }

    /** The constant as a test reads it: {@code Enum.valueOf} runs code of the class, and what that hits would be taken for the doing of a statement. */
    private static Object field(Class<?> type, String name) {
        try {
            Field field = type.getDeclaredField(name);
            if (!field.isEnumConstant()) return null;
            if (!Shape.isPlatform(type)) field.setAccessible(true);
            return field.get(null);
        } catch (ReflectiveOperationException | RuntimeException notReadable) {
            return null;
        }
    }

    private Class<?> type(String descriptor) throws ClassNotFoundException {
        switch (descriptor) {
            case "Z":
                return boolean.class;
            case "B":
                return byte.class;
            case "C":
                return char.class;
            case "S":
                return short.class;
            case "I":
                return int.class;
            case "J":
                return long.class;
            case "F":
                return float.class;
            case "D":
                return double.class;
            case "V":
                return void.class;
            default:
                String name = descriptor.startsWith("L") ? descriptor.substring(1, descriptor.length() - 1) : descriptor;
                return Class.forName(name.replace('/', '.'), false, loader);
        }
    }
}
