//! Concolic generation: candidate sequences of calls that can matter to each other, explored on the symbolic machine, with arguments from the solver. Owns the course of
//! the work and what is proposed; every test found is run again on a JVM, which alone decides what it covers.

mod agenda;
mod aim;
mod call;
pub mod candidates;
mod deferred;
pub mod explorer;
pub mod influence;
mod inputs;
pub mod invokable;
mod lines;
mod merge;
mod run;
mod select;
pub mod settings;
mod solving;
mod starts;
pub mod state;
pub mod summary;
mod trail;
pub mod tree;

use std::collections::VecDeque;

use symbolic::vm::Machine;
use testcase::execution::{Execution, Outcome};
use testcase::sequence::Sequence;

use self::agenda::Agenda;
use self::aim::Aim;
use self::call::Call;
use self::explorer::{Behind, Explorer, Ground, Work};
use self::influence::{Influence, Rules, Set};
use self::lines::Lines;
use self::select::Selector;
use self::settings::Order;
use self::starts::Starts;
use self::state::{Ended, State, Way};
use super::scratch::Scratch;
use super::{Figures, Generator, Turn};
use crate::options::Options;
use crate::prices::{CONCOLIC_LOOK_INVOKABLE_NANOS, CONCOLIC_START_INVOKABLE_NANOS, CONCOLIC_START_NANOS};
use crate::proposal::{Pending, Wanted};
use crate::rng::Rng;
use crate::search::{Delta, Proposal, Search, is_unanswered};

/// Thinking before something is proposed whether or not it shows anything new, in executions: nobody looks at the clock before.
const SLICE: u64 = 400;
/// Ways kept in case nothing better is found.
const SPARE: usize = 64;

pub struct Concolic {
    settings: settings::Concolic,
    course: Course,
    ready: VecDeque<(Sequence, Ended)>,
    spare: VecDeque<(Sequence, Ended)>,
    pending: Pending<Ended>,
    scratch: Scratch,
    /// Tests whose end on a JVM was not the machine's.
    pub disagreed: u64,
    pub proposed: u64,
    /// All thinking, in executions.
    thought: u64,
    /// What of it nobody was charged for yet.
    uncharged: u64,
}

enum Course {
    Start,
    Going(Box<Journey>),
    /// Nothing more to explore, and what there was.
    Done(Option<Box<Journey>>),
    /// There is no code to explore.
    Nothing,
}

/// Everything that lasts while there is something to explore.
struct Journey {
    ground: Ground,
    explorer: Explorer,
    agenda: Agenda,
    aim: Aim,
    selector: Selector,
    goals: Set,
    chains: Vec<Set>,
    /// When goals were last looked at: the search's generation, and the length explored.
    looked: Option<(u64, usize)>,
    /// The state being gone on with, and the calls left to try behind it.
    current: Option<(State, Vec<usize>)>,
    /// Ways to fill the parameters of one of these that are left.
    filled: Vec<Call>,
    /// What answering questions that had been put off took so far, in nanoseconds.
    answering: u64,
}

impl Concolic {
    pub fn new(options: &Options) -> Concolic {
        Concolic {
            settings: options.concolic,
            course: Course::Start,
            ready: VecDeque::new(),
            spare: VecDeque::new(),
            pending: Pending::default(),
            scratch: Scratch::default(),
            disagreed: 0,
            proposed: 0,
            thought: 0,
            uncharged: 0,
        }
    }

    /// What was done so far.
    pub fn work(&self) -> Work {
        self.journey().map(|j| j.explorer.work).unwrap_or_default()
    }

    /// Nodes of all constraint trees, and ways known.
    pub fn tree_size(&self) -> (usize, usize) {
        self.journey().map_or((0, 0), |j| (j.explorer.summary.size(), j.explorer.summary.paths()))
    }

    fn journey(&self) -> Option<&Journey> {
        match &self.course {
            Course::Going(journey) | Course::Done(Some(journey)) => Some(journey),
            Course::Start | Course::Done(None) | Course::Nothing => None,
        }
    }

