import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Code of many shapes that also old class-file versions can hold (no lambdas, no interface methods). Prints all results. */
public class Plain {
    static StringBuilder out = new StringBuilder();
    final int value;
    Plain next;

    Plain(int x) {
        this(x > 3 ? new Plain(x - 1, null) : null, x < 0 ? -x : x);
    }

    Plain(Plain next, int value) {
        this.next = next;
        this.value = value;
    }

    Plain(int x, String s) {
        super();
        if (s == null) {
            value = x;
        } else {
            value = s.length();
        }
    }

    static int tries(int[] a, int i) {
        int r = 0;
        try {
            try {
                r = a[i];
                if (r == 3) {
                    throw new IllegalStateException("three");
                }
                r += 100;
            } catch (IllegalStateException e) {
                r = -3;
            } finally {
                r++;
            }
            while (r > 50) {
                r /= 2;
                if (r == 26) {
                    continue;
                }
                if (r == 12) {
                    break;
                }
            }
        } catch (ArrayIndexOutOfBoundsException e) {
            return i < 0 ? -1 : -2;
        }
        return r;
    }

    static String numbers(long a, long b, float f, float g, double d, double e) {
        String s = "";
        s += a < b ? "<" : a == b ? "=" : ">";
        s += f < g ? "<" : f == g ? "=" : f > g ? ">" : "?";
        s += d <= e ? "<=" : d >= e ? ">=" : "?";
        s += !(d > e) ? "ngt" : "gt";
        s += !(f < g) ? "nlt" : "lt";
        return s;
    }

    static String strings(String a, String b) {
        String s = a.equals(b) ? "eq" : "ne";
        s += a.equalsIgnoreCase(b) ? "i" : "-";
        s += a.startsWith(b) ? "s" : "-";
        s += a.endsWith(b) ? "e" : "-";
        s += a.contains(b) ? "c" : "-";
        s += a.matches(b) ? "m" : "-";
        s += a.compareTo(b) > 0 ? ">" : "<=";
        s += a.indexOf(b);
        Object o = a;
        s += o.equals(b);
        return s;
    }

    static int sparse(int x) {
        switch (x) {
            case -1000:
                return 1;
            case 7:
            case 70000:
                return 2;
            case Integer.MAX_VALUE:
                x = 5;
            default:
                return x;
        }
    }

    static int dense(int x) {
        int n = 0;
        while (true) {
            switch (x) {
                case 0:
                    return n;
                case 1:
                    x = 0;
                    break;
                case 2:
                case 5:
                    x--;
                    break;
                default:
                    x = 2;
            }
            n++;
        }
    }

    static String named(String s) {
        switch (s) {
            case "Aa":
                return "first";
            case "BB":
                return "second";
            default:
                return "other";
        }
    }

    synchronized long locked(Object o, int n) {
        long total = 0;
        for (int i = 0; i < n; i++) {
            synchronized (o) {
                if (i == 5) {
                    throw new UnsupportedOperationException();
                }
                total += i * 3L;
            }
        }
        return total;
    }

    static Object nulls(Object a, Object b) {
        return a == null ? b : b == null ? a : a == b ? "same" : a instanceof String ? "text" : "none";
    }

    static String nested(int x) {
        // An object under construction on the stack across branches.
        return new String(x > 0 ? new char[] {'p', (char) ('0' + x % 10)} : x == 0 ? "z".toCharArray() : new char[] {'n'});
    }

    static int shifts(byte b, short s, char c, boolean z) {
        return (b >> 1) + (s << 2) + c + (z ? 1 : 0) + (z && b > 2 || s < 3 ? 10 : 20);
    }

    public static void main(String[] args) {
        int[] a = {1, 2, 3, 40, 500};
        for (int i = -1; i <= a.length; i++) {
            out.append(tries(a, i)).append(' ');
        }
        float[] fs = {0f, -0f, 1f, Float.NaN};
        for (float f : fs) {
            for (float g : fs) {
                out.append(numbers((long) f, (long) g, f, g, f, g)).append(' ');
            }
        }
        String[] ss = {"", "a", "A", "ab", "b"};
        for (String s : ss) {
            for (String t : ss) {
                out.append(strings(s, t)).append(' ');
            }
        }
        for (int x : new int[] {-1000, 7, 70000, Integer.MAX_VALUE, 0, 1, 2, 3, 5}) {
            out.append(sparse(x)).append(dense(x)).append(nested(x)).append(' ');
        }
        out.append(named("Aa")).append(named("BB")).append(named("C"));
        Plain p = new Plain(5);
        out.append(p.value).append(p.next == null ? -1 : p.next.value).append(new Plain(2).value);
        out.append(new Plain(1, "four").value);
        try {
            out.append(p.locked(out, 3)).append(p.locked(out, 9));
        } catch (UnsupportedOperationException e) {
            out.append("unsupported");
        }
        out.append(nulls(null, "b")).append(nulls("a", null)).append(nulls(p, p)).append(nulls("a", p)).append(nulls(p, "a"));
        out.append(shifts((byte) 5, (short) 2, 'c', true));
        Map<String, List<Integer>> map = new HashMap<String, List<Integer>>();
        for (int i = 0; i < 30; i++) {
            String key = "k" + i % 3;
            if (!map.containsKey(key)) {
                map.put(key, new ArrayList<Integer>());
            }
            map.get(key).add(i);
        }
        out.append(map.get("k1"));
        try {
            ((String) null).equals("x");
            out.append("no exception");
        } catch (NullPointerException e) {
            out.append("npe");
        }
        System.out.println(out);
    }
}
