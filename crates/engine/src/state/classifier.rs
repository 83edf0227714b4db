//! The seam behind which the five techniques live: told what is known of a value, a classifier says to which class of equivalent values it belongs. Owns
//! the keys of the classes; knows nothing of tests and does not follow objects through them.

use bytecode::names::ClassName;
use rustc_hash::FxHashMap;
use testcase::execution::{Observation, StateHash};
use testcase::observed::{Fallback, Needs, ObservedObject, ObservedValue};
use testcase::value::Value;

use super::Technique;

/// Number of a class of equivalent values, within one classifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId(pub u32);

/// Number of a class of equivalent method executions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExecutionId(pub u32);

/// Was a value of this class met before?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    New(StateId),
    Seen(StateId),
}

impl Class {
    pub fn id(self) -> StateId {
        match self {
            Class::New(id) | Class::Seen(id) => id,
        }
    }
    pub fn is_new(self) -> bool {
        matches!(self, Class::New(_))
    }
}

/// Which value of a call is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    /// What it gave back, or the object a constructor made.
    Result,
    /// Receiver (0, if there is one) or argument, after the call.
    Operand(u8),
}

/// How a value came to be what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    pub call: ExecutionId,
    pub part: Part,
    /// Its class before the call; none if the call made it.
    pub before: Option<StateId>,
    /// Did the call write anything reachable from it?
    pub written: bool,
}

/// What is known of a value.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sight<'a> {
    /// For what is known by value.
    pub value: Option<&'a Value>,
    pub class: Option<&'a ClassName>,
    pub state: Option<StateHash>,
    pub equals_state: Option<StateHash>,
    pub equals_class: Option<u64>,
    /// Numbers of equals-classes mean the same only within one epoch.
    pub epoch: u32,
    /// None if nobody watched it come to be.
    pub origin: Option<Origin>,
    pub fallback: Option<Fallback>,
}

