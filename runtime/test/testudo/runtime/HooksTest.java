package testudo.runtime;

/** Hooks mean what they replace, and the step budget ends whatever it has to end. */
final class HooksTest {
    private HooksTest() {}

    static void run() throws InterruptedException {
        comparisons();
        nulls();
        budget();
        sleeping();
    }

    private static void comparisons() {
        Hooks.open(1);
        Hooks.looking = Hooks.OPERANDS;
        double[] doubles = {0.0, -0.0, 1, -1, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.MIN_VALUE};
        for (double a : doubles) {
            for (double b : doubles) {
                int l = a > b ? 1 : a == b ? 0 : -1;
                int g = a < b ? -1 : a == b ? 0 : 1;
                Check.equal("dcmpl", Hooks.dcmpl(a, b, 0), l);
                Check.equal("dcmpg", Hooks.dcmpg(a, b, 0), g);
                Check.equal("fcmpl", Hooks.fcmpl((float) a, (float) b, 0), (float) a > (float) b ? 1 : (float) a == (float) b ? 0 : -1);
                Check.equal("fcmpg", Hooks.fcmpg((float) a, (float) b, 0), (float) a < (float) b ? -1 : (float) a == (float) b ? 0 : 1);
                long x = Double.doubleToRawLongBits(a);
                long y = Double.doubleToRawLongBits(b);
                Check.equal("lcmp", Hooks.lcmp(x, y, 0), Long.compare(x, y));
            }
        }
        Hooks.icmp(3, 4, 0);
        Check.equal("kind", Hooks.compared[0], Hooks.INTS);
        Check.equal("left", Hooks.left[0], 3L);
        Check.equal("right", Hooks.right[0], 4L);
        Check.equal("equals", Hooks.stringEquals("a", "a", 0), true);
        Check.equal("operand", Hooks.rightObject[0], "a");
        Check.equal("contains", Hooks.stringContains("abc", "b", 0), true);
        Check.equal("index", Hooks.stringIndexOf("abc", "c", 0), 2);
        Check.equal("matches", Hooks.stringMatches("abc", "a.c", 0), true);
        Hooks.looking = 0;
    }

    private static void nulls() {
        try {
            Hooks.stringEquals(null, "a", 0);
            Check.equal("no exception", true, false);
        } catch (NullPointerException expected) {
            Check.equal("null receiver", true, true);
        }
        Check.equal("null argument", Hooks.stringEquals("a", null, 0), false);
    }

    private static void budget() {
        Hooks.begin(10);
        Check.equal("steps to the first stop", stepsUntilStop(), 11);
        Check.equal("used", Hooks.stepsUsed(), 10);
        for (int i = 0; i < 3; i++) Check.equal("patience", stepsUntilStop(), 1001);
        stepsUntilStop();
        Check.equal("no more patience", stepsUntilStop(), 1);
        Hooks.begin(10);
        try {
            Hooks.exit(4);
        } catch (Stop stop) {
            Check.equal("status", stop.status, 4);
        }
        Check.equal("kept", Hooks.stopped.kind, Stop.EXIT);
        Hooks.begin(10);
        Check.equal("forgotten", Hooks.stopped, null);
    }

    private static int stepsUntilStop() {
        for (int i = 1; ; i++) {
            try {
                Hooks.step();
            } catch (Stop stop) {
                return i;
            }
        }
    }

    private static void sleeping() throws InterruptedException {
        Hooks.begin(10_000);
        Hooks.sleep(3);
        Check.equal("sleep counts", Hooks.stepsUsed(), 3000);
        try {
            Hooks.sleep(Long.MAX_VALUE);
            Check.equal("slept for ever", true, false);
        } catch (Stop stop) {
            Check.equal("kind", stop.kind, Stop.STEP_LIMIT);
        }
    }
}
