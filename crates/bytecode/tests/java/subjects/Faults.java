import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.logging.Logger;

/** One method per kind of fault, with one known result each: what every mutant does to it is written down in the test. */
public class Faults {
    private final StringBuilder log = new StringBuilder();
    private int field = 3;
    private static final Logger LOGGER = Logger.getLogger("faults");

    static String boundary() {
        int x = 5;
        if (x < 5) {
            return "less";
        }
        return "not less";
    }

    static int doWhile(int n) {
        int s = 0;
        do {
            s += n;
        } while (s < 4);
        return s;
    }

    static boolean nulls(Object o) {
        return o == null;
    }

    static int increment(int i) {
        i++;
        return i;
    }

    static long negative(long x) {
        return -x;
    }

    static int math(int a, int b) {
        return a % b;
    }

    static long shift(long a) {
        return a >>> 40;
    }

    static double divide(double a, double b) {
        return a / b;
    }

    private void note(long a, String b, double c) {
        log.append(a).append(b).append(c);
    }

    String voidCall(String s) {
        String kept = s + "!";
        note(7L, kept, 2.5);
        return log.toString() + kept;
    }

    List<String> elements() {
        List<String> list = new ArrayList<>();
        list.add("one");
        return list;
    }

    Optional<String> optional() {
        return Optional.of("x");
    }

    List<String> none() {
        return Collections.emptyList();
    }

    Boolean boxed(int x) {
        return x > 3;
    }

    boolean yes() {
        return true;
    }

    Object object() {
        return this.getClass();
    }

    char letter() {
        return 'c';
    }

    int constant() {
        int x = 100;
        float f = 1f;
        return (int) (x * f);
    }

    int write(int x) {
        field = x;
        return field;
    }

    int forEach(List<Integer> list, int[] array) {
        int s = 0;
        for (int x : list) {
            s += x;
        }
        for (int x : array) {
            s += x;
        }
        return s;
    }

    void logged(String s) {
        LOGGER.fine("logged " + s);
    }

    int asserted(int x) {
        assert x > 3 : "too small";
        return x;
    }

    static String resource() throws Exception {
        StringBuilder out = new StringBuilder();
        try (AutoCloseable c = () -> out.append("closed")) {
            out.append("body ");
        }
        return out.toString();
    }

    static String construct(boolean b) {
        return new String(b ? new char[] {'a'} : new char[0]);
    }
}
