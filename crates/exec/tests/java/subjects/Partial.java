package subjects;

import java.util.ArrayList;
import java.util.List;

/** Compares some of what it has. */
public class Partial {
    private final List<Integer> compared = new ArrayList<>(4);
    private int ignored;

    public void add(int value) {
        compared.add(value);
    }

    public void ignore(int value) {
        ignored = value;
    }

    @Override
    public boolean equals(Object other) {
        return other == this || other instanceof Partial && ((Partial) other).compared.equals(compared);
    }

    @Override
    public int hashCode() {
        return compared.hashCode();
    }
}
