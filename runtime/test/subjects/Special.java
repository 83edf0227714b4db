package subjects;

/** Like a {@link Node} in everything but its class. */
public final class Special extends Node {}
