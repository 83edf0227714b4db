package testudo.runtime;

import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import subjects.Node;

/** Graphs as an observed suite sees them: what is followed, what no identity hash may change, and copies of all that. */
final class GraphTest {
    enum Colour {
        RED,
        GREEN,
        BLUE
    }

    private static final Shapes SHAPES = new Shapes(true);
    private static final Linearizer LINEARIZER = new Linearizer(SHAPES, 100_000);

    private GraphTest() {}

    private static String hash(Object value) {
        LINEARIZER.hash(value);
        return Long.toHexString(LINEARIZER.high) + "-" + Long.toHexString(LINEARIZER.low);
    }

    private static void same(String what, Object x, Object y) {
        Check.equal(what, hash(x), hash(y));
        copied(what, x);
    }

    private static void different(String what, Object x, Object y) {
        Check.equal(what, hash(x).equals(hash(y)), false);
        copied(what, x);
        copied(what, y);
    }

    /** A copy is another object, in the same state. */
    private static void copied(String what, Object value) {
        Object copy = new Copier(SHAPES, 100_000).copy(value);
        Check.equal("copy of " + what, hash(copy), hash(value));
        Check.equal("copy of " + what + " is new", copy != value, Copier.isCopied(SHAPES.of(value)) || value instanceof Date);
    }

    static void run() {
        values();
        shapes();
        identity();
        special();
        large();
        copies();
        reach();
    }

    private static void values() {
        same("boxes", new Object[] {1, 2L, 'c', 1.5}, new Object[] {1, 2L, 'c', 1.5});
        different("box and box", new Object[] {1}, new Object[] {1L});
        same("strings", new String("abc"), "abc");
        different("strings", "abc", "abd");
        same("constants", new Object[] {Colour.RED}, new Object[] {Colour.RED});
        different("constants", new Object[] {Colour.RED}, new Object[] {Colour.GREEN});
        different("classes", new Object[] {String.class}, new Object[] {Object.class});
        same("arrays", new int[][] {{1}, {2}}, new int[][] {{1}, {2}});
        different("arrays", new int[][] {{1}, {2}}, new int[][] {{1}, {3}});
        different("types of arrays", new int[1], new float[1]);
        same("dates", new Date(5), new Date(5));
        different("dates", new Date(5), new Date(6));
    }

    private static void shapes() {
        same("rings", LinearizerTest.ring(5), LinearizerTest.ring(5));
        different("rings", LinearizerTest.ring(5), LinearizerTest.ring(6));
        Node node = new Node();
        different("sharing", new Object[] {node, node}, new Object[] {new Node(), new Node()});
        LINEARIZER.hashAll(new Object[] {node, node}, 2);
        long together = LINEARIZER.low;
        LINEARIZER.hashAll(new Object[] {node, new Node()}, 2);
        Check.equal("sharing between roots", together != LINEARIZER.low, true);
    }

    /** A map with keys in that order, from fresh objects, so that identity hashes differ every time. */
    private static Map<Object, Object> keyed(Map<Object, Object> map, int... values) {
        for (int value : values) {
            Node key = new Node();
            key.number = value;
            map.put(key, value);
        }
        return map;
    }

    private static Map<Object, Object> fresh(int kind) {
        switch (kind) {
            case 0:
                return new IdentityHashMap<Object, Object>();
            case 1:
                return new HashMap<Object, Object>();
            case 2:
                return new Hashtable<Object, Object>();
            case 3:
                return new ConcurrentHashMap<Object, Object>();
            default:
                return new LinkedHashMap<Object, Object>();
        }
    }

