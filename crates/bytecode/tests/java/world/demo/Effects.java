package demo;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

/** Methods whose effects on their parameters are asked about. Nothing here is ever run. */
public class Effects {
    static Object shared;
    static int counter;

    int[] numbers = new int[4];
    Effects next;
    List<Object> items = new ArrayList<>();

    int read(Effects other) {
        return other.numbers[0] + next.numbers.length;
    }

    void write(Effects other) {
        other.next.numbers[1] = 7;
    }

    void keep(Effects other) {
        next = other;
    }

    static Effects fresh(Effects other) {
        Effects made = new Effects();
        made.numbers[2] = other.numbers[2];
        made.next = new Effects();
        made.next.numbers[0]++;
        return made;
    }

    static Effects holder(Effects other) {
        Effects made = new Effects();
        made.next = other;
        return made;
    }

    static void writeThroughHolder(Effects other) {
        holder(other).next.numbers[0] = 1;
    }

    static void publish(Object o) {
        shared = o;
    }

    static void writeAfterPublishing(Effects e) {
        publish(e);
        ((Effects) shared).numbers[0] = 3;
    }

    static void count(Object o) {
        counter++;
    }

    static int localList(Collection<String> in) {
        List<String> list = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            list.add("x" + i);
        }
        return list.size() + in.hashCode();
    }

    void add(Object o) {
        items.add(o);
    }

    boolean holds(Object o) {
        return o.equals(next);
    }

    static Object call(Supplier<Object> s, Effects e) {
        return s.get();
    }

    static void viaLambda(Effects e) {
        call(() -> e.numbers[0]++, null);
    }

    static Effects caught(Effects e) {
        try {
            throw new Carrier(e);
        } catch (Carrier c) {
            c.cargo.numbers[0] = 1;
            return null;
        }
    }

    static void recursive(Effects e, int n) {
        if (n > 0) {
            recursive(e.next, n - 1);
        } else {
            e.numbers[0] = n;
        }
    }

    static int swapped(Effects a, Effects b, int n) {
        return n == 0 ? a.numbers[0] : swapped(b, a, n - 1);
    }

    static void copy(int[] from, int[] to) {
        System.arraycopy(from, 0, to, 0, from.length);
    }

    static void check(int n) {
        if (n < 0) {
            throw new IllegalArgumentException("negative: " + n);
        }
    }

    static Object[] tested(Object o, Object[][] grid) {
        if (o instanceof CharSequence) {
            return new Object[] {((Comparable<?>) o)};
        }
        Supplier<Object> s = () -> grid[1][2];
        return s.get() == null ? grid[0] : null;
    }

    static class Carrier extends RuntimeException {
        final Effects cargo;

        Carrier(Effects cargo) {
            this.cargo = cargo;
        }
    }
}
