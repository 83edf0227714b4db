package testudo.runtime;

import java.lang.ref.WeakReference;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeMap;
import subjects.Node;
import subjects.Special;

/** Equal hashes for isomorphic heaps, different ones for others; the same on every JDK. */
final class LinearizerTest {
    enum Colour {
        RED,
        GREEN
    }

    private static final Linearizer LINEARIZER = new Linearizer(new Shapes());

    private LinearizerTest() {}

    private static String hash(Object value) {
        LINEARIZER.hash(value);
        return Long.toHexString(LINEARIZER.high) + "-" + Long.toHexString(LINEARIZER.low);
    }

    private static void same(String what, Object x, Object y) {
        Check.equal(what, hash(x), hash(y));
    }

    private static void different(String what, Object x, Object y) {
        Check.equal(what, hash(x).equals(hash(y)), false);
    }

    static Node ring(int length) {
        Node first = new Node();
        Node last = first;
        for (int i = 1; i < length; i++) {
            Node next = new Node();
            last.next = next;
            last = next;
        }
        last.next = first;
        return first;
    }

    private static Node number(int number) {
        Node node = new Node();
        node.number = number;
        return node;
    }

    static void run() {
        same("fresh objects", number(7), number(7));
        different("a field", number(7), number(8));
        different("the class", new Node(), new Special());
        different("null and object", null, new Node());
        for (int length : new int[] {1, 2, 31, 32, 33, 34, 1000}) {
            same("ring of " + length, ring(length), ring(length));
            different("ring of one more than " + length, ring(length), ring(length + 1));
        }
        same("large ring", ring(9_900), ring(9_900));
        different("large rings", ring(9_899), ring(9_900));
        same("beyond the limit", ring(150_000), ring(150_000));
        aliasing();
        values();
        collections();
        Check.equal("many states", many(), 20_000);
        // The same on every JDK and in every run, or states could not be compared across workers.
        Node fixed = number(42);
        fixed.a = new Object[] {"text", 'c', 1L, new int[] {1, 2, 3}, Colour.GREEN, String.class};
        fixed.next = ring(3);
        fixed.real = -0.0;
        Check.equal("stable", hash(fixed), STABLE);
    }

    private static final String STABLE = "b48db3634799a6c1-2dd51bab653c6c2";

    private static void aliasing() {
        Node shared = new Node();
        Object[] once = {shared, shared};
        Object[] twice = {new Node(), new Node()};
        different("aliasing", once, twice);
        Node self = new Node();
        self.a = self;
        Node other = new Node();
        other.a = new Node();
        different("self reference", self, other);
    }

    private static void values() {
        different("boxes of different type", 1, 1L);
        different("box and char", 'a', 97);
        different("zeros", 0.0, -0.0);
        same("NaNs", Double.longBitsToDouble(0x7ff8000000000001L), Double.NaN);
        Node x = new Node();
        Node y = new Node();
        x.real = Double.longBitsToDouble(0x7ff8000000000001L);
        y.real = Double.NaN;
        same("NaN fields", x, y);
        y.real = -0.0;
        x.real = 0.0;
        different("zero fields", x, y);
        same("strings by value", new String("abc"), "abc");
        different("strings", "abcdefgh1", "abcdefgh2");
        different("string and its bytes", "a", "\u0161");
        different("enums", Colour.RED, Colour.GREEN);
        different("classes", String.class, Integer.class);
        BigInteger fresh = new BigInteger("123456789012345678901234567890");
        BigInteger used = new BigInteger("123456789012345678901234567890");
        used.bitLength();
        used.hashCode();
        same("lazily filled fields", fresh, used);
        different("scale", new BigDecimal("1.0"), new BigDecimal("1.00"));
        different("array lengths", new int[3], new int[4]);
        for (int length : new int[] {1, 7, 8, 15, 16, 63, 64, 65, 100}) {
            for (int changed = 0; changed < length; changed++) {
                int[] ints = new int[length];
                same("ints", new int[length], ints);
                ints[changed] = 1;
                different("ints", new int[length], ints);
                byte[] bytes = new byte[length];
                bytes[changed] = 1;
                different("bytes", new byte[length], bytes);
                char[] chars = new char[length];
                chars[changed] = 1;
                different("chars", new char[length], chars);
                different("texts", new String(new char[length]), new String(chars));
            }
        }
        different("order", new long[] {1, 2, 3, 4, 5, 6, 7, 8, 9}, new long[] {5, 2, 3, 4, 1, 6, 7, 8, 9});
        different("array classes", new Object[1], new String[1]);
        different("bytes", new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9}, new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 10});
        same("exceptions", new IllegalStateException("x"), thrownDeeper(3));
        same("referents are opaque", new WeakReference<Object>("a"), new WeakReference<Object>("b"));
        Runnable lambda = () -> {};
        same("lambdas", lambda, lambda);
    }

    private static Exception thrownDeeper(int depth) {
        return depth == 0 ? new IllegalStateException("x") : thrownDeeper(depth - 1);
    }

    private static void collections() {
        HashMap<String, Integer> plain = new HashMap<String, Integer>();
        HashMap<String, Integer> viewed = new HashMap<String, Integer>();
        viewed.keySet();
        viewed.entrySet();
        viewed.values();
        same("views of a map", plain, viewed);
        viewed.put("a", 1);
        different("contents of a map", plain, viewed);
        TreeMap<Integer, String> ascending = new TreeMap<Integer, String>();
        TreeMap<Integer, String> again = new TreeMap<Integer, String>();
        for (int i = 0; i < 50; i++) {
            ascending.put(i, "v" + i);
            again.put(i, "v" + i);
        }
        same("trees", ascending, again);
        again.put(7, "w");
        different("a value in a tree", ascending, again);
        same("lists", new ArrayList<Object>(Arrays.asList(1, 2)), new ArrayList<Object>(Arrays.asList(1, 2)));
    }

    private static int many() {
        Set<String> hashes = new HashSet<String>();
        for (int i = 0; i < 10_000; i++) {
            hashes.add(hash(number(i)));
            Node node = number(i);
            node.a = i;
            hashes.add(hash(node));
        }
        return hashes.size();
    }
}
