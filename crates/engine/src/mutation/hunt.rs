//! Further tests for mutants that nobody noticed. Owns which sequences are tried against them (those the search kept before they were shrunk, then new ones
//! aimed at the methods they are in), which become tests, and how these are made small. Never tells the search what it saw: the executor is open with mutants,
//! whose probes are no goals.

use testcase::assertion::{Expectation, TestCase};
use testcase::execution::{Execution, Outcome};
use testcase::executor::{Detail, Executor, ExecutorProblem, Request};
use testcase::sequence::Sequence;

use super::analyse::{Analysis, Fate, detail, is_deadly, request};
use super::judge::{Verdict, judge, passes};
use super::prepare::Faulty;
use crate::generate::Generator;
use crate::generate::random::Random;
use crate::oracle::regression::{case, with_observers};
use crate::rng::Rng;
use crate::search::Search;
use crate::session::Session;

/// Sequences tried at a time.
const BATCH: usize = 128;
/// Runs with mutants at a time, few enough that hanging ones are found out before many do.
const RUNS: usize = 64;
/// So many batches in a row that notice nothing are the last.
const BARREN: usize = 10;
/// A mutant that so many tests did not notice though it makes a difference to each may be no fault at all.
const TRIES: u32 = 30;
/// A mutant that ran against so many sequences of one batch waits for the next.
const TRIES_AT_ONCE: u32 = 6;
/// Nobody reads a longer test for the sake of a mutant: calls that a test may have, and more of them for each mutant that it notices.
const CALLS: usize = 6;
const CALLS_PER_MUTANT: usize = 2;
/// The same by statements of every kind.
const LONGEST: usize = 24;
/// Statements are left out in pairs if they are no farther apart.
const FARTHEST: usize = 3;
/// More tests than this are not added.
const MOST_TESTS: usize = 48;

/// How long a hunt may go on.
pub struct Limits<'a> {
    pub executions: u64,
    pub expired: &'a mut dyn FnMut() -> bool,
}

/// A sequence with what is asserted of it, and the open mutants that make a difference to it.
struct Candidate {
    case: TestCase,
    original: Execution,
    mutants: Vec<usize>,
    /// Those it notices.
    noticed: Vec<usize>,
}

struct Hunt<'a, 'b> {
    executor: &'a mut dyn Executor,
    faulty: &'a Faulty,
    analysis: &'a mut Analysis,
    tests: &'a mut Vec<TestCase>,
    limits: &'a mut Limits<'b>,
    /// Mutants by number.
    by_number: Vec<Option<usize>>,
    /// How often each was tried in vain.
    tries: Vec<u32>,
    added: usize,
    until: u64,
}

impl Session<'_> {
    /// Appends to `tests` some that notice mutants alive so far, and to `analysis` what they do. The executor must be open with the faulty classes.
    pub fn hunt(
        &mut self,
        executor: &mut dyn Executor,
        faulty: &Faulty,
        analysis: &mut Analysis,
        tests: &mut Vec<TestCase>,
        limits: &mut Limits<'_>,
    ) -> Result<(), ExecutorProblem> {
        let mut by_number = vec![None; faulty.numbers as usize];
        for (i, mutant) in faulty.mutants.iter().enumerate() {
            by_number[mutant.number as usize] = Some(i);
        }
        let until = analysis.executions + limits.executions;
        let tries = vec![0; faulty.mutants.len()];
        let mut hunt = Hunt { executor, faulty, analysis, tests, limits, by_number, tries, added: 0, until };
        let known: Vec<Sequence> = self.search.archive.tests().into_iter().map(|a| a.kept.sequence).collect();
        for chunk in known.chunks(BATCH) {
            if !hunt.goes_on() {
                return Ok(());
            }
            hunt.turn(&mut self.search, chunk)?;
        }
        let mut generator = Random::default();
        let mut rng = Rng::new(self.search.options.seed ^ 0xA11F);
        let mut barren = 0;
        while hunt.goes_on() && barren < BARREN {
            self.search.wanted = hunt.open_by_method(&self.search);
            self.search.generation += 1;
            let mut proposals = Vec::with_capacity(BATCH);
            generator.propose(&mut self.search, &mut rng, BATCH, &mut proposals);
            if proposals.is_empty() {
                break;
            }
            let sequences: Vec<Sequence> = proposals.into_iter().map(|p| p.sequence).collect();
            let noticed = hunt.turn(&mut self.search, &sequences)?;
            barren = if noticed > 0 { 0 } else { barren + 1 };
        }
        self.search.wanted.clear();
        Ok(())
    }
}

