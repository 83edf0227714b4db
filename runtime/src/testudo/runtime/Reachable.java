package testudo.runtime;

/** Tells whether some of a set of objects can be reached from a value. Owns the walk; follows what {@link Linearizer} follows and runs no user code. */
final class Reachable {
    private final Shapes shapes;
    private final int largest;
    private final Identity met = new Identity();

    Reachable(Shapes shapes, int largest) {
        this.shapes = shapes;
        this.largest = largest;
    }

    boolean any(Object root, Identity wanted) {
        met.clear();
        boolean found = visit(root, wanted);
        for (int i = 0; i < met.count() && !found && i < largest; i++) {
            Object object = met.at(i);
            Shape shape = shapes.of(object);
            if (shape.kind == Shape.OBJECT) {
                long[] references = shape.referenceOffsets;
                for (int k = 0; k < references.length && !found; k++) found = visit(Memory.reference(object, references[k]), wanted);
            } else if (shape.kind == Shape.REFERENCES) {
                Object[] array = (Object[]) object;
                for (int k = 0; k < array.length && !found; k++) found = visit(array[k], wanted);
            }
        }
        met.clear();
        return found;
    }

    private boolean visit(Object value, Identity wanted) {
        if (value == null) return false;
        Shape shape = shapes.of(value);
        if (shape.kind != Shape.OBJECT && shape.kind < Shape.REFERENCES) return false;
        met.number(value);
        return wanted.find(value) >= 0;
    }
}
