//! Modifications of variables that have a say in a condition, so that it goes the other way: values it was compared with, neighbours, opposites, the value at which
//! both operands would meet, null, fewer and more calls; of two variables the exchange. Owns the list and its order: likely ones first.

use rustc_hash::FxHashSet;
use testcase::sequence::Sequence;
use testcase::value::{Constant, JavaString, Value};

use super::change::{constant_at, nulled, number, repeated, rewired, set, shifted, whole, without, worth};
use super::frontier::Look;
use super::influence::{Influence, Trial};
use crate::constants::{Kind, as_constant};
use crate::search::Search;

/// Steps away from a number go up to this power of ten.
const LARGEST_POWER: u32 = 6;
/// How many times more calls are made.
const TIMES: [usize; 5] = [1, 3, 10, 20, 64];
/// Most modifications of one sequence.
const MOST: usize = 160;
/// Numbers beyond this, as sizes, cost more than all the rest: one of them is tried, last.
const LARGE: f64 = (1 << 22) as f64;
const MOST_LARGE: usize = 1;
/// Longer text is not made.
const MAX_TEXT: usize = 64;

/// Changed sequences, each once.
struct Changed<'c, 's, 'l> {
    search: &'c mut Search<'l>,
    sequence: &'s Sequence,
    known: FxHashSet<u128>,
    all: Vec<Sequence>,
    large: Vec<Sequence>,
}

impl Changed<'_, '_, '_> {
    fn push(&mut self, changed: Option<Sequence>) {
        if let Some(changed) = changed
            && self.all.len() < MOST
            && self.known.insert(changed.hash128())
        {
            self.all.push(changed);
        }
    }
    fn set(&mut self, at: usize, value: Option<Constant>) {
        let is_large = value.as_ref().and_then(worth).is_some_and(|n| n > LARGE);
        let changed = value.and_then(|v| set(self.search, self.sequence, at, &v));
        match changed {
            Some(changed) if is_large => {
                if self.large.len() < MOST_LARGE && self.known.insert(changed.hash128()) {
                    self.large.push(changed);
                }
            }
            other => self.push(other),
        }
    }
}

/// All modifications worth a try.
pub fn modifications(
    search: &mut Search<'_>,
    sequence: &Sequence,
    before: &Look,
    influences: &[Influence],
) -> Vec<Sequence> {
    let known = FxHashSet::from_iter([sequence.hash128()]);
    let mut changed = Changed { search, sequence, known, all: Vec::new(), large: Vec::new() };
    let compared: Vec<Constant> = before.operands.iter().flat_map(|(l, r)| [l, r]).filter_map(as_constant).collect();
    for influence in influences {
        if let Some(constant) = constant_at(changed.search, sequence, influence.variable).cloned() {
            meeting(&mut changed, before, influence, &constant);
            values(&mut changed, influence.variable, &constant, &compared);
        }
    }
    for influence in influences {
        let at = influence.variable;
        let nulled = nulled(changed.search, sequence, at);
        changed.push(nulled);
        if !changed.search.catalog.facts(sequence.statements()[at].op).constant {
            changed.push(without(sequence, at));
            for times in TIMES {
                for varied in [false, true] {
                    let more = repeated(changed.search, sequence, at, times, varied);
                    changed.push(more);
                }
            }
        }
    }
    for (n, one) in influences.iter().enumerate() {
        for other in &influences[n + 1..] {
            pair(&mut changed, one.variable, other.variable);
        }
    }
    changed.all.append(&mut changed.large);
    changed.all
}

/// If the operands moved when the variable did, the value at which they would meet, and its neighbours.
fn meeting(changed: &mut Changed<'_, '_, '_>, before: &Look, influence: &Influence, constant: &Constant) {
    let (Some(kind), Some(v)) = (Kind::of_constant(constant), worth(constant)) else { return };
    let Some(apart) = before.operands.as_ref().and_then(|(l, r)| Some(as_number(l)? - as_number(r)?)) else { return };
    for (trial, look) in &influence.seen {
        let Trial::Set(other) = trial else { continue };
        let Some(then) = look.operands.as_ref().and_then(|(l, r)| Some(as_number(l)? - as_number(r)?)) else {
            continue;
        };
        let Some(w) = worth(other).filter(|_| then != apart) else { continue };
        let meet = v - apart * (w - v) / (then - apart);
        for x in [meet, meet + 1.0, meet - 1.0, meet.floor(), meet.ceil()] {
            changed.set(influence.variable, number(kind, x));
        }
    }
}

