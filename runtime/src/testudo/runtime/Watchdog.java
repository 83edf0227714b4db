package testudo.runtime;

/**
 * Stops sequences that take too long while the worker can still be saved: takes their steps away, and wakes them up if they wait for something. Owns the time, counted in its own ticks, so that
 * nobody is blamed for a process that stands still as a whole; what becomes of the sequence is the interpreter's business.
 */
final class Watchdog implements Runnable {
    private static final int TICK_MILLISECONDS = 10;

    private final Thread watched;
    private final ClassRequests requests;
    private final int patience;
    /** The number of the sequence that is running; 0 between two. */
    private volatile int running;
    /** The one that is being stopped right now. */
    private volatile int striking;
    /** The last one that was stopped. */
    private volatile int struck;
    private int number;

    private Watchdog(Thread watched, ClassRequests requests, int milliseconds) {
        this.watched = watched;
        this.requests = requests;
        patience = Math.max(1, milliseconds / TICK_MILLISECONDS);
    }

    /** One for the thread that calls this, in a group where nobody looks for threads that were left. */
    static Watchdog over(ThreadGroup group, ClassRequests requests, int milliseconds) {
        Watchdog watchdog = new Watchdog(Thread.currentThread(), requests, milliseconds);
        Thread thread = new Thread(group, watchdog, "watchdog");
        thread.setDaemon(true);
        thread.start();
        return watchdog;
    }

    /** A sequence begins. */
    void begin() {
        if (++number <= 0) number = 1;
        running = number;
    }

    /** Whether the sequence that is running was stopped: what its call does from then on is not its own doing. */
    boolean hasStruck() {
        return struck == number;
    }

    /** It is over; nobody is interrupted for it from now on. */
    void end() {
        running = 0;
        while (striking != 0) Thread.yield();
    }

    @Override
    public void run() {
        int seen = 0;
        int known = 0;
        int ticks = 0;
        while (true) {
            try {
                Thread.sleep(TICK_MILLISECONDS);
            } catch (InterruptedException nobodyAsksForThat) {
                return;
            }
            int now = running;
            int answered = requests.answered();
            // A class that is being loaded takes the brain's time, and a class cut off in its initialiser could never be used again.
            boolean loading = answered != known || requests.isAsking() || Hooks.initialising > 0;
            if (now == 0 || now != seen || loading) ticks = 0;
            else if (++ticks >= patience) strike(now);
            seen = now;
            known = answered;
        }
    }

    private void strike(int sequence) {
        striking = sequence;
        if (running == sequence) {
            struck = sequence;
            // The running code may write over it; the next tick tries again.
            Hooks.budget = 0;
            Thread.State state = watched.getState();
            if (state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING) watched.interrupt();
        }
        striking = 0;
    }
}
