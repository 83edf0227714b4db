package testudo.runtime;

/**
 * The thread that tests run on, one after the other, as under JUnit: what a test leaves in a thread-local, the next one finds. Owns that thread and the time limit of what runs
 * on it; a thread whose test does not end is left to itself, and the next test gets another one.
 */
final class TestThread implements Runnable {
    private static TestThread current;

    private final Thread thread;
    /** What is running or about to; null when there is nothing to do. */
    private Runnable task;
    private boolean abandoned;

    private TestThread() {
        thread = new Thread(new Once(this), "main");
        thread.setDaemon(true);
        thread.start();
    }

    /** The thread that the next test will run on, with the caller's context class loader. */
    static Thread next() {
        if (current == null) current = new TestThread();
        current.thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
        return current.thread;
    }

    /** Runs the task; false if it did not end in time. */
    static boolean run(Runnable task, long limitMilliseconds) {
        next();
        if (current.finish(task, limitMilliseconds)) return true;
        current = null;
        return false;
    }

    private synchronized boolean finish(Runnable next, long limitMilliseconds) {
        task = next;
        notifyAll();
        // A day is as good as no limit, and no number overflows.
        long until = System.nanoTime() + Math.min(limitMilliseconds, 86_400_000L) * 1_000_000;
        try {
            while (task != null) {
                long left = (until - System.nanoTime() + 999_999) / 1_000_000;
                if (left <= 0) break;
                wait(left);
            }
        } catch (InterruptedException nobodyDoesThat) {
            // As if the time were up.
            abandoned = true;
        }
        abandoned |= task != null;
        if (abandoned) thread.interrupt();
        return !abandoned;
    }

    @Override
    public void run() {
        for (Runnable next = take(); next != null; next = take()) {
            next.run();
            done();
        }
    }

    private synchronized Runnable take() {
        while (task == null && !abandoned) {
            try {
                wait();
            } catch (InterruptedException leftByTheTestBefore) {
                // JUnit's thread would go into the next test with it; that test did not ask for it.
                continue;
            }
        }
        return abandoned ? null : task;
    }

    private synchronized void done() {
        task = null;
        notifyAll();
    }
}
