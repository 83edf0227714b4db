package org.junit.function;

/** Stands in for JUnit 4.13's interface where JUnit is not on the class path. Code that may throw; owns no behaviour. */
public interface ThrowingRunnable {
    void run() throws Throwable;
}
