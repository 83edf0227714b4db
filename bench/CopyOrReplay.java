package testudo.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Is it quicker to copy an object in a state, or to make it anew by the calls that led there? Prints nanoseconds of both for states of several sizes. From the root of the
 * repository, with both times {@code --add-exports java.base/jdk.internal.misc=ALL-UNNAMED --add-exports java.base/jdk.internal.util=ALL-UNNAMED}:
 * {@code javac -d OUT runtime/src/testudo/runtime/*.java bench/CopyOrReplay.java}, then {@code java -cp OUT testudo.runtime.CopyOrReplay}.
 */
public final class CopyOrReplay {
    static volatile Object sink;

    public static void main(String[] args) {
        for (int n : new int[] {1, 3, 6, 10, 30, 100}) {
            compare("list of " + n + " after " + n + " calls", () -> {
                List<Integer> list = new ArrayList<>();
                for (int i = 0; i < n; i++) list.add(i % 3);
                return list;
            });
            compare("tree map of " + n + " after " + n + " calls", () -> {
                TreeMap<Integer, Integer> map = new TreeMap<>();
                for (int i = 0; i < n; i++) map.put(i, 0);
                return map;
            });
            compare("tree map of 1 after " + 2 * n + " calls", () -> {
                TreeMap<Integer, Integer> map = new TreeMap<>();
                for (int i = 0; i < n; i++) {
                    map.put(i, 0);
                    if (i > 0) map.remove(i);
                }
                return map;
            });
        }
    }

    private static void compare(String what, Supplier<Object> replay) {
        Copier copier = new Copier(new Shapes(), 1 << 20);
        Object state = replay.get();
        double[] best = {Double.MAX_VALUE, Double.MAX_VALUE};
        for (int round = 0; round < 12; round++) {
            int times = 20_000;
            long begin = System.nanoTime();
            for (int i = 0; i < times; i++) sink = replay.get();
            long middle = System.nanoTime();
            for (int i = 0; i < times; i++) {
                sink = copier.copy(state);
                copier.forget();
            }
            long end = System.nanoTime();
            best[0] = Math.min(best[0], (middle - begin) / (double) times);
            best[1] = Math.min(best[1], (end - middle) / (double) times);
        }
        System.out.printf("| %s | %.0f | %.0f | %.1f |%n", what, best[0], best[1], best[1] / best[0]);
    }
}
