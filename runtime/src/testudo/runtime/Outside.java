package testudo.runtime;

import java.io.File;
import java.io.IOException;
import java.nio.file.CopyOption;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZonedDateTime;

/**
 * Calls of the code under test that look at or change the world outside the JVM. Owns the mark that a sequence did so, and a clock that can be put forward; does what the original call does, because
 * forbidding is the sandbox's business.
 */
public final class Outside {
    /** The sequence tried to change files or start a program: a test of it would do so on somebody's machine. */
    static boolean touched;
    /** By how much the clock is ahead, in milliseconds. */
    static long ahead;

    private Outside() {}

    // The clock.

    public static long currentTimeMillis() {
        return System.currentTimeMillis() + ahead;
    }

    public static long nanoTime() {
        return System.nanoTime() + ahead * 1_000_000L;
    }

    private static Clock clock() {
        return Clock.offset(Clock.systemDefaultZone(), Duration.ofMillis(ahead));
    }

    private static Clock clock(ZoneId zone) {
        return Clock.offset(Clock.system(zone), Duration.ofMillis(ahead));
    }

    public static Instant instant() {
        return clock().instant();
    }

    public static LocalDate localDate() {
        return LocalDate.now(clock());
    }

    public static LocalDate localDate(ZoneId zone) {
        return LocalDate.now(clock(zone));
    }

    public static LocalTime localTime() {
        return LocalTime.now(clock());
    }

    public static LocalTime localTime(ZoneId zone) {
        return LocalTime.now(clock(zone));
    }

    public static LocalDateTime localDateTime() {
        return LocalDateTime.now(clock());
    }

    public static LocalDateTime localDateTime(ZoneId zone) {
        return LocalDateTime.now(clock(zone));
    }

    public static ZonedDateTime zonedDateTime() {
        return ZonedDateTime.now(clock());
    }

    public static ZonedDateTime zonedDateTime(ZoneId zone) {
        return ZonedDateTime.now(clock(zone));
    }

    public static OffsetDateTime offsetDateTime() {
        return OffsetDateTime.now(clock());
    }

    public static Year year() {
        return Year.now(clock());
    }

    public static YearMonth yearMonth() {
        return YearMonth.now(clock());
    }

    // Files.

    public static boolean delete(File file) {
        touched = true;
        return file.delete();
    }

    public static void deleteOnExit(File file) {
        touched = true;
        file.getPath();
    }

    public static boolean mkdir(File file) {
        touched = true;
        return file.mkdir();
    }

    public static boolean mkdirs(File file) {
        touched = true;
        return file.mkdirs();
    }

    public static boolean createNewFile(File file) throws IOException {
        touched = true;
        return file.createNewFile();
    }

    public static boolean renameTo(File file, File to) {
        touched = true;
        return file.renameTo(to);
    }

    public static boolean setLastModified(File file, long time) {
        touched = true;
        return file.setLastModified(time);
    }

    public static boolean setReadOnly(File file) {
        touched = true;
        return file.setReadOnly();
    }

    public static void delete(Path path) throws IOException {
        touched = true;
        Files.delete(path);
    }

    public static boolean deleteIfExists(Path path) throws IOException {
        touched = true;
        return Files.deleteIfExists(path);
    }

    public static Path createFile(Path path, FileAttribute<?>[] attributes) throws IOException {
        touched = true;
        return Files.createFile(path, attributes);
    }

    public static Path createDirectory(Path path, FileAttribute<?>[] attributes) throws IOException {
        touched = true;
        return Files.createDirectory(path, attributes);
    }

    public static Path createDirectories(Path path, FileAttribute<?>[] attributes) throws IOException {
        touched = true;
        return Files.createDirectories(path, attributes);
    }

    public static Path move(Path from, Path to, CopyOption[] options) throws IOException {
        touched = true;
        return Files.move(from, to, options);
    }

    public static Path copy(Path from, Path to, CopyOption[] options) throws IOException {
        touched = true;
        return Files.copy(from, to, options);
    }

    public static Path write(Path path, byte[] bytes, OpenOption[] options) throws IOException {
        touched = true;
        return Files.write(path, bytes, options);
    }

    // Programs.

    public static Process start(ProcessBuilder builder) throws IOException {
        touched = true;
        return builder.start();
    }

    public static Process exec(Runtime runtime, String command) throws IOException {
        touched = true;
        return runtime.exec(command);
    }

    public static Process exec(Runtime runtime, String[] command) throws IOException {
        touched = true;
        return runtime.exec(command);
    }
}
