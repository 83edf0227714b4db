package testudo.runtime;

import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/** Runs plain test methods where no JUnit is there to do it: suites that Testudo wrote itself need nothing more. Owns finding them; their order is that of their names. */
final class PlainDriver implements SuiteDriver {
    @Override
    public void run(List<Class<?>> classes, SuiteListener listener, Long shuffle) {
        listener.discovering(true);
        List<Method> tests = new ArrayList<Method>();
        for (Class<?> type : classes) if (!Modifier.isAbstract(type.getModifiers())) find(type, tests, listener);
        if (shuffle != null) Collections.shuffle(tests, new Random(shuffle));
        listener.discovering(false);
        for (Method test : tests) {
            String unit = test.getDeclaringClass().getName() + "#" + test.getName();
            if (!listener.isWanted(unit)) continue;
            listener.boundary();
            listener.started(unit, test.getDeclaringClass(), test, test.getName(), test.getName() + "()");
            Throwable thrown = attempt(test);
            listener.finished(thrown == null ? SuiteListener.PASSED : SuiteListener.FAILED, thrown);
        }
    }

    private static void find(Class<?> type, List<Method> tests, SuiteListener listener) {
        List<Method> methods = new ArrayList<Method>();
        try {
            for (Method method : type.getDeclaredMethods()) if (annotation(method) != null && method.getParameterCount() == 0) methods.add(method);
        } catch (LinkageError unusable) {
            listener.note("the test class " + type.getName() + " cannot be used: " + unusable);
        }
        Collections.sort(methods, new Comparator<Method>() {
            @Override
            public int compare(Method a, Method b) {
                return a.getName().compareTo(b.getName());
            }
        });
        tests.addAll(methods);
    }

    private static Annotation annotation(Method method) {
        for (Annotation annotation : method.getDeclaredAnnotations()) {
            String name = annotation.annotationType().getName();
            if (name.equals("org.junit.jupiter.api.Test") || name.equals("org.junit.Test")) return annotation;
        }
        return null;
    }

    private static Throwable attempt(Method test) {
        Class<?> expected = expected(annotation(test));
        Throwable thrown = invoke(test);
        if (expected == null) return thrown;
        if (thrown == null) return new AssertionError("expected " + expected.getName() + " to be thrown");
        return expected.isInstance(thrown) ? null : thrown;
    }

    private static Throwable invoke(Method test) {
        try {
            Constructor<?> constructor = test.getDeclaringClass().getDeclaredConstructor();
            constructor.setAccessible(true);
            test.setAccessible(true);
            test.invoke(constructor.newInstance());
            return null;
        } catch (InvocationTargetException e) {
            return e.getCause();
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            return e;
        }
    }

    /** The exception a JUnit 4 test declares to expect, or null. */
    private static Class<?> expected(Annotation annotation) {
        try {
            Class<?> type = (Class<?>) annotation.annotationType().getMethod("expected").invoke(annotation);
            return type.getName().equals("org.junit.Test$None") ? null : type;
        } catch (ReflectiveOperationException notDeclared) {
            return null;
        }
    }
}
