//! Putting tests back until the minimised suite is as good as the whole one: it compiles, what passed passes, branches and exceptions are all there. Owns
//! these decisions; editing, compiling and running are behind [`Trial`].

use std::collections::{BTreeMap, BTreeSet};

use testcase::execution::ProbeId;
use testcase::observed::TestMethod;

use crate::failure::Failure;
use crate::minimize::seen::{Exception, Place, Seen, Share};

/// So often the suite is run to find out what one test needs.
const MOST_TRIALS: usize = 40;

/// Tries the suite without some tests.
pub trait Trial {
    fn run(&mut self, removed: &BTreeSet<TestMethod>) -> Result<Tried, Failure>;
}

pub enum Tried {
    /// javac's messages.
    Refused(Vec<String>),
    Ran(Seen),
    /// The same, but time was up before the last test.
    CutShort(Seen),
}

/// Why a superfluous test stays nevertheless.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PutBack {
    /// Something else refers to it; javac's words.
    Compiling(String),
    /// These fail without it.
    NeededBy(Vec<Place>),
    /// Its class is refused by the framework without it.
    ClassEmpty,
    /// So many branches are taken by no other test.
    Branches(usize),
    Exceptions(Vec<Exception>),
    /// It was compiled from something else, so that it cannot be taken out.
    NotInSources,
    /// The suite without it was not run to its end.
    Unverified,
}

impl std::fmt::Display for PutBack {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PutBack::Compiling(message) => write!(f, "the suite does not compile without it: {message}"),
            PutBack::NeededBy(places) => {
                let names: Vec<String> =
                    places.iter().map(|p| format!("{}.{}", p.class.binary(), p.method.name)).collect();
                let (verb, order) = if names.len() == 1 { ("fails", "it depends") } else { ("fail", "they depend") };
                write!(f, "{} {verb} without it: {order} on the order of tests", names.join(", "))
            }
            PutBack::ClassEmpty => write!(f, "its class cannot be run without any test"),
            PutBack::NotInSources => write!(f, "it is not in the test sources"),
            PutBack::Unverified => write!(f, "the suite without it took too long to be run to its end"),
            PutBack::Branches(1) => write!(f, "a branch is taken by no other test"),
            PutBack::Branches(n) => write!(f, "{n} branches are taken by no other test"),
            PutBack::Exceptions(all) => {
                let names: Vec<String> = all.iter().map(Exception::to_string).collect();
                write!(f, "no other test shows {}", names.join(", "))
            }
        }
    }
}

/// The end of it.
#[derive(Debug)]
pub struct Settled {
    pub removed: BTreeSet<TestMethod>,
    pub put_back: Vec<(TestMethod, PutBack)>,
    /// The last run: of exactly what is left.
    pub after: Seen,
    /// What differs between runs of the same tests, in words.
    pub notes: Vec<String>,
}

/// What is known from the run of the whole suite.
pub struct Before<'a> {
    pub seen: &'a Seen,
    pub shares: &'a BTreeMap<TestMethod, Share>,
    /// Test methods in the order in which they ran first.
    pub order: &'a [TestMethod],
}

/// `removed`: what nobody would miss, as far as states tell.
pub fn settle(before: &Before<'_>, removed: BTreeSet<TestMethod>, trial: &mut dyn Trial) -> Result<Settled, Failure> {
    let mut settling =
        Settling { before, trial, removed, put_back: Vec::new(), notes: Vec::new(), moody: BTreeSet::new() };
    loop {
        let tried = settling.trial.run(&settling.removed)?;
        let after = match tried {
            Tried::Ran(seen) => seen,
            Tried::CutShort(seen) if settling.is_complete(&seen) => seen,
            Tried::CutShort(_) => return Ok(settling.give_up()),
            Tried::Refused(messages) => {
                if settling.removed.is_empty() {
                    return Err(Failure::SuiteRefused { messages });
                }
                settling.restore_compiling(&messages);
                continue;
            }
        };
        let changed = settling.restore_failing(&after)? || settling.restore_lost(&after);
        if !changed {
            let Settling { removed, put_back, notes, .. } = settling;
            return Ok(Settled { removed, put_back, after, notes });
        }
    }
}

struct Settling<'a> {
    before: &'a Before<'a>,
    trial: &'a mut dyn Trial,
    removed: BTreeSet<TestMethod>,
    put_back: Vec<(TestMethod, PutBack)>,
    notes: Vec<String>,
    /// Tests that pass or fail as they like.
    moody: BTreeSet<Place>,
}

