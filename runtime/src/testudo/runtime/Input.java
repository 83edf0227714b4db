package testudo.runtime;

import java.util.Arrays;

/** One received frame with a read position. Owns the decoding of the protocol's primitive forms; a truncated payload is a {@link Problem}, never a wrong value. */
final class Input {
    /** A payload that does not hold what its kind promises. */
    static final class Problem extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Problem(String message) {
            super(message);
        }
    }

    final int kind;
    final byte[] bytes;
    int at;

    Input(int kind, byte[] payload) {
        this.kind = kind;
        this.bytes = payload;
    }

    int u8() {
        if (at >= bytes.length) throw truncated();
        return bytes[at++] & 0xff;
    }

    int u32() {
        int value = 0;
        for (int i = 0; i < 4; i++) value |= u8() << 8 * i;
        return value;
    }

    long u64() {
        long low = u32() & 0xffffffffL;
        return low | (long) u32() << 32;
    }

    long v() {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            int b = u8();
            value |= (long) (b & 0x7f) << shift;
            if (b < 0x80) return value;
        }
        throw new Problem("a number has more than ten bytes, at offset " + at);
    }

    /** A number that counts or indexes something. */
    int count() {
        long value = v();
        if (value < 0 || value > Integer.MAX_VALUE) throw new Problem("number out of range, at offset " + at);
        return (int) value;
    }

    long z() {
        long value = v();
        return value >>> 1 ^ -(value & 1);
    }

    byte[] raw() {
        int size = count();
        if (size > bytes.length - at) throw truncated();
        at += size;
        return Arrays.copyOfRange(bytes, at - size, at);
    }

    String str() {
        int size = count();
        if (size > bytes.length - at) throw truncated();
        int end = at + size;
        char[] units = new char[size];
        int n = 0;
        while (at < end) {
            int b = u8();
            if (b < 0x80) units[n++] = (char) b;
            else if (b < 0xe0) units[n++] = (char) ((b & 0x1f) << 6 | u8() & 0x3f);
            else units[n++] = (char) ((b & 0x0f) << 12 | (u8() & 0x3f) << 6 | u8() & 0x3f);
        }
        if (at != end) throw new Problem("a string ends inside a character, at offset " + at);
        return new String(units, 0, n);
    }

    String[] strings() {
        String[] list = new String[bounded(count())];
        for (int i = 0; i < list.length; i++) list[i] = str();
        return list;
    }

    /** A count of items that take at least one byte each: checked before anything is allocated for them. */
    int bounded(int count) {
        if (count > bytes.length - at) throw truncated();
        return count;
    }

    private Problem truncated() {
        return new Problem("message of kind " + Integer.toHexString(kind) + " is truncated at offset " + at);
    }
}
