package subjects;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserDefinedFileAttributeView;

/** Ways out of a sandbox, and ways to harm who watches it. Each says how far it came. */
public class Outlaw {
    private static String tried(Throwable t) {
        return t == null ? "done" : t.getClass().getSimpleName();
    }

    interface Deed {
        void run() throws Exception;
    }

    private static String attempt(Deed deed) {
        try {
            deed.run();
            return "done";
        } catch (Throwable t) {
            return tried(t);
        }
    }

    public static String linkOverOutput(String target) {
        return attempt(() -> Files.delete(Paths.get("../output.txt"))) + " "
                + attempt(() -> Files.createSymbolicLink(Paths.get("../output.txt"), Paths.get(target)));
    }

    public static String writeBesideOwnFolders() {
        return attempt(() -> Files.write(Paths.get("../mine"), new byte[1]));
    }

    public static String cutProgress() {
        return attempt(() -> {
            try (RandomAccessFile file = new RandomAccessFile("/dev/fd/6", "rw")) {
                file.setLength(0);
            }
        });
    }

    public static String forgeCounters() {
        return attempt(() -> {
            try (RandomAccessFile file = new RandomAccessFile("/dev/fd/5", "rw")) {
                file.writeInt(0);
            }
        });
    }

    public static String chmod(String file) {
        return attempt(() -> Files.setPosixFilePermissions(Paths.get(file), PosixFilePermissions.fromString("rwxrwxrwx")));
    }

    public static String chown(String file) {
        return attempt(() -> Files.setAttribute(Paths.get(file), "unix:uid", 12345));
    }

    public static String touch(String file) {
        return attempt(() -> Files.setLastModifiedTime(Paths.get(file), FileTime.fromMillis(0)));
    }

    public static String label(String file) {
        return attempt(() -> Files.getFileAttributeView(Paths.get(file), UserDefinedFileAttributeView.class)
                .write("mine", java.nio.ByteBuffer.wrap(new byte[1])));
    }

    public static String ownFileWritten() {
        return attempt(() -> Files.write(Paths.get("own.txt"), new byte[1]));
    }

    public static int readAll(String file) {
        try (InputStream in = new FileInputStream(file)) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            byte[] some = new byte[4096];
            for (int n = in.read(some); n > 0; n = in.read(some)) all.write(some, 0, n);
            return all.size();
        } catch (Exception e) {
            return -1;
        }
    }

    public static int processesSeen() {
        String[] all = new File("/proc").list();
        int seen = 0;
        if (all != null) for (String name : all) if (name.matches("[0-9]+") && readAll("/proc/" + name + "/cmdline") > 0) seen++;
        return seen;
    }

    /** Megabytes outside of the heap until there are no more. */
    public static int nativeMemory() throws Exception {
        Field field = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        sun.misc.Unsafe unsafe = (sun.misc.Unsafe) field.get(null);
        long[] got = new long[400];
        int n = 0;
        try {
            while (n < got.length) got[n++] = unsafe.allocateMemory(16 << 20);
        } catch (OutOfMemoryError e) {
            n--;
        }
        int megabytes = 16 * n;
        while (n > 0) unsafe.freeMemory(got[--n]);
        return megabytes;
    }

    /** What a swallowed refusal leaves behind: nothing that Java shows. */
    public static int swallow(String file) {
        try {
            Files.write(Paths.get(file), new byte[0]);
        } catch (Exception e) {
            return 0;
        }
        return 1;
    }

    public static String closedFolder() {
        return attempt(() -> {
            Path closed = Files.createDirectory(Paths.get("closed"), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("---------")));
            Files.createSymbolicLink(Paths.get("link"), closed.toAbsolutePath().getRoot());
        });
    }
}
