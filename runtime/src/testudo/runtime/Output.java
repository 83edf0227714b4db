package testudo.runtime;

import java.util.Arrays;

/** A growing byte buffer that writes the protocol's primitive forms. Owns the encoding; never knows messages. */
final class Output {
    byte[] bytes;
    int length;

    Output(int capacity) {
        bytes = new byte[capacity];
    }

    private void need(int more) {
        if (length + more > bytes.length) bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
    }

    void u8(int value) {
        need(1);
        bytes[length++] = (byte) value;
    }

    void u32(int value) {
        need(4);
        for (int i = 0; i < 4; i++) bytes[length++] = (byte) (value >>> 8 * i);
    }

    void u64(long value) {
        need(8);
        for (int i = 0; i < 8; i++) bytes[length++] = (byte) (value >>> 8 * i);
    }

    void v(long value) {
        need(10);
        while ((value & ~0x7fL) != 0) {
            bytes[length++] = (byte) (value | 0x80);
            value >>>= 7;
        }
        bytes[length++] = (byte) value;
    }

    void z(long value) {
        v(value << 1 ^ value >> 63);
    }

    void str(String text) {
        int units = text.length();
        int size = 0;
        for (int i = 0; i < units; i++) {
            char c = text.charAt(i);
            size += c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
        }
        v(size);
        need(size);
        byte[] to = bytes;
        int at = length;
        for (int i = 0; i < units; i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                to[at++] = (byte) c;
            } else if (c < 0x800) {
                to[at++] = (byte) (0xc0 | c >> 6);
                to[at++] = (byte) (0x80 | c & 0x3f);
            } else {
                to[at++] = (byte) (0xe0 | c >> 12);
                to[at++] = (byte) (0x80 | c >> 6 & 0x3f);
                to[at++] = (byte) (0x80 | c & 0x3f);
            }
        }
        length = at;
    }

    void raw(byte[] data) {
        v(data.length);
        need(data.length);
        System.arraycopy(data, 0, bytes, length, data.length);
        length += data.length;
    }

    void append(Output other) {
        append(other, 0, other.length);
    }

    void append(Output other, int from, int to) {
        need(to - from);
        System.arraycopy(other.bytes, from, bytes, length, to - from);
        length += to - from;
    }

    void clear() {
        length = 0;
    }
}
