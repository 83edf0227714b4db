package testudo.runtime;

import java.util.AbstractList;
import java.util.Iterator;

/** Each contract is seen broken by a class that breaks it, and by no decent class. */
final class ContractsTest {
    static class Decent implements Comparable<Decent>, Cloneable {
        final int n;

        Decent(int n) {
            this.n = n;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Decent && ((Decent) other).n == n;
        }

        @Override
        public int hashCode() {
            return n;
        }

        @Override
        public String toString() {
            return "" + n;
        }

        @Override
        public int compareTo(Decent other) {
            return Integer.compare(n, other.n);
        }

        @Override
        public Object clone() throws CloneNotSupportedException {
            return super.clone();
        }
    }

    static class NeverEqual extends Decent {
        NeverEqual() {
            super(1);
        }

        @Override
        public boolean equals(Object other) {
            return false;
        }
    }

    static class EqualsNull extends Decent {
        EqualsNull() {
            super(1);
        }

        @Override
        public boolean equals(Object other) {
            return true;
        }
    }

    static class Asymmetric extends Decent {
        Asymmetric(int n) {
            super(n);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Asymmetric && ((Asymmetric) other).n >= n;
        }

        @Override
        public int compareTo(Decent other) {
            return n == other.n ? 0 : 1;
        }
    }

    static class BadHash extends Decent {
        private static int next;
        private final int hash = next++;

        BadHash() {
            super(1);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }

    static class Throwing {
        @Override
        public boolean equals(Object other) {
            return ((Throwing) other).hashCode() == 0;
        }

        @Override
        public int hashCode() {
            throw new IllegalStateException("hash");
        }

        @Override
        public String toString() {
            throw new IllegalStateException("text");
        }
    }

    static class NullText {
        @Override
        public String toString() {
            return null;
        }
    }

    static class Cyclic implements Comparable<Cyclic> {
        final int n;

        Cyclic(int n) {
            this.n = n;
        }

        @Override
        public int compareTo(Cyclic other) {
            return n == other.n ? 0 : (n + 1) % 3 == other.n ? -1 : 1;
        }
    }

    static class Self implements Cloneable {
        @Override
        public Object clone() {
            return this;
        }
    }

    static class Endless implements Iterator<Object> {
        @Override
        public boolean hasNext() {
            Hooks.step();
            return true;
        }

        @Override
        public Object next() {
            return this;
        }
    }

    static class LongerThanItsSize extends AbstractList<Object> {
        @Override
        public Object get(int index) {
            return index;
        }

        @Override
        public int size() {
            return 1;
        }

        @Override
        public Iterator<Object> iterator() {
            return new Endless();
        }
    }

    /** Long, but it ends. */
    static class Long implements Iterable<Object> {
        final int size;

        Long(int size) {
            this.size = size;
        }

        @Override
        public Iterator<Object> iterator() {
            return new Iterator<Object>() {
                private int at;

                @Override
                public boolean hasNext() {
                    Hooks.step();
                    return at < size;
                }

                @Override
                public Object next() {
                    return at++;
                }
            };
        }
    }

    /** What it calls its size has nothing to do with its iterator. */
    static class Sized extends Long {
        private final int said;

        Sized(int size, int said) {
            super(size);
            this.said = said;
        }

        public int size() {
            return said;
        }
    }

    static class Looping {
        @Override
        public String toString() {
            while (true) Hooks.step();
        }
    }

    public static final class Wishes {
        private Wishes() {}

        public static boolean isSmall(int n) {
            return n < 10;
        }

        public static boolean isShort(String text) {
            return text.length() < 3;
        }

        public static boolean fails(Decent value) {
            throw new IllegalStateException();
        }

        static boolean notPublic(Object value) {
            return false;
        }
    }

    private ContractsTest() {}

    static void run() {
        check("");
        check("", new Decent(1), new Decent(1), new Decent(2));
        check("", "text", 1, null);
        check("", new Object(), new Object());
        check("0[0] 12[0]", new NeverEqual());
        check("1[0]", new EqualsNull());
        check("2[0, 1] 3[0, 1] 8[0, 1] 10[0, 1]", new Asymmetric(1), new Asymmetric(2));
        check("3[0, 1]", new BadHash(), new BadHash());
        check("4[0]! 5[0]! 6[0]!", new Throwing());
        check("7[0]", new NullText());
        check("9[0, 1, 2]", new Cyclic(0), new Cyclic(1), new Cyclic(2));
        check("12[0]", new Self());
        check("13[0]", new Endless());
        check("13[0]", new LongerThanItsSize());
        check("", new Long(1 << 18));
        check("", new Sized(5, 4));
        check("", new Looping());
        user();
    }

    private static void user() {
        Check.equal("fits int", UserContracts.fits(int.class, 3), true);
        Check.equal("no long", UserContracts.fits(int.class, 3L), false);
        Check.equal("fits text", UserContracts.fits(CharSequence.class, "a"), true);
        UserContracts wishes = new UserContracts(ContractsTest.class.getClassLoader(), new String[] {"testudo/runtime/ContractsTest$Wishes", "no/Such", "java/lang/Object"});
        wishes.load();
        Check.equal("methods", wishes.all().size(), 3);
        Check.equal("problems", wishes.problems.size(), 2);
        check(wishes, "", 1, "ab");
        check(wishes, "15[1] isShort 15[0] isSmall", 10, "abc");
        check(wishes, "15[0]! fails", new Decent(1));
    }

    private static void check(String expected, Object... values) {
        check(new UserContracts(null, new String[0]), expected, values);
    }

    private static void check(UserContracts user, String expected, Object... values) {
        Contracts contracts = new Contracts(new Shapes(), user);
        Output out = new Output(16);
        int[] variables = new int[values.length];
        for (int i = 0; i < variables.length; i++) variables[i] = i;
        int n = contracts.check(out, new Reporter(), 0, variables, values);
        Check.equal("contracts", show(new Input(0, java.util.Arrays.copyOf(out.bytes, out.length)), n), expected);
    }

    private static String show(Input in, int n) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < n; i++) {
            int contract = in.u8();
            text.append(i > 0 ? " " : "").append(contract);
            in.v();
            int[] variables = new int[in.count()];
            for (int k = 0; k < variables.length; k++) variables[k] = in.count();
            text.append(java.util.Arrays.toString(variables));
            if (in.u8() == 1) {
                text.append('!');
                thrown(in);
            }
            if (contract == Contracts.USER) {
                in.str();
                text.append(' ').append(in.str());
            }
        }
        Check.equal("all read", in.at, in.bytes.length);
        return text.toString();
    }

    private static int known;

    private static void reference(Input in) {
        int number = in.count();
        if (number > known) {
            known = number;
            in.str();
        }
    }

    private static void thrown(Input in) {
        if (in.at < 10) known = 0;
        reference(in);
        if (in.u8() == 0) return;
        if (in.u8() == 1) in.str();
        int frames = in.count();
        for (int i = 0; i < frames; i++) {
            reference(in);
            in.str();
            in.z();
        }
        reference(in);
        int supers = in.count();
        for (int i = 0; i < supers; i++) reference(in);
    }
}
