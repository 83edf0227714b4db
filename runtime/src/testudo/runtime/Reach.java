package testudo.runtime;

/**
 * What the running sequence or test reached outside of what it made itself: files, the network, programs, the JVM as a whole. Owns the kinds and the first place seen; {@link KernelWatch} adds what the kernel saw. Forbids nothing.
 */
final class Reach {
    /** Creates, writes, deletes, renames, links or changes attributes of files. */
    static final int FILES = 1;
    static final int NETWORK = 2;
    /** Starts a program. */
    static final int PROGRAM = 4;
    /** Signals, traces, limits or schedules processes. */
    static final int PROCESS = 8;
    /** Shared memory, semaphores, message queues. */
    static final int IPC = 16;
    /** Any other call of the system that was refused. */
    static final int OTHER = 32;
    /** Changed the JVM as a whole: properties, locale, handlers, providers, caches. */
    static final int STATE = 64;
    /** Depends on what is on this machine. */
    static final int LOOKS = 128;

    private static int kinds;
    /** After which statement the first mark was found; -1 if none was yet. */
    private static int statement;
    /** What the code under test called or changed, by the first mark that knows. */
    private static String by;

    private Reach() {}

    static void begin() {
        kinds = 0;
        statement = -1;
        by = null;
        KernelWatch.begin();
    }

    /** Marks come before the call is made: whoever swallows what comes of it has tried all the same. */
    static void mark(int kind, String call) {
        kinds |= kind;
        if (by == null) by = call;
    }

    static void mark(int kind) {
        kinds |= kind;
    }

    /** All marks so far. */
    static int kinds() {
        return kinds | KernelWatch.kinds();
    }

    /** A statement has run. */
    static void after(int ended) {
        if (statement < 0 && kinds() != 0) statement = ended;
    }

    /** The statement is unknown if the mark was found behind the last one. */
    static void write(Output out) {
        out.u8(kinds());
        out.v(statement + 1);
        writeCall(out);
    }

    /** As little as a test's frame has: there are no statements. */
    static void writeOfTest(Output out) {
        out.u8(kinds());
        writeCall(out);
    }

    private static void writeCall(Output out) {
        out.str(by == null ? "" : by);
    }
}
