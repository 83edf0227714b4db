//! What it costs to look at states: linearising objects, by how many there are, and exploring by each technique. Owns the two subjects; all figures are ratios of runs made one after the other.

use std::path::Path;

use serde::Serialize;

use super::{Ground, TECHNIQUES};
use crate::product::{self, Generate};
use crate::{Problem, files};

/// Nodes of the chains that are linearised.
const NODES: [u32; 4] = [10, 100, 1_000, 10_000];
/// Nodes that a run makes, about, if each of its sequences makes a chain.
const NODES_IN_ALL: u64 = 20_000_000;
/// Calls in a sequence of the exploration, and the numbers to add.
const ADDITIONS: u32 = 5;

#[derive(Serialize)]
struct Chain {
    nodes: u32,
    /// Of search per sequence, with values kept apart by nothing and by their states.
    blind_microseconds: f64,
    states_microseconds: f64,
    nanoseconds_per_object: f64,
}

#[derive(Serialize)]
struct Exploration {
    technique: String,
    states: Option<u64>,
    tried: u64,
    search_seconds: f64,
    states_per_second: f64,
    /// Search of the same state space by `whole-state`.
    times_whole_state: f64,
}

#[derive(Serialize)]
struct Costs {
    chains: Vec<Chain>,
    explorations: Vec<Exploration>,
}

pub fn run(ground: &Ground, work: &Path) -> Result<(), Problem> {
    let own = work.join("cost");
    for nodes in NODES {
        files::write(&own.join(format!("sources/cost/Chain{nodes}.java")), &chain(nodes))?;
    }
    files::write(&own.join("sources/cost/Tally.java"), TALLY)?;
    files::write(&own.join("sources/cost/SeedTest.java"), &seed())?;
    let classes = own.join("classes");
    ground.compile(&[&own.join("sources")], &classes)?;
    let mut chains = Vec::new();
    for nodes in NODES {
        eprintln!("chain of {nodes}");
        let executions = (NODES_IN_ALL / u64::from(nodes)).min(200_000);
        let blind_microseconds = search(ground, nodes, executions, "none", &classes, &own)?;
        let states_microseconds = search(ground, nodes, executions, "state", &classes, &own)?;
        let nanoseconds_per_object = (states_microseconds - blind_microseconds) * 1e3 / f64::from(nodes);
        chains.push(Chain { nodes, blind_microseconds, states_microseconds, nanoseconds_per_object });
    }
    let mut explorations: Vec<Exploration> = Vec::new();
    for technique in TECHNIQUES {
        eprintln!("exploration by {technique}");
        let own_classes = classes.display().to_string();
        let more = ["--max-states", "1000000", "--budget", &ground.options.budget, "--classpath", &own_classes];
        let out = own.join(format!("explored-{technique}/out"));
        let (report, _) = ground.explore("cost.Tally", &classes, technique, ADDITIONS - 1, &more, &out)?;
        let states = report["explored"]["states"].as_u64();
        let search_seconds = report["seconds"]["search"].as_f64().unwrap_or(0.0);
        explorations.push(Exploration {
            technique: technique.to_string(),
            states,
            tried: report["executions"].as_u64().unwrap_or(0),
            search_seconds,
            states_per_second: states.unwrap_or(0) as f64 / search_seconds.max(f64::MIN_POSITIVE),
            times_whole_state: 0.0,
        });
    }
    let whole = explorations.iter().find(|e| e.technique == "whole-state").map_or(1.0, |e| e.search_seconds);
    for exploration in &mut explorations {
        exploration.times_whole_state = exploration.search_seconds / whole;
    }
    write(ground, Costs { chains, explorations })
}

