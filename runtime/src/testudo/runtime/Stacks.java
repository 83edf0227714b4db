package testudo.runtime;

import java.util.Collections;
import java.util.Iterator;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** Looks at the stack of the current thread, without our own frames on top. Owns the few questions asked of it, each as cheap as it can be; asks nothing by itself. */
final class Stacks {
    private static final String CONSTRUCTOR = "<init>";
    /** Frames fetched at once: ours, and the few that most questions are about. */
    private static final int USUAL_DEPTH = 16;
    private static final StackWalker WALKER = StackWalker.getInstance(Collections.<StackWalker.Option>emptySet(), USUAL_DEPTH);

    private Stacks() {}

    private abstract static class Question<T> implements Function<Stream<StackWalker.StackFrame>, T> {
        @Override
        public T apply(Stream<StackWalker.StackFrame> frames) {
            Iterator<StackWalker.StackFrame> all = frames.iterator();
            StackWalker.StackFrame first = null;
            while (all.hasNext() && (first == null || first.getClassName().startsWith("testudo."))) first = all.next();
            return answer(first, all);
        }

        /** The first frame that is not ours, and those below. */
        abstract T answer(StackWalker.StackFrame first, Iterator<StackWalker.StackFrame> below);
    }

    private static <T> T ask(Question<T> question) {
        return WALKER.walk(question);
    }

    /** The class whose code called us. */
    static String caller() {
        return ask(new Question<String>() {
            @Override
            String answer(StackWalker.StackFrame first, Iterator<StackWalker.StackFrame> below) {
                return first.getClassName();
            }
        });
    }

    /** The class that called the method that called us. */
    static String callersCaller() {
        return ask(new Question<String>() {
            @Override
            String answer(StackWalker.StackFrame first, Iterator<StackWalker.StackFrame> below) {
                return below.hasNext() ? below.next().getClassName() : "";
            }
        });
    }

    /** Whether some constructor of these classes runs. */
    static boolean isConstructing(final Set<String> classes) {
        return ask(new Question<Boolean>() {
            @Override
            Boolean answer(StackWalker.StackFrame first, Iterator<StackWalker.StackFrame> below) {
                for (StackWalker.StackFrame frame = first; ; frame = below.next()) {
                    if (frame.getMethodName().equals(CONSTRUCTOR) && classes.contains(frame.getClassName())) return true;
                    if (!below.hasNext()) return false;
                }
            }
        });
    }

    /** Whether we are called by a constructor that was called by a constructor of that class. */
    static boolean isPartOfConstructing(final String type) {
        return ask(new Question<Boolean>() {
            @Override
            Boolean answer(StackWalker.StackFrame first, Iterator<StackWalker.StackFrame> below) {
                if (!first.getMethodName().equals(CONSTRUCTOR) || !below.hasNext()) return false;
                StackWalker.StackFrame caller = below.next();
                return caller.getMethodName().equals(CONSTRUCTOR) && caller.getClassName().equals(type);
            }
        });
    }
}
