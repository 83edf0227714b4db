package testudo.runtime;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Main class of a JVM that runs somebody's suite under observation. Owns the conversation about the suite, which test is running, its probes, its time limit, and saying
 * what is known when the JVM has to end. The frameworks are driven by adapters; what calls show is {@link SuiteRecorder}'s business.
 */
public final class Suite implements SuiteListener {
    private static final int HELLO = 0x01;
    private static final int OBSERVE = 0x41;
    private static final int FAILED_KIND = 0x8e;
    private static final int STARTED = 0xc1;
    private static final int FINISHED = 0xc3;
    private static final int OUTSIDE = 0xc4;
    private static final int NOTE = 0xc5;
    private static final int DONE = 0xc6;
    private static final int AROUND = 0xc7;

    /** Further outcomes. */
    private static final int TIMED_OUT = 3;
    private static final int DIED = 4;
    /** The method of a class that ran when the JVM had to end was its equals, called by us. */
    private static final int EQUALS_HUNG = 5;

    /** Exit statuses, for the brain. */
    static final int BROKEN = 70;
    private static final int ENDED_TEST = 71;

    private static final int PLATFORM = 1;
    private static final int JUNIT4 = 2;
    private static final int PLAIN = 4;
    private static final int MESSAGE = 4000;
    private static final long WATCH_MILLISECONDS = 20;

    private final Channel channel;
    private final int probes;
    private final long limit;
    private final Set<String> done;
    private final SuiteRecorder recorder;
    private final Object lock = new Object();
    private boolean running;
    private long startedAt;
    private boolean over;

    private Suite(Channel channel, int probes, long limit, String[] done, SuiteRecorder recorder) {
        this.channel = channel;
        this.probes = probes;
        this.limit = limit;
        this.done = new HashSet<String>(Arrays.asList(done));
        this.recorder = recorder;
    }

    public static void main(String[] arguments) throws IOException {
        Channel channel = Channel.open();
        int status = 0;
        try {
            for (Input in = channel.receive(); in != null; in = channel.receive()) {
                if (in.kind == HELLO) channel.send(Welcome.KIND, Welcome.message());
                else if (in.kind == OBSERVE) observe(channel, in);
                else throw new Input.Problem("unknown message kind " + Integer.toHexString(in.kind));
                if (in.kind == OBSERVE) break;
            }
        } catch (Throwable own) {
            status = BROKEN;
            StringWriter text = new StringWriter();
            if (own instanceof Input.Problem) text.write(own.getMessage());
            else own.printStackTrace(new PrintWriter(text, true));
            Output message = new Output(256);
            message.str(text.toString());
            channel.send(FAILED_KIND, message);
        }
        // Tests may have left threads behind.
        Runtime.getRuntime().halt(status);
    }

    private static void observe(Channel channel, Input in) throws IOException {
        int needs = in.count();
        Equivalence.Settings settings = new Equivalence.Settings();
        settings.probes = in.count();
        settings.generation = in.v();
        long limit = in.v();
        int frameworks = in.u8();
        Long shuffle = in.u8() == 0 ? null : Long.valueOf(in.u64());
        String[] tests = in.strings();
        String[] done = in.strings();
        String[] targets = in.strings();
        String[] wanted = in.strings();
        settings.hopeless = in.strings();
        boolean everything = (needs & ~SuiteRecorder.STATES) != 0;
        SuiteRecorder recorder = new SuiteRecorder(channel, needs, names(targets), names(tests), settings);
        Suite suite = new Suite(channel, settings.probes, limit, done, recorder);
        Monitor.recorder = recorder;
        new SuiteTransformer(channel, settings.fields, wanted, everything, suite).install(Agent.instrumentation());
        suite.watch();
        suite.drive(tests, frameworks, shuffle);
    }

    private static Set<String> names(String[] internal) {
        Set<String> names = new HashSet<String>();
        for (String name : internal) names.add(name.replace('/', '.'));
        return names;
    }

