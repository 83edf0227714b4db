package testudo.runtime;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Paths;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The loader of everything under test. Platform classes come from the platform, the runtime's own from the runtime, all others from the brain. Owns their definition; never
 * reads a class file from disk.
 */
final class TargetLoader extends ClassLoader {
    private static final String OURS = "testudo.runtime.";

    private static final List<String> CALLED = Arrays.asList("Hooks", "Outside", "Marks", "Monitor", "Infection", "Mutants", "Dispatcher", "Args");

    private final ClassRequests requests;
    private final Statics statics;
    private final URLClassLoader resources;
    private final ProtectionDomain domain;
    /** Generated classes by binary name, defined when somebody needs them. */
    private final Map<String, byte[]> generated = new HashMap<String, byte[]>();
    /** Of generated classes alone, by which they are told from the user's. */
    private final ProtectionDomain generatedDomain;

    TargetLoader(ClassRequests requests, Statics statics, String[] classPath) {
        super(ClassLoader.getPlatformClassLoader());
        this.requests = requests;
        this.statics = statics;
        List<URL> urls = new ArrayList<URL>();
        for (String entry : classPath) {
            try {
                urls.add(Paths.get(entry).toUri().toURL());
            } catch (MalformedURLException | RuntimeException unusable) {
                // An entry that is no path has no resources; its classes come from the brain all the same.
                continue;
            }
        }
        Marks.classPath(classPath);
        resources = new URLClassLoader(urls.toArray(new URL[0]), null);
        URL source = urls.isEmpty() ? null : urls.get(0);
        domain = new ProtectionDomain(new CodeSource(source, (Certificate[]) null), null, this, null);
        generatedDomain = new ProtectionDomain(new CodeSource(source, (Certificate[]) null), null, this, null);
    }

    /** Threads left by user code may be loading classes meanwhile. */
    synchronized void addGenerated(String internalName, byte[] bytes) {
        generated.put(internalName.replace('/', '.'), bytes);
    }

    /** Whether a class was made by the brain, as opposed to being the user's. */
    static boolean isGenerated(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        return loader instanceof TargetLoader && type.getProtectionDomain() == ((TargetLoader) loader).generatedDomain;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> found = findLoadedClass(name);
            if (found == null) found = name.startsWith(OURS) ? ours(name) : findElsewhere(name);
            if (resolve) resolveClass(found);
            return found;
        }
    }

    /** What instrumented and generated code calls; the rest is nobody's business. */
    private static Class<?> ours(String name) throws ClassNotFoundException {
        if (!CALLED.contains(name.substring(OURS.length()))) throw new ClassNotFoundException(name);
        return Class.forName(name, false, Worker.class.getClassLoader());
    }

    private Class<?> findElsewhere(String name) throws ClassNotFoundException {
        byte[] ready = generated.remove(name);
        if (ready != null) return defineClass(name, ready, 0, ready.length, generatedDomain);
        if (name.startsWith("java.")) return getParent().loadClass(name);
        try {
            return getParent().loadClass(name);
        } catch (ClassNotFoundException notOfThePlatform) {
            return findClass(name);
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        ClassRequests.Answer answer = requests.ask(name.replace('.', '/'));
        if (answer.status == ClassRequests.Answer.NOT_FOUND) throw new ClassNotFoundException(name);
        if (answer.status != ClassRequests.Answer.BYTES) throw new NoClassDefFoundError(name.replace('.', '/') + " (" + answer.message + ")");
        Class<?> defined = defineClass(name, answer.bytes, 0, answer.bytes.length, domain);
        statics.defined(defined, answer.index, new Outline(answer.bytes));
        return defined;
    }

    @Override
    protected URL findResource(String name) {
        look(name);
        return resources.findResource(name);
    }

    @Override
    protected Enumeration<URL> findResources(String name) throws IOException {
        look(name);
        return resources.findResources(name);
    }

    /** A folder as a resource lists what is in it, which is not the class's own. */
    private static void look(String name) {
        if (name.isEmpty() || name.endsWith("/")) Reach.mark(Reach.LOOKS);
    }

    void close() {
        try {
            resources.close();
        } catch (IOException e) {
            // Nothing was written through it; an open jar costs no more than its descriptor.
            return;
        }
    }
}
