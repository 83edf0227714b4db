//! All suites of a run in one JVM: each passed by itself, but what the tests of one class leave behind may break those of another. Owns the orders in which
//! they run together and who has to go; starting JVMs and writing files is done elsewhere.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Instant;

use crate::delivery::Gone;
use crate::failure::Failure;
use crate::report::DropReason;
use crate::verify::RanResult;
use crate::verify::culprit::{self, Fresh, TestName, is_half_initialised};

/// Runs what the classes of a run delivered.
pub trait Joint {
    fn settle(&self, tests: &[TestName], deadline: Option<Instant>) -> Result<Settled, Failure>;
    /// Does javac still accept these files (path in the output folder, text)?
    fn compiles(&self, files: &[(PathBuf, String)]) -> Result<bool, Failure>;
}

/// What it takes to run suites together.
pub trait Bench {
    /// Each order in a JVM of its own, unlike the others. As many results as tests, fewer if the JVM ended or the time was up.
    fn run(&mut self, orders: &[Vec<TestName>]) -> Result<Vec<Vec<RanResult>>, Failure>;
    /// What the tests of the last `run` changed in the folders they ran in, in words.
    fn touched(&self) -> Vec<String>;
    /// What these change in folders of their own, in one JVM.
    fn touched_by(&mut self, tests: &[TestName]) -> Result<Vec<String>, Failure>;
    fn fresh(&mut self) -> Result<Box<dyn Fresh + '_>, Failure>;
    /// No time for another attempt.
    fn hurry(&self) -> bool;
}

/// What came of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settled {
    pub gone: Vec<Gone>,
    pub end: End,
}

/// How running suites together ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum End {
    /// Everything left was seen to pass in every order.
    Finished,
    /// The time was up before.
    #[default]
    TimeUp,
    /// No JVM ran a single test.
    NoJvm,
    /// However many tests went, others still failed.
    StillFailing,
}

impl End {
    /// Why not everything was seen to pass, in words.
    pub fn trouble(self) -> Option<&'static str> {
        match self {
            End::Finished => None,
            End::TimeUp => Some("the time was up before all passed together"),
            End::NoJvm => Some("the JVM for all of them did not come up"),
            End::StillFailing => Some("others still failed however many tests were taken out"),
        }
    }
}

/// JVMs at a time, each with an order of its own.
const ORDERS: usize = 2;
/// Each order runs everything so often: in the last round every test comes after every other.
const ROUNDS: usize = 2;
/// Victims watched at a time.
const WATCHED: usize = 8;
/// After so many turns whoever fails goes.
const PATIENCE: usize = 12;

/// Runs all tests together until nobody disturbs anybody.
pub fn settle(tests: &[TestName], seed: u64, bench: &mut dyn Bench) -> Result<Settled, Failure> {
    let mut left: Vec<TestName> = tests.to_vec();
    let mut settled = Settled::default();
    let mut chance = Chance(seed ^ 0x7067_6574);
    for turn in 0.. {
        if left.is_empty() {
            settled.end = End::Finished;
            break;
        }
        let orders: Vec<Vec<TestName>> = (0..ORDERS).map(|_| order(&left, &mut chance)).collect();
        let seen = bench.run(&orders)?;
        let mut gone: Vec<Gone> = Vec::new();
        let mut whole = true;
        if turn >= 2 * PATIENCE || seen.iter().any(Vec::is_empty) {
            // Nothing to be learnt from JVMs that do not come up.
            let no_jvm = if bench.hurry() { End::TimeUp } else { End::NoJvm };
            settled.end = if turn >= 2 * PATIENCE { End::StillFailing } else { no_jvm };
            break;
        }
        let told = seen.iter().flatten().any(|result| matches!(result, RanResult::Reached(_)));
        let touched = bench.touched();
        if !touched.is_empty() && !told && !bench.hurry() {
            let guilty = culprit::by_traces(&left, &mut |tests| bench.touched_by(tests))?;
            let detail = culprit::traces_in_words(&touched);
            let goes = |name| Gone { name, reason: DropReason::ReachesOutside, detail: detail.clone() };
            gone.extend(guilty.into_iter().map(goes));
        }
        // Without time to find out who did it, nobody is blamed, but nothing is claimed either.
        whole &= touched.is_empty() || told || !bench.hurry();
        for (order, results) in orders.iter().zip(&seen) {
            let cut = results.len() < order.len();
            whole &= !cut;
            if cut && !bench.hurry() {
                gone.push(Gone {
                    name: order[results.len()].clone(),
                    reason: DropReason::Failed,
                    detail: "the JVM ended while it ran after tests of other classes".to_string(),
                });
            }
        }
        if gone.is_empty() {
            let failures: Vec<Failures<'_>> = orders.iter().zip(&seen).map(|(o, r)| failures(o, r)).collect();
            if failures.iter().all(|f| f.victims.is_empty()) {
                settled.end = if whole { End::Finished } else { End::TimeUp };
                break;
            }
            let victims = || failures.iter().flat_map(|f| &f.victims);
            let reaching = victims().filter(|(_, result)| matches!(result, RanResult::Reached(_)));
            gone = reaching.map(|(name, result)| victim(name, result)).collect();
            if !gone.is_empty() {
                // Nobody else is to blame for that.
            } else if turn >= PATIENCE || bench.hurry() {
                gone = victims().map(|(name, result)| victim(name, result)).collect();
            } else {
                gone = blame(&failures, bench)?;
            }
        }
        let mut known = BTreeSet::new();
        gone.retain(|g| known.insert(g.name.clone()));
        left.retain(|name| !known.contains(name));
        settled.gone.extend(gone);
        if bench.hurry() {
            break;
        }
    }
    settled.gone.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(settled)
}

