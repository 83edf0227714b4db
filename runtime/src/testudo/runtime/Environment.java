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
    /** Set by hooks when the code under test changed something. */
    static boolean dirty;

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

    /** Puts the baseline back; says whether that was necessary. */
    boolean restore() {
        Thread.interrupted();
        if (!dirty) return false;
        dirty = false;
        System.setProperties((Properties) properties.clone());
        Locale.setDefault(locale);
        Locale.setDefault(Locale.Category.DISPLAY, display);
        Locale.setDefault(Locale.Category.FORMAT, format);
        TimeZone.setDefault(zone);
        streams();
        return true;
    }
}
