package demo;

/** Interfaces that are functional, with the method a lambda stands for, and some that only look like it. */
class Functions {
    interface Plain { int apply(int x); } // apply(I)I
    interface Again extends Plain { int apply(int y); } // apply(I)I
    interface Described extends Plain { boolean equals(Object o); String toString(); } // apply(I)I
    interface Taking<T> { void take(T t); } // take(Ljava/lang/Object;)V
    interface TakingText extends Taking<String> { void take(String s); } // take(Ljava/lang/String;)V
    interface TakingAny extends Taking<String> { } // take(Ljava/lang/Object;)V
    interface Arrays<T> { void take(T[] t); } // take([Ljava/lang/Object;)V
    interface ArraysOfText extends Arrays<String> { void take(String[] s); } // take([Ljava/lang/String;)V
    interface Number { double value(double x); } // value(D)D
    interface Overloaded extends Number { String value(String x); } // none
    interface Answered extends Taking<String> { default void take(String s) { } int more(); } // more()I
    interface HalfAnswered extends Number { default String value(String x) { return x; } } // value(D)D
    interface Two { void a(); void b(); } // none
    interface None { default void a() { } } // none
}
