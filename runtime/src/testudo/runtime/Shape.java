package testudo.runtime;

import java.lang.ref.Reference;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * What the worker knows about one run-time class: how its instances are walked and the number the brain knows it by. Owns the rules for what is looked into, what is
 * taken by value and what is opaque; never touches an instance.
 */
final class Shape {
    // How instances are walked.
    static final int OBJECT = 0;
    static final int STRING = 1;
    static final int BOX = 2;
    static final int ENUM = 3;
    static final int CLASS = 4;
    /** Immutable, equal by what {@link #text} gives. */
    static final int TEXT = 5;
    /** Known by the name of its class alone. */
    static final int OPAQUE = 6;
    static final int REFERENCES = 7;
    static final int PRIMITIVES = 8;

    final Class<?> type;
    /** Internal form; descriptors for arrays; hidden classes without their run-dependent part. */
    final String name;
    final long nameHash;
    final int kind;
    /** For boxes and primitive arrays the descriptor character of the primitive. */
    final byte primitive;

    /** Fields of all superclasses, outermost first, by name within a class; without those that are only caches. */
    final long[] primitiveOffsets;
    final byte[] primitiveKinds;
    final long[] referenceOffsets;
    /** The same without final fields. */
    final long[] mutablePrimitiveOffsets;
    final byte[] mutablePrimitiveKinds;
    final long[] mutableReferenceOffsets;

    /** How the instances keep entries, if they are maps; see {@link HashTables}. */
    final byte hashTable;
    /** 0 = not asked yet, 1 = by identity, 2 = not. */
    private byte hashed;

    /** The class reference sent to the brain; 0 = not sent yet. */
    int number;
    /** Filled in on first need. */
    Traits traits;
    EqualsClasses.Group group;

    private static final Field[] NONE = {};

    Shape(Class<?> type) {
        this(type, false);
    }

    /** Thorough: what lambdas captured and what weak references refer to counts too, and a lambda is known by the method it stands for. */
    Shape(Class<?> type, boolean thorough) {
        this.type = type;
        name = nameOf(type);
        boolean lambda = thorough && type.isHidden() && type.getName().contains("$$Lambda");
        nameHash = hash(lambda ? name + Lambdas.methodOf(type) : name);
        primitive = primitiveOf(type);
        Field[] fields = NONE;
        int kind = lambda ? OBJECT : kindOf(type);
        if (kind == OBJECT || kind == ENUM) {
            try {
                fields = instanceFields(type, thorough);
            } catch (LinkageError missingFieldType) {
                kind = OPAQUE;
            }
        }
        this.kind = kind;
        hashTable = kind == OBJECT ? hashTableOf(type) : HashTables.NONE;
        List<Field> references = new ArrayList<Field>();
        List<Field> primitives = new ArrayList<Field>();
        for (Field field : fields) (field.getType().isPrimitive() ? primitives : references).add(field);
        primitiveOffsets = offsets(primitives, false);
        primitiveKinds = kinds(primitives, false);
        referenceOffsets = offsets(references, false);
        mutablePrimitiveOffsets = offsets(primitives, true);
        mutablePrimitiveKinds = kinds(primitives, true);
        mutableReferenceOffsets = offsets(references, true);
    }

    /** Whether no instance can change (what it refers to may). */
    boolean immutable() {
        return kind == OBJECT || kind == ENUM ? mutablePrimitiveOffsets.length + mutableReferenceOffsets.length == 0 : kind < REFERENCES;
    }

    /** Whether instances have the hash code of their identity: those of {@code Object}, of constants and of classes. */
    boolean hashedByIdentity() {
        if (hashed == 0) hashed = (byte) (findHashedByIdentity() ? 1 : 2);
        return hashed == 1;
    }

    private boolean findHashedByIdentity() {
        if (kind == STRING || kind == BOX || kind == TEXT) return false;
        if (kind == ENUM || kind == CLASS || kind >= REFERENCES) return true;
        try {
            return type.getMethod("hashCode").getDeclaringClass() == Object.class;
        } catch (NoSuchMethodException | LinkageError unknown) {
            return true;
        }
    }

