import java.io.PrintStream;
import testudo.runtime.Hooks;
import testudo.runtime.Monitor;

/**
 * Runs a program's main and then prints what the hooks saw: probes hit, number of steps, operands; then what the monitor was told, in order. Owns the format of that report.
 *
 * <p>Usage: Harness REPORT CLASS ARGUMENT...
 */
public class Harness {
    public static void main(String[] args) throws Throwable {
        String[] rest = java.util.Arrays.copyOfRange(args, 2, args.length);
        Class.forName(args[1]).getMethod("main", String[].class).invoke(null, (Object) rest);
        try (PrintStream report = new PrintStream(args[0], "UTF-8")) {
            for (int i = 0; i < Hooks.HIT.length; i++) {
                if (Hooks.HIT[i] != 0) {
                    report.println("hit " + i);
                }
            }
            report.println("steps " + Hooks.steps);
            for (String line : Hooks.SEEN) {
                report.println("saw " + line);
            }
            for (String line : Monitor.EVENTS) {
                report.println("event " + line);
            }
        }
    }
}
