package testudo.runtime;

import java.lang.reflect.Field;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;

/**
 * Tells whether code under test left threads running. Owns the cheap first test (has any thread been created at all?) and the slow second one (is one still alive in our
 * group?), and the pause that shows races. Never stops a thread that runs something: the brain replaces the worker.
 */
final class ThreadWatch {
    /** How long threads that are about to end are waited for. */
    private static final int PATIENCE_MILLISECONDS = 20;
    /** Longer than timers of a millisecond, which searches like, and what a busy machine may take between two calls. */
    private static final int DAWDLING_MILLISECONDS = 4;

    private final ThreadGroup group;
    private final Object base;
    /** Where the JDK counts created threads; 0 if that is not known for this JDK. */
    private final long offset;
    private long created;
    private final int baseline;
    /** Made when first needed, as most code starts no threads. */
    private Pools pools;

    /** Must be made on a thread of the group, before any user code runs. */
    ThreadWatch(ThreadGroup group) {
        this.group = group;
        Object foundBase = null;
        long foundOffset = 0;
        try {
            Field counter = Thread.class.getDeclaredField("threadSeqNumber");
            foundBase = Memory.staticBase(counter);
            foundOffset = Memory.staticOffset(counter);
        } catch (NoSuchFieldException notBefore19) {
            foundOffset = nextIdentifier();
        }
        base = foundBase;
        offset = foundOffset;
        baseline = group.activeCount();
        created = read();
    }

    /** Since 19 the counter lies in the JVM's own memory, and a constant says where. */
    private static long nextIdentifier() {
        try {
            Class<?> holder = Class.forName("java.lang.Thread$ThreadIdentifiers");
            Field address = holder.getDeclaredField("NEXT_TID_OFFSET");
            return Memory.UNSAFE.getLong(Memory.staticBase(address), Memory.staticOffset(address));
        } catch (ReflectiveOperationException unknownJdk) {
            return 0;
        }
    }

    private long read() {
        return offset == 0 ? 0 : Memory.UNSAFE.getLong(base, offset);
    }

    /** Whether the code that runs has started threads. */
    boolean hasStarted() {
        return offset != 0 && read() != created;
    }

    /** Takes its time, so that what depends on how quickly calls follow each other shows. */
    void dawdle() {
        try {
            Thread.sleep(DAWDLING_MILLISECONDS);
        } catch (InterruptedException byUserCode) {
            Thread.currentThread().interrupt();
        }
    }

    /** How many threads the code that just ran left behind. */
    int left() {
        if (offset != 0) {
            long now = read();
            if (now == created) return 0;
            created = now;
        }
        int more = alive() - baseline;
        for (int waited = 0; more > 0 && waited < PATIENCE_MILLISECONDS; waited++) {
            release();
            try {
                Thread.sleep(1);
            } catch (InterruptedException interruptedByUserCode) {
                continue;
            }
            more = alive() - baseline;
        }
        boolean areAsBefore = pools == null || pools.restore();
        return Math.max(areAsBefore ? 0 : 1, more);
    }

    /** Threads of pools that wait for more to do need not wait any longer. */
    private void release() {
        Thread[] threads = new Thread[group.activeCount() + 8];
        int n = group.enumerate(threads);
        if (pools == null) pools = new Pools();
        pools.release(threads, n);
    }

    /** Threads of the group, without those of the JDK's common pool if that has nothing to do. */
    private int alive() {
        Thread[] threads = new Thread[group.activeCount() + 8];
        int n = group.enumerate(threads);
        int idle = 0;
        for (int i = 0; i < n; i++) {
            if (!(threads[i] instanceof ForkJoinWorkerThread)) continue;
            ForkJoinPool pool = ((ForkJoinWorkerThread) threads[i]).getPool();
            if (pool == ForkJoinPool.commonPool() && pool.isQuiescent()) idle++;
        }
        return n - idle;
    }
}
