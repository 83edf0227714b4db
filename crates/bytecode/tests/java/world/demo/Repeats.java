package demo;

import java.io.StringReader;

/** Code that compilers write more than once. */
public class Repeats {
    static int finallyTwice(int n) {
        int sum = 0;
        try {
            if (n > 5) {
                return n;
            }
            sum += Integer.parseInt("" + n);
        } catch (NumberFormatException e) {
            sum = -1;
        } finally {
            if (n > 3) {
                String local = "x" + n;
                System.setProperty("demo", local);
            }
        }
        return sum;
    }

    static int resource(String text) throws Exception {
        try (StringReader reader = text == null ? null : new StringReader(text)) {
            return reader == null ? 0 : reader.read();
        }
    }

    static void twoResources(String text) throws Exception {
        try (StringReader a = new StringReader(text); StringReader b = new StringReader(text)) {
            if (a.read() > b.read()) {
                text.length();
            }
        }
    }

    static void handWritten(StringReader reader) {
        try {
            reader.mark(1);
        } catch (Throwable t) {
            if (reader != null) {
                reader.close();
            }
            throw new IllegalStateException(t);
        }
    }

    static void locked(Object lock) {
        synchronized (lock) {
            if (lock.hashCode() > 0) {
                lock.notify();
            }
        }
    }
}
