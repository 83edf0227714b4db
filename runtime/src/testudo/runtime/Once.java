package testudo.runtime;

/**
 * What a thread does that runs user code: once only. User code gets hold of its own thread by {@code Thread.currentThread()}, and a thread is a {@code Runnable}: running it
 * again must do nothing, as on the thread a program starts on. Owns that; keeps nothing once it began.
 */
final class Once implements Runnable {
    private Runnable task;

    Once(Runnable task) {
        this.task = task;
    }

    @Override
    public void run() {
        Runnable first;
        synchronized (this) {
            first = task;
            task = null;
        }
        if (first != null) first.run();
    }
}
