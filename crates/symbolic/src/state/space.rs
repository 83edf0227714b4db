//! The states found so far and how to reach each. Owns their numbering, the fate of the end of a path (nothing new, a
//! new state, a part of a waiting one) and the numbers that make a path a concrete test. Runs only what the caller asks
//! for.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::compare::{Comparison, matching};
use super::condition::{Asked, Asker, Condition};
use super::paths::{Arguments, Begin, End, Path, PathLimits, each_path};
use super::vocabulary::{Role, Vocabulary};
use super::zone::Change;
use crate::executor::Slot;
use crate::expr::{InputId, Sort, Term, Terms};
use crate::solver::Chain;
use crate::vm::{Held, Limits, Machine, Ref, Run, Snapshot};

/// Conditions of one state, any of which may hold.
const ALTERNATIVES: usize = 48;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    pub comparison: Comparison,
    /// No states are added beyond this many.
    pub states: usize,
    /// Paths of one call.
    pub paths: usize,
    /// Conditions of a path that are inverted.
    pub conditions: usize,
    /// Instructions of all calls of a sequence.
    pub steps: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { comparison: Comparison::default(), states: 10_000, paths: 256, conditions: 256, steps: 200_000 }
    }
}

/// The number of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId(pub u32);

/// A call on the way to a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visit {
    /// The caller's name for what was called.
    pub label: u32,
    /// The next call is made on the result, not on the receiver.
    pub result: bool,
    /// Types of the numbers it took.
    pub letters: Arc<[u8]>,
    /// The number of the path it took, among all paths.
    pub path: u32,
}

/// What kind of thing the receiver and the result of a call are, in the caller's terms; none if they are not explored
/// further. States of different kinds are never compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tags {
    pub receiver: Option<u32>,
    pub result: Option<u32>,
}

/// One path to a state, and what is known of its numbers.
#[derive(Clone, Debug)]
struct Alternative {
    /// On the numbers that the state holds.
    condition: Condition,
    /// On the arguments of all calls so far.
    whole: Condition,
    /// What the numbers are, by these arguments.
    meaning: Arc<FxHashMap<InputId, Term>>,
    trail: Arc<[Visit]>,
}

#[derive(Debug)]
struct State {
    tag: u32,
    object: Ref,
    snapshot: Snapshot,
    structure: Arc<[u64]>,
    held: Vec<Term>,
    alternatives: Vec<Alternative>,
    /// Paths from here were explored.
    explored: bool,
}

/// A path of a call, as a test.
#[derive(Debug)]
pub struct Found<'f> {
    pub trail: &'f [Visit],
    /// Values of the numbers that each call takes, the last one's included.
    pub values: Vec<Vec<(u8, u64)>>,
    pub end: &'f End,
    /// The new states it led to.
    pub states: &'f [StateId],
    /// Receiver and result are as they were.
    pub preserved: bool,
}

/// The result of exploring a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explored {
    /// There were not too many paths.
    pub complete: bool,
}

/// Sums over the whole exploration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub paths: u64,
    /// Ends of paths that were earlier states.
    pub subsumed: u64,
    /// Ends of paths that became part of a waiting state.
    pub merged: u64,
    /// Paths that ended where the machine cannot go on.
    pub stopped: u64,
    /// Paths for which no numbers were found.
    pub lost: u64,
    /// States left out for lack of room.
    pub refused: u64,
    pub asked: Asked,
}

/// All states, and the machine that makes them.
pub struct Space {
    machine: Machine,
    asker: Asker,
    vocabulary: Vocabulary,
    settings: Settings,
    states: Vec<State>,
    index: FxHashMap<(u32, Arc<[u64]>), Vec<u32>>,
    counts: Counts,
}

impl std::fmt::Debug for Space {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Space").field("states", &self.states.len()).field("counts", &self.counts).finish()
    }
}

/// Makes a call on a receiver, if it has one.
type Calling<'c> = dyn FnMut(&mut Machine, Option<Slot>, &mut Arguments<'_>) -> Run<Slot> + 'c;

impl Space {
    pub fn new(mut machine: Machine, settings: Settings) -> Space {
        machine.settle();
        machine.set_limits(Limits { steps: settings.steps, ..Limits::default() });
        machine.set_symbolic(true);
        Space {
            machine,
            asker: Asker::default(),
            vocabulary: Vocabulary::default(),
            settings,
            states: Vec::new(),
            index: FxHashMap::default(),
            counts: Counts::default(),
        }
    }

    /// With another solver than the usual chain.
    pub fn with_solver(self, chain: Chain) -> Space {
        Space { asker: Asker::over(chain), ..self }
    }

