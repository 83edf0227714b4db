package subjects;

import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.lang.reflect.Field;
import java.net.DatagramSocket;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** Everything a decent program does not do. */
public class Hostile {
    public static int fine(int x) {
        return x + 1;
    }

    public static void exit(int status) {
        System.exit(status);
    }

    public static void halt(int status) {
        Runtime.getRuntime().halt(status);
    }

    /** Behind the back of any rewriting of call sites. */
    public static void reflectiveHalt(int status) throws Exception {
        Runtime.class.getMethod("halt", int.class).invoke(Runtime.getRuntime(), status);
    }

    public static void loop() {
        while (true) { }
    }

    public static void loopCatchingAll() {
        while (true) {
            try {
                while (true) fine(1);
            } catch (Throwable t) {
                // goes on
            }
        }
    }

    /** Turns in the JDK's code, where no steps are counted. */
    public static void loopInTheJdk() {
        new java.math.BigInteger("3").pow(400_000_000).bitLength();
    }

    /** Takes longer the larger the number, and comes back. */
    public static int powerInTheJdk(int exponent) {
        return new java.math.BigInteger("3").pow(exponent).bitLength();
    }

    /** Comes back to its own code now and then, but seldom: the step limit is far away. */
    public static void powersInTheJdk() {
        while (true) powerInTheJdk(100_000);
    }

    /** Takes an interruption for an answer. */
    public static boolean waitInVain() {
        Object lock = new Object();
        synchronized (lock) {
            try {
                lock.wait();
                return true;
            } catch (InterruptedException e) {
                return false;
            }
        }
    }

    /** Asks for ever for more where nothing comes: in the JDK, but calling back. */
    public static String scan(Readable source) {
        return new java.util.Scanner(source).next();
    }

    public static int recurse(int x) {
        return recurse(x + 1) + 1;
    }

    public static Object allocate() {
        List<long[]> all = new ArrayList<>();
        while (true) all.add(new long[1 << 20]);
    }

    public static void lockForever() throws InterruptedException {
        Object lock = new Object();
        synchronized (lock) {
            lock.wait();
        }
    }

    public static void sleepForever() throws InterruptedException {
        Thread.sleep(Long.MAX_VALUE);
    }

    public static void leaveThread() {
        Thread t = new Thread(java.util.concurrent.locks.LockSupport::park);
        t.setDaemon(true);
        t.start();
    }

    public static int leavePool() throws Exception {
        java.util.concurrent.ScheduledExecutorService pool = java.util.concurrent.Executors.newScheduledThreadPool(2);
        pool.scheduleAtFixedRate(() -> {}, 1, 1, java.util.concurrent.TimeUnit.NANOSECONDS);
        pool.schedule(() -> 1, 1, java.util.concurrent.TimeUnit.DAYS);
        return pool.submit(() -> 7).get();
    }

    static final class Shared {
        static final java.util.concurrent.ExecutorService POOL = java.util.concurrent.Executors.newFixedThreadPool(2);
        static volatile boolean isSet;
    }

    public static int shareAPool() throws Exception {
        // Takes two threads: one that had to do both would wait for itself.
        java.util.concurrent.CountDownLatch both = new java.util.concurrent.CountDownLatch(2);
        java.util.concurrent.Callable<Integer> task = () -> {
            both.countDown();
            both.await();
            return 7;
        };
        java.util.concurrent.Future<Integer> other = Shared.POOL.submit(task);
        return Shared.POOL.submit(task).get() + other.get();
    }

    public static void setSoon() {
        Shared.isSet = false;
        java.util.concurrent.Executors.newScheduledThreadPool(1)
                .schedule(() -> Shared.isSet = true, 1, java.util.concurrent.TimeUnit.MILLISECONDS);
    }

    public static boolean isSet() {
        return Shared.isSet;
    }

    public static void crash() throws Exception {
        Field f = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe");
        f.setAccessible(true);
        Object unsafe = f.get(null);
        unsafe.getClass().getMethod("putAddress", long.class, long.class).invoke(unsafe, 0L, 1L);
    }

    /** A thread is a Runnable: on the thread a program starts on, this does nothing. */
    public static void runOwnThread() {
        Thread.currentThread().run();
    }

    public static void interruptOwnThread() {
        Thread.currentThread().interrupt();
    }

    public static boolean isInterrupted() {
        return Thread.currentThread().isInterrupted();
    }

    /** Loads classes on threads of the JDK's common pool, which wait for them while the worker talks. */
    public static int sumInParallel() {
        return java.util.stream.IntStream.range(0, 64).parallel().map(i -> Parallel.one(i)).sum();
    }

    static class Parallel {
        static int one(int i) {
            return i % 2 == 0 ? Even.value() : Odd.value();
        }
    }

    static class Even {
        static int value() {
            return 1;
        }
    }

    static class Odd {
        static int value() {
            return 1;
        }
    }

    public static void print() {
        for (int i = 0; i < 1000; i++) System.out.println("noise noise noise");
        System.err.println("more noise");
    }

    public static int read() throws Exception {
        return System.in.read();
    }

    public static void writeOutside(String path) throws Exception {
        try (FileOutputStream out = new FileOutputStream(path)) {
            out.write(1);
        }
    }

    public static int readOutside(String path) throws Exception {
        try (FileInputStream in = new FileInputStream(path)) {
            return in.read();
        }
    }

    public static int list(String path) {
        String[] names = new File(path).list();
        return names == null ? -1 : names.length;
    }

    public static void connect(int port) throws Exception {
        new Socket("127.0.0.1", port).close();
    }

    public static void serve() throws Exception {
        new ServerSocket(0).close();
    }

    public static void datagram() throws Exception {
        new DatagramSocket().close();
    }

    public static int startProgram() throws Exception {
        return Runtime.getRuntime().exec(new String[] {"/bin/true"}).waitFor();
    }

    public static int scratchFile() throws Exception {
        File file = new File("mine.txt");
        try (FileOutputStream out = new FileOutputStream(file)) {
            out.write(42);
        }
        try (FileInputStream in = new FileInputStream(file)) {
            return in.read();
        } finally {
            file.delete();
        }
    }

    public static int tempFile() throws Exception {
        File file = File.createTempFile("some", "thing");
        return file.delete() ? 1 : 0;
    }

    public static int threads() throws Exception {
        int[] sum = new int[1];
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            Thread t = new Thread(() -> {
                synchronized (sum) {
                    sum[0]++;
                }
            });
            all.add(t);
            t.start();
        }
        for (Thread t : all) t.join();
        return sum[0];
    }

    /** A class whose initialiser never ends. */
    static class Endless {
        static int value;

        static {
            while (value >= 0) value = (value + 1) & 0xffff;
        }
    }

    public static int initialiseForever() {
        return Endless.value;
    }
}
