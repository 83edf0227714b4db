package testudo.runtime;

import java.util.Arrays;

/** Values are sent whole, cut or by class, as their size says. */
final class ValuesTest {
    private ValuesTest() {}

    static void run() {
        check(null, false, "00");
        check(1, false, "45 02");
        check('a', false, "43 61");
        check(true, false, "41 01");
        check(new int[] {1, -1}, false, "0d 02 5b 49 02 05 02 05 01");
        check("a\ud800", false, "09 04 61 ed a0 80");
        check(int.class, false, "0a 01 49");
        check(new int[65], false, "0e 02 5b 49 41");
        check(text(1001), false, "0c e9 07");
        Check.equal("whole string", size(text(1001), true) > 1001, true);
        Check.equal("whole array", size(new byte[1000], true) > 1000, true);
        check(new Object[][][][][] {{{{{}}}}}, false, null);
        Object[] loop = new Object[64];
        Arrays.fill(loop, loop);
        Check.equal("bounded", size(loop, true) < 100_000, true);
    }

    private static String text(int length) {
        char[] units = new char[length];
        Arrays.fill(units, 'x');
        return new String(units);
    }

    private static int size(Object value, boolean whole) {
        return write(value, whole).length;
    }

    private static Output write(Object value, boolean whole) {
        Draft draft = new Draft();
        Output out = new Output(16);
        new Values(new Shapes()).write(draft, value, whole);
        draft.copyTo(out, new Reporter());
        return out;
    }

    private static void check(Object value, boolean whole, String expected) {
        Output out = write(value, whole);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < out.length; i++) text.append(i > 0 ? " " : "").append(String.format("%02x", out.bytes[i]));
        if (expected == null) Check.equal("deep array ends as an object", text.toString().contains(" 0f 01 "), true);
        else Check.equal("value", text.toString(), expected);
    }
}
