package testudo.runtime;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;

/** The folder that code under test runs in and that is its alone. Owns emptying it, so that nobody owes his luck to a file that somebody else left; never looks at another one. */
final class Folder {
    private final File folder;

    Folder(File folder) {
        this.folder = folder.getAbsoluteFile();
    }

    void empty() {
        clear(folder);
    }

    private static void clear(File folder) {
        String[] inside = folder.list();
        if (inside == null) return;
        for (String name : inside) {
            File file = new File(folder, name);
            if (!isLink(file)) clear(file);
            file.delete();
        }
    }

    /** A name that is none here is not followed either. */
    private static boolean isLink(File file) {
        try {
            return Files.isSymbolicLink(file.toPath());
        } catch (InvalidPathException e) {
            return true;
        }
    }
}
