package testudo.runtime;

/**
 * One call of somebody's {@code equals}, watched. Owns the limit on what it may read, and keeps its probes out of the test that is running. A method that neither ends nor
 * reads anything can only be ended with the JVM: {@link #trying} tells the watchdog whose fault that is.
 */
final class EqualsTrial {
    static final int FALSE = 0;
    static final int TRUE = 1;
    static final int THREW = 2;
    static final int LOOPED = 3;

    /** Counted where the code under test counts its steps. */
    private static final int STEPS = 1_000_000;

    private final int probes;
    private final byte[] hits;
    /** The class whose method is running, for the watchdog. */
    volatile Class<?> trying;

    EqualsTrial(int probes) {
        this.probes = probes;
        hits = new byte[probes];
    }

    int equal(Object a, Object b, EqualsReads reads, Strand strand) {
        System.arraycopy(Hooks.HIT, 0, hits, 0, probes);
        trying = a.getClass();
        Hooks.begin(STEPS);
        reads.events = 0;
        Monitor.reads = reads;
        Monitor.reader = strand;
        Monitor.reading = true;
        try {
            return a.equals(b) ? TRUE : FALSE;
        } catch (OutOfMemoryError e) {
            throw e;
        } catch (Throwable ofUserCode) {
            return reads.stopped || ofUserCode instanceof Stop ? LOOPED : THREW;
        } finally {
            Monitor.reading = false;
            Monitor.reader = null;
            trying = null;
            System.arraycopy(hits, 0, Hooks.HIT, 0, probes);
        }
    }

    /** A hash code, or 0 if there is none to be had. */
    int hashOf(Object value, EqualsReads reads, Strand strand) {
        System.arraycopy(Hooks.HIT, 0, hits, 0, probes);
        trying = value.getClass();
        reads.events = 0;
        Monitor.reads = reads;
        Monitor.reader = strand;
        Monitor.reading = true;
        try {
            return value.hashCode();
        } catch (OutOfMemoryError e) {
            throw e;
        } catch (Throwable ofUserCode) {
            return 0;
        } finally {
            Monitor.reading = false;
            Monitor.reader = null;
            trying = null;
            System.arraycopy(hits, 0, Hooks.HIT, 0, probes);
        }
    }
}
