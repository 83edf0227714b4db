import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Verifies rewritten classes with the Class-File API of JDK 24 and later, which knows no exempt classes. Prints one line per class
 * with more errors than its original has, then a summary line.
 *
 * <p>Usage: ClassFileVerify FILE [ALL]: FILE is a stream of classes (name as DataOutput.writeUTF writes it, length, bytes). The
 * hierarchy and the originals are those of the running JDK, or of ALL, such a stream with all classes of another one.
 */
public class ClassFileVerify {
    public static void main(String[] args) throws Exception {
        Map<String, byte[]> all = new HashMap<>();
        if (args.length > 1) {
            read(args[1], all::put);
        }
        Originals originals = args.length > 1 ? all::get : ClassFileVerify::ofThisJdk;
        ClassHierarchyResolver hierarchy = ClassHierarchyResolver.ofResourceParsing(d -> {
            String s = d.descriptorString();
            byte[] bytes = originals.bytes(s.substring(1, s.length() - 1));
            return bytes == null ? null : new ByteArrayInputStream(bytes);
        }).cached();
        ClassFile verifier = ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(hierarchy));
        int[] counts = new int[2];
        read(args[0], (name, bytes) -> {
            List<VerifyError> errors;
            try {
                errors = verifier.verify(bytes);
            } catch (RuntimeException e) {
                errors = List.of(new VerifyError(e.toString()));
            }
            if (!errors.isEmpty()) {
                int before = verifier.verify(originals.bytes(name)).size();
                if (errors.size() > before) {
                    counts[1]++;
                    System.out.println("FAILED " + name + " " + errors.get(0).getMessage());
                    return;
                }
            }
            counts[0]++;
        });
        System.out.println("passed " + counts[0] + " failed " + counts[1]);
    }

    interface Originals {
        byte[] bytes(String name);
    }

    private static byte[] ofThisJdk(String name) {
        String resource = name + ".class";
        String packageName = name.substring(0, Math.max(0, name.lastIndexOf('/'))).replace('/', '.');
        for (Module m : MODULES.getOrDefault(packageName, List.of())) {
            try (InputStream in = m.getResourceAsStream(resource)) {
                if (in != null) {
                    return in.readAllBytes();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return null;
    }

    /** Modules by the packages they have. */
    private static final Map<String, List<Module>> MODULES = new HashMap<>();

    static {
        for (Module m : ModuleLayer.boot().modules()) {
            for (String p : m.getPackages()) {
                MODULES.computeIfAbsent(p, k -> new ArrayList<>()).add(m);
            }
        }
    }

    interface Sink {
        void take(String name, byte[] bytes);
    }

    private static void read(String file, Sink sink) throws Exception {
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(Paths.get(file)), 1 << 20))) {
            while (true) {
                String name;
                try {
                    name = in.readUTF();
                } catch (EOFException end) {
                    return;
                }
                byte[] bytes = new byte[in.readInt()];
                in.readFully(bytes);
                sink.take(name, bytes);
            }
        }
    }
}
