import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Works the JDK's collections hard enough to be compiled, then prints results; and how often some comparisons of arrays read elements, to the error output. */
public class Collected {
    public static void main(String[] args) throws Exception {
        Map<Integer, String> hash = new HashMap<>();
        Map<Integer, String> tree = new TreeMap<>(Collections.reverseOrder());
        Map<Integer, String> concurrent = new ConcurrentHashMap<>();
        List<Integer> list = new ArrayList<>();
        ArrayDeque<Integer> deque = new ArrayDeque<>();
        PriorityQueue<Integer> queue = new PriorityQueue<>();
        BitSet bits = new BitSet();
        ReentrantLock lock = new ReentrantLock();
        for (int i = 0; i < 20000; i++) {
            int n = i * 7919 % 1000;
            hash.merge(n, "x", (a, b) -> a.length() > 5 ? a : a + b);
            tree.put(n, "t" + i % 3);
            concurrent.computeIfAbsent(n, k -> "c" + k);
            list.add(n);
            deque.addFirst(n);
            queue.add(n);
            bits.flip(n);
            lock.lock();
            lock.unlock();
        }
        Collections.sort(list);
        System.out.println(hash.hashCode() + " " + tree.hashCode() + " " + concurrent.size() + " " + list.subList(0, 60) + deque.pollLast());
        System.out.println(queue.poll() + " " + bits.cardinality() + " " + new ArrayList<>(list).equals(list));
        System.out.println(IntStream.range(0, 100).boxed().collect(Collectors.groupingBy(i -> i % 3, Collectors.counting())));
        try {
            List.of(1, 2).add(3);
        } catch (UnsupportedOperationException e) {
            System.out.println("unmodifiable");
        }
        try {
            for (Integer each : list) list.remove(each);
        } catch (java.util.ConcurrentModificationException e) {
            System.out.println("modified");
        }
        if (args.length > 0) report();
    }

    private static void report() throws Exception {
        Class<?> monitor = Class.forName("testudo.runtime.Monitor");
        System.err.println("open " + (count(monitor, "calls") - count(monitor, "ends")));
        byte[] a = new byte[64];
        byte[] b = new byte[64];
        long first = comparison(monitor, a, b);
        for (int i = 0; i < 300; i++) comparison(monitor, a, b);
        System.err.println("bytes " + first + " " + comparison(monitor, a, b));
        int[] c = new int[64];
        int[] d = new int[64];
        for (int i = 0; i < 200000; i++) Arrays.equals(c, d);
        long before = count(monitor, "elements");
        Arrays.equals(c, d);
        System.err.println("ints " + (count(monitor, "elements") - before));
    }

    private static long comparison(Class<?> monitor, byte[] a, byte[] b) throws Exception {
        long before = count(monitor, "elements");
        for (int i = 0; i < 1000; i++) Arrays.equals(a, b);
        return (count(monitor, "elements") - before) / 1000;
    }

    private static long count(Class<?> monitor, String what) throws Exception {
        return monitor.getField(what).getLong(null);
    }
}