impl Hunt<'_, '_> {
    fn goes_on(&mut self) -> bool {
        self.added < MOST_TESTS
            && self.analysis.executions < self.until
            && (0..self.faulty.mutants.len()).any(|m| self.is_open(m))
            && !(self.limits.expired)()
    }

    /// It is alive, and worth another try.
    fn is_open(&self, mutant: usize) -> bool {
        matches!(self.analysis.fates[mutant], Fate::Survived | Fate::Unreached)
            && self.tries[mutant] < TRIES
            && !self.analysis.is_blamed(self.faulty, mutant)
    }

    /// How many open mutants there are in each method under test.
    fn open_by_method(&self, search: &Search<'_>) -> Vec<u32> {
        let mut counts = vec![0; search.goals.method_count()];
        for (i, mutant) in self.faulty.mutants.iter().enumerate() {
            let method = search.goals.find_method(&mutant.class, &mutant.method, &mutant.descriptor);
            if let Some(method) = method.filter(|_| self.is_open(i)) {
                counts[method.index()] += 1;
            }
        }
        counts
    }

    fn run(&mut self, search: &Search<'_>, requests: Vec<Request>) -> Result<Vec<Execution>, ExecutorProblem> {
        self.analysis.executions += requests.len() as u64;
        self.executor.run(search.catalog.operations(), requests)
    }

    /// Tries these sequences; gives how many mutants were noticed for the first time.
    fn turn(&mut self, search: &mut Search<'_>, sequences: &[Sequence]) -> Result<usize, ExecutorProblem> {
        let mut candidates = self.candidates(search, sequences)?;
        self.confront(search, &mut candidates)?;
        let mut noticed = 0;
        // The one that notices most, and of these the shortest, until all is noticed that any of them notices.
        loop {
            for candidate in &mut candidates {
                candidate.noticed.retain(|m| self.analysis.fates[*m] != Fate::Killed);
            }
            candidates.retain(|c| !c.noticed.is_empty());
            let best = candidates
                .iter()
                .enumerate()
                .max_by_key(|(i, c)| (c.noticed.len(), std::cmp::Reverse((c.case.sequence.len(), *i))));
            let Some(best) = best.map(|(i, _)| i).filter(|_| self.added < MOST_TESTS) else { break };
            let best = candidates.swap_remove(best);
            noticed += self.keep(search, best)?;
        }
        Ok(noticed)
    }

