package subjects;

import java.io.*;
import java.lang.invoke.*;
import java.lang.reflect.*;
import java.net.*;
import java.nio.ByteBuffer;
import java.nio.channels.*;
import java.nio.file.*;
import java.util.*;

/** One way to reach outside per method; each swallows what comes of it. And, from {@code inside} on, what looks alike and stays inside. */
public class Reaching {
    /** Inherits what deletes. */
    static class Own extends File {
        Own(String name) {
            super(name);
        }
    }

    static class OwnWriter extends FileWriter {
        OwnWriter(String name) throws IOException {
            super(name);
        }
    }

    private interface Act {
        Object run() throws Throwable;
    }

    private static int swallow(Act act) {
        try {
            act.run();
        } catch (Throwable swallowed) {
            return 1;
        }
        return 0;
    }

    private static final String NOWHERE = "/nonexistent/a/b";

    public static int fileWriter() { return swallow(() -> new FileWriter("")); }
    public static int fileOutputStream() { return swallow(() -> new FileOutputStream(new File(NOWHERE), true)); }
    public static int ownWriter() { return swallow(() -> new OwnWriter(NOWHERE)); }
    public static int printWriter() { return swallow(() -> new PrintWriter(NOWHERE, "UTF-8")); }
    public static int printStream() { return swallow(() -> new PrintStream(new File(NOWHERE))); }
    public static int formatter() { return swallow(() -> new Formatter(NOWHERE)); }
    public static int randomAccess() { return swallow(() -> new RandomAccessFile(NOWHERE, "rw")); }
    public static int channel() { return swallow(() -> FileChannel.open(Paths.get(NOWHERE), StandardOpenOption.WRITE)); }
    public static int byteChannel() { return swallow(() -> Files.newByteChannel(Paths.get(NOWHERE), EnumSet.of(StandardOpenOption.APPEND))); }
    public static int writeBytes() { return swallow(() -> Files.write(Paths.get(NOWHERE), new byte[0])); }
    public static int bufferedWriter() { return swallow(() -> Files.newBufferedWriter(Paths.get(NOWHERE))); }
    public static int copy() { return swallow(() -> Files.copy(Paths.get(NOWHERE), Paths.get(NOWHERE))); }
    public static int createTemp() { return swallow(() -> File.createTempFile("abc", "d", new File(NOWHERE))); }
    public static int delete() { return swallow(() -> new File(NOWHERE).delete()); }
    public static int deleteOwn() { return swallow(() -> new Own(NOWHERE).delete()); }
    public static int deleteByReference() {
        return swallow(() -> {
            java.util.function.Predicate<File> delete = File::delete;
            return delete.test(new File(NOWHERE));
        });
    }
    public static int deleteByReflection() { return swallow(() -> File.class.getMethod("delete").invoke(new File(NOWHERE))); }
    public static int writerByReflection() { return swallow(() -> FileWriter.class.getConstructor(String.class).newInstance(NOWHERE)); }
    public static int deleteByHandle() {
        return swallow(() -> (boolean) MethodHandles.lookup().findVirtual(File.class, "delete", MethodType.methodType(boolean.class)).invokeExact(new File(NOWHERE)));
    }
    public static int logFile() { return swallow(() -> new java.util.logging.FileHandler(NOWHERE)); }
    public static int connect() { return swallow(() -> new Socket("127.0.0.1", 1)); }
    public static int listen() { return swallow(() -> new ServerSocket(0)); }
    public static int datagram() { return swallow(() -> new DatagramSocket()); }
    public static int socketChannel() { return swallow(() -> SocketChannel.open()); }
    public static int url() { return swallow(() -> new URL("http://127.0.0.1:1/").openStream()); }
    public static int urlConnection() { return swallow(() -> new URL("http://127.0.0.1:1/").openConnection().getInputStream()); }
    public static int resolve() { return swallow(() -> InetAddress.getByName("example.invalid")); }
    public static int start() { return swallow(() -> new ProcessBuilder("true").start()); }
    public static int exec() { return swallow(() -> Runtime.getRuntime().exec(new String[] {"true"}, new String[0], null)); }
    public static int load() { return swallow(() -> { System.load(NOWHERE); return null; }); }
    public static int environment() { return swallow(() -> System.getenv("PATH")); }
    public static int listFolder() { return swallow(() -> new File("/").list()); }
    public static int readThere() { return swallow(() -> Files.readAllBytes(Paths.get("/proc/version"))); }
    public static int property() { return swallow(() -> System.getProperties().put("subjects.a", "b")); }
    public static int propertyByReflection() {
        return swallow(() -> System.class.getMethod("setProperty", String.class, String.class).invoke(null, "subjects.a", "b"));
    }
    public static int locale() { return swallow(() -> Locale.class.getMethod("setDefault", Locale.class).invoke(null, Locale.KOREA)); }
    public static int handler() { return swallow(() -> { Thread.setDefaultUncaughtExceptionHandler((t, e) -> { }); return null; }); }
    public static int threadName() { return swallow(() -> { Thread.currentThread().setName("a"); return null; }); }
    public static int provider() { return swallow(() -> { java.security.Security.removeProvider("SunJCE"); return null; }); }
    public static int logging() { return swallow(() -> { java.util.logging.LogManager.getLogManager().reset(); return null; }); }
    public static int rootLogger() { return swallow(() -> { java.util.logging.Logger.getLogger("").setLevel(null); return null; }); }
    public static int box() {
        return swallow(() -> {
            Field unsafe = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
            unsafe.setAccessible(true);
            sun.misc.Unsafe u = (sun.misc.Unsafe) unsafe.get(null);
            u.putBoolean(Boolean.TRUE, 12L, false);
            return null;
        });
    }

