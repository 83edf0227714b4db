package testudo.runtime;

import java.util.Arrays;

/**
 * How near a run comes to the outcomes of the comparisons that are watched. Owns the least distance per slot and which slots the running sequence touched; what a
 * distance between two values is, {@link Grade} says. Never decides which site matters.
 */
final class Distances {
    /** Rules of watched sites; 0 = not watched. 1–6 are relations: what has to hold for the jump. */
    static final int EQUAL = 1;
    static final int NOT_EQUAL = 2;
    static final int LESS = 3;
    static final int GREATER_OR_EQUAL = 4;
    static final int GREATER = 5;
    static final int LESS_OR_EQUAL = 6;
    static final int KEYS = 7;
    static final int STRINGS = 8;

    /** Farther than everything that can be measured. */
    private static final double FAR = 1e300;
    private static final double UNTOUCHED = -1;

    private static byte[] rules = new byte[0];
    private static int[] slots = new int[0];
    private static Object[] outcomes = new Object[0];
    private static double[] least = new double[0];
    /** Slots the running sequence touched. */
    private static int[] touched = new int[64];
    private static int count;

    private Distances() {}

    /** A new target: nothing is watched. */
    static void open(int sites) {
        rules = new byte[sites];
        slots = new int[sites];
        outcomes = new Object[sites];
        least = new double[0];
        count = 0;
    }

    /** Reads {@code WATCH}. */
    static void read(Input in) {
        open(rules.length);
        int n = in.bounded(in.count());
        int end = 0;
        for (int i = 0; i < n; i++) {
            int site = in.count();
            int slot = in.count();
            int rule = in.u8();
            Object outcome = rule == KEYS ? keys(in) : rule == STRINGS ? in.strings() : null;
            if (site >= rules.length || rule < EQUAL || rule > STRINGS) throw new Input.Problem("site " + site + " cannot be watched by rule " + rule);
            int size = rule == KEYS ? ((int[]) outcome).length : rule == STRINGS ? ((String[]) outcome).length : 2;
            rules[site] = (byte) rule;
            slots[site] = slot;
            outcomes[site] = outcome;
            end = Math.max(end, slot + size);
        }
        if (end > Hooks.SITES * 4) throw new Input.Problem(end + " slots are too many");
        least = new double[end];
        Arrays.fill(least, UNTOUCHED);
    }

    private static int[] keys(Input in) {
        int[] keys = new int[in.bounded(in.count())];
        for (int i = 0; i < keys.length; i++) keys[i] = (int) in.z();
        return keys;
    }

    /** Whether anything is to be measured at this site. */
    static boolean isWatched(int site) {
        return rules[site] != 0;
    }

    /** Two numbers were compared; this is their difference, exactly enough. */
    static void difference(double by, int site) {
        int rule = rules[site];
        if (rule == 0) return;
        int slot = slots[site];
        switch (rule) {
            case EQUAL:
                sides(slot, Math.abs(by), by == 0 ? 1 : 0);
                break;
            case NOT_EQUAL:
                sides(slot, by == 0 ? 1 : 0, Math.abs(by));
                break;
            case LESS:
                sides(slot, by < 0 ? 0 : by + 1, by < 0 ? -by : 0);
                break;
            case GREATER_OR_EQUAL:
                sides(slot, by < 0 ? -by : 0, by < 0 ? 0 : by + 1);
                break;
            case GREATER:
                sides(slot, by > 0 ? 0 : 1 - by, by > 0 ? by : 0);
                break;
            case LESS_OR_EQUAL:
                sides(slot, by > 0 ? by : 0, by > 0 ? 0 : 1 - by);
                break;
            default:
                break;
        }
    }

    /** Two numbers were compared with this result. Where there is no difference, as with NaN, they are far apart in the direction of the result. */
    static void fraction(double a, double b, int result, int site) {
        double by = a == b ? 0 : a - b;
        difference(by != by ? result * FAR : Math.max(-FAR, Math.min(FAR, by)), site);
    }

    static void longs(long a, long b, int site) {
        long by = a - b;
        // Beyond the range of long, exactness does not matter.
        boolean overflows = ((a ^ b) & (a ^ by)) < 0;
        difference(overflows ? (double) a - (double) b : by, site);
    }

    /** Something was true or false; so far was it from the contrary. */
    static void truth(boolean result, double fromContrary, int site) {
        int rule = rules[site];
        double toTrue = result ? 0 : fromContrary;
        double toFalse = result ? fromContrary : 0;
        if (rule == NOT_EQUAL) sides(slots[site], toTrue, toFalse);
        else if (rule == EQUAL) sides(slots[site], toFalse, toTrue);
    }

    /** Strings were ordered: how far they are from being equal is told by more than the result. */
    static void order(int result, double fromEqual, int site) {
        int rule = rules[site];
        if (rule == EQUAL) sides(slots[site], fromEqual, result == 0 ? 1 : 0);
        else if (rule == NOT_EQUAL) sides(slots[site], result == 0 ? 1 : 0, fromEqual);
        else difference(result, site);
    }

    /** A switch over this value. */
    static void value(int value, int site) {
        if (rules[site] != KEYS) return;
        int[] keys = (int[]) outcomes[site];
        int slot = slots[site];
        for (int i = 0; i < keys.length; i++) side(slot + i, Math.abs((double) value - keys[i]));
    }

    /** A switch over this string. */
    static void string(String value, int site) {
        if (rules[site] != STRINGS) return;
        String[] strings = (String[]) outcomes[site];
        int slot = slots[site];
        for (int i = 0; i < strings.length; i++) side(slot + i, Grade.equal(value, strings[i]));
    }

    private static void sides(int slot, double taken, double not) {
        side(slot, taken);
        side(slot + 1, not);
    }

    private static void side(int slot, double distance) {
        double before = least[slot];
        if (before == UNTOUCHED) {
            if (count == touched.length) touched = Arrays.copyOf(touched, count * 2);
            touched[count++] = slot;
            least[slot] = distance;
        } else if (distance < before) {
            least[slot] = distance;
        }
    }

    /** Writes what the sequence came near to without reaching it, and forgets it. Says whether there was anything. */
    static boolean write(Output out) {
        int n = 0;
        for (int i = 0; i < count; i++) {
            int slot = touched[i];
            if (least[slot] > 0) touched[n++] = slot;
            else least[slot] = UNTOUCHED;
        }
        count = 0;
        if (n == 0) return false;
        out.v(n);
        for (int i = 0; i < n; i++) {
            int slot = touched[i];
            out.v(slot);
            out.u64(Double.doubleToRawLongBits(least[slot]));
            least[slot] = UNTOUCHED;
        }
        return true;
    }
}
