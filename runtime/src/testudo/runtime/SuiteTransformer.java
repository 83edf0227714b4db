package testudo.runtime;

import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Asks the brain for the code of classes as they are loaded. Owns which classes are asked about and the tables that come with their code; changes no byte itself.
 * Whatever goes wrong leaves the class as it is.
 */
final class SuiteTransformer implements ClassFileTransformer {
    private static final int NEED_CODE = 0xc0;
    private static final int CODE = 0x42;
    private static final int CHUNK = 200;

    private final Channel channel;
    private final FieldTable fields;
    /** Internal names. */
    private final Set<String> wanted;
    /** Everything is asked about, for writes and reads happen anywhere. */
    private final boolean everything;
    private final SuiteListener listener;

    SuiteTransformer(Channel channel, FieldTable fields, String[] wanted, boolean everything, SuiteListener listener) {
        this.listener = listener;
        this.channel = channel;
        this.fields = fields;
        this.wanted = new HashSet<String>(Arrays.asList(wanted));
        this.everything = everything;
    }

    /** From now on classes are asked about; so are those that are there already. */
    void install(Instrumentation instrumentation) {
        instrumentation.addTransformer(this, true);
        List<Class<?>> loaded = new ArrayList<Class<?>>();
        for (Class<?> type : instrumentation.getAllLoadedClasses()) {
            if (type.isArray() || type.isPrimitive() || type.isHidden() || !isWanted(type.getName().replace('.', '/'))) continue;
            if (instrumentation.isModifiableClass(type)) loaded.add(type);
        }
        for (int from = 0; from < loaded.size(); from += CHUNK) {
            again(instrumentation, loaded.subList(from, Math.min(loaded.size(), from + CHUNK)));
        }
    }

    /** Halves what is refused until the culprit is alone. */
    private void again(Instrumentation instrumentation, List<Class<?>> types) {
        try {
            instrumentation.retransformClasses(types.toArray(new Class<?>[0]));
        } catch (Exception | LinkageError refused) {
            if (types.size() == 1) {
                listener.note("the code of " + types.get(0).getName() + " cannot be watched: " + refused);
                return;
            }
            int half = types.size() / 2;
            again(instrumentation, types.subList(0, half));
            again(instrumentation, types.subList(half, types.size()));
        }
    }

    private boolean isWanted(String name) {
        if (name.startsWith("testudo/")) return false;
        return everything ? isObservable(name) || wanted.contains(name) : wanted.contains(name);
    }

    /** Not what the hooks themselves, class loading and the linking of calls stand on. */
    private static boolean isObservable(String name) {
        if (name.startsWith("java/lang/")) {
            int slash = name.indexOf('/', 10);
            return slash < 0 && (name.startsWith("java/lang/AbstractStringBuilder") || name.startsWith("java/lang/StringBu") || name.startsWith("java/lang/Iterable"));
        }
        return !(name.startsWith("jdk/")
                || name.startsWith("sun/")
                || name.startsWith("java/security/")
                || name.startsWith("org/junit/")
                || name.startsWith("junit/")
                || name.startsWith("org/hamcrest/")
                || name.startsWith("org/apiguardian/")
                || name.startsWith("org/opentest4j/"));
    }

    @Override
    public byte[] transform(Module module, ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
        if (name == null || !isWanted(name)) return null;
        Strand strand = Strand.current();
        boolean wasBusy = strand.busy;
        strand.busy = true;
        try {
            byte[] code = ask(name, bytes);
            if (code != null && module != null && module.isNamed()) Agent.readsHooks(module);
            return code;
        } catch (Throwable leftAlone) {
            // The JVM ignores what is thrown here, so that a stack without room even for this note does no harm.
            listener.note("the code of " + name.replace('/', '.') + " is not watched: " + leftAlone);
            return null;
        } finally {
            strand.busy = wasBusy;
        }
    }

    private byte[] ask(String name, byte[] bytes) throws IOException {
        Output question = new Output(bytes.length + name.length() + 16);
        question.str(name);
        question.raw(bytes);
        Input answer = channel.ask(NEED_CODE, question, CODE);
        if (answer.u8() == 0) return null;
        byte[] code = answer.raw();
        int first = answer.count();
        int members = answer.count();
        byte kind = (byte) answer.u8();
        synchronized (this) {
            Monitor.room(first + members);
            for (int i = 0; i < members; i++) Monitor.kinds[first + i] = kind;
            int firstField = answer.count();
            int n = answer.bounded(answer.count());
            for (int i = 0; i < n; i++) {
                String owner = answer.str();
                fields.add(firstField + i, owner, answer.str());
            }
        }
        return code;
    }
}
