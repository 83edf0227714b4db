package testudo.runtime;

import java.util.Arrays;

/**
 * Which probes a sequence hit, and by which statement first. Owns what is known about the cheapest hit of each probe; never knows what a probe stands for.
 * A hit by a statement that came back is preferred to one by a statement that threw, so the latter leaves the probe open, until it happened so often that there is probably nothing better.
 *
 * <p>Probes that the running sequence cannot improve are set beforehand, in the hit array and in a template beside it. Whatever differs after a statement was hit by it
 * and matters, so the usual scan is one vectorised comparison of two equal arrays.
 */
final class Probes {
    /** Templates are kept for costs below this, and within a total size. */
    private static final int TEMPLATES = 1024;
    private static final int TEMPLATE_BYTES = 64 << 20;
    /** Hits by statements that threw after which one of them will do. */
    private static final int THROWN = 64;

    private final int count;
    private final int[] best;
    private final byte[] thrown;
    private final byte[][] templates = new byte[TEMPLATES][];
    private final byte[] scratch;
    private int templateBytes;

    private byte[] expected;
    private int cost;
    private boolean all;

    /** The hits of the running sequence: pairs of statement and probe. */
    int[] hits = new int[64];
    int hitCount;

    Probes(int count) {
        this.count = count;
        best = new int[count];
        thrown = new byte[count];
        scratch = new byte[count];
        forget();
    }

    void forget() {
        Arrays.fill(best, Integer.MAX_VALUE);
        Arrays.fill(templates, null);
        templateBytes = 0;
    }

    void know(int probe, int cheapest) {
        if (probe < count) best[probe] = cheapest;
    }

    void begin(int cost, boolean all) {
        this.cost = cost;
        this.all = all;
        hitCount = 0;
        expected = all ? scratch : template(cost);
        if (all) Arrays.fill(scratch, (byte) 0);
        System.arraycopy(expected, 0, Hooks.HIT, 0, count);
    }

    private byte[] template(int cost) {
        if (cost < TEMPLATES && templates[cost] != null) return templates[cost];
        boolean keep = cost < TEMPLATES && templateBytes + count <= TEMPLATE_BYTES;
        byte[] template = keep ? new byte[count] : scratch;
        for (int i = 0; i < count; i++) template[i] = (byte) (best[i] <= cost ? 1 : 0);
        if (keep) {
            templates[cost] = template;
            templateBytes += count;
        }
        return template;
    }

    /** Notes what the statement hit before it came back or, if so, threw. */
    void scan(int statement, boolean threw) {
        byte[] hit = Hooks.HIT;
        int at = 0;
        while (true) {
            int next = Arrays.mismatch(hit, at, count, expected, at, count);
            if (next < 0) return;
            at += next;
            note(statement, at, threw);
            at++;
        }
    }

    private void note(int statement, int probe, boolean threw) {
        if (hitCount + 2 > hits.length) hits = Arrays.copyOf(hits, hits.length * 2);
        hits[hitCount++] = statement;
        hits[hitCount++] = probe;
        if (threw && thrown[probe] < THROWN) {
            thrown[probe]++;
            // Who wants all hits wants the first of each.
            if (all) expected[probe] = 1;
            else Hooks.HIT[probe] = expected[probe];
            return;
        }
        expected[probe] = 1;
        if (cost < best[probe]) {
            best[probe] = cost;
            for (int c = cost; c < TEMPLATES; c++) {
                if (templates[c] != null) templates[c][probe] = 1;
            }
        }
    }
}
