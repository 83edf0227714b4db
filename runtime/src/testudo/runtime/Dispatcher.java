package testudo.runtime;

/**
 * What a generated class with call stubs extends. Owns the signature of the call; implementations unbox, cast, call and box, and keep nothing.
 */
public abstract class Dispatcher {
    public Dispatcher() {}

    /**
     * Runs the operation with the dispatcher's own number {@code local}; its arguments are the slots named by the list at {@code position} of {@code message}
     * (see {@link Args}).
     */
    public abstract Object call(int local, Object[] slots, byte[] message, int position) throws Throwable;
}
