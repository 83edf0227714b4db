package subjects;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ThreadLocalRandom;

/** Everything it says depends on the clock or on chance. */
public class Gambler {
    public static String says() throws InterruptedException {
        long begin = System.nanoTime();
        List<Integer> cards = new ArrayList<>(Arrays.asList(1, 2, 3, 4, 5, 6, 7, 8));
        Collections.shuffle(cards);
        Thread.sleep(3);
        long passed = System.nanoTime() - begin;
        return Math.random() + " " + ThreadLocalRandom.current().nextInt() + " " + cards + " " + UUID.randomUUID() + " " + System.currentTimeMillis() + " " + Instant.now() + " " + passed;
    }

    /** The levels of its nodes are left to chance. */
    public static ConcurrentSkipListSet<Integer> stack() {
        ConcurrentSkipListSet<Integer> set = new ConcurrentSkipListSet<>();
        for (int i = 0; i < 40; i++) set.add(i);
        return set;
    }

    /** Ends only when time passes. */
    public static int waits() {
        long end = System.currentTimeMillis() + 50;
        int looks = 0;
        while (System.currentTimeMillis() < end) looks++;
        return looks;
    }
}
