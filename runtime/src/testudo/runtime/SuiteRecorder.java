package testudo.runtime;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Writes down the calls and assertions of the running test, with the states of the values involved. Owns the events of one run, the numbers of its objects, and how much
 * is looked at; knows no framework. Everything happens under its own lock, because tests may have threads.
 */
final class SuiteRecorder {
    static final int EVENTS = 0xc2;
    static final int STATES = 1;
    static final int WRITES = 2;
    static final int EQUALS_READS = 4;
    static final int EQUALS_CLASSES = 8;

    /** Larger graphs are not followed to their end. */
    private static final int LARGEST = 100_000;
    /** Calls and assertions kept of one run. */
    private static final int MOST = 50_000;
    /** Objects and elements walked for one run. What comes after that much is only counted: it would cost more than the test. */
    private static final long WALKED = 2_000_000;
    private static final int FLUSH = 1 << 20;
    private static final int LONGEST_STRING = 30_000;

    private static final int CALL = 1;
    private static final int ASSERTION = 2;
    private static final int CLASS = 3;
    private static final int OBJECT = 0x20;
    private static final int RETURNED = 0;
    private static final int THREW = 1;
    private static final int OPEN = 2;
    private static final long K = 0x9e3779b97f4a7c15L;

    private final Channel channel;
    private final int needs;
    private final Set<String> targets;
    private final Set<String> tests;
    private final Shapes shapes = new Shapes(true);
    private final Shapes plainShapes = new Shapes();
    private final Linearizer linearizer = new Linearizer(shapes, LARGEST);
    private final Linearizer assertionLinearizer = new Linearizer(plainShapes);
    /** Classes by number, and those whose names are in events that were not sent. */
    private int numbered;
    private final List<Shape> named = new ArrayList<Shape>();
    final Equivalence equivalence;
    private final Reachable reach = new Reachable(shapes, LARGEST);

    private final Output events = new Output(4096);
    private final Identity objects = new Identity();
    private final Identity written = new Identity();
    private int openCalls;
    private boolean running;
    /** Between two tests of a class, where the next one's object is made. */
    private boolean between;
    private int recorded;
    private long unrecorded;
    private long walked;
    /** Makes states that were not followed to the end equal to no other. */
    private long unique;

    SuiteRecorder(Channel channel, int needs, Set<String> targets, Set<String> tests, Equivalence.Settings settings) {
        this.channel = channel;
        this.needs = needs;
        this.targets = targets;
        this.tests = new HashSet<String>(tests);
        this.tests.removeAll(targets);
        unique = settings.generation << 40;
        boolean equals = (needs & (EQUALS_READS | EQUALS_CLASSES)) != 0;
        equivalence = equals ? new Equivalence(shapes, settings, (needs & EQUALS_READS) != 0, (needs & EQUALS_CLASSES) != 0) : null;
    }

    // The run.

    synchronized void start() {
        running = true;
        between = false;
    }

    /** What was recorded since the last test and belongs to none is forgotten. */
    synchronized void boundary() {
        if (running) return;
        between = true;
        forget();
        // Nobody has heard of these names.
        for (Shape shape : named) shape.number = 0;
        numbered -= named.size();
        named.clear();
    }

    /** Sends the rest of a run; tells how many events were too many. */
    synchronized long finish() throws IOException {
        for (Strand strand : Strand.all()) {
            if (strand == null || strand.draft.length == 0) continue;
            end(strand, OPEN, null, null);
        }
        flush();
        long lost = unrecorded;
        running = false;
        between = true;
        forget();
        return lost;
    }

    private void forget() {
        events.clear();
        objects.clear();
        written.clear();
        recorded = 0;
        unrecorded = 0;
        walked = 0;
        openCalls = 0;
        Monitor.writing = false;
        for (Strand strand : Strand.all()) if (strand != null) strand.reset();
    }

    private void flush() throws IOException {
        if (events.length > 0) channel.send(EVENTS, events);
        events.clear();
        named.clear();
    }

    private boolean isCollecting() {
        // Fields of tests are set before the framework says that a test starts.
        return running || between && Stacks.isConstructing(tests);
    }

