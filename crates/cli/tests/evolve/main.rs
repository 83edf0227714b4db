//! Evolution in a real JVM: what it has to crack within so many runs, and the tests it finds, to the letter.

#[path = "../lab/mod.rs"]
mod lab;

use bytecode::names::ClassName;
use engine::budget::Budget;
use engine::distance::Guide;
use engine::goal::{GoalId, GoalKind};
use engine::options::{self, Options};
use engine::session::Session;
use engine::world_library::WorldLibrary;
use exec::jdk::Jdk;
use testcase::executor::{Detail, Executor, Request};
use testcase::operation::OperationKind;
use testcase::sequence::{Sequence, Statement, Var};
use testcase::value::Constant;

use lab::{Lab, fixture};

/// A call of a static method of `distant/Locks`, as it stands in a test.
fn shown(session: &Session<'_>, sequence: &Sequence) -> String {
    let catalog = &session.search().catalog;
    let value = |var: &Var| match &catalog.operation(sequence.statements()[var.index()].op).kind {
        OperationKind::Constant(Constant::String(s)) => format!("\"{}\"", s.lossy()),
        OperationKind::Constant(Constant::Int(n)) => n.to_string(),
        OperationKind::Constant(Constant::Long(n)) => n.to_string(),
        OperationKind::Constant(Constant::Double(bits)) => f64::from_bits(*bits).to_string(),
        _ => "lock".to_owned(),
    };
    let call = |s: &Statement| match &catalog.operation(s.op).kind {
        OperationKind::Call { name, .. } => {
            Some(format!("{name}({})", s.args.iter().map(value).collect::<Vec<_>>().join(", ")))
        }
        _ => None,
    };
    sequence.statements().iter().filter_map(call).collect::<Vec<_>>().join("; ")
}

/// The tests that cover the branches of a method, cheapest first, after so many runs by a technique; `None` for each branch that is still open.
fn branches_of(technique: &str, method: &str, executions: u64) -> Vec<Option<String>> {
    let jdk = Jdk::find(None).unwrap();
    let mut lab = Lab::of_sources(&jdk, &[fixture("evolve/src/distant/Locks.java")]);
    let target = lab.open(&ClassName::new("distant/Locks")).unwrap();
    let world = lab.world.clone();
    let library = WorldLibrary::new(&world, &target);
    let goals = target.goals();
    let reaches = target.reaches(&world, &goals);
    let options = Options { technique: technique.to_owned(), contracts: false, solver: false, ..Options::default() };
    let mut session = Session::new(&library, goals, reaches, options).unwrap();
    session.run(&mut lab.executor, &mut Budget::executions(executions), &mut |_| {}).unwrap();
    let search = session.search();
    let of_method = |id: &GoalId| {
        let goal = search.goals.goal(*id);
        goal.kind == GoalKind::Branch && &*search.goals.method(goal.method).name == method
    };
    let goals: Vec<GoalId> = search.goals.iter().map(|(id, _)| id).filter(of_method).collect();
    goals.iter().map(|&goal| search.archive.get(goal).map(|kept| shown(&session, &kept.sequence))).collect()
}

#[test]
fn numbers_in_relation_are_found_by_their_distances() {
    let found = branches_of("evolve", "numbers", 60_000);
    assert!(found.iter().all(Option::is_some), "{found:?}");
    // Not minimised yet: other calls may stand around.
    let numbers = |test: &String| -> Option<Vec<i64>> {
        let list = test.rsplit_once("numbers(")?.1.strip_suffix(')')?;
        list.split(", ").map(|n| n.parse().ok()).collect()
    };
    let related = |n: Vec<i64>| matches!(n[..], [a, b, c] if b == a - 7 && c * 3 + a == 3_000_000_000_016 + b);
    assert!(found.iter().flatten().filter_map(numbers).any(related), "{found:?}");
}

#[test]
fn a_word_that_stands_nowhere_is_found_letter_by_letter() {
    let found = branches_of("evolve", "word", 60_000);
    assert!(found.contains(&Some("word(\"8wattR\")".to_owned())), "{found:?}");
}

