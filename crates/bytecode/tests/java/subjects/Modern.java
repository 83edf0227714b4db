import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** Code with Java 8 shapes: lambdas, default and static interface methods, enums, inner classes, try with resources. */
public class Modern {
    interface Shape {
        double area();

        default String describe() {
            return area() > 10 ? "large" : area() == 0 ? "none" : "small";
        }

        static Shape square(double side) {
            return () -> side < 0 ? 0 : side * side;
        }
    }

    enum Color {
        RED {
            @Override
            int weight(int x) {
                return x > 1 ? 1 : 2;
            }
        },
        GREEN,
        BLUE;

        int weight(int x) {
            return ordinal() * x;
        }
    }

    class Inner implements AutoCloseable {
        final List<String> log;

        Inner(List<String> log) {
            this.log = log;
            log.add("open");
        }

        void fail(boolean really) {
            if (really) {
                throw new IllegalArgumentException("fail");
            }
            log.add("fine");
        }

        @Override
        public void close() {
            log.add("close");
        }
    }

    static String color(Color c) {
        switch (c) {
            case RED:
                return "r";
            case BLUE:
                return "b";
            default:
                return "?";
        }
    }

    List<String> resources(boolean fail) {
        List<String> log = new ArrayList<>();
        try (Inner a = new Inner(log);
                Inner b = new Inner(log)) {
            a.fail(false);
            b.fail(fail);
        } catch (IllegalArgumentException | IllegalStateException e) {
            log.add(e.getMessage());
        }
        return log;
    }

    static <T, R> List<R> map(List<T> in, Function<? super T, ? extends R> f) {
        List<R> out = new ArrayList<>();
        for (T t : in) {
            out.add(f.apply(t));
        }
        return out;
    }

    public static void main(String[] args) {
        System.out.println(map(Arrays.asList(-1.0, 0.0, 2.0, 5.0), x -> Shape.square(x).describe()));
        for (Color c : Color.values()) {
            System.out.println(color(c) + c.weight(2) + Color.valueOf(c.name()).compareTo(Color.GREEN));
        }
        System.out.println(new Modern().resources(false));
        System.out.println(new Modern().resources(true));
        Supplier<List<Integer>> fresh = ArrayList::new;
        List<Integer> list = fresh.get();
        list.addAll(Arrays.asList(3, 1, 2));
        list.sort((a, b) -> a.equals(b) ? 0 : a < b ? -1 : 1);
        System.out.println(list);
    }
}
