package testudo.runtime;

import java.util.Locale;
import java.util.TimeZone;

/**
 * The parts of the JVM outside the classes under test that hooks let them change: system properties, default locale and time zone, standard streams, the thread's
 * interruption. Owns when
 * they are compared with what is usual, and puts that back.
 */
final class Environment {
    /** Parts of the environment that can be varied. */
    private static final int CLOCK = 1;
    private static final int LOCALE = 2;
    private static final int ZONE = 4;
    private static final int USER = 8;
    static final int EVERYTHING = CLOCK | LOCALE | ZONE | USER;

    /** Set by hooks when the code under test changed something. */
    static boolean dirty;
    /** Another environment than usual is in force. */
    private static boolean varied;
    /** 400 days and some odd hours, minutes and milliseconds. */
    private static final long LATER = ((400L * 24 + 5) * 60 + 37) * 60_000L + 11_123L;

    /** So often it is looked at although nobody is suspected: the JDK's own code may change settings as well. */
    private static final int SEQUENCES_PER_LOOK = 64;

    private final State usual;
    private int sequences;

    Environment() {
        StandardStreams.install();
        usual = new State(Thread.currentThread());
    }

    /** Until the end of the sequence: later by the clock, another place, time zone and user, or some of these. */
    static void vary(int parts) {
        varied = true;
        if ((parts & CLOCK) != 0) Outside.ahead = LATER;
        if ((parts & LOCALE) != 0) {
            Locale.setDefault(Locale.FRANCE);
            System.setProperty("user.language", "fr");
            System.setProperty("user.country", "FR");
        }
        if ((parts & ZONE) != 0) {
            TimeZone.setDefault(TimeZone.getTimeZone("Asia/Kolkata"));
            System.setProperty("user.timezone", "Asia/Kolkata");
        }
        if ((parts & USER) != 0) {
            System.setProperty("user.name", "somebody");
            System.setProperty("user.home", "/home/somebody");
            System.clearProperty("java.awt.headless");
        }
    }

    /** Puts the baseline back, and marks the sequence if it made that necessary. It is closely looked at where a test is made of it. */
    void restore(boolean closely) {
        Thread.interrupted();
        boolean isDue = ++sequences % SEQUENCES_PER_LOOK == 0;
        if (!dirty && !varied && !State.suspected && !closely && !isDue) return;
        // What was varied is another anyway, and the sequence is also run with nothing varied.
        String changed = varied ? null : usual.changed();
        boolean isMarked = dirty || changed != null && (State.suspected || closely);
        if (isMarked) Reach.mark(Reach.STATE, changed);
        if (dirty || varied || changed != null) usual.putBack();
        dirty = false;
        varied = false;
        State.suspected = false;
        Outside.ahead = 0;
    }
}
