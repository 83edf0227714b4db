package subjects;

/** A link of a graph, for tests. Outside the runtime's package, whose own objects are opaque. */
public class Node {
    public Object a;
    public Node next;
    public int number;
    public double real;
    public transient long hidden;
}
