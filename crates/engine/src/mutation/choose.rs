//! Which assertions stay. Owns the choice: few, plain, and together noticing every mutant that any of them notices. A test that notices nothing new
//! keeps one assertion all the same, because a test without any looks like a mistake.

use testcase::assertion::{Assertion, TestCase};
use testcase::sequence::{Sequence, Var};
use testcase::value::Value;

use super::analyse::Analysis;

/// Most assertions in a test.
const MOST: usize = 3;
/// Longer values are harder to read.
const SHORT: usize = 24;
/// Kills per effort are compared as whole numbers.
const SCALE: usize = 60;

/// Leaves out the assertions that notice nothing, and the calls at the end that nobody looks at any more.
pub fn choose(tests: &mut [TestCase], analysis: &Analysis) {
    let chosen = cover(tests, analysis);
    let mut reach = Reach::new(tests, analysis);
    for (t, chosen) in chosen.into_iter().enumerate() {
        reach.cut(tests, t, &chosen);
    }
}

/// The same when nothing is known of mutants: each test keeps its best few.
pub fn without_analysis(tests: &mut [TestCase], most: usize) {
    let nothing = Analysis { reached: vec![Vec::new(); tests.len()], ..Analysis::default() };
    let mut reach = Reach::new(tests, &nothing);
    for t in 0..tests.len() {
        let best: Vec<usize> = ranked(&tests[t]).into_iter().take(most).collect();
        reach.cut(tests, t, &best);
    }
}

/// The assertions of a test, the most telling first: what the test did last, what was asked afterwards, what came before.
fn ranked(test: &TestCase) -> Vec<usize> {
    let mut order: Vec<usize> = (0..test.assertions.len()).collect();
    order.sort_by_key(|&a| (place(test, &test.assertions[a]), a));
    order
}

fn place(test: &TestCase, assertion: &Assertion) -> usize {
    let at = assertion.var().index();
    match test.subject.map(Var::index) {
        Some(subject) if at == subject => 0,
        Some(subject) if at > subject => at - subject,
        Some(subject) => 100 + subject - at,
        None => at,
    }
}

/// How much there is to read: more for long values and for calls made only to look.
fn effort(test: &TestCase, assertion: &Assertion) -> usize {
    let value = match assertion {
        Assertion::Equals { value, .. } | Assertion::ArrayEquals { value, .. } => match length(value) {
            0..=SHORT => 3,
            _ => 5,
        },
        Assertion::NotNull { .. } | Assertion::Same { .. } | Assertion::InstanceOf { .. } => 3,
    };
    let asked = test.subject.is_some_and(|s| assertion.var().index() > s.index());
    value + usize::from(asked)
}

fn length(value: &Value) -> usize {
    match value {
        Value::String(s) => s.units().len(),
        Value::Array { elements, .. } => 2 + elements.iter().map(|e| 2 + length(e)).sum::<usize>(),
        Value::Boxed(inner) => length(inner),
        _ => 4,
    }
}

