package testudo.runtime;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** The contracts a user wrote: public static boolean methods with one or two parameters. Owns finding and calling them; never judges what a violation means. */
final class UserContracts {
    private final ClassLoader loader;
    private final String[] classes;
    private final List<Method> methods = new ArrayList<Method>();
    /** Classes that cannot be used, and why. */
    final List<String> problems = new ArrayList<String>();

    UserContracts(ClassLoader loader, String[] classes) {
        this.loader = loader;
        this.classes = classes;
    }

    /** Loads the classes; needs the hooks in place. */
    void load() {
        for (String name : classes) {
            int before = methods.size();
            try {
                Method[] declared = Class.forName(name.replace('/', '.'), false, loader).getDeclaredMethods();
                Arrays.sort(declared, new Comparator<Method>() {
                    @Override
                    public int compare(Method a, Method b) {
                        return a.toString().compareTo(b.toString());
                    }
                });
                for (Method method : declared) if (isContract(method)) methods.add(method);
                if (methods.size() == before) problems.add(name + " has no public static boolean method with one or two parameters");
            } catch (ClassNotFoundException | LinkageError e) {
                problems.add(name + ": " + e);
            }
        }
    }

    private static boolean isContract(Method method) {
        int parameters = method.getParameterTypes().length;
        boolean wanted = Modifier.isPublic(method.getModifiers()) && Modifier.isStatic(method.getModifiers())
                && method.getReturnType() == boolean.class && parameters >= 1 && parameters <= 2 && !method.isSynthetic();
        if (wanted) method.setAccessible(true);
        return wanted;
    }

    List<Method> all() {
        return methods;
    }

    static boolean fits(Class<?> parameter, Object value) {
        if (!parameter.isPrimitive()) return parameter.isInstance(value);
        return java.lang.invoke.MethodType.methodType(parameter).wrap().returnType().isInstance(value);
    }

    static boolean holds(Method method, Object... arguments) throws Throwable {
        try {
            return (Boolean) method.invoke(null, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
