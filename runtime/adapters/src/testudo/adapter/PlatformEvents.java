package testudo.adapter;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.platform.engine.EngineExecutionListener;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import testudo.runtime.SuiteListener;

/** Translates what engines of the JUnit Platform tell. Owns which method a descriptor means; what failed around tests becomes a failure of each it kept from running. */
final class PlatformEvents implements EngineExecutionListener {
    /** What was found before anything ran; tests that come up later belong to one of these. */
    private final Set<String> units;
    private final SuiteListener listener;
    private final Set<String> begun = new HashSet<String>();

    PlatformEvents(Set<String> units, SuiteListener listener) {
        this.units = units;
        this.listener = listener;
    }

    static String id(TestDescriptor descriptor) {
        return descriptor.getUniqueId().toString();
    }

    /** A test, or a method that will make some. */
    static boolean isUnit(TestDescriptor descriptor) {
        return descriptor.isTest() || descriptor.getSource().isPresent() && descriptor.getSource().get() instanceof MethodSource;
    }

    private String unit(TestDescriptor descriptor) {
        Optional<TestDescriptor> at = Optional.of(descriptor);
        while (at.isPresent()) {
            String id = id(at.get());
            if (units.contains(id)) return id;
            at = at.get().getParent();
        }
        return id(descriptor);
    }

    @Override
    public void executionStarted(TestDescriptor descriptor) {
        begun.add(id(descriptor));
        if (!descriptor.isTest()) {
            listener.around(id(descriptor));
            return;
        }
        Meaning of = new Meaning(descriptor);
        listener.started(unit(descriptor), of.runs, of.method, of.name, descriptor.getDisplayName());
    }

    @Override
    public void executionFinished(TestDescriptor descriptor, TestExecutionResult result) {
        String status = result.getStatus().toString();
        Throwable thrown = result.getThrowable().isPresent() ? result.getThrowable().get() : null;
        if (descriptor.isTest()) {
            listener.finished(outcome(status), thrown);
            listener.boundary();
            return;
        }
        listener.boundary();
        if (outcome(status) == SuiteListener.PASSED) return;
        boolean reported = false;
        for (TestDescriptor each : all(descriptor)) {
            if (!isUnit(each) || each != descriptor && begun.contains(id(each))) continue;
            // A method whose arguments cannot be made fails although some of its tests may have run.
            reported = true;
            end(each, outcome(status), thrown, thrown == null ? status : thrown.toString());
        }
        if (!reported && outcome(status) == SuiteListener.FAILED) listener.note(descriptor.getDisplayName() + " failed after its tests: " + thrown);
    }

    @Override
    public void executionSkipped(TestDescriptor descriptor, String reason) {
        for (TestDescriptor each : all(descriptor)) if (isUnit(each)) end(each, SuiteListener.SKIPPED, null, reason);
        listener.boundary();
    }

    private void end(TestDescriptor descriptor, int outcome, Throwable thrown, String reason) {
        Meaning of = new Meaning(descriptor);
        listener.ended(unit(descriptor), of.runs, of.method, of.name, descriptor.getDisplayName(), outcome, thrown, reason);
    }

    private static List<TestDescriptor> all(TestDescriptor descriptor) {
        List<TestDescriptor> all = new ArrayList<TestDescriptor>();
        all.add(descriptor);
        all.addAll(descriptor.getDescendants());
        return all;
    }

    private static int outcome(String status) {
        return status.equals("SUCCESSFUL") ? SuiteListener.PASSED : status.equals("ABORTED") ? SuiteListener.SKIPPED : SuiteListener.FAILED;
    }

    /** The method and class of a descriptor, or of the nearest one around it that has any. */
    private static final class Meaning {
        Class<?> runs = Object.class;
        Method method;
        String name;

        Meaning(TestDescriptor descriptor) {
            name = descriptor.getDisplayName();
            for (Optional<TestDescriptor> at = Optional.of(descriptor); at.isPresent(); at = at.get().getParent()) {
                Optional<TestSource> source = at.get().getSource();
                if (!source.isPresent()) continue;
                if (source.get() instanceof MethodSource) {
                    method = ((MethodSource) source.get()).getJavaMethod();
                    runs = ((MethodSource) source.get()).getJavaClass();
                    name = method.getName();
                    return;
                }
                if (source.get() instanceof ClassSource) {
                    runs = ((ClassSource) source.get()).getJavaClass();
                    return;
                }
            }
        }
    }
}
