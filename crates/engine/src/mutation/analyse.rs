//! Runs tests against the mutants they reach. Owns who is run against whom, in which order, and when enough is known; what a run means is judged
//! elsewhere.

use testcase::assertion::TestCase;
use testcase::execution::{Execution, Outcome};
use testcase::executor::{Detail, Executor, ExecutorProblem, Fault, Observe, Request};
use testcase::operation::Operations;
use testcase::sequence::Sequence;

use super::judge::{Verdict, judge, passes};
use super::prepare::Faulty;
use crate::record::guilty;

/// Small enough that a method whose mutants hang is found out before many of them do.
const BATCH: usize = 64;
/// So many tests that notice a mutant are enough to choose assertions.
const ENOUGH: usize = 3;
/// A mutant may take so many times the steps of the original, and some more.
const PATIENCE: u32 = 4;
const MORE_STEPS: u32 = 2_000;
/// A method whose mutants cost so many workers is left alone.
const STRIKES: usize = 2;

/// What became of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Some test fails with it.
    Killed,
    /// Tests reach it, and pass.
    Survived,
    /// No test reaches it.
    Unreached,
    /// It could not be switched on, or time was up.
    Unmeasured,
}

/// A test that notices a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kill {
    pub test: u32,
    pub by: By,
}

/// What of a test notices a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum By {
    /// This statement throws, does not end or does not throw: no assertion is needed.
    Statement(u16),
    /// These assertions fail.
    Assertions(Vec<u16>),
}

/// What a suite does to the mutants of its target.
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    /// By mutant, as in `Faulty::mutants`.
    pub fates: Vec<Fate>,
    /// By mutant: tests that notice it, as many as were looked for.
    pub kills: Vec<Vec<Kill>>,
    /// By test: the numbers of the sites it reaches, with the statement that did first.
    pub reached: Vec<Vec<(u16, u32)>>,
    /// Mutants that cost a worker.
    pub deadly: Vec<usize>,
    pub executions: u64,
}

pub(super) fn detail(all_probes: bool) -> Detail {
    Detail { observe: Observe::Everything, values: true, exceptions: true, all_probes, ..Detail::default() }
}

/// How many of the tests that notice a mutant are looked for.
#[derive(Clone, Copy, Debug)]
pub enum Wanted<'a> {
    /// A few, of every mutant: assertions are chosen among theirs.
    Few,
    /// All, of those that an earlier analysis saw being noticed.
    All(&'a Analysis),
}

impl Wanted<'_> {
    /// Mutants that cost a worker are not tried twice.
    fn takes(self, mutant: usize) -> bool {
        match self {
            Wanted::Few => true,
            Wanted::All(before) => before.fates[mutant] == Fate::Killed && !before.deadly.contains(&mutant),
        }
    }

    /// Nor are those of methods that cost too many.
    fn deadly_before(self) -> Vec<usize> {
        match self {
            Wanted::Few => Vec::new(),
            Wanted::All(before) => before.deadly.clone(),
        }
    }
}

/// A mutant whose fate is open.
struct Open {
    mutant: usize,
    /// Tests it makes a difference to, the quickest last.
    tests: Vec<u32>,
}

