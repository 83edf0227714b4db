package demo;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Code whose constants, casts, calls, fields and control flow are asked about. Nothing here is ever run. */
public class Flow {
    private int count;
    static long total = 1L << 40;
    private final int[] table = new int[3];

    int constants(int x, String s) {
        if (x == 7 || x == -300 || x == 1_000_000) {
            x += 40;
        }
        double d = x * 2.5 + 1.0;
        float f = 0.5f;
        long l = -9L;
        Class<?> c = String[].class;
        return s.equals("needle") ? (int) (d + f + l) : c.hashCode();
    }

    int switches(int x, String s) {
        switch (x) {
            case 10:
                return 1;
            case 11:
            case 14:
                return 2;
            default:
        }
        switch (x) {
            case -5000:
                return 3;
            case 5000:
                return 4;
            default:
                return Helper.deep(x);
        }
    }

    Object casts(Object o) {
        try {
            if (o instanceof CharSequence) {
                return ((Comparable<?>) o).hashCode();
            }
            return ((int[][]) o)[0];
        } catch (ClassCastException | IllegalStateException e) {
            return null;
        } finally {
            count++;
        }
    }

    void fields(Flow other) {
        table[other.count] = 1;
        total = other.total + count;
    }

    List<String> calls(List<String> in) {
        Function<String, String> f = s -> s + Helper.suffix();
        List<String> out = new ArrayList<>();
        for (String s : in) {
            out.add(f.apply(s));
        }
        in.forEach(Helper::accept);
        return out.subList(0, table.clone().length);
    }

    int loop(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            if (i % 3 == 0) {
                continue;
            }
            sum += i;
        }
        return sum;
    }

    static final class Helper {
        static int deep(int x) {
            return x == 123456 ? deeper() : 0;
        }

        static int deeper() {
            return 654321;
        }

        static String suffix() {
            return "suffix";
        }

        static void accept(String s) {}
    }
}
