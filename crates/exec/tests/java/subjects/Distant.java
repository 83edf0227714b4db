package subjects;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

/**
 * A comparison per method. Behind each stands how far the run is from the outcomes that it does not have, in the order of their slots: 6 decimals at most.
 */
public class Distant {
    static int i = 3, j = -4, big = Integer.MIN_VALUE;
    static long l = 5_000_000_000L, top = Long.MAX_VALUE;
    static float f = 1.5f;
    static double d = 2.25, nan = Double.NaN, infinite = Double.POSITIVE_INFINITY;
    static String s = "abc", empty = "";
    static Object o = "abx", n = null;
    static Integer box = 40;
    static Character letter = 'k';
    static List<String> list = new ArrayList<>(Arrays.asList("abd", "zzz"));
    static Map<Integer, Object> map = new HashMap<>();
    static int hits;

    static class Own extends ArrayList<String> {
        @Override
        public boolean contains(Object value) {
            hits++;
            return false;
        }

        @Override
        public int size() {
            throw new IllegalStateException("nobody asked");
        }
    }

    static void yes() {
        hits++;
    }

    static void intEqual() { if (i == 10) yes(); } // 7
    static void intNotEqual() { if (i != 3) yes(); } // 1
    static void intLess() { if (i < -4) yes(); } // 8
    static void intLessHolds() { if (i < 10) yes(); } // 7
    static void intAtMost() { if (i <= 1) yes(); } // 2
    static void intGreater() { if (i > 3) yes(); } // 1
    static void intAtLeast() { if (j >= 0) yes(); } // 4
    static void intZero() { if (i == 0) yes(); } // 3
    static void intNegative() { if (i < 0) yes(); } // 4
    static void intExtremes() { if (big > Integer.MAX_VALUE - 1) yes(); } // 4294967295
    static void nearestOfAll() { for (int k = 0; k < 5; k++) if (k * 10 == 33) yes(); } // 3
    static void bothSides() { for (int k = 0; k < 2; k++) if (k == 1) yes(); } //
    static void longEqual() { if (l == 5_000_000_003L) yes(); } // 3
    static void longLess() { if (l < 0) yes(); } // 5000000001
    static void longOverflow() { if (top < -1) yes(); } // 9223372036854776000
    static void floatGreater() { if (f > 4) yes(); } // 3.5
    static void floatEqual() { if (f == 1.25f) yes(); } // 0.25
    static void doubleAtMost() { if (d <= 2) yes(); } // 0.25
    static void doubleEqual() { if (d == 2.25) yes(); } // 1
    static void noNumber() { if (nan > 1) yes(); } // 1e300
    static void noNumberEither() { if (nan == nan) yes(); } // 1e300
    static void infinity() { if (infinite < 1) yes(); } // 1e300
    static void sameInfinity() { if (infinite != infinite) yes(); } // 1
    static void intSwitch() { switch (i) { case 1: yes(); break; case 5: yes(); yes(); break; case 3: hits = 1; break; } } // 2 2
    static void tableSwitch() { switch (j) { case 0: yes(); break; case 1: yes(); yes(); break; case 2: hits = 1; break; } } // 4 5 6
    static void equals() { if (s.equals("abd")) yes(); } // 0.5
    static void equalsLonger() { if (s.equals("abcde")) yes(); } // 2
    static void equalsObject() { if (s.equals(o)) yes(); } // 0.954545
    static void equalsNull() { if (s.equals(n)) yes(); } // 1000
    static void equalsHolds() { if (s.equals("abc")) yes(); } // 1
    static void equalsNot() { if (!s.equals("abb")) yes(); } // 0.5
    static void ignoringCase() { if (s.equalsIgnoreCase("ABe")) yes(); } // 0.666667
    static void startsWith() { if (s.startsWith("b")) yes(); } // 0.5
    static void startsWithLonger() { if (s.startsWith("abcd")) yes(); } // 1
    static void endsWith() { if (s.endsWith("xbc")) yes(); } // 0.958333
    static void contains() { if (s.contains("bd")) yes(); } // 0.5
    static void isEmpty() { if (s.isEmpty()) yes(); } // 3
    static void isEmptyHolds() { if (empty.isEmpty()) yes(); } // 1
    static void matches() { if (s.matches("ab[0-9]+")) yes(); } // 1.333333
    static void matchesBeginning() { if (s.matches("[a-z]+=[0-9]")) yes(); } // 0.25
    static void compareTo() { if (s.compareTo("abf") == 0) yes(); } // 0.75 3
    static void compareToOrder() { if (s.compareTo("abf") > 0) yes(); } // 4 4
    static void indexOf() { if (s.indexOf("cd") >= 0) yes(); } // 1 1
    static void stringSwitch() { switch (s) { case "abd": yes(); break; case "x": hits = 1; break; } } // 0.5 2.958333 1 2
    static void objectEquals() { if (o.equals("abz")) yes(); } // 0.666667
    static void boxEquals() { if (box.equals(42)) yes(); } // 2
    static void boxOfOtherType() { if (box.equals(42L)) yes(); } // 1000
    static void charEquals() { if (letter.equals('m')) yes(); } // 2
    static void objectsEqual() { if (Objects.equals(o, "aby")) yes(); } // 0.5
    static void objectsBothNull() { if (Objects.equals(n, null)) yes(); } // 1
    static void listContains() { if (list.contains("abe")) yes(); } // 0.5
    static void setContains() { if (new TreeSet<>(list).contains("zz")) yes(); } // 1
    static void fixedContains() { Collection<Integer> c = Arrays.asList(1, 9); if (c.contains(5)) yes(); } // 4
    static void listIsEmpty() { if (list.isEmpty()) yes(); } // 2
    static void mapContainsKey() { map.clear(); map.put(7, s); if (map.containsKey(9)) yes(); } // 2
    static void mapContainsValue() { map.clear(); map.put(7, s); if (map.containsValue("abd")) yes(); } // 0.5
    static void mapIsEmpty() { map.clear(); if (!map.isEmpty()) yes(); } // 1
    static void ownContains() { Collection<String> c = new Own(); if (c.contains("a")) yes(); } // 1
}
