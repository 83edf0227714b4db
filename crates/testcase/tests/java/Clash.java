package clash;

/** Classes with the names of others. */
public class Clash {
    public static class Test { public String name() { return new String(); } }
    public int value() { return 1; }
    public String own() { return new String(); }
    public java.lang.String text() { return "t"; }
    public List list() { return new List(); }
    public java.util.List<java.lang.String> strings() { return new java.util.ArrayList<>(); }
}

class String { }

class Test { int x() { return 2; } }

class List { int size() { return 9; } }

class Assertions { static boolean ok(Clash c) { return c.value() == 2; } }
