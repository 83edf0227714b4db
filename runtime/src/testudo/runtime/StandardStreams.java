package testudo.runtime;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;

/**
 * The standard streams as code under test sees them: output goes nowhere, and input is at its end. Owns the marks that somebody closed one, which would be the end of it for all
 * others, or read the input, which blocks elsewhere. Never keeps what is printed.
 */
final class StandardStreams {
    private StandardStreams() {}

    static void install() {
        System.setIn(new Input());
        System.setOut(new Silent("java.lang.System.out, closed"));
        System.setErr(new Silent("java.lang.System.err, closed"));
    }

    private static final class Silent extends PrintStream {
        private final String closing;

        Silent(String closing) {
            super(new Nowhere());
            this.closing = closing;
        }

        @Override
        public void close() {
            Reach.mark(Reach.STATE, closing);
        }
    }

    private static final class Nowhere extends OutputStream {
        @Override
        public void write(int b) {}

        @Override
        public void write(byte[] bytes, int from, int length) {}
    }

    private static final class Input extends InputStream {
        @Override
        public int read() {
            Reach.mark(Reach.LOOKS, "java.lang.System.in");
            return -1;
        }

        @Override
        public void close() {
            Reach.mark(Reach.STATE, "java.lang.System.in, closed");
        }
    }
}
