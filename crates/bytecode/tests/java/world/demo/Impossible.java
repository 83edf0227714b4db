package demo;

/** What no input can make happen, said on the line: `jump` and `fall` for the two ways of a branch, keys and `default` of a switch, `line` for all of it. */
class Impossible {
    int field;
    static final int LIMIT = Integer.getInteger("limit", 3);

    int twice(String s) {
        if (s == null) {
            return 0;
        }
        int n = s.length();
        if (s != null) { //~ jump
            n++;
        }
        return n;
    }

    int used(int[] a) {
        int n = a.length;
        if (a == null) { //~ fall
            return -1; //~ line
        }
        return n < 0 ? 1 : 2; //~ fall
    }

    int own(Object other) {
        Impossible made = new Impossible();
        if (made == null) { //~ fall
            return 1; //~ line
        }
        return this == null ? 2 : 3; //~ fall
    }

    int loop(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            if (i < 0) { //~ fall
                sum--; //~ line
            }
            sum += i;
        }
        return sum;
    }

    int counts(char c, boolean b, byte d) {
        if (c < 0) { //~ fall
            return 1; //~ line
        }
        switch (b ? 1 : 0) { //~ default
            case 0:
                return 2;
            case 1:
                return (d & 15) > 15 ? 4 : 5; //~ fall
            default:
                return 6; //~ line
        }
    }

    int unknown(int n, Object o) {
        if (n + 1 > n) {
            return 1;
        }
        if (o == null && n > 7) {
            return field;
        }
        return LIMIT > 2 ? 0 : 1;
    }

    int again(Object o) {
        Object p = o;
        if (p instanceof String) {
            p = null;
        }
        return p == null ? 0 : 1;
    }

    int nothingThrows(int a) {
        int b = a;
        try {
            b = a + 1;
            b ^= 3;
        } catch (RuntimeException e) { //~ line
            return -1; //~ line
        }
        return b;
    }

    int somethingThrows(int a) {
        int b = 1;
        try {
            b = 7 / a;
            b = 8;
        } catch (ArithmeticException e) {
            return b == 1 ? 1 : 2; //~ jump
        }
        return b == 8 ? 1 : 2; //~ jump
    }

    int overwritten(Object o) {
        if (o != null) {
            return 0;
        }
        o = describe();
        if (o != null) {
            return 1;
        }
        return 2;
    }

    Object describe() {
        synchronized (this) {
            return field > 0 ? this : null;
        } //~ line
    }
}
