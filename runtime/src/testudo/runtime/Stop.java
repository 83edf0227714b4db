package testudo.runtime;

/**
 * What ends code under test that used up its steps or asked the JVM to exit. Owns nothing but its kind; never carries a stack trace, so that throwing it again
 * and again into code that swallows it stays cheap.
 */
public final class Stop extends Error {
    private static final long serialVersionUID = 1L;

    public static final int STEP_LIMIT = 1;
    public static final int EXIT = 2;

    public final int kind;
    public final int status;

    Stop(int kind, int status) {
        super(kind == EXIT ? "exit refused" : "step limit reached", null, false, false);
        this.kind = kind;
        this.status = status;
    }
}