    private void drive(String[] tests, int frameworks, Long shuffle) throws IOException {
        ClassLoader loader = ClassLoader.getSystemClassLoader();
        Thread.currentThread().setContextClassLoader(loader);
        List<Class<?>> classes = new ArrayList<Class<?>>();
        for (String name : tests) {
            try {
                classes.add(Class.forName(name.replace('/', '.'), false, loader));
            } catch (ClassNotFoundException | LinkageError unusable) {
                note("the test class " + name.replace('/', '.') + " cannot be loaded: " + unusable);
            }
        }
        try {
            if ((frameworks & PLATFORM) != 0) driver("testudo.adapter.PlatformDriver", loader).run(classes, this, shuffle);
            if ((frameworks & JUNIT4) != 0) driver("testudo.adapter.Junit4Driver", loader).run(classes, this, shuffle);
            if ((frameworks & PLAIN) != 0) new PlainDriver().run(classes, this, shuffle);
        } catch (Throwable escaped) {
            boolean inTest;
            synchronized (lock) {
                inTest = running;
            }
            if (!inTest) throw new IllegalStateException("the test framework failed", escaped);
            // Frameworks let through what they think nobody survives, such as a lack of memory.
            end(DIED, escaped, escaped.toString());
            Runtime.getRuntime().halt(ENDED_TEST);
        }
        Monitor.recording = false;
        synchronized (lock) {
            over = true;
        }
        outside();
        channel.send(DONE, new Output(0));
    }

    private static SuiteDriver driver(String name, ClassLoader loader) throws ReflectiveOperationException {
        return (SuiteDriver) Class.forName(name, true, loader).getDeclaredConstructor().newInstance();
    }

    // Time limits and early ends.

    private void watch() {
        Thread watchdog = new Thread(new Once(new Runnable() {
            @Override
            public void run() {
                while (true) {
                    try {
                        Thread.sleep(WATCH_MILLISECONDS);
                    } catch (InterruptedException nobodyDoesThat) {
                        return;
                    }
                    check();
                }
            }
        }), "testudo-watch");
        watchdog.setDaemon(true);
        watchdog.start();
        Runtime.getRuntime().addShutdownHook(new Thread(new Once(new Runnable() {
            @Override
            public void run() {
                leave(DIED, "the JVM was told to exit");
            }
        }), "testudo-exit"));
    }

    private void check() {
        synchronized (lock) {
            if (!running || System.nanoTime() - startedAt < limit * 1_000_000L) return;
        }
        leave(TIMED_OUT, "");
        Runtime.getRuntime().halt(ENDED_TEST);
    }

    /** Tells what is known of the running test, from another thread than its own. */
    private void leave(int outcome, String how) {
        synchronized (lock) {
            if (over || !running) return;
        }
        Class<?> trying = recorder.equivalence == null ? null : recorder.equivalence.trial.trying;
        if (trying != null) {
            // The recorder is inside that call: nothing more can be had from it.
            Output out = new Output(128);
            out.u8(EQUALS_HUNG);
            out.str(Shape.nameOf(trying));
            try {
                channel.send(FINISHED, out);
            } catch (IOException nobodyListens) {
                return;
            }
            return;
        }
        end(outcome, null, how);
    }

    // What the frameworks tell.

    @Override
    public boolean isWanted(String unit) {
        return !done.contains(unit);
    }

    @Override
    public void discovering(boolean now) {
        Monitor.recording = !now;
    }

    @Override
    public void boundary() {
        recorder.boundary();
    }

    @Override
    public void around(String id) {
        recorder.boundary();
        Output out = new Output(128);
        out.str(id);
        try {
            channel.send(AROUND, out);
        } catch (IOException nobodyListens) {
            Runtime.getRuntime().halt(BROKEN);
        }
    }

    @Override
    public void started(String unit, Class<?> runs, Method method, String name, String display) {
        Monitor.recording = false;
        try {
            outside();
            head(unit, runs, method, name, display);
        } catch (IOException nobodyListens) {
            Runtime.getRuntime().halt(BROKEN);
        }
        Strand.current().outermost();
        recorder.start();
        synchronized (lock) {
            running = true;
            startedAt = System.nanoTime();
        }
        Monitor.recording = true;
    }

    private void head(String unit, Class<?> runs, Method method, String name, String display) throws IOException {
        Output out = new Output(256);
        out.str(unit);
        out.str(Shape.nameOf(method != null ? method.getDeclaringClass() : runs));
        out.str(method != null ? method.getName() : name);
        out.str(method != null ? descriptor(method) : "");
        out.str(Shape.nameOf(runs));
        out.str(display);
        channel.send(STARTED, out);
    }