    /** Whether the assertion that was entered is called by a framework, for its own checks. */
    private static boolean isOfFramework() {
        String caller = Stacks.callersCaller();
        return caller.startsWith("org.junit.") || caller.startsWith("junit.framework.");
    }

    // Events.

    synchronized void entered(Strand strand, int member, byte kind, Object self, Object[] arguments) {
        if (kind == Monitor.INHERITED && !isTarget(self)) return;
        if (kind == Monitor.ASSERTION) strand.openAssertion();
        else strand.openCall();
        if (!isCollecting()) return;
        // Before looking at the stack, which takes longer than most calls.
        if (recorded >= MOST || walked >= WALKED) {
            unrecorded++;
            return;
        }
        if (kind == Monitor.ASSERTION && isOfFramework()) return;
        recorded++;
        if (kind == Monitor.ASSERTION) assertion(strand, member, self, arguments);
        else call(strand, member, self, arguments);
    }

    private boolean isTarget(Object self) {
        if (self == null) return false;
        for (Class<?> type = self.getClass(); type != null; type = type.getSuperclass()) if (targets.contains(type.getName())) return true;
        return false;
    }

    private void assertion(Strand strand, int member, Object self, Object[] arguments) {
        Object[] values = arguments;
        if (self != null) {
            values = new Object[arguments.length + 1];
            values[0] = self;
            for (int i = 0; i < arguments.length; i++) values[i + 1] = arguments[i];
        }
        assertionLinearizer.hashAll(values, values.length);
        count(assertionLinearizer);
        Output out = strand.assertionDraft;
        out.clear();
        out.u8(ASSERTION);
        out.v(member);
        out.u64(assertionLinearizer.truncated ? ++unique * K : assertionLinearizer.low);
        out.u64(assertionLinearizer.high);
    }

    private void call(Strand strand, int member, Object self, Object[] arguments) {
        int receiver = self == null ? 0 : 1;
        int n = arguments.length + receiver;
        Object[] values = new Object[n];
        if (self != null) values[0] = self;
        for (int i = 0; i < arguments.length; i++) values[receiver + i] = arguments[i];
        strand.values = values;
        strand.valueCount = n;
        if (strand.low.length < n) {
            strand.low = new long[n];
            strand.high = new long[n];
        }
        Output out = strand.draft;
        out.clear();
        out.u8(CALL);
        out.v(member);
        out.v(n);
        int graphs = 0;
        long low = K;
        long high = n;
        for (int i = 0; i < n; i++) {
            graphs += value(out, values[i], strand, i) ? 1 : 0;
            low = Long.rotateLeft((low ^ strand.low[i]) * K, 29);
            high = Long.rotateLeft((high ^ strand.high[i]) * K, 31);
        }
        if ((needs & STATES) == 0) {
            out.u8(0);
        } else {
            // With a single graph among the values there is no sharing between them.
            if (graphs > 1) {
                linearizer.hashAll(values, n);
                count(linearizer);
                low = linearizer.truncated ? ++unique * K : linearizer.low;
                high = linearizer.high;
            }
            out.u8(1);
            out.u64(low);
            out.u64(high);
        }
        if ((needs & WRITES) != 0 && openCalls++ == 0) {
            written.clear();
            Monitor.writing = true;
        }
    }

    /** Writes a value and keeps its state; whether it is a graph of objects. */
    private boolean value(Output out, Object value, Strand strand, int at) {
        linearizer.hash((needs & STATES) != 0 || value == null || shapes.of(value).kind != Shape.OBJECT ? value : null);
        long low = linearizer.low;
        long high = linearizer.high;
        boolean cut = linearizer.truncated;
        count(linearizer);
        if (at >= 0) {
            strand.low[at] = low;
            strand.high[at] = high;
        }
        if (value == null) {
            out.u8(0);
            return false;
        }
        Shape shape = shapes.of(value);
        switch (shape.kind) {
            case Shape.BOX:
                Values.primitive(out, 0x40, shape.primitive, Linearizer.bits(value, shape.primitive));
                return false;
            case Shape.STRING:
                if (((String) value).length() > LONGEST_STRING) break;
                out.u8(9);
                out.str((String) value);
                return false;
            case Shape.CLASS:
                // It is a class, but no type that a value could have.
                if (value == void.class) break;
                out.u8(10);
                out.str(Values.descriptor((Class<?>) value));
                return false;
            case Shape.ENUM:
                out.u8(11);
                out.str(Shape.nameOf(((Enum<?>) value).getDeclaringClass()));
                out.str(((Enum<?>) value).name());
                return false;
            default:
                break;
        }
        if (cut && at >= 0) strand.low[at] = ++unique * K;
        object(out, value, shape, cut, cut ? (at >= 0 ? strand.low[at] : ++unique * K) : low, high, strand);
        return shape.kind == Shape.OBJECT || shape.kind >= Shape.REFERENCES;
    }