/// Runs each test once as it is and then once with each mutant that would make a difference to it, until the mutant's fate is clear. The executor
/// must be open with the faulty classes.
pub fn analyse(
    executor: &mut dyn Executor,
    operations: &Operations,
    tests: &[TestCase],
    faulty: &Faulty,
    wanted: Wanted<'_>,
    expired: &mut dyn FnMut() -> bool,
) -> Result<Analysis, ExecutorProblem> {
    let mut analysis = Analysis {
        fates: faulty.mutants.iter().map(|m| if m.measurable { Fate::Unreached } else { Fate::Unmeasured }).collect(),
        kills: vec![Vec::new(); faulty.mutants.len()],
        reached: vec![Vec::new(); tests.len()],
        deadly: wanted.deadly_before(),
        ..Analysis::default()
    };
    // Classes are initialised by the first runs, which are therefore not looked at.
    originals(executor, operations, tests, &mut analysis, &mut *expired)?;
    let originals = originals(executor, operations, tests, &mut analysis, &mut *expired)?;
    let mut open = affected(tests, faulty, &originals, &mut analysis);
    open.retain(|o| wanted.takes(o.mutant));
    while !open.is_empty() {
        let mut still_open = Vec::with_capacity(open.len());
        for mut chunk in chunks(open, BATCH) {
            let late = expired();
            chunk.retain(|o| {
                let leave = late || analysis.is_blamed(faulty, o.mutant);
                if leave {
                    give_up(&mut analysis, o);
                }
                !leave
            });
            let mut asked: Vec<(Open, u32)> = Vec::with_capacity(chunk.len());
            let mut requests: Vec<Request> = Vec::with_capacity(chunk.len());
            for mut o in chunk {
                // Only tests that were run without faults are listed.
                let Some(test) = o.tests.pop() else { continue };
                let Some(original) = &originals[test as usize] else { continue };
                requests.push(request(&tests[test as usize].sequence, original, faulty.mutants[o.mutant].number));
                asked.push((o, test));
            }
            if requests.is_empty() {
                continue;
            }
            let executions = executor.run(operations, requests)?;
            analysis.executions += executions.len() as u64;
            for ((o, test), execution) in asked.into_iter().zip(&executions) {
                match analysis.learn(o.mutant, test, &tests[test as usize], execution) {
                    Verdict::Unknown => {
                        give_up(&mut analysis, &o);
                        continue;
                    }
                    Verdict::Passes | Verdict::FailsAnyway | Verdict::Fails(_) => {}
                }
                let is_settled = matches!(wanted, Wanted::Few) && analysis.is_settled(o.mutant);
                if !o.tests.is_empty() && !is_settled {
                    still_open.push(o);
                }
            }
        }
        open = still_open;
    }
    Ok(analysis)
}

impl Analysis {
    /// What a run of a test with a mutant shows.
    pub(super) fn learn(&mut self, mutant: usize, test: u32, case: &TestCase, execution: &Execution) -> Verdict {
        if is_deadly(execution) {
            self.deadly.push(mutant);
        }
        let verdict = judge(case, execution);
        let by = match &verdict {
            Verdict::Passes | Verdict::Unknown => return verdict,
            Verdict::FailsAnyway => {
                let last = case.sequence.len().saturating_sub(1);
                By::Statement(guilty(&execution.outcome).unwrap_or(last) as u16)
            }
            Verdict::Fails(assertions) => By::Assertions(assertions.clone()),
        };
        self.fates[mutant] = Fate::Killed;
        self.kills[mutant].push(Kill { test, by });
        verdict
    }

    /// Its method cost too many workers already.
    pub(super) fn is_blamed(&self, faulty: &Faulty, mutant: usize) -> bool {
        let method = |m: usize| {
            let m = &faulty.mutants[m];
            (&m.class, &m.method, &m.descriptor)
        };
        self.deadly.iter().filter(|other| method(**other) == method(mutant)).count() >= STRIKES
    }

    /// Enough is known: a test fails without any assertion, or several do with one.
    fn is_settled(&self, mutant: usize) -> bool {
        let kills = &self.kills[mutant];
        kills.len() >= ENOUGH || kills.iter().any(|k| matches!(k.by, By::Statement(_)))
    }
}

/// A mutant that was not run against all its tests; one that was noticed before stays so.
fn give_up(analysis: &mut Analysis, open: &Open) {
    if analysis.fates[open.mutant] != Fate::Killed {
        analysis.fates[open.mutant] = Fate::Unmeasured;
    }
}

