package sample.old;

import junit.framework.TestCase;

public class OldTest extends TestCase
{
    private int count = 0;

    public OldTest(String name)
    {
        super(name);
    }

    protected void setUp() throws Exception
    {
        count = 1;
    }


    public void testFirst()
    {
        assertEquals(1, count);
    }

    //------------------------------------------------------------------

    /** Second. */
    public void testSecond() { check(count); }

    public void testThird() throws Exception {
        check(3);
    }

    private void check(int n) {
        assertTrue(n > 0);
    }

    public static junit.framework.Test suite() { return null; }
}
