package subjects;

import java.util.ArrayList;
import java.util.List;

/** Something mutable for a static field to hold. */
public class Cell {
    public int number;
    public Object content;
    public final List<String> fixed = new ArrayList<String>();
}
