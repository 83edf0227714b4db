import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/** Prints every class of the running JDK with its module, size and checksum, as the JDK itself sees them. Knows nothing of what is compared. */
public final class Jrt {
    public static void main(String[] args) throws IOException {
        FileSystem jrt = FileSystems.getFileSystem(URI.create("jrt:/"));
        List<Path> files;
        try (Stream<Path> walk = Files.walk(jrt.getPath("/modules"))) {
            files = walk.filter(p -> p.toString().endsWith(".class")).sorted().collect(Collectors.toList());
        }
        StringBuilder out = new StringBuilder();
        for (Path file : files) {
            byte[] bytes = Files.readAllBytes(file);
            CRC32 crc = new CRC32();
            crc.update(bytes);
            out.append(file.subpath(1, file.getNameCount())).append(' ').append(bytes.length).append(' ')
                    .append(crc.getValue()).append('\n');
        }
        System.out.print(out);
    }
}
