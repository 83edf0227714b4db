package other;

import demo.Shapes;

/** A subclass in another package. Nothing here is ever run. */
public class Outsider extends Shapes.Derived {
    public static Shapes.Square make(Shapes.Builder builder) {
        return builder.side(2).build();
    }

    Shapes.Shape inPackage(int side) {
        return Shapes.Shape.unit();
    }
}
