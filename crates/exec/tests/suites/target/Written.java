package demo;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Writes in every way there is. */
public class Written {
    int number;
    private final List<Object> list = new ArrayList<>();
    private final AtomicInteger atomic = new AtomicInteger();

    public void field(int value) {
        number = value;
    }

    /** What is there already. */
    public void same() {
        number = number;
    }

    public int question() {
        return number + list.size();
    }

    public void list(Object value) {
        list.add(value);
    }

    public void array(int[] values) {
        values[0] = 1;
    }

    public void other(Written other) {
        other.number = 1;
    }

    public void copied(Object[] values) {
        System.arraycopy(new Object[] {"a", "b"}, 0, values, 0, 2);
    }

    public void sorted(int[] values) {
        Arrays.sort(values);
    }

    public void reflected() {
        try {
            Written.class.getDeclaredField("number").setInt(this, 77);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    public void atomic() {
        atomic.incrementAndGet();
    }

    /** Only what nobody else sees. */
    public int local() {
        List<Integer> own = new ArrayList<>();
        for (int i = 0; i < 3; i++) own.add(i);
        int[] numbers = new int[2];
        numbers[0] = own.size();
        return numbers[0];
    }
}
