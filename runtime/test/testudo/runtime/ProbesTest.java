package testudo.runtime;

/** Which hits are reported: all of them, or those that got cheaper. */
final class ProbesTest {
    private ProbesTest() {}

    static void run() {
        Probes probes = new Probes(20);
        Check.equal("first", hit(probes, 5, false, 3, 17), "[0:3 0:17]");
        Check.equal("same cost", hit(probes, 5, false, 3, 17), "[]");
        Check.equal("dearer", hit(probes, 6, false, 3, 4), "[0:4]");
        Check.equal("cheaper", hit(probes, 4, false, 3), "[0:3]");
        Check.equal("the other still at 5", hit(probes, 4, false, 3, 17), "[0:17]");
        Check.equal("all", hit(probes, 9, true, 3, 17), "[0:3 0:17]");
        Check.equal("above all templates", hit(probes, 5000, false, 3, 5), "[0:5]");
        Check.equal("and down again", hit(probes, 4999, false, 3, 5), "[0:5]");
        probes.forget();
        probes.know(3, 2);
        Check.equal("told", hit(probes, 2, false, 3, 4), "[0:4]");
        probes.begin(1, false);
        Hooks.HIT[8] = 1;
        probes.scan(0);
        Hooks.HIT[8] = 1;
        Hooks.HIT[9] = 1;
        probes.scan(1);
        Check.equal("by the first statement", show(probes), "[0:8 1:9]");
    }

    private static String hit(Probes probes, int cost, boolean all, int... ids) {
        probes.begin(cost, all);
        for (int id : ids) Hooks.HIT[id] = 1;
        probes.scan(0);
        return show(probes);
    }

    private static String show(Probes probes) {
        StringBuilder text = new StringBuilder("[");
        for (int i = 0; i < probes.hitCount; i += 2) {
            text.append(i > 0 ? " " : "").append(probes.hits[i]).append(':').append(probes.hits[i + 1]);
        }
        return text.append(']').toString();
    }
}
