package testudo.runtime;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Main class of the compiling helper: a javac kept warm. Owns the translation of messages into compilations; runs nothing of what it compiles. */
public final class Compiler {
    private static final int HELLO = 0x01;
    private static final int SHUTDOWN = 0x08;
    private static final int COMPILE = 0x21;
    private static final int PARSE = 0x22;
    private static final int FAILED = 0x8e;
    private static final int COMPILED = 0xa1;
    private static final int PARSED = 0xa2;

    /** A source that exists in memory only. */
    static final class Source extends SimpleJavaFileObject {
        final String file;
        private final String text;

        Source(String file, String text) {
            super(URI.create("string:///" + file.replace(" ", "%20")), JavaFileObject.Kind.SOURCE);
            this.file = file;
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    /** An empty folder beside the one we run in: javac then looks for its plugins there, and not on the class path. */
    static final String NOTHING = new File("../none").getAbsolutePath();

    private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();

    private Compiler() {}

    public static void main(String[] arguments) throws IOException {
        Channel channel = Channel.open();
        Compiler compiler = new Compiler();
        try {
            for (Input in = channel.receive(); in != null && in.kind != SHUTDOWN; in = channel.receive()) {
                if (in.kind == HELLO) channel.send(Welcome.KIND, Welcome.message());
                else if (in.kind == COMPILE) channel.send(COMPILED, compiler.compile(in));
                else if (in.kind == PARSE) channel.send(PARSED, Sources.parse(compiler.compiler, in));
                else throw new Input.Problem("unknown message kind " + Integer.toHexString(in.kind));
            }
        } catch (Input.Problem problem) {
            Output message = new Output(128);
            message.str(problem.getMessage());
            channel.send(FAILED, message);
        }
        Runtime.getRuntime().halt(0);
    }

    private Output compile(Input in) {
        if (compiler == null) throw new Input.Problem("this Java installation has no compiler (a JDK is needed, this is a JRE)");
        List<Source> sources = new ArrayList<Source>();
        int n = in.bounded(in.count());
        for (int i = 0; i < n; i++) {
            String file = in.str();
            sources.add(new Source(file, in.str()));
        }
        String[] classPath = in.strings();
        String folder = in.str();
        int release = in.count();
        List<String> options = new ArrayList<String>(Arrays.asList(
                "-d", folder, "-cp", String.join(File.pathSeparator, classPath), "-proc:none", "-processorpath", NOTHING, "-Xlint:none", "-nowarn", "-g"));
        if (release > 0) options.addAll(Arrays.asList("--release", Integer.toString(release)));
        DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<JavaFileObject>();
        StringWriter chatter = new StringWriter();
        boolean ok = false;
        String crash = null;
        new File(folder).mkdirs();
        // A new file manager each time: javac closes over the class path's jars, which may be rewritten between two compilations.
        try (StandardJavaFileManager files = compiler.getStandardFileManager(diagnostics, null, StandardCharsets.UTF_8)) {
            ok = compiler.getTask(chatter, files, diagnostics, options, null, sources).call();
        } catch (IOException | RuntimeException | StackOverflowError failure) {
            StringWriter trace = new StringWriter();
            failure.printStackTrace(new PrintWriter(trace, true));
            crash = trace.toString();
        }
        if (!ok && crash == null && diagnostics.getDiagnostics().isEmpty()) crash = chatter.toString();
        return answer(ok, diagnostics, crash);
    }

    private static Output answer(boolean ok, DiagnosticCollector<JavaFileObject> diagnostics, String crash) {
        Output list = new Output(256);
        int count = 0;
        for (Diagnostic<? extends JavaFileObject> each : diagnostics.getDiagnostics()) {
            boolean error = each.getKind() == Diagnostic.Kind.ERROR;
            if (!error && each.getKind() == Diagnostic.Kind.NOTE) continue;
            count++;
            list.u8(error ? 0 : 1);
            list.str(each.getSource() instanceof Source ? ((Source) each.getSource()).file : "");
            list.v(Math.max(0, each.getLineNumber()));
            list.str(each.getMessage(null));
        }
        if (crash != null) {
            count++;
            list.u8(0);
            list.str("");
            list.v(0);
            list.str(crash);
        }
        Output answer = new Output(list.length + 16);
        answer.u8(ok ? 1 : 0);
        answer.v(count);
        answer.append(list);
        return answer;
    }
}
