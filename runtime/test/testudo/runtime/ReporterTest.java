package testudo.runtime;

/** Class references are numbered in stream order, and numbers of what is thrown away are given again. */
final class ReporterTest {
    private ReporterTest() {}

    static void run() {
        Shapes shapes = new Shapes();
        Reporter reporter = new Reporter();
        check(reporter, shapes.of(Object.class), "1 java/lang/Object");
        check(reporter, shapes.of(Object.class), "1");
        reporter.mark();
        check(reporter, shapes.of(String.class), "2 java/lang/String");
        reporter.takeBack();
        check(reporter, shapes.of(Object.class), "1");
        check(reporter, shapes.of(Integer.class), "2 java/lang/Integer");
        check(reporter, shapes.of(String.class), "3 java/lang/String");
        reporter.mark();
        Output thrown = new Output(64);
        reporter.thrown(thrown, new IllegalStateException(), true, shapes);
        reporter.takeBack();
        Output again = new Output(64);
        reporter.thrown(again, new IllegalStateException(), false, shapes);
        Input in = new Input(0, java.util.Arrays.copyOf(again.bytes, again.length));
        Check.equal("number", in.count(), 4);
        Check.equal("name", in.str(), "java/lang/IllegalStateException");
    }

    private static void check(Reporter reporter, Shape shape, String expected) {
        Output out = new Output(16);
        reporter.reference(out, shape);
        Input in = new Input(0, java.util.Arrays.copyOf(out.bytes, out.length));
        String seen = "" + in.count();
        if (in.at < in.bytes.length) seen += " " + in.str();
        Check.equal("reference", seen, expected);
    }
}