impl Settling<'_> {
    fn back(&mut self, tests: Vec<TestMethod>, why: &PutBack) {
        for test in tests {
            if self.removed.remove(&test) {
                self.put_back.push((test, why.clone()));
            }
        }
    }

    /// Whether a run that was cut short shows all that is expected: then only tests are missing that the whole suite did not get to, either.
    fn is_complete(&self, seen: &Seen) -> bool {
        seen.broken(self.before.seen, &self.removed).is_empty() && seen.probes.is_superset(&self.before.seen.probes)
    }

    /// Nothing can be said about a suite without these tests: all come back, and the suite is the one that ran before.
    fn give_up(mut self) -> Settled {
        let all = self.removed.iter().cloned().collect();
        self.back(all, &PutBack::Unverified);
        let Settling { before, removed, put_back, notes, .. } = self;
        Settled { removed, put_back, after: before.seen.clone(), notes }
    }

    /// The tests that javac's messages name; if it names none, all.
    fn restore_compiling(&mut self, messages: &[String]) {
        let first = messages.first().cloned().unwrap_or_else(|| "javac says nothing".to_string());
        let words: BTreeSet<&str> =
            messages.iter().flat_map(|m| m.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))).collect();
        let named: Vec<TestMethod> = self.removed.iter().filter(|t| words.contains(&*t.name)).cloned().collect();
        let tests = if named.is_empty() { self.removed.iter().cloned().collect() } else { named };
        self.back(tests, &PutBack::Compiling(first));
    }

    fn restore_failing(&mut self, after: &Seen) -> Result<bool, Failure> {
        let mut broken = after.broken(self.before.seen, &self.removed);
        broken.retain(|place| !self.moody.contains(place));
        let known = self.put_back.len();
        for place in after.refused(self.before.seen) {
            let of_class = |t: &&TestMethod| t.class == place.class || t.class == place.method.class;
            let first = self.before.order.iter().filter(|t| self.removed.contains(*t)).find(of_class).cloned();
            self.back(first.into_iter().collect(), &PutBack::ClassEmpty);
        }
        if broken.is_empty() {
            return Ok(self.put_back.len() > known);
        }
        let first = &broken[0];
        match self.culprits(first)? {
            Some((culprits, seen)) => {
                let healed: Vec<Place> = broken.iter().filter(|p| seen.passed.contains(p)).cloned().collect();
                self.back(culprits, &PutBack::NeededBy(healed));
            }
            None => {
                let name = format!("{}.{}", first.class.binary(), first.method.name);
                self.notes.push(format!(
                    "{name} passed at first and failed later, although nothing it could depend on was removed"
                ));
                self.moody.insert(first.clone());
            }
        }
        Ok(true)
    }

    /// A small set of removed tests without which `broken` fails, and the run with these put back. One after the other is found by halving: of
    /// the candidates in their order, the shortest beginning that is enough ends with one that is needed. None if it fails even when all are back.
    fn culprits(&mut self, broken: &Place) -> Result<Option<(Vec<TestMethod>, Seen)>, Failure> {
        let mut pool: Vec<TestMethod> =
            self.before.order.iter().filter(|t| self.removed.contains(*t)).cloned().collect();
        let mut needed: Vec<TestMethod> = Vec::new();
        let Some(mut healed) = self.heals(&needed, &pool, broken)? else {
            return Ok(None);
        };
        let mut trials = 0;
        loop {
            // Fewer than all of these are not enough: without any the test fails.
            let (mut too_few, mut enough) = (0, pool.len());
            while too_few + 1 < enough && trials < MOST_TRIALS {
                trials += 1;
                let half = too_few.midpoint(enough);
                match self.heals(&needed, &pool[..half], broken)? {
                    Some(seen) => (enough, healed) = (half, seen),
                    None => too_few = half,
                }
            }
            pool.truncate(enough);
            if trials >= MOST_TRIALS {
                needed.extend(pool);
                return Ok(Some((needed, healed)));
            }
            needed.extend(pool.pop());
            if let Some(seen) = self.heals(&needed, &[], broken)? {
                return Ok(Some((needed, seen)));
            }
            trials += 1;
        }
    }

    /// The run with these put back, if the test passes in it.
    fn heals(&mut self, needed: &[TestMethod], more: &[TestMethod], broken: &Place) -> Result<Option<Seen>, Failure> {
        let mut removed = self.removed.clone();
        for test in needed.iter().chain(more) {
            removed.remove(test);
        }
        if removed == self.removed {
            return Ok(None);
        }
        Ok(match self.trial.run(&removed)? {
            Tried::Ran(seen) if seen.passed.contains(broken) => Some(seen),
            Tried::Ran(_) | Tried::CutShort(_) | Tried::Refused(_) => None,
        })
    }

    /// Whoever showed most of what is lost comes back first.
    fn restore_lost(&mut self, after: &Seen) -> bool {
        let mut probes: BTreeSet<ProbeId> = self.before.seen.probes.difference(&after.probes).copied().collect();
        let mut exceptions: BTreeSet<Exception> =
            self.before.seen.exceptions.difference(&after.exceptions).cloned().collect();
        let mut changed = false;
        while !probes.is_empty() || !exceptions.is_empty() {
            let gain = |test: &TestMethod| {
                self.before.shares.get(test).map_or((0, 0), |share| {
                    (share.probes.intersection(&probes).count(), share.exceptions.intersection(&exceptions).count())
                })
            };
            let mut best: Option<(usize, &TestMethod)> = None;
            for test in self.before.order.iter().filter(|t| self.removed.contains(*t)) {
                let (branches, thrown) = gain(test);
                if branches + thrown > best.map_or(0, |(most, _)| most) {
                    best = Some((branches + thrown, test));
                }
            }
            let Some((_, test)) = best else {
                break;
            };
            let test = test.clone();
            // It was found by what it shares with what is lost.
            let share = &self.before.shares[&test];
            let branches = share.probes.intersection(&probes).count();
            let thrown: Vec<Exception> = share.exceptions.intersection(&exceptions).cloned().collect();
            probes.retain(|p| !share.probes.contains(p));
            exceptions.retain(|e| !share.exceptions.contains(e));
            let why = if thrown.is_empty() { PutBack::Branches(branches) } else { PutBack::Exceptions(thrown) };
            self.back(vec![test], &why);
            changed = true;
        }
        let mut lost: Vec<String> = exceptions.iter().map(Exception::to_string).collect();
        if !probes.is_empty() {
            lost.push(format!("{} branches", probes.len()));
        }
        if !changed && !lost.is_empty() {
            let lost = lost.join(", ");
            self.notes
                .push(format!("not every run shows the same: the last one lacks {lost}, which no removed test had"));
        }
        changed
    }
}

#[cfg(test)]
mod tests;
