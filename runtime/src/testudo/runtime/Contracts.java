package testudo.runtime;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;

/**
 * Checks on the values of a sequence what every class promises: equals, hashCode, toString, compareTo, clone, iterators, and what the user asked for. Owns the checks and
 * the list of violations; runs user code under a step budget, and what the budget cuts short is no violation.
 */
final class Contracts {
    static final int EQUALS_REFLEXIVE = 0;
    static final int EQUALS_NULL = 1;
    static final int EQUALS_SYMMETRIC = 2;
    static final int EQUALS_HASH_CODE = 3;
    static final int EQUALS_THROWS = 4;
    static final int HASH_CODE_THROWS = 5;
    static final int TO_STRING_THROWS = 6;
    static final int TO_STRING_NULL = 7;
    static final int COMPARE_TO_ANTISYMMETRIC = 8;
    static final int COMPARE_TO_TRANSITIVE = 9;
    static final int COMPARE_TO_EQUALS = 10;
    static final int COMPARE_TO_REFLEXIVE = 11;
    static final int CLONE_EQUALS = 12;
    static final int ITERATOR_ENDS = 13;
    static final int USER = 15;

    private static final int VALUES = 4;
    private static final int STEPS = 100_000;
    /** More elements than this are endless. A test that shows it counts as far. */
    private static final int LONGEST_ITERATION = 1_000_000;
    /** For a whole iteration, beside what each element may take: enough for an endless one to be found. */
    private static final int ITERATION_STEPS = 20_000_000;

    private final Shapes shapes;
    final UserContracts user;
    private Output out;
    private Reporter reporter;
    private int statement;
    private int violations;

    Contracts(Shapes shapes, UserContracts user) {
        this.shapes = shapes;
        this.user = user;
    }

    /** Checks the values of the given variables after a statement; writes the violations and returns their number. */
    int check(Output out, Reporter reporter, int statement, int[] variables, Object[] slots) {
        this.out = out;
        this.reporter = reporter;
        this.statement = statement;
        violations = 0;
        int[] chosen = new int[VALUES];
        int n = 0;
        for (int variable : variables) {
            Object value = slots[variable];
            if (n < VALUES && value != null && !isAmong(slots, chosen, n, value) && !traits(value).generated) chosen[n++] = variable;
        }
        int[] all = Arrays.copyOf(chosen, n);
        int[] own = new int[n];
        int m = 0;
        for (int variable : all) {
            Class<?> type = slots[variable].getClass();
            if (!Shape.isPlatform(type) || Agent.isUnderTest(type)) own[m++] = variable;
        }
        for (int i = 0; i < m; i++) unary(own[i], slots[own[i]]);
        for (int i = 0; i < m; i++) {
            for (int j = i + 1; j < m; j++) pair(own[i], slots[own[i]], own[j], slots[own[j]]);
        }
        for (int i = 0; i < m; i++) {
            for (int variable : all) {
                if (Arrays.binarySearch(sorted(own, m), variable) < 0) stranger(own[i], slots[own[i]], variable, slots[variable]);
            }
        }
        triples(own, m, slots);
        for (Method method : user.all()) user(method, all, slots);
        return violations;
    }

    private static int[] sorted(int[] variables, int n) {
        int[] copy = Arrays.copyOf(variables, n);
        Arrays.sort(copy);
        return copy;
    }

    private static boolean isAmong(Object[] slots, int[] chosen, int n, Object value) {
        for (int i = 0; i < n; i++) if (slots[chosen[i]] == value) return true;
        return false;
    }

    private Traits traits(Object value) {
        Shape shape = shapes.of(value);
        if (shape.traits == null) shape.traits = new Traits(shape.type);
        return shape.traits;
    }

    private static void begin() {
        Hooks.begin(STEPS);
    }

    /** Whether an exception says that a check could not be finished, rather than that it failed. */
    private static boolean isCutShort(Throwable thrown) {
        if (thrown instanceof OutOfMemoryError) throw (OutOfMemoryError) thrown;
        return Hooks.stopped != null || thrown instanceof StackOverflowError;
    }

    private void violation(int contract, Throwable thrown, int... variables) {
        // A check that swallowed the stop may have got any result.
        if (Hooks.stopped != null) return;
        violations++;
        out.u8(contract);
        out.v(statement);
        out.v(variables.length);
        for (int variable : variables) out.v(variable);
        out.u8(thrown != null ? 1 : 0);
        if (thrown != null) reporter.thrown(out, thrown, true, shapes);
    }

    private void unary(int variable, Object value) {
        Traits traits = traits(value);
        if (traits.ownEquals) equality(variable, value);
        if (traits.ownHashCode) {
            begin();
            try {
                value.hashCode();
            } catch (Throwable thrown) {
                if (!isCutShort(thrown)) violation(HASH_CODE_THROWS, thrown, variable);
            }
        }
        if (traits.ownToString) {
            begin();
            try {
                if (value.toString() == null) violation(TO_STRING_NULL, null, variable);
            } catch (Throwable thrown) {
                if (!isCutShort(thrown)) violation(TO_STRING_THROWS, thrown, variable);
            }
        }
        if (traits.comparable) {
            Integer sign = compare(value, value);
            if (sign != null && sign != 0) violation(COMPARE_TO_REFLEXIVE, null, variable);
        }
        if (traits.clone != null) cloning(variable, value, traits);
        if (value instanceof Iterable || value instanceof Iterator) iteration(variable, value);
    }

    private void equality(int variable, Object value) {
        begin();
        try {
            if (!value.equals(value)) violation(EQUALS_REFLEXIVE, null, variable);
            begin();
            if (value.equals(null)) violation(EQUALS_NULL, null, variable);
        } catch (Throwable thrown) {
            if (!isCutShort(thrown)) violation(EQUALS_THROWS, thrown, variable);
        }
    }

