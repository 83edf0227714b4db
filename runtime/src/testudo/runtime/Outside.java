package testudo.runtime;

import java.io.File;
import java.io.FileFilter;
import java.io.FilenameFilter;
import java.io.IOException;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/**
 * Calls of the code under test that look at or change the world outside the JVM, its clock and its chance. Marks such sequences at {@link Reach}. Owns a clock and a start of chance that are the same for
 * every sequence, so that a search can be repeated; otherwise does what the original call does, because forbidding is the sandbox's business.
 */
public final class Outside {
    /** By how much the clock is ahead, in milliseconds. */
    static long ahead;
    /** How often the sequence looked at the clock. */
    private static int looks;
    /** How long the sequence slept, in milliseconds. Nobody waits for it. */
    private static long slept;

    /** What the clock says when a sequence begins: an ordinary working day. */
    private static final long START = 1_768_473_296_789L;
    /** So often the clock is found unchanged, as quick code finds it; then it moves, because somebody waits for it. */
    private static final int QUICK = 16;
    private static final int VARIED_TICK = 7;

    private static final long SEED = Memory.UNSAFE.objectFieldOffset(Thread.class, "threadLocalRandomSeed");
    private static final long PROBE = Memory.UNSAFE.objectFieldOffset(Thread.class, "threadLocalRandomProbe");
    private static final long SECOND_SEED = Memory.UNSAFE.objectFieldOffset(Thread.class, "threadLocalRandomSecondarySeed");

    private Outside() {}

    /** How often chance was another one: it is another one each time. */
    private static int others;

    /** A sequence begins on this thread. With another seed than 0 it meets other chances. */
    static void begin(int other) {
        int seed = other == 0 ? 0 : other + 0x9e3779b9 * ++others;
        Reach.begin();
        looks = 0;
        slept = 0;
        Thread thread = Thread.currentThread();
        Memory.UNSAFE.putLong(thread, SEED, 0x5deece66dL + seed);
        // Not zero: that would mean "not yet begun".
        Memory.UNSAFE.putInt(thread, PROBE, 0x2545f491);
        Memory.UNSAFE.putInt(thread, SECOND_SEED, 0x6c078965 + seed);
    }

    // The clock.

    public static long currentTimeMillis() {
        int look = ++looks;
        return START + slept + ahead + (ahead != 0 ? (long) look * VARIED_TICK : Math.max(0, look - QUICK));
    }

    static void sleep(long milliseconds) {
        slept += milliseconds;
    }

    public static long nanoTime() {
        return (currentTimeMillis() - START) * 1_000_000L;
    }

    private static Clock clock() {
        return clock(ZoneId.systemDefault());
    }

    private static Clock clock(ZoneId zone) {
        return Clock.fixed(Instant.ofEpochMilli(currentTimeMillis()), zone);
    }

    // Chance.

    public static double random() {
        return ThreadLocalRandom.current().nextDouble();
    }

    public static void shuffle(List<?> list) {
        Collections.shuffle(list, ThreadLocalRandom.current());
    }

    public static UUID randomUUID() {
        ThreadLocalRandom chance = ThreadLocalRandom.current();
        return new UUID(chance.nextLong() & ~0xf000L | 0x4000L, chance.nextLong() >>> 2 | 1L << 63);
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

    public static String[] list(File file) {
        return looked(file).list();
    }

    public static String[] list(File file, FilenameFilter filter) {
        return looked(file).list(filter);
    }

    public static File[] listFiles(File file) {
        return looked(file).listFiles();
    }

    public static File[] listFiles(File file, FilenameFilter filter) {
        return looked(file).listFiles(filter);
    }

    public static File[] listFiles(File file, FileFilter filter) {
        return looked(file).listFiles(filter);
    }

    /** A folder that is there has something else in it on every machine, and may be shut here. */
    private static File looked(File file) {
        if (file.isDirectory()) Reach.mark(Reach.LOOKS);
        return file;
    }

    public static Stream<Path> list(Path path) throws IOException {
        return Files.list(looked(path));
    }

    public static Stream<Path> walk(Path path, FileVisitOption[] options) throws IOException {
        return Files.walk(looked(path), options);
    }

    public static Stream<Path> walk(Path path, int depth, FileVisitOption[] options) throws IOException {
        return Files.walk(looked(path), depth, options);
    }

    public static DirectoryStream<Path> newDirectoryStream(Path path) throws IOException {
        return Files.newDirectoryStream(looked(path));
    }

    public static DirectoryStream<Path> newDirectoryStream(Path path, String glob) throws IOException {
        return Files.newDirectoryStream(looked(path), glob);
    }

    private static Path looked(Path path) {
        if (Files.isDirectory(path)) Reach.mark(Reach.LOOKS);
        return path;
    }

    public static boolean delete(File file) {
        Reach.mark(Reach.FILES);
        return file.delete();
    }

    public static void deleteOnExit(File file) {
        Reach.mark(Reach.FILES);
        file.getPath();
    }

    public static boolean mkdir(File file) {
        Reach.mark(Reach.FILES);
        return file.mkdir();
    }

    public static boolean mkdirs(File file) {
        Reach.mark(Reach.FILES);
        return file.mkdirs();
    }

    public static boolean createNewFile(File file) throws IOException {
        Reach.mark(Reach.FILES);
        return file.createNewFile();
    }

    public static boolean renameTo(File file, File to) {
        Reach.mark(Reach.FILES);
        return file.renameTo(to);
    }

    public static boolean setLastModified(File file, long time) {
        Reach.mark(Reach.FILES);
        return file.setLastModified(time);
    }

    public static boolean setReadOnly(File file) {
        Reach.mark(Reach.FILES);
        return file.setReadOnly();
    }

    public static void delete(Path path) throws IOException {
        Reach.mark(Reach.FILES);
        Files.delete(path);
    }

    public static boolean deleteIfExists(Path path) throws IOException {
        Reach.mark(Reach.FILES);
        return Files.deleteIfExists(path);
    }

    public static Path createFile(Path path, FileAttribute<?>[] attributes) throws IOException {
        Reach.mark(Reach.FILES);
        return Files.createFile(path, attributes);
    }

    public static Path createDirectory(Path path, FileAttribute<?>[] attributes) throws IOException {
        Reach.mark(Reach.FILES);
        return Files.createDirectory(path, attributes);
    }

    public static Path createDirectories(Path path, FileAttribute<?>[] attributes) throws IOException {
        Reach.mark(Reach.FILES);
        return Files.createDirectories(path, attributes);
    }

    public static Path move(Path from, Path to, CopyOption[] options) throws IOException {
        Reach.mark(Reach.FILES);
        return Files.move(from, to, options);
    }

    public static Path copy(Path from, Path to, CopyOption[] options) throws IOException {
        Reach.mark(Reach.FILES);
        return Files.copy(from, to, options);
    }

    public static Path write(Path path, byte[] bytes, OpenOption[] options) throws IOException {
        Reach.mark(Reach.FILES);
        return Files.write(path, bytes, options);
    }

    // Programs.

    public static Process start(ProcessBuilder builder) throws IOException {
        Reach.mark(Reach.PROGRAM);
        return builder.start();
    }

    public static Process exec(Runtime runtime, String command) throws IOException {
        Reach.mark(Reach.PROGRAM);
        return runtime.exec(command);
    }

    public static Process exec(Runtime runtime, String[] command) throws IOException {
        Reach.mark(Reach.PROGRAM);
        return runtime.exec(command);
    }
}
