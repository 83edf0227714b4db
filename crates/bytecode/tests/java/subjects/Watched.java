/**
 * Calls, writes and reads of every kind, to be observed. Each part is called by main on its own line; what is printed depends on all of it.
 */
public class Watched {
    private int number;
    private long wide;
    private String text;

    /** Fails before, in, or after the call of the other constructor. */
    static class Base {
        Base(int x) {
            if (x == 2) {
                throw new IllegalStateException("in the base");
            }
        }
    }

    static class Derived extends Base implements Cloneable {
        final int[] numbers;
        double half;

        Derived(String x) {
            super(x.length() > 3 ? Integer.parseInt(x) : x.length());
            numbers = new int[] {x.length()};
            half = numbers[0] / 2.0;
            if (x.isEmpty()) {
                throw new UnsupportedOperationException("behind");
            }
        }

        Derived(int x, Object more) {
            this("x" + (more == null ? "" : new String(new StringBuilder(more.toString()))));
        }

        @Override
        public Derived clone() {
            try {
                return (Derived) super.clone();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }
    }

    class Inner {
        int sum() {
            return number + 1;
        }
    }

    Watched() {}

    Watched(int number) {
        this.number = number;
    }

    static String all(boolean z, byte b, char c, short s, int i, long j, float f, double d, String t, int... rest) {
        return z + " " + b + c + s + i + " " + j + f + d + t + rest.length;
    }

    long widen(long by) {
        wide += by;
        return wide;
    }

    /** Its first instruction is jumped to. */
    static int spin(int n) {
        while (true) {
            if (n > 3) {
                return n;
            }
            n += 2;
        }
    }

    synchronized void locked(Object lock) {
        synchronized (lock) {
            text = lock.toString();
        }
        if (text.isEmpty()) {
            throw new IllegalArgumentException();
        }
    }

    boolean caught(String digits) {
        try {
            return Integer.parseInt(digits) > 0;
        } catch (NumberFormatException e) {
            return false;
        } finally {
            number++;
        }
    }

    private int hidden() {
        return number;
    }

    static double arrays() {
        boolean[] z = new boolean[1];
        byte[] b = new byte[1];
        char[] c = new char[1];
        short[] s = new short[1];
        int[] i = new int[2];
        long[] j = new long[1];
        float[] f = new float[1];
        double[] d = new double[1];
        String[] t = new String[1];
        z[0] = true;
        b[0] = 1;
        c[0] = 2;
        s[0] = 3;
        i[0] = 4;
        j[0] = 5;
        f[0] = 6;
        d[0] = 7;
        t[0] = "8";
        System.arraycopy(i, 0, i, 1, 1);
        int[] copy = i.clone();
        return (z[0] ? 1 : 0) + b[0] + c[0] + s[0] + copy[1] + j[0] + f[0] + d[0] + t[0].length() + i.length;
    }

    static String attempt(String x) {
        try {
            return "" + new Derived(x).half;
        } catch (RuntimeException e) {
            return e.getMessage();
        }
    }

    static String missing(Watched none, int[] nothing) {
        String told = "";
        try {
            none.number = 1;
        } catch (NullPointerException e) {
            told += "no object ";
        }
        try {
            nothing[0] = 1;
        } catch (NullPointerException e) {
            told += "no array ";
        }
        try {
            Object[] strings = new String[1];
            strings[0] = told.length();
        } catch (ArrayStoreException e) {
            told += "no string ";
        }
        try {
            int[] empty = new int[0];
            return told + empty[0];
        } catch (ArrayIndexOutOfBoundsException e) {
            return told + "no element";
        }
    }

    public static void main(String[] args) {
        Watched w = new Watched(5);
        System.out.println(all(true, (byte) 1, 'c', (short) 3, 4, 5L, 6.5f, 7.5, "t", 8, 9));
        System.out.println(w.widen(3) + w.widen(4));
        System.out.println(spin(1) + spin(9));
        w.locked("lock");
        try {
            w.locked("");
        } catch (IllegalArgumentException e) {
            System.out.println("locked threw");
        }
        System.out.println(w.caught("12") + " " + w.caught("x") + " " + w.hidden());
        System.out.println(arrays());
        System.out.println(attempt("abc") + attempt("xxxx") + attempt("ab") + attempt(""));
        System.out.println(new Derived(1, "ab").clone().numbers[0] + " " + new Derived(1, null).numbers.length);
        System.out.println(w.new Inner().sum());
        System.out.println(missing(null, null));
    }
}
