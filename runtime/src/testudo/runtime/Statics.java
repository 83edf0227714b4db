package testudo.runtime;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The static state of the classes under test. At the end of each class initialiser it records the class's static fields and everything reachable from them; after each
 * sequence it finds what differs and writes it back. Owns when to record and when to check; {@link Memento} holds the values. Runs no user code.
 */
final class Statics {
    /** A larger graph is checked only now and then. */
    private static final int LARGE = 20_000;
    private static final int SPARSE = 64;

    /** An initialiser under way: what differed from the baseline when it began. */
    private static final class Initialiser {
        final int classIndex;
        final BitSet dirty;

        Initialiser(int classIndex, BitSet dirty) {
            this.classIndex = classIndex;
            this.dirty = dirty;
        }
    }

    private final Memento memento;
    private final ArrayDeque<Initialiser> running = new ArrayDeque<Initialiser>();
    private final List<Class<?>> plain = new ArrayList<Class<?>>();
    private Class<?>[] classes = new Class<?>[64];
    private int sinceCheck;

    Statics(Shapes shapes) {
        memento = new Memento(shapes);
    }

    /** A class was loaded. One without initialiser starts with zeros, so its baseline is known before anybody looks. */
    synchronized void defined(Class<?> type, int index, Outline outline) {
        if (index >= classes.length) classes = java.util.Arrays.copyOf(classes, Math.max(index + 1, classes.length * 2));
        classes[index] = type;
        if (!outline.hasInitialiser && outline.hasVariables) plain.add(type);
    }

    /** Returns how many initialisers are under way now. */
    synchronized int initStart(int classIndex) {
        adoptPlain();
        running.push(new Initialiser(classIndex, memento.differences()));
        return running.size();
    }

    /** Records the class. What its initialiser changed elsewhere, in objects that were clean before, is part of the baseline from now on. */
    synchronized int initEnd(int classIndex) {
        Initialiser ended = null;
        // An initialiser that threw has no end of its own.
        while (!running.isEmpty() && (ended == null || ended.classIndex != classIndex)) ended = running.pop();
        if (ended == null || ended.classIndex != classIndex) return running.size();
        adoptPlain();
        BitSet changed = memento.differences();
        changed.andNot(ended.dirty);
        memento.renew(changed);
        Class<?> type = classIndex < classes.length ? classes[classIndex] : null;
        if (type != null) track(type, false);
        return running.size();
    }

    private void adoptPlain() {
        while (!plain.isEmpty()) track(plain.remove(plain.size() - 1), true);
    }

    private void track(Class<?> type, boolean zeros) {
        Field[] fields;
        try {
            fields = type.getDeclaredFields();
        } catch (LinkageError missingFieldType) {
            return;
        }
        for (Field field : fields) {
            int modifiers = field.getModifiers();
            if (!Modifier.isStatic(modifiers) || field.isSynthetic()) continue;
            if (Modifier.isFinal(modifiers)) {
                if (!field.getType().isPrimitive() && !zeros) {
                    memento.record(Memory.reference(Memory.staticBase(field), Memory.staticOffset(field)));
                }
            } else {
                memento.recordField(field, zeros);
            }
        }
    }

    /** Whether anything would have to be checked at all. */
    boolean tracksNothing() {
        return memento.isEmpty() && plain.isEmpty();
    }

    /** Before a sequence whose changes have to be told from those of the ones before it: what was not looked at then is put back now. */
    void settle() {
        if (sinceCheck > 0) restore(true);
    }

    /** Puts the baseline back after a sequence; says whether anything differed. Unless it is to be {@code thorough}, a large graph is not looked at every time. */
    boolean restore(boolean thorough) {
        if (tracksNothing() && running.isEmpty()) return false;
        return restoreTracked(thorough);
    }

    private synchronized boolean restoreTracked(boolean thorough) {
        running.clear();
        adoptPlain();
        if (!thorough && memento.weight() > LARGE && ++sinceCheck < SPARSE) return false;
        sinceCheck = 0;
        return memento.restore();
    }
}
