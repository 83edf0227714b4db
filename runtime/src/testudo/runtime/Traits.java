package testudo.runtime;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

/** Which of the methods with a contract a class has of its own. Owns the look-up by reflection; calls none of them. */
final class Traits {
    final boolean ownEquals;
    final boolean ownHashCode;
    final boolean ownToString;
    final boolean comparable;
    /** A public {@code clone()}, or null. */
    final Method clone;
    /** Made by us: it keeps no promise of the user's. */
    final boolean generated;

    Traits(Class<?> type) {
        ownEquals = isOwn(type, "equals", Object.class);
        ownHashCode = isOwn(type, "hashCode");
        ownToString = isOwn(type, "toString");
        comparable = Comparable.class.isAssignableFrom(type);
        clone = clone(type);
        generated = TargetLoader.isGenerated(type);
    }

    private static Method find(Class<?> type, String name, Class<?>... parameters) {
        try {
            return type.getMethod(name, parameters);
        } catch (NoSuchMethodException | LinkageError notThere) {
            return null;
        }
    }

    private static boolean isOwn(Class<?> type, String name, Class<?>... parameters) {
        Method method = find(type, name, parameters);
        return method != null && method.getDeclaringClass() != Object.class;
    }

    private static Method clone(Class<?> type) {
        if (type.isArray() || !(Cloneable.class.isAssignableFrom(type))) return null;
        Method method = find(type, "clone");
        if (method == null || Modifier.isStatic(method.getModifiers()) || Shape.isPlatform(method.getDeclaringClass())) return null;
        return opened(method);
    }

    /** The same method, callable from here; null where its module does not allow that. */
    private static Method opened(Method method) {
        try {
            method.setAccessible(true);
        } catch (RuntimeException notOpened) {
            return null;
        }
        return method;
    }
}
