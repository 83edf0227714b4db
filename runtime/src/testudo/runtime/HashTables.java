package testudo.runtime;

import java.util.HashMap;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Knows the hash tables of the JDK from inside, so that a table whose places depend on identity hashes can be looked at without them. Owns where tables keep their entries;
 * decides nothing about order and runs no code of keys.
 */
final class HashTables {
    static final byte NONE = 0;
    static final byte CHAINED = 1;
    static final byte LINKED = 2;
    static final byte IDENTITY = 3;
    static final byte OLD = 4;
    static final byte CONCURRENT = 5;

    private static final long TABLE = offset(HashMap.class, "table");
    private static final long HEAD = offset(LinkedHashMap.class, "head");
    private static final long TAIL = offset(LinkedHashMap.class, "tail");
    private static final long IDENTITY_TABLE = offset(IdentityHashMap.class, "table");
    private static final long OLD_TABLE = offset(Hashtable.class, "table");
    private static final long CONCURRENT_TABLE = offset(ConcurrentHashMap.class, "table");
    /** Null marks in identity tables. */
    private static final Object NULL_KEY = constant(IdentityHashMap.class, "NULL_KEY");

    private static final Links NODE = new Links("java.util.HashMap$Node", "value", "next");
    private static final Links ENTRY = new Links("java.util.LinkedHashMap$Entry", null, "after");
    private static final Links OLD_ENTRY = new Links("java.util.Hashtable$Entry", "value", "next");
    private static final Links BIN = new Links("java.util.concurrent.ConcurrentHashMap$Node", "val", "next");
    private static final Class<?> TREE_BIN = type("java.util.concurrent.ConcurrentHashMap$TreeBin");
    private static final long FIRST = offset(TREE_BIN, "first");

    private HashTables() {}

    /** Where an entry keeps its parts. */
    private static final class Links {
        final long key;
        final long value;
        final long next;

        Links(String type, String value, String next) {
            Class<?> of = type(type);
            key = value == null ? 0 : offset(of, "key");
            this.value = value == null ? 0 : offset(of, value);
            this.next = offset(of, next);
        }
    }

    /** Whether a field is part of the table and not looked at by itself. */
    static boolean isInside(byte kind, long offset) {
        switch (kind) {
            case LINKED:
                return offset == TABLE || offset == HEAD || offset == TAIL;
            case CHAINED:
                return offset == TABLE;
            case IDENTITY:
                return offset == IDENTITY_TABLE;
            case OLD:
                return offset == OLD_TABLE;
            default:
                return offset == CONCURRENT_TABLE;
        }
    }

    static boolean keepsOrder(byte kind) {
        return kind == LINKED;
    }

    /** Whether places depend on identity hashes. Allocates nothing: this is asked of every map. */
    static boolean dependsOnIdentity(Object map, byte kind, Shapes shapes) {
        if (kind == IDENTITY) return true;
        Object[] table = table(map, kind);
        if (table == null) return false;
        Links links = links(kind);
        for (int i = 0; i < table.length; i++) {
            for (Object entry = first(table[i]); entry != null; entry = Memory.reference(entry, links.next)) {
                Object key = Memory.reference(entry, links.key);
                if (key != null && shapes.of(key).hashedByIdentity()) return true;
            }
        }
        return false;
    }

    private static Links links(byte kind) {
        return kind == OLD ? OLD_ENTRY : kind == CONCURRENT ? BIN : NODE;
    }

    private static Object first(Object entry) {
        return entry != null && entry.getClass() == TREE_BIN ? Memory.reference(entry, FIRST) : entry;
    }

    /** How many places there are. */
    static int capacity(Object map, byte kind) {
        Object[] table = table(map, kind);
        return table == null ? 0 : table.length;
    }

    private static Object[] table(Object map, byte kind) {
        long offset = kind == IDENTITY ? IDENTITY_TABLE : kind == OLD ? OLD_TABLE : kind == CONCURRENT ? CONCURRENT_TABLE : TABLE;
        return (Object[]) Memory.reference(map, offset);
    }

    /** Hands over keys and values, in pairs. */
    static Object[] entries(Object map, byte kind) {
        Pairs pairs = new Pairs();
        if (kind == LINKED) {
            for (Object e = Memory.reference(map, HEAD); e != null; e = Memory.reference(e, ENTRY.next)) pairs.add(e, NODE);
            return pairs.done();
        }
        Object[] table = table(map, kind);
        if (table == null) return pairs.done();
        if (kind == IDENTITY) {
            for (int i = 0; i + 1 < table.length; i += 2) {
                if (table[i] != null) pairs.add(table[i] == NULL_KEY ? null : table[i], table[i + 1]);
            }
            return pairs.done();
        }
        Links links = links(kind);
        for (int i = 0; i < table.length; i++) {
            for (Object entry = first(table[i]); entry != null; entry = Memory.reference(entry, links.next)) {
                // While a concurrent map grows, entries without a key point elsewhere.
                if (kind != CONCURRENT || Memory.reference(entry, links.key) != null) pairs.add(entry, links);
            }
        }
        return pairs.done();
    }

    private static final class Pairs {
        private Object[] all = new Object[32];
        private int count;

        void add(Object entry, Links links) {
            add(Memory.reference(entry, links.key), Memory.reference(entry, links.value));
        }

        void add(Object key, Object value) {
            if (count + 2 > all.length) {
                Object[] more = new Object[2 * all.length];
                for (int i = 0; i < count; i++) more[i] = all[i];
                all = more;
            }
            all[count++] = key;
            all[count++] = value;
        }

        Object[] done() {
            Object[] exact = new Object[count];
            for (int i = 0; i < count; i++) exact[i] = all[i];
            return exact;
        }
    }

    private static Class<?> type(String name) {
        try {
            return Class.forName(name, false, null);
        } catch (ClassNotFoundException otherJdk) {
            throw new IllegalStateException("this JDK lacks " + name, otherJdk);
        }
    }

    private static long offset(Class<?> owner, String field) {
        return Memory.UNSAFE.objectFieldOffset(owner, field);
    }

    private static Object constant(Class<?> owner, String name) {
        try {
            java.lang.reflect.Field field = owner.getDeclaredField(name);
            return Memory.reference(Memory.staticBase(field), Memory.staticOffset(field));
        } catch (NoSuchFieldException otherJdk) {
            throw new IllegalStateException("this JDK lacks " + owner.getName() + "." + name, otherJdk);
        }
    }
}