    /** What stands for an immutable value of kind {@link #TEXT}. */
    static String text(Object value) {
        if (value instanceof java.util.Date) return Long.toString(((java.util.Date) value).getTime());
        if (value instanceof java.util.regex.Pattern) {
            java.util.regex.Pattern pattern = (java.util.regex.Pattern) value;
            return pattern.flags() + ":" + pattern.pattern();
        }
        if (value instanceof java.util.TimeZone) return ((java.util.TimeZone) value).getID();
        return value.toString();
    }

    private static int kindOf(Class<?> type) {
        if (type.isArray()) return type.getComponentType().isPrimitive() ? PRIMITIVES : REFERENCES;
        if (type == String.class) return STRING;
        if (primitiveOf(type) != 0) return BOX;
        if (Enum.class.isAssignableFrom(type)) return ENUM;
        if (type == Class.class) return CLASS;
        if (isText(type)) return TEXT;
        return isOpaque(type) ? OPAQUE : OBJECT;
    }

    /** Here and not in {@link HashTables}, which is set up only where there are maps. */
    private static byte hashTableOf(Class<?> type) {
        if (java.util.LinkedHashMap.class.isAssignableFrom(type)) return HashTables.LINKED;
        if (java.util.HashMap.class.isAssignableFrom(type)) return HashTables.CHAINED;
        if (type == java.util.IdentityHashMap.class) return HashTables.IDENTITY;
        if (java.util.Hashtable.class.isAssignableFrom(type)) return type == java.util.Properties.class ? HashTables.NONE : HashTables.OLD;
        if (java.util.concurrent.ConcurrentHashMap.class.isAssignableFrom(type)) return HashTables.CONCURRENT;
        return HashTables.NONE;
    }

    private static boolean isText(Class<?> type) {
        return type == java.math.BigInteger.class
                || type == java.math.BigDecimal.class
                || type == java.util.Locale.class
                || type == java.util.regex.Pattern.class
                || type == java.util.Date.class
                || type == java.net.URI.class
                || type == java.net.URL.class
                || type == java.io.File.class
                || type == java.util.UUID.class
                || type == java.lang.reflect.Method.class
                || type == java.lang.reflect.Constructor.class
                || type == java.lang.reflect.Field.class
                || type.getName().equals("sun.util.calendar.ZoneInfo");
    }

    private static boolean isOpaque(Class<?> type) {
        if (Thread.class.isAssignableFrom(type)
                || ThreadGroup.class.isAssignableFrom(type)
                || ThreadLocal.class.isAssignableFrom(type)
                || ClassLoader.class.isAssignableFrom(type)
                || java.util.concurrent.ExecutorService.class.isAssignableFrom(type) && type.getClassLoader() == null
                || java.util.ResourceBundle.class.isAssignableFrom(type)
                || isHidden(type)) {
            return true;
        }
        String name = type.getName();
        if (name.startsWith("testudo.runtime.")) return true;
        if (!isPlatform(type)) return false;
        return name.startsWith("sun.")
                || name.startsWith("jdk.")
                || name.startsWith("com.sun.")
                || name.startsWith("javax.")
                || name.startsWith("java.lang.invoke.")
                || name.startsWith("java.lang.reflect.") && !java.lang.reflect.Proxy.class.isAssignableFrom(type)
                || name.startsWith("java.lang.Module")
                || name.startsWith("java.lang.ref.ReferenceQueue")
                || name.startsWith("java.util.logging.")
                || name.startsWith("java.security.")
                || name.startsWith("java.nio.channels.")
                || name.startsWith("java.nio.charset.")
                || name.startsWith("java.io.File")
                // Their tables of what was written are ordered by identity hash.
                || name.startsWith("java.io.ObjectInputStream")
                || name.startsWith("java.io.ObjectOutputStream")
                || name.equals("java.io.RandomAccessFile")
                || name.equals("java.lang.Runtime")
                || name.equals("java.lang.Process");
    }

    static boolean isPlatform(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        return loader == null || loader == ClassLoader.getPlatformClassLoader();
    }

    private static boolean isHidden(Class<?> type) {
        return type.isHidden() || type.getName().contains("$$Lambda");
    }

