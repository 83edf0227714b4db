package subjects;

/** Counts, and can be made to count wrongly: for tests of mutants. */
public class Counter {
    static int instances;
    private int count;

    static final int STEP = Setup.compute(2);

    /** Initialised in the middle of a sequence. */
    static class Setup {
        static int base = compute(1);

        static int compute(int x) {
            return x * 3;
        }
    }

    public Counter() {
        instances = instances + 1;
    }

    public int up(int by) {
        for (int i = 0; i < by; i++) {
            count += 1;
        }
        return count;
    }

    public int base() {
        return Setup.base;
    }

    public static int instances() {
        return instances;
    }
}
