package testudo.runtime;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collections;

/**
 * Calls every method of a class of faults with fixed arguments, once as it is and once with each mutant, and prints what came of it. Owns that list of
 * calls.
 */
public final class Switch {
    private Switch() {}

    public static void main(String[] arguments) throws Exception {
        Class<?> faults = Class.forName(arguments[0]);
        Method[] methods = faults.getDeclaredMethods();
        Arrays.sort(methods, (a, b) -> a.getName().compareTo(b.getName()));
        int last = Integer.parseInt(arguments[1]);
        for (Method method : methods) {
            if (method.isSynthetic() || method.getName().equals("note")) continue;
            method.setAccessible(true);
            Arrays.fill(Hooks.HIT, (byte) 0);
            String original = call(faults, method, 0);
            byte[] hit = Hooks.HIT.clone();
            System.out.println(method.getName() + " " + original);
            for (int mutant = 1; mutant <= last; mutant++) {
                String result = call(faults, method, mutant);
                // A mutant that does something else must have been announced.
                if (!result.equals(original)) System.out.println("mutant " + mutant + (hit[mutant] != 0 ? " " : " UNANNOUNCED ") + result.replace('\0', '0'));
            }
        }
    }

    private static String call(Class<?> faults, Method method, int mutant) throws Exception {
        Object self = faults.getDeclaredConstructor().newInstance();
        Object[] arguments = new Object[method.getParameterCount()];
        for (int i = 0; i < arguments.length; i++) arguments[i] = argument(method.getParameterTypes()[i], i);
        Mutants.active = mutant;
        try {
            return String.valueOf(method.invoke(self, arguments));
        } catch (java.lang.reflect.InvocationTargetException e) {
            return e.getCause().getClass().getSimpleName();
        } finally {
            Mutants.active = 0;
        }
    }

    private static Object argument(Class<?> type, int n) {
        if (type == int.class) return n == 0 ? 4 : 3;
        if (type == long.class) return -5L;
        if (type == double.class) return n == 0 ? 6.0 : 4.0;
        if (type == boolean.class) return true;
        if (type == int[].class) return new int[] {1, 2};
        if (type == String.class) return "s";
        if (type == Object.class) return null;
        return Collections.singletonList(9);
    }
}
