package subjects;

import java.util.Iterator;

/** Breaks every contract, depending on a number: for comparing who notices. Never used as an example of anything else. */
public class Broken implements Comparable<Broken>, Cloneable, Iterable<Integer>, Iterator<Integer> {
    private final int how;
    private int asked;

    public Broken(int how) {
        this.how = Math.abs(how % 8);
    }

    @Override
    public boolean equals(Object other) {
        if (how == 1) return false;
        if (how == 2) return true;
        if (how == 3) throw new IllegalStateException("equals");
        return other instanceof Broken && (((Broken) other).how == how || how == 4);
    }

    @Override
    public int hashCode() {
        if (how == 5) throw new IllegalStateException("hashCode");
        return how == 6 ? System.identityHashCode(this) | 1 : how;
    }

    @Override
    public String toString() {
        if (how == 6) throw new IllegalStateException("toString");
        return how == 7 ? null : "" + how;
    }

    @Override
    public int compareTo(Broken other) {
        return how == 0 ? 1 : how - other.how;
    }

    @Override
    public Broken clone() {
        return how == 3 ? null : this;
    }

    @Override
    public Iterator<Integer> iterator() {
        return how == 4 ? this : null;
    }

    @Override
    public boolean hasNext() {
        return true;
    }

    @Override
    public Integer next() {
        return how;
    }

    /** Throws what remembers in this object how often it was asked why. */
    public void blame() {
        throw new IllegalStateException() {
            @Override
            public String getMessage() {
                return "asked " + ++asked;
            }
        };
    }
}
