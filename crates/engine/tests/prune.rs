//! The pool under every technique: coarser ones keep fewer values, and all of them lead to the same coverage.

mod fake;

use engine::budget::Budget;
use engine::options::Options;
use engine::pool::Prune;
use engine::session::Session;
use engine::state::Technique;
use engine::state::histories::Histories;
use fake::{FakeExecutor, FakeLibrary, goals};
use testcase::executor::{Detail, Executor, Observe, Request};
use testcase::operation::{OpId, OperationKind};
use testcase::sequence::{SequenceBuilder, Var};
use testcase::types::Type;
use testcase::value::Constant;

fn searched(prune: Prune, executions: u64) -> Session<'static> {
    let options = Options { prune, seed: 3, pool_per_type: 100_000, ..Options::default() };
    let mut session = Session::new(&FakeLibrary, goals(), Vec::new(), options).unwrap();
    let mut executor = FakeExecutor { depth: 1, compares: true, ..FakeExecutor::default() };
    session.run(&mut executor, &mut Budget::executions(executions), &mut |_| {}).unwrap();
    session
}

/// One value in so many may be kept by one of the two alone.
const A_LITTLE: usize = 40;

#[test]
fn coarser_techniques_keep_fewer_values() {
    let kept = |technique| searched(Prune::by(technique), 2000).search().pool.len();
    let (whole_seq, modifying_seq) = (kept(Technique::WholeSeq), kept(Technique::ModifyingSeq));
    let (state, equals) = (kept(Technique::WholeState), kept(Technique::PairwiseEquals));
    // What the model's equals reads is what it compares; the memory of what was seen forgets a little, not the same in both.
    let monitor = kept(Technique::MonitorEquals);
    assert!(monitor.abs_diff(equals) * A_LITTLE <= equals, "{monitor}, {equals}");
    assert!(
        whole_seq > modifying_seq && modifying_seq > state && state > equals && equals > 0,
        "{whole_seq}, {modifying_seq}, {state}, {equals}"
    );
}

#[test]
fn every_technique_leads_to_the_same_coverage() {
    for technique in Technique::ALL {
        let session = searched(Prune::by(technique), 20_000);
        let goals = &session.search().goals;
        let left: Vec<&str> =
            goals.iter().filter(|(id, _)| !goals.is_covered(*id)).map(|(_, g)| &*goals.method(g.method).name).collect();
        assert_eq!(left, ["spin"], "{technique}");
    }
}

/// Runs `new Stack(9)` and these calls one after the other, looking at each; the history of the stack.
fn history(session: &mut Session<'_>, histories: &mut Histories, five: OpId, calls: &[&str]) -> u64 {
    let op = |session: &Session<'_>, name: &str| {
        let operations = session.search().catalog.operations();
        let found = operations.iter().find(|(_, o)| match &o.kind {
            OperationKind::Construct { .. } => name == "new",
            OperationKind::Call { name: n, .. } => &**n == name,
            _ => false,
        });
        found.unwrap().0
    };
    let mut builder = SequenceBuilder::default();
    builder.push(five, &[]);
    builder.push(op(session, "new"), &[Var(0)]);
    let mut executor = FakeExecutor::default();
    for name in calls {
        let push: &[Var] = if *name == "push" { &[Var(1), Var(0)] } else { &[Var(1)] };
        builder.push(op(session, name), push);
        let sequence = builder.clone().finish();
        let detail = Detail { observe: Observe::LastStatement, states: true, ..Detail::default() };
        let request = Request { sequence: sequence.clone(), detail, cost: 1, fault: None };
        let executions = executor.run(session.search().catalog.operations(), vec![request]).unwrap();
        histories.look(&session.search().catalog, &sequence, &executions[0]);
    }
    histories.of(1).unwrap()
}

#[test]
fn histories_leave_out_calls_without_effect_if_asked() {
    let mut session = searched(Prune::Nothing, 500);
    let operations = session.search().catalog.operations();
    let int = Type::Primitive(bytecode::names::Primitive::Int);
    let five =
        operations.iter().find(|(_, o)| matches!(o.kind, OperationKind::Constant(Constant::Int(5))) && o.result == int);
    let five = five.expect("five is a plain constant").0;
    let mut same = |writes_only, first: &[&str], second: &[&str]| {
        let mut histories = Histories::new(writes_only);
        let first = history(&mut session, &mut histories, five, first);
        first == history(&mut session, &mut histories, five, second)
    };
    assert!(same(false, &["push"], &["push"]));
    assert!(!same(false, &["push"], &["size", "push"]));
    assert!(same(true, &["push"], &["size", "push", "size"]));
    assert!(!same(true, &["push", "pop"], &["push", "push"]));
    assert!(!same(true, &["push"], &["push", "push", "pop"]), "calls that undo others are calls all the same");
}
