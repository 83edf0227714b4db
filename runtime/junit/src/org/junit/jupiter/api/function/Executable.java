package org.junit.jupiter.api.function;

/** Stands in for JUnit 5's interface where JUnit is not on the class path. Code that may throw; owns no behaviour. */
@FunctionalInterface
public interface Executable {
    void execute() throws Throwable;
}
