//! Branch-directed generation: conditions of which one outcome was seen and another not, tests that reach them, the variables of these tests that have a say in
//! them, and modifications of these variables. Owns whose turn it is: random tests first, then, whenever these gain nothing any more, the frontier.

pub mod change;
mod enrich;
pub mod frontier;
pub mod influence;
pub mod modify;

use std::collections::{BTreeMap, VecDeque};

use rustc_hash::FxHashSet;
use testcase::execution::Execution;
use testcase::sequence::Sequence;

use self::change::unshared;
use self::enrich::enrichments;
use self::frontier::{Conditions, Look};
use self::influence::{Experiment, Influence, experiments, influences};
use self::modify::modifications;
use super::random::Random;
use super::{Figures, Generator, Turn};
use crate::prices::DEAR_TO_REPEAT_STEPS;
use crate::proposal::{Pending, Wanted};
use crate::rng::Rng;
use crate::search::{Delta, Proposal, Search, is_unanswered};

/// Random tests before the first phase, and without a new goal before every other.
const HEAD_START: u64 = 2_000;
const PATIENCE: u64 = 3_000;
/// Tests kept per condition, the smallest.
const WITNESSES: usize = 10;
/// Witnesses made richer per condition.
const ENRICHED: usize = 12;

/// How far it got with the conditions it met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Conditions on the frontier that were worked at.
    pub conditions: usize,
    /// Of these: with variables that have a say in what is compared.
    pub influenced: usize,
    /// Of these: seen to go another way, by an experiment, a modification or a richer test.
    pub flipped: usize,
    /// Runs: of tests to find witnesses, of experiments, of modifications and richer tests.
    pub surveyed: u64,
    pub experiments: u64,
    pub modifications: u64,
}

/// What a run is for.
#[derive(Clone, Debug)]
enum Purpose {
    Random,
    Survey,
    /// The test as it is, and with the variables changed one by one: the number of the experiment.
    Baseline,
    Experiment(usize),
    Modification,
    /// A call more than the witness has.
    Enrichment,
}

/// Work on one condition with one witness.
struct Job {
    condition: u32,
    /// The witness with every constant for itself.
    sequence: Sequence,
    before: Option<Look>,
    experiments: Vec<(Experiment, Option<Look>)>,
    stage: Stage,
    /// Runs not yet back.
    waiting: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Experiments,
    Enrichments,
    Modifications,
}

#[derive(Clone, Debug, Default)]
struct Worked {
    /// Witnesses made richer so that some variable has a say; the newest last.
    rich: Vec<Sequence>,
    /// How many were made so.
    enriched: usize,
    /// Witnesses experimented with.
    turns: usize,
    influenced: bool,
    flipped: bool,
}

pub struct Redirect {
    random: Option<Random>,
    conditions: Option<Conditions>,
    /// Tests that reach a condition, by cost, smallest first.
    witnesses: BTreeMap<u32, Vec<(u32, Sequence)>>,
    surveyed: FxHashSet<u128>,
    tried: FxHashSet<(u32, u128)>,
    worked: BTreeMap<u32, Worked>,
    queue: VecDeque<(Sequence, Purpose)>,
    flying: Pending<Purpose>,
    job: Option<Job>,
    /// Surveys not yet back.
    surveying: usize,
    directed: bool,
    /// Random runs, and when the last goal was covered by one.
    runs: u64,
    since_goal: u64,
    /// The search's generation when the frontier was last gone through without anything left to try.
    idle_at: Option<u64>,
    figures: Progress,
}

impl Redirect {
    /// With random tests between the phases, or, without, phases only.
    pub fn new(random: Option<Random>) -> Redirect {
        Redirect {
            directed: random.is_none(),
            random,
            conditions: None,
            witnesses: BTreeMap::new(),
            surveyed: FxHashSet::default(),
            tried: FxHashSet::default(),
            worked: BTreeMap::new(),
            queue: VecDeque::new(),
            flying: Pending::default(),
            job: None,
            surveying: 0,
            runs: 0,
            since_goal: 0,
            idle_at: None,
            figures: Progress::default(),
        }
    }

    /// Of all conditions worked at.
    pub fn progress(&self) -> Progress {
        let all: Vec<u32> = self.worked.keys().copied().collect();
        self.progress_of(&all)
    }

    /// Of these conditions.
    pub fn progress_of(&self, conditions: &[u32]) -> Progress {
        let worked: Vec<&Worked> = conditions.iter().filter_map(|c| self.worked.get(c)).collect();
        let count = |f: fn(&Worked) -> bool| worked.iter().filter(|w| f(w)).count();
        Progress {
            conditions: worked.len(),
            influenced: count(|w| w.influenced),
            flipped: count(|w| w.flipped),
            ..self.figures
        }
    }

    /// Is there anything left to try on the frontier as it is?
    fn is_idle(&self, search: &Search<'_>) -> bool {
        self.idle_at == Some(search.generation)
    }

