//! Bounded-exhaustive generation on a model class: which states it reaches, that each test ends in something of its own, that it begins from existing tests.

mod fake;

use std::collections::{BTreeMap, BTreeSet};

use engine::budget::Budget;
use engine::generate::register::TECHNIQUES;
use engine::options::{Evolve, Exhaustive, Options, Style};
use engine::outcome::Outcome;
use engine::session::Session;
use engine::state::{Technique, Techniques};
use fake::{FakeExecutor, FakeLibrary, goals};
use testcase::observed::{
    CallEnd, ObservedCall, ObservedMember, ObservedObject, ObservedSuite, ObservedValue, TestMethod, TestOutcome,
    TestRun,
};
use testcase::operation::{OperationKind, Operations};
use testcase::sequence::Sequence;
use testcase::value::{Constant, Value};

fn options(exhaustive: Exhaustive) -> Options {
    Options { technique: "exhaustive".to_owned(), contracts: false, exhaustive, ..Options::default() }
}

fn session(options: Options, seed: Option<&ObservedSuite>, depth: usize) -> (Session<'static>, FakeExecutor) {
    let mut session = Session::new(&FakeLibrary, goals(), Vec::new(), options).unwrap();
    if let Some(suite) = seed {
        session.seed(suite);
    }
    let mut executor = FakeExecutor { depth, compares: true, ..FakeExecutor::default() };
    session.run(&mut executor, &mut Budget::executions(1_000_000), &mut |_| {}).unwrap();
    (session, executor)
}

fn finished(options: Options, seed: Option<&ObservedSuite>) -> Outcome {
    let (mut session, mut executor) = session(options, seed, 2);
    session.finish(&mut executor, &mut Budget::executions(1_000_000)).unwrap()
}

/// Limit and items of a stack of the model.
type Stack = (i32, Vec<i32>);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Slot {
    Int(i32),
    Null,
    Stack(usize),
}

/// The method executions of a test: name, stacks and ints it was called on.
fn executions(operations: &Operations, sequence: &Sequence) -> Vec<String> {
    let mut heap: Vec<Stack> = Vec::new();
    let mut slots: Vec<Slot> = Vec::new();
    let mut keys = Vec::new();
    for statement in sequence.statements() {
        let args: Vec<Slot> = statement.args.iter().map(|a| slots[a.index()].clone()).collect();
        let name = match &operations.get(statement.op).kind {
            OperationKind::Constant(Constant::Int(n)) => {
                slots.push(Slot::Int(*n));
                continue;
            }
            OperationKind::Constant(_) => {
                slots.push(Slot::Null);
                continue;
            }
            OperationKind::Construct { .. } => "<init>",
            OperationKind::Call { name, .. } => name,
            other => panic!("{other:?}"),
        };
        let show = |slot: &Slot| match slot {
            Slot::Stack(at) => format!("{:?}", heap[*at]),
            other => format!("{other:?}"),
        };
        keys.push(format!("{name} {}", args.iter().map(show).collect::<Vec<_>>().join(" ")));
        let int = |i: usize| if let Slot::Int(n) = args[i] { n } else { panic!("an int") };
        let at = |i: usize| if let Slot::Stack(at) = args[i] { Some(at) } else { None };
        slots.push(match name {
            "<init>" => {
                heap.push((int(0), Vec::new()));
                Slot::Stack(heap.len() - 1)
            }
            "push" => {
                let stack = &mut heap[at(0).unwrap()];
                if (stack.1.len() as i32) < stack.0 {
                    stack.1.push(int(1));
                }
                Slot::Null
            }
            "pop" => heap[at(0).unwrap()].1.pop().map_or(Slot::Null, Slot::Int),
            "join" => match at(1) {
                Some(other) => {
                    let mut joined = heap[at(0).unwrap()].clone();
                    joined.1.extend(heap[other].1.clone());
                    joined.0 += heap[other].0;
                    heap.push(joined);
                    Slot::Stack(heap.len() - 1)
                }
                None => Slot::Null,
            },
            _ => Slot::Null,
        });
    }
    keys
}