#[test]
fn a_history_of_calls_is_found_step_by_step() {
    let found = branches_of("evolve", "open", 60_000);
    // Not minimised yet: other calls may stand around.
    let expected = "turn(lock, 4711); turn(lock, -5526); turn(lock, 32152)";
    assert!(found.iter().flatten().any(|test| test.contains(expected)), "{found:?}");
}

/// The first two of three turns of a lock are dialled by their distances, and not by chance.
#[test]
fn goals_with_tests_of_their_own_are_come_near_to_one_by_one() {
    let opened = |technique| branches_of(technique, "open", 20_000).iter().flatten().count();
    let (mio, random) = (opened("mio"), opened("random"));
    assert!(mio >= 7 && random <= 5, "of eight branches: {mio} and {random}");
}

#[test]
fn chance_alone_finds_neither_numbers_nor_histories() {
    for method in ["numbers", "open"] {
        let found = branches_of("random", method, 60_000);
        assert!(found.contains(&None), "{method}: {found:?}");
    }
}

/// The goals of a kind in a method of `distant/Faults` after so many runs, each with the test that covers it.
fn faults(options: Options, method: &str, kind: GoalKind, executions: u64) -> Vec<Option<String>> {
    let jdk = Jdk::find(None).unwrap();
    let mut lab = Lab::of_sources(&jdk, &[fixture("evolve/src/distant/Faults.java")]);
    let target = lab.open_with(&ClassName::new("distant/Faults"), options.evolve.weak_mutants).unwrap();
    let world = lab.world.clone();
    let library = WorldLibrary::new(&world, &target);
    let goals = target.goals();
    let reaches = target.reaches(&world, &goals);
    let options = Options { contracts: false, solver: false, ..options };
    let mut session = Session::new(&library, goals, reaches, options).unwrap();
    session.run(&mut lab.executor, &mut Budget::executions(executions), &mut |_| {}).unwrap();
    let search = session.search();
    let wanted =
        search.goals.iter().filter(|(_, goal)| goal.kind == kind && &*search.goals.method(goal.method).name == method);
    wanted.map(|(goal, _)| search.archive.get(goal).map(|kept| shown(&session, &kept.sequence))).collect()
}

fn with_mutants(technique: &str) -> Options {
    let evolve = options::Evolve { weak_mutants: true, ..options::Evolve::default() };
    Options { technique: technique.to_owned(), evolve, ..Options::default() }
}

#[test]
fn a_boundary_is_met_by_the_distance_of_its_operands() {
    let found = faults(with_mutants("evolve"), "above", GoalKind::WeakMutant, 60_000);
    // Not minimised yet: other calls may stand around.
    assert!(found.iter().flatten().any(|test| test.contains("above(1000000002337)")), "{found:?}");
    let by_chance = faults(with_mutants("random"), "above", GoalKind::WeakMutant, 20_000);
    assert!(by_chance.contains(&None), "{by_chance:?}");
}

#[test]
fn results_and_operands_that_small_faults_show_in_are_goals() {
    // A product of something other than 0 and 1; true and false; the operands of a sum and a difference.
    let counted = ["rare", "raised"].map(|method| {
        let found = faults(with_mutants("evolve"), method, GoalKind::WeakMutant, 5_000);
        (found.len(), found.iter().flatten().count())
    });
    assert_eq!(counted[1].0, 6, "the boundary, two constants added and three results: {counted:?}");
    assert!(counted[1].1 >= 5 && counted[0].1 >= 2, "{counted:?}");
    let without =
        faults(Options { technique: "evolve".to_owned(), ..Options::default() }, "rare", GoalKind::WeakMutant, 500);
    assert!(without.is_empty(), "{without:?}");
}

