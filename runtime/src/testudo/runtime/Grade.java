package testudo.runtime;

import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * How far two values are from standing in a relation: 0 if they do, more the more has to be changed. Owns these gradings. Runs no code of anybody but the JDK's, and asks
 * collections only if they are the JDK's own.
 */
final class Grade {
    /** Farther than any two strings. */
    static final double UNLIKE = 1000;
    /** Longer strings are graded by their beginnings. */
    private static final int LONGEST = 200;
    private static final int MOST_ELEMENTS = 64;
    private static final int LONGEST_FOR_PATTERN = 60;

    /** Code of the JDK is under test: its collections must not be asked, as that would look like the doing of the sequence. */
    static boolean platform;

    private static String lastRegex;
    private static Pattern lastPattern;

    private Grade() {}

    /** Character by character from the left; whatever is missing or too much counts as a whole one. */
    static double equal(String a, String b) {
        return aligned(a, 0, b, 0, Math.min(a.length(), b.length()), false) + Math.abs(a.length() - b.length());
    }

    static double equalIgnoringCase(String a, String b) {
        if (b == null) return UNLIKE;
        return aligned(a, 0, b, 0, Math.min(a.length(), b.length()), true) + Math.abs(a.length() - b.length());
    }

    static double starts(String a, String b) {
        int common = Math.min(a.length(), b.length());
        return aligned(a, 0, b, 0, common, false) + b.length() - common;
    }

    static double ends(String a, String b) {
        int common = Math.min(a.length(), b.length());
        return aligned(a, a.length() - common, b, b.length() - common, common, false) + b.length() - common;
    }

    /** The best place for it. */
    static double contains(String a, String b) {
        if (a.length() < b.length()) return starts(a, b);
        int places = Math.min(a.length() - b.length(), LONGEST);
        double best = FAR;
        for (int at = 0; at <= places; at++) best = Math.min(best, aligned(a, at, b, 0, b.length(), false));
        return best;
    }

    private static final double FAR = 1e6;

    private static double aligned(String a, int fromA, String b, int fromB, int length, boolean ignoringCase) {
        double sum = Math.max(0, length - LONGEST);
        for (int i = 0; i < length && i < LONGEST; i++) {
            char x = a.charAt(fromA + i);
            char y = b.charAt(fromB + i);
            if (x == y) continue;
            int by = Math.abs(x - y);
            if (ignoringCase) {
                char lowX = Character.toLowerCase(Character.toUpperCase(x));
                char lowY = Character.toLowerCase(Character.toUpperCase(y));
                by = Math.min(by, Math.abs(lowX - lowY));
            }
            sum += by / (by + 1.0);
        }
        return sum;
    }

    /** What is behind the longest beginning that could still become a match; if that is all of it, the more there is the better. */
    static double matches(String a, String regex) {
        if (platform) return UNLIKE;
        if (a.length() > LONGEST_FOR_PATTERN) return a.length();
        try {
            if (!regex.equals(lastRegex)) {
                lastPattern = Pattern.compile(regex);
                lastRegex = regex;
            }
            Matcher matcher = lastPattern.matcher(a);
            int good = a.length();
            while (good > 0) {
                matcher.region(0, good);
                if (matcher.matches() || matcher.hitEnd()) break;
                good--;
            }
            return a.length() - good + 1.0 / (1 + good);
        } catch (PatternSyntaxException invalid) {
            return UNLIKE;
        } catch (StackOverflowError tooDeep) {
            return UNLIKE;
        }
    }

    /** Objects that are not equal: strings and boxes by their values, anything else not at all. */
    static double unequal(Object a, Object b) {
        if (a instanceof String && b instanceof String) return equal((String) a, (String) b);
        if (a instanceof Number && b != null && a.getClass() == b.getClass() && isBox(a)) return numbers((Number) a, (Number) b);
        if (a instanceof Character && b instanceof Character) return Math.abs((Character) a - (Character) b);
        if (a instanceof Boolean && b instanceof Boolean) return 1;
        return UNLIKE;
    }

    private static boolean isBox(Object a) {
        return a instanceof Integer || a instanceof Long || a instanceof Double || a instanceof Float || a instanceof Short || a instanceof Byte;
    }

    private static double numbers(Number a, Number b) {
        double by;
        if (a instanceof Double || a instanceof Float) {
            by = Math.abs(a.doubleValue() - b.doubleValue());
        } else {
            long exact = a.longValue() - b.longValue();
            boolean overflows = ((a.longValue() ^ b.longValue()) & (a.longValue() ^ exact)) < 0;
            by = overflows ? Math.abs((double) a.longValue() - (double) b.longValue()) : Math.abs((double) exact);
        }
        // Not equal although nothing is between them: NaN, or zeros of different signs.
        return by > 0 && by < UNLIKE * 1e300 ? by : 1;
    }

    /** The nearest element, of something that does not contain the value. */
    static double missing(Iterable<?> elements, Object value) {
        double best = UNLIKE;
        int left = MOST_ELEMENTS;
        for (Iterator<?> i = elements.iterator(); left > 0 && i.hasNext(); left--) best = Math.min(best, unequal(i.next(), value));
        return best;
    }

    static boolean isAskable(Object collection) {
        return !platform && collection.getClass().getClassLoader() == null && collection.getClass().getName().startsWith("java.util.") && isPlain(collection);
    }

    /** Views and wrappers may lead to collections of somebody else's. */
    private static boolean isPlain(Object collection) {
        Class<?> outer = collection.getClass().getEnclosingClass();
        boolean isPlain = outer == null || outer == Arrays.class || outer.getName().equals("java.util.ImmutableCollections");
        return isPlain && (collection instanceof Collection || collection instanceof Map);
    }

    static int size(Object collection) {
        return collection instanceof Map ? ((Map<?, ?>) collection).size() : ((Collection<?>) collection).size();
    }
}
