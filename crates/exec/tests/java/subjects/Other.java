package subjects;

/** Initialised late, in the middle of some sequence; its state depends on when. */
class Other {
    private static int state = 1 + Polluter.LOG.size();

    static int next() {
        return state *= 3;
    }
}
