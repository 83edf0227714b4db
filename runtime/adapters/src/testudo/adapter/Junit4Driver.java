package testudo.adapter;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Comparator;
import java.util.List;
import org.junit.runner.Description;
import org.junit.runner.Request;
import org.junit.runner.Runner;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.notification.RunNotifier;
import testudo.runtime.SuiteDriver;
import testudo.runtime.SuiteListener;

/**
 * Runs JUnit 4 and JUnit 3 tests by the JUnit 4 on the class path, class by class. Owns which classes are its business: top-level ones that JUnit itself would take for
 * tests. Suites of other classes are left out, since these run by themselves.
 */
public final class Junit4Driver implements SuiteDriver {
    @Override
    public void run(List<Class<?>> classes, SuiteListener listener, Long shuffle) {
        for (Class<?> type : classes) {
            String id = "junit4:" + type.getName();
            if (!isTest(type) || !listener.isWanted(id)) continue;
            listener.discovering(true);
            Runner runner = runner(type, listener, shuffle);
            listener.discovering(false);
            if (runner == null) continue;
            listener.around(id);
            RunNotifier notifier = new RunNotifier();
            notifier.addListener(new Junit4Events(type, listener));
            runner.run(notifier);
            listener.boundary();
        }
    }

    private static Runner runner(Class<?> type, final SuiteListener listener, final Long shuffle) {
        Request request = Request.aClass(type);
        Runner runner = request.getRunner();
        String kind = runner.getClass().getName();
        if (kind.equals("org.junit.runners.Suite") || kind.equals("org.junit.internal.runners.SuiteMethod")) {
            listener.note(type.getName() + " collects tests of other classes and was not run as such");
            return null;
        }
        Filter open = new Filter() {
            @Override
            public boolean shouldRun(Description description) {
                if (description.isTest()) return listener.isWanted(Junit4Events.unit(description));
                for (Description child : description.getChildren()) if (shouldRun(child)) return true;
                return false;
            }

            @Override
            public String describe() {
                return "tests not run before";
            }
        };
        if (!open.shouldRun(runner.getDescription())) return null;
        if (shuffle != null) request = request.sortWith(new Comparator<Description>() {
            @Override
            public int compare(Description a, Description b) {
                return Integer.compare(chance(a), chance(b));
            }

            private int chance(Description of) {
                long mixed = (of.getDisplayName().hashCode() ^ shuffle) * 0x9e3779b97f4a7c15L;
                return (int) (mixed >>> 32);
            }
        });
        return request.filterWith(open).getRunner();
    }

    private static boolean isTest(Class<?> type) {
        if (type.isInterface() || type.isAnnotation() || Modifier.isAbstract(type.getModifiers()) || type.getName().contains("$")) return false;
        try {
            for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) {
                if (c.getName().equals("junit.framework.TestCase")) return true;
                if (has(c.getDeclaredAnnotations(), "org.junit.runner.RunWith")) return !runsElsewhere(c);
                for (Method method : c.getDeclaredMethods()) if (has(method.getDeclaredAnnotations(), "org.junit.Test")) return true;
            }
        } catch (LinkageError unusable) {
            return false;
        }
        return false;
    }

    /** Runners that hand over to the JUnit Platform. */
    private static boolean runsElsewhere(Class<?> type) {
        for (Annotation annotation : type.getDeclaredAnnotations()) {
            if (annotation.annotationType().getName().equals("org.junit.runner.RunWith")) return annotation.toString().contains("org.junit.platform.runner");
        }
        return false;
    }

    private static boolean has(Annotation[] annotations, String name) {
        for (Annotation annotation : annotations) if (annotation.annotationType().getName().equals(name)) return true;
        return false;
    }
}
