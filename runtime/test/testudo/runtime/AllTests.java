package testudo.runtime;

/** Main class of the runtime's own tests. Owns the list of them. */
public final class AllTests {
    private AllTests() {}

    public static void main(String[] arguments) throws Throwable {
        WireTest.run();
        HooksTest.run();
        ProbesTest.run();
        ReporterTest.run();
        LinearizerTest.run();
        GraphTest.run();
        StaticsTest.run();
        ContractsTest.run();
        ValuesTest.run();
        StandInTest.run();
        Check.end();
    }
}