    /// Of these sequences those that could be tests and to which open mutants make a difference.
    fn candidates(
        &mut self,
        search: &mut Search<'_>,
        sequences: &[Sequence],
    ) -> Result<Vec<Candidate>, ExecutorProblem> {
        let looking: Vec<Sequence> = sequences.iter().map(|s| with_observers(search, s)).collect();
        let watched = |varied: bool| Detail { states: true, varied, ..detail(true) };
        let plain =
            |s: &Sequence, varied: bool| Request { sequence: s.clone(), detail: watched(varied), cost: 0, fault: None };
        let requests = looking.iter().map(|s| plain(s, false)).collect();
        let first = self.run(search, requests)?;
        let mut tries = vec![0u32; self.faulty.mutants.len()];
        let mut worth: Vec<(Sequence, usize, Execution, Vec<usize>)> = Vec::new();
        for ((written, looking), execution) in sequences.iter().zip(looking).zip(first) {
            let last = written.len() - 1;
            let sequence = match &execution.outcome {
                Outcome::Normal => looking,
                // What the test is about throws: nobody looks afterwards.
                Outcome::Threw { statement, .. } if usize::from(*statement) == last => written.clone(),
                _ => continue,
            };
            let odd = !execution.passed_over.is_empty() || !execution.reach.is_empty();
            if odd || search.disturbs(&sequence, &execution) || search.is_polluted(&sequence, &execution) {
                continue;
            }
            let mut mutants: Vec<usize> = Vec::new();
            for hit in &execution.probes {
                let mutant = self.by_number.get(hit.probe.0 as usize).copied().flatten();
                if let Some(m) = mutant.filter(|m| self.is_open(*m) && tries[*m] < TRIES_AT_ONCE) {
                    mutants.push(m);
                }
            }
            mutants.sort_unstable();
            mutants.dedup();
            if !mutants.is_empty() {
                mutants.iter().for_each(|m| tries[*m] += 1);
                worth.push((sequence, written.len(), execution, mutants));
            }
        }
        let requests = worth.iter().map(|(s, ..)| plain(s, true)).collect();
        let second = self.run(search, requests)?;
        let mut candidates = Vec::new();
        for ((sequence, written, original, mutants), elsewhere) in worth.into_iter().zip(&second) {
            let case =
                elsewhere.reach.is_empty().then(|| case(search, &sequence, written, &original, elsewhere)).flatten();
            if let Some(case) = case.filter(|c| passes(c, &original)) {
                candidates.push(Candidate { case, original, mutants, noticed: Vec::new() });
            }
        }
        Ok(candidates)
    }

    /// Runs each candidate with its mutants.
    fn confront(&mut self, search: &Search<'_>, candidates: &mut [Candidate]) -> Result<(), ExecutorProblem> {
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        for (c, candidate) in candidates.iter().enumerate() {
            pairs.extend(candidate.mutants.iter().map(|m| (c, *m)));
        }
        for chunk in pairs.chunks(RUNS) {
            if (self.limits.expired)() {
                break;
            }
            let chunk: Vec<(usize, usize)> = chunk.iter().copied().filter(|(_, m)| self.is_open(*m)).collect();
            let of = |(c, m): &(usize, usize)| {
                let candidate = &candidates[*c];
                request(&candidate.case.sequence, &candidate.original, self.faulty.mutants[*m].number)
            };
            let requests: Vec<Request> = chunk.iter().map(of).collect();
            let executions = self.run(search, requests)?;
            for ((c, m), execution) in chunk.into_iter().zip(&executions) {
                if is_costly(execution) {
                    self.tries[m] = TRIES;
                    continue;
                }
                match judge(&candidates[c].case, execution) {
                    Verdict::FailsAnyway | Verdict::Fails(_) => candidates[c].noticed.push(m),
                    Verdict::Passes | Verdict::Unknown => self.tries[m] += 1,
                }
            }
        }
        Ok(())
    }

    /// Makes a test of a candidate, as small as it can be; gives how many mutants it settles.
    fn keep(&mut self, search: &Search<'_>, candidate: Candidate) -> Result<usize, ExecutorProblem> {
        let Candidate { mut case, mut original, noticed, .. } = candidate;
        // Halves, quarters, … at once, as most of a long one is superfluous.
        let mut block = case.sequence.len() / 2;
        while block > 1 {
            let mut end = case.sequence.len();
            while end >= block && !(self.limits.expired)() {
                let smaller = (end - block..end).rev().try_fold(case.clone(), |s, at| without(&s, at));
                if let Some((smaller, plain)) = self.still(search, smaller, &case, &original, &noticed)? {
                    (case, original) = (smaller, plain);
                }
                end = (end - block).min(case.sequence.len());
            }
            block /= 2;
        }
        // Single statements, the last first, then such that only go together.
        for distance in 0..=FARTHEST {
            for at in (0..case.sequence.len()).rev() {
                if at >= case.sequence.len() || at < distance || (self.limits.expired)() {
                    continue;
                }
                let mut smaller = without(&case, at);
                if distance > 0 {
                    smaller = smaller.and_then(|s| without(&s, at - distance));
                }
                if let Some((smaller, plain)) = self.still(search, smaller, &case, &original, &noticed)? {
                    (case, original) = (smaller, plain);
                }
            }
        }
        let calls = search.cost_of(&case.sequence).calls as usize;
        if calls > CALLS + CALLS_PER_MUTANT * noticed.len() || case.sequence.len() > LONGEST {
            // What needs a long way needs it another time, too.
            noticed.iter().for_each(|m| self.tries[*m] += TRIES / 3);
            return Ok(0);
        }
        let (plain, with) = self.both(search, &case, &original, &noticed)?;
        if !passes(&case, &plain) {
            return Ok(0);
        }
        let test = self.tests.len() as u32;
        let settled = noticed.iter().zip(&with).filter(|(m, execution)| {
            let verdict = self.analysis.learn(**m, test, &case, execution);
            matches!(verdict, Verdict::FailsAnyway | Verdict::Fails(_))
        });
        let settled = settled.count();
        if settled > 0 {
            let site = |number: u32| self.by_number.get(number as usize).is_some_and(Option::is_none);
            let hits = plain.probes.iter().filter(|hit| site(hit.probe.0));
            self.analysis.reached.push(hits.map(|hit| (hit.statement, hit.probe.0)).collect());
            self.tests.push(case);
            self.added += 1;
        }
        Ok(settled)
    }

