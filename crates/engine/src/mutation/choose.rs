//! Which assertions stay, and which of the calls made only to look. Owns the choice: few, plain, and together noticing what all of them notice as far as
//! a few per test can. A test that notices nothing new keeps one assertion if it has any, because a test without looks like a mistake.

use std::collections::BTreeSet;

use testcase::assertion::{Assertion, TestCase};
use testcase::sequence::{Sequence, Var};
use testcase::value::Value;

use super::analyse::{Analysis, By};
use super::witness::Witness;

/// Most assertions in a test.
const MOST: usize = 3;
/// Longer values are harder to read.
const SHORT: usize = 24;
/// Kills per effort are compared as whole numbers.
const SCALE: usize = 60;

/// Leaves out the assertions that notice nothing new, and the calls at the end that nobody looks at any more. Says of each test what it still does to
/// mutants.
pub fn choose(tests: &mut [TestCase], analysis: &Analysis) -> Vec<Witness> {
    let chosen = cover(tests, analysis);
    let mut reach = Reach::new(tests, analysis);
    let remains: Vec<Remains> =
        chosen.into_iter().enumerate().map(|(t, chosen)| reach.cut(tests, t, &chosen)).collect();
    let mut witnesses: Vec<Witness> = remains
        .iter()
        .zip(&analysis.reached)
        .map(|(left, reached)| {
            let sites = reached.iter().filter(|(s, _)| left.statements[usize::from(*s)]).map(|(_, site)| *site);
            Witness { sites: sites.collect(), kills: Vec::new() }
        })
        .collect();
    for (mutant, kills) in analysis.kills.iter().enumerate() {
        for kill in kills {
            let left = &remains[kill.test as usize];
            let needs = match &kill.by {
                By::Statement(at) if left.statements[usize::from(*at)] || left.stood_in_for.contains(at) => Vec::new(),
                By::Statement(_) => continue,
                By::Assertions(all) => {
                    let places = all.iter().filter_map(|a| left.assertions.iter().position(|k| k == a));
                    let places: Vec<u16> = places.map(|p| p as u16).collect();
                    if places.is_empty() {
                        continue;
                    }
                    places
                }
            };
            witnesses[kill.test as usize].kills.push((mutant as u32, needs));
        }
    }
    witnesses
}

/// What was left of a test.
struct Remains {
    /// Numbers the assertions had before, in the order they have now.
    assertions: Vec<u16>,
    /// By statement as before.
    statements: Vec<bool>,
    /// Statements that went, because a later call on the same object throws when they would have.
    stood_in_for: BTreeSet<u16>,
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
        if kills.iter().any(|k| matches!(k.by, By::Statement(_))) {
            continue;
        }
        for kill in kills {
            let By::Assertions(assertions) = &kill.by else { continue };
            for &a in assertions {
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
    /// Statements by which a test notices some mutant without any assertion.
    telling: BTreeSet<(u32, u16)>,
}

impl<'a> Reach<'a> {
    fn new(tests: &[TestCase], analysis: &'a Analysis) -> Reach<'a> {
        let last = analysis.reached.iter().take(tests.len()).flatten().map(|(_, site)| *site).max();
        let mut tests_at = vec![0; last.map_or(0, |n| n as usize + 1)];
        for (_, site) in analysis.reached.iter().flatten() {
            tests_at[*site as usize] += 1;
        }
        let telling = analysis.kills.iter().filter_map(|kills| {
            kills.iter().find_map(|k| match k.by {
                By::Statement(at) => Some((k.test, at)),
                By::Assertions(_) => None,
            })
        });
        Reach { analysis, tests_at, telling: telling.collect() }
    }

    /// Keeps these assertions of a test, and of the calls behind its subject those that an assertion needs, that notice a mutant or that alone reach something;
    /// the latter with what can be asserted of them, since a call nobody looks at reads like a mistake.
    fn cut(&mut self, tests: &mut [TestCase], t: usize, chosen: &[usize]) -> Remains {
        let test = &tests[t];
        let asserted = |at: usize| chosen.iter().any(|&a| mentions(&test.assertions[a], at));
        let subject = test.subject.map_or(test.sequence.len(), Var::index);
        let mut keep = vec![true; test.sequence.len()];
        let mut stood_in_for = BTreeSet::new();
        let mut kept: Vec<usize> = chosen.to_vec();
        for at in (subject + 1..test.sequence.len()).rev() {
            let used = uses(&test.sequence, &keep, at);
            let of_statement = || self.analysis.reached[t].iter().filter(|(s, _)| usize::from(*s) == at);
            let telling = self.telling.contains(&(t as u32, at as u16));
            if used || asserted(at) {
                continue;
            }
            let stand_in = telling && has_stand_in(&test.sequence, &keep, at);
            if telling && !stand_in || of_statement().any(|(_, site)| self.tests_at[*site as usize] <= 1) {
                kept.extend((0..test.assertions.len()).find(|&a| mentions(&test.assertions[a], at)));
                continue;
            }
            if stand_in {
                stood_in_for.insert(at as u16);
            }
            keep[at] = false;
            for (_, site) in of_statement() {
                self.tests_at[*site as usize] -= 1;
            }
        }
        let cut = test.sequence.keep(&keep);
        kept.sort_unstable();
        let assertions =
            kept.iter().filter_map(|&a| test.assertions[a].clone().renumbered(|v| cut.var(v))).collect::<Vec<_>>();
        let test = &mut tests[t];
        test.subject = test.subject.and_then(|s| cut.var(s));
        test.assertions = assertions;
        test.sequence = cut.sequence;
        Remains { assertions: kept.into_iter().map(|a| a as u16).collect(), statements: keep, stood_in_for }
    }
}

/// Some kept statement behind it takes its value.
fn uses(sequence: &Sequence, keep: &[bool], at: usize) -> bool {
    let behind = sequence.statements().iter().zip(keep).skip(at + 1);
    behind.filter(|(_, kept)| **kept).any(|(s, _)| s.args.iter().any(|a| a.index() == at))
}

/// Some kept statement behind it calls the same object.
fn has_stand_in(sequence: &Sequence, keep: &[bool], at: usize) -> bool {
    let all = sequence.statements();
    let receiver = all[at].args.first();
    let mut behind = all.iter().zip(keep).skip(at + 1).filter(|(_, kept)| **kept);
    receiver.is_some() && behind.any(|(s, _)| s.args.first() == receiver)
}

fn mentions(assertion: &Assertion, at: usize) -> bool {
    match assertion {
        Assertion::Same { left, right, .. } => left.index() == at || right.index() == at,
        other => other.var().index() == at,
    }
}
