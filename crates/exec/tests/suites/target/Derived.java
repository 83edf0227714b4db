package demo;

/** A target with an inherited method, and things that go wrong. */
public class Derived extends Base {
    private final java.util.List<Object> parts = new java.util.ArrayList<>();

    public Derived() {}

    public Derived(String text) {
        this(Integer.parseInt(text));
    }

    public Derived(int n) {
        for (int i = 0; i < n; i++) parts.add(i);
    }

    public Derived add(Object part) {
        parts.add(part);
        return this;
    }

    public int size() {
        return parts.size();
    }

    public static void loop() {
        while (true) Thread.onSpinWait();
    }

    public static void exit() {
        System.exit(7);
    }
}
