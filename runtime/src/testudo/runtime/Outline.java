package testudo.runtime;

/**
 * The few facts about a class file that must be known without asking reflection (which would load the types of all fields). Owns just enough parsing for them; a file it
 * cannot follow counts as having neither, since the JVM refuses it anyway.
 */
final class Outline {
    final boolean hasInitialiser;
    /** Static fields that are not final. */
    final boolean hasVariables;

    private final byte[] bytes;
    private int at;

    Outline(byte[] classFile) {
        bytes = classFile;
        boolean initialiser = false;
        boolean variables = false;
        try {
            int[] constants = constants();
            at += 6;
            at += 2 + 2 * u2(at);
            for (int section = 0; section < 2; section++) {
                int members = u2(at);
                at += 2;
                for (int i = 0; i < members; i++) {
                    int access = u2(at);
                    if (section == 0) variables |= (access & 0x18) == 0x08;
                    else initialiser |= isInitialiser(constants[u2(at + 2)]);
                    at += 6;
                    attributes();
                }
            }
        } catch (ArrayIndexOutOfBoundsException malformed) {
            initialiser = false;
            variables = false;
        }
        hasInitialiser = initialiser;
        hasVariables = variables;
    }

    /** Leaves the position behind the constant pool; returns where each constant begins. */
    private int[] constants() {
        int count = u2(8);
        int[] starts = new int[count];
        at = 10;
        for (int i = 1; i < count; i++) {
            starts[i] = at;
            int tag = bytes[at];
            if (tag == 1) at += 3 + u2(at + 1);
            else if (tag == 7 || tag == 8 || tag == 16 || tag == 19 || tag == 20) at += 3;
            else if (tag == 15) at += 4;
            else if (tag == 5 || tag == 6) {
                at += 9;
                i++;
            } else at += 5;
        }
        return starts;
    }

    private boolean isInitialiser(int utf8) {
        String name = "<clinit>";
        if (u2(utf8 + 1) != name.length()) return false;
        for (int i = 0; i < name.length(); i++) if (bytes[utf8 + 3 + i] != name.charAt(i)) return false;
        return true;
    }

    private void attributes() {
        int count = u2(at);
        at += 2;
        for (int i = 0; i < count; i++) {
            long length = (long) u2(at + 2) << 16 | u2(at + 4);
            at = (int) Math.min(bytes.length, at + 6 + length);
        }
    }

    private int u2(int index) {
        return (bytes[index] & 0xff) << 8 | bytes[index + 1] & 0xff;
    }
}
