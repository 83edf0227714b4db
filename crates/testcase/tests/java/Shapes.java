package demo;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Classes whose members and generics are hard to get right. */
public class Shapes {
    public enum Color { RED, GREEN { @Override public int rank() { return 7; } }; public int rank() { return 1; } }

    public static class Box<T> implements Comparable<Box<T>> {
        public T value;
        public final List<T> list = new ArrayList<>();
        static int made;
        public static final int LIMIT = 5;
        private int secret;
        public Box(T value) { this.value = value; made++; }
        Box() { this(null); }
        private Box(int secret) { this.secret = secret; }
        public T get() { return value; }
        public void set(T value) { this.value = value; }
        public <R> Box<R> map(Function<? super T, ? extends R> f) { return new Box<>(f.apply(value)); }
        public List<? extends T> view() { return list; }
        public static <E extends Comparable<E>> E max(Collection<? extends E> all) { return all.iterator().next(); }
        public static <E extends Enum<E>> E first(Class<E> c) { return c.getEnumConstants()[0]; }
        @SafeVarargs public static <E> Box<E> of(E... all) { return new Box<>(all[0]); }
        public static <E> Box<E> empty(Class<E> of, int size) { return new Box<>(null); }
        public static <E> E open(Box<E> box, E other) { return other; }
        public <E> void pack(Pair2<E, List<E>> pair) { }
        public <E> void wrap(Pair2<E, T> pair) { }
        public static class Pair2<A, B> { }
        @Override public int compareTo(Box<T> other) { return 0; }
        @Override public boolean equals(Object o) { return o instanceof Box; }
        @Override public int hashCode() { return 1; }
        protected void guarded() { }
        void hidden() { }
    }

    public static class Strings extends ArrayList<String> {
        private static final long serialVersionUID = 1;
        public void only() throws java.io.IOException { }
        @Deprecated public void old() { }
    }

    public static class Raw extends ArrayList { }

    public class Inner {
        public Inner(int n) { }
    }

    public static class Pair<A extends Number, B extends List<A>> {
        public Pair(A a, B b) { }
        public Map<A, B> both() { return null; }
    }

    public static class Generic<T> {
        public class Part { public T give() { return null; } }
        public Part part() { return new Part(); }
    }

    static abstract class HiddenBase {
        public void visible() { }
        public HiddenBase self() { return this; }
    }

    public static class Shown extends HiddenBase { }

    private static class Secret { }

    public Secret secret() { return null; }
    public void takesSecret(Secret s) { }

    interface Named { String name(); default int length() { return name().length(); } static Named of() { return null; } }

    public record Point(int x, int y) implements Named { public String name() { return "p"; } }

    public static <T extends Comparable<? super T>> T pick(List<T> list, T other) { return other; }
    public Object[][] grid(int... sizes) { return null; }

    static class NeedsDeep<T extends NeedsDeep<T>> { }
}