    fn start(&mut self, search: &mut Search<'_>) -> Course {
        let library = search.library;
        let (Some(world), Some(machine)) = (library.world(), library.machine()) else { return Course::Nothing };
        let settings = self.settings;
        let invokables = invokable::collect(search, world);
        let influence = Influence::of(&invokables, search, world);
        let rules = Rules { dataflow: settings.dataflow, partial_order: settings.partial_order, nulls: settings.nulls };
        let statics = invokables.iter().any(|i| i.flow.defines.iter().any(|f| f.is_static));
        let starts = Starts::of(&library.constants());
        let ground = Ground { invokables, influence, rules, statics, starts };
        let mut explorer = Explorer::new(machine, library.chain(), settings);
        explorer.warm_up(&ground, &search.catalog);
        let count = ground.invokables.len() as u64;
        explorer.effort.spend(CONCOLIC_START_NANOS + count * CONCOLIC_START_INVOKABLE_NANOS);
        let classes = search.goals.methods().map(|(_, m)| m.class.internal().to_owned());
        let lines = Lines::of(library.code());
        Course::Going(Box::new(Journey {
            ground,
            explorer,
            agenda: Agenda::new(settings),
            aim: Aim::of(search),
            selector: Selector::new(settings.criterion, classes, lines),
            goals: Set::default(),
            chains: Vec::new(),
            looked: None,
            current: None,
            filled: Vec::new(),
            answering: 0,
        }))
    }

    /// Takes note of what was done since this was called last; says how many executions it was worth.
    fn account(&mut self) -> u64 {
        let Course::Going(journey) = &mut self.course else { return 0 };
        let new = journey.explorer.effort.take();
        self.thought += new;
        self.uncharged += new;
        new
    }

    /// One call behind one state. False if nothing is left.
    fn step(&mut self, search: &mut Search<'_>) -> bool {
        let Course::Going(journey) = &mut self.course else { return false };
        let (mut ways, mut states) = (Vec::new(), Vec::new());
        if !journey.go(search, &self.settings, &mut ways, &mut states) {
            if let Course::Going(journey) = std::mem::replace(&mut self.course, Course::Nothing) {
                self.course = Course::Done(Some(journey));
            }
            return false;
        }
        for way in &ways {
            let wanted = journey.selector.is_wanted(&journey.explorer.machine, way);
            let values = if wanted { journey.selector.extra(&mut journey.explorer, way) } else { Vec::new() };
            let own = std::iter::once(&way.values);
            let mut written: Vec<Sequence> = Vec::new();
            for values in own.chain(&values) {
                let (ground, explorer) = (&journey.ground, &journey.explorer);
                call::write(search, &ground.invokables, &way.calls, &explorer.inputs, values, &mut self.scratch);
                if self.scratch.len() > search.options.max_length {
                    continue;
                }
                let sequence = self.scratch.sequence();
                if written.contains(&sequence) {
                    continue;
                }
                written.push(sequence.clone());
                let test = (sequence, way.ended.clone());
                if wanted {
                    self.ready.push_back(test);
                } else if self.spare.len() < SPARE {
                    self.spare.push_back(test);
                }
            }
        }
        journey.agenda.add(&mut states);
        true
    }
}

impl Journey {
    fn go(
        &mut self,
        search: &Search<'_>,
        settings: &settings::Concolic,
        ways: &mut Vec<Way>,
        states: &mut Vec<State>,
    ) -> bool {
        let (aim, generation) = (&mut self.aim, search.generation);
        let aimed = settings.order == Order::Aimed;
        let mut prefer = |machine: &Machine, open: &tree::Open| {
            if aimed { aim.distance(machine, &search.goals, generation, open) } else { 0 }
        };
        loop {
            // Half of the time is for questions that were put off, and all of it when nothing else is left.
            let is_asked = self.explorer.is_asked();
            if is_asked && self.answering * 2 <= self.explorer.effort.total() {
                let before = self.explorer.effort.total();
                self.explorer.answer(&self.ground, &search.catalog, &mut prefer, ways, states);
                self.answering += self.explorer.effort.total() - before;
                return true;
            }
            if let Some((_, calls)) = &self.current
                && calls.is_empty()
                && self.filled.is_empty()
            {
                self.current = None;
            }
            if self.current.is_none() {
                look(&self.ground, &self.agenda, search, settings, &mut self.looked, &mut self.goals, &mut self.chains);
                if self.goals.is_empty() {
                    return false;
                }
                let explorer = &mut self.explorer;
                let Some(state) = self.agenda.next(&self.ground, &self.goals, &mut || explorer.root()) else {
                    self.answering = 0;
                    if is_asked {
                        continue;
                    }
                    return false;
                };
                look(&self.ground, &self.agenda, search, settings, &mut self.looked, &mut self.goals, &mut self.chains);
                let mut calls = Vec::new();
                self.agenda.calls_behind(&self.ground, &state, &self.goals, &self.chains, &mut calls);
                if aimed && state.plan.is_none() {
                    // What may cover something itself comes first, what only leads there has to wait.
                    let goals = &self.goals;
                    let waits = !state.stepping && calls.iter().any(|c| !goals.contains(*c));
                    calls.retain(|c| goals.contains(*c) != state.stepping);
                    if waits {
                        states.push(State { stepping: true, ..state.clone() });
                    }
                }
                self.explorer.effort.spend(self.ground.invokables.len() as u64 * CONCOLIC_LOOK_INVOKABLE_NANOS);
                calls.reverse();
                self.current = Some((state, calls));
                self.agenda.add(states);
                continue;
            }
            // Just looked at.
            let Some((state, calls)) = &mut self.current else { return false };
            let Some(call) = self.filled.pop() else {
                let Some(invokable) = calls.pop() else { continue };
                self.filled = self.explorer.fillings(&self.ground, &search.catalog, state, invokable);
                self.filled.reverse();
                continue;
            };
            let at = Behind { ground: &self.ground, catalog: &search.catalog, state, call: &call };
            self.explorer.explore(at, &mut prefer, ways, states);
            return true;
        }
    }
}

