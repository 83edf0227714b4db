package testudo.adapter;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestEngine;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import testudo.runtime.SuiteDriver;
import testudo.runtime.SuiteListener;

/**
 * Runs tests by the engines of the JUnit Platform on the class path, without its launcher, which build tools bring along and class paths often lack. Owns discovery and
 * leaving out what was run before; one engine after the other, all classes at once.
 */
public final class PlatformDriver implements SuiteDriver {
    @Override
    public void run(List<Class<?>> classes, SuiteListener listener, Long shuffle) throws Exception {
        ClassLoader loader = ClassLoader.getSystemClassLoader();
        PlatformRequest request = new PlatformRequest(loader, shuffle);
        for (TestEngine engine : engines(loader, listener)) {
            boolean vintage = engine.getId().equals("junit-vintage");
            List<DiscoverySelector> selectors = new ArrayList<DiscoverySelector>();
            for (Class<?> type : classes) if (!vintage || !type.getName().contains("$")) selectors.add(DiscoverySelectors.selectClass(type));
            run(engine, request.with(selectors), listener);
        }
    }

    private static List<TestEngine> engines(ClassLoader loader, SuiteListener listener) {
        List<TestEngine> engines = new ArrayList<TestEngine>();
        java.util.Iterator<TestEngine> all = ServiceLoader.load(TestEngine.class, loader).iterator();
        while (true) {
            try {
                if (!all.hasNext()) break;
                TestEngine engine = all.next();
                // The console's jar has this engine whether JUnit 4 is there or not.
                if (engine.getId().equals("junit-vintage") && !isThere("org.junit.runner.Runner", loader)) continue;
                // It runs suites of other classes, which run by themselves.
                if (!engine.getId().equals("junit-platform-suite")) engines.add(engine);
            } catch (ServiceConfigurationError | LinkageError unusable) {
                listener.note("a test engine cannot be used: " + unusable);
            }
        }
        return engines;
    }

    private static boolean isThere(String name, ClassLoader loader) {
        try {
            Class.forName(name, false, loader);
            return true;
        } catch (ClassNotFoundException | LinkageError missing) {
            return false;
        }
    }

    private static void run(TestEngine engine, PlatformRequest request, SuiteListener listener) throws Exception {
        listener.discovering(true);
        TestDescriptor root = engine.discover(request, UniqueId.forEngine(engine.getId()));
        Set<String> units = new HashSet<String>();
        for (TestDescriptor each : new ArrayList<TestDescriptor>(root.getDescendants())) {
            String id = PlatformEvents.id(each);
            if (!listener.isWanted(id)) each.removeFromHierarchy();
            else units.add(id);
        }
        root.accept(new TestDescriptor.Visitor() {
            @Override
            public void visit(TestDescriptor descriptor) {
                descriptor.prune();
            }
        });
        listener.discovering(false);
        if (root.getChildren().isEmpty()) return;
        PlatformEvents events = new PlatformEvents(units, listener);
        engine.execute(request.execution(root, events));
    }

    static <T> List<T> ofType(List<?> all, Class<T> type) {
        List<T> chosen = new ArrayList<T>();
        for (Object each : all) if (type.isInstance(each)) chosen.add(type.cast(each));
        return Collections.unmodifiableList(chosen);
    }
}
