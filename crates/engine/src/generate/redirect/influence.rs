//! Which variables of a sequence have a say in a condition: each is changed or taken away, and who runs differently then had a say. Owns the experiments and what
//! follows from them; data flow, control flow and native code need no models of their own this way.

use testcase::sequence::Sequence;
use testcase::value::{Constant, JavaString};

use super::change::{constant_at, nulled, set, shifted, whole, without, worth};
use super::frontier::Look;
use crate::constants::Kind;
use crate::search::Search;

/// What is done to a variable to see whether anything comes of it.
#[derive(Clone, Debug, PartialEq)]
pub enum Trial {
    /// A number, or text, became another.
    Set(Constant),
    /// The statement was left out.
    Left,
    /// Null took its place.
    Null,
}

/// A sequence in which one variable differs.
#[derive(Clone, Debug, PartialEq)]
pub struct Experiment {
    pub variable: usize,
    pub trial: Trial,
    pub sequence: Sequence,
}

/// A variable that has a say, and what was seen when it differed.
#[derive(Clone, Debug, PartialEq)]
pub struct Influence {
    pub variable: usize,
    pub seen: Vec<(Trial, Look)>,
}

impl Influence {
    /// Does it decide what is compared, and not only whether anything is?
    pub fn decides(&self) -> bool {
        self.seen.iter().any(|(_, look)| !look.taken.is_empty())
    }
}

/// Experiments for every variable of a sequence.
pub fn experiments(search: &mut Search<'_>, sequence: &Sequence) -> Vec<Experiment> {
    let mut all = Vec::new();
    let mut push = |variable: usize, trial: Trial, changed: Option<Sequence>| {
        if let Some(sequence) = changed {
            all.push(Experiment { variable, trial, sequence });
        }
    };
    for at in 0..sequence.len() {
        match constant_at(search, sequence, at).cloned() {
            Some(constant) => {
                for other in others(&constant) {
                    let changed = set(search, sequence, at, &other);
                    push(at, Trial::Set(other), changed);
                }
            }
            None if search.catalog.facts(sequence.statements()[at].op).constant => {}
            None => push(at, Trial::Left, without(sequence, at)),
        }
        let changed = nulled(search, sequence, at);
        push(at, Trial::Null, changed);
    }
    all
}

/// A near and a far value.
fn others(constant: &Constant) -> Vec<Constant> {
    let mut others: Vec<Constant> = Vec::with_capacity(3);
    match constant {
        Constant::String(s) => {
            others.extend(shifted(constant, 1));
            others.push(Constant::String(JavaString::new(&s.units()[..s.units().len() / 2])));
        }
        other => {
            others.extend(shifted(other, 1));
            if let (Some(n), Some(kind)) = (worth(other), Kind::of_constant(other)) {
                let far = if n > 0.0 { -1 } else { 71 };
                others.extend(whole(kind, far));
            }
        }
    }
    others.retain(|o| o != constant);
    others
}

/// Who had a say, in the order of the variables. `before` is what the unchanged sequence showed.
pub fn influences(before: &Look, experiments: &[(Experiment, Option<Look>)]) -> Vec<Influence> {
    let mut found: Vec<Influence> = Vec::new();
    for (experiment, look) in experiments {
        let Some(look) = look.as_ref().filter(|l| *l != before) else { continue };
        let seen = (experiment.trial.clone(), look.clone());
        match found.last_mut().filter(|i| i.variable == experiment.variable) {
            Some(known) => known.seen.push(seen),
            None => found.push(Influence { variable: experiment.variable, seen: vec![seen] }),
        }
    }
    found
}