/// It cost its worker.
pub(super) fn is_deadly(execution: &Execution) -> bool {
    match execution.outcome {
        Outcome::WallClock { .. }
        | Outcome::ThreadsLeft { .. }
        | Outcome::Crashed { .. }
        | Outcome::Killed { .. }
        | Outcome::Protocol { .. } => true,
        Outcome::Normal
        | Outcome::Threw { .. }
        | Outcome::StepLimit { .. }
        | Outcome::StackOverflow { .. }
        | Outcome::OutOfMemory { .. }
        | Outcome::Exit { .. }
        | Outcome::Quarantined
        | Outcome::Unlinkable { .. } => false,
    }
}

fn chunks(open: Vec<Open>, size: usize) -> impl Iterator<Item = Vec<Open>> {
    let mut rest = open.into_iter();
    std::iter::from_fn(move || {
        let chunk: Vec<Open> = rest.by_ref().take(size).collect();
        (!chunk.is_empty()).then_some(chunk)
    })
}

/// One run of each test without faults; `None` for those there was no time for.
fn originals(
    executor: &mut dyn Executor,
    operations: &Operations,
    tests: &[TestCase],
    analysis: &mut Analysis,
    expired: &mut dyn FnMut() -> bool,
) -> Result<Vec<Option<Execution>>, ExecutorProblem> {
    let mut all = Vec::with_capacity(tests.len());
    for chunk in tests.chunks(BATCH) {
        if expired() {
            all.extend(chunk.iter().map(|_| None));
            continue;
        }
        let requests = chunk
            .iter()
            .map(|t| Request { sequence: t.sequence.clone(), detail: detail(true), cost: 0, fault: None })
            .collect();
        let executions = executor.run(operations, requests)?;
        analysis.executions += executions.len() as u64;
        all.extend(executions.into_iter().map(Some));
    }
    Ok(all)
}

/// The mutants that make a difference to some test, with these tests. A test that does not pass here even without faults is no witness.
fn affected(
    tests: &[TestCase],
    faulty: &Faulty,
    originals: &[Option<Execution>],
    analysis: &mut Analysis,
) -> Vec<Open> {
    let mut by_number: Vec<Option<usize>> = vec![None; faulty.numbers as usize];
    for (i, mutant) in faulty.mutants.iter().enumerate() {
        by_number[mutant.number as usize] = Some(i);
    }
    let mut of_mutant: Vec<Vec<u32>> = vec![Vec::new(); faulty.mutants.len()];
    let mut order: Vec<u32> = (0..tests.len() as u32).collect();
    order.sort_by_key(|t| {
        let execution = originals[*t as usize].as_ref();
        (std::cmp::Reverse(execution.map_or(0, |e| e.steps)), std::cmp::Reverse(*t))
    });
    let mut reached = vec![false; faulty.numbers as usize];
    for t in order {
        let Some(execution) = &originals[t as usize] else { continue };
        if !passes(&tests[t as usize], execution) {
            continue;
        }
        // Numbers beyond are nobody's: a class that was not given here has probes of its own.
        for hit in execution.probes.iter().filter(|hit| hit.probe.0 < faulty.numbers) {
            let number = hit.probe.0;
            match by_number[number as usize] {
                Some(mutant) => of_mutant[mutant].push(t),
                None => {
                    analysis.reached[t as usize].push((hit.statement, number));
                    reached[number as usize] = true;
                }
            }
        }
    }
    let late = originals.iter().any(Option::is_none);
    let mut open = Vec::new();
    for (i, tests) in of_mutant.into_iter().enumerate() {
        if analysis.fates[i] == Fate::Unmeasured {
            continue;
        }
        if reached[faulty.mutants[i].site as usize] {
            analysis.fates[i] = Fate::Survived;
        } else if late {
            analysis.fates[i] = Fate::Unmeasured;
        }
        if !tests.is_empty() {
            open.push(Open { mutant: i, tests });
        }
    }
    open
}

/// A run with a mutant, which may take longer than the one without.
pub(super) fn request(sequence: &Sequence, original: &Execution, mutant: u32) -> Request {
    let steps = original.steps.saturating_mul(PATIENCE).saturating_add(MORE_STEPS);
    Request { sequence: sequence.clone(), detail: detail(false), cost: 0, fault: Some(Fault { mutant, steps }) }
}
