//! What a method does to the objects it gets, without saying how: the form in which callers, caches and verdicts see
//! it. Owns this form, its text, and the verdicts drawn from it.

use super::{Effect, MethodPurity, ParamPurity};
use crate::names::ClassName;

/// Everything reachable from static fields.
pub(super) const GLOBAL: u8 = 0;
/// Strings, boxes, classes, empty arrays: nothing about them ever changes.
pub(super) const FIXED: u8 = 1;
/// In a summary: new objects that are not the result. In a graph: new objects for which there is no bit left.
pub(super) const FRESH: u8 = 2;
/// In a summary: the new object that is the result.
pub(super) const RESULT: u8 = 3;
/// New objects that are seen from outside only as, or behind, what is thrown.
pub(super) const THROWN: u8 = 4;
const FIRST_PARAM: u8 = 5;
/// Parameters with bits of their own; the last of them stands for all behind it.
pub(super) const MOST_PARAMS: usize = 12;
/// Bits behind those of the parameters.
pub(super) const FIRST_SITE: u8 = FIRST_PARAM + 2 * MOST_PARAMS as u8;

/// The bit of a parameter (the receiver is one).
pub(super) fn param(index: usize) -> u8 {
    FIRST_PARAM + 2 * index.min(MOST_PARAMS - 1) as u8
}

/// The bit of everything reachable from a parameter.
pub(super) fn beyond(index: usize) -> u8 {
    param(index) + 1
}

pub(super) fn bit(n: u8) -> u64 {
    1 << n
}

/// The parameter that a bit stands for, and whether it is what is reachable from it.
pub(super) fn param_of(n: u8) -> Option<(usize, bool)> {
    let at = n.checked_sub(FIRST_PARAM).filter(|_| n < FIRST_SITE)?;
    Some((usize::from(at / 2), at % 2 == 1))
}

/// The bits of a set, lowest first.
pub(super) fn bits(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let n = (set != 0).then(|| set.trailing_zeros() as u8)?;
        set &= set - 1;
        Some(n)
    })
}

/// The class of a new object, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Exact {
    /// No object was seen yet.
    #[default]
    None,
    Class(ClassName),
    Unknown,
}

impl Exact {
    pub fn join(&mut self, other: &Exact) -> bool {
        let joined = match (&*self, other) {
            (_, Exact::None) => return false,
            (Exact::None, other) => other.clone(),
            (Exact::Class(a), Exact::Class(b)) if a == b => return false,
            (Exact::Unknown, _) => return false,
            _ => Exact::Unknown,
        };
        *self = joined;
        true
    }
}

/// Sets are of the bits above. The least summary (`default`) is that of a method of which nothing is known to happen
/// yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    pub(super) written: u64,
    /// Objects that were asked something which changes nothing only by convention.
    pub(super) asked: u64,
    /// New references in the heap: from a bit to a set, by bit; those that every parameter has to what is beyond it are
    /// not among them.
    pub(super) edges: Vec<(u8, u64)>,
    pub(super) returns: u64,
    pub(super) thrown: u64,
    pub(super) exact: Exact,
}

impl Summary {
    /// Does nothing except return something.
    pub(super) fn giving(returns: u64) -> Summary {
        let exact = if returns & bit(RESULT) != 0 { Exact::Unknown } else { Exact::None };
        Summary { returns, exact, ..Summary::default() }
    }

    /// The worst that a method with the given number of parameters can do.
    pub(super) fn worst(params: usize) -> Summary {
        let mut all = bit(GLOBAL);
        for index in 0..params {
            all |= bit(param(index)) | bit(beyond(index));
        }
        let edges = bits(all).map(|from| (from, all)).collect();
        Summary { written: all, asked: 0, edges, returns: all, thrown: all, exact: Exact::None }
    }

    pub(super) fn writing(mut self, set: u64) -> Summary {
        self.written |= set;
        self
    }

    pub(super) fn linking(mut self, from: u8, to: u64) -> Summary {
        self.edges.push((from, to));
        self
    }

    pub(super) fn asking(mut self, set: u64) -> Summary {
        self.asked |= set;
        self
    }

