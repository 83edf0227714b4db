package testudo.runtime;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Runs the sequences of a batch straight from the message. Owns the slots and the order of things around a sequence: run, look, check, restore. What it found goes to the
 * {@link Results}; it never sends anything itself.
 */
final class Interpreter {
    static final int OBSERVE_LAST = 0x001;
    static final int OBSERVE_ALL = 0x002;
    static final int STATES = 0x004;
    static final int EQUALS_CLASSES = 0x008;
    static final int VALUES = 0x010;
    static final int ALL_PROBES = 0x020;
    static final int OPERANDS = 0x040;
    static final int EXCEPTIONS = 0x080;
    static final int CONTRACTS = 0x100;
    static final int PAST_EXCEPTIONS = 0x200;
    static final int VARIED = 0x400;
    static final int MUTANT = 0x800;
    /** Each part of the environment that can be varied alone. */
    private static final int FIRST_PART = 0x1000;
    private static final int VARIED_PARTS = 0xf000;
    private static final int OTHER_CHANCE = 0x10000;
    static final int DISTANCES = 0x20000;
    private static final int IMPATIENT = 0x40000;
    /** Time beyond which a sequence is slow, and what then counts as a step: code without steps of its own, the JDK's, took it. */
    private static final long SLOW_NANOSECONDS = 8_000_000;
    private static final long NANOSECONDS_PER_STEP = 10;

    private final Target target;
    private final Progress progress;
    private final Observer observer;
    private final int stepLimit;
    private final boolean timed;
    private final Watchdog watchdog;
    private final ThreadWatch threads;
    private final byte[] message;
    private int at;

    Object[] slots;
    final Outcome outcome = new Outcome();
    /** Statements passed over although they threw, and what. */
    final List<Object[]> passedOver = new ArrayList<Object[]>();
    int flags;
    int steps;
    /** The operation of the call that ran last; -1 before the first, and for a constant among watched statements. */
    int operation;

    private int statement;
    private int next;
    private boolean calling;
    private boolean[] missing = {};
    private boolean watched;

    Interpreter(Target target, Progress progress, Observer observer, int stepLimit, boolean timed, Watchdog watchdog, ThreadWatch threads, Input batch, Object[] slots) {
        this.target = target;
        this.progress = progress;
        this.observer = observer;
        this.stepLimit = stepLimit;
        this.timed = timed;
        this.watchdog = watchdog;
        this.threads = threads;
        this.message = batch.bytes;
        this.at = batch.at;
        this.slots = slots;
    }

    private int v() {
        byte b = message[at++];
        if (b >= 0) return b;
        int value = b & 0x7f;
        for (int shift = 7; ; shift += 7) {
            if (shift > 28) throw new Input.Problem("a number in a batch is too large, at offset " + at);
            b = message[at++];
            value |= (b & 0x7f) << shift;
            if (b >= 0) return value;
        }
    }

    /** Runs the next sequence of the message; returns its number of statements. */
    int sequence() {
        flags = v();
        int cost = v();
        int limit = stepLimit;
        if ((flags & MUTANT) != 0) {
            Mutants.active = v();
            limit = Math.min(limit, v());
        }
        int count = v();
        if (count > slots.length) slots = new Object[Math.max(count, slots.length * 2)];
        Args.wide = count > 127;
        observer.begin(flags);
        outcome.normal();
        statement = 0;
        operation = -1;
        next = 0;
        if ((flags & PAST_EXCEPTIONS) != 0) missing = new boolean[count];
        target.probes.begin(cost, (flags & (ALL_PROBES | DISTANCES)) != 0);
        if ((flags & ALL_PROBES) != 0) target.statics.settle();
        Hooks.begin(limit);
        Outside.begin(flags & (VARIED | OTHER_CHANCE));
        if ((flags & VARIED) != 0) Environment.vary(Environment.EVERYTHING);
        else if ((flags & VARIED_PARTS) != 0) Environment.vary((flags & VARIED_PARTS) / FIRST_PART);
        Hooks.looking = ((flags & OPERANDS) != 0 ? Hooks.OPERANDS : 0) | ((flags & DISTANCES) != 0 ? Hooks.DISTANCES : 0);
        long begun = timed ? System.nanoTime() : 0;
        watched = watchdog != null && (flags & IMPATIENT) != 0;
        if (watched) watchdog.begin();
        while (next < count) {
            try {
                if ((flags & (OBSERVE_LAST | OBSERVE_ALL | PAST_EXCEPTIONS | CONTRACTS)) == 0) run(count);
                else runWatched(count);
                if (next < count) break;
            } catch (Throwable thrown) {
                if (!failed(thrown)) break;
            }
        }
        if (watched) watchdog.end();
        Hooks.looking = 0;
        Mutants.active = 0;
        steps = Hooks.stepsUsed();
        if (timed) steps = slowed(steps, System.nanoTime() - begun);
        skip(count);
        return count;
    }

    private static int slowed(int steps, long nanoseconds) {
        if (nanoseconds < SLOW_NANOSECONDS) return steps;
        return (int) Math.min(Integer.MAX_VALUE, Math.max(steps, nanoseconds / NANOSECONDS_PER_STEP));
    }