    private static String descriptor(Method method) {
        StringBuilder text = new StringBuilder("(");
        for (Class<?> parameter : method.getParameterTypes()) text.append(Values.descriptor(parameter));
        return text.append(')').append(Values.descriptor(method.getReturnType())).toString();
    }

    @Override
    public void finished(int outcome, Throwable thrown) {
        end(outcome, thrown, outcome == SKIPPED && thrown != null ? TestRun.messageOf(thrown) : null);
    }

    @Override
    public void ended(String unit, Class<?> runs, Method method, String name, String display, int outcome, Throwable thrown, String reason) {
        boolean was = Monitor.recording;
        Monitor.recording = false;
        try {
            outside();
            head(unit, runs, method, name, display);
            Output out = new Output(256);
            outcome(out, outcome, thrown, reason);
            out.v(0);
            out.v(0);
            out.v(0);
            channel.send(FINISHED, out);
        } catch (IOException nobodyListens) {
            Runtime.getRuntime().halt(BROKEN);
        }
        recorder.boundary();
        Monitor.recording = was;
    }

    private void end(int outcome, Throwable thrown, String reason) {
        long now = System.nanoTime();
        synchronized (lock) {
            if (!running) return;
            running = false;
        }
        Monitor.recording = false;
        try {
            long unrecorded = recorder.finish();
            Output out = new Output(256);
            outcome(out, outcome, thrown, reason);
            out.v((now - startedAt) / 1000);
            out.v(unrecorded);
            probes(out);
            channel.send(FINISHED, out);
        } catch (IOException nobodyListens) {
            Runtime.getRuntime().halt(BROKEN);
        }
        Monitor.recording = outcome < TIMED_OUT;
    }

    private static void outcome(Output out, int outcome, Throwable thrown, String reason) {
        out.u8(outcome);
        if (outcome == FAILED) failure(out, thrown);
        if (outcome == SKIPPED || outcome == DIED) out.str(cut(reason == null ? "" : reason));
    }

    private static String cut(String text) {
        return text.length() > MESSAGE ? text.substring(0, MESSAGE) : text;
    }

    private static void failure(Output out, Throwable thrown) {
        if (thrown == null) thrown = new AssertionError("the framework gave no reason");
        out.str(Shape.nameOf(thrown.getClass()));
        String message = null;
        StackTraceElement[] trace = {};
        try {
            message = thrown.getMessage();
            trace = thrown.getStackTrace();
        } catch (Throwable ofItsOwnMethods) {
            message = null;
        }
        out.u8(message == null ? 0 : 1);
        if (message != null) out.str(cut(message));
        for (StackTraceElement frame : trace) {
            String name = frame.getClassName();
            boolean ofOthers = name.startsWith("java.") || name.startsWith("jdk.") || name.startsWith("sun.") || name.startsWith("testudo.")
                    || name.startsWith("org.junit.") || name.startsWith("junit.") || name.startsWith("org.opentest4j.") || name.startsWith("org.hamcrest.");
            if (ofOthers) continue;
            out.u8(1);
            out.str(name.replace('.', '/'));
            out.str(frame.getMethodName());
            out.z(frame.getLineNumber());
            return;
        }
        out.u8(0);
    }

    @Override
    public void note(String text) {
        Output out = new Output(128);
        out.str(cut(text));
        try {
            channel.send(NOTE, out);
        } catch (IOException nobodyListens) {
            Runtime.getRuntime().halt(BROKEN);
        }
    }

    // Probes.

    private void outside() throws IOException {
        Output out = new Output(256);
        if (probes(out) > 0) channel.send(OUTSIDE, out);
    }

    /** Writes and clears what was hit. */
    private int probes(Output out) {
        int n = 0;
        for (int i = 0; i < probes; i++) if (Hooks.HIT[i] != 0) n++;
        out.v(n);
        int last = 0;
        // Threads that a test left behind may hit more meanwhile: that is for the next time.
        for (int i = 0, left = n; left > 0 && i < probes; i++) {
            if (Hooks.HIT[i] == 0) continue;
            Hooks.HIT[i] = 0;
            out.v(i - last);
            last = i;
            left--;
        }
        return n;
    }
}