/// What failed in one order, in the order of first failures.
struct Failures<'a> {
    order: &'a [TestName],
    victims: Vec<(&'a TestName, &'a RanResult)>,
    /// Where the first of them failed.
    first: usize,
}

fn failures<'a>(order: &'a [TestName], results: &'a [RanResult]) -> Failures<'a> {
    let mut victims: Vec<(&TestName, &RanResult)> = Vec::new();
    let mut first = order.len();
    for (at, (name, result)) in order.iter().zip(results).enumerate() {
        if *result != RanResult::Passed && !victims.iter().any(|(v, _)| *v == name) {
            first = first.min(at);
            victims.push((name, result));
        }
    }
    Failures { order, victims, first }
}

/// Who has to go for these failures: those who did it, or else one of those it was done to.
fn blame(failures: &[Failures<'_>], bench: &mut dyn Bench) -> Result<Vec<Gone>, Failure> {
    for seen in failures.iter().filter(|f| !f.victims.is_empty()) {
        let (name, result) = seen.victims[0];
        let before: Vec<TestName> = distinct(seen.order[..seen.first].iter().filter(|t| *t != name));
        if is_half_initialised(result) {
            let found = culprit::by_halving(&before, name, &mut |tests| bench.fresh()?.run(tests))?;
            return Ok(vec![found.map_or_else(|| victim(name, result), |c| disturber(c, name))]);
        }
        let watched = different_classes(&seen.victims);
        let everybody: Vec<TestName> = distinct(seen.order.iter());
        let guilt = culprit::by_watching(&everybody, &watched, &mut *bench.fresh()?)?;
        if !guilt.is_empty() {
            return Ok(guilt.into_iter().map(|g| disturber(g.culprit, &g.victim)).collect());
        }
    }
    // Nobody alone did it.
    let first = failures.iter().filter_map(|f| f.victims.first());
    Ok(first.map(|(name, result)| victim(name, result)).collect())
}

/// The first failing tests, one of each class as far as possible: what disturbs one test of a class mostly disturbs others of it, too.
fn different_classes(victims: &[(&TestName, &RanResult)]) -> Vec<TestName> {
    let mut classes = BTreeSet::new();
    let (one, others): (Vec<&TestName>, Vec<&TestName>) =
        victims.iter().map(|(name, _)| *name).partition(|name| classes.insert(name.class.clone()));
    one.into_iter().chain(others).take(WATCHED).cloned().collect()
}

fn distinct<'a>(tests: impl Iterator<Item = &'a TestName>) -> Vec<TestName> {
    let mut known = BTreeSet::new();
    tests.filter(|t| known.insert(*t)).cloned().collect()
}

fn disturber(name: TestName, victim: &TestName) -> Gone {
    Gone { name, reason: DropReason::Disturbs, detail: format!("{victim} fails after it") }
}

fn victim(name: &TestName, result: &RanResult) -> Gone {
    let reason = match result {
        RanResult::Reached(_) => DropReason::ReachesOutside,
        _ => DropReason::OrderDependent,
    };
    Gone { name: name.clone(), reason, detail: crate::verify::in_words(result) }
}

/// All tests, class by class, so many times; classes and the tests of each in an order of chance, as build tools may run them.
fn order(tests: &[TestName], chance: &mut Chance) -> Vec<TestName> {
    let mut classes: BTreeMap<&str, Vec<&TestName>> = BTreeMap::new();
    for test in tests {
        classes.entry(&test.class).or_default().push(test);
    }
    let mut classes: Vec<Vec<&TestName>> = classes.into_values().collect();
    let mut order = Vec::with_capacity(tests.len() * ROUNDS);
    for _ in 0..ROUNDS {
        chance.shuffle(&mut classes);
        for class in &mut classes {
            chance.shuffle(class);
            order.extend(class.iter().map(|t| (*t).clone()));
        }
    }
    order
}

/// SplitMix64: the same orders for the same seed, on every machine.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests;