/// Finds what is still to be covered, if that may have changed.
fn look(
    ground: &Ground,
    agenda: &Agenda,
    search: &Search<'_>,
    settings: &settings::Concolic,
    looked: &mut Option<(u64, usize)>,
    goals: &mut Set,
    chains: &mut Vec<Set>,
) {
    let length = agenda.length();
    let generation = if settings.order == Order::Aimed { search.generation } else { 0 };
    if *looked == Some((generation, length)) {
        return;
    }
    *looked = Some((generation, length));
    *goals = match settings.order {
        Order::Aimed => aim::goals(search, &ground.invokables),
        Order::Breadth | Order::Exhaustive => aim::all(&ground.invokables),
    };
    *chains = ground.influence.chains(goals, length);
}

impl Generator for Concolic {
    fn propose(&mut self, search: &mut Search<'_>, _: &mut Rng, n: usize, out: &mut Vec<Proposal>) -> Turn {
        if matches!(self.course, Course::Start) {
            self.course = self.start(search);
        }
        let wanted = out.len() + n;
        let mut slice = self.account();
        while out.len() < wanted {
            let mut next = self.ready.pop_front();
            if next.is_none() {
                let waited = slice >= SLICE;
                if !waited && self.step(search) {
                    slice += self.account();
                    continue;
                }
                // Something has to be run, or nobody looks at the clock.
                next = self.spare.pop_front().filter(|_| waited && out.is_empty());
            }
            let Some((sequence, ended)) = next else { break };
            self.proposed += 1;
            let proposal = search.offer(sequence, Wanted::default());
            self.pending.insert(proposal.ticket, ended);
            out.push(proposal);
        }
        let is_over = matches!(self.course, Course::Done(_) | Course::Nothing) && self.ready.is_empty();
        if is_over && out.len() + n == wanted { Turn::Exhausted } else { Turn::Ready }
    }

    fn observe(&mut self, _: &Search<'_>, proposal: &Proposal, execution: &Execution, _: Delta) {
        let Some(ended) = self.pending.take(proposal.ticket) else { return };
        if is_unanswered(execution) {
            return;
        }
        let last = proposal.sequence.len() - 1;
        let agrees = match (&ended, &execution.outcome) {
            (Ended::Normal, Outcome::Normal) | (Ended::Unmodelled | Ended::Exhausted, _) => true,
            (Ended::Threw(class), Outcome::Threw { statement, exception }) => {
                usize::from(*statement) == last && exception.class.internal() == &**class
            }
            _ => false,
        };
        self.disagreed += u64::from(!agrees);
    }

    fn effort(&mut self) -> u64 {
        std::mem::take(&mut self.uncharged)
    }

    fn figures(&self) -> Figures {
        Figures { notes: self.notes(), ..Figures::default() }
    }
}

impl Concolic {
    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let Some(journey) = self.journey() else {
            if matches!(self.course, Course::Nothing) {
                notes.push("nothing was explored: there is no code that the symbolic machine could run".to_owned());
            }
            return notes;
        };
        let work = journey.explorer.work;
        notes.push(format!(
            "explored {} calls of {} invokables: {} ways, {} of {} questions without an answer; {} tests proposed, {} ended otherwise on a JVM; thinking took as long as about {} executions",
            work.contexts,
            journey.ground.invokables.len(),
            work.ways,
            work.given_up,
            work.queries,
            self.proposed,
            self.disagreed,
            self.thought,
        ));
        if journey.agenda.candidates > 0 {
            notes.push(format!("{} sequences explored one by one", journey.agenda.candidates));
        }
        if journey.agenda.refused {
            let most = self.settings.max_states;
            notes.push(format!("not everything was explored: more than {most} states were waiting"));
        }
        for (reason, count) in &journey.explorer.stops {
            notes.push(format!("not explored beyond ({count} times): {reason}"));
        }
        notes
    }
}
