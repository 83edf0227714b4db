// Written by Testudo.
package bugs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Iterator;
import org.junit.jupiter.api.Test;

class TagSetFailingTest {
    @Test
    void equalsIsSymmetric() {
        // equals is not symmetric
        // Look at java/util/AbstractSet.java:86 (java.util.AbstractSet.equals(Object)).
        TagSet set = new TagSet();
        TagSet set2 = new TagSet();
        set2.add("");
        set2.remove("");
        assertEquals(set.equals(set2), set2.equals(set), "equals must be symmetric");
    }

    @Test
    void equalObjectsHaveEqualHashCodes() {
        // equal objects have different hash codes
        // Look at java/util/AbstractSet.java:119 (java.util.AbstractSet.hashCode()).
        TagSet set = new TagSet();
        set.add("a");
        set.add("");
        set.remove("");
        TagSet set2 = new TagSet();
        set2.add("");
        assertTrue(set.equals(set2));
        assertEquals(set.hashCode(), set2.hashCode(), "equal objects must have equal hash codes");
    }

    @Test
    void iteratorEnds() {
        // an iterator yields more than its collection holds
        // Look at bugs/TagSet.java:41 (bugs.TagSet.iterator()).
        TagSet set = new TagSet();
        set.add("");
        set.remove("");
        int most = set.size();
        int seen = 0;
        for (Iterator<?> iterator = set.iterator(); iterator.hasNext(); iterator.next()) {
            assertTrue(++seen <= most, "an iterator must end with its elements");
        }
    }
}
