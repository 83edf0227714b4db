import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Methods whose ways depend on which object they are given. Never has a way that depends on chance. */
public class Chosen {
    interface Sized {
        int area();
    }

    static class Shape implements Sized {
        int size;
        Shape other;

        public int area() {
            return size;
        }
    }

    static final class Square extends Shape {
        @Override
        public int area() {
            return size * size;
        }
    }

    enum Colour {
        RED,
        GREEN,
        BLUE
    }

    static Shape shape(int size) {
        Shape shape = new Shape();
        shape.size = size;
        return shape;
    }

    static Square square(int size) {
        Square square = new Square();
        square.size = size;
        return square;
    }

    static int isNull(Object a, Object b) {
        return a == null ? 1 : 0;
    }

    static int same(Object a, Object b) {
        return a == b ? 1 : 0;
    }

    static int kind(Object a, Object b) {
        return a instanceof Square ? 2 : a instanceof Shape ? 1 : 0;
    }

    static int cast(Object a, Object b) {
        return ((Square) a).size == 12345 ? 1 : 0;
    }

    static int dispatch(Shape a, Shape b) {
        return a.area() == 49 ? 1 : 0;
    }

    static int byInterface(Shape a, Shape b) {
        Sized sized = a;
        return sized.area() == 49 ? 1 : 0;
    }

    static int stored(Object a, Object b) {
        Object[] shapes = new Square[2];
        shapes[1] = a;
        return shapes[1] == null ? 1 : shapes[1] == b ? 2 : 3;
    }

    static int linked(Shape a, Shape b) {
        a.other = b;
        return a.other == a ? 1 : a.other == null ? 2 : 0;
    }

    static int listed(Object a, Object b) {
        List<Object> list = new ArrayList<>();
        list.add(a);
        return list.contains(b) ? 1 : list.get(0) == null ? 2 : 0;
    }

    static int mapped(Object a, Object b) {
        Map<Object, Integer> map = new HashMap<>();
        map.put(a, 1);
        return map.getOrDefault(b, 0);
    }

    static int required(Object a, Object b) {
        return Objects.requireNonNull(a) == b ? 1 : 0;
    }

    static int colour(Colour a) {
        switch (a) {
            case RED:
                return 1;
            case BLUE:
                return 2;
            default:
                return a.name().length();
        }
    }

    static int length(int[] a) {
        if (a.length == 5) {
            return a[4] == 77 ? 2 : 1;
        }
        return 0;
    }

    static int copied(int[] a) {
        int[] b = a.clone();
        return b.length > 2 && b[2] < b[1] ? 1 : 0;
    }

    static int texts(String[] a) {
        for (String text : a) {
            if (text.equals("yes")) {
                return 1;
            }
        }
        return a.length > 3 ? 2 : 0;
    }
}
