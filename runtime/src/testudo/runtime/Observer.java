package testudo.runtime;

import java.util.Arrays;

/**
 * Looks at the values of a sequence: class, state, equals class, content, and whether a statement changed its arguments. Owns the draft of observations; never runs a
 * statement.
 */
final class Observer {
    private static final int CLASS = 1;
    private static final int STATE = 2;
    private static final int EQUALS_CLASS = 4;
    private static final int VALUE = 8;
    private static final int CHANGED_KNOWN = 16;
    private static final int CHANGED = 32;
    private static final int EQUALS_STATE = 64;
    private static final int SAME = 128;
    private static final int WORDS_PER_STEP = 4;
    private static final int STEPS = 1 << 28;

    private final Target target;
    private final Draft draft = new Draft();
    private int flags;
    private int count;
    /** What the linearizer had done before this sequence. */
    private long wordsBefore;

    /** The distinct variables the last statement took, and their states before it. */
    private int[] arguments = new int[16];
    private long[] low = new long[16];
    private long[] high = new long[16];
    private int argumentCount;

    Observer(Target target) {
        this.target = target;
    }

    /** Forgets the last sequence; {@code flags} say what to look at in the next. */
    void begin(int flags) {
        this.flags = flags;
        count = 0;
        argumentCount = 0;
        wordsBefore = target.linearizer.words;
        draft.clear();
    }

    /** Notes what the last statement takes; {@code list} is the offset of its argument list, or -1. */
    void beforeLast(Object[] slots, byte[] message, int list) {
        argumentCount = 0;
        if (list < 0) return;
        int n = Args.count(message, list);
        for (int i = 0; i < n; i++) add(Args.slot(message, list, i));
        if ((flags & Interpreter.STATES) == 0) return;
        for (int i = 0; i < argumentCount; i++) {
            target.linearizer.hash(slots[arguments[i]]);
            low[i] = target.linearizer.low;
            high[i] = target.linearizer.high;
        }
    }

    private void add(int variable) {
        for (int i = 0; i < argumentCount; i++) if (arguments[i] == variable) return;
        if (argumentCount == arguments.length) {
            arguments = Arrays.copyOf(arguments, argumentCount * 2);
            low = Arrays.copyOf(low, argumentCount * 2);
            high = Arrays.copyOf(high, argumentCount * 2);
        }
        arguments[argumentCount++] = variable;
    }

    /** The result of a statement right after it. Equals classes wait for the end, because finding them runs user code. */
    void afterStatement(Object[] slots, int statement) {
        target.linearizer.hash((flags & Interpreter.STATES) != 0 ? slots[statement] : null);
        look(slots, statement, statement, target.linearizer.low, target.linearizer.high, -1, false);
    }

    /** The result and the arguments of the last statement. */
    void last(Object[] slots, int statement) {
        looks(slots, statement, lastVariables(statement));
    }

    /** Every variable once more. */
    void all(Object[] slots, int statement, Interpreter run) {
        int[] variables = new int[statement + 1];
        int n = 0;
        for (int variable = 0; variable <= statement; variable++) if (!run.isMissing(variable)) variables[n++] = variable;
        looks(slots, statement, Arrays.copyOf(variables, n));
    }

    /** States first: an equals method may change what it compares. */
    private void looks(Object[] slots, int statement, int[] variables) {
        boolean states = (flags & Interpreter.STATES) != 0;
        long[] hashes = states ? new long[2 * variables.length] : null;
        for (int i = 0; states && i < variables.length; i++) {
            target.linearizer.hash(slots[variables[i]]);
            hashes[2 * i] = target.linearizer.low;
            hashes[2 * i + 1] = target.linearizer.high;
        }
        for (int i = 0; i < variables.length; i++) {
            int argument = -1;
            for (int k = 0; k < argumentCount; k++) if (arguments[k] == variables[i]) argument = k;
            look(slots, statement, variables[i], states ? hashes[2 * i] : 0, states ? hashes[2 * i + 1] : 0, argument, true);
        }
    }

    private void look(Object[] slots, int statement, int variable, long nowLow, long nowHigh, int argument, boolean atEnd) {
        Object value = slots[variable];
        Shape shape = value == null ? null : target.shapes.of(value);
        boolean telling = Values.isTelling(shape);
        int equalsClass = EqualsClasses.NONE;
        int shown = (shape != null ? CLASS : 0) | (telling ? VALUE : 0);
        if ((flags & Interpreter.STATES) != 0) {
            if (shape != null) shown |= STATE;
            if (argument >= 0) shown |= nowLow != low[argument] || nowHigh != high[argument] ? CHANGED_KNOWN | CHANGED : CHANGED_KNOWN;
        }
        if (atEnd && (flags & Interpreter.EQUALS_CLASSES) != 0 && shape != null && shape.kind != Shape.BOX) {
            equalsClass = target.equalsClasses.number(value, shape);
            if (equalsClass != EqualsClasses.NONE) shown |= EQUALS_CLASS;
        }
        Equivalence.Verdict verdict = null;
        if (atEnd && target.equivalence != null && (shown & STATE) != 0 && !telling) {
            verdict = target.equivalence.of(value, shape, nowLow, nowHigh, Strand.current());
            if (verdict.hasState) shown |= EQUALS_STATE;
        }
        int same = telling || (flags & Interpreter.VALUES) == 0 ? variable : first(slots, variable);
        if (same < variable) shown |= SAME;
        Output out = draft.output;
        out.v(statement);
        out.v(variable);
        out.u8(shown);
        if (shape != null) draft.classHere(shape);
        if ((shown & STATE) != 0) {
            out.u64(nowLow);
            out.u64(nowHigh);
        }
        if ((shown & EQUALS_CLASS) != 0) out.v(equalsClass);
        if ((shown & EQUALS_STATE) != 0) {
            out.u64(verdict.low);
            out.u64(verdict.high);
        }
        if (telling) target.values.write(draft, value, (flags & Interpreter.VALUES) != 0);
        if ((shown & SAME) != 0) out.v(same);
        count++;
    }

    /** The first variable that holds this very object. */
    private static int first(Object[] slots, int variable) {
        int first = 0;
        while (slots[first] != slots[variable]) first++;
        return first;
    }

    /** What looking at large values cost so far, in steps; small ones cost nothing worth counting. */
    int steps() {
        return (int) Math.min((target.linearizer.words - wordsBefore) / WORDS_PER_STEP, STEPS);
    }

    int count() {
        return count;
    }

    /** Writes all observations to their place. */
    void copyTo(Output out, Reporter reporter) {
        out.v(count);
        draft.copyTo(out, reporter);
        count = 0;
    }

    /** The variables of the last statement: its result, then what it took, each once. */
    int[] lastVariables(int statement) {
        int[] variables = new int[argumentCount + 1];
        variables[0] = statement;
        System.arraycopy(arguments, 0, variables, 1, argumentCount);
        return variables;
    }
}
