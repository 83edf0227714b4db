package testudo.runtime;

import java.lang.reflect.Member;
import java.lang.reflect.Method;

/**
 * Tells which method a lambda stands for. Classes of lambdas are numbered as they are made, so that their names say nothing from run to run; their constants name the
 * method. Owns this look into the JVM; where that is not allowed, the answer is empty.
 */
final class Lambdas {
    private Lambdas() {}

    /** Class, name and descriptor's stand-in of the method a lambda's class calls; empty if it cannot be told. */
    static String methodOf(Class<?> lambda) {
        try {
            Object access = Class.forName("jdk.internal.access.SharedSecrets").getMethod("getJavaLangAccess").invoke(null);
            Method getPool = Class.forName("jdk.internal.access.JavaLangAccess").getMethod("getConstantPool", Class.class);
            Object pool = getPool.invoke(access, lambda);
            Class<?> poolType = Class.forName("jdk.internal.reflect.ConstantPool");
            Method getMethodAt = poolType.getMethod("getMethodAtIfLoaded", int.class);
            int size = (Integer) poolType.getMethod("getSize").invoke(pool);
            // The call is among the last constants; the others are the constructor's and, at times, those of boxing.
            String found = "";
            for (int i = size - 1; i > 0; i--) {
                Member member = method(getMethodAt, pool, i);
                if (member == null || member.getDeclaringClass() == lambda || member.getDeclaringClass() == Object.class) continue;
                String text = ":" + member.toString();
                if (member.getName().startsWith("lambda$")) return text;
                if (found.isEmpty()) found = text;
            }
            return found;
        } catch (ReflectiveOperationException | RuntimeException | LinkageError notAllowed) {
            return "";
        }
    }

    private static Member method(Method getMethodAt, Object pool, int index) {
        try {
            return (Member) getMethodAt.invoke(pool, index);
        } catch (ReflectiveOperationException | RuntimeException noMethod) {
            return null;
        }
    }
}
