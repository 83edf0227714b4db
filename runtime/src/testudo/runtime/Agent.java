package testudo.runtime;

import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Replaces the code of JDK classes, so that they can be under test. Owns the instrumentation the JVM gave us; needs the hooks to be loaded by the boot loader, where JDK
 * classes can see them.
 */
public final class Agent {
    private static Instrumentation instrumentation;
    private static final Set<Class<?>> REDEFINED = new HashSet<Class<?>>();

    private Agent() {}

    public static void premain(String arguments, Instrumentation given) {
        instrumentation = given;
    }

    /** What the JVM gave us; a problem if it gave nothing. */
    static Instrumentation instrumentation() {
        if (instrumentation == null) throw new Input.Problem("this JVM was started without its agent");
        if (Hooks.class.getClassLoader() != null) throw new Input.Problem("the hooks are not on the boot class path");
        return instrumentation;
    }

    /** Redefines the classes of the message one by one; answers which were refused and why. */
    static Output redefine(Input in) {
        instrumentation();
        Output refused = new Output(64);
        int problems = 0;
        int n = in.bounded(in.count());
        for (int i = 0; i < n; i++) {
            String name = in.str();
            byte[] bytes = in.raw();
            try {
                Class<?> type = Class.forName(name.replace('/', '.'), false, null);
                readsHooks(type.getModule());
                instrumentation.redefineClasses(new ClassDefinition(type, bytes));
                REDEFINED.add(type);
                Grade.platform = true;
            } catch (Exception | LinkageError e) {
                problems++;
                refused.str(name);
                refused.str(e.toString());
            }
        }
        Output answer = new Output(refused.length + 10);
        answer.v(problems);
        answer.append(refused);
        return answer;
    }

    /** Whether a class of the JDK is under test. */
    static boolean isUnderTest(Class<?> type) {
        return !REDEFINED.isEmpty() && REDEFINED.contains(type);
    }

    /** Lets classes of a module call the hooks. */
    static void readsHooks(Module module) {
        Module ours = Hooks.class.getModule();
        if (module.canRead(ours)) return;
        Set<Module> reads = Collections.singleton(ours);
        Map<String, Set<Module>> none = new HashMap<String, Set<Module>>();
        instrumentation.redefineModule(module, reads, none, none, Collections.<Class<?>>emptySet(), new HashMap<Class<?>, java.util.List<Class<?>>>());
    }
}
