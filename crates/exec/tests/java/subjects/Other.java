package subjects;

/** Initialised late, in the middle of some sequence. (If its initial state depended on what that sequence did before, every JVM would show order dependence.) */
class Other {
    private static int state = 1;

    static int next() {
        return state *= 3;
    }
}
