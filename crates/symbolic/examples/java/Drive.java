import subjects.BinarySearchTree;
import subjects.IntStack;
import subjects.TreeMap;

/** Keeps containers busy, so that instructions per second can be counted. Every element depends on the first argument. */
public class Drive {
    /** Pushes and pops. */
    public static int stack(int seed, int n) {
        IntStack stack = new IntStack();
        for (int i = 0; i < n; i++) {
            stack.push(seed + i);
            if (i % 3 == 2) {
                stack.pop();
            }
        }
        return n;
    }

    /** Adds, looks and removes, by comparisons of numbers. */
    public static int tree(int seed, int n) {
        BinarySearchTree tree = new BinarySearchTree();
        for (int i = 0; i < n; i++) {
            int key = i * 7919 % 1000;
            tree.insert(seed + key);
            tree.contains(seed + key / 2);
            if (i % 4 == 3) {
                tree.remove(seed + key);
            }
        }
        return n;
    }

    /** The same with boxes and compareTo. */
    public static int map(int seed, int n) {
        TreeMap<Integer, Integer> map = new TreeMap<>();
        for (int i = 0; i < n; i++) {
            int key = i * 7919 % 1000;
            map.put(seed + key, i);
            map.get(seed + key / 2);
            if (i % 4 == 3) {
                map.remove(seed + key);
            }
        }
        return n;
    }
}
