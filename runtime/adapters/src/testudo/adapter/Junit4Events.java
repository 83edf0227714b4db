package testudo.adapter;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import org.junit.runner.Description;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;
import testudo.runtime.SuiteListener;

/** Translates what JUnit 4 tells. Owns finding the method a description means; a failure outside of any test becomes one of each test it kept from running. */
final class Junit4Events extends RunListener {
    private final Class<?> type;
    private final SuiteListener listener;
    private boolean running;
    private Throwable failure;
    private Throwable assumption;

    Junit4Events(Class<?> type, SuiteListener listener) {
        this.type = type;
        this.listener = listener;
    }

    static String unit(Description description) {
        return "junit4:" + description.getDisplayName();
    }

    @Override
    public void testStarted(Description description) {
        running = true;
        failure = null;
        assumption = null;
        Class<?> runs = classOf(description);
        String name = nameOf(description);
        listener.started(unit(description), runs, method(runs, name), name, description.getDisplayName());
    }

    @Override
    public void testFailure(Failure of) {
        if (running) {
            if (failure == null) failure = of.getException();
        } else {
            each(of.getDescription(), SuiteListener.FAILED, of.getException(), null);
        }
    }

    @Override
    public void testAssumptionFailure(Failure of) {
        if (running) assumption = of.getException();
        else each(of.getDescription(), SuiteListener.SKIPPED, null, String.valueOf(of.getException()));
    }

    @Override
    public void testFinished(Description description) {
        running = false;
        Throwable thrown = failure != null ? failure : assumption;
        listener.finished(failure != null ? SuiteListener.FAILED : assumption != null ? SuiteListener.SKIPPED : SuiteListener.PASSED, thrown);
        listener.boundary();
    }

    @Override
    public void testIgnored(Description description) {
        each(description, SuiteListener.SKIPPED, null, "ignored");
    }

    private void each(Description description, int outcome, Throwable thrown, String reason) {
        if (!description.isTest()) {
            for (Description child : description.getChildren()) each(child, outcome, thrown, reason);
            return;
        }
        Class<?> runs = classOf(description);
        String name = nameOf(description);
        listener.ended(unit(description), runs, method(runs, name), name, description.getDisplayName(), outcome, thrown, reason);
    }

    private Class<?> classOf(Description description) {
        Class<?> named = description.getTestClass();
        return named == null ? type : named;
    }

    private static String nameOf(Description description) {
        String name = description.getMethodName();
        if (name == null) return description.getDisplayName();
        int parameters = name.indexOf('[');
        return parameters > 0 ? name.substring(0, parameters) : name;
    }

    private static Method method(Class<?> type, String name) {
        Method any = null;
        for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) {
            for (Method method : c.getDeclaredMethods()) {
                if (!method.getName().equals(name) || method.isSynthetic()) continue;
                for (Annotation annotation : method.getDeclaredAnnotations()) {
                    String of = annotation.annotationType().getName();
                    if (of.equals("org.junit.Test") || of.equals("org.junit.experimental.theories.Theory")) return method;
                }
                if (any == null || method.getParameterCount() < any.getParameterCount()) any = method;
            }
        }
        return any;
    }
}