    /// Adds another; returns whether that changed anything.
    pub(super) fn join(&mut self, other: &Summary) -> bool {
        let before = (self.written, self.asked, self.returns, self.thrown);
        self.written |= other.written;
        self.asked |= other.asked;
        self.returns |= other.returns;
        self.thrown |= other.thrown;
        let mut changed = before != (self.written, self.asked, self.returns, self.thrown);
        for &(from, to) in &other.edges {
            match self.edges.binary_search_by_key(&from, |e| e.0) {
                Ok(at) if self.edges[at].1 | to == self.edges[at].1 => {}
                Ok(at) => {
                    self.edges[at].1 |= to;
                    changed = true;
                }
                Err(at) => {
                    self.edges.insert(at, (from, to));
                    changed = true;
                }
            }
        }
        self.exact.join(&other.exact) || changed
    }

    /// The verdict. `fixed` says of each parameter whether it is primitive or of a class whose objects never change.
    pub(super) fn verdict(&self, fixed: &[bool], is_constructor: bool) -> MethodPurity {
        let outside = |set: u64| {
            let mut own = bit(FRESH) | bit(RESULT) | bit(THROWN) | bit(FIXED);
            if is_constructor {
                own |= bit(param(0)) | bit(beyond(0));
            }
            set & !own
        };
        let params = fixed
            .iter()
            .enumerate()
            .map(|(index, fixed)| {
                let set = bit(param(index)) | bit(beyond(index));
                let linked = || self.edges.iter().any(|(from, to)| set & bit(*from) == 0 && set & to != 0);
                let effect = |changed: u64| match changed & set {
                    _ if *fixed => Effect::Safe,
                    0 if linked() => Effect::ReadOnly,
                    0 => Effect::Safe,
                    _ => Effect::ReadWrite,
                };
                ParamPurity { effect: effect(self.written), strict: effect(self.written | self.asked) }
            })
            .collect();
        MethodPurity {
            params,
            pure: outside(self.written) == 0,
            strictly_pure: outside(self.written | self.asked) == 0,
            changes_globals: self.written & bit(GLOBAL) != 0,
        }
    }

    /// As one word of text without spaces, for caches.
    pub fn to_text(&self) -> String {
        let exact = match &self.exact {
            Exact::None => "-",
            Exact::Class(name) => name.internal(),
            Exact::Unknown => "?",
        };
        let mut text = format!("{:x},{:x},{:x},{:x},{exact}", self.written, self.asked, self.returns, self.thrown);
        for (from, to) in &self.edges {
            text.push_str(&format!(",{from:x}>{to:x}"));
        }
        text
    }

    /// The inverse of [`Summary::to_text`]; nothing for any other text.
    pub fn from_text(text: &str) -> Option<Summary> {
        let mut parts = text.split(',');
        let mut set = || u64::from_str_radix(parts.next()?, 16).ok();
        let (written, asked, returns, thrown) = (set()?, set()?, set()?, set()?);
        let exact = match parts.next()? {
            "-" => Exact::None,
            "?" => Exact::Unknown,
            name => Exact::Class(ClassName::new(name)),
        };
        let mut edges = Vec::new();
        for part in parts {
            let (from, to) = part.split_once('>')?;
            edges.push((
                u8::from_str_radix(from, 16).ok().filter(|n| *n < FIRST_SITE)?,
                u64::from_str_radix(to, 16).ok()?,
            ));
        }
        Some(Summary { written, asked, edges, returns, thrown, exact })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips() {
        let list = Summary { exact: Exact::Class(ClassName::new("java/util/ArrayList$Itr")), ..Summary::giving(8) };
        for summary in [Summary::default(), Summary::worst(3), list.linking(RESULT, 0x60).writing(1 << 27)] {
            assert_eq!(Summary::from_text(&summary.to_text()), Some(summary));
        }
        for broken in ["", "1,2,3", "x,0,0,0,-", "0,0,0,0,-,99>1", "0,0,0,0,-,1"] {
            assert_eq!(Summary::from_text(broken), None, "{broken}");
        }
    }

    #[test]
    fn the_worst_is_worse_than_anything() {
        let mut worst = Summary::worst(2);
        let other = Summary::giving(bit(GLOBAL)).writing(bit(param(1))).linking(param(0), bit(param(1)));
        assert!(!worst.join(&other));
    }
}
