package testudo.runtime;

import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayDeque;

/**
 * The two pipes to the brain, frame by frame. Owns their order: while a class is awaited, frames that were already under way are kept for later.
 * Never looks into a payload.
 */
final class Channel {
    /** No honest frame is larger; a longer one is a sign of lost synchronisation. */
    private static final int LARGEST = 1 << 30;

    private final InputStream in;
    private final OutputStream out;
    private final ArrayDeque<Input> waiting = new ArrayDeque<Input>();

    private Channel(InputStream in, OutputStream out) {
        this.in = in;
        this.out = out;
    }

    static Channel open() throws IOException {
        return new Channel(new FileInputStream("/dev/fd/3"), new FileOutputStream("/dev/fd/4"));
    }

    /** The next frame, or null when the brain closed the pipe. */
    synchronized Input receive() throws IOException {
        Input first = waiting.poll();
        return first != null ? first : read();
    }

    /** Sends a question and returns the next frame of the kind that answers it; others wait their turn. */
    synchronized Input ask(int kind, Output question, int answerKind) throws IOException {
        send(kind, question);
        while (true) {
            Input frame = read();
            if (frame == null) throw new IOException("the brain closed the pipe");
            if (frame.kind == answerKind) return frame;
            waiting.add(frame);
        }
    }

    synchronized void send(int kind, Output payload) throws IOException {
        byte[] frame = new byte[payload.length + 5];
        System.arraycopy(payload.bytes, 0, frame, 5, payload.length);
        sendFramed(kind, frame, 0, frame.length);
    }

    /** Sends a frame whose first five bytes are room for its header. */
    synchronized void sendFramed(int kind, byte[] frame, int from, int to) throws IOException {
        int length = to - from - 4;
        for (int i = 0; i < 4; i++) frame[from + i] = (byte) (length >>> 8 * i);
        frame[from + 4] = (byte) kind;
        out.write(frame, from, to - from);
    }

    private Input read() throws IOException {
        byte[] header = new byte[5];
        int got = fill(header);
        if (got == 0) return null;
        if (got < 5) throw new IOException("the pipe ended inside a frame header");
        int length = 0;
        for (int i = 0; i < 4; i++) length |= (header[i] & 0xff) << 8 * i;
        if (length < 1 || length > LARGEST) throw new Input.Problem("frame length " + (length & 0xffffffffL));
        byte[] payload = new byte[length - 1];
        if (fill(payload) < payload.length) throw new IOException("the pipe ended inside a frame");
        return new Input(header[4] & 0xff, payload);
    }

    private int fill(byte[] into) throws IOException {
        int got = 0;
        while (got < into.length) {
            int n = in.read(into, got, into.length - got);
            if (n < 0) break;
            got += n;
        }
        return got;
    }
}
