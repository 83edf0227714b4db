package testudo.runtime;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import subjects.Cell;

/** Static state comes back exactly, and what initialisers register elsewhere stays. */
final class StaticsTest {
    enum Mode {
        ON,
        OFF;
        int uses;
    }

    static class Subject {
        static int counter = 5;
        static double real = 1.5;
        static final Map<String, Object> REGISTRY = new HashMap<String, Object>();
        static final int[] TABLE = {1, 2, 3};
        static final Object[] CELLS = {new Cell(), null};
        static LinkedList<Object> list = new LinkedList<Object>();
        static final WeakHashMap<Object, Object> WEAK = new WeakHashMap<Object, Object>();
        static final String NAME = "immutable";
        static final Mode MODE = Mode.ON;
    }

    static class Immutable {
        static final String TEXT = "a".concat("b");
        static final Integer BOX = 1000;
        static final List<Object> EMPTY = null;
        static final Runnable NOTHING = () -> {};
    }

    /** Its statics are zero until somebody writes them. */
    static class Plain {
        static int count;
        static Object last;
    }

    static class Large {
        static final Object[] CELLS = new Object[200_000];
    }

    private StaticsTest() {}

    static void run() throws IOException {
        Check.equal("has an initialiser", outline(Subject.class).hasInitialiser, true);
        Check.equal("has variables", outline(Subject.class).hasVariables, true);
        Check.equal("no initialiser", outline(Plain.class).hasInitialiser, false);
        Check.equal("variables", outline(Plain.class).hasVariables, true);
        Check.equal("no variables", outline(Immutable.class).hasVariables, false);
        Check.equal("nothing of a broken file", new Outline(new byte[] {1, 2, 3}).hasVariables, false);
        immutable();
        restoring();
        plain();
        registering();
        nesting();
        large();
    }

    private static Outline outline(Class<?> type) throws IOException {
        try (InputStream in = type.getResourceAsStream(type.getName().substring(type.getName().lastIndexOf('.') + 1) + ".class")) {
            byte[] bytes = in.readAllBytes();
            return new Outline(bytes);
        }
    }

    private static Statics tracking(Class<?> type) throws IOException {
        Statics statics = new Statics(new Shapes());
        initialise(statics, type, 1);
        return statics;
    }

    private static void initialise(Statics statics, Class<?> type, int index) throws IOException {
        statics.defined(type, index, outline(type));
        statics.initStart(index);
        statics.initEnd(index);
    }

    private static void immutable() throws IOException {
        Check.equal("nothing to check", tracking(Immutable.class).tracksNothing(), true);
    }

    private static void restoring() throws IOException {
        Subject.WEAK.put(new Object(), "held");
        Statics statics = tracking(Subject.class);
        Check.equal("clean", statics.restore(false), false);
        Cell cell = (Cell) Subject.CELLS[0];
        Object list = Subject.list;
        for (int round = 0; round < 3; round++) {
            Subject.counter++;
            Subject.real = Double.NaN;
            Subject.REGISTRY.put("x", 1);
            Subject.TABLE[1] = 9;
            Subject.CELLS[1] = "filled";
            cell.number = 3;
            cell.content = cell;
            cell.fixed.add("more");
            Subject.list.add("y");
            Subject.list = null;
            Subject.WEAK.clear();
            Mode.ON.uses = 4;
            Check.equal("dirty", statics.restore(false), true);
            Check.equal("counter", Subject.counter, 5);
            Check.equal("real", Subject.real, 1.5);
            Check.equal("registry", Subject.REGISTRY.toString(), "{}");
            Check.equal("table", Subject.TABLE[1], 2);
            Check.equal("cells", Subject.CELLS[1], null);
            Check.equal("cell", cell.number, 0);
            Check.equal("content", cell.content, null);
            Check.equal("contents of a final field", cell.fixed.size(), 0);
            Check.equal("the same list", Subject.list == list, true);
            Check.equal("emptied", Subject.list.size(), 0);
            Check.equal("weakly held", Subject.WEAK.size(), 1);
            Check.equal("enum constant", Mode.ON.uses, 0);
            Check.equal("clean again", statics.restore(false), false);
        }
        Subject.REGISTRY.keySet();
        Check.equal("a view is no change", statics.restore(false), false);
    }

    private static void plain() throws IOException {
        Statics statics = new Statics(new Shapes());
        statics.defined(Plain.class, 3, outline(Plain.class));
        // Written by the very sequence that loaded the class.
        Plain.count = 2;
        Plain.last = "x";
        Check.equal("dirty", statics.restore(false), true);
        Check.equal("zero", Plain.count, 0);
        Check.equal("null", Plain.last, null);
        Check.equal("clean", statics.restore(false), false);
    }

    /** An initialiser that fills another class's registry. */
    private static void registering() throws IOException {
        Statics statics = tracking(Subject.class);
        Subject.counter = 6;
        statics.defined(Immutable.class, 2, outline(Immutable.class));
        statics.initStart(2);
        Cell entry = new Cell();
        Subject.REGISTRY.put("registered", entry);
        statics.initEnd(2);
        Check.equal("the sequence's own change", statics.restore(false), true);
        Check.equal("is undone", Subject.counter, 5);
        Check.equal("the registration stays", Subject.REGISTRY.get("registered"), entry);
        entry.number = 8;
        Check.equal("its entry is tracked", statics.restore(false), true);
        Check.equal("and restored", entry.number, 0);
        Subject.REGISTRY.clear();
        statics.restore(false);
        Check.equal("registered for good", Subject.REGISTRY.size(), 1);
        Subject.REGISTRY.clear();
    }

    private static void nesting() throws IOException {
        Statics statics = tracking(Subject.class);
        Check.equal("outer", statics.initStart(5), 1);
        Check.equal("inner, which throws", statics.initStart(6), 2);
        Check.equal("outer ends", statics.initEnd(5), 0);
        Check.equal("end without start", statics.initEnd(9), 0);
    }

    /** Looked at now and then only, unless somebody needs to know. */
    private static void large() throws IOException {
        Check.equal("initialised before it is tracked", Large.CELLS.length, 200_000);
        Statics statics = tracking(Large.class);
        Large.CELLS[0] = "mine";
        Check.equal("not looked at", statics.restore(false), false);
        statics.settle();
        Check.equal("somebody else's change is gone", Large.CELLS[0], null);
        Check.equal("and not blamed on the next", statics.restore(true), false);
        Large.CELLS[1] = "mine";
        Check.equal("looked at", statics.restore(true), true);
    }
}
