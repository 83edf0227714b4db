package testudo.runtime;

/** The shapes of all classes met since the target was opened. Owns the identity table from class to shape; forgets nothing until a new target replaces it. */
final class Shapes {
    private Shape[] table = new Shape[256];
    private int count;
    private Shape last;
    private final boolean thorough;

    Shapes() {
        this(false);
    }

    /** Thorough: see {@link Shape}. */
    Shapes(boolean thorough) {
        this.thorough = thorough;
    }

    Shape of(Object value) {
        return of(value.getClass());
    }

    Shape of(Class<?> type) {
        Shape recent = last;
        if (recent != null && recent.type == type) return recent;
        int mask = table.length - 1;
        int at = System.identityHashCode(type) & mask;
        for (Shape shape = table[at]; shape != null; shape = table[at = at + 1 & mask]) {
            if (shape.type == type) return last = shape;
        }
        return last = add(type);
    }

    private Shape add(Class<?> type) {
        Shape shape = new Shape(type, thorough);
        // Looking at fields may load classes, whose initialisers may come back here: place the shape only now.
        if (++count * 2 > table.length) {
            Shape[] old = table;
            table = new Shape[old.length * 2];
            for (Shape each : old) if (each != null) place(each);
        }
        place(shape);
        return shape;
    }

    private void place(Shape shape) {
        int mask = table.length - 1;
        int at = System.identityHashCode(shape.type) & mask;
        while (table[at] != null) at = at + 1 & mask;
        table[at] = shape;
    }
}