/// For each test the assertions it keeps, best first.
fn cover(tests: &[TestCase], analysis: &Analysis) -> Vec<Vec<usize>> {
    /// An assertion and the mutants it notices.
    struct Candidate {
        test: usize,
        assertion: usize,
        effort: usize,
        mutants: Vec<usize>,
    }
    let mut of_test: Vec<Vec<Vec<usize>>> = tests.iter().map(|t| vec![Vec::new(); t.assertions.len()]).collect();
    for (mutant, kills) in analysis.kills.iter().enumerate() {
        // Where a test fails anyway no assertion is needed.
        if kills.iter().any(|k| k.assertions.is_empty()) {
            continue;
        }
        for kill in kills {
            for &a in &kill.assertions {
                of_test[kill.test as usize][usize::from(a)].push(mutant);
            }
        }
    }
    let mut candidates: Vec<Candidate> = Vec::new();
    for (t, mut mutants) in of_test.into_iter().enumerate() {
        for a in ranked(&tests[t]) {
            let effort = effort(&tests[t], &tests[t].assertions[a]);
            candidates.push(Candidate { test: t, assertion: a, effort, mutants: std::mem::take(&mut mutants[a]) });
        }
    }
    let mut noticed = vec![false; analysis.kills.len()];
    let mut chosen: Vec<Vec<usize>> = vec![Vec::new(); tests.len()];
    loop {
        let worth = |c: &Candidate| c.mutants.iter().filter(|m| !noticed[**m]).count() * SCALE / c.effort;
        let best = candidates
            .iter()
            .enumerate()
            .filter(|(_, c)| chosen[c.test].len() < MOST)
            .map(|(i, c)| (worth(c), std::cmp::Reverse(i)))
            .max();
        let Some((1.., std::cmp::Reverse(best))) = best else { break };
        // Its mutants are noticed from now on, so it is worth nothing in the next round.
        let best = &candidates[best];
        for m in &best.mutants {
            noticed[*m] = true;
        }
        chosen[best.test].push(best.assertion);
    }
    for (t, chosen) in chosen.iter_mut().enumerate().filter(|(_, c)| c.is_empty()) {
        chosen.extend(ranked(&tests[t]).first());
    }
    chosen
}

/// Which sites how many tests reach, so that no site is lost with a call that only looked.
struct Reach<'a> {
    analysis: &'a Analysis,
    tests_at: Vec<u32>,
}

impl<'a> Reach<'a> {
    fn new(tests: &[TestCase], analysis: &'a Analysis) -> Reach<'a> {
        let last = analysis.reached.iter().take(tests.len()).flatten().map(|(_, site)| *site).max();
        let mut tests_at = vec![0; last.map_or(0, |n| n as usize + 1)];
        for (_, site) in analysis.reached.iter().flatten() {
            tests_at[*site as usize] += 1;
        }
        Reach { analysis, tests_at }
    }

    /// Keeps these assertions of a test, and of the calls behind its subject those that an assertion needs or that alone reach something.
    fn cut(&mut self, tests: &mut [TestCase], t: usize, chosen: &[usize]) {
        let test = &tests[t];
        let asserted = |at: usize| chosen.iter().any(|&a| mentions(&test.assertions[a], at));
        let subject = test.subject.map_or(test.sequence.len(), Var::index);
        let mut keep = vec![true; test.sequence.len()];
        for at in (subject + 1..test.sequence.len()).rev() {
            let used = uses(&test.sequence, &keep, at);
            let of_statement = || self.analysis.reached[t].iter().filter(|(s, _)| usize::from(*s) == at);
            if used || asserted(at) || of_statement().any(|(_, site)| self.tests_at[*site as usize] <= 1) {
                continue;
            }
            keep[at] = false;
            for (_, site) in of_statement() {
                self.tests_at[*site as usize] -= 1;
            }
        }
        let cut = test.sequence.keep(&keep);
        let mut kept: Vec<usize> = chosen.to_vec();
        kept.sort_unstable();
        let assertions =
            kept.iter().filter_map(|&a| test.assertions[a].clone().renumbered(|v| cut.var(v))).collect::<Vec<_>>();
        let test = &mut tests[t];
        test.subject = test.subject.and_then(|s| cut.var(s));
        test.assertions = assertions;
        test.sequence = cut.sequence;
    }
}

/// Some kept statement behind it takes its value.
fn uses(sequence: &Sequence, keep: &[bool], at: usize) -> bool {
    let behind = sequence.statements().iter().zip(keep).skip(at + 1);
    behind.filter(|(_, kept)| **kept).any(|(s, _)| s.args.iter().any(|a| a.index() == at))
}

fn mentions(assertion: &Assertion, at: usize) -> bool {
    match assertion {
        Assertion::Same { left, right, .. } => left.index() == at || right.index() == at,
        other => other.var().index() == at,
    }
}