    /// Fills the queue, if it is empty and all results are there. False if nothing is left to try.
    fn refill(&mut self, search: &mut Search<'_>, rng: &mut Rng) -> bool {
        if self.conditions.is_none() {
            self.conditions = Some(Conditions::of(search.library.code(), &search.goals));
        }
        if !self.queue.is_empty() || self.surveying > 0 {
            return true;
        }
        if let Some(job) = &self.job {
            if job.waiting > 0 {
                return true;
            }
            if self.modify(search, rng) {
                return true;
            }
        }
        self.job = None;
        if self.survey(search) || self.begin(search) {
            return true;
        }
        self.idle_at = Some(search.generation);
        false
    }

    /// Asks for all probes of tests not looked at yet.
    fn survey(&mut self, search: &Search<'_>) -> bool {
        for archived in search.archive.tests() {
            let sequence = archived.kept.sequence;
            if !sequence.is_empty() && self.surveyed.insert(sequence.hash128()) {
                self.queue.push_back((sequence, Purpose::Survey));
            }
        }
        self.surveying = self.queue.len();
        self.surveying > 0
    }

    /// Chooses a condition and a witness not tried yet: nobody has a second turn before everybody had the first.
    fn begin(&mut self, search: &mut Search<'_>) -> bool {
        let Some(conditions) = &self.conditions else { return false };
        let mut frontier = conditions.frontier(&search.goals);
        frontier.sort_by_key(|c| self.worked.get(c).map_or(0, |w| w.turns));
        for condition in frontier {
            let worked = self.worked.entry(condition).or_default();
            loop {
                let plain = || {
                    let of = self.witnesses.get(&condition).into_iter().flatten().map(|(_, s)| s);
                    of.clone().find(|s| !self.tried.contains(&(condition, s.hash128()))).cloned()
                };
                let Some(witness) = worked.rich.pop().or_else(plain) else { break };
                if !self.tried.insert((condition, witness.hash128())) {
                    continue;
                }
                worked.turns += 1;
                let sequence = unshared(search, &witness);
                let experiments: Vec<_> = experiments(search, &sequence).into_iter().map(|e| (e, None)).collect();
                self.queue.push_back((sequence.clone(), Purpose::Baseline));
                for (n, (experiment, _)) in experiments.iter().enumerate() {
                    self.queue.push_back((experiment.sequence.clone(), Purpose::Experiment(n)));
                }
                let (waiting, stage) = (self.queue.len(), Stage::Experiments);
                self.job = Some(Job { condition, sequence, before: None, experiments, stage, waiting });
                return true;
            }
        }
        false
    }

    /// After the experiments: modifications of who had a say, or, if nobody had, more calls. False if there is nothing more to do.
    fn modify(&mut self, search: &mut Search<'_>, rng: &mut Rng) -> bool {
        let (Some(job), Some(conditions)) = (&mut self.job, &self.conditions) else { return false };
        let Some(before) = job.before.as_ref().filter(|b| !b.taken.is_empty()) else { return false };
        // The experiments themselves, or somebody else, may have done it.
        if conditions.missing(job.condition, &search.goals).is_empty() {
            return false;
        }
        let worked = self.worked.entry(job.condition).or_default();
        let (sequences, purpose, stage) = match job.stage {
            Stage::Experiments => {
                let influences = influences(before, &job.experiments);
                worked.influenced |= influences.iter().any(Influence::decides);
                let modified = modifications(search, &job.sequence, before, &influences);
                (modified, Purpose::Modification, Stage::Modifications)
            }
            Stage::Modifications if worked.enriched < ENRICHED => {
                let richer = enrichments(search, &job.sequence, rng);
                (richer, Purpose::Enrichment, Stage::Enrichments)
            }
            Stage::Modifications | Stage::Enrichments => return false,
        };
        job.stage = stage;
        self.queue.extend(sequences.into_iter().map(|s| (s, purpose.clone())));
        job.waiting = self.queue.len();
        // Without modifications, more calls are the next to be tried.
        job.waiting > 0 || (stage == Stage::Modifications && self.modify(search, rng))
    }

