package testudo.runtime;

/**
 * Everything that code under observation calls: entries and exits of members, writes, reads. Owns the switches that make these calls cheap when nobody listens; hands on
 * to {@link SuiteRecorder} and {@link EqualsReads}. Uses nothing of the JDK that may itself be observed.
 */
public final class Monitor {
    /** Kinds of members. */
    static final byte TARGET = 0;
    /** Of a superclass: counts if the receiver is a target. */
    static final byte INHERITED = 1;
    static final byte ASSERTION = 2;

    /** Calls are recorded. */
    static volatile boolean recording;
    /** Some call is open that wants to know what is written. */
    static boolean writing;
    /** An equals method is looked at; by this strand. */
    static boolean reading;
    static Strand reader;
    static EqualsReads reads;
    static SuiteRecorder recorder;
    static byte[] kinds = new byte[1024];

    private Monitor() {}

    // Calls.

    public static boolean entering(int member) {
        if (!recording) return false;
        Strand strand = Strand.current();
        if (strand.busy) return false;
        if (strand.doubtful() != null) resolve(strand);
        return strand.enter(member, kinds[member] == ASSERTION);
    }

    /** Something is entered while a constructor calls another: from there, or after both have failed. */
    private static void resolve(Strand strand) {
        strand.busy = true;
        try {
            if (Stacks.isConstructing(java.util.Collections.singleton(strand.doubtful()))) return;
            strand.drop();
            recorder.ended(strand, Strand.LOST_CALL, null, null);
        } finally {
            strand.busy = false;
        }
    }

    /** Around the call of another constructor by a constructor. */
    public static void constructing(int member) {
        if (!recording) return;
        Strand strand = Strand.current();
        if (strand.busy || !strand.startsConstructing(member)) return;
        strand.busy = true;
        try {
            strand.constructing(Stacks.caller());
        } finally {
            strand.busy = false;
        }
    }

    public static void constructed(int member) {
        if (!recording) return;
        Strand strand = Strand.current();
        if (!strand.busy) strand.constructed(member);
    }

    /** Follows {@link #entering} if that was true. */
    public static void entered(int member, Object self, Object[] arguments) {
        Strand strand = Strand.current();
        strand.busy = true;
        try {
            recorder.entered(strand, member, kinds[member], self, arguments);
        } finally {
            strand.busy = false;
        }
    }

    public static void left(int member, Object result) {
        if (recording) ended(member, result, null);
    }

    public static void threw(int member, Throwable thrown) {
        if (recording) ended(member, null, thrown);
    }

    private static void ended(int member, Object result, Throwable thrown) {
        Strand strand = Strand.current();
        if (strand.busy) return;
        int what = strand.leave(member);
        boolean fails = thrown != null && what == Strand.NOTHING && strand.isAboveDoubtful();
        if (what == Strand.NOTHING && !fails) return;
        strand.busy = true;
        try {
            if (fails) {
                // No constructor survives the failure of the one it calls.
                if (!Stacks.isPartOfConstructing(strand.doubtful())) return;
                strand.drop();
                what = Strand.CALL;
            }
            recorder.ended(strand, what, result, thrown);
        } finally {
            strand.busy = false;
        }
    }

    // Writes.

    public static void wrote(Object owner) {
        if (writing) wroteNow(owner);
    }

    private static void wroteNow(Object owner) {
        if (owner == null) return;
        Strand strand = Strand.current();
        if (strand.busy) return;
        strand.busy = true;
        try {
            recorder.wrote(owner);
        } finally {
            strand.busy = false;
        }
    }

    // Reads.

    public static void read(Object owner, int field) {
        if (reading) readNow(owner, field, EqualsReads.FIELD);
    }

    public static void readElement(Object array, int index) {
        if (reading) readNow(array, index, EqualsReads.ELEMENT);
    }

    public static void readLength(Object array) {
        if (reading) readNow(array, 0, EqualsReads.LENGTH);
    }

    /** Everything in an object or array. */
    public static void readAll(Object owner) {
        if (reading) readNow(owner, 0, EqualsReads.ALL);
    }

    private static void readNow(Object owner, int what, int kind) {
        if (owner == null || reader != Strand.current()) return;
        reads.read(owner, what, kind);
    }

    // Native code.

    public static void arraycopy(Object from, int at, Object to, int start, int length) {
        System.arraycopy(from, at, to, start, length);
        if (writing) wroteNow(to);
        if (reading) for (int i = 0; i < length; i++) readNow(from, at + i, EqualsReads.ELEMENT);
    }

    /** All elements are left to the caller's own loop, which reports them, when somebody listens. */
    public static int vectorizedMismatch(Object a, long aOffset, Object b, long bOffset, int length, int log2Scale) {
        if (reading) return ~length;
        return jdk.internal.util.ArraysSupport.vectorizedMismatch(a, aOffset, b, bOffset, length, log2Scale);
    }

    /** Makes room for members up to this number. */
    static void room(int members) {
        if (members <= kinds.length) return;
        byte[] more = new byte[Math.max(members, 2 * kinds.length)];
        for (int i = 0; i < kinds.length; i++) more[i] = kinds[i];
        kinds = more;
    }
}
