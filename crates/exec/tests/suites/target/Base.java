package demo;

/** What targets inherit. */
public class Base {
    private int count;

    public int inherited() {
        return ++count;
    }
}
