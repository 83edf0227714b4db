package testudo.runtime;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Thread pools of the JDK whose threads wait for the next task. Owns ending these threads without ending the pool: somebody may hold it in a static field. What was to run later is forgotten; who runs something
 * goes on. Touches no pool, queue or thread of a class of others: they could override what is called here.
 */
final class Pools {
    /** Where a thread keeps what it runs: in itself, or since 19 in another object of it. */
    private static final long HOLDER = offset(Thread.class, "holder");
    private static final long TASK = HOLDER < 0 ? offset(Thread.class, "target") : offset(typeOf(Thread.class, "holder"), "task");
    private static final Class<?> WORKER = nested(ThreadPoolExecutor.class, "Worker");
    private static final long POOL = WORKER == null ? -1 : offset(WORKER, "this$0");
    /** Where classes of the JDK are under test nothing of it is called here: that would count as covered. */
    private static final boolean IS_ALLOWED = Pools.class.getClassLoader() != null;

    private final List<ThreadPoolExecutor> pools = new ArrayList<ThreadPoolExecutor>();
    private final List<Object[]> settings = new ArrayList<Object[]>();

    /** Has the idle threads of the pools that these threads belong to end soon. What cannot be done leaves threads, and so costs the worker. */
    void release(Thread[] threads, int n) {
        for (int i = 0; i < n; i++) {
            ThreadPoolExecutor pool = poolOf(threads[i]);
            if (pool == null) continue;
            try {
                drain(pool);
            } catch (Throwable changedMeanwhile) {
                // Its threads are still there, then, and are counted.
            }
        }
    }

    private void drain(ThreadPoolExecutor pool) {
        if (!pools.contains(pool)) {
            settings.add(new Object[] {pool.getCorePoolSize(), pool.getKeepAliveTime(TimeUnit.NANOSECONDS), pool.allowsCoreThreadTimeOut()});
            pools.add(pool);
        }
        pool.allowCoreThreadTimeOut(false);
        pool.setCorePoolSize(0);
        for (Object task : pool.getQueue().toArray()) cancel(task);
        pool.getQueue().clear();
        // Whoever waits is woken by a change only.
        pool.setKeepAliveTime(1, TimeUnit.NANOSECONDS);
        pool.setKeepAliveTime(0, TimeUnit.NANOSECONDS);
    }

    /** Gives pools back what they were told before; says whether that was possible for all of them. */
    boolean restore() {
        boolean isDone = true;
        for (int i = 0; i < pools.size(); i++) {
            ThreadPoolExecutor pool = pools.get(i);
            Object[] before = settings.get(i);
            try {
                pool.setKeepAliveTime((Long) before[1], TimeUnit.NANOSECONDS);
                pool.setCorePoolSize((Integer) before[0]);
                if ((Boolean) before[2]) pool.allowCoreThreadTimeOut(true);
            } catch (Throwable changedMeanwhile) {
                isDone = false;
            }
        }
        pools.clear();
        settings.clear();
        return isDone;
    }

    /** Else tasks that run again and again come back. */
    private static void cancel(Object task) {
        if (task instanceof Future && task.getClass().getClassLoader() == null) ((Future<?>) task).cancel(false);
    }

    private static ThreadPoolExecutor poolOf(Thread thread) {
        if (!IS_ALLOWED || TASK < 0 || POOL < 0) return null;
        Object holder = HOLDER < 0 ? thread : Memory.reference(thread, HOLDER);
        Object task = holder == null ? null : Memory.reference(holder, TASK);
        if (task == null || task.getClass() != WORKER) return null;
        Object pool = Memory.reference(task, POOL);
        boolean isPlain = pool.getClass() == ThreadPoolExecutor.class || pool.getClass() == ScheduledThreadPoolExecutor.class;
        // Threads and queues may be of others' making.
        if (!isPlain || thread.getClass().getClassLoader() != null) return null;
        ThreadPoolExecutor plain = (ThreadPoolExecutor) pool;
        return plain.getQueue().getClass().getClassLoader() == null ? plain : null;
    }

    private static Class<?> nested(Class<?> outer, String name) {
        for (Class<?> each : outer.getDeclaredClasses()) if (each.getSimpleName().equals(name)) return each;
        return null;
    }

    private static Class<?> typeOf(Class<?> owner, String field) {
        try {
            return owner.getDeclaredField(field).getType();
        } catch (NoSuchFieldException e) {
            return Object.class;
        }
    }

    /** Negative where there is no such field. */
    private static long offset(Class<?> owner, String field) {
        try {
            Field found = owner.getDeclaredField(field);
            return Memory.offset(found);
        } catch (NoSuchFieldException e) {
            return -1;
        }
    }
}
