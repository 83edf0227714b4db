// Written by Testudo.
package kitchen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class QuantityTest {
    @Test
    void parseThrowsIllegalArgumentException() {
        IllegalArgumentException thrown =
                assertThrows(IllegalArgumentException.class, () -> Quantity.parse("-1133666238 g"));
        assertEquals("a quantity is never negative: -1133666238", thrown.getMessage());
    }

    @Test
    void parseWithEmptyStringThrowsIllegalArgumentException() {
        IllegalArgumentException thrown = assertThrows(IllegalArgumentException.class, () -> Quantity.parse(""));
        assertEquals("no unit in \"\"", thrown.getMessage());
    }

    @Test
    void parseWithNullThrowsNullPointerException() {
        assertThrows(NullPointerException.class, () -> Quantity.parse(null));
    }

    @Test
    void parseThrowsNumberFormatException() {
        assertThrows(NumberFormatException.class, () -> Quantity.parse(" g"));
    }

    @Test
    void newQuantityWithNullThrowsIllegalArgumentException() {
        IllegalArgumentException thrown = assertThrows(IllegalArgumentException.class, () -> new Quantity(0, null));
        assertEquals("a quantity needs a unit", thrown.getMessage());
    }

    @Test
    void equalsReturnsTrue() {
        Quantity quantity = Quantity.parse("0 g");
        assertTrue(quantity.equals(quantity));
    }

    @Test
    void equalsReturnsFalse() {
        Quantity quantity = Quantity.parse("3 g");
        Quantity quantity2 = quantity.sharedBy(2);
        assertFalse(quantity2.equals(quantity));
    }

    @Test
    void equalsWithNullReturnsFalse() {
        assertFalse(Quantity.parse("1 kg").equals(null));
    }

    @Test
    void describeReturnsNone() {
        assertEquals("none", new Quantity(0, Unit.KILOGRAM).describe());
    }

    @Test
    void describe() {
        Quantity quantity = new Quantity(14500, Unit.GRAM);
        Quantity quantity2 = new Quantity(42, Unit.KILOGRAM);
        int result = quantity2.compareTo(quantity);
        Quantity quantity3 = quantity2.sharedBy(4);
        Quantity quantity4 = quantity.plus(quantity3);
        assertEquals(1, result);
        assertEquals("enough for a wedding", quantity4.describe());
    }

    @Test
    void describeOnNewQuantity() {
        assertEquals("a pinch", new Quantity(2, Unit.GRAM).describe());
    }

    @Test
    void plusWithNullThrowsNullPointerException() {
        Quantity quantity = Quantity.parse("1 kg");
        assertThrows(NullPointerException.class, () -> quantity.plus(null));
    }

    @Test
    void plusThrowsArithmeticException() {
        Quantity quantity = Quantity.parse("4 g");
        Quantity quantity2 = new Quantity(2500002, Unit.KILOGRAM);
        assertThrows(ArithmeticException.class, () -> quantity.plus(quantity2));
    }

    @Test
    void plus() {
        Quantity quantity = Quantity.parse("1 kg");
        Quantity quantity2 = quantity.sharedBy(1);
        Quantity quantity3 = quantity2.plus(quantity);
        assertFalse(quantity3.isNothing());
    }

    @Test
    void sharedByWithZeroThrowsIllegalArgumentException() {
        Quantity quantity = Quantity.parse("1 kg");
        IllegalArgumentException thrown = assertThrows(IllegalArgumentException.class, () -> quantity.sharedBy(0));
        assertEquals("nobody to share with: 0", thrown.getMessage());
    }

    @Test
    void sharedByOnNewQuantityThrowsArithmeticException() {
        Quantity quantity = new Quantity(2500002, Unit.KILOGRAM);
        assertThrows(ArithmeticException.class, () -> quantity.sharedBy(1));
    }

    @Test
    void sharedByOnNewQuantity() {
        Quantity quantity = new Quantity(3, Unit.GRAM);
        Quantity quantity2 = quantity.sharedBy(3);
        assertEquals(1L, quantity2.inGrams());
        assertEquals("3 g", quantity.describe());
    }

    @Test
    void compareToWithNullThrowsNullPointerException() {
        Quantity quantity = Quantity.parse("0 g");
        assertThrows(NullPointerException.class, () -> quantity.compareTo(null));
    }

    @Test
    void hashCodeReturns3761() {
        assertEquals(3761, Quantity.parse("11 kg").hashCode());
    }

    @Test
    void toStringRuns() {
        assertEquals("1 kg", Quantity.parse("1 kg").toString());
    }
}
