package testudo.runtime;

import java.util.Arrays;

/** From an operation's number to the generated code that runs it. Owns the tables; never calls anything. */
final class Dispatch {
    private final TargetLoader loader;
    Dispatcher[] dispatchers = new Dispatcher[256];
    int[] locals = new int[256];
    private String[] problems = new String[256];

    Dispatch(TargetLoader loader) {
        this.loader = loader;
    }

    /** Takes in new dispatchers; answers which operations are unusable and why. */
    Output read(Input in) {
        int n = in.bounded(in.count());
        String[] names = new String[n];
        int[] firsts = new int[n];
        int[][] operations = new int[n][];
        for (int i = 0; i < n; i++) {
            names[i] = in.str();
            loader.addGenerated(names[i], in.raw());
            firsts[i] = in.count();
            operations[i] = new int[in.bounded(in.count())];
            for (int k = 0; k < operations[i].length; k++) operations[i][k] = in.count();
        }
        int auxiliary = in.count();
        for (int i = 0; i < auxiliary; i++) {
            String name = in.str();
            loader.addGenerated(name, in.raw());
        }
        Output refused = new Output(64);
        int count = 0;
        for (int i = 0; i < n; i++) {
            Dispatcher dispatcher = null;
            String problem = null;
            try {
                dispatcher = (Dispatcher) Class.forName(names[i].replace('/', '.'), true, loader).getConstructor().newInstance();
            } catch (ReflectiveOperationException | LinkageError | ClassCastException e) {
                problem = e.toString();
            }
            for (int k = 0; k < operations[i].length; k++) {
                place(operations[i][k], dispatcher, firsts[i] + k, problem);
                if (problem != null) {
                    refused.v(operations[i][k]);
                    refused.str(problem);
                    count++;
                }
            }
        }
        Output answer = new Output(refused.length + 10);
        answer.v(count);
        answer.append(refused);
        return answer;
    }

    private void place(int operation, Dispatcher dispatcher, int local, String problem) {
        if (operation >= dispatchers.length) {
            int size = Math.max(operation + 1, dispatchers.length * 2);
            dispatchers = Arrays.copyOf(dispatchers, size);
            locals = Arrays.copyOf(locals, size);
            problems = Arrays.copyOf(problems, size);
        }
        dispatchers[operation] = dispatcher;
        locals[operation] = local;
        problems[operation] = problem;
    }

    /** Why there is no dispatcher for an operation. */
    Unlinkable missing(int operation) {
        String problem = operation < problems.length ? problems[operation] : null;
        return new Unlinkable(problem != null ? problem : "operation " + operation + " has no dispatcher");
    }
}
