package org.junit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Stands in for JUnit 4's annotation where JUnit is not on the class path. Marks test methods and what they are expected to throw; owns no behaviour. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD})
public @interface Test {
    /** Says that nothing is expected to be thrown. */
    final class None extends Throwable {
        private static final long serialVersionUID = 1L;

        private None() {}
    }

    Class<? extends Throwable> expected() default None.class;

    long timeout() default 0L;
}
