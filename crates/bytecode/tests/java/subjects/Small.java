/** A few branches with known edges: what is hit and seen is written down in the test, by line. */
public class Small {
    static int half;

    static {
        half = 21;
    }

    static int branch(int x) {
        if (x > 10) {
            return 1;
        }
        return 0;
    }

    static int table(int x) {
        switch (x) {
            case 1:
            case 2:
                return 10;
            case 4:
                return 20;
            default:
                return 30;
        }
    }

    static int caught(String s) {
        try {
            return Integer.parseInt(s);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    static int loop(int n) {
        int s = 0;
        for (int i = 0; i < n; i++) {
            s += i;
        }
        return s;
    }

    static boolean text(String s) {
        return s.startsWith("ab") && s.equals("abc");
    }

    static boolean longer(long a, double b) {
        return a >= 5L || b < 2.5;
    }

    static int never(int x) {
        return x;
    }

    public static void main(String[] args) {
        System.out.println(branch(11) + " " + table(2) + " " + table(3) + " " + caught("x") + " " + loop(4) + " " + text("abd")
                + " " + longer(4, 3.5) + " " + half);
    }
}
