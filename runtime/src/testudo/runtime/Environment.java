package testudo.runtime;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Properties;
import java.util.TimeZone;

/**
 * The parts of the JVM outside the classes under test that hooks let them change: system properties, default locale and time zone, standard streams, the thread's
 * interruption. Owns their
 * baseline and puts it back; never watches for changes itself (the hooks mark them).
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

    /** Swallows everything. */
    private static final class Nowhere extends OutputStream {
        @Override
        public void write(int b) {}

        @Override
        public void write(byte[] bytes, int from, int length) {}
    }

    private final Properties properties;
    private final Locale locale = Locale.getDefault();
    private final Locale display = Locale.getDefault(Locale.Category.DISPLAY);
    private final Locale format = Locale.getDefault(Locale.Category.FORMAT);
    private final TimeZone zone = TimeZone.getDefault();
    private final PrintStream nowhere = new PrintStream(new Nowhere());
    private final InputStream empty = new ByteArrayInputStream(new byte[0]);

    Environment() {
        properties = (Properties) System.getProperties().clone();
        streams();
    }

    private void streams() {
        System.setIn(empty);
        System.setOut(nowhere);
        System.setErr(nowhere);
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

    /** Puts the baseline back; says whether the code under test made that necessary. */
    boolean restore() {
        Thread.interrupted();
        if (!dirty && !varied) return false;
        boolean changed = dirty;
        dirty = false;
        varied = false;
        Outside.ahead = 0;
        System.setProperties((Properties) properties.clone());
        Locale.setDefault(locale);
        Locale.setDefault(Locale.Category.DISPLAY, display);
        Locale.setDefault(Locale.Category.FORMAT, format);
        TimeZone.setDefault(zone);
        streams();
        return changed;
    }
}