    private static void identity() {
        for (int kind = 0; kind <= 4; kind++) {
            String name = fresh(kind).getClass().getSimpleName();
            for (int round = 0; round < 20; round++) same(name, keyed(fresh(kind), 1, 2, 3, 4, 5), keyed(fresh(kind), 1, 2, 3, 4, 5));
            different(name, keyed(fresh(kind), 1, 2), keyed(fresh(kind), 1, 3));
            different(name + " sizes", keyed(fresh(kind), 1, 1), keyed(fresh(kind), 1));
        }
        Map<Object, Object> a = keyed(new LinkedHashMap<Object, Object>(), 1, 2);
        different("order of a linked map", a, keyed(new LinkedHashMap<Object, Object>(), 2, 1));
        for (int round = 0; round < 20; round++) {
            same("set", new HashSet<Object>(keyed(fresh(1), 1, 2, 3).keySet()), new HashSet<Object>(keyed(fresh(1), 1, 2, 3).keySet()));
        }
        Map<Object, Object> constants = new HashMap<Object, Object>();
        constants.put(Colour.RED, 1);
        constants.put(Colour.BLUE, 2);
        Map<Object, Object> reversed = new HashMap<Object, Object>();
        reversed.put(Colour.BLUE, 2);
        reversed.put(Colour.RED, 1);
        same("keys that are constants", constants, reversed);
        Map<Object, Object> classes = new HashMap<Object, Object>();
        classes.put(String.class, 1);
        different("keys that are classes", classes, new HashMap<Object, Object>());
        EnumMap<Colour, Object> byOrder = new EnumMap<Colour, Object>(Colour.class);
        byOrder.put(Colour.RED, 1);
        same("enum map", byOrder, new EnumMap<Colour, Object>(byOrder));
    }

    private static Supplier<Object> lambda(final Object captured) {
        return () -> captured;
    }

    private static void special() {
        same("what a lambda captured", lambda("a"), lambda("a"));
        different("what a lambda captured", lambda("a"), lambda("b"));
        Supplier<Object> one = () -> "one";
        Supplier<Object> two = () -> "two";
        different("methods of lambdas", one, two);
        Node node = new Node();
        node.number = 3;
        different("what a weak reference refers to", new WeakReference<Object>(node), new WeakReference<Object>(new Node()));
        same("soft references are caches", new SoftReference<Object>(node), new SoftReference<Object>(new Node()));
        same("threads", new Object[] {new Thread()}, new Object[] {new Thread()});
        different("atomics", new AtomicInteger(1), new AtomicInteger(2));
        ReentrantLock free = new ReentrantLock();
        ReentrantLock held = new ReentrantLock();
        held.lock();
        different("locks", free, held);
        same("locks", free, new ReentrantLock());
    }

    private static void large() {
        Node ring = LinearizerTest.ring(100_000);
        hash(ring);
        Check.equal("a hundred thousand objects", LINEARIZER.found, 100_000);
        Check.equal("all followed", LINEARIZER.truncated, false);
        hash(LinearizerTest.ring(100_001));
        Check.equal("one more is too many", LINEARIZER.truncated, true);
        Check.equal("deep copy", hash(new Copier(SHAPES, 100_000).copy(ring)), hash(ring));
        Check.equal("too large a copy", new Copier(SHAPES, 99_999).copy(ring), null);
    }

    private static void copies() {
        List<Object> list = new ArrayList<Object>(Arrays.<Object>asList(new Node(), "text", new int[] {1, 2}));
        list.add(list);
        Copier copier = new Copier(SHAPES, 100);
        String before = hash(list);
        @SuppressWarnings("unchecked")
        List<Object> copy = (List<Object>) copier.copy(list);
        Check.equal("sharing in a copy", copy.get(3) == copy, true);
        Check.equal("its parts are copies", copy.get(0) != list.get(0) && copy.get(1) == list.get(1), true);
        ((Node) list.get(0)).number = 9;
        ((int[]) list.get(2))[0] = 9;
        list.remove(3);
        Check.equal("a copy stays", hash(copy), before);
        copier.restore();
        Check.equal("restored", hash(list), before);
        Check.equal("to itself", list.get(3) == list, true);
    }

    private static void reach() {
        Node first = LinearizerTest.ring(3);
        Identity wanted = new Identity();
        wanted.number(first.next.next);
        Check.equal("reached", new Reachable(SHAPES, 100).any(first, wanted), true);
        Check.equal("not reached", new Reachable(SHAPES, 100).any(new Node(), wanted), false);
    }
}