/// All states within so many calls, by the book: ints 0, 1, 2, -1 and 3 (the constant in the code); stacks of each limit, or null, to join with.
fn expected_states(iterations: u32) -> usize {
    let ints = [0, 1, 2, -1, 3];
    let begin: Vec<Stack> = ints.iter().filter(|n| **n >= 0).map(|n| (*n, Vec::new())).collect();
    let mut known: BTreeSet<Stack> = begin.iter().cloned().collect();
    let mut frontier = begin.clone();
    for _ in 0..iterations {
        let mut next = Vec::new();
        for (limit, items) in &frontier {
            let mut reached: Vec<Stack> = Vec::new();
            if (items.len() as i32) < *limit {
                reached.extend(ints.iter().map(|n| (*limit, items.iter().copied().chain([*n]).collect())));
            }
            if !items.is_empty() {
                reached.push((*limit, items[..items.len() - 1].to_vec()));
            }
            reached.extend(begin.iter().map(|other| (limit + other.0, items.clone())));
            next.extend(reached.into_iter().filter(|s| known.insert(s.clone())));
        }
        frontier = next;
    }
    known.len()
}

#[test]
fn every_state_within_the_bound_is_reached_once() {
    for iterations in 0..=3 {
        for depth in [1, 3] {
            let settings = Exhaustive { iterations, ..Exhaustive::default() };
            let (session, _) = session(options(settings), None, depth);
            let explored = session.figures().explored.unwrap();
            assert_eq!(explored.states, expected_states(iterations), "{iterations} iterations");
            assert_eq!((explored.iterations, explored.complete), (iterations, true));
        }
    }
}

#[test]
fn states_are_limited() {
    let settings = Exhaustive { max_states: 10, iterations: 50, ..Exhaustive::default() };
    let (session, _) = session(options(settings), None, 1);
    let explored = session.figures().explored.unwrap();
    assert_eq!((explored.states, explored.complete), (10, false));
}

/// Every test of the suite ends in a method execution that no other test has.
fn assert_ends_of_their_own(outcome: &Outcome) {
    let all: Vec<Vec<String>> =
        outcome.suite.iter().map(|t| executions(&outcome.operations, &t.test.sequence)).collect();
    let mut owners: BTreeMap<&String, usize> = BTreeMap::new();
    for test in &all {
        for execution in test.iter().collect::<BTreeSet<_>>() {
            *owners.entry(execution).or_default() += 1;
        }
    }
    for test in &all {
        let last = test.last().unwrap();
        assert_eq!(owners[last], 1, "{last} ends a test and is in others");
        assert_eq!(test.iter().filter(|e| *e == last).count(), 1, "{last} twice in {test:?}");
    }
}

#[test]
fn each_test_ends_in_a_method_execution_that_no_other_has() {
    for iterations in 0..=2 {
        let settings = Exhaustive { iterations, keep_all: true, ..Exhaustive::default() };
        let outcome = finished(options(settings), None);
        assert_ends_of_their_own(&outcome);
        // No method execution is lost: those of the suite are all there are, but for what hangs or is a finding.
        let shown: BTreeSet<String> =
            outcome.suite.iter().flat_map(|t| executions(&outcome.operations, &t.test.sequence)).collect();
        let (session, _) = session(options(settings), None, 1);
        let hanging = session.search().totals.fatal as usize;
        assert_eq!(shown.len() + hanging, session.figures().explored.unwrap().executions, "{iterations} iterations");
    }
}

#[test]
fn calls_that_change_nothing_share_a_test() {
    let settings = Exhaustive { iterations: 1, keep_all: true, ..Exhaustive::default() };
    let outcome = finished(options(settings), None);
    let of_empty: Vec<Vec<String>> = outcome
        .suite
        .iter()
        .map(|t| executions(&outcome.operations, &t.test.sequence))
        .filter(|test| test.iter().any(|e| e == "size (2, [])"))
        .collect();
    assert_eq!(of_empty.len(), 1);
    assert!(of_empty[0].contains(&"isMagic (2, [])".to_owned()), "{of_empty:?}");
}

