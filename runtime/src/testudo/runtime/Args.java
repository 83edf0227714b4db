package testudo.runtime;

/** Reads slot numbers out of a statement's argument list, for dispatchers. Owns the two forms of such a list; never looks at the slots themselves. */
public final class Args {
    /** Whether slot numbers of the running sequence may need more than one byte (set by the interpreter per sequence). */
    static boolean wide;

    private Args() {}

    /** The slot number of argument {@code n} of the list whose count starts at {@code position}. */
    public static int slot(byte[] message, int position, int n) {
        // A negative first byte is a count above 127, which takes more than one byte.
        return wide || message[position] < 0 ? wideSlot(message, position, n) : message[position + 1 + n];
    }

    /** How many arguments the list at {@code position} has. */
    static int count(byte[] message, int position) {
        return number(message, position);
    }

    private static int wideSlot(byte[] message, int position, int n) {
        int at = position;
        for (int skip = n; skip >= 0; skip--) {
            while (message[at] < 0) at++;
            at++;
        }
        return number(message, at);
    }

    private static int number(byte[] message, int at) {
        int value = 0;
        for (int shift = 0; ; shift += 7) {
            byte b = message[at++];
            value |= (b & 0x7f) << shift;
            if (b >= 0) return value;
        }
    }
}
