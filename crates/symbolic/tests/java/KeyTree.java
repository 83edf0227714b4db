import subjects.TreeMap;

/** A red-black tree of which only `put` and `remove` can be called. */
public class KeyTree {
    private final TreeMap<Integer, Integer> map = new TreeMap<Integer, Integer>();

    public void put(int key) {
        map.put(key, 0);
    }

    public void remove(int key) {
        map.remove(key);
    }
}