    /// Runs something for the classes it initialises, which stay initialised. Only before the first state.
    pub fn warm(&mut self, run: &mut dyn FnMut(&mut Machine, &mut Arguments<'_>) -> Run<()>) {
        if self.states.is_empty() {
            let model = Default::default();
            let mut arguments = Arguments::new(&mut self.vocabulary, &model);
            // Everything it does is forgotten.
            let _ = run(&mut self.machine, &mut arguments);
            self.machine.settle();
        }
    }

    pub fn len(&self) -> usize {
        self.states.len()
    }

    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    pub fn tag(&self, state: StateId) -> u32 {
        self.states[state.0 as usize].tag
    }

    pub fn counts(&self) -> Counts {
        Counts { asked: self.asker.asked, ..self.counts }
    }

    /// The conditions of a state in words: one line per way to it.
    pub fn describe(&mut self, state: StateId) -> Vec<String> {
        let state = &self.states[state.0 as usize];
        let terms = &mut self.machine.path_mut().terms;
        let mut lines = Vec::new();
        for alternative in &state.alternatives {
            let all = alternative.condition.terms(terms, &self.vocabulary);
            let mut words: Vec<String> = all.iter().map(|term| terms.text(*term)).collect();
            words.sort();
            lines.push(words.join(" "));
        }
        lines
    }

    /// Takes every path through a call from a state (from nothing, for calls that need no receiver), and shows each
    /// with numbers that take it. The solver is asked at most `questions` times for further paths; zones answer any
    /// number.
    pub fn explore(
        &mut self,
        from: Option<StateId>,
        label: u32,
        tags: Tags,
        questions: u64,
        call: &mut Calling<'_>,
        found: &mut dyn FnMut(Found<'_>),
    ) -> Explored {
        let Space { machine, asker, vocabulary, settings, states, index, counts } = self;
        let mut origin = Origin::default();
        if let Some(from) = from {
            let state = &mut states[from.0 as usize];
            state.explored = true;
            origin = Origin {
                receiver: Some(state.object),
                snapshot: Some(state.snapshot.clone()),
                structure: Some(state.structure.clone()),
                held: state.held.clone(),
                alternatives: state.alternatives.clone(),
            };
        }
        let conditions: Vec<Condition> = origin.alternatives.iter().map(|a| a.condition.clone()).collect();
        let begin = Begin { snapshot: origin.snapshot.as_ref(), conditions: &conditions };
        let limits = PathLimits { paths: settings.paths, conditions: settings.conditions, questions };
        let receiver = origin.receiver.map(|object| Slot::new(b'L', u64::from(object)));
        let mut store = Store { states, index, counts, settings };
        let complete = each_path(
            machine,
            asker,
            vocabulary,
            &begin,
            limits,
            &mut |machine, arguments| call(machine, receiver, arguments),
            &mut |machine, asker, vocabulary, path| {
                store.counts.paths += 1;
                store.take(machine, asker, vocabulary, &origin, label, tags, path, found);
            },
        );
        Explored { complete }
    }
}

/// The state that paths begin from.
#[derive(Debug)]
struct Origin {
    receiver: Option<Ref>,
    snapshot: Option<Snapshot>,
    structure: Option<Arc<[u64]>>,
    held: Vec<Term>,
    alternatives: Vec<Alternative>,
}

impl Default for Origin {
    fn default() -> Self {
        let nothing = Alternative {
            condition: Condition::default(),
            whole: Condition::default(),
            meaning: Arc::default(),
            trail: [].into(),
        };
        Origin { receiver: None, snapshot: None, structure: None, held: Vec::new(), alternatives: vec![nothing] }
    }
}

/// Where new states go.
struct Store<'s> {
    states: &'s mut Vec<State>,
    index: &'s mut FxHashMap<(u32, Arc<[u64]>), Vec<u32>>,
    counts: &'s mut Counts,
    settings: &'s Settings,
}

/// A path that continues an alternative of the origin.
struct Way {
    /// On what the machine holds now.
    condition: Condition,
    whole: Condition,
    /// What inputs of the call and of the state it began from are, by the arguments of all calls.
    scope: FxHashMap<InputId, Term>,
    trail: Arc<[Visit]>,
}

impl Store<'_> {
    #[expect(clippy::too_many_arguments, reason = "the parts of an exploration, borrowed apart")]
    fn take(
        &mut self,
        machine: &mut Machine,
        asker: &mut Asker,
        vocabulary: &mut Vocabulary,
        origin: &Origin,
        label: u32,
        tags: Tags,
        path: Path,
        found: &mut dyn FnMut(Found<'_>),
    ) {
        let letters: Arc<[u8]> = path.inputs.iter().map(|input| vocabulary.letter(*input)).collect();
        let visit = Visit { label, result: false, letters, path: self.counts.paths as u32 };
        let mut ways: Vec<Way> = Vec::new();
        let mut values = None;
        for (at, condition) in path.live {
            let before = &origin.alternatives[at];
            let terms = &mut machine.path_mut().terms;
            let Some((whole, scope)) = continued(terms, vocabulary, before, &path.inputs, &path.conditions) else {
                continue;
            };
            if values.is_none() {
                values = asker.values(terms, vocabulary, &whole).map(|model| (at, model));
            }
            ways.push(Way { condition, whole, scope, trail: before.trail.clone() });
        }
        let Some((at, model)) = values else {
            self.counts.lost += 1;
            return;
        };
        if let End::Stopped(_) = path.end {
            self.counts.stopped += 1;
        }
        let mut new = Vec::new();
        let mut preserved = true;
        if let Some(slot) = path.value {
            let result = slot.bits as Ref;
            let mut ends: Vec<(Ref, u32, bool)> = Vec::new();
            if let (Some(receiver), Some(tag)) = (origin.receiver, tags.receiver) {
                ends.push((receiver, tag, false));
            }
            if let Some(tag) = tags.result
                && slot.letter == b'L'
                && result != 0
                && origin.receiver != Some(result)
            {
                ends.push((result, tag, true));
            }
            machine.forget_conditions();
            let raw = if ends.len() > 1 { Some(machine.snapshot()) } else { None };
            for (object, tag, is_result) in ends {
                if let Some(raw) = &raw
                    && machine.resume(raw).is_err()
                {
                    break;
                }
                // A state that cannot be looked at cannot be compared.
                let Ok(graph) = machine.graph(object) else { continue };
                let held = held_terms(&mut machine.path_mut().terms, &graph.held);
                if !is_result && origin.structure.as_deref() == Some(&graph.structure) && origin.held == held {
                    continue;
                }
                preserved = false;
                let visit = Visit { result: is_result, ..visit.clone() };
                let end = Ended { object, tag, structure: graph.structure.into(), held, visit };
                new.extend(self.reach(machine, asker, vocabulary, &ways, end));
            }
        }
        let trail = &origin.alternatives[at].trail;
        let steps = trail.iter().chain([&visit]).enumerate();
        let terms = &mut machine.path_mut().terms;
        let values = steps
            .map(|(step, visit)| {
                let numbers = visit.letters.iter().enumerate();
                let bits = numbers.map(|(number, letter)| {
                    let input = vocabulary.input(terms, Role::Step(step as u32, number as u32), *letter);
                    (*letter, model.bits(input))
                });
                bits.collect()
            })
            .collect();
        let all: Vec<Visit> = trail.iter().cloned().chain([visit]).collect();
        found(Found { trail: &all, values, end: &path.end, states: &new, preserved });
    }

    /// Adds the end of a path: drops it if it was there before, joins it with a waiting state, or makes a new one.
    fn reach(
        &mut self,
        machine: &mut Machine,
        asker: &mut Asker,
        vocabulary: &mut Vocabulary,
        ways: &[Way],
        end: Ended,
    ) -> Option<StateId> {
        let terms = &mut machine.path_mut().terms;
        let mut keep: Vec<InputId> = Vec::new();
        for term in &end.held {
            for input in terms.inputs_of(*term) {
                if !keep.contains(input) {
                    keep.push(*input);
                }
            }
        }
        let mut names = Names::default();
        for &input in &keep {
            names.add(terms, vocabulary, input);
        }
        let held: Vec<Term> = end.held.iter().filter_map(|term| names.rename(terms, *term)).collect();
        let place = (end.tag, end.structure.clone());
        let known = self.index.get(&place).cloned().unwrap_or_default();
        let mut alternatives: Vec<Alternative> = Vec::new();
        let same = matching(terms, &held, &held);
        for way in ways {
            let keep = match self.settings.comparison {
                Comparison::Equality => way.condition.related(terms, &keep),
                _ => keep.clone(),
            };
            for condition in way.condition.onto(terms, &keep) {
                let mut names = names.clone();
                for input in condition.inputs(terms) {
                    names.add(terms, vocabulary, input);
                }
                let condition = condition.renamed(&names.inputs, |term| {
                    // Every input of it was named.
                    names.rename(terms, term).unwrap_or(Terms::TRUE)
                });
                let is_known = known.iter().any(|state| {
                    let state = &self.states[*state as usize];
                    if self.settings.comparison == Comparison::Equality {
                        return state.held == held && state.alternatives.iter().any(|a| a.condition == condition);
                    }
                    let Some(matching) = matching(terms, &state.held, &held) else { return false };
                    if self.settings.comparison == Comparison::Structure {
                        return matching.is_plain();
                    }
                    let mut old = state.alternatives.iter().map(|a| &a.condition);
                    old.any(|old| matching.subsumes(asker, terms, vocabulary, old, &condition))
                });
                let is_repeated = alternatives.iter().any(|a| match (&same, self.settings.comparison) {
                    (Some(same), Comparison::Implication | Comparison::Merging) => {
                        same.subsumes(asker, terms, vocabulary, &a.condition, &condition)
                    }
                    _ => a.condition == condition,
                });
                if is_known || is_repeated {
                    self.counts.subsumed += 1;
                    continue;
                }
                let meaning = names.inputs.iter().filter_map(|(old, new)| Some((*new, *way.scope.get(old)?)));
                let trail = way.trail.iter().cloned().chain([end.visit.clone()]).collect();
                alternatives.push(Alternative {
                    condition,
                    whole: way.whole.clone(),
                    meaning: Arc::new(meaning.collect()),
                    trail,
                });
            }
        }
        if alternatives.is_empty() {
            return None;
        }
        if self.settings.comparison == Comparison::Merging {
            let waiting = known.iter().find(|state| {
                let state = &self.states[**state as usize];
                let room = state.alternatives.len() + alternatives.len() <= ALTERNATIVES;
                !state.explored && state.held == held && room
            });
            if let (Some(waiting), Some(same)) = (waiting, &same) {
                self.counts.merged += 1;
                let old = &mut self.states[*waiting as usize].alternatives;
                old.retain(|old| {
                    !alternatives
                        .iter()
                        .any(|new| same.subsumes(asker, terms, vocabulary, &new.condition, &old.condition))
                });
                old.append(&mut alternatives);
                return None;
            }
        }
        if self.states.len() >= self.settings.states {
            self.counts.refused += 1;
            return None;
        }
        machine.relabel(|terms, term| names.rename(terms, term));
        let snapshot = machine.snapshot();
        let id = self.states.len() as u32;
        self.states.push(State {
            tag: end.tag,
            object: end.object,
            snapshot,
            structure: end.structure,
            held,
            alternatives,
            explored: false,
        });
        self.index.entry(place).or_default().push(id);
        Some(StateId(id))
    }
}

/// An object at the end of a path.
struct Ended {
    object: Ref,
    tag: u32,
    structure: Arc<[u64]>,
    held: Vec<Term>,
    visit: Visit,
}

/// New names for inputs, in the order in which a state holds them.
#[derive(Clone, Debug, Default)]
struct Names {
    inputs: FxHashMap<InputId, InputId>,
    terms: FxHashMap<InputId, Term>,
}

impl Names {
    fn add(&mut self, terms: &mut Terms, vocabulary: &mut Vocabulary, input: InputId) {
        if !self.inputs.contains_key(&input) {
            let role = Role::Held(self.inputs.len() as u32);
            let name = vocabulary.input(terms, role, vocabulary.letter(input));
            self.inputs.insert(input, name);
            self.terms.insert(input, terms.input_term(name));
        }
    }

