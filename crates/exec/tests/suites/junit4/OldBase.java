package demo;

import org.junit.Test;

/** Tests that others inherit. */
public abstract class OldBase {
    @Test
    public void z_inherited() {
        new IntStack().isEmpty();
    }
}