    private void cloning(int variable, Object value, Traits traits) {
        begin();
        try {
            Object copy = traits.clone.invoke(value);
            begin();
            if (copy == value || copy == null || traits.ownEquals && !value.equals(copy)) violation(CLONE_EQUALS, null, variable);
        } catch (InvocationTargetException thrown) {
            // A class may refuse to be cloned.
            isCutShort(thrown.getCause());
        } catch (Throwable thrown) {
            isCutShort(thrown);
        }
    }

    private void iteration(int variable, Object value) {
        begin();
        try {
            int most = LONGEST_ITERATION;
            // What others call their size may count something else than what they iterate over.
            if (value instanceof Collection) most = Math.min(most, ((Collection<?>) value).size());
            Iterator<?> iterator = value instanceof Iterable ? ((Iterable<?>) value).iterator() : (Iterator<?>) value;
            if (iterator == null) return;
            int seen = 0;
            long steps = ITERATION_STEPS;
            while (iterator.hasNext()) {
                if (++seen > most) {
                    violation(ITERATOR_ENDS, null, variable);
                    return;
                }
                iterator.next();
                // Each element may cost its own steps, as long as all together do not take too many.
                if (Hooks.stopped != null) return;
                steps -= Hooks.stepsUsed();
                if (steps < 0) return;
                begin();
            }
        } catch (Throwable thrown) {
            // That an iterator throws is not what this contract is about.
            isCutShort(thrown);
        }
    }

    private void pair(int x, Object a, int y, Object b) {
        Traits first = traits(a);
        Traits second = traits(b);
        Boolean equal = null;
        if (first.ownEquals && second.ownEquals) {
            begin();
            try {
                equal = a.equals(b);
                begin();
                if (b.equals(a) != equal) violation(EQUALS_SYMMETRIC, null, x, y);
                begin();
                if (equal && a.hashCode() != b.hashCode()) violation(EQUALS_HASH_CODE, null, x, y);
            } catch (Throwable thrown) {
                // hashCode alone was tried before; here it is equals that throws.
                if (!isCutShort(thrown) && equal == null) violation(EQUALS_THROWS, thrown, x, y);
            }
        }
        if (first.comparable && second.comparable && a.getClass() == b.getClass()) {
            Integer forth = compare(a, b);
            Integer back = compare(b, a);
            if (forth == null || back == null) return;
            if (Integer.signum(forth) != -Integer.signum(back)) violation(COMPARE_TO_ANTISYMMETRIC, null, x, y);
            if (equal != null && equal != (forth == 0)) violation(COMPARE_TO_EQUALS, null, x, y);
        }
    }

    /** An object under test beside one of the platform: the other's {@code equals} is beyond doubt. */
    private void stranger(int x, Object a, int y, Object b) {
        if (!traits(a).ownEquals) return;
        boolean equal;
        begin();
        try {
            equal = a.equals(b);
        } catch (Throwable thrown) {
            if (!isCutShort(thrown)) violation(EQUALS_THROWS, thrown, x, y);
            return;
        }
        if (!equal) return;
        begin();
        try {
            if (!b.equals(a)) violation(EQUALS_SYMMETRIC, null, x, y);
            else if (a.hashCode() != b.hashCode()) violation(EQUALS_HASH_CODE, null, x, y);
        } catch (Throwable thrown) {
            // Whatever the other did on the way to its answer is not what this contract is about.
            isCutShort(thrown);
        }
    }

    /** The result of {@code a.compareTo(b)}, or null if it gave none: it may throw for values that cannot be compared. */
    @SuppressWarnings("unchecked")
    private static Integer compare(Object a, Object b) {
        begin();
        try {
            int result = ((Comparable<Object>) a).compareTo(b);
            return Hooks.stopped == null ? result : null;
        } catch (Throwable thrown) {
            isCutShort(thrown);
            return null;
        }
    }

    private void triples(int[] own, int m, Object[] slots) {
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < m; j++) {
                for (int k = 0; k < m; k++) {
                    if (i == j || j == k || i == k) continue;
                    Object a = slots[own[i]];
                    Object b = slots[own[j]];
                    Object c = slots[own[k]];
                    if (!traits(a).comparable || a.getClass() != b.getClass() || b.getClass() != c.getClass()) continue;
                    Integer ab = compare(a, b);
                    Integer bc = compare(b, c);
                    Integer ac = compare(a, c);
                    if (ab != null && bc != null && ac != null && ab <= 0 && bc <= 0 && ac > 0) {
                        violation(COMPARE_TO_TRANSITIVE, null, own[i], own[j], own[k]);
                        return;
                    }
                }
            }
        }
    }

    private void user(Method method, int[] all, Object[] slots) {
        Class<?>[] parameters = method.getParameterTypes();
        for (int first : all) {
            if (!UserContracts.fits(parameters[0], slots[first])) continue;
            if (parameters.length == 1) {
                apply(method, new int[] {first}, slots[first]);
                continue;
            }
            for (int second : all) {
                if (UserContracts.fits(parameters[1], slots[second])) apply(method, new int[] {first, second}, slots[first], slots[second]);
            }
        }
    }

    private void apply(Method method, int[] variables, Object... arguments) {
        begin();
        int before = violations;
        try {
            if (!UserContracts.holds(method, arguments)) violation(USER, null, variables);
        } catch (Throwable thrown) {
            if (!isCutShort(thrown)) violation(USER, thrown, variables);
        }
        if (violations > before) {
            out.str(Shape.nameOf(method.getDeclaringClass()));
            out.str(method.getName());
        }
    }
}