fn write(ground: &Ground, costs: Costs) -> Result<(), Problem> {
    let mut results = ground.lab.results("cost");
    results.conditions(ground.lab.jdk());
    let cells = costs.chains.iter().map(|row| {
        vec![
            row.nodes.to_string(),
            format!("{:.1}", row.blind_microseconds),
            format!("{:.1}", row.states_microseconds),
            format!("{:.2}", row.states_microseconds / row.blind_microseconds.max(f64::MIN_POSITIVE)),
            format!("{:.0}", row.nanoseconds_per_object),
        ]
    });
    let heads = ["objects", "µs per sequence, blind", "by state", "ratio", "ns per object more"];
    results.table(&heads, &cells.collect::<Vec<_>>());
    let cells = costs.explorations.iter().map(|row| {
        vec![
            row.technique.clone(),
            row.states.map_or(String::new(), |states| states.to_string()),
            row.tried.to_string(),
            format!("{:.3}", row.search_seconds),
            format!("{:.0}", row.states_per_second),
            format!("{:.2}", row.times_whole_state),
        ]
    });
    let heads = ["exploring by", "states", "sequences tried", "search s", "states/s", "times whole-state"];
    results.table(&heads, &cells.collect::<Vec<_>>());
    results.finish(&costs)
}

/// Microseconds per sequence of a search that makes chains.
fn search(
    ground: &Ground,
    nodes: u32,
    executions: u64,
    prune: &str,
    classes: &Path,
    own: &Path,
) -> Result<f64, Problem> {
    let class = format!("cost.Chain{nodes}");
    let out = own.join(format!("{class}-{prune}"));
    let more = ["--max-executions", &executions.to_string(), "--prune", prune, "--no-mutation"].map(String::from);
    let finished = ground.lab.product.generate(&Generate {
        targets: vec![class.clone()],
        class_path: vec![classes.to_path_buf()],
        jdk: ground.lab.jdk(),
        seed: ground.lab.seed,
        more: more.to_vec(),
        out: out.clone(),
        limit: super::LIMIT,
    })?;
    let failed = |detail: String| Problem::Failed { what: class.clone(), detail };
    let report = product::report(&out).map_err(|problem| failed(format!("{problem}\n{}", finished.tail())))?;
    let report = report.classes.first().ok_or_else(|| failed("not in the report".to_string()))?;
    Ok(report.seconds.search * 1e6 / report.executions.max(1) as f64)
}

/// A class whose objects are chains of so many nodes. It has a branch that nothing takes, so that searches go on.
fn chain(nodes: u32) -> String {
    format!(
        "package cost;

public class Chain{nodes} {{
    private static final class Node {{
        private final Node next;

        Node(Node next) {{
            this.next = next;
        }}
    }}

    private final Node first;
    private final int number;

    public Chain{nodes}(int number) {{
        this.number = number;
        Node node = null;
        for (int i = 1; i < {nodes}; i++) node = new Node(node);
        first = node;
    }}

    public boolean isEmpty() {{
        if (first == null) return true;
        return false;
    }}

    public Chain{nodes} next() {{
        return new Chain{nodes}(number + 1);
    }}
}}
"
    )
}

const TALLY: &str = "package cost;

import java.util.Arrays;

public class Tally {
    private int[] seen = new int[4];
    private int size;

    public void add(int number) {
        if (size == seen.length) seen = Arrays.copyOf(seen, 2 * size);
        seen[size++] = number;
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof Tally)) return false;
        Tally that = (Tally) other;
        if (size != that.size) return false;
        for (int i = 0; i < size; i++) {
            if (seen[i] != that.seen[i]) return false;
        }
        return true;
    }

    @Override
    public int hashCode() {
        int hash = 1;
        for (int i = 0; i < size; i++) hash = 31 * hash + seen[i];
        return hash;
    }
}
";

/// Each addition once, on a new object.
fn seed() -> String {
    let mut text = "package cost;\n\nimport org.junit.jupiter.api.Test;\n\nclass SeedTest {\n".to_string();
    for number in 1..=ADDITIONS {
        text.push_str(&format!("    @Test\n    void adds{number}() {{\n        new Tally().add({number});\n    }}\n"));
    }
    text + "}\n"
}