    /** The fast path: nobody looks at values. */
    private void run(int count) throws Throwable {
        Dispatch dispatch = target.dispatch;
        Dispatcher[] dispatchers = dispatch.dispatchers;
        Object[] slots = this.slots;
        Probes probes = target.probes;
        while (next < count) {
            int now = next++;
            statement = now;
            int code = v();
            if ((code & 1) == 0) {
                slots[now] = target.constants.get(code >>> 1);
                continue;
            }
            progress.statement(now);
            slots[now] = call(code >>> 1, dispatch, dispatchers, slots);
            Reach.after(now);
            probes.scan(now, stopIfStruck());
            if (Hooks.stopped != null) {
                outcome.stopped(now, Hooks.stopped);
                return;
            }
        }
    }

    /** Ends the sequence here if the watchdog stopped the call that just ended: then nothing that it did is its own doing. Says whether it did. */
    private boolean stopIfStruck() {
        if (!watched || !watchdog.hasStruck()) return false;
        if (Hooks.stopped == null) Hooks.stopped = new Stop(Stop.STEP_LIMIT, 0);
        return true;
    }

    private Object call(int operation, Dispatch dispatch, Dispatcher[] dispatchers, Object[] slots) throws Throwable {
        int arguments = at;
        skipArguments();
        this.operation = operation;
        Dispatcher dispatcher = operation < dispatchers.length ? dispatchers[operation] : null;
        if (dispatcher == null) throw dispatch.missing(operation);
        calling = true;
        Object result = dispatcher.call(dispatch.locals[operation], slots, message, arguments);
        calling = false;
        if ((flags & VARIED) != 0 && threads.hasStarted()) threads.dawdle();
        return result;
    }

    private void skipArguments() {
        int arguments = v();
        if (Args.wide) {
            for (int i = 0; i < arguments; i++) v();
        } else {
            at += arguments;
        }
    }

    /** The same with looks at values and, if asked, past exceptions. */
    private void runWatched(int count) throws Throwable {
        boolean past = (flags & PAST_EXCEPTIONS) != 0;
        while (next < count) {
            int now = next++;
            statement = now;
            boolean last = now == count - 1;
            int code = v();
            int arguments = at;
            if ((code & 1) == 0) {
                operation = -1;
                slots[now] = target.constants.get(code >>> 1);
                if (last) observer.beforeLast(slots, message, -1);
            } else {
                if (past && usesMissing()) {
                    missing[now] = true;
                    slots[now] = null;
                    skipArguments();
                    continue;
                }
                progress.statement(now);
                if (last) observer.beforeLast(slots, message, arguments);
                slots[now] = call(code >>> 1, target.dispatch, target.dispatch.dispatchers, slots);
                Reach.after(now);
                target.probes.scan(now, stopIfStruck());
                if (Hooks.stopped != null) {
                    outcome.stopped(now, Hooks.stopped);
                    return;
                }
            }
            if ((flags & OBSERVE_ALL) != 0 && !last) observer.afterStatement(slots, now);
        }
    }

    private boolean usesMissing() {
        int start = at;
        boolean uses = false;
        int n = v();
        for (int i = 0; i < n; i++) uses |= missing[v()];
        at = start;
        return uses;
    }

    boolean isMissing(int variable) {
        return (flags & PAST_EXCEPTIONS) != 0 && missing[variable];
    }

    /** Deals with what a statement threw; says whether to go on behind it. */
    private boolean failed(Throwable thrown) {
        if (thrown instanceof OutOfMemoryError) Arrays.fill(slots, null);
        if (!(thrown instanceof VirtualMachineError)) stopIfStruck();
        boolean ofUserCode = calling;
        calling = false;
        boolean ours = !ofUserCode && !(thrown instanceof Unlinkable) && !(thrown instanceof VirtualMachineError) && !(thrown instanceof Stop) && Hooks.stopped == null;
        if (ours) {
            if (operation < 0 && thrown instanceof LinkageError) thrown = new Unlinkable(thrown.toString());
            else throw new Input.Problem("a batch could not be followed: " + thrown);
        }
        if (ofUserCode) {
            target.probes.scan(statement, true);
            Reach.after(statement);
        }
        outcome.threw(statement, thrown, ofUserCode ? target.dispatch.dispatchers[operation].getClass() : null);
        if ((flags & PAST_EXCEPTIONS) == 0 || !outcome.isPassable()) return false;
        passedOver.add(new Object[] {statement, thrown, operation});
        missing[statement] = true;
        slots[statement] = null;
        outcome.normal();
        return true;
    }

    /** Moves behind the statements that did not run. */
    private void skip(int count) {
        for (; next < count; next++) {
            if ((v() & 1) != 0) skipArguments();
        }
    }

    /** Lets go of everything the sequence made. */
    void clear(int count) {
        Arrays.fill(slots, 0, count, null);
        passedOver.clear();
        outcome.normal();
    }

    int position() {
        return at;
    }

    int lastStatement() {
        return statement;
    }
}
