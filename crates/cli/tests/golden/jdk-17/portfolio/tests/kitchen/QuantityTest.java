// Written by Testudo.
package kitchen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class QuantityTest {
    @Test
    void newQuantityWithNullThrowsIllegalArgumentException() {
        IllegalArgumentException thrown = assertThrows(IllegalArgumentException.class, () -> new Quantity(0, null));
        assertEquals("a quantity needs a unit", thrown.getMessage());
    }

    @Test
    void newQuantityWithNullThrowsIllegalArgumentException2() {
        IllegalArgumentException thrown = assertThrows(IllegalArgumentException.class, () -> new Quantity(-1, null));
        assertEquals("a quantity is never negative: -1", thrown.getMessage());
    }

    @Test
    void describeReturnsNone() {
        assertEquals("none", Quantity.parse("0 kg").describe());
    }

    @Test
    void describe() {
        assertEquals("7 g", Quantity.parse("7 g").describe());
    }

    @Test
    void describeOnNewQuantity() {
        assertEquals("a pinch", new Quantity(2, Unit.GRAM).describe());
    }

    @Test
    void describeOnNewQuantity2() {
        assertEquals("enough for a wedding", new Quantity(25000, Unit.GRAM).describe());
    }

    @Test
    void equalsReturnsTrue() {
        Quantity quantity = new Quantity(0, Unit.KILOGRAM);
        assertTrue(quantity.equals(quantity));
    }

    @Test
    void equalsWithZeroReturnsFalse() {
        assertFalse(Quantity.parse("1 g").equals(0));
    }

    @Test
    void equalsReturnsFalse() {
        assertFalse(new Quantity(0, Unit.GRAM).equals(new Quantity(1, Unit.GRAM)));
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
        assertThrows(NumberFormatException.class, () -> Quantity.parse(" kg"));
    }

    @Test
    void plusWithNullThrowsNullPointerException() {
        Quantity quantity = Quantity.parse("7 g");
        assertThrows(NullPointerException.class, () -> quantity.plus(null));
    }

    @Test
    void plusThrowsArithmeticException() {
        Quantity quantity = Quantity.parse("7 g");
        Quantity quantity2 = new Quantity(Integer.MAX_VALUE, Unit.GRAM);
        assertThrows(ArithmeticException.class, () -> quantity.plus(quantity2));
    }

    @Test
    void plus() {
        Quantity quantity = new Quantity(0, Unit.KILOGRAM);
        Quantity quantity2 = quantity.sharedBy(2);
        Quantity quantity3 = quantity2.plus(quantity);
        assertTrue(quantity3.isNothing());
    }

    @Test
    void plusOnNewQuantity() {
        Quantity quantity = new Quantity(10, Unit.KILOGRAM);
        Quantity quantity2 = quantity.sharedBy(1);
        Quantity quantity3 = new Quantity(10, Unit.KILOGRAM);
        Quantity quantity4 = quantity3.plus(quantity2);
        assertEquals(20000L, quantity4.inGrams());
    }

    @Test
    void compareToReturns1() {
        Quantity quantity = Quantity.parse("7 g");
        Quantity quantity2 = quantity.plus(quantity);
        assertEquals(1, quantity2.compareTo(quantity));
    }

    @Test
    void compareToWithNullThrowsNullPointerException() {
        Quantity quantity = Quantity.parse("7 g");
        assertThrows(NullPointerException.class, () -> quantity.compareTo(null));
    }

    @Test
    void sharedByWithZeroThrowsIllegalArgumentException() {
        Quantity quantity = Quantity.parse("5 g");
        IllegalArgumentException thrown = assertThrows(IllegalArgumentException.class, () -> quantity.sharedBy(0));
        assertEquals("nobody to share with: 0", thrown.getMessage());
    }

    @Test
    void sharedByOnNewQuantityThrowsArithmeticException() {
        Quantity quantity = new Quantity(2684354, Unit.KILOGRAM);
        assertThrows(ArithmeticException.class, () -> quantity.sharedBy(1));
    }

    @Test
    void sharedByOnNewQuantity() {
        Quantity quantity = new Quantity(5, Unit.GRAM);
        Quantity quantity2 = quantity.sharedBy(5);
        assertEquals(1L, quantity2.inGrams());
    }

    @Test
    void hashCodeReturns227() {
        assertEquals(227, Quantity.parse("4 g").hashCode());
    }

    @Test
    void toStringRuns() {
        assertEquals("4 g", Quantity.parse("4 g").toString());
    }
}
