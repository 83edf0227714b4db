package subjects;

/** A small well-behaved container. */
public class Stack {
    private int[] items = new int[4];
    private int size;

    public void push(int x) {
        if (size == items.length) items = java.util.Arrays.copyOf(items, size * 2);
        items[size++] = x;
    }

    public int pop() {
        if (size == 0) throw new IllegalStateException("empty");
        return items[--size];
    }

    public int top() {
        return items[size - 1];
    }

    public boolean isEmpty() {
        return size == 0;
    }

    public int size() {
        return size;
    }

    @Override public boolean equals(Object o) {
        if (!(o instanceof Stack) || ((Stack) o).size != size) return false;
        for (int i = 0; i < size; i++) if (items[i] != ((Stack) o).items[i]) return false;
        return true;
    }

    @Override public int hashCode() {
        int h = size;
        for (int i = 0; i < size; i++) h = 31 * h + items[i];
        return h;
    }
}
