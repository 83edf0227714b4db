package demo;

/** Methods whose decisions are asked about; each line that matters has a call of its own. Nothing here is ever run. */
public class Decisions {
    static void nested(int a, int b) {
        mark(0);
        if (a > 0) {
            mark(1);
            if (b > 0) {
                mark(2);
            } else {
                mark(3);
            }
            mark(4);
        }
        mark(5);
    }

    static void loop(int n) {
        while (n > 0) {
            mark(0);
            if (n == 7) {
                break;
            }
            mark(1);
            n--;
        }
        mark(2);
    }

    static int early(int n) {
        if (n < 0) {
            return -1;
        }
        mark(0);
        if (n == 0) {
            throw new IllegalStateException();
        }
        mark(1);
        return n;
    }

    static void caught(int n) {
        try {
            mark(0);
            risky(n);
            mark(1);
        } catch (IllegalStateException e) {
            mark(2);
        }
        mark(3);
    }

    static void endless(int n) {
        while (true) {
            if (n > 3) {
                mark(0);
            }
            n++;
        }
    }

    static void choice(int n) {
        switch (n) {
            case 1:
                mark(0);
                break;
            case 2:
            case 3:
                mark(1);
                break;
            default:
        }
        mark(2);
    }

    static void mark(int n) {}

    static void risky(int n) {}
}
