package demo;

import org.junit.jupiter.api.*;

/** Calls that write what can be reached from receiver or arguments, and calls that do not. */
@TestMethodOrder(MethodOrderer.MethodName.class)
class WriteTest {
    @Test
    void writes() {
        Written target = new Written();
        target.field(1);
        target.same();
        target.question();
        target.list("x");
        target.array(new int[1]);
        target.other(new Written());
        target.copied(new Object[2]);
        target.sorted(new int[] {2, 1});
        target.reflected();
        target.atomic();
        target.local();
    }
}
