//! Techniques that are directed at the structure of the code, in a real JVM: what genetic programming and redirection make of small classes, to the letter.

#[path = "../lab/mod.rs"]
mod lab;
mod stuck;

use std::fmt::Write;

use bytecode::names::ClassName;
use engine::catalog::Role;
use engine::generate::evolve::gp::Gp;
use engine::generate::redirect::Redirect;
use engine::generate::variety::Variety;
use engine::generate::{Generator, Turn};
use engine::goal::{Goal, GoalId, GoalKind};
use engine::options::{self, Options};
use engine::proposal::Wanted;
use engine::rng::Rng;
use engine::search::{Delta, Proposal, Search};
use engine::world_library::WorldLibrary;
use exec::jdk::Jdk;
use testcase::execution::Execution;
use testcase::executor::{Detail, Executor, Observe, Request};
use testcase::operation::Operations;
use testcase::sequence::{Sequence, Statement};
use testcase::text::{parse_sequence, print_sequence};

use lab::{Lab, fixture};

/// Lets a generator run so many tests. Gives how many it ran.
fn drive(lab: &mut Lab, search: &mut Search<'_>, generator: &mut dyn Generator, most: usize) -> usize {
    let mut rng = Rng::new(search.options.seed);
    let mut ran = 0;
    while ran < most {
        let mut proposals: Vec<Proposal> = Vec::new();
        generator.propose(search, &mut rng, 64.min(most - ran), &mut proposals);
        if proposals.is_empty() {
            break;
        }
        for proposal in &proposals {
            let problem = search.library.problem(&proposal.sequence, search.catalog.operations(), 100);
            assert_eq!(problem, None, "{}", print_sequence(&proposal.sequence, search.catalog.operations()));
        }
        ran += proposals.len();
        let request = |p: &Proposal| {
            let mut detail =
                Detail { observe: Observe::LastStatement, states: true, operands: true, ..Detail::default() };
            p.detail.add_to(&mut detail);
            Request { sequence: p.sequence.clone(), detail, cost: p.cost.packed(), fault: None }
        };
        let requests = proposals.iter().map(request).collect();
        let executions = lab.executor.run(search.catalog.operations(), requests).unwrap();
        for (proposal, execution) in proposals.iter().zip(&executions) {
            let delta = search.absorb(proposal, execution);
            generator.observe(search, proposal, execution, delta);
        }
    }
    ran
}

/// The tests of the archive for the goals of methods that pass, each once.
fn tests(search: &Search<'_>, wanted: impl Fn(&str) -> bool) -> String {
    let mut text = String::new();
    for archived in search.archive.tests() {
        let of = |g: &GoalId| &*search.goals.method(search.goals.goal(*g).method).name;
        if archived.goals.iter().any(|g| wanted(of(g))) {
            writeln!(text, "{}", print_sequence(&archived.kept.sequence, search.catalog.operations())).unwrap();
        }
    }
    text
}

fn options() -> Options {
    Options { contracts: false, ..Options::default() }
}

#[test]
fn genetic_programming_goes_through_all_nodes_of_a_stack() {
    let jdk = Jdk::find(None).unwrap();
    let mut lab = Lab::of_sources(&jdk, &[fixture("subjects/src/subjects/UBStack.java")]);
    let target = lab.open(&ClassName::new("subjects/UBStack")).unwrap();
    let world = lab.world.clone();
    let library = WorldLibrary::new(&world, &target);
    let mut search = Search::new(&library, target.goals(), Vec::new(), options());
    let settings = options::Gp { generations: 60, restart: false, ..options::Gp::default() };
    let mut gp = Gp::new(settings);
    let ran = drive(&mut lab, &mut search, &mut gp, 20_000);
    let mut text = String::new();
    for row in gp.functions().rows() {
        let operation = search.catalog.operation(row.op);
        writeln!(text, "{:?} of {}", row.item, testcase::text::print_operation(operation)).unwrap();
    }
    for population in gp.populations() {
        let method = search.goals.method(population.method);
        let (nodes, left) = (population.counted(), population.left());
        let completed = population.completed.map_or("never".to_owned(), |g| format!("in generation {g}"));
        writeln!(text, "{}{}: {nodes} nodes, {left} left, all {completed}", method.name, method.descriptor).unwrap();
    }
    writeln!(text, "{ran} runs\n\n{}", tests(&search, |name| name == "equals" || name == "push")).unwrap();
    insta::assert_snapshot!("gp", text);
}

