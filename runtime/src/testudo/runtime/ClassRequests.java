package testudo.runtime;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/**
 * Asks the brain for the bytes of classes. Owns the round trip, which happens on a thread of its own: code under test may need a class with hardly any stack left,
 * and must not leave the pipe between a question and its answer.
 */
final class ClassRequests {
    private static final int NEED_CLASS = 0x82;
    private static final int CLASS = 0x02;

    /** What the brain said. */
    static final class Answer {
        static final int BYTES = 0;
        static final int NOT_FOUND = 1;

        final int status;
        final int index;
        final byte[] bytes;
        final String message;

        Answer(Input in) {
            status = in.u8();
            index = status == BYTES ? in.count() : 0;
            bytes = status == BYTES ? in.raw() : null;
            message = status == BYTES ? null : in.str();
        }
    }

    private final Channel channel;
    private final ArrayDeque<String> wanted = new ArrayDeque<String>();
    private final Map<String, Answer> answers = new HashMap<String, Answer>();

    /** How many are waiting, and how often somebody was. */
    private volatile int asking;
    private volatile int answered;

    ClassRequests(Channel channel) {
        this.channel = channel;
    }

    /** Waits for the answer about a class, given in internal form. */
    synchronized Answer ask(String name) {
        boolean interrupted = false;
        boolean counted = false;
        try {
            asking++;
            counted = true;
            if (!answers.containsKey(name)) {
                wanted.add(name);
                notifyAll();
            }
            while (!answers.containsKey(name)) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (counted) asking--;
            answered++;
            if (interrupted) Thread.currentThread().interrupt();
        }
        return answers.remove(name);
    }

    boolean isAsking() {
        return asking > 0;
    }

    int answered() {
        return answered;
    }

    /** Answers of an earlier target must not be given to a later one. */
    synchronized void forget() {
        answers.clear();
    }

    /** Serves questions for ever; returns only by an exception. */
    void serve() throws IOException, InterruptedException {
        Output question = new Output(256);
        while (true) {
            String name = next();
            question.clear();
            question.str(name);
            Answer answer = new Answer(channel.ask(NEED_CLASS, question, CLASS));
            synchronized (this) {
                answers.put(name, answer);
                notifyAll();
            }
        }
    }

    private synchronized String next() throws InterruptedException {
        while (wanted.isEmpty()) wait();
        return wanted.poll();
    }
}