    /// A run is back, if only to say that there is no answer.
    fn done(&mut self, search: &Search<'_>, sequence: &Sequence, purpose: Purpose, execution: Option<&Execution>) {
        let conditions = self.conditions.as_ref();
        match purpose {
            Purpose::Random => {}
            Purpose::Survey => self.surveying -= 1,
            Purpose::Baseline | Purpose::Experiment(_) | Purpose::Modification | Purpose::Enrichment => {
                // Jobs end when all their runs are back.
                let (Some(job), Some(conditions)) = (&mut self.job, conditions) else { return };
                job.waiting -= 1;
                let look = execution.map(|e| conditions.look(job.condition, e));
                match purpose {
                    Purpose::Baseline => {
                        job.before = look.filter(|_| execution.is_some_and(|e| e.steps < DEAR_TO_REPEAT_STEPS))
                    }
                    Purpose::Experiment(n) => job.experiments[n].1 = look,
                    Purpose::Enrichment => {
                        // Something else is compared: what was put in has a say, or what it was given has.
                        let other = look.is_some_and(|l| !l.taken.is_empty() && job.before.as_ref() != Some(&l));
                        let worked = self.worked.entry(job.condition).or_default();
                        if other && worked.enriched < ENRICHED {
                            worked.enriched += 1;
                            worked.rich.push(sequence.clone());
                        }
                    }
                    _ => {}
                }
            }
        }
        self.figures.surveyed += u64::from(matches!(purpose, Purpose::Survey));
        self.figures.experiments += u64::from(matches!(purpose, Purpose::Baseline | Purpose::Experiment(_)));
        self.figures.modifications += u64::from(matches!(purpose, Purpose::Modification | Purpose::Enrichment));
        let Some(execution) =
            execution.filter(|e| !matches!(purpose, Purpose::Random) && e.steps < DEAR_TO_REPEAT_STEPS)
        else {
            return;
        };
        self.learn(search, sequence, execution);
    }

    /// A run of which all probes are known is a witness for every condition it reached, and may have settled some.
    fn learn(&mut self, search: &Search<'_>, sequence: &Sequence, execution: &Execution) {
        let Some(conditions) = &self.conditions else { return };
        let cost = search.cost_of(sequence).packed();
        for condition in conditions.reached(execution) {
            let on_frontier = !conditions.missing(condition, &search.goals).is_empty();
            if !on_frontier {
                continue;
            }
            let list = self.witnesses.entry(condition).or_default();
            if list.iter().any(|(_, s)| s == sequence) {
                continue;
            }
            let at = list.partition_point(|(c, _)| *c <= cost);
            if at < WITNESSES {
                list.insert(at, (cost, sequence.clone()));
                list.truncate(WITNESSES);
            }
        }
    }

    /// Conditions that lay on the frontier when they were worked at, and no more.
    fn settle(&mut self, search: &Search<'_>) {
        let (Some(conditions), Some(job)) = (&self.conditions, &self.job) else { return };
        let settled = conditions.missing(job.condition, &search.goals).is_empty();
        if settled && let Some(worked) = self.worked.get_mut(&job.condition) {
            worked.flipped = true;
            // What an experiment turned had a say, whatever became of it.
            worked.influenced = true;
            self.queue.retain(|(_, p)| matches!(p, Purpose::Survey));
            let flying = self.flying.count(|p| !matches!(p, Purpose::Random | Purpose::Survey));
            if let Some(job) = &mut self.job {
                job.waiting = flying;
            }
        }
    }
}

impl Generator for Redirect {
    fn propose(&mut self, search: &mut Search<'_>, rng: &mut Rng, n: usize, out: &mut Vec<Proposal>) -> Turn {
        let start = out.len();
        if self.random.is_some() && !self.directed {
            self.directed = self.runs >= HEAD_START && self.runs >= self.since_goal + PATIENCE && !self.is_idle(search);
        }
        if self.directed {
            self.directed = self.refill(search, rng) || self.random.is_none();
            while out.len() < start + n {
                let Some((sequence, purpose)) = self.queue.pop_front() else { break };
                // Values of these are not to be kept, and large ones take long to look at.
                let detail = Wanted { all_probes: true, operands: true, no_values: true, ..Wanted::default() };
                let proposal = search.offer(sequence, detail);
                self.flying.insert(proposal.ticket, purpose);
                out.push(proposal);
            }
        }
        // While results are waited for, random tests fill the time.
        if let Some(random) = &mut self.random {
            let from = out.len();
            random.propose(search, rng, n - (from - start), out);
            out[from..].iter().for_each(|p| self.flying.insert(p.ticket, Purpose::Random));
        }
        Turn::of_steps(out.len() > start, !self.flying.is_empty())
    }

    fn observe(&mut self, search: &Search<'_>, proposal: &Proposal, execution: &Execution, delta: Delta) {
        let Some(purpose) = self.flying.take(proposal.ticket) else { return };
        if let (Purpose::Random, Some(random)) = (&purpose, &mut self.random) {
            random.observe(search, proposal, execution, delta);
            self.runs += 1;
            if delta.new_goals > 0 {
                self.since_goal = self.runs;
            }
        }
        let answered = (!is_unanswered(execution)).then_some(execution);
        self.done(search, &proposal.sequence, purpose, answered);
        if delta.new_goals > 0 {
            self.settle(search);
        }
    }

    fn figures(&self) -> Figures {
        let Progress { conditions, influenced, flipped, .. } = self.progress();
        let told = format!(
            "conditions worked at because an outcome was missing: {conditions}; with variables that have a say: {influenced}; turned: {flipped}"
        );
        Figures { notes: if conditions == 0 { Vec::new() } else { vec![told] }, ..Figures::default() }
    }
}
