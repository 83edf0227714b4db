package testudo.runtime;

import java.io.File;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Main class of the test-running helper: runs compiled JUnit tests without JUnit's own machinery, in shuffled orders, on plain class files. Owns finding the tests and
 * their order; {@link TestRun} runs one. Never instruments anything.
 */
public final class Runner {
    private static final int HELLO = 0x01;
    private static final int SHUTDOWN = 0x08;
    private static final int RUN = 0x31;
    private static final int RUN_IN_ORDER = 0x32;
    private static final int FAILED = 0x8e;
    private static final int RAN = 0xb1;
    private static final int DONE = 0xb2;
    /** As long as a scheduled task or a finalizer needs on a quiet machine; every verifying JVM waits for it once. */
    private static final long AFTERMATH_MILLISECONDS = 30;

    private final Channel channel;
    /** What reached outside between tests and after the last, as bits. */
    private int stray;

    private Runner(Channel channel) {
        this.channel = channel;
    }

    public static void main(String[] arguments) throws IOException {
        Channel channel = Channel.open();
        KernelWatch.open();
        StandardStreams.install();
        Runner runner = new Runner(channel);
        try {
            for (Input in = channel.receive(); in != null && in.kind != SHUTDOWN; in = channel.receive()) {
                if (in.kind == HELLO) channel.send(Welcome.KIND, Welcome.message());
                else if (in.kind == RUN) runner.run(in);
                else if (in.kind == RUN_IN_ORDER) runner.runInOrder(in);
                else throw new Input.Problem("unknown message kind " + Integer.toHexString(in.kind));
            }
        } catch (Input.Problem problem) {
            Output message = new Output(128);
            message.str(problem.getMessage());
            channel.send(FAILED, message);
        }
        // Tests may have left threads behind.
        Runtime.getRuntime().halt(0);
    }

    private void run(Input in) throws IOException {
        String[] classes = in.strings();
        int rounds = in.count();
        long seed = in.v();
        long limit = in.v();
        // Names of tests that hung: they would hang again, and cost as much.
        Set<String> hung = new HashSet<String>();
        // One generator for all rounds: neighbouring seeds would give the same order.
        Random chance = new Random(seed);
        for (int round = 0; round < rounds; round++) {
            // New classes each time: a test may owe its luck to one object that lives as long as its class. Many rounds end with the first classes once more: what passes only
            // the first time in a JVM counts on nobody else's having been there.
            boolean again = rounds > 2 && round == rounds - 1;
            ClassLoader loader = round == 0 || again ? ClassLoader.getSystemClassLoader() : anew();
            Thread.currentThread().setContextClassLoader(loader);
            List<TestRun> order = new ArrayList<TestRun>();
            for (String name : classes) find(name.replace('/', '.'), loader, order);
            Collections.shuffle(order, chance);
            for (TestRun test : order) {
                String name = test.className + "." + test.methodName;
                if (!hung.contains(name) && report(round, test, limit) == TestRun.TIMED_OUT) hung.add(name);
            }
        }
        done();
    }

    /** What tests started may act when they are over: finalizers, cleaners, what waits on another thread. It gets a moment to do so. */
    private void done() throws IOException {
        System.gc();
        System.runFinalization();
        try {
            Thread.sleep(AFTERMATH_MILLISECONDS);
        } catch (InterruptedException nobodyDoesThat) {
            // Then it has had less time.
            stray |= KernelWatch.kinds();
        }
        stray |= KernelWatch.kinds();
        Output out = new Output(1);
        // Files that are looked at between tests are the JVM's own business, which loads classes then.
        out.u8(stray & ~Reach.LOOKS);
        stray = 0;
        KernelWatch.begin();
        channel.send(DONE, out);
    }

    /** The tests as they are named, one after the other; a name nobody has is a test that fails. */
    private void runInOrder(Input in) throws IOException {
        int count = in.count();
        List<String[]> names = new ArrayList<String[]>(count);
        for (int i = 0; i < count; i++) names.add(new String[] {in.str().replace('/', '.'), in.str()});
        boolean stop = in.u8() != 0;
        long limit = in.v();
        Map<String, Map<String, TestRun>> known = new HashMap<String, Map<String, TestRun>>();
        for (String[] name : names) {
            TestRun test = named(name[0], name[1], known);
            if (report(0, test, limit) != TestRun.PASSED && stop) break;
        }
        done();
    }

    private TestRun named(String type, String method, Map<String, Map<String, TestRun>> known) {
        Map<String, TestRun> tests = known.get(type);
        if (tests == null) {
            tests = new HashMap<String, TestRun>();
            List<TestRun> found = new ArrayList<TestRun>();
            find(type, ClassLoader.getSystemClassLoader(), found);
            for (TestRun test : found) tests.put(test.methodName, test);
            known.put(type, tests);
        }
        TestRun test = tests.get(method);
        return test != null ? test : new TestRun(type, method, new NoSuchMethodException(type + "." + method));
    }

    /** A loader of the class path's classes that has none of them yet. */
    private static ClassLoader anew() {
        String[] paths = System.getProperty("java.class.path").split(File.pathSeparator);
        URL[] urls = new URL[paths.length];
        for (int i = 0; i < paths.length; i++) {
            try {
                urls[i] = new File(paths[i]).toURI().toURL();
            } catch (MalformedURLException impossible) {
                throw new Input.Problem("a class path has no address: " + paths[i]);
            }
        }
        return new URLClassLoader(urls, ClassLoader.getSystemClassLoader().getParent());
    }

    private void find(String name, ClassLoader loader, List<TestRun> tests) {
        try {
            Class<?> type = Class.forName(name, false, loader);
            Method[] methods = type.getDeclaredMethods();
            Arrays.sort(methods, new Comparator<Method>() {
                @Override
                public int compare(Method a, Method b) {
                    return a.toString().compareTo(b.toString());
                }
            });
            for (Method method : methods) {
                Annotation annotation = testAnnotation(method);
                if (annotation != null) tests.add(new TestRun(method, annotation));
            }
        } catch (ClassNotFoundException | LinkageError unusable) {
            tests.add(new TestRun(name, "<class>", unusable));
        }
    }

    private static Annotation testAnnotation(Method method) {
        for (Annotation annotation : method.getDeclaredAnnotations()) {
            String name = annotation.annotationType().getName();
            if (name.equals("org.junit.jupiter.api.Test") || name.equals("org.junit.Test")) return annotation;
        }
        return null;
    }

    private int report(int round, TestRun test, long limit) throws IOException {
        stray |= KernelWatch.kinds();
        Thread thread = TestThread.next();
        ClassLoader loader = thread.getContextClassLoader();
        State before = new State(thread);
        Reach.begin();
        long start = System.nanoTime();
        int outcome = test.run(limit);
        long microseconds = (System.nanoTime() - start) / 1000;
        String changed = before.changed();
        if (changed == null && thread.getContextClassLoader() != loader) changed = "the main thread's context class loader";
        if (changed != null) {
            Reach.mark(Reach.STATE, changed);
            before.putBack();
        }
        Output out = new Output(256);
        out.v(round);
        out.str(test.className.replace('.', '/'));
        out.str(test.methodName);
        out.u8(outcome);
        if (outcome != TestRun.PASSED) {
            Throwable thrown = test.failure();
            out.str(thrown == null ? "" : Shape.nameOf(thrown.getClass()));
            out.str(TestRun.messageOf(thrown));
            out.str(TestRun.place(thrown, test.className));
        }
        out.v(microseconds);
        Reach.writeOfTest(out);
        KernelWatch.begin();
        channel.send(RAN, out);
        return outcome;
    }
}
