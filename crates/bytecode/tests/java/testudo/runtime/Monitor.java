package testudo.runtime;

import java.util.ArrayList;
import java.util.List;

/**
 * A monitor for tests of the instrumenter: remembers in order what it is told. Owns no policy; the product has its own class of this name.
 */
public final class Monitor {
    public static final List<String> EVENTS = new ArrayList<String>();
    /** Whether arguments are asked for. */
    public static boolean asking = true;

    private Monitor() {}

    private static void tell(String event) {
        if (EVENTS.size() < 10000) {
            EVENTS.add(event);
        }
    }

    private static String name(Object o) {
        if (o == null || o instanceof Number || o instanceof String || o instanceof Character || o instanceof Boolean) {
            return o == null ? "null" : o.getClass().getSimpleName() + ":" + o;
        }
        return o.getClass().getSimpleName();
    }

    public static boolean entering(int member) {
        if (!asking) {
            tell("entering " + member);
        }
        return asking;
    }

    public static void entered(int member, Object self, Object[] arguments) {
        StringBuilder list = new StringBuilder();
        for (Object each : arguments) {
            list.append(' ').append(name(each));
        }
        tell("entered " + member + " " + name(self) + " (" + list.toString().trim() + ")");
    }

    public static void left(int member, Object result) {
        tell("left " + member + " " + name(result));
    }

    public static void threw(int member, Throwable thrown) {
        tell("threw " + member + " " + thrown.getClass().getSimpleName());
    }

    public static void constructing(int member) {
        tell("constructing " + member);
    }

    public static void constructed(int member) {
        tell("constructed " + member);
    }

    public static void wrote(Object owner) {
        tell("wrote " + name(owner));
    }

    public static void read(Object owner, int field) {
        tell("read " + name(owner) + " " + field);
    }

    public static void readElement(Object array, int index) {
        tell("read " + name(array) + " at " + index);
    }

    public static void readLength(Object array) {
        tell("read length of " + name(array));
    }

    public static void readAll(Object owner) {
        tell("read all of " + name(owner));
    }

    public static void arraycopy(Object from, int start, Object to, int at, int length) {
        tell("copy " + name(from) + " " + start + " " + name(to) + " " + at + " " + length);
        System.arraycopy(from, start, to, at, length);
    }
}
