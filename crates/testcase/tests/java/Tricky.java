package demo;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Function;
import java.util.function.Supplier;

/** Members whose calls are easy to write wrongly. */
public class Tricky {
    public static class IntStack {
        private final List<Integer> items = new ArrayList<>();
        public IntStack() { }
        public IntStack(int capacity) { if (capacity < 0) throw new IllegalArgumentException("capacity < 0: " + capacity); }
        public void push(int item) { items.add(item); }
        public int pop() { if (items.isEmpty()) throw new NoSuchElementException(); return items.remove(items.size() - 1); }
        public int size() { return items.size(); }
        public boolean isEmpty() { return items.isEmpty(); }
        public int[] toArray() { return items.stream().mapToInt(i -> i).toArray(); }
        public IntStack addAll(IntStack other) { items.addAll(other.items); return this; }
    }

    public int count;
    static String shared = "a";
    static final Object TOKEN = new Object();
    public final int[] numbers = {1, 2};

    public String pick(Object o) { return "object"; }
    public String pick(String s) { return "string"; }
    public String pick(int i) { return "int"; }
    public String pick(long l) { return "long"; }
    public String pick(char c) { return "char"; }
    public String pick(Integer i) { return "Integer"; }
    public String pick(Object... all) { return "all"; }

    public String two(Object a, String b) { return "os"; }
    public String two(String a, Object b) { return "so"; }

    public static int sum(int... numbers) { int s = 0; for (int n : numbers) s += n; return s; }
    public static String join(String first, Object... rest) { return first + (rest == null ? "null" : rest.length); }

    public void checked() throws IOException { throw new IOException("closed"); }
    public int quiet() throws IOException { return 3; }

    public byte b() { return -3; }
    public short s() { return 300; }
    public char c() { return '\''; }
    public long l() { return Long.MIN_VALUE; }
    public float f() { return 1e-5f; }
    public double d() { return Double.NaN; }
    public double negativeZero() { return -0.0; }
    public Integer boxed() { return 1000; }
    public Boolean flag() { return true; }
    public Object any() { return 7L; }
    public Number number() { return (byte) 3; }
    public Class<?> type() { return int[][].class; }
    public static boolean isEnum(Class<? extends Enum<?>> type) { return type.isEnum(); }
    public Shapes.Color color() { return Shapes.Color.GREEN; }
    public Object list() { return new ArrayList<>(List.of("x")); }
    public Object[] mixed() { return new Object[] {1, "a", null, new int[] {4}, (byte) 2, 1.5}; }
    public double[] doubles() { return new double[] {0.5, -0.0}; }
    public String text() { return "q\"\\\n\u0000\ud83d\u00e9"; }
    public Integer same(Integer a, Integer b) { return a == b ? 1 : 0; }
    public int failing() { throw new AssertionError("broken"); }

    public String apply(Function<String, String> f) { return "f" + f.apply("in"); }
    public String apply(Supplier<String> s) { return "s" + s.get(); }
    public int run(Runnable r) { r.run(); return 1; }
    public <T> T id(T t) { return t; }
    public String describe(List<? super String> list) { return "n" + list.size(); }

    public class Inner { public final int n; public Inner(int n) { this.n = n + count; } public int get() { return n; } }

    public static class BadHash implements Comparable<BadHash>, Cloneable, Iterable<String> {
        private final int n;
        private static int calls;
        public BadHash(int n) { this.n = n; }
        @Override public boolean equals(Object o) { return o instanceof BadHash; }
        @Override public int hashCode() { return n; }
        @Override public int compareTo(BadHash o) { return 1; }
        @Override public BadHash clone() { return this; }
        @Override public String toString() { return null; }
        @Override public java.util.Iterator<String> iterator() {
            return new java.util.Iterator<String>() {
                @Override public boolean hasNext() { return true; }
                @Override public String next() { return "more"; }
            };
        }
    }
}