    /// The smaller test with what it does, if it passes and notices the same mutants as before.
    fn still(
        &mut self,
        search: &Search<'_>,
        smaller: Option<TestCase>,
        case: &TestCase,
        original: &Execution,
        noticed: &[usize],
    ) -> Result<Option<(TestCase, Execution)>, ExecutorProblem> {
        // A test without any assertion looks like a mistake, even if it throws where a mutant is.
        let is_bare = |s: &TestCase| s.assertions.is_empty() && s.expectation == Expectation::Passes;
        let Some(smaller) = smaller.filter(|s| !is_bare(s) || is_bare(case)) else { return Ok(None) };
        let (plain, with) = self.both(search, &smaller, original, noticed)?;
        let same = passes(&smaller, &plain) && !search.disturbs(&smaller.sequence, &plain);
        let notices = |e: &Execution| matches!(judge(&smaller, e), Verdict::FailsAnyway | Verdict::Fails(_));
        Ok((same && with.iter().all(notices)).then_some((smaller, plain)))
    }

    /// A test without faults, and with each of these.
    fn both(
        &mut self,
        search: &Search<'_>,
        case: &TestCase,
        before: &Execution,
        mutants: &[usize],
    ) -> Result<(Execution, Vec<Execution>), ExecutorProblem> {
        let plain = Request { sequence: case.sequence.clone(), detail: detail(true), cost: 0, fault: None };
        let with = mutants.iter().map(|m| request(&case.sequence, before, self.faulty.mutants[*m].number));
        let requests: Vec<Request> = std::iter::once(plain).chain(with).collect();
        let mut executions = self.run(search, requests)?.into_iter();
        // An executor answers every request.
        let plain = executions.next().ok_or_else(|| ExecutorProblem {
            message: "a test that was asked for was not run".to_string(),
            hint: None,
        })?;
        Ok((plain, executions.collect()))
    }
}

/// It takes longer than its steps tell, so that it is not worth hunting; and nobody wants a test that fails for want of memory.
fn is_costly(execution: &Execution) -> bool {
    is_deadly(execution) || matches!(execution.outcome, Outcome::OutOfMemory { .. })
}

/// The test without a statement, if it is there, and what needs it; `None` if nothing would be left of what it is about.
fn without(case: &TestCase, at: usize) -> Option<TestCase> {
    let last = case.sequence.len() - 1;
    if at > last {
        return Some(case.clone());
    }
    let cut = case.sequence.without(at);
    if cut.sequence.is_empty() || case.expectation != Expectation::Passes && cut.renumbered[last].is_none() {
        return None;
    }
    let subject = match case.subject {
        Some(subject) => Some(cut.var(subject)?),
        None => None,
    };
    let assertions = case.assertions.iter().filter_map(|a| a.clone().renumbered(|v| cut.var(v)));
    Some(TestCase {
        assertions: assertions.collect(),
        subject,
        expectation: case.expectation.clone(),
        sequence: cut.sequence,
    })
}
