package demo;

import org.junit.Test;
import org.junit.experimental.runners.Enclosed;
import org.junit.experimental.theories.*;
import org.junit.runner.RunWith;

/** Classes of tests inside another. */
@RunWith(Enclosed.class)
public class EnclosedTest {
    public static class Plain {
        @Test
        public void inside() {
            new IntStack().isEmpty();
        }
    }

    @RunWith(Theories.class)
    public static class Any {
        @DataPoints
        public static final int[] NUMBERS = {1, 2};

        @Theory
        public void holds(int number) {
            new IntStack().push(number);
        }
    }
}
