package testudo.runtime;

import java.io.File;
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

/**
 * The clock and the chance that code under test meets: the same for every sequence, so that a search can be repeated. Owns both; that calls reach outside is said by {@link Marks}.
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

    /** The JVM of a worker ends at no moment that code could wait for. */
    public static void deleteOnExit(File file) {
        file.getPath();
    }
}