    public static int closeOutput() { return swallow(() -> { System.out.close(); return null; }); }
    public static int readInput() { return swallow(() -> System.in.read()); }
    public static int assertionStatus() { return swallow(() -> { Reaching.class.getClassLoader().setDefaultAssertionStatus(true); return null; }); }
    public static int logHandler() {
        return swallow(() -> {
            for (java.util.logging.Handler handler : java.util.logging.Logger.getLogger("").getHandlers()) handler.setLevel(null);
            return null;
        });
    }
    public static int cleaner() { return swallow(() -> java.lang.ref.Cleaner.create().register(new Object(), () -> {})); }
    public static int later() { return swallow(() -> java.util.concurrent.CompletableFuture.delayedExecutor(1, java.util.concurrent.TimeUnit.SECONDS)); }
    public static int desktop() { return swallow(() -> java.awt.Desktop.isDesktopSupported()); }
    public static int arguments() { return swallow(() -> java.lang.management.ManagementFactory.getRuntimeMXBean().getInputArguments()); }

    public static int insideWriters() { return swallow(() -> new PrintWriter(new StringWriter()).append("a")); }
    public static int insideMissingFile() { return swallow(() -> new FileInputStream(NOWHERE)); }
    public static int insideExists() { return swallow(() -> new File(NOWHERE).exists()); }
    public static int insideScanner() { return swallow(() -> new Scanner("a b").next()); }
    public static int insideReadOnly() { return swallow(() -> new RandomAccessFile(NOWHERE, "r")); }
    public static int insideNullUrl() { return swallow(() -> ((URL) null).openStream()); }
    public static int insideUrl() { return swallow(() -> new URL("http://example.org/a").getHost()); }
    public static int insideResource() { return swallow(() -> Reaching.class.getResource("Reaching.class").openStream().read()); }
    public static int insideAddress() { return swallow(() -> InetAddress.getByName("127.0.0.1")); }
    public static int insideReflection() { return swallow(() -> String.class.getMethod("length").invoke("abc")); }
    public static int insideProperty() { return swallow(() -> System.getProperty("os.name")); }
    public static int insideLogger() { return swallow(() -> { java.util.logging.Logger.getLogger("a").fine("b"); return null; }); }
    public static int insideBuffer() { return swallow(() -> ByteBuffer.allocate(8).putInt(1)); }
    public static int hooksByName() {
        return swallow(() -> Class.forName("testudo.runtime.Hooks")) + 10 * swallow(() -> Reaching.class.getClassLoader().loadClass("testudo.runtime.Interpreter"));
    }
}