    private static Field[] instanceFields(Class<?> type, boolean thorough) {
        List<Class<?>> lineage = new ArrayList<Class<?>>();
        for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) lineage.add(0, c);
        List<Field> all = new ArrayList<Field>();
        for (Class<?> c : lineage) {
            Field[] own = c.getDeclaredFields();
            Arrays.sort(own, new Comparator<Field>() {
                @Override
                public int compare(Field a, Field b) {
                    int byName = a.getName().compareTo(b.getName());
                    return byName != 0 ? byName : a.getType().getName().compareTo(b.getType().getName());
                }
            });
            for (Field field : own) {
                if (Modifier.isStatic(field.getModifiers())) continue;
                if (!isCache(field) || thorough && isWeakReferent(type, field)) all.add(field);
            }
        }
        return all.toArray(NONE);
    }

    /** What a weak reference refers to is part of a state; soft references are caches, and phantom ones tell nobody what they refer to. */
    private static boolean isWeakReferent(Class<?> type, Field field) {
        return field.getDeclaringClass() == Reference.class && field.getName().equals("referent") && java.lang.ref.WeakReference.class.isAssignableFrom(type);
    }

    /** Fields of JDK classes that are filled lazily and say nothing about the state. */
    private static boolean isCache(Field field) {
        Class<?> owner = field.getDeclaringClass();
        if (owner == Throwable.class) return !(field.getName().equals("detailMessage") || field.getName().equals("cause"));
        if (owner == Enum.class || owner == Reference.class || owner == java.lang.ref.SoftReference.class) return true;
        if (!Modifier.isTransient(field.getModifiers()) || !owner.getName().startsWith("java.util.") || !isPlatform(owner)) return false;
        switch (field.getName()) {
            case "keySet":
            case "values":
            case "entrySet":
            case "navigableKeySet":
            case "descendingMap":
                return true;
            default:
                return false;
        }
    }

    private static long[] offsets(List<Field> fields, boolean mutable) {
        long[] offsets = new long[fields.size()];
        int n = 0;
        for (Field field : fields) {
            if (!mutable || !Modifier.isFinal(field.getModifiers())) offsets[n++] = Memory.offset(field);
        }
        return Arrays.copyOf(offsets, n);
    }

    private static byte[] kinds(List<Field> fields, boolean mutable) {
        byte[] kinds = new byte[fields.size()];
        int n = 0;
        for (Field field : fields) {
            if (!mutable || !Modifier.isFinal(field.getModifiers())) kinds[n++] = descriptorOf(field.getType());
        }
        return Arrays.copyOf(kinds, n);
    }

    /** The descriptor character of a primitive type. */
    static byte descriptorOf(Class<?> primitive) {
        if (primitive == boolean.class) return 'Z';
        if (primitive == byte.class) return 'B';
        if (primitive == char.class) return 'C';
        if (primitive == short.class) return 'S';
        if (primitive == int.class) return 'I';
        if (primitive == long.class) return 'J';
        if (primitive == float.class) return 'F';
        return 'D';
    }

    private static byte primitiveOf(Class<?> type) {
        if (type.isArray()) return type.getComponentType().isPrimitive() ? descriptorOf(type.getComponentType()) : 0;
        if (type == Integer.class) return 'I';
        if (type == Boolean.class) return 'Z';
        if (type == Long.class) return 'J';
        if (type == Double.class) return 'D';
        if (type == Character.class) return 'C';
        if (type == Byte.class) return 'B';
        if (type == Short.class) return 'S';
        if (type == Float.class) return 'F';
        return 0;
    }

    /** Internal form of a name, equal in every run: hidden classes and proxies lose their counters. */
    static String nameOf(Class<?> type) {
        String name = type.getName();
        int lambda = name.indexOf("$$Lambda");
        if (lambda >= 0) return name.substring(0, lambda + 8).replace('.', '/');
        int slash = name.indexOf('/');
        if (slash >= 0) name = name.substring(0, slash);
        if (java.lang.reflect.Proxy.isProxyClass(type)) {
            int digits = name.length();
            while (digits > 0 && Character.isDigit(name.charAt(digits - 1))) digits--;
            name = name.substring(0, digits);
        }
        return name.replace('.', '/');
    }

    private static long hash(String text) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
            hash ^= hash >>> 29;
        }
        return hash;
    }
}
