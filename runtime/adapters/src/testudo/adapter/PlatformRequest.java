package testudo.adapter;

import java.io.InputStream;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.platform.engine.ConfigurationParameters;
import org.junit.platform.engine.DiscoveryFilter;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.EngineDiscoveryRequest;
import org.junit.platform.engine.EngineExecutionListener;
import org.junit.platform.engine.ExecutionRequest;
import org.junit.platform.engine.OutputDirectoryCreator;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.reporting.OutputDirectoryProvider;

/**
 * What an engine of the JUnit Platform is asked to find and to execute. Owns the settings (the user's own {@code junit-platform.properties}, never in parallel) and what
 * differs between versions of the Platform: everything newer than version 1.0 is looked for by reflection.
 */
final class PlatformRequest implements EngineDiscoveryRequest, ConfigurationParameters {
    private static final String FOLDERS = "org.junit.platform.engine.reporting.OutputDirectoryProvider";
    private static final String NEWER_FOLDERS = "org.junit.platform.engine.OutputDirectoryCreator";
    private static final String STORE = "org.junit.platform.engine.support.store.NamespacedHierarchicalStore";
    private static final String TOKEN = "org.junit.platform.engine.CancellationToken";

    private final ClassLoader loader;
    private final Map<String, String> settings = new LinkedHashMap<String, String>();
    private final List<DiscoverySelector> selectors;

    PlatformRequest(ClassLoader loader, Long shuffle) throws Exception {
        this.loader = loader;
        selectors = Collections.emptyList();
        InputStream own = loader.getResourceAsStream("junit-platform.properties");
        if (own != null) {
            java.util.Properties properties = new java.util.Properties();
            try {
                properties.load(own);
            } finally {
                own.close();
            }
            for (String name : properties.stringPropertyNames()) settings.put(name, properties.getProperty(name));
        }
        settings.put("junit.jupiter.execution.parallel.enabled", "false");
        settings.put("junit.vintage.execution.parallel.enabled", "false");
        if (shuffle != null) {
            settings.put("junit.jupiter.testmethod.order.default", "org.junit.jupiter.api.MethodOrderer$Random");
            settings.put("junit.jupiter.execution.order.random.seed", shuffle.toString());
        }
    }

    private PlatformRequest(PlatformRequest like, List<DiscoverySelector> selectors) {
        loader = like.loader;
        settings.putAll(like.settings);
        this.selectors = selectors;
    }

    PlatformRequest with(List<DiscoverySelector> chosen) {
        return new PlatformRequest(this, chosen);
    }

    @Override
    public <T extends DiscoverySelector> List<T> getSelectorsByType(Class<T> type) {
        return PlatformDriver.ofType(selectors, type);
    }

    @Override
    public <T extends DiscoveryFilter<?>> List<T> getFiltersByType(Class<T> type) {
        return Collections.emptyList();
    }

    @Override
    public ConfigurationParameters getConfigurationParameters() {
        return this;
    }

    /** Asked for since 1.12. */
    public OutputDirectoryProvider getOutputDirectoryProvider() throws ReflectiveOperationException {
        return (OutputDirectoryProvider) folders(FOLDERS);
    }

    /** Asked for since 1.14. */
    public OutputDirectoryCreator getOutputDirectoryCreator() throws ReflectiveOperationException {
        return (OutputDirectoryCreator) folders(NEWER_FOLDERS);
    }

    @Override
    public Optional<String> get(String key) {
        String value = settings.get(key);
        return Optional.ofNullable(value != null ? value : System.getProperty(key));
    }

    @Override
    public Optional<Boolean> getBoolean(String key) {
        Optional<String> value = get(key);
        return value.isPresent() ? Optional.of(Boolean.valueOf(value.get())) : Optional.<Boolean>empty();
    }

    /** Asked for before 6.0. */
    public int size() {
        return settings.size();
    }

    @Override
    public Set<String> keySet() {
        return Collections.unmodifiableSet(settings.keySet());
    }

    /** The request to execute, by the way with most arguments that this version has. */
    ExecutionRequest execution(TestDescriptor root, EngineExecutionListener listener) throws ReflectiveOperationException {
        Method best = null;
        for (Method method : ExecutionRequest.class.getMethods()) {
            if (!method.getName().equals("create") || !Modifier.isStatic(method.getModifiers())) continue;
            if (best == null || method.getParameterCount() > best.getParameterCount()) best = method;
        }
        Class<?>[] types = best != null
                ? best.getParameterTypes()
                : new Class<?>[] {TestDescriptor.class, EngineExecutionListener.class, ConfigurationParameters.class};
        List<Object> arguments = new ArrayList<Object>();
        for (Class<?> type : types) arguments.add(argument(type, root, listener));
        Object request = best != null ? best.invoke(null, arguments.toArray()) : ExecutionRequest.class.getConstructor(types).newInstance(arguments.toArray());
        return (ExecutionRequest) request;
    }

    private Object argument(Class<?> type, TestDescriptor root, EngineExecutionListener listener) throws ReflectiveOperationException {
        if (type == TestDescriptor.class) return root;
        if (type == EngineExecutionListener.class) return listener;
        if (type == ConfigurationParameters.class) return this;
        String name = type.getName();
        if (name.equals(FOLDERS) || name.equals(NEWER_FOLDERS)) return folders(name);
        if (name.equals(STORE)) {
            Object session = type.getConstructor(type).newInstance((Object) null);
            return type.getMethod("newChild").invoke(session);
        }
        if (name.equals(TOKEN)) return type.getMethod("disabled").invoke(null);
        throw new NoSuchMethodException("this version of the JUnit Platform wants a " + name);
    }

    /** Somewhere for files that tests publish. */
    private Object folders(String name) throws ReflectiveOperationException {
        Class<?> type = Class.forName(name, false, loader);
        return Proxy.newProxyInstance(loader, new Class<?>[] {type}, new InvocationHandler() {
            @Override
            public Object invoke(Object self, Method method, Object[] arguments) throws Throwable {
                if (method.getReturnType() == Path.class) return Files.createTempDirectory("published");
                if (method.getName().equals("hashCode")) return System.identityHashCode(self);
                if (method.getName().equals("equals")) return self == arguments[0];
                return method.getReturnType() == String.class ? "folders for published files" : null;
            }
        });
    }
}
