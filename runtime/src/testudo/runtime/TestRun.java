package testudo.runtime;

import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** One test method, run under a time limit. Owns the verdict; a test that does not end is left to itself. */
final class TestRun {
    static final int PASSED = 0;
    static final int FAILED = 1;
    static final int TIMED_OUT = 2;

    private static final int MESSAGE = 4000;

    final String className;
    final String methodName;
    private final Method method;
    private final Class<?> expected;
    private final Throwable unusable;
    private volatile Throwable thrown;

    TestRun(Method method, Annotation annotation) {
        this.method = method;
        className = method.getDeclaringClass().getName();
        methodName = method.getName();
        expected = expectedOf(annotation);
        unusable = null;
    }

    /** A test that is not there, or whose class cannot be loaded: fails as such, whenever it is run. */
    TestRun(String className, String methodName, Throwable unusable) {
        this.className = className;
        this.methodName = methodName;
        this.unusable = unusable;
        method = null;
        expected = null;
    }

    /** The exception a JUnit 4 test declares to expect, or null. */
    private static Class<?> expectedOf(Annotation annotation) {
        try {
            Class<?> type = (Class<?>) annotation.annotationType().getMethod("expected").invoke(annotation);
            return type.getName().equals("org.junit.Test$None") ? null : type;
        } catch (ReflectiveOperationException notDeclared) {
            return null;
        }
    }

    int run(long limitMilliseconds) {
        thrown = unusable;
        if (unusable != null) return FAILED;
        boolean ended = TestThread.run(new Runnable() {
            @Override
            public void run() {
                thrown = attempt();
            }
        }, Math.max(1, limitMilliseconds));
        if (!ended) return TIMED_OUT;
        if (expected == null) return thrown == null ? PASSED : FAILED;
        if (thrown == null) thrown = new AssertionError("expected " + expected.getName() + " to be thrown");
        return expected.isInstance(thrown) ? PASSED : FAILED;
    }

    private Throwable attempt() {
        try {
            Constructor<?> constructor = method.getDeclaringClass().getDeclaredConstructor();
            constructor.setAccessible(true);
            method.setAccessible(true);
            method.invoke(constructor.newInstance());
            return null;
        } catch (InvocationTargetException e) {
            return e.getCause();
        } catch (Throwable e) {
            return e;
        }
    }

    Throwable failure() {
        return thrown;
    }

    static String messageOf(Throwable thrown) {
        if (thrown == null) return "";
        String message;
        try {
            message = thrown.getMessage();
        } catch (Throwable ofItsOwn) {
            return "";
        }
        if (message == null) return "";
        return message.length() > MESSAGE ? message.substring(0, MESSAGE) : message;
    }

    /** The innermost frame that belongs to the code under test or the test itself. */
    static String place(Throwable thrown, String testClass) {
        if (thrown == null) return "";
        for (StackTraceElement frame : thrown.getStackTrace()) {
            String name = frame.getClassName();
            boolean ofOthers = name.startsWith("java.") || name.startsWith("jdk.") || name.startsWith("sun.") || name.startsWith("javax.")
                    || name.startsWith("testudo.runtime.") || name.startsWith("org.junit.") || name.startsWith("org.opentest4j.");
            if (!ofOthers || name.equals(testClass)) return name + "." + frame.getMethodName() + ":" + frame.getLineNumber();
        }
        return "";
    }
}
