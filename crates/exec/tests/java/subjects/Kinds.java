package subjects;

import java.util.Comparator;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/** One member of every kind a sequence can use. */
public class Kinds {
    static int shared = 3;
    public double field = 1.5;
    String name;

    Kinds(String name) {
        this.name = name;
    }

    public class Inner {
        final long value;

        Inner(long value) {
            this.value = value;
        }

        public String show() {
            return name + value;
        }
    }

    interface Shape {
        default int sides() {
            return 4;
        }

        static int count(Shape[] shapes) {
            return shapes.length;
        }
    }

    static class Square implements Shape { }

    enum Colour {
        RED, GREEN { @Override int code() { return 7; } };

        int code() {
            return 1;
        }
    }

    static String all(boolean z, byte b, char c, short s, int i, long j, float f, double d) {
        return z + " " + b + " " + (int) c + " " + s + " " + i + " " + j + " " + f + " " + d;
    }

    static int sum(int... numbers) {
        int sum = 0;
        for (int n : numbers) sum += n;
        return sum;
    }

    static int depth(int[][][] cube) {
        return cube.length * 100 + cube[0].length * 10 + (cube[0][0] == null ? 0 : cube[0][0].length);
    }

    static int colour(Colour c) {
        return c.code();
    }

    static String className(Class<?> c) {
        return c.getName();
    }

    static int apply(IntUnaryOperator f, int x) {
        return f.applyAsInt(x);
    }

    static int toInt(ToIntFunction<Object> f, Object x) {
        return f.applyAsInt(x);
    }

    static Object function(Function<Object, Object> f, Object x) {
        return f.apply(x);
    }

    static Object pair(BiFunction<Object, Object, Object> f, Object x, Object y) {
        return f.apply(x, y);
    }

    static Object supply(Supplier<Object> f) {
        return f.get();
    }

    static Object fromLong(LongFunction<Object> f, long x) {
        return f.apply(x);
    }

    static int compare(Comparator<Object> f, Object x, Object y) {
        return f.compare(x, y);
    }

    static void run(Runnable r) {
        r.run();
    }

    static Object object() {
        return "a string as an object";
    }

    static int length(String s) {
        return s.length();
    }
}