/// Alone, without anybody who tries methods for their own sake: every proposal is valid, whatever its types, and settings reach whoever is decided by them.
#[test]
fn arguments_are_varied_up_to_the_code_under_test() {
    let jdk = Jdk::find(None).unwrap();
    let sources = ["Press", "Layout"].map(|name| fixture(&format!("directed/src/directed/{name}.java")));
    let mut lab = Lab::of_sources(&jdk, &sources);
    let target = lab.open(&ClassName::new("directed/Press")).unwrap();
    let world = lab.world.clone();
    let library = WorldLibrary::new(&world, &target);
    let mut search = Search::new(&library, target.goals(), Vec::new(), options());
    let ran = drive(&mut lab, &mut search, &mut Variety::default(), 3_000);
    assert_eq!(ran, 3_000);
    insta::assert_snapshot!("variety", tests(&search, |name| name == "isMarked" || name == "sum"));
}

/// Tests that reach every condition of the gate and take one outcome of each.
const WITNESSES: [&str; 8] = [
    "v0 = int 1\nv1 = call static directed/Gate.linear(I)Z v0\n",
    "v0 = long 1\nv1 = long 2\nv2 = call static directed/Gate.equal(JJ)Z v0 v1\n",
    "v0 = new directed/Gate()V\nv1 = int 5\nv2 = call directed/Gate.raise(I)V v0 v1\nv3 = call directed/Gate.isHigh()Z v0\n",
    "v0 = new directed/Gate()V\nv1 = int 2\nv2 = int 1\nv3 = call directed/Gate.mark(II)V v0 v1 v2\nv4 = call directed/Gate.isMarked()Z v0\n",
    "v0 = string \"1\"\nv1 = call static directed/Gate.parsed(Ljava/lang/String;)Z v0\n",
    "v0 = new directed/Gate()V\nv1 = int 1\nv2 = call directed/Gate.arm(I)V v0 v1\nv3 = call directed/Gate.fire()Z v0\n",
    "v0 = new directed/Gate()V\nv1 = int 1\nv2 = call directed/Gate.see(I)V v0 v1\nv3 = call directed/Gate.isCrowded()Z v0\n",
    "v0 = new directed/Gate()V\nv1 = new directed/Gate()V\nv2 = call static directed/Gate.same(Ldirected/Gate;Ldirected/Gate;)Z v0 v1\n",
];

/// Proposes the witnesses, once.
struct Witnesses(&'static [&'static str], bool);

impl Generator for Witnesses {
    fn propose(&mut self, search: &mut Search<'_>, _: &mut Rng, _: usize, out: &mut Vec<Proposal>) -> Turn {
        if std::mem::replace(&mut self.1, true) {
            return Turn::Exhausted;
        }
        for text in self.0 {
            let mut operations = Operations::default();
            let sequence = parse_sequence(text, &mut operations).unwrap();
            let number = |s: &Statement| {
                let operation = operations.get(s.op).clone();
                let op = search.catalog.add(search.library, operation, Role::Feed);
                Statement { op, args: s.args.clone() }
            };
            let statements: Vec<Statement> = sequence.statements().iter().map(number).collect();
            out.push(search.offer(Sequence::new(statements), Wanted::default()));
        }
        Turn::Ready
    }
    fn observe(&mut self, _: &Search<'_>, _: &Proposal, _: &Execution, _: Delta) {}
}

/// Branches that are open.
fn branches(search: &Search<'_>) -> Vec<String> {
    let open = |(id, goal): &(GoalId, &Goal)| search.goals.is_open(*id) && goal.kind == GoalKind::Branch;
    let named = |(_, goal): (GoalId, &Goal)| format!("{} line {}", search.goals.method(goal.method).name, goal.line);
    search.goals.iter().filter(open).map(named).collect()
}

#[test]
fn conditions_that_chance_does_not_meet_are_turned() {
    let jdk = Jdk::find(None).unwrap();
    let mut lab = Lab::of_sources(&jdk, &[fixture("directed/src/directed/Gate.java")]);
    let target = lab.open(&ClassName::new("directed/Gate")).unwrap();
    let world = lab.world.clone();
    let library = WorldLibrary::new(&world, &target);
    let mut search = Search::new(&library, target.goals(), Vec::new(), options());
    drive(&mut lab, &mut search, &mut Witnesses(&WITNESSES, false), 8);
    assert_eq!(branches(&search).len(), 10, "{:#?}", branches(&search));
    let mut redirect = Redirect::new(None);
    let ran = drive(&mut lab, &mut search, &mut redirect, 4_000);
    assert_eq!(branches(&search), [""; 0], "after {ran} runs: {:?}", redirect.progress());
    insta::assert_snapshot!("redirect", tests(&search, |_| true));
}
