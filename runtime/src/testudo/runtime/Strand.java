package testudo.runtime;

/**
 * What is known about one thread of an observed run: the members it is in, and the call from outside that is open. Owns the stack of members, which survives exits nobody
 * reported. Never looks at values.
 */
final class Strand {
    final Thread thread;
    /** The runtime itself is at work on this thread: hooks have to keep still. */
    boolean busy;

    private int[] members = new int[64];
    private int depth;
    /** Where in {@link #members} the call from outside stands, and the assertion; -1 if there is none. */
    private int call = -1;
    private int assertion = -1;

    /** The class of the constructor that was called from outside, while that calls another constructor: no handler can be around that. */
    private String constructing;

    /** The open call as written so far; empty when there is nothing to record. */
    final Output draft = new Output(256);
    /** Receiver and arguments of the open call, and their states at its start. */
    private static final Object[] NONE = {};
    Object[] values = NONE;
    long[] low = new long[8];
    long[] high = new long[8];
    int valueCount;
    final Output assertionDraft = new Output(32);

    private static volatile Strand[] all = new Strand[8];
    private static int strands;
    private static Strand last = add(Thread.currentThread());

    private Strand(Thread thread) {
        this.thread = thread;
    }

    static Strand current() {
        Thread thread = Thread.currentThread();
        Strand recent = last;
        return recent.thread == thread ? recent : search(thread);
    }

    private static Strand search(Thread thread) {
        Strand[] known = all;
        for (int i = 0; i < known.length; i++) {
            Strand strand = known[i];
            if (strand != null && strand.thread == thread) return last = strand;
        }
        return add(thread);
    }

    private static synchronized Strand add(Thread thread) {
        Strand made = new Strand(thread);
        // Threads that ended make room; a place in the table is never needed twice.
        for (int i = 0; i < strands; i++) {
            if (all[i] == null || !all[i].thread.isAlive()) {
                all[i] = made;
                return last = made;
            }
        }
        if (strands == all.length) {
            Strand[] more = new Strand[2 * strands];
            for (int i = 0; i < strands; i++) more[i] = all[i];
            all = more;
        }
        all[strands++] = made;
        return last = made;
    }

    /** Every strand there is; places may be empty. */
    static Strand[] all() {
        return all;
    }

    /** Puts a member on the stack; whether it may be one to record. */
    boolean enter(int member, boolean isAssertion) {
        if (depth == members.length) {
            int[] more = new int[2 * depth];
            for (int i = 0; i < depth; i++) more[i] = members[i];
            members = more;
        }
        members[depth++] = member;
        return call < 0 && (!isAssertion || assertion < 0);
    }

    void openCall() {
        call = depth - 1;
    }

    void openAssertion() {
        assertion = depth - 1;
    }

    /** The constructor called from outside calls another one now. */
    boolean startsConstructing(int member) {
        return call >= 0 && call == depth - 1 && members[call] == member;
    }

    void constructing(String type) {
        constructing = type;
    }

    void constructed(int member) {
        if (constructing == null || call < 0 || members[call] != member) return;
        constructing = null;
        depth = call + 1;
    }

    /** The class of the constructor called from outside that may have ended without a word; null if there is none. */
    String doubtful() {
        return constructing;
    }

    /** Whether what just ended stood right above the doubtful constructor. */
    boolean isAboveDoubtful() {
        return constructing != null && depth == call + 1;
    }

    /** The call from outside ended without a word, and everything above with it. */
    void drop() {
        depth = call;
        call = -1;
        constructing = null;
    }

    /** Takes a member off the stack, with all above it; tells what ended thereby. */
    int leave(int member) {
        int at = depth - 1;
        while (at >= 0 && members[at] != member) at--;
        if (at < 0) return NOTHING;
        depth = at;
        int ended = NOTHING;
        if (call >= at) {
            ended |= call == at ? CALL : LOST_CALL;
            call = -1;
            constructing = null;
        }
        if (assertion >= at) {
            ended |= assertion == at ? ASSERTION : 0;
            if (assertion != at) assertionDraft.clear();
            assertion = -1;
        }
        return ended;
    }

    static final int NOTHING = 0;
    static final int CALL = 1;
    static final int ASSERTION = 2;
    /** A call whose end was not reported. */
    static final int LOST_CALL = 4;

    /** The open call was written down, or is not to be. */
    void closeCall() {
        draft.clear();
        valueCount = 0;
        values = NONE;
    }

    /** Between tests: whatever is on the stack stays there, but is not part of the next one. */
    void reset() {
        closeCall();
        assertionDraft.clear();
    }

    /** For a thread that runs nothing but tests: it is outside of everything now. */
    void outermost() {
        depth = 0;
        call = -1;
        assertion = -1;
        constructing = null;
        busy = false;
        reset();
    }
}
