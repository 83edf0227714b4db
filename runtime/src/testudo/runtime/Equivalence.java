package testudo.runtime;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the {@code equals} of its class says about an object: the part of its state that is compared, and its class of equal objects. Owns the representatives, which are
 * copies, so that nothing a test does later changes them, and the reasons why nothing can be said. Works on copies; an original that was changed all the same is restored.
 */
final class Equivalence {
    static final int NO_EQUALS = 1;
    static final int THREW = 2;
    static final int LOOPED = 3;
    static final int WROTE = 4;
    static final int IRREFLEXIVE = 5;
    static final int NOT_COPIED = 6;
    static final int TOO_LARGE = 7;

    private static final int LARGEST = 10_000;
    private static final int REPRESENTATIVES = 10_000;
    private static final int REMEMBERED = 1_000_000;

    /** What is the same for all objects of one JVM. */
    static final class Settings {
        int probes;
        /** Of the JVM: numbers of two generations are never the same. */
        long generation;
        FieldTable fields = new FieldTable();
        /** Reads are told of everywhere, not in the code under test alone. */
        boolean watchesAll = true;
        /** Names of classes whose methods are not to be called. */
        String[] hopeless = {};
    }

    /** The answer for one object. */
    static final class Verdict {
        boolean hasState;
        long low;
        long high;
        /** -1: none. */
        long number = -1;
        /** 0: none. */
        int fallback;
    }

    /** Equal by concrete state. */
    private static final class Key {
        final Shape shape;
        final long low;
        final long high;

        Key(Shape shape, long low, long high) {
            this.shape = shape;
            this.low = low;
            this.high = high;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key && ((Key) other).shape == shape && ((Key) other).low == low && ((Key) other).high == high;
        }

        @Override
        public int hashCode() {
            return (int) (low ^ low >>> 32);
        }
    }

    /** The representatives of one run-time class. */
    private static final class Group {
        final Map<Integer, List<Object>> values = new HashMap<Integer, List<Object>>();
        final Map<Integer, List<Long>> numbers = new HashMap<Integer, List<Long>>();
        int count;
        /** Set once a comparison changed what it compared: no representative is to be trusted then. */
        boolean spoilt;
    }

    private final Linearizer linearizer;
    private final Linearizer values;
    private final Copier left;
    private final Copier right;
    private final EqualsReads reads;
    final EqualsTrial trial;
    private final boolean watchesAll;
    private final boolean wantsState;
    private final boolean wantsNumber;
    private final Set<String> hopeless = new HashSet<String>();
    private final Map<Key, Verdict> known = new HashMap<Key, Verdict>();
    private final Map<Shape, Group> groups = new HashMap<Shape, Group>();
    private long next;

    Equivalence(Shapes shapes, Settings settings, boolean wantsState, boolean wantsNumber) {
        watchesAll = settings.watchesAll;
        this.wantsState = wantsState;
        this.wantsNumber = wantsNumber;
        linearizer = new Linearizer(shapes, LARGEST);
        values = new Linearizer(shapes, LARGEST);
        left = new Copier(shapes, LARGEST);
        right = new Copier(shapes, LARGEST);
        reads = new EqualsReads(shapes, settings.fields);
        trial = new EqualsTrial(settings.probes);
        next = settings.generation << 32;
        for (String name : settings.hopeless) hopeless.add(name);
    }

    /** The state is that of the whole object; equal states get equal answers without asking again. */
    Verdict of(Object value, Shape shape, long low, long high, Strand strand) {
        Key key = new Key(shape, low, high);
        Verdict verdict = known.get(key);
        if (verdict != null) return verdict;
        verdict = new Verdict();
        if (shape.traits == null) shape.traits = new Traits(shape.type);
        if (!shape.traits.ownEquals) verdict.fallback = NO_EQUALS;
        else if (hopeless.contains(shape.name)) verdict.fallback = LOOPED;
        else if (shape.kind == Shape.TEXT) whole(verdict, value, shape, low, high, strand);
        else if (!Copier.isCopied(shape)) verdict.fallback = NOT_COPIED;
        else look(verdict, value, shape, low, high, strand);
        left.forget();
        right.forget();
        reads.clear();
        if (known.size() < REMEMBERED) known.put(key, verdict);
        return verdict;
    }