impl<'a> Sight<'a> {
    pub fn plain(value: &'a Value) -> Sight<'a> {
        Sight { value: Some(value), ..Sight::default() }
    }

    pub fn object(object: &'a ObservedObject) -> Sight<'a> {
        Sight {
            class: Some(&object.class),
            state: object.state,
            equals_state: object.equals_state,
            equals_class: object.equals_class,
            fallback: object.fallback,
            ..Sight::default()
        }
    }

    pub fn observed(value: &'a ObservedValue) -> Sight<'a> {
        match value {
            ObservedValue::Plain(value) => Sight::plain(value),
            ObservedValue::Object(object) => Sight::object(object),
        }
    }

    /// As a worker saw it.
    pub fn observation(seen: &'a Observation) -> Sight<'a> {
        Sight {
            value: seen.value.as_ref().filter(|v| is_whole(v)),
            class: seen.class.as_ref(),
            state: seen.state,
            equals_class: seen.equals_class,
            equals_state: seen.equals_state,
            ..Sight::default()
        }
    }

    pub fn from(self, origin: Origin) -> Sight<'a> {
        Sight { origin: Some(origin), ..self }
    }
}

/// Is the value all there is to know? Not if a part of it was too long to be sent, or if it has objects in it.
pub fn is_whole(value: &Value) -> bool {
    match value {
        Value::LongString { .. } | Value::LongArray { .. } | Value::Object { .. } | Value::Array { .. } => false,
        Value::Boxed(inner) => is_whole(inner),
        Value::Null
        | Value::Boolean(_)
        | Value::Byte(_)
        | Value::Char(_)
        | Value::Short(_)
        | Value::Int(_)
        | Value::Long(_)
        | Value::Float(_)
        | Value::Double(_)
        | Value::String(_)
        | Value::Class(_)
        | Value::Enum { .. } => true,
    }
}

/// Tells values apart by one technique.
pub trait StateClassifier {
    /// What has to be observed.
    fn needs(&self) -> Needs;
    /// Does the class of a value follow from how it came to be, so that its owner has to follow the objects?
    fn follows_history(&self) -> bool {
        false
    }
    fn classify(&mut self, sight: &Sight<'_>) -> Class;
    /// Why this value cannot be told apart as the technique means to; its whole state is used then.
    fn fallback(&self, _sight: &Sight<'_>) -> Option<Fallback> {
        None
    }
}

pub fn for_technique(technique: Technique) -> Box<dyn StateClassifier> {
    match technique {
        Technique::WholeSeq => Box::new(ByHistory { classes: Classes::default(), writes_only: false }),
        Technique::ModifyingSeq => Box::new(ByHistory { classes: Classes::default(), writes_only: true }),
        Technique::WholeState => Box::new(ByState::default()),
        Technique::MonitorEquals => Box::new(ByEqualsReads::default()),
        Technique::PairwiseEquals => Box::new(ByEquals::default()),
    }
}

/// What values of one class have in common.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    Value(Value),
    State(Option<ClassName>, StateHash),
    EqualsReads(Option<ClassName>, StateHash),
    EqualsClass {
        epoch: u32,
        class: Option<ClassName>,
        number: u64,
    },
    /// The call, which of its values, and that value's class before.
    Made(ExecutionId, Part, Option<StateId>),
}

/// Keys and their numbers, in order of appearance.
#[derive(Debug, Default)]
struct Classes {
    numbers: FxHashMap<Key, StateId>,
    next: u32,
}

impl Classes {
    fn fresh(&mut self) -> StateId {
        self.next += 1;
        StateId(self.next - 1)
    }

    fn of(&mut self, key: Key) -> Class {
        if let Some(&id) = self.numbers.get(&key) {
            return Class::Seen(id);
        }
        let id = self.fresh();
        self.numbers.insert(key, id);
        Class::New(id)
    }

    /// By value, or by everything reachable. What is not known at all is like nothing else.
    fn by_state(&mut self, sight: &Sight<'_>) -> Class {
        match (sight.value, sight.state) {
            (Some(value), _) if is_whole(value) => self.of(Key::Value(value.clone())),
            (_, Some(state)) => self.of(Key::State(sight.class.cloned(), state)),
            _ => Class::New(self.fresh()),
        }
    }
}

/// Is it known by value, so that every technique treats it the same?
fn is_plain(sight: &Sight<'_>) -> bool {
    sight.value.is_some_and(is_whole)
}

fn unknown(sight: &Sight<'_>) -> Option<Fallback> {
    (!is_plain(sight) && sight.state.is_none()).then_some(sight.fallback.unwrap_or(Fallback::TooLarge))
}

/// WholeSeq and ModifyingSeq: the calls that led to a value.
struct ByHistory {
    classes: Classes,
    writes_only: bool,
}

impl StateClassifier for ByHistory {
    fn needs(&self) -> Needs {
        Needs { states: true, writes: self.writes_only, ..Needs::default() }
    }

    fn follows_history(&self) -> bool {
        true
    }

    fn classify(&mut self, sight: &Sight<'_>) -> Class {
        match sight.origin {
            Some(_) if is_plain(sight) => self.classes.by_state(sight),
            Some(Origin { before: Some(before), written: false, .. }) if self.writes_only => Class::Seen(before),
            Some(origin) => self.classes.of(Key::Made(origin.call, origin.part, origin.before)),
            None => self.classes.by_state(sight),
        }
    }

    fn fallback(&self, sight: &Sight<'_>) -> Option<Fallback> {
        if sight.origin.is_some() { None } else { unknown(sight) }
    }
}

/// WholeState.
#[derive(Default)]
struct ByState {
    classes: Classes,
}

impl StateClassifier for ByState {
    fn needs(&self) -> Needs {
        Needs { states: true, ..Needs::default() }
    }

    fn classify(&mut self, sight: &Sight<'_>) -> Class {
        self.classes.by_state(sight)
    }

    fn fallback(&self, sight: &Sight<'_>) -> Option<Fallback> {
        unknown(sight)
    }
}

/// MonitorEquals.
#[derive(Default)]
struct ByEqualsReads {
    classes: Classes,
}

impl StateClassifier for ByEqualsReads {
    fn needs(&self) -> Needs {
        Needs { states: true, equals_reads: true, ..Needs::default() }
    }

    fn classify(&mut self, sight: &Sight<'_>) -> Class {
        match sight.equals_state {
            Some(read) if !is_plain(sight) => self.classes.of(Key::EqualsReads(sight.class.cloned(), read)),
            _ => self.classes.by_state(sight),
        }
    }

    fn fallback(&self, sight: &Sight<'_>) -> Option<Fallback> {
        let missing = !is_plain(sight) && sight.equals_state.is_none();
        missing.then_some(sight.fallback.unwrap_or(Fallback::NoEquals))
    }
}

/// PairwiseEquals. The comparisons were made where the objects live; their results arrive as numbers.
#[derive(Default)]
struct ByEquals {
    classes: Classes,
    /// States of members of a class and the epoch they were met in, to find the class again in another: there, equal states are taken to be equal objects.
    by_state: FxHashMap<(Option<ClassName>, StateHash), (StateId, u32)>,
}

impl StateClassifier for ByEquals {
    fn needs(&self) -> Needs {
        Needs { states: true, equals_classes: true, ..Needs::default() }
    }

    fn classify(&mut self, sight: &Sight<'_>) -> Class {
        let Some(number) = sight.equals_class.filter(|_| !is_plain(sight)) else {
            return self.classes.by_state(sight);
        };
        let key = Key::EqualsClass { epoch: sight.epoch, class: sight.class.cloned(), number };
        let state = sight.state.map(|state| (sight.class.cloned(), state));
        if let Some(&id) = self.classes.numbers.get(&key) {
            if let Some(state) = state {
                self.by_state.entry(state).or_insert((id, sight.epoch));
            }
            return Class::Seen(id);
        }
        let before = state.as_ref().and_then(|state| self.by_state.get(state));
        if let Some(&(id, _)) = before.filter(|(_, epoch)| *epoch != sight.epoch) {
            self.classes.numbers.insert(key, id);
            return Class::Seen(id);
        }
        let class = self.classes.of(key);
        if let Some(state) = state {
            self.by_state.insert(state, (class.id(), sight.epoch));
        }
        class
    }

    fn fallback(&self, sight: &Sight<'_>) -> Option<Fallback> {
        let missing = !is_plain(sight) && sight.equals_class.is_none();
        missing.then_some(sight.fallback.unwrap_or(Fallback::NoEquals))
    }
}
