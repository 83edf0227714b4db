package testudo.runtime;

import java.util.ArrayDeque;
import java.util.TreeMap;

/**
 * Measures whether it is faster to reach a state by copying an object and making one more call, or by making all calls anew. A program of its own: run its main class beside
 * the tests of the runtime. Prints nanoseconds per state; checks nothing.
 */
public final class CopyBench {
    private static final int ROUNDS = 200_000;

    private CopyBench() {}

    private interface Subject {
        Object make();

        void call(Object on, int value);
    }

    public static void main(String[] arguments) {
        Subject tree = new Subject() {
            @Override
            public Object make() {
                return new TreeMap<Object, Object>();
            }

            @Override
            @SuppressWarnings("unchecked")
            public void call(Object on, int value) {
                ((TreeMap<Object, Object>) on).put(value, value);
            }
        };
        Subject queue = new Subject() {
            @Override
            public Object make() {
                return new ArrayDeque<Object>();
            }

            @Override
            @SuppressWarnings("unchecked")
            public void call(Object on, int value) {
                ((ArrayDeque<Object>) on).push(value);
            }
        };
        for (int length : new int[] {3, 5, 8, 20, 100}) {
            report("TreeMap", tree, length);
            report("ArrayDeque", queue, length);
        }
    }

    private static void report(String name, Subject subject, int length) {
        Copier copier = new Copier(new Shapes(), 10_000);
        Object prefix = replay(subject, length - 1);
        int rounds = ROUNDS / length;
        long copying = Long.MAX_VALUE;
        long replaying = Long.MAX_VALUE;
        // The best of many short rounds: the machine may be busy.
        for (int round = 0; round < 60; round++) {
            long start = System.nanoTime();
            for (int i = 0; i < rounds / 10; i++) subject.call(copier.copy(prefix), length);
            long middle = System.nanoTime();
            for (int i = 0; i < rounds / 10; i++) replay(subject, length);
            long end = System.nanoTime();
            copying = Math.min(copying, (middle - start) / (rounds / 10));
            replaying = Math.min(replaying, (end - middle) / (rounds / 10));
        }
        System.out.println(name + " after " + length + " calls: copy and one call " + copying + " ns, all calls anew " + replaying + " ns");
    }

    private static Object replay(Subject subject, int length) {
        Object made = subject.make();
        for (int i = 1; i <= length; i++) subject.call(made, i * 7 % (length + 1));
        return made;
    }
}
