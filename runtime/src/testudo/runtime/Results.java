package testudo.runtime;

import java.io.IOException;
import java.util.BitSet;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * Writes the results of a batch. Owns their form and when to send what is ready; asks the interpreter's helpers for everything else.
 */
final class Results {
    private static final int RESULTS = 0x86;
    /** Room before the first result for the frame header, the batch number and the count. */
    private static final int ROOM = 32;
    private static final int LARGEST = 1 << 20;

    private static final int PROBES = 1;
    private static final int OPERANDS = 2;
    private static final int OBSERVATIONS = 4;
    private static final int VIOLATIONS = 8;
    private static final int PASSED_OVER = 16;
    private static final int DIRTIED = 32;
    private static final int SPOILT = 64;
    private static final int OUTSIDE = 128;
    private static final int DISTANCES = 256;

    private final Channel channel;
    private final Reporter reporter;
    private final ThreadWatch threads;
    private final Environment environment;
    private final Output out = new Output(1 << 16);
    private final Output violations = new Output(256);
    private final Draft operands = new Draft();
    /** Which operations threw which exceptions before. */
    private final Map<Class<?>, BitSet> known = new IdentityHashMap<Class<?>, BitSet>();
    private int count;

    Results(Channel channel, Reporter reporter, ThreadWatch threads, Environment environment) {
        this.channel = channel;
        this.reporter = reporter;
        this.threads = threads;
        this.environment = environment;
    }

    /** A new target: exceptions of the old one are no longer known. */
    void forget() {
        known.clear();
    }

    void beginBatch() {
        out.length = ROOM;
        count = 0;
    }

    boolean isLarge() {
        return out.length > LARGEST;
    }

    /** Writes the result of the sequence that just ran, and puts everything back that it changed. */
    void add(Interpreter run, Target target, Observer observer, int statements) {
        int start = out.length;
        reporter.mark();
        boolean spoilt = run.outcome.isCut() && Hooks.initialising > 0;
        int left = threads.left();
        if (left > 0) run.outcome.threadsLeft(left);
        try {
            write(run, target, observer, statements, spoilt);
        } catch (OutOfMemoryError inLooking) {
            run.clear(statements);
            reporter.takeBack();
            observer.begin(run.flags);
            operands.clear();
            out.length = start;
            run.outcome.kind = Outcome.OUT_OF_MEMORY;
            write(run, target, observer, 0, spoilt);
        }
        run.clear(statements);
        count++;
    }

    private void write(Interpreter run, Target target, Observer observer, int statements, boolean spoilt) {
        Outcome outcome = run.outcome;
        boolean normal = outcome.kind == Outcome.NORMAL;
        outcome(run, target);
        int flagsAt = out.length;
        out.u8(0);
        out.u8(0);
        // Values are looked at first, because that counts; but not if it runs user code, which would hit further probes.
        boolean looks = normal && statements > 0;
        boolean runsUserCode = (run.flags & Interpreter.EQUALS_CLASSES) != 0 || target.equivalence != null;
        if (looks && !runsUserCode) look(run, observer, statements);
        out.v(run.steps + observer.steps());
        int flags = spoilt ? SPOILT : 0;
        if (probes(target.probes)) flags |= PROBES;
        if ((run.flags & Interpreter.OPERANDS) != 0 && operands(target)) flags |= OPERANDS;
        if (looks && runsUserCode) look(run, observer, statements);
        if (observer.count() > 0) {
            flags |= OBSERVATIONS;
            observer.copyTo(out, reporter);
        }
        if (normal && statements > 0 && (run.flags & Interpreter.CONTRACTS) != 0 && contracts(run, target, observer)) flags |= VIOLATIONS;
        if (!run.passedOver.isEmpty()) {
            flags |= PASSED_OVER;
            passedOver(run, target);
        }
        if (target.statics.restore((run.flags & Interpreter.ALL_PROBES) != 0)) flags |= DIRTIED;
        environment.restore((run.flags & Interpreter.ALL_PROBES) != 0);
        if (State.lasts) {
            State.lasts = false;
            flags |= SPOILT;
        }
        if ((run.flags & Interpreter.DISTANCES) != 0 && Distances.write(out)) flags |= DISTANCES;
        if (Reach.kinds() != 0) {
            flags |= OUTSIDE;
            Reach.write(out);
        }
        out.bytes[flagsAt] = (byte) flags;
        out.bytes[flagsAt + 1] = (byte) (flags >> 8);
    }

