package testudo.runtime;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Writes class references and exceptions for the brain. Owns the numbering of classes on this connection and which frames are ours; decides nothing about sequences. */
final class Reporter {
    private static final int FRAMES = 16;
    private static final int MESSAGE = 2000;
    /** Steps an exception's own methods may take. */
    private static final int STEPS = 100_000;

    private int numbered;
    private final Map<String, Integer> byName = new HashMap<String, Integer>();
    /** Numbered since the last {@link #mark}: shapes and names. */
    private final List<Object> fresh = new ArrayList<Object>();

    /** What was numbered so far will be sent for certain. */
    void mark() {
        if (!fresh.isEmpty()) fresh.clear();
    }

    /** Takes back the numbers given since the last mark, because what was written with them is thrown away. */
    void takeBack() {
        numbered -= fresh.size();
        for (Object each : fresh) {
            if (each instanceof Shape) ((Shape) each).number = 0;
            else byName.remove(each);
        }
        fresh.clear();
    }

    /** A class by its number, with its name the first time. */
    void reference(Output out, Shape shape) {
        if (shape == null) {
            out.v(0);
        } else if (shape.number != 0) {
            out.v(shape.number);
        } else {
            fresh.add(shape);
            shape.number = ++numbered;
            out.v(shape.number);
            out.str(shape.name);
        }
    }

    /** A class of which only the name is known (in a stack frame). */
    private void reference(Output out, String name) {
        Integer known = byName.get(name);
        if (known != null) {
            out.v(known);
        } else {
            fresh.add(name);
            byName.put(name, ++numbered);
            out.v(numbered);
            out.str(name);
        }
    }

    void thrown(Output out, Throwable thrown, boolean detail, Shapes shapes) {
        reference(out, shapes.of(thrown));
        out.u8(detail ? 1 : 0);
        if (!detail) return;
        String message = null;
        Throwable cause = null;
        StackTraceElement[] trace = {};
        Hooks.begin(STEPS);
        try {
            trace = thrown.getStackTrace();
            message = thrown.getMessage();
            cause = thrown.getCause();
        } catch (Throwable ofItsOwnMethods) {
            // Their values stay unknown; the exception itself is reported all the same.
            message = null;
        }
        // The JVM words such a message by the code that failed, which was a hook's and not the user's.
        if (thrown instanceof NullPointerException && trace.length > 0 && trace[0].getClassName().equals(Hooks.class.getName())) message = null;
        out.u8(message != null ? 1 : 0);
        if (message != null) out.str(message.length() > MESSAGE ? message.substring(0, MESSAGE) : message);
        frames(out, trace);
        reference(out, cause == null ? null : shapes.of(cause));
        int supers = 0;
        for (Class<?> c = thrown.getClass(); c != Throwable.class; c = c.getSuperclass()) supers++;
        out.v(supers);
        for (Class<?> c = thrown.getClass(); c != Throwable.class; c = c.getSuperclass()) reference(out, shapes.of(c.getSuperclass()));
    }

    private void frames(Output out, StackTraceElement[] trace) {
        int end = trace.length;
        // Everything from the outermost dispatcher on is the worker's own doing.
        for (int i = 0; i < trace.length; i++) {
            if (trace[i].getClassName().equals(Interpreter.class.getName())) {
                end = Math.max(0, i - 1);
                break;
            }
        }
        int kept = 0;
        for (int i = 0; i < end && kept < FRAMES; i++) if (isTheirs(trace[i])) kept++;
        out.v(kept);
        for (int i = 0; i < end && kept > 0; i++) {
            if (!isTheirs(trace[i])) continue;
            kept--;
            reference(out, trace[i].getClassName().replace('.', '/'));
            out.str(trace[i].getMethodName());
            out.z(trace[i].getLineNumber());
        }
    }

    private static boolean isTheirs(StackTraceElement frame) {
        return frame.getClassName() == null || !frame.getClassName().startsWith("testudo.runtime.");
    }
}