    fn rename(&self, terms: &mut Terms, term: Term) -> Option<Term> {
        Vocabulary::replaced(terms, term, &self.terms)
    }
}

/// The condition of all calls with one more, and what the inputs of that one mean among all arguments. None if it
/// contradicts itself.
fn continued(
    terms: &mut Terms,
    vocabulary: &mut Vocabulary,
    before: &Alternative,
    inputs: &[InputId],
    conditions: &[Term],
) -> Option<(Condition, FxHashMap<InputId, Term>)> {
    let step = before.trail.len() as u32;
    let mut scope: FxHashMap<InputId, Term> = (*before.meaning).clone();
    let mut whole = before.whole.clone();
    for (number, &input) in inputs.iter().enumerate() {
        let letter = vocabulary.letter(input);
        let argument = vocabulary.input(terms, Role::Step(step, number as u32), letter);
        whole.speak_of(vocabulary, argument);
        scope.insert(input, terms.input_term(argument));
    }
    for &condition in conditions {
        let condition = Vocabulary::replaced(terms, condition, &scope)?;
        if whole.assume(terms, vocabulary, condition) == Change::Empty {
            return None;
        }
    }
    Some((whole, scope))
}

/// Numbers as terms, constants included.
fn held_terms(terms: &mut Terms, held: &[Held]) -> Vec<Term> {
    let sort = |letter: u8| match letter {
        b'J' => Sort::LONG,
        b'F' => Sort::F32,
        b'D' => Sort::F64,
        _ => Sort::INT,
    };
    held.iter()
        .map(|held| match held.term {
            Some(term) => term,
            None => {
                let sort = sort(held.letter);
                terms.constant(sort, held.bits & sort.mask())
            }
        })
        .collect()
}
