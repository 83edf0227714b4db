package testudo.runtime;

/** Everything that belongs to one opened target: its loader, tables and knowledge. Owns their life; a new target means a new one of these and nothing else. */
final class Target {
    final Shapes shapes = new Shapes();
    final Statics statics = new Statics(shapes);
    final Linearizer linearizer = new Linearizer(shapes);
    final Values values = new Values(shapes);
    final EqualsClasses equalsClasses = new EqualsClasses();
    final TargetLoader loader;
    final Probes probes;
    final int sites;
    final Dispatch dispatch;
    final Constants constants;
    final Contracts contracts;
    private String[] first;
    /** What equals methods read, if the code under test tells; null if not. */
    final Equivalence equivalence;

    /** Reads {@code OPEN}. */
    Target(Input in, ClassRequests requests) {
        int probeCount = in.count();
        sites = in.count();
        if (probeCount > Hooks.PROBES) throw new Input.Problem(probeCount + " probes; " + Hooks.PROBES + " is the limit");
        if (sites > Hooks.SITES) throw new Input.Problem(sites + " comparison sites; " + Hooks.SITES + " is the limit");
        loader = new TargetLoader(requests, statics, in.strings());
        probes = new Probes(probeCount);
        dispatch = new Dispatch(loader);
        constants = new Constants(loader);
        contracts = new Contracts(shapes, new UserContracts(loader, in.strings()));
        first = in.strings();
        equivalence = equivalence(in, probeCount);
    }

    private Equivalence equivalence(Input in, int probeCount) {
        Equivalence.Settings settings = new Equivalence.Settings();
        int n = in.bounded(in.count());
        for (int i = 0; i < n; i++) {
            String owner = in.str();
            settings.fields.add(i, owner, in.str());
        }
        settings.probes = probeCount;
        settings.watchesAll = false;
        return n == 0 ? null : new Equivalence(shapes, settings, true, false);
    }

    /**
     * Initialises the class under test before anything else touches what it uses, as a program would: initialisers that depend on each other in a circle may fail when entered from the wrong
     * end. What they throw is thrown again, or was thrown before, wherever the class is used.
     */
    void initialise(int stepLimit) {
        for (String name : first) {
            Hooks.begin(stepLimit);
            try {
                Class.forName(name.replace('/', '.'), true, loader);
            } catch (Throwable unusable) {
                continue;
            }
        }
        first = new String[0];
    }

    /** From here on hooks work for this target. */
    void enter() {
        Hooks.looking = 0;
        Hooks.open(sites);
        Hooks.statics = statics;
        Thread.currentThread().setContextClassLoader(loader);
    }
}