    /** A value that is nothing but what it is equal by. */
    private void whole(Verdict verdict, Object value, Shape shape, long low, long high, Strand strand) {
        if (wantsState) {
            verdict.hasState = true;
            verdict.low = low;
            verdict.high = high;
        }
        if (wantsNumber) number(verdict, value, value, shape, strand);
    }

    private void look(Verdict verdict, Object value, Shape shape, long low, long high, Strand strand) {
        Object a = left.copy(value);
        Object b = right.copy(value);
        if (a == null || b == null) {
            verdict.fallback = NOT_COPIED;
            return;
        }
        reads.begin(left, right);
        int answer = trial.equal(a, b, reads, strand);
        if (answer > EqualsTrial.TRUE) {
            verdict.fallback = answer == EqualsTrial.LOOPED ? LOOPED : THREW;
            return;
        }
        if (changed(a, low, high) || changed(b, low, high)) {
            verdict.fallback = WROTE;
            return;
        }
        if (answer == EqualsTrial.TRUE) {
            // What nobody watched may have been read or not.
            if (wantsState) part(verdict, a, !watchesAll);
            if (wantsNumber) number(verdict, a, b, shape, strand);
            return;
        }
        // Something in it is equal to itself alone, or it is not even that.
        reads.begin(left);
        answer = trial.equal(value, value, reads, strand);
        if (changed(value, low, high)) {
            left.restore();
            verdict.fallback = WROTE;
        } else if (answer > EqualsTrial.TRUE) {
            verdict.fallback = answer == EqualsTrial.LOOPED ? LOOPED : THREW;
        } else if (answer == EqualsTrial.FALSE) {
            verdict.fallback = IRREFLEXIVE;
        } else {
            if (wantsState && !reads.isEmpty()) part(verdict, value, true);
            if (wantsNumber || !verdict.hasState) verdict.fallback = NOT_COPIED;
        }
    }

    private boolean changed(Object value, long low, long high) {
        linearizer.hash(value);
        return linearizer.low != low || linearizer.high != high;
    }

    private void part(Verdict verdict, Object value, boolean unreadWhole) {
        reads.hash(value, unreadWhole, values);
        verdict.hasState = true;
        verdict.low = reads.low;
        verdict.high = reads.high;
    }

    /** Compares with the representatives of its class; becomes one if none is equal. */
    private void number(Verdict verdict, Object value, Object twin, Shape shape, Strand strand) {
        Group group = groups.get(shape);
        if (group == null) groups.put(shape, group = new Group());
        if (group.spoilt) {
            verdict.fallback = WROTE;
            return;
        }
        int hash = trial.hashOf(value, reads, strand);
        // A hash code that two equal copies do not share is made from identities, and says nothing.
        int bucket = hash == trial.hashOf(twin, reads, strand) ? hash : 0;
        List<Object> candidates = group.values.get(bucket);
        for (int i = 0; candidates != null && i < candidates.size(); i++) {
            Object representative = candidates.get(i);
            linearizer.hash(representative);
            long low = linearizer.low;
            long high = linearizer.high;
            int answer = trial.equal(representative, value, reads, strand);
            if (changed(representative, low, high)) {
                group.spoilt = true;
                verdict.fallback = WROTE;
                return;
            }
            if (answer > EqualsTrial.TRUE) {
                verdict.fallback = answer == EqualsTrial.LOOPED ? LOOPED : THREW;
                return;
            }
            if (answer == EqualsTrial.TRUE) {
                verdict.number = group.numbers.get(bucket).get(i);
                return;
            }
        }
        if (group.count >= REPRESENTATIVES) {
            verdict.fallback = TOO_LARGE;
            return;
        }
        group.count++;
        if (candidates == null) {
            group.values.put(bucket, candidates = new ArrayList<Object>(1));
            group.numbers.put(bucket, new ArrayList<Long>(1));
        }
        candidates.add(value);
        group.numbers.get(bucket).add(next);
        verdict.number = next++;
    }
}
