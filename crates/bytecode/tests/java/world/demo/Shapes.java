package demo;

import java.util.List;

/** Shapes of classes that questions about members, access and providers are asked about. Nothing here is ever run. */
public class Shapes {
    public static final int LIMIT = 4711;
    static final String WORD = "w\u00f6rd\0";
    public static final Square UNIT = new Square(1);

    public interface Shape {
        double area();

        default String label() {
            return "shape";
        }

        static Shape unit() {
            return UNIT;
        }
    }

    public interface Named extends Shape {
        @Override
        default String label() {
            return "named";
        }
    }

    public static class Square implements Shape, Named, Comparable<Square> {
        private final double side;

        public Square(double side) {
            this.side = side;
        }

        @Override
        public double area() {
            return side * side;
        }

        @Override
        public int compareTo(Square other) {
            return Double.compare(side, other.side);
        }
    }

    static class Hidden extends Square {
        Hidden(int side, String... names) {
            super(side);
        }

        public static class Exposed {
            public Exposed() {}
        }
    }

    private static class Secret {
        Secret() {}
    }

    public abstract static class Base<T> {
        protected Base() {}

        protected abstract T make(T seed);

        void inPackage() {}

        private void own() {}

        public static void helper() {}
    }

    public static class Derived extends Base<String> {
        @Override
        protected String make(String seed) {
            return seed;
        }
    }

    public class Inner {
        public <X extends Number & Runnable> Inner(List<? super X> names, @Deprecated int count) {}
    }

    public enum Color {
        RED(null);

        Color(List<String> names) {}
    }

    public static class Builder {
        public Builder side(double side) {
            return this;
        }

        public Square build() {
            return UNIT;
        }

        public Square peek() {
            return UNIT;
        }
    }

    public interface Source<T> {
        T next();

        boolean equals(Object other);

        default void skip() {}
    }

    public interface Strings extends Source<String> {
        @Override
        String next();
    }

    public interface Sink<T> {
        void take(T value);
    }

    public interface StringSink extends Sink<String> {
        @Override
        void take(String value);
    }

    public interface Both extends Sink<String>, Source<String> {}

    public interface Overloaded {
        void take(Object value);

        void take(String value);
    }

    public interface Marker {}

    Object local() {
        class Local extends Secret {}
        Runnable anonymous = new Runnable() {
            @Override
            public void run() {}
        };
        return anonymous == null ? new Local() : anonymous;
    }
}
