package subjects;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Static state of many kinds, changed by nearly every call. */
public class Polluter {
    static int counter;
    static final List<Integer> LOG = new ArrayList<>();
    static final Map<String, int[]> CACHE = new HashMap<>();
    static int[] array = {1, 2, 3};
    static Polluter last;
    final int mine;

    static {
        LOG.add(7);
        CACHE.put("start", new int[] {1});
    }

    public Polluter(int x) {
        mine = x + counter++;
        last = this;
    }

    public int log(int x) {
        LOG.add(x);
        return LOG.size();
    }

    public int cache(int x) {
        int[] there = CACHE.computeIfAbsent("k" + (x & 3), k -> new int[1]);
        there[0] += x;
        CACHE.get("start")[0]++;
        return there[0] + CACHE.get("start")[0];
    }

    public int scribble(int x) {
        array[Math.abs(x % 3)] = x;
        if (x > 5) array = new int[] {x, x, x};
        return array[0] + 10 * array[1] + 100 * array[2];
    }

    public int mine() {
        return mine;
    }

    public int others() {
        return Other.next() + (last == this ? 100 : 0);
    }

    public String property(int x) {
        String old = System.getProperty("polluter", "none");
        System.setProperty("polluter", "p" + x);
        return old;
    }
}