    private void object(Output out, Object value, Shape shape, boolean cut, long low, long high, Strand strand) {
        boolean states = (needs & STATES) != 0;
        Equivalence.Verdict verdict = null;
        if (equivalence != null && !cut) verdict = equivalence.of(value, shape, low, high, strand);
        int fallback = cut ? Equivalence.TOO_LARGE : verdict == null ? 0 : verdict.fallback;
        boolean hasState = verdict != null && verdict.hasState;
        boolean hasNumber = verdict != null && verdict.number >= 0;
        out.u8(OBJECT);
        out.v(objects.number(value));
        reference(out, shape);
        out.u8((states ? 1 : 0) | (hasState ? 2 : 0) | (hasNumber ? 4 : 0) | fallback << 3);
        if (states) {
            out.u64(low);
            out.u64(high);
        }
        if (hasState) {
            out.u64(verdict.low);
            out.u64(verdict.high);
        }
        if (hasNumber) out.v(verdict.number);
    }

    /** A class by its number. Its name goes ahead of everything that is not finished, because calls of several threads end in any order. */
    private void reference(Output out, Shape shape) {
        if (shape.number == 0) {
            shape.number = ++numbered;
            named.add(shape);
            events.u8(CLASS);
            events.v(shape.number);
            events.str(shape.name);
        }
        out.v(shape.number);
    }

    private void count(Linearizer used) {
        walked += used.found + used.words;
        used.words = 0;
    }

    synchronized void ended(Strand strand, int what, Object result, Throwable thrown) {
        if ((what & Strand.ASSERTION) != 0 && strand.assertionDraft.length > 0) {
            events.append(strand.assertionDraft);
            strand.assertionDraft.clear();
        }
        if ((what & (Strand.CALL | Strand.LOST_CALL)) != 0 && strand.draft.length > 0) {
            end(strand, (what & Strand.LOST_CALL) != 0 ? OPEN : thrown != null ? THREW : RETURNED, result, thrown);
        }
    }

    private void end(Strand strand, int how, Object result, Throwable thrown) {
        Output out = strand.draft;
        // What is written now is the runtime's doing.
        boolean[] changed = (needs & WRITES) != 0 ? changed(strand) : null;
        out.u8(how);
        if (how == RETURNED) value(out, result, strand, -1);
        else if (how == THREW) reference(out, shapes.of(thrown));
        out.v(changed == null ? 0 : changed.length);
        for (int i = 0; changed != null && i < changed.length; i++) out.u8(changed[i] ? 1 : 0);
        events.append(out);
        strand.closeCall();
        if ((needs & WRITES) != 0 && --openCalls <= 0) {
            openCalls = 0;
            Monitor.writing = false;
        }
        if (events.length < FLUSH || !running) return;
        try {
            flush();
        } catch (IOException nobodyListens) {
            Runtime.getRuntime().halt(Suite.BROKEN);
        }
    }

    /** Which values had something written that can be reached from them, or have another state now. */
    private boolean[] changed(Strand strand) {
        boolean[] changed = new boolean[strand.valueCount];
        for (int i = 0; i < changed.length; i++) {
            Object value = strand.values[i];
            if (value == null) continue;
            int kind = shapes.of(value).kind;
            if (kind != Shape.OBJECT && kind < Shape.REFERENCES) continue;
            linearizer.hash(value);
            count(linearizer);
            changed[i] = linearizer.low != strand.low[i] || linearizer.high != strand.high[i] || written.count() > 0 && reach.any(value, written);
        }
        return changed;
    }

    synchronized void wrote(Object owner) {
        written.number(owner);
    }
}
