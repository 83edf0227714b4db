package testudo.runtime;

import java.util.Locale;
import java.util.Properties;
import java.util.TimeZone;

/**
 * What the JVM has once for everybody, as it was at some moment. Owns finding out what is another now, and putting it back; does not say when to look.
 */
final class State {
    /** Somebody may have changed something by a way that is not told. */
    static boolean suspected;
    /** Something was changed that nobody can put back. */
    static boolean lasts;

    /** Not constants, whose values compiled code takes for granted. */
    private static final Boolean[] BOOLEANS = {Boolean.TRUE, Boolean.FALSE};

    private final Properties properties = (Properties) System.getProperties().clone();
    private final Locale[] locales = {Locale.getDefault(), Locale.getDefault(Locale.Category.DISPLAY), Locale.getDefault(Locale.Category.FORMAT)};
    private final TimeZone zone = TimeZone.getDefault();
    private final Object[] streams = {System.in, System.out, System.err};
    private final Thread.UncaughtExceptionHandler handler = Thread.getDefaultUncaughtExceptionHandler();
    private final Thread thread;
    private final String threadName;
    private final int priority;

    /** Of this thread, which user code runs on, and of the JVM. */
    State(Thread thread) {
        this.thread = thread;
        threadName = thread.getName();
        priority = thread.getPriority();
    }

    /** What is another than it was, in words; null if nothing is. */
    String changed() {
        if (!sameProperties()) return "system properties";
        Locale[] now = {Locale.getDefault(), Locale.getDefault(Locale.Category.DISPLAY), Locale.getDefault(Locale.Category.FORMAT)};
        for (int i = 0; i < now.length; i++) {
            if (!locales[i].equals(now[i])) return "the default locale";
        }
        if (!zone.equals(TimeZone.getDefault())) return "the default time zone";
        if (streams[0] != System.in || streams[1] != System.out || streams[2] != System.err) return "a standard stream";
        if (handler != Thread.getDefaultUncaughtExceptionHandler()) return "the default handler of uncaught exceptions";
        if (!threadName.equals(thread.getName()) || priority != thread.getPriority()) return "the main thread";
        if (!areBoxesWhole()) {
            lasts = true;
            return "a shared box or boolean";
        }
        return null;
    }

    /** The JDK itself sets some when they are first needed. */
    private boolean sameProperties() {
        Properties now = System.getProperties();
        if (now.equals(properties)) return true;
        for (Object key : now.keySet()) {
            boolean ofTheJdk = key instanceof String && (((String) key).startsWith("sun.") || ((String) key).startsWith("jdk."));
            if (!ofTheJdk && !now.get(key).equals(properties.get(key))) return false;
        }
        return now.keySet().containsAll(properties.keySet());
    }

    /** Small numbers and both booleans are objects that all code shares. */
    static boolean areBoxesWhole() {
        if (!BOOLEANS[0].booleanValue() || BOOLEANS[1].booleanValue()) return false;
        if (constant("TRUE") != BOOLEANS[0] || constant("FALSE") != BOOLEANS[1]) return false;
        for (int i = -128; i < 128; i++) {
            if (Integer.valueOf(i).intValue() != i || Long.valueOf(i).longValue() != i || Short.valueOf((short) i).shortValue() != i || Byte.valueOf((byte) i).byteValue() != i) return false;
            if (i >= 0 && Character.valueOf((char) i).charValue() != i) return false;
        }
        return true;
    }

    /** What the field holds now: compiled code does not ask. */
    private static Object constant(String name) {
        try {
            // By reflection, because not every JVM of ours may use the JDK's own ways.
            return Boolean.class.getField(name).get(null);
        } catch (ReflectiveOperationException never) {
            throw new AssertionError(never);
        }
    }

    /** As it was; the streams, the locales, the zone and the properties as well. */
    void putBack() {
        System.setProperties((Properties) properties.clone());
        Locale.setDefault(locales[0]);
        Locale.setDefault(Locale.Category.DISPLAY, locales[1]);
        Locale.setDefault(Locale.Category.FORMAT, locales[2]);
        TimeZone.setDefault(zone);
        System.setIn((java.io.InputStream) streams[0]);
        System.setOut((java.io.PrintStream) streams[1]);
        System.setErr((java.io.PrintStream) streams[2]);
        Thread.setDefaultUncaughtExceptionHandler(handler);
        if (!threadName.equals(thread.getName())) thread.setName(threadName);
        if (priority != thread.getPriority()) thread.setPriority(priority);
    }
}
