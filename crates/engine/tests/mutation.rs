//! Mutation analysis with a scripted executor: which runs it asks for, what becomes of each mutant, and which assertions stay.

use std::sync::Arc;

use bytecode::mutate::Operator;
use bytecode::names::ClassName;
use engine::goal::Count;
use engine::mutation::analyse::{By, Kill};
use engine::mutation::judge::{Verdict, judge};
use engine::mutation::settle::both;
use engine::mutation::{
    Analysis, Fate, Faulty, Mutant, Scores, Wanted, Witness, analyse, choose, fates, without_analysis,
};
use testcase::assertion::{Assertion, Expectation, TestCase};
use testcase::execution::{Execution, Observation, Outcome, ProbeHit, ProbeId, Thrown, ThrownDetail};
use testcase::executor::{Executor, ExecutorProblem, Fault, Request};
use testcase::operation::{OpId, Operations};
use testcase::sequence::{Sequence, Statement, Var};
use testcase::value::Value;

/// A chain of calls: each statement takes the first's value.
fn sequence(length: u16) -> Sequence {
    let statement = |i: u16| Statement { op: OpId(u32::from(i)), args: (0..i.min(1)).map(|_| Var(0)).collect() };
    Sequence::new((0..length).map(statement).collect::<Vec<_>>())
}

fn equals(var: u16, value: i32) -> Assertion {
    Assertion::Equals { var: Var(var), value: Value::Int(value) }
}

fn test(length: u16, subject: u16, assertions: Vec<Assertion>) -> TestCase {
    TestCase { sequence: sequence(length), assertions, expectation: Expectation::Passes, subject: Some(Var(subject)) }
}

fn throwing(length: u16, class: &str, message: Option<&str>) -> TestCase {
    let expectation = Expectation::Throws { class: ClassName::new(class), message: message.map(Arc::from) };
    TestCase { sequence: sequence(length), assertions: Vec::new(), expectation, subject: None }
}

fn observation(var: u16, value: Value) -> Observation {
    Observation {
        statement: var,
        var: Var(var),
        class: None,
        state: None,
        equals_class: None,
        equals_state: None,
        same_as: None,
        value: Some(value),
        changed: None,
    }
}

fn execution(outcome: Outcome, values: &[i32], hits: &[(u16, u32)]) -> Execution {
    Execution {
        probes: hits.iter().map(|&(statement, p)| ProbeHit { statement, probe: ProbeId(p) }).collect(),
        observations: (0u16..).zip(values).map(|(i, v)| observation(i, Value::Int(*v))).collect(),
        steps: 10,
        ..Execution::ended(outcome)
    }
}

fn threw(statement: u16, class: &str, message: Option<&str>, supers: &[&str]) -> Outcome {
    let detail = ThrownDetail {
        message: message.map(Arc::from),
        frames: Vec::new(),
        cause: None,
        supers: supers.iter().map(|s| ClassName::new(*s)).collect(),
    };
    Outcome::Threw { statement, exception: Thrown { class: ClassName::new(class), detail: Some(Arc::new(detail)) } }
}

/// Mutants by number, in sites of their own: number 2 is at site 1, 4 at site 3, and so on.
fn faulty(mutants: &[(u32, Operator, bool)]) -> Faulty {
    let mutant = |&(number, operator, measurable): &(u32, Operator, bool)| Mutant {
        number,
        site: number - 1,
        class: ClassName::new("C"),
        method: Arc::from(format!("m{number}")),
        descriptor: Arc::from("()V"),
        line: Some(1),
        operator,
        words: String::new(),
        measurable,
    };
    let numbers = mutants.iter().map(|m| m.0 + 1).max().unwrap_or(1);
    Faulty { classes: Vec::new(), mutants: mutants.iter().map(mutant).collect(), numbers, notes: Vec::new() }
}

struct Scripted<F: FnMut(&Sequence, Option<Fault>) -> Execution> {
    script: F,
    /// Mutants run, with the length of the sequence.
    asked: Vec<(u32, usize)>,
    answers: Vec<Vec<Execution>>,
}

impl<F: FnMut(&Sequence, Option<Fault>) -> Execution> Executor for Scripted<F> {
    fn submit(&mut self, _: &Operations, batch: Vec<Request>) -> Result<(), ExecutorProblem> {
        let mut answers = Vec::new();
        for request in batch {
            if let Some(fault) = request.fault {
                self.asked.push((fault.mutant, request.sequence.len()));
            }
            answers.push((self.script)(&request.sequence, request.fault));
        }
        self.answers.insert(0, answers);
        Ok(())
    }