fn values(changed: &mut Changed<'_, '_, '_>, at: usize, constant: &Constant, compared: &[Constant]) {
    let Some(kind) = Kind::of_constant(constant) else { return };
    for other in compared {
        match worth(other) {
            Some(n) if kind != Kind::STRING => {
                for x in [n, n + 1.0, n - 1.0] {
                    changed.set(at, number(kind, x));
                }
            }
            _ if Kind::of_constant(other) == Some(kind) => changed.set(at, Some(other.clone())),
            Some(n) => text(changed, at, constant, n),
            None => {}
        }
    }
    if let Some(v) = worth(constant) {
        changed.set(at, number(kind, -v));
        changed.set(at, whole(kind, 0));
        changed.set(at, whole(kind, 1));
        for power in 0..=LARGEST_POWER {
            let n = 10_i64.pow(power);
            changed.set(at, shifted(constant, -n));
            changed.set(at, shifted(constant, n));
        }
    } else if let Constant::String(s) = constant {
        changed.set(at, Some(Constant::String(JavaString::new(&[]))));
        changed.set(at, shifted(constant, 1));
        let twice: Vec<u16> = s.units().iter().chain(s.units()).copied().collect();
        if twice.len() <= MAX_TEXT {
            changed.set(at, Some(Constant::String(JavaString::new(&twice))));
        }
    }
}

/// Text that was measured against a number: that number in digits, text of that length, or with that character in front, in place of others, and behind.
fn text(changed: &mut Changed<'_, '_, '_>, at: usize, constant: &Constant, n: f64) {
    let Constant::String(s) = constant else { return };
    let units = s.units();
    if n.fract() == 0.0 && n.abs() < 9.3e18 {
        for near in [n as i64, n as i64 + 1, n as i64 - 1] {
            changed.set(at, Some(Constant::String(format!("{near}").as_str().into())));
        }
    }
    if (0.0..=MAX_TEXT as f64).contains(&n) {
        let filler = units.first().copied().unwrap_or(u16::from(b'a'));
        let sized: Vec<u16> = (0..n as usize).map(|i| units.get(i).copied().unwrap_or(filler)).collect();
        changed.set(at, Some(Constant::String(JavaString::new(&sized))));
    }
    if (1.0..=65_535.0).contains(&n) && n.fract() == 0.0 {
        let unit = n as u16;
        for place in 0..=units.len().min(4) {
            let mut with = units.to_vec();
            with.insert(place, unit);
            changed.set(at, Some(Constant::String(JavaString::new(&with))));
            let mut replaced = units.to_vec();
            if let Some(u) = replaced.get_mut(place) {
                *u = unit;
                changed.set(at, Some(Constant::String(JavaString::new(&replaced))));
            }
        }
    }
}

/// Numbers are exchanged and made equal; of references one takes the place of the other.
fn pair(changed: &mut Changed<'_, '_, '_>, one: usize, other: usize) {
    let sequence = changed.sequence;
    let constants =
        (constant_at(changed.search, sequence, one).cloned(), constant_at(changed.search, sequence, other).cloned());
    if let (Some(a), Some(b)) = constants {
        let convert = |from: &Constant, like: &Constant| match (Kind::of_constant(like), worth(from)) {
            (Some(kind), Some(n)) if kind != Kind::STRING => number(kind, n),
            _ => Some(from.clone()),
        };
        let (for_one, for_other) = (convert(&b, &a), convert(&a, &b));
        let first = for_one.as_ref().and_then(|v| set(changed.search, sequence, one, v));
        let both = first.as_ref().zip(for_other.as_ref()).and_then(|(s, v)| set(changed.search, s, other, v));
        changed.push(both);
        changed.push(first);
        changed.set(other, for_other);
    }
    for (from, to) in [(one, other), (other, one)] {
        let rewired = rewired(changed.search, sequence, from, to);
        changed.push(rewired);
    }
}

fn as_number(value: &Value) -> Option<f64> {
    as_constant(value).as_ref().and_then(worth)
}
