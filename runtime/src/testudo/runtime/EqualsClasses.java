package testudo.runtime;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Numbers values by {@code equals}: equal values of one run-time class share a number. Owns the representatives it compares with; a value whose methods throw or do not
 * end gets no number, and so does a new one when there are too many representatives.
 */
final class EqualsClasses {
    private static final int PER_CLASS = 1_000;
    private static final int IN_ALL = 100_000;
    /** Steps one comparison may take. */
    private static final int STEPS = 100_000;
    static final int NONE = -1;

    /** The representatives of one run-time class. */
    static final class Group {
        private final Map<Integer, List<Object>> buckets = new HashMap<Integer, List<Object>>();
        private final Map<Integer, List<Integer>> numbers = new HashMap<Integer, List<Integer>>();
        private int count;
    }

    private int total;

    int number(Object value, Shape shape) {
        if (shape.traits == null) shape.traits = new Traits(shape.type);
        if (!shape.traits.ownEquals) return NONE;
        if (shape.group == null) shape.group = new Group();
        Group group = shape.group;
        Hooks.begin(STEPS);
        try {
            int bucket = shape.traits.ownHashCode ? value.hashCode() : 0;
            List<Object> values = group.buckets.get(bucket);
            if (values != null) {
                for (int i = 0; i < values.size(); i++) {
                    Hooks.begin(STEPS);
                    if (value.equals(values.get(i))) return group.numbers.get(bucket).get(i);
                }
            }
            return add(group, bucket, value);
        } catch (OutOfMemoryError e) {
            throw e;
        } catch (Throwable ofUserCode) {
            return NONE;
        }
    }

    private int add(Group group, int bucket, Object value) {
        if (group.count >= PER_CLASS || total >= IN_ALL) return NONE;
        total++;
        if (!group.buckets.containsKey(bucket)) {
            group.buckets.put(bucket, new ArrayList<Object>(1));
            group.numbers.put(bucket, new ArrayList<Integer>(1));
        }
        group.buckets.get(bucket).add(value);
        group.numbers.get(bucket).add(group.count);
        return group.count++;
    }
}
