/** Methods whose conditions on literals are looked at. */
public class Traced {
    private int value;

    public static int quadratic(int x) {
        return x * x - 7 * x == 18 ? 1 : 0;
    }

    public static int boxed(Integer x) {
        return x.equals(99_999) ? 1 : 0;
    }

    public static int password(String s) {
        return s.equals("pa-ss") ? 1 : 0;
    }

    public static int prefix(String s) {
        return s.startsWith("ab-") ? s.charAt(3) == 'z' ? 2 : 1 : 0;
    }

    public static int index(String s) {
        return s.indexOf('@') == 3 ? 1 : 0;
    }

    public static int number(String s) {
        try {
            return Integer.parseInt(s) == 4711 ? 1 : 0;
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    public static int hash(String s) {
        return s.hashCode() == 96354 ? 1 : 0;
    }

    public static int joined(int n) {
        String s = "n" + n;
        return s.equals("n-42") ? 1 : 0;
    }

    public static int built(int n) {
        StringBuilder b = new StringBuilder();
        b.append('x').append(n).append('y');
        return b.toString().equals("x77y") ? 1 : 0;
    }

    public static int sum(int[] a) {
        int sum = 0;
        for (int x : a) {
            sum = sum * 31 + x;
        }
        return sum == 123456 ? 1 : 0;
    }

    public static int sorted(int[] a) {
        int[] copy = a.clone();
        java.util.Arrays.sort(copy);
        return copy[0] == 17 && copy[copy.length - 1] == 4242 ? 1 : 0;
    }

    public static int copied(byte[] a) {
        byte[] b = new byte[a.length + 1];
        System.arraycopy(a, 0, b, 1, a.length);
        return java.util.Arrays.equals(b, new byte[] {0, 5, -7, 100}) ? 1 : 0;
    }

    public static int choice(int x) {
        switch (x) {
            case 1000: return 1;
            case 2000: return 2;
            case 3000: return 3;
            default: return 0;
        }
    }

    public static int word(String s) {
        switch (s) {
            case "red": return 1;
            case "tan": return 2;
            default: return 0;
        }
    }

    public static int threshold(double d) {
        return d > 1234.5 && d * 2 < 2469.5 ? 1 : 0;
    }

    public static int divided(int x) {
        return 100 / (x - 12345);
    }

    public static int indexed(int i) {
        int[] table = {5, 3, 8};
        return table[i];
    }

    public static int sized(int n) {
        return new int[n].length;
    }

    public static int bits(float f) {
        return Float.floatToIntBits(f) == 0x40490fdb ? 1 : 0;
    }

    public static int listed(int x, int y) {
        java.util.ArrayList<Integer> list = new java.util.ArrayList<>();
        list.add(x);
        list.add(y);
        return list.contains(5000) && list.indexOf(7000) == 1 ? 1 : 0;
    }

    public static int mapped(int x) {
        java.util.HashMap<Integer, String> map = new java.util.HashMap<>();
        map.put(31_337, "found");
        return map.containsKey(x) ? 1 : 0;
    }

    public static int counted(int a, int b) {
        int[] counts = new int[200];
        counts[a]++;
        counts[b]++;
        counts[77]--;
        return counts[a & 127] == 1 && counts[77] == 1 ? 1 : 0;
    }

    public static int shuffled(int a, int b) {
        int[] places = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
        int held = places[a & 15];
        places[a & 15] = places[b & 15];
        places[b & 15] = held;
        return places[7] == 4 && places[b & 15] == 6 ? 1 : 0;
    }

    public static int character(char c) {
        return Character.isDigit(c) && c % 10 == 3 ? 1 : 0;
    }

    public static int lower(String s) {
        return s.toLowerCase().equals("abc") && !s.equals("abc") ? 1 : 0;
    }

    public static int trimmed(String s) {
        return s.trim().length() == 2 ? 1 : 0;
    }

    public static long wide(long x) {
        return x * 3 == 0x1_0000_0002L ? 1 : 0;
    }

    public void set(int v) {
        if (v > 10) {
            value = v * 2;
        } else {
            value = v;
        }
    }

    public int get() {
        return value == 84 ? 1 : 0;
    }
}
