package demo;

import java.util.ArrayList;
import java.util.List;

/** Classes whose equals is out of the ordinary. */
public class Odd {
    private Odd() {}

    /** None of its own. */
    public static class None {
        public int value;

        public void use() {}
    }

    public static class Throws {
        public void use() {}

        @Override
        public boolean equals(Object other) {
            throw new IllegalStateException();
        }
    }

    public static class Loops {
        private int turns;

        public void use() {}

        @Override
        public boolean equals(Object other) {
            while (turns >= 0) Thread.onSpinWait();
            return true;
        }
    }

    /** Nothing in the loop can be counted. */
    public static class Hangs {
        public void use() {}

        @Override
        public boolean equals(Object other) {
            while (true) Thread.onSpinWait();
        }
    }

    public static class Writes {
        private int asked;

        public int asked() {
            return asked;
        }

        @Override
        public boolean equals(Object other) {
            asked++;
            return other instanceof Writes;
        }
    }

    public static class Irreflexive {
        public void use() {}

        @Override
        public boolean equals(Object other) {
            return false;
        }
    }

    /** Equal by what it is of, which is equal to itself alone. */
    public static class OfIdentity {
        private final Object of;
        private final List<Object> more = new ArrayList<>();

        public OfIdentity(Object of) {
            this.of = of;
        }

        public void more(Object one) {
            more.add(one);
        }

        public void use() {}

        @Override
        public boolean equals(Object other) {
            return other instanceof OfIdentity && ((OfIdentity) other).of.equals(of) && ((OfIdentity) other).more.equals(more);
        }
    }

    /** Compares a list, and keeps something it does not compare. */
    public static class Listed {
        private final List<String> names = new ArrayList<>();
        private int calls;

        public void add(String name) {
            calls++;
            names.add(name);
        }

        public void remove(String name) {
            calls++;
            names.remove(name);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Listed && ((Listed) other).names.equals(names);
        }

        @Override
        public int hashCode() {
            return names.hashCode();
        }
    }
}
