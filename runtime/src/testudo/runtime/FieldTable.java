package testudo.runtime;

import java.lang.reflect.Field;
import java.util.Arrays;

/** The fields that watched code reads, by the numbers the brain gave them. Owns finding where in an object each lies; never reads one. */
final class FieldTable {
    static final long UNKNOWN = -1;

    private String[] classes = new String[1024];
    private String[] names = new String[1024];
    /** 0 = not looked for yet. */
    private long[] offsets = new long[1024];

    void add(int number, String type, String name) {
        if (number >= classes.length) {
            int room = Math.max(number + 1, 2 * classes.length);
            classes = Arrays.copyOf(classes, room);
            names = Arrays.copyOf(names, room);
            offsets = Arrays.copyOf(offsets, room);
        }
        classes[number] = type;
        names[number] = name;
    }

    long offset(int number, Object owner) {
        if (number >= offsets.length) return UNKNOWN;
        long known = offsets[number];
        return known != 0 ? known : (offsets[number] = find(number, owner));
    }

    private long find(int number, Object owner) {
        String named = classes[number];
        String name = names[number];
        // Counts changes so that iterators notice them: says nothing about what a collection holds.
        if (named == null || name.equals("modCount") && named.startsWith("java/util/")) return UNKNOWN;
        Class<?> type = owner.getClass();
        String binary = named.replace('/', '.');
        while (type != null && !type.getName().equals(binary)) type = type.getSuperclass();
        for (; type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (field.getName().equals(name) && !java.lang.reflect.Modifier.isStatic(field.getModifiers())) return Memory.offset(field);
            }
        }
        return UNKNOWN;
    }
}