    fn collect(&mut self) -> Result<Vec<Execution>, ExecutorProblem> {
        Ok(self.answers.pop().unwrap())
    }

    fn set_best(&mut self, _: &[(ProbeId, u32)]) {}
}

fn run(
    tests: &[TestCase],
    faulty: &Faulty,
    script: impl FnMut(&Sequence, Option<Fault>) -> Execution,
) -> (Analysis, Vec<(u32, usize)>) {
    let mut executor = Scripted { script, asked: Vec::new(), answers: Vec::new() };
    let analysis = analyse(&mut executor, &Operations::default(), tests, faulty, Wanted::Few, &mut || false).unwrap();
    (analysis, executor.asked)
}

fn check(test: &TestCase, with: Outcome, values: &[i32], expected: Verdict) {
    assert_eq!(judge(test, &execution(with.clone(), values, &[])), expected, "{test:?} {with:?}");
}

#[test]
fn a_test_notices_what_it_asserts_and_what_throws() {
    let asserting = test(3, 2, vec![equals(1, 5), equals(2, 7)]);
    check(&asserting, Outcome::Normal, &[0, 5, 7], Verdict::Passes);
    check(&asserting, Outcome::Normal, &[9, 5, 7], Verdict::Passes);
    check(&asserting, Outcome::Normal, &[0, 5, 8], Verdict::Fails(vec![1]));
    check(&asserting, Outcome::Normal, &[0, 6, 8], Verdict::Fails(vec![0, 1]));
    check(&asserting, threw(1, "E", None, &[]), &[0], Verdict::FailsAnyway);
    check(&asserting, Outcome::StepLimit { statement: 2 }, &[0, 5], Verdict::FailsAnyway);
    check(&asserting, Outcome::Quarantined, &[], Verdict::Unknown);
    check(&asserting, Outcome::Killed { statement: None, status: None }, &[], Verdict::Unknown);
    check(&asserting, Outcome::Killed { statement: Some(1), status: None }, &[], Verdict::FailsAnyway);
    let expecting = throwing(2, "E", Some("why"));
    check(&expecting, threw(1, "E", Some("why"), &[]), &[], Verdict::Passes);
    check(&expecting, threw(1, "Sub", Some("why"), &["E"]), &[], Verdict::Passes);
    check(&expecting, threw(1, "E", Some("because"), &[]), &[], Verdict::FailsAnyway);
    check(&expecting, threw(1, "Other", Some("why"), &["Exception"]), &[], Verdict::FailsAnyway);
    check(&expecting, threw(0, "E", Some("why"), &[]), &[], Verdict::FailsAnyway);
    check(&expecting, Outcome::Normal, &[], Verdict::FailsAnyway);
}

#[test]
fn other_assertions_notice_null_and_other_classes() {
    let of = |assertion| test(2, 1, vec![assertion]);
    let with = |value: Value, class: Option<&str>| {
        let mut e = execution(Outcome::Normal, &[0], &[]);
        let class = class.map(ClassName::new);
        e.observations.push(Observation { class, ..observation(1, value) });
        e
    };
    let object = || with(Value::Object { class: ClassName::new("A") }, Some("A"));
    let null = || with(Value::Null, None);
    let (not_null, is_a) =
        (of(Assertion::NotNull { var: Var(1) }), of(Assertion::InstanceOf { var: Var(1), class: ClassName::new("A") }));
    assert_eq!(judge(&not_null, &object()), Verdict::Passes);
    assert_eq!(judge(&not_null, &null()), Verdict::Fails(vec![0]));
    assert_eq!(judge(&is_a, &object()), Verdict::Passes);
    assert_eq!(judge(&is_a, &with(Value::Object { class: ClassName::new("B") }, Some("B"))), Verdict::Fails(vec![0]));
    // Which object it is counts where objects have no value of their own.
    let same = |same| of(Assertion::Same { left: Var(0), right: Var(1), same });
    let two = |same_as: Option<u16>| {
        let seen = |var| Observation { value: None, ..observation(var, Value::Null) };
        let right = Observation { same_as: same_as.map(Var), ..seen(1) };
        Execution { observations: vec![seen(0), right], ..execution(Outcome::Normal, &[], &[]) }
    };
    let mut gone = two(None);
    gone.observations[1].value = Some(Value::Null);
    for (execution, is_same) in [(two(Some(0)), true), (two(None), false), (gone, false)] {
        let verdict = |holds| if holds { Verdict::Passes } else { Verdict::Fails(vec![0]) };
        assert_eq!(judge(&same(true), &execution), verdict(is_same));
        assert_eq!(judge(&same(false), &execution), verdict(!is_same));
    }
    // Arrays are looked at when everything is done.
    let array = |n: i32| Value::Array {
        class: bytecode::names::FieldType::parse("[I").unwrap(),
        elements: vec![Value::Int(n)],
    };
    let same = of(Assertion::ArrayEquals { var: Var(1), value: array(2) });
    let mut late = with(array(2), None);
    assert_eq!(judge(&same, &late), Verdict::Passes);
    late.observations.push(observation(1, array(3)));
    assert_eq!(judge(&same, &late), Verdict::Fails(vec![0]));
}