#[test]
fn trees_go_on_for_private_methods_behind_the_one_under_test() {
    let gp = |helpers| {
        let evolve = options::Evolve { style: options::Style::Gp, ..options::Evolve::default() };
        let gp = options::Gp { helpers, ..options::Gp::default() };
        let options = Options { technique: "evolve".to_owned(), evolve, gp, ..Options::default() };
        faults(options, "raised", GoalKind::Branch, 5_000)
    };
    let found = gp(true);
    assert!(found.iter().all(Option::is_some), "{found:?}");
    assert!(gp(false).contains(&None), "the method itself has no decision");
}

/// Distances to the open branches of `numbers` for three numbers, nearest decision first.
fn distances(inputs: [(i32, i32, i64); 4]) -> Vec<Vec<f64>> {
    let jdk = Jdk::find(None).unwrap();
    let mut lab = Lab::of_sources(&jdk, &[fixture("evolve/src/distant/Locks.java")]);
    let target = lab.open(&ClassName::new("distant/Locks")).unwrap();
    let goals = target.goals();
    let guide = Guide::new(&target.classes, &goals);
    lab.executor.watch(&guide.watches(|_| true));
    let mut operations = testcase::operation::Operations::default();
    let world = lab.world.clone();
    let library = WorldLibrary::new(&world, &target);
    let offers = engine::library::Library::targets(&library);
    let call = offers.iter().find(|o| o.member.as_ref().is_some_and(|m| &*m.name == "numbers")).unwrap();
    let call = operations.intern(call.operation.clone());
    let mut requests = Vec::new();
    for (a, b, c) in inputs {
        use bytecode::names::Primitive;
        use testcase::operation::Operation;
        use testcase::types::Type;
        let int = Type::Primitive(Primitive::Int);
        let constants = [
            Operation::constant(Constant::Int(a), int.clone()),
            Operation::constant(Constant::Int(b), int),
            Operation::constant(Constant::Long(c), Type::Primitive(Primitive::Long)),
        ];
        let mut statements: Vec<Statement> =
            constants.into_iter().map(|o| Statement::new(operations.intern(o), &[])).collect();
        statements.push(Statement::new(call, &[Var(0), Var(1), Var(2)]));
        let detail = Detail { distances: true, ..Detail::default() };
        requests.push(Request { sequence: Sequence::new(statements), detail, cost: 1, fault: None });
    }
    let runs = lab.executor.run(&operations, requests).unwrap();
    let of_numbers = |id: &GoalId| {
        let goal = goals.goal(*id);
        goal.kind == GoalKind::Branch && &*goals.method(goal.method).name == "numbers"
    };
    let branches: Vec<GoalId> = goals.iter().map(|(id, _)| id).filter(of_numbers).collect();
    runs.iter()
        .map(|run| {
            let trail = guide.trail(run);
            branches.iter().map(|&b| (guide.distance(b, &trail).unwrap() * 100.0).round() / 100.0).collect()
        })
        .collect()
}

/// Branches are listed as: not above, above, not seven less, seven less, not the sum, the sum.
#[test]
fn approach_levels_and_distances_are_as_reckoned_by_hand() {
    let near = |d: f64| ((d.ln_1p() / (d.ln_1p() + 1.0)) * 100.0).round() / 100.0;
    let got =
        distances([(99_999, 0, 0), (100_001, 99_995, 0), (100_001, 99_994, 0), (100_001, 99_994, 1_000_000_000_002)]);
    // Two decisions from the last pair, one from the second, at the first.
    let far = near(2.0);
    assert_eq!(got[0], [0.0, far, 1.0 + far, 1.0 + far, 2.0 + far, 2.0 + far]);
    assert_eq!(got[1], [near(1.0), 0.0, 0.0, near(1.0), 1.0 + near(1.0), 1.0 + near(1.0)]);
    let last = near(3_000_000_000_009.0);
    assert_eq!(got[2], [near(1.0), 0.0, near(1.0), 0.0, 0.0, last]);
    assert_eq!(got[3], [near(1.0), 0.0, near(1.0), 0.0, 0.0, near(3.0)]);
}
