//! Branches that stay open though tests reach them: what is found for each in a real JVM, to the letter, from a test that takes its other side.

use bytecode::names::ClassName;
use engine::generate::stuck::Stuck;
use engine::generate::{Generator, Turn};
use engine::rng::Rng;
use engine::search::{Delta, Proposal, Search};
use engine::world_library::WorldLibrary;
use exec::jdk::Jdk;
use testcase::execution::Execution;

use super::lab::{Lab, fixture};
use super::{Witnesses, branches, drive, options, tests};

/// Tests that reach every condition and take one outcome of it, and what else can be had.
const WITNESSES: &[&str] = &[
    "v0 = new directed/Vault$Lock()V\n",
    "v0 = int 5\nv1 = new directed/Vault$Combination(I)V v0\n",
    "v0 = new directed/Vault$Lock()V\nv1 = int 1\nv2 = call static directed/Vault.nothing(Ldirected/Vault$Lock;I)Z v0 v1\n",
    "v0 = new directed/Vault$Lock()V\nv1 = new directed/Vault$Lock()V\nv2 = int 1\nv3 = call static directed/Vault.same(Ldirected/Vault$Lock;Ldirected/Vault$Lock;I)Z v0 v1 v2\n",
    "v0 = new directed/Vault$Lock()V\nv1 = call static directed/Vault.kind(Ljava/lang/Object;)Z v0\n",
    "v0 = new directed/Vault$Lock()V\nv1 = call static directed/Vault.dispatched(Ldirected/Vault$Lock;)Z v0\n",
    "v0 = int 1\nv1 = elements 2 v0 v0 : int[]\nv2 = call static directed/Vault.longer([I)Z v1\n",
    "v0 = enum directed/Vault$Day.MONDAY\nv1 = boolean false\nv2 = long 1\nv3 = call static directed/Vault.closed(Ldirected/Vault$Day;ZJ)Z v0 v1 v2\n",
    "v0 = string \"\"\nv1 = call static directed/Vault.spoken(Ljava/lang/String;)Z v0\n",
    "v0 = string \"a\"\nv1 = elements 1 v0 : java/lang/String[]\nv2 = call static directed/Vault.listed([Ljava/lang/String;)Z v1\n",
];

/// Nothing but solving.
#[derive(Default)]
struct Solving(Stuck);

impl Generator for Solving {
    fn propose(&mut self, search: &mut Search<'_>, rng: &mut Rng, most: usize, out: &mut Vec<Proposal>) -> Turn {
        // Work is done in slices, of which some find nothing; between them much else is tried in vain.
        for _ in 0..400 {
            search.totals.executions += 1_000;
            self.0.propose(search, rng, most, out);
            if !out.is_empty() {
                break;
            }
        }
        Turn::Ready
    }
    fn observe(&mut self, search: &Search<'_>, proposal: &Proposal, execution: &Execution, delta: Delta) {
        self.0.observe(search, proposal, execution, delta);
    }
}

/// The branches left after so many runs, and the tests.
fn solved(most: usize) -> (Vec<String>, String) {
    let jdk = Jdk::find(None).unwrap();
    let mut lab = Lab::of_sources(&jdk, &[fixture("directed/src/directed/Vault.java")]);
    let target = lab.open(&ClassName::new("directed/Vault")).unwrap();
    let world = lab.world.clone();
    let library = WorldLibrary::new(&world, &target);
    let mut search = Search::new(&library, target.goals(), Vec::new(), options());
    drive(&mut lab, &mut search, &mut Witnesses(WITNESSES, false), WITNESSES.len());
    assert!(branches(&search).len() > 8, "{:#?}", branches(&search));
    let mut solving = Solving::default();
    let ran = drive(&mut lab, &mut search, &mut solving, most);
    let counts = solving.0.counts();
    let figures = format!("{ran} runs, {} goals of {} tries\n\n", counts.goals, counts.tries);
    (branches(&search), figures + &tests(&search, |_| true))
}

#[test]
fn branches_on_what_is_given_are_solved() {
    let (left, found) = solved(60);
    insta::assert_snapshot!("stuck", found);
    assert_eq!(left, [""; 0]);
    assert_eq!(solved(60).1, found, "the same once more");
}
