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
        probes.scan(0, false);
        Hooks.HIT[8] = 1;
        Hooks.HIT[9] = 1;
        probes.scan(1, false);
        Check.equal("by the first statement", show(probes), "[0:8 1:9]");
        Check.equal("before it threw", threw(probes, 3, false, 12), "[0:12]");
        Check.equal("and again", threw(probes, 4, false, 12), "[0:12]");
        Check.equal("among all", threw(probes, 4, true, 12), "[0:12]");
        Check.equal("one that comes back is better", hit(probes, 9, false, 12), "[0:12]");
        Check.equal("and enough", threw(probes, 9, false, 12), "[]");
        for (int i = 0; i < 64; i++) threw(probes, 5, false, 13);
        Check.equal("the last that is wanted", threw(probes, 5, false, 13), "[0:13]");
        Check.equal("nothing better to be expected", threw(probes, 5, false, 13) + hit(probes, 5, false, 13), "[][]");
    }

    private static String hit(Probes probes, int cost, boolean all, int... ids) {
        return ran(probes, cost, all, false, ids);
    }

    private static String threw(Probes probes, int cost, boolean all, int... ids) {
        return ran(probes, cost, all, true, ids);
    }

    private static String ran(Probes probes, int cost, boolean all, boolean threw, int... ids) {
        probes.begin(cost, all);
        for (int id : ids) Hooks.HIT[id] = 1;
        probes.scan(0, threw);
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