#[test]
fn other_techniques_lead_to_other_states() {
    let states = |technique| {
        let techniques = Techniques::both(technique);
        let settings = Exhaustive { iterations: 2, techniques, keep_all: true, ..Exhaustive::default() };
        let (session, _) = session(options(settings), None, 1);
        session.figures().explored.unwrap().states
    };
    let whole_state = states(Technique::WholeState);
    assert!(states(Technique::WholeSeq) > states(Technique::ModifyingSeq));
    assert!(states(Technique::ModifyingSeq) > whole_state);
    // The model's equals looks at the items only.
    assert!(states(Technique::PairwiseEquals) < whole_state);
    assert_eq!(states(Technique::MonitorEquals), states(Technique::PairwiseEquals));
}

#[test]
fn the_archive_is_delivered_unless_asked_otherwise() {
    let all = finished(options(Exhaustive { iterations: 2, keep_all: true, ..Exhaustive::default() }), None);
    let few = finished(options(Exhaustive { iterations: 2, ..Exhaustive::default() }), None);
    assert!(few.suite.len() < all.suite.len() / 4, "{} of {}", few.suite.len(), all.suite.len());
}

#[test]
fn it_is_the_same_every_time() {
    let suite = |depth| {
        let settings = Exhaustive { iterations: 2, keep_all: true, ..Exhaustive::default() };
        let (mut session, mut executor) = session(options(settings), None, depth);
        let outcome = session.finish(&mut executor, &mut Budget::executions(1_000_000)).unwrap();
        outcome.suite.into_iter().map(|t| t.test.sequence).collect::<Vec<_>>()
    };
    assert_eq!(suite(1), suite(1));
    assert_eq!(suite(1), suite(4), "however many batches are on their way");
}

/// Name, receiver, arguments, result.
type Call<'a> = (&'a str, Option<u32>, &'a [ObservedValue], Option<u32>);

