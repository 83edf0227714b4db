package testudo.runtime;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;

/**
 * The worker's main class: handshake, message loop, batches. Owns the order of messages and the thread user code runs on; knows nothing about what sequences are for.
 */
public final class Worker {
    private static final int HELLO = 0x01;
    private static final int OPEN = 0x03;
    private static final int DISPATCHERS = 0x04;
    private static final int CONSTANTS = 0x05;
    private static final int BATCH = 0x06;
    private static final int BEST = 0x07;
    private static final int SHUTDOWN = 0x08;
    private static final int REDEFINE = 0x09;
    private static final int WATCH = 0x0a;
    private static final int OPENED = 0x83;
    private static final int DISPATCHED = 0x84;
    private static final int REDEFINED = 0x89;
    private static final int FAILED = 0x8e;

    /** As of an ordinary thread, so that recursion ends where users see it end, within a millisecond or two. */
    private static final long STACK = 1 << 20;
    /** Results that are ready are sent when a batch takes longer. */
    private static final long FLUSH_NANOSECONDS = 20_000_000;
    private static final int SEQUENCES_PER_CLOCK = 8;
    private static final int MANY_STEPS = 20_000;
    private static final int FAILURE_STATUS = 70;

    private final Channel channel;
    private final ClassRequests requests;
    private final ThreadGroup group;
    /** Where user code runs, if we were told. */
    private Folder folder;
    private final Reporter reporter = new Reporter();
    private Results results;
    private ThreadWatch threads;
    private ThreadTraces traces;
    private Progress progress = Progress.nowhere();
    private int stepLimit;
    /** Slow sequences count more steps than they made. */
    private boolean timed;
    /** Null if sequences may take as long as they like. */
    private Watchdog watchdog;
    private Target target;
    private Observer observer;
    private Object[] slots = new Object[64];

    private Worker(Channel channel, ThreadGroup group) {
        this.channel = channel;
        this.group = group;
        requests = new ClassRequests(channel);
    }

    public static void main(String[] arguments) throws IOException {
        Channel channel = Channel.open();
        KernelWatch.open();
        ThreadGroup group = new ThreadGroup("main");
        final Worker worker = new Worker(channel, group);
        Runnable conversation = new Runnable() {
            @Override
            public void run() {
                worker.converse();
            }
        };
        Thread executor = new Thread(group, new Once(conversation), "main", STACK);
        executor.start();
        try {
            worker.requests.serve();
        } catch (Throwable brokenOff) {
            // Between a question and its answer nothing can be mended, not even said.
            Runtime.getRuntime().halt(FAILURE_STATUS);
        }
    }

    private void converse() {
        int status = 0;
        try {
            traces = new ThreadTraces();
            threads = new ThreadWatch(group);
            results = new Results(channel, reporter, threads, new Environment());
            for (Input frame = channel.receive(); frame != null && frame.kind != SHUTDOWN; frame = channel.receive()) handle(frame);
        } catch (Throwable own) {
            status = FAILURE_STATUS;
            fail(own);
        }
        Runtime.getRuntime().halt(status);
    }

    private void fail(Throwable own) {
        StringWriter text = new StringWriter();
        if (own instanceof Input.Problem) text.write(own.getMessage());
        else own.printStackTrace(new PrintWriter(text, true));
        Output message = new Output(256);
        message.str(text.toString());
        try {
            channel.send(FAILED, message);
        } catch (IOException nobodyListens) {
            return;
        }
    }

    private void handle(Input frame) throws IOException {
        switch (frame.kind) {
            case HELLO:
                hello(frame);
                break;
            case OPEN:
                open(frame);
                break;
            case DISPATCHERS:
                channel.send(DISPATCHED, opened().dispatch.read(frame));
                break;
            case CONSTANTS:
                opened().constants.read(frame);
                break;
            case BATCH:
                batch(frame);
                break;
            case BEST:
                best(frame);
                break;
            case WATCH:
                opened();
                Distances.read(frame);
                break;
            case REDEFINE:
                channel.send(REDEFINED, Agent.redefine(frame));
                break;
            default:
                throw new Input.Problem("unknown message kind " + Integer.toHexString(frame.kind));
        }
    }

    private Target opened() {
        if (target == null) throw new Input.Problem("no target was opened");
        return target;
    }

    private void hello(Input in) throws IOException {
        // A brain of another version sees ours first, and ends the conversation; its other fields mean nothing here.
        if (in.v() == Welcome.VERSION) {
            stepLimit = (int) Math.min(in.v(), Integer.MAX_VALUE);
            int patience = in.count();
            String scratch = in.str();
            int flags = in.u8();
            if ((flags & 1) != 0) progress = Progress.open();
            if (!scratch.isEmpty()) folder = new Folder(new File(scratch, "work"));
            timed = (flags & 2) != 0;
            if (patience > 0) watchdog = Watchdog.over(group.getParent(), requests, patience);
        }
        channel.send(Welcome.KIND, Welcome.message());
    }

    private void open(Input in) throws IOException {
        if (target != null) target.loader.close();
        requests.forget();
        results.forget();
        target = new Target(in, requests);
        observer = new Observer(target);
        target.enter();
        Hooks.begin(stepLimit);
        target.contracts.user.load();
        Output answer = new Output(64);
        answer.v(target.contracts.user.problems.size());
        for (String problem : target.contracts.user.problems) answer.str(problem);
        channel.send(OPENED, answer);
    }

    private void best(Input in) {
        Probes probes = opened().probes;
        probes.forget();
        int n = in.bounded(in.count());
        for (int i = 0; i < n; i++) {
            int probe = in.count();
            probes.know(probe, in.count());
        }
    }

    private void batch(Input in) throws IOException {
        opened();
        int number = in.count();
        int n = in.bounded(in.count());
        Interpreter run = new Interpreter(target, progress, observer, stepLimit, timed, watchdog, threads, in, slots);
        if (folder != null) folder.empty();
        progress.batch(number);
        results.beginBatch();
        long flushed = System.nanoTime();
        for (int i = 0; i < n; i++) {
            progress.sequence(i + 1);
            if (i == 0) target.initialise(stepLimit);
            int statements = run.sequence();
            traces.wipe(target.loader);
            results.add(run, target, observer, statements);
            if (i % SEQUENCES_PER_CLOCK == 0 || run.steps > MANY_STEPS) {
                long now = System.nanoTime();
                if (i < n - 1 && (now - flushed > FLUSH_NANOSECONDS || results.isLarge())) {
                    results.flush(number);
                    flushed = now;
                }
            }
        }
        progress.sequence(0);
        if (run.position() != in.bytes.length) throw new Input.Problem("a batch is longer than its sequences");
        slots = run.slots;
        results.flush(number);
    }
}
