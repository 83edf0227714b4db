package testudo.runtime;

/** A statement that cannot be run because a class or member it needs is not there. Owns the explanation only. */
final class Unlinkable extends Exception {
    private static final long serialVersionUID = 1L;

    Unlinkable(String message) {
        super(message, null, false, false);
    }
}
