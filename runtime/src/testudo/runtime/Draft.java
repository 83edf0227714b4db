package testudo.runtime;

import java.util.Arrays;

/**
 * Output written before its place in the stream is known. Class references are numbered in stream order, so a draft only remembers where they belong; they are
 * written when the draft is copied out. Owns those places; knows no numbers.
 */
final class Draft {
    final Output output = new Output(256);
    private Shape[] classes = new Shape[16];
    private int[] places = new int[16];
    private int count;

    void classHere(Shape shape) {
        if (count == classes.length) {
            classes = Arrays.copyOf(classes, count * 2);
            places = Arrays.copyOf(places, count * 2);
        }
        classes[count] = shape;
        places[count++] = output.length;
    }

    void copyTo(Output target, Reporter reporter) {
        int from = 0;
        for (int i = 0; i < count; i++) {
            target.append(output, from, places[i]);
            from = places[i];
            reporter.reference(target, classes[i]);
        }
        target.append(output, from, output.length);
        clear();
    }

    void clear() {
        Arrays.fill(classes, 0, count, null);
        count = 0;
        output.clear();
    }
}
