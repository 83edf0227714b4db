package testudo.runtime;

/**
 * What code under test may leave on the thread it ran on: the interrupt flag, thread-local values, the context class loader. Owns wiping them, so that no sequence sees
 * another's; never touches other threads.
 */
final class ThreadTraces {
    private static final long LOCALS = Memory.UNSAFE.objectFieldOffset(Thread.class, "threadLocals");
    private static final long INHERITABLE_LOCALS = Memory.UNSAFE.objectFieldOffset(Thread.class, "inheritableThreadLocals");

    private final Thread thread = Thread.currentThread();

    void wipe(ClassLoader context) {
        Thread.interrupted();
        if (Memory.reference(thread, LOCALS) != null) Memory.putReference(thread, LOCALS, null);
        if (Memory.reference(thread, INHERITABLE_LOCALS) != null) Memory.putReference(thread, INHERITABLE_LOCALS, null);
        if (thread.getContextClassLoader() != context) thread.setContextClassLoader(context);
    }
}
