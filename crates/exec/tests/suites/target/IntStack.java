package demo;

import java.util.function.IntSupplier;

/** A stack of numbers that keeps what was popped in its array, and compares what it holds. */
public class IntStack {
    private int[] store = new int[4];
    private int size;

    public void push(int value) {
        if (size == store.length) store = java.util.Arrays.copyOf(store, 2 * size);
        store[size++] = value;
    }

    public int pop() {
        if (isEmpty()) throw new IllegalStateException("empty");
        return store[--size];
    }

    public boolean isEmpty() {
        return size == 0;
    }

    public void addFrom(IntSupplier source) {
        push(source.getAsInt());
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof IntStack)) return false;
        IntStack that = (IntStack) other;
        if (this.size != that.size) return false;
        for (int i = 0; i < size; i++) if (this.store[i] != that.store[i]) return false;
        return true;
    }

    @Override
    public int hashCode() {
        return size;
    }
}
