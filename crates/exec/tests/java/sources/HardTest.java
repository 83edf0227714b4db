/*
 * A licence, which stays. { "not a string
 */
package sample.hard;

import static org.junit.jupiter.api.Assertions.*;

import java.util.*;
import org.junit.jupiter.api.*; // everything

// About the class, apart from it.

/** The class. {@code '{'} and "quotes". */
@DisplayName("{ braces } in \"annotations\"")
@Tag(value = "a}b")
class HardTest<T extends Comparable<T>> extends Object implements java.io.Serializable { // opened here
	private static final char QUOTE = '"', OTHER = '\'';
	private final List<String> names = new ArrayList<>(List.of("{", "}", "//", "/*"));
	int a = 1, b = 2;

	// A helper of two tests.
	private int helper(int x) {
		return x + 1; // } not the end
	}

	static {
		System.setProperty("x", "y");
	}

	@BeforeEach
	void setUp() { names.clear(); }

	/**
	 * Javadoc of the first.
	 */

	@Test
	void first() {
		assertEquals(2, helper(1));
	} // behind the first

	// Directly before the second,
	// in two lines.
	/* and a block */
	@Test
	@DisplayName("second // { ")
	void second() {
		String text = """
			a text block with "quotes", { braces and // no comment
			\""" still inside
			""";
		assertTrue(text.contains("}") || helper(2) == 3);
	}
	/// a markdown comment
	/// of the third
	@Test void third() {} @Test void fourth() {} /* about the fifth */ @Test void fifth() { }

	// region overloads

	@Test
	void overloaded() {}

	@Test
	<E extends Number & Comparable<E>> void overloaded(int x, String[] y, List<? extends E> z, E e, T t, Map.Entry<String, int[]>... rest) {}

	@Test void overloaded(final @Deprecated long x) {};

	// endregion

	@Nested
	class Inner {

		@Test
		void only() {
			Runnable r = () -> { class Local { void third() {} } new Object() { void second() {} }; };
			r.run();
		}

	}

	@Nested class Narrow { @Test void one() {} }

	@ParameterizedTest
	@MethodSource("provider")
	void parametrised(int n) { assertTrue(n > 0); }

	static java.util.stream.IntStream provider() { return java.util.stream.IntStream.of(1, 2); }

	enum Colour {
		RED { @Override int code() { return 1; } }, // red
		GREEN;

		// About code.
		int code() { return 2; }

		@Test
		void inEnum() {}
	}

	record Point(int x, @SuppressWarnings({"a", "b"}) int y) {
		Point {
			if (x < 0) throw new IllegalArgumentException("{");
		}

		@Test void inRecord() {}
		static int origin = 0;
		@Test void again() {}
	}

	interface Contract<V> {
		V make();

		@Test
		default void contract() { assertNotNull(make()); }

		/** A constant. */
		int LIMIT = 3;
	}

	@interface Mark { String value() default "{"; }

	@Test void umlaut() { assertEquals("äöü€😀", "äöü€😀"); } // ä 😀
	@Test void last() {}
	// The end.
}

/** Another class in the same file. */
class OtherTest {
	@Test void alone() {}
}
// Behind everything.
