package testudo.runtime;

/** Encoding and decoding of the protocol's primitive forms. */
final class WireTest {
    private WireTest() {}

    static void run() {
        for (String text : new String[] {"", "a", "\u0000", "\u007f\u0080\u07ff\u0800\uffff", "\ud800", "\udc00x\ud83d\ude00"}) {
            Output out = new Output(1);
            out.str(text);
            Check.equal("string", new Input(0, copy(out)).str(), text);
        }
        for (long number : new long[] {0, 1, 127, 128, 16383, 16384, Integer.MAX_VALUE, Long.MAX_VALUE, -1, Long.MIN_VALUE}) {
            Output out = new Output(1);
            out.v(number);
            out.z(number);
            out.u64(number);
            Input in = new Input(0, copy(out));
            Check.equal("v", in.v(), number);
            Check.equal("z", in.z(), number);
            Check.equal("u64", in.u64(), number);
            Check.equal("all read", in.at, out.length);
        }
        check("", "truncated");
        check("\u0005ab", "truncated");
        byte[] wide = {2, (byte) 0x81, 1, 5};
        Args.wide = true;
        Check.equal("wide slot 0", Args.slot(wide, 0, 0), 129);
        Check.equal("wide slot 1", Args.slot(wide, 0, 1), 5);
        Args.wide = false;
        Check.equal("narrow slot", Args.slot(new byte[] {2, 7, 9}, 0, 1), 9);
    }

    private static void check(String payload, String problem) {
        byte[] bytes = new byte[payload.length()];
        for (int i = 0; i < bytes.length; i++) bytes[i] = (byte) payload.charAt(i);
        try {
            new Input(3, bytes).str();
            Check.equal("no problem with " + payload, true, false);
        } catch (Input.Problem e) {
            Check.equal(e.getMessage(), e.getMessage().contains(problem), true);
        }
    }

    private static byte[] copy(Output out) {
        return java.util.Arrays.copyOf(out.bytes, out.length);
    }
}
