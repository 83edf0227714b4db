import java.io.File;
import java.io.PrintWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.ClassNameFilter;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs suites several times in one JVM, each time in another order and with class loaders of its own, and writes what became of each test. Judges nothing.
 * Arguments: the file to write, the number of runs, the class path of the suites, that of the classes under test.
 */
public final class Shuffled {
    private static final String ORDER = "org.junit.jupiter.api.%sOrderer$Random";

    public static void main(String[] args) throws Exception {
        // Tests may write to the console or end what reads from it: the answers have a file of their own.
        try (PrintWriter answers = new PrintWriter(args[0], "UTF-8")) {
            int runs = Integer.parseInt(args[1]);
            for (int run = 1; run <= runs; run++) {
                once(args[2], args[3], run, answers);
                answers.println("end");
                answers.flush();
            }
        }
        // Threads that tests left behind are not waited for.
        Runtime.getRuntime().halt(0);
    }

    private static void once(String suites, String classes, int run, PrintWriter answers) throws Exception {
        List<URL> urls = new ArrayList<>();
        Set<Path> roots = new LinkedHashSet<>();
        for (String path : suites.split(File.pathSeparator)) {
            urls.add(new File(path).toURI().toURL());
            roots.add(new File(path).toPath());
        }
        for (String path : classes.split(File.pathSeparator)) urls.add(new File(path).toURI().toURL());
        try (URLClassLoader loader = new URLClassLoader(urls.toArray(new URL[0]), Shuffled.class.getClassLoader())) {
            loader.setDefaultAssertionStatus(true);
            Thread.currentThread().setContextClassLoader(loader);
            // Java's generator shuffles alike for neighbouring seeds, so they have to lie far apart.
            long seed = run * 0x5851f42d4c957f2dL;
            LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                    .selectors(DiscoverySelectors.selectClasspathRoots(roots))
                    .filters(ClassNameFilter.includeClassNamePatterns(".*"))
                    .configurationParameter("junit.jupiter.testmethod.order.default", String.format(ORDER, "Method"))
                    .configurationParameter("junit.jupiter.testclass.order.default", String.format(ORDER, "Class"))
                    .configurationParameter("junit.jupiter.execution.order.random.seed", Long.toString(seed))
                    .build();
            LauncherFactory.create().execute(request, new TestExecutionListener() {
                @Override
                public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                    boolean passed = result.getStatus() == TestExecutionResult.Status.SUCCESSFUL;
                    // A container counts only if it failed, as a whole class does whose preparation throws.
                    if (test.isTest() || !passed) answers.println((passed ? "passed" : "failed") + "\t" + test.getUniqueId());
                }
            });
        }
    }
}
