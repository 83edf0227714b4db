package testudo.runtime;

/** How a sequence ended. Owns the classification of what came out of a statement; reused for every sequence. */
final class Outcome {
    static final int NORMAL = 0;
    static final int THREW = 1;
    static final int STEP_LIMIT = 2;
    static final int STACK_OVERFLOW = 3;
    static final int OUT_OF_MEMORY = 4;
    static final int EXIT = 5;
    static final int THREADS_LEFT = 6;
    static final int UNLINKABLE = 7;

    int kind;
    int statement;
    Throwable thrown;
    String message;
    /** Exit status, or number of threads. */
    int number;

    void normal() {
        kind = NORMAL;
        thrown = null;
        message = null;
    }

    void stopped(int statement, Stop stop) {
        this.statement = statement;
        kind = stop.kind == Stop.EXIT ? EXIT : STEP_LIMIT;
        number = stop.status;
    }

    void threadsLeft(int threads) {
        kind = THREADS_LEFT;
        number = threads;
        thrown = null;
    }

    /** What a statement threw; {@code dispatcher} is the class that ran it, or null for a constant. */
    void threw(int statement, Throwable thrown, Class<?> dispatcher) {
        this.statement = statement;
        if (Hooks.stopped != null) {
            stopped(statement, Hooks.stopped);
        } else if (thrown instanceof StackOverflowError) {
            kind = STACK_OVERFLOW;
        } else if (thrown instanceof OutOfMemoryError) {
            kind = OUT_OF_MEMORY;
        } else if (thrown instanceof Unlinkable) {
            kind = UNLINKABLE;
            message = thrown.getMessage();
        } else if (thrown instanceof LinkageError && isOurOwn((LinkageError) thrown, dispatcher)) {
            kind = UNLINKABLE;
            message = thrown.toString();
        } else {
            kind = THREW;
            this.thrown = thrown;
        }
    }

    /** Whether it was the dispatcher that could not be linked to what it calls, and not the code under test. */
    private static boolean isOurOwn(LinkageError error, Class<?> dispatcher) {
        if (dispatcher == null || error instanceof ExceptionInInitializerError) return false;
        String message = error.getMessage();
        if (error instanceof NoClassDefFoundError && message != null && message.startsWith("Could not initialize class")) return false;
        StackTraceElement[] trace = error.getStackTrace();
        return trace.length > 0 && trace[0].getClassName().equals(dispatcher.getName());
    }

    /** Whether later statements may still run after it. */
    boolean isPassable() {
        return kind == THREW;
    }

    /** Whether user code was ended from outside wherever it was, a class initialiser perhaps. */
    boolean isCut() {
        return kind == STEP_LIMIT || kind == EXIT || kind == STACK_OVERFLOW || kind == OUT_OF_MEMORY;
    }
}