#[test]
fn only_mutants_that_make_a_difference_run_and_each_gets_its_fate() {
    let tests = [test(2, 1, vec![equals(1, 5)]), test(3, 2, vec![equals(1, 5), equals(2, 7)])];
    let faulty = faulty(&[
        (2, Operator::Math, true),
        (4, Operator::Negated, true),
        (6, Operator::Boundary, true),
        (8, Operator::Constant, true),
        (10, Operator::Math, false),
        (12, Operator::VoidCall, true),
    ]);
    // Mutants 2, 4 and 12 make a difference to both tests; 6 is reached without making any, 8 is not reached.
    let hits = [(1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (1, 9), (1, 10), (1, 11), (1, 12)];
    let (analysis, asked) = run(&tests, &faulty, |sequence, fault| {
        let values: &[i32] = &[0, 5, 7][..sequence.len()];
        match fault.map(|f| f.mutant) {
            None => execution(Outcome::Normal, values, &hits),
            Some(2) if sequence.len() == 3 => execution(Outcome::Normal, &[0, 5, 8], &[]),
            Some(4) => execution(threw(1, "E", None, &[]), &[0], &[]),
            Some(_) => execution(Outcome::Normal, values, &[]),
        }
    });
    use Fate::{Killed, Survived, Unmeasured, Unreached};
    assert_eq!(analysis.fates, [Killed, Killed, Survived, Unreached, Unmeasured, Survived]);
    assert_eq!(analysis.kills[0], [Kill { test: 1, by: By::Assertions(vec![1]) }]);
    assert_eq!(analysis.kills[1], [Kill { test: 0, by: By::Statement(1) }]);
    // A mutant that makes a test throw needs no second test.
    assert_eq!(asked, [(2, 2), (4, 2), (12, 2), (2, 3), (12, 3)]);
    let scores = Scores::of(&faulty, &analysis.fates);
    assert_eq!(scores.common, Count { covered: 2, total: 4 });
    assert_eq!(scores.all, Count { covered: 2, total: 5 });
    assert_eq!(scores.unmeasured, 1);
}

#[test]
fn tests_that_fail_without_a_fault_are_no_witnesses() {
    let faulty = faulty(&[(2, Operator::Math, true)]);
    let (analysis, asked) =
        run(&[test(2, 1, vec![equals(1, 5)])], &faulty, |_, _| execution(Outcome::Normal, &[0, 6], &[(1, 1), (1, 2)]));
    assert_eq!((analysis.fates, asked), (vec![Fate::Unreached], vec![]));
}

#[test]
fn a_method_that_costs_workers_is_left_alone() {
    let tests: Vec<TestCase> = (0..4).map(|_| test(2, 1, vec![equals(1, 5)])).collect();
    let mut faulty = faulty(&[2, 4, 6, 8].map(|number| (number, Operator::Math, true)));
    for mutant in &mut faulty.mutants[..3] {
        mutant.method = Arc::from("hangs");
    }
    let hits: Vec<(u16, u32)> = (1..=8).map(|number| (1, number)).collect();
    let (analysis, asked) = run(&tests, &faulty, |_, fault| match fault.map(|f| f.mutant) {
        Some(2) => execution(Outcome::WallClock { statement: Some(1) }, &[], &[]),
        Some(4) => execution(Outcome::Crashed { statement: Some(1), signal: None }, &[], &[]),
        _ => execution(Outcome::Normal, &[0, 5], &hits),
    });
    assert_eq!(analysis.fates, [Fate::Killed, Fate::Killed, Fate::Unmeasured, Fate::Survived]);
    let runs = |mutant: u32| asked.iter().filter(|(m, _)| *m == mutant).count();
    assert_eq!([2, 4, 6, 8].map(runs), [1, 1, 1, 4]);
}

#[test]
fn later_all_tests_that_notice_a_mutant_are_known() {
    let tests: Vec<TestCase> = (0..5).map(|_| test(2, 1, vec![equals(1, 5)])).collect();
    let faulty = faulty(&[(2, Operator::Math, true), (4, Operator::Math, true), (6, Operator::Math, true)]);
    // The first is noticed by everybody, the second by nobody, the third cost a worker.
    let script = |_: &Sequence, fault: Option<Fault>| match fault.map(|f| f.mutant) {
        Some(2) => execution(Outcome::Normal, &[0, 6], &[]),
        Some(6) => execution(Outcome::WallClock { statement: Some(1) }, &[0], &[]),
        _ => execution(Outcome::Normal, &[0, 5], &[(1, 1), (1, 2), (1, 4), (1, 6)]),
    };
    let (few, _) = run(&tests, &faulty, script);
    let known = |a: &Analysis| a.kills.iter().map(Vec::len).collect::<Vec<_>>();
    assert_eq!(known(&few), [3, 0, 1]);
    let mut executor = Scripted { script, asked: Vec::new(), answers: Vec::new() };
    let wanted = Wanted::All(&few);
    let all = analyse(&mut executor, &Operations::default(), &tests, &faulty, wanted, &mut || false).unwrap();
    assert_eq!(known(&all), [5, 0, 0]);
    assert!(executor.asked.iter().all(|(mutant, _)| *mutant == 2), "{:?}", executor.asked);
}

#[test]
fn two_looks_at_a_test_are_one() {
    let seen = |kills: &[u32]| Witness { sites: Vec::new(), kills: kills.iter().map(|m| (*m, Vec::new())).collect() };
    let both = both(vec![seen(&[1, 2]), seen(&[3])], vec![seen(&[2, 3]), seen(&[4])]);
    // The second was thought to notice 3.
    assert_eq!(both, [seen(&[1, 2, 3]), seen(&[4])]);
}

#[test]
fn what_there_is_no_time_for_is_not_measured() {
    let tests = [test(2, 1, vec![equals(1, 5)])];
    let faulty = faulty(&[(2, Operator::Math, true), (4, Operator::Math, true)]);
    let mut executor = Scripted {
        script: |_: &Sequence, _| execution(Outcome::Normal, &[0, 5], &[(1, 1), (1, 2)]),
        asked: Vec::new(),
        answers: Vec::new(),
    };
    let mut asked = 0;
    let mut expired = || {
        asked += 1;
        asked > 2
    };
    let analysis = analyse(&mut executor, &Operations::default(), &tests, &faulty, Wanted::Few, &mut expired).unwrap();
    assert_eq!(analysis.fates, [Fate::Unmeasured, Fate::Unreached]);
    let analysis = analyse(&mut executor, &Operations::default(), &tests, &faulty, Wanted::Few, &mut || true).unwrap();
    assert_eq!(analysis.fates, [Fate::Unmeasured, Fate::Unmeasured]);
}

/// What the assertions of each test notice: per mutant the tests with the assertions that fail.
fn noticing(kills: &[&[(u32, &[u16])]], reached: Vec<Vec<(u16, u32)>>) -> Analysis {
    let by = |assertions: &[u16]| match assertions {
        [] => By::Statement(1),
        some => By::Assertions(some.to_vec()),
    };
    let kill = |&(test, assertions): &(u32, &[u16])| Kill { test, by: by(assertions) };
    Analysis {
        fates: vec![Fate::Killed; kills.len()],
        kills: kills.iter().map(|k| k.iter().map(kill).collect()).collect(),
        reached,
        ..Analysis::default()
    }
}

fn lengths(tests: &[TestCase]) -> Vec<(usize, usize)> {
    tests.iter().map(|t| (t.sequence.len(), t.assertions.len())).collect()
}

#[test]
fn few_assertions_notice_what_all_did() {
    // Two observers behind the subject of each test.
    let candidates = || vec![equals(1, 1), equals(2, 2), equals(3, 3)];
    let mut tests = [test(4, 1, candidates()), test(4, 1, candidates()), test(4, 1, candidates())];
    let kills: [&[(u32, &[u16])]; 4] =
        [&[(0, &[0, 1]), (1, &[2])], &[(0, &[1]), (2, &[0])], &[(0, &[1])], &[(1, &[2]), (2, &[])]];
    let analysis = noticing(&kills, vec![Vec::new(); 3]);
    let witnesses = choose(&mut tests, &analysis);
    // The second assertion of the first test notices all but the last mutant, which makes the third test fail anyway.
    assert_eq!(tests[0].assertions, [equals(2, 2)]);
    assert_eq!(tests[1].assertions, [equals(1, 1)], "one honest assertion");
    assert_eq!(tests[2].assertions, [equals(1, 1)]);
    assert_eq!(lengths(&tests), [(3, 1), (2, 1), (2, 1)], "observers nobody looks at are gone");
    // Only what the assertions that are left notice counts.
    assert_eq!(witnesses[0].kills, [(0, vec![0]), (1, vec![0]), (2, vec![0])]);
    assert_eq!(witnesses[1].kills, []);
    assert_eq!(witnesses[2].kills, [(1, vec![0]), (3, vec![])]);
    let faulty = faulty(&[2, 4, 6, 8].map(|number| (number, Operator::Math, true)));
    let of = |tests: &[Witness]| fates(&faulty, &analysis, tests.iter());
    use Fate::{Killed, Unreached};
    assert_eq!(of(&witnesses), [Killed; 4]);
    assert_eq!(of(&witnesses[2..]), [Unreached, Killed, Unreached, Killed], "the first two tests are not delivered");
    let bare = TestCase { assertions: Vec::new(), ..tests[2].clone() };
    let left = witnesses[2].of_what_is_left(&tests[2], &bare);
    assert_eq!(of(&[left]), [Unreached, Unreached, Unreached, Killed], "the last test lost its assertions");
}

#[test]
fn a_call_that_throws_with_a_mutant_stays() {
    let mut tests = [test(4, 1, vec![equals(1, 1)])];
    let mut analysis = noticing(&[&[(0, &[])]], vec![vec![(3, 1)]]);
    analysis.kills[0][0].by = By::Statement(3);
    let witnesses = choose(&mut tests, &analysis);
    assert_eq!(lengths(&tests), [(3, 1)]);
    assert_eq!(tests[0].sequence.statements()[2].op, OpId(3));
    assert_eq!(witnesses, [Witness { sites: vec![1], kills: vec![(0, vec![])] }]);
}

#[test]
fn a_call_that_throws_with_a_mutant_goes_if_a_later_one_throws_as_well() {
    let mut tests = [test(4, 1, vec![equals(3, 3)])];
    let mut statements = tests[0].sequence.statements().to_vec();
    for look in &mut statements[2..] {
        look.args = [Var(1)].into_iter().collect();
    }
    tests[0].sequence = Sequence::new(statements);
    let mut analysis = noticing(&[&[(0, &[])]], vec![vec![(2, 1), (3, 1)]]);
    analysis.kills[0][0].by = By::Statement(2);
    let witnesses = choose(&mut tests, &analysis);
    assert_eq!(lengths(&tests), [(3, 1)]);
    assert_eq!(tests[0].sequence.statements()[2].op, OpId(3));
    assert_eq!(witnesses, [Witness { sites: vec![1], kills: vec![(0, vec![])] }]);
}

#[test]
fn a_call_that_alone_reaches_a_place_stays() {
    let mut tests = [test(4, 1, vec![equals(1, 1), equals(3, 3)]), test(2, 1, vec![equals(1, 1)])];
    let reached = vec![vec![(1, 1), (2, 3), (3, 5)], vec![(1, 3)]];
    choose(&mut tests, &noticing(&[], reached));
    assert_eq!(lengths(&tests), [(3, 2), (2, 1)]);
    assert_eq!(tests[0].sequence.statements()[2].op, OpId(3));
    assert_eq!(tests[0].assertions, [equals(1, 1), equals(2, 3)], "with what it shows");
}

#[test]
fn no_test_gets_more_than_a_few() {
    let mut tests = [test(6, 5, (0..6).map(|i| equals(i, 0)).collect())];
    let kills: [&[(u32, &[u16])]; 6] =
        [&[(0, &[0])], &[(0, &[1])], &[(0, &[2])], &[(0, &[3])], &[(0, &[4])], &[(0, &[5])]];
    choose(&mut tests, &noticing(&kills, vec![Vec::new()]));
    // The latest results are the most telling.
    assert_eq!(tests[0].assertions, [equals(3, 0), equals(4, 0), equals(5, 0)]);
}

#[test]
fn without_analysis_the_best_stay() {
    let mut tests = [test(4, 1, vec![equals(0, 0), equals(1, 1), equals(2, 2), equals(3, 3)])];
    without_analysis(&mut tests, 2);
    assert_eq!(tests[0].assertions, [equals(1, 1), equals(2, 2)]);
    assert_eq!(lengths(&tests), [(3, 2)]);
}