    private void outcome(Interpreter run, Target target) {
        Outcome outcome = run.outcome;
        out.u8(outcome.kind);
        switch (outcome.kind) {
            case Outcome.NORMAL:
                break;
            case Outcome.THREW:
                out.v(outcome.statement);
                reporter.thrown(out, outcome.thrown, isDetailed(run.flags, outcome.thrown, run.operation), target.shapes);
                break;
            case Outcome.EXIT:
                out.v(outcome.statement);
                out.z(outcome.number);
                break;
            case Outcome.THREADS_LEFT:
                out.v(outcome.number);
                break;
            case Outcome.UNLINKABLE:
                out.v(outcome.statement);
                out.str(outcome.message);
                break;
            default:
                out.v(outcome.statement);
                break;
        }
    }

    private boolean isDetailed(int flags, Throwable thrown, int operation) {
        BitSet operations = known.get(thrown.getClass());
        if (operations == null) known.put(thrown.getClass(), operations = new BitSet());
        boolean seen = operation < 0 || operations.get(operation);
        if (!seen) operations.set(operation);
        return !seen || (flags & Interpreter.EXCEPTIONS) != 0;
    }

    private boolean probes(Probes probes) {
        if (probes.hitCount == 0) return false;
        out.v(probes.hitCount / 2);
        for (int i = 0; i < probes.hitCount; i++) out.v(probes.hits[i]);
        return true;
    }

    private boolean operands(Target target) {
        byte[] compared = Hooks.compared;
        int n = 0;
        for (int site = 0; site < compared.length; site++) {
            byte kind = compared[site];
            if (kind == 0) continue;
            compared[site] = 0;
            n++;
            operands.output.v(site);
            if (kind == Hooks.OBJECTS) {
                target.values.write(operands, Hooks.leftObject[site], false);
                target.values.write(operands, Hooks.rightObject[site], false);
                Hooks.leftObject[site] = null;
                Hooks.rightObject[site] = null;
            } else {
                byte type = (byte) (kind == Hooks.LONGS ? 'J' : kind == Hooks.FLOATS ? 'F' : kind == Hooks.DOUBLES ? 'D' : 'I');
                Values.primitive(operands.output, 0, type, Hooks.left[site]);
                if (kind == Hooks.SWITCH) operands.output.u8(0);
                else Values.primitive(operands.output, 0, type, Hooks.right[site]);
            }
        }
        if (n == 0) return false;
        out.v(n);
        operands.copyTo(out, reporter);
        return true;
    }

    private void look(Interpreter run, Observer observer, int statements) {
        if ((run.flags & Interpreter.OBSERVE_ALL) != 0) observer.all(run.slots, statements - 1, run);
        else if ((run.flags & Interpreter.OBSERVE_LAST) != 0 && !run.isMissing(statements - 1)) observer.last(run.slots, statements - 1);
    }

    private boolean contracts(Interpreter run, Target target, Observer observer) {
        if (run.isMissing(run.lastStatement())) return false;
        int[] variables = observer.lastVariables(run.lastStatement());
        violations.clear();
        int n = target.contracts.check(violations, reporter, run.lastStatement(), variables, run.slots);
        if (n == 0) return false;
        out.v(n);
        out.append(violations);
        return true;
    }

    private void passedOver(Interpreter run, Target target) {
        out.v(run.passedOver.size());
        for (Object[] each : run.passedOver) {
            Throwable thrown = (Throwable) each[1];
            out.v((Integer) each[0]);
            reporter.thrown(out, thrown, isDetailed(run.flags, thrown, (Integer) each[2]), target.shapes);
        }
    }

    /** Sends what is ready. */
    void flush(int batch) throws IOException {
        Output head = new Output(ROOM);
        head.v(batch);
        head.v(count);
        int from = ROOM - head.length - 5;
        System.arraycopy(head.bytes, 0, out.bytes, from + 5, head.length);
        channel.sendFramed(RESULTS, out.bytes, from, out.length);
        beginBatch();
    }
}
