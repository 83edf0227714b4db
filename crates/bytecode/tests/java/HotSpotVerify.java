import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;

/**
 * Has HotSpot verify rewritten classes, those of the JDK itself included, without ever letting them take effect: each batch of
 * redefinitions ends with one that the JVM must refuse (it adds a method). The JVM looks at the definitions in order, verifies each,
 * and applies none of them when the last is refused. So "refused for the last" means that all others passed. Needs -Xverify:all,
 * otherwise classes of the boot loader are not verified.
 *
 * <p>HotSpot never verifies Object, Class, String and Throwable: these pass here whatever they hold.
 *
 * <p>Usage: HotSpotVerify FILE [JAR...], where FILE is a stream of classes: name
 * as DataOutput.writeUTF writes it, length, bytes. With jars the classes are theirs, not the JDK's.
 * Prints one line per class that failed, then a summary line. A class whose original cannot be loaded or redefined is not
 * checkable and counted apart.
 */
public class HotSpotVerify {
    private static Instrumentation jvm;
    private static ClassDefinition refused;
    private static int passed;
    private static int failed;
    private static int uncheckable;

    /** The class whose redefinition is always refused. */
    static class Refused {}

    /** As Refused, with a method more. Its bytes, renamed, are what is refused. */
    static class RefuseX {
        static void added() {}
    }

    public static void agentmain(String args, Instrumentation instrumentation) {
        jvm = instrumentation;
    }

    public static void main(String[] args) throws Exception {
        refused = new ClassDefinition(Refused.class, renamed());
        if (check(new ArrayList<>()) != null) {
            throw new IllegalStateException("an empty batch does not pass");
        }
        ClassLoader loader = args.length < 2
                ? ClassLoader.getSystemClassLoader()
                : new URLClassLoader(jars(args), ClassLoader.getPlatformClassLoader());
        List<ClassDefinition> batch = new ArrayList<>();
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(Paths.get(args[0])), 1 << 20))) {
            while (true) {
                String name;
                try {
                    name = in.readUTF();
                } catch (EOFException end) {
                    break;
                }
                byte[] bytes = new byte[in.readInt()];
                in.readFully(bytes);
                if (name.endsWith("module-info")) {
                    continue;
                }
                try {
                    batch.add(new ClassDefinition(Class.forName(name.replace('/', '.'), false, loader), bytes));
                } catch (Throwable e) {
                    uncheckable++;
                    System.out.println("UNCHECKABLE " + name + " " + e);
                }
                if (batch.size() == 100) {
                    run(batch, loader);
                    batch.clear();
                }
            }
        }
        run(batch, loader);
        System.out.println("passed " + passed + " failed " + failed + " uncheckable " + uncheckable);
    }

    private static URL[] jars(String[] args) throws IOException {
        URL[] urls = new URL[args.length - 1];
        for (int i = 1; i < args.length; i++) {
            urls[i - 1] = Paths.get(args[i]).toUri().toURL();
        }
        return urls;
    }

    private static void run(List<ClassDefinition> batch, ClassLoader loader) throws IOException {
        if (check(batch) == null) {
            passed += batch.size();
            return;
        }
        for (ClassDefinition one : batch) {
            Throwable problem = check(List.of(one));
            if (problem == null) {
                passed++;
                continue;
            }
            String name = one.getDefinitionClass().getName();
            Throwable original = check(List.of(new ClassDefinition(one.getDefinitionClass(), originalBytes(name, loader))));
            if (original != null) {
                uncheckable++;
                System.out.println("UNCHECKABLE " + name + " " + firstLine(original));
            } else {
                failed++;
                System.out.println("FAILED " + name + " " + problem);
            }
        }
    }

    private static byte[] originalBytes(String name, ClassLoader loader) throws IOException {
        Class<?> c;
        try {
            c = Class.forName(name, false, loader);
        } catch (ClassNotFoundException e) {
            throw new IOException(e);
        }
        String simple = name.substring(name.lastIndexOf('.') + 1) + ".class";
        try (InputStream in = loader instanceof URLClassLoader
                ? loader.getResourceAsStream(name.replace('.', '/') + ".class")
                : c.getModule().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new IOException("no bytes of " + simple);
            }
            return in.readAllBytes();
        }
    }

    /** What the JVM has against a batch; null if nothing. */
    private static Throwable check(List<ClassDefinition> batch) {
        List<ClassDefinition> all = new ArrayList<>(batch);
        all.add(refused);
        try {
            jvm.redefineClasses(all.toArray(new ClassDefinition[0]));
        } catch (UnsupportedOperationException e) {
            return String.valueOf(e.getMessage()).contains("add a method") ? null : e;
        } catch (Throwable e) {
            return e;
        }
        throw new IllegalStateException("the JVM accepted what it must refuse");
    }

    private static String firstLine(Throwable e) {
        return e.toString().lines().findFirst().orElse("");
    }

    private static byte[] renamed() throws IOException {
        byte[] bytes;
        try (InputStream in = HotSpotVerify.class.getResourceAsStream("HotSpotVerify$RefuseX.class")) {
            bytes = in.readAllBytes();
        }
        byte[] from = "RefuseX".getBytes("US-ASCII");
        for (int i = 0; i + from.length <= bytes.length; i++) {
            boolean same = true;
            for (int k = 0; k < from.length && same; k++) {
                same = bytes[i + k] == from[k];
            }
            if (same) {
                bytes[i + from.length - 1] = 'd';
            }
        }
        return bytes;
    }
}
