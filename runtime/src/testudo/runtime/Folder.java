package testudo.runtime;

import java.io.File;
import java.nio.file.Files;

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
            if (!Files.isSymbolicLink(file.toPath())) clear(file);
            file.delete();
        }
    }
}
