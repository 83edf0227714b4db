// Written by Testudo.
package directed;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class GateTest {
    @Test
    void linearReturnsFalse() {
        assertFalse(Gate.linear(0));
    }

    @Test
    void equalReturnsFalse() {
        assertFalse(Gate.equal(0L, 0L));
    }

    @Test
    void raiseOnNullThrowsNullPointerException() {
        assertThrows(NullPointerException.class, () -> ((Gate) null).raise(0));
    }

    @Test
    void isHighReturnsTrue() {
        Gate gate = new Gate();
        gate.raise(123456);
        gate.mark(0, 0);
        assertTrue(gate.isHigh());
    }

    @Test
    void markOnNullThrowsNullPointerException() {
        assertThrows(NullPointerException.class, () -> ((Gate) null).mark(0, 0));
    }

    @Test
    void markOnNewGate() {
        Gate gate = new Gate();
        gate.mark(255, 8675309);
        assertFalse(gate.isHigh());
    }

    @Test
    void isMarkedReturnsFalse() {
        assertFalse(new Gate().isMarked());
    }

    @Test
    void parsedWithEmptyStringThrowsNumberFormatException() {
        assertThrows(NumberFormatException.class, () -> Gate.parsed(""));
    }

    @Test
    void parsedWithNullThrowsNullPointerException() {
        assertThrows(NullPointerException.class, () -> Gate.parsed(null));
    }

    @Test
    void parsedReturnsFalse() {
        assertFalse(Gate.parsed("0"));
    }

    @Test
    void armOnNewGate() {
        Gate gate = new Gate();
        gate.arm(0);
        assertFalse(gate.isHigh());
    }

    @Test
    void armOnNullThrowsNullPointerException() {
        Gate gate = new Gate();
        gate.see(0);
        gate.isCrowded();
        assertThrows(NullPointerException.class, () -> ((Gate) null).arm(0));
    }

    @Test
    void fireOnNullThrowsNullPointerException() {
        assertThrows(NullPointerException.class, () -> ((Gate) null).fire());
    }

    @Test
    void fireReturnsFalse() {
        assertFalse(new Gate().fire());
    }

    @Test
    void seeOnNullThrowsNullPointerException() {
        Gate.same(null, null);
        assertThrows(NullPointerException.class, () -> ((Gate) null).see(0));
    }

    @Test
    void isCrowdedOnNullThrowsNullPointerException() {
        Gate.same(new Gate(), null);
        assertThrows(NullPointerException.class, () -> ((Gate) null).isCrowded());
    }

    @Test
    void isCrowdedReturnsFalse() {
        assertFalse(new Gate().isCrowded());
    }

    @Test
    void sameWithNullReturnsFalse() {
        assertFalse(Gate.same(null, null));
    }

    @Test
    void sameReturnsTrue() {
        Gate gate = new Gate();
        assertTrue(Gate.same(gate, gate));
    }
}
