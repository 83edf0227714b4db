package testudo.runtime;

import java.util.Objects;

/** Compares and counts, for the tests of the runtime. Owns the tally; knows nothing of what is tested. */
final class Check {
    private static int checks;
    private static int failures;

    private Check() {}

    static void equal(String what, Object actual, Object expected) {
        checks++;
        if (Objects.equals(actual, expected)) return;
        failures++;
        System.out.println(what + ": expected " + expected + " but was " + actual);
    }

    /** Ends the test program: all is well only if something was checked and nothing failed. */
    static void end() {
        System.out.println(checks + " checks, " + failures + " failures");
        System.exit(failures == 0 && checks > 0 ? 0 : 1);
    }
}
