package demo;

import java.util.Arrays;
import java.util.Collection;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

/** One method, several parameters. */
@RunWith(Parameterized.class)
public class ParametersTest {
    @Parameterized.Parameters
    public static Collection<Object[]> values() {
        return Arrays.asList(new Object[][] {{1}, {2}});
    }

    private final int value;

    public ParametersTest(int value) {
        this.value = value;
    }

    @Test
    public void pushes() {
        new IntStack().push(value);
    }
}
