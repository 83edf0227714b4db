// Written by Testudo.
package stuck;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;

class VersionTest {
    @Test
    void newVersion() {
        assertDoesNotThrow(() -> new Version());
    }

    @Test
    void checkWithEmptyStringReturnsFalse() {
        assertFalse(Version.check(""));
    }

    @Test
    void checkReturnsFalse() {
        assertFalse(Version.check("a.."));
    }

    @Test
    void checkReturnsFalse2() {
        assertFalse(Version.check("1.5"));
    }
}