fn observed_test(calls: &[Call<'_>]) -> (Vec<ObservedMember>, TestRun) {
    let members = [("<init>", "(I)V"), ("push", "(I)V"), ("pop", "()I"), ("join", "(Ldemo/Stack;)Ldemo/Stack;")];
    let run = TestRun {
        method: TestMethod { class: "StackTest".into(), name: "t".into(), descriptor: "()V".into() },
        class: "StackTest".into(),
        display: "t".to_owned(),
        outcome: TestOutcome::Passed,
        calls: calls
            .iter()
            .map(|(name, receiver, arguments, result)| ObservedCall {
                member: members.iter().position(|m| m.0 == *name).unwrap() as u32,
                receiver: receiver.map(stack),
                arguments: arguments.to_vec(),
                joint: None,
                end: if *name == "pop" {
                    CallEnd::Threw("java/util/NoSuchElementException".into())
                } else {
                    CallEnd::Returned(result.map(stack))
                },
                written: Vec::new(),
            })
            .collect(),
        unrecorded: 0,
        assertions: Vec::new(),
        probes: Vec::new(),
        micros: 0,
    };
    let members = members.map(|(name, descriptor)| ObservedMember {
        class: "demo/Stack".into(),
        name: name.into(),
        descriptor: descriptor.into(),
        is_static: false,
    });
    (members.to_vec(), run)
}

fn stack(object: u32) -> ObservedValue {
    ObservedValue::Object(ObservedObject {
        object,
        class: "demo/Stack".into(),
        state: None,
        equals_state: None,
        equals_class: None,
        fallback: None,
    })
}

fn int(n: i32) -> ObservedValue {
    ObservedValue::Plain(Value::Int(n))
}

/// `a = new Stack(9); a.pop() throws; b = new Stack(9); a.push(50); a.push(60); b.join(a)`, and something that cannot be made again.
fn existing() -> ObservedSuite {
    let (members, run) = observed_test(&[
        ("<init>", None, &[int(9)], Some(1)),
        ("pop", Some(1), &[], None),
        ("<init>", None, &[int(9)], Some(2)),
        ("push", Some(1), &[int(50)], None),
        ("push", Some(1), &[int(60)], None),
        ("join", Some(2), &[stack(1)], Some(3)),
        ("join", Some(2), &[stack(77)], Some(4)),
    ]);
    ObservedSuite { members, runs: vec![run], ..ObservedSuite::default() }
}

#[test]
fn existing_tests_are_made_again_as_sequences() {
    let mut session = Session::new(&FakeLibrary, goals(), Vec::new(), options(Exhaustive::default())).unwrap();
    let rebuilt = session.seed(&existing());
    assert_eq!((rebuilt.calls, rebuilt.observed), (6, 7));
    let reasons: Vec<String> = rebuilt.missed.keys().map(ToString::to_string).collect();
    assert_eq!(reasons, ["nothing observed made its demo.Stack"]);
    let operations = session.search().catalog.operations();
    let keys: Vec<Vec<String>> = rebuilt.sequences.iter().map(|s| executions(operations, s)).collect();
    assert_eq!(
        keys,
        [
            vec!["<init> Int(9)", "pop (9, [])"],
            vec![
                "<init> Int(9)",
                "<init> Int(9)",
                "push (9, []) Int(50)",
                "push (9, [50]) Int(60)",
                "join (9, []) (9, [50, 60])"
            ],
        ]
    );
}

#[test]
fn existing_tests_give_arguments_and_states() {
    let settings = Exhaustive { iterations: 1, keep_all: true, ..Exhaustive::default() };
    let outcome = finished(options(settings), Some(&existing()));
    assert_ends_of_their_own(&outcome);
    let shown: BTreeSet<String> =
        outcome.suite.iter().flat_map(|t| executions(&outcome.operations, &t.test.sequence)).collect();
    // New combinations of what the tests had.
    for expected in ["push (9, [50, 60]) Int(50)", "push (9, []) Int(60)", "join (9, [50]) (9, [50, 60])"] {
        assert!(shown.contains(expected), "{expected} in {shown:#?}");
    }
    assert!(!shown.iter().any(|e| e.starts_with("push") && e.ends_with("Int(1)")), "arguments are those of the tests");
    // What the tests have themselves ends no new test.
    let ends: Vec<String> =
        outcome.suite.iter().map(|t| executions(&outcome.operations, &t.test.sequence).pop().unwrap()).collect();
    for present in ["pop (9, [])", "push (9, []) Int(50)", "join (9, []) (9, [50, 60])"] {
        assert!(!ends.contains(&present.to_owned()), "{present}");
    }
}

#[test]
fn every_technique_begins_with_existing_tests() {
    for technique in TECHNIQUES {
        for style in [Style::ManyObjective, Style::Gp] {
            let evolve = Evolve { style, ..Evolve::default() };
            let options = Options { technique: technique.name.to_owned(), evolve, ..Options::default() };
            begins_with_existing_tests(options);
        }
    }
}

fn begins_with_existing_tests(options: Options) {
    let technique = options.technique.clone();
    let mut session = Session::new(&FakeLibrary, goals(), Vec::new(), options).unwrap();
    session.seed(&existing());
    let mut executor = FakeExecutor::default();
    session.run(&mut executor, &mut Budget::executions(2), &mut |_| {}).unwrap();
    let search = session.search();
    let thrown = search.goals.iter().any(|(id, g)| {
        g.exception.as_ref().is_some_and(|e| e.internal() == "java/util/NoSuchElementException")
            && search.goals.is_covered(id)
    });
    assert!(thrown, "{technique}: the first execution is the first existing test");
}
