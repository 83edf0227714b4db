//! Sets of integer inputs described by differences (`x - y <= c`), bounds and inequalities (`x != y + c`). Owns their
//! normal form, which makes comparing and projecting exact and cheap. Numbers do not wrap here: the maker of a zone
//! ensures that they need not.

use rustc_hash::FxHashMap;

use crate::expr::InputId;

/// No bound at all. Far away from all sums of bounds of longs.
const INFINITE: i128 = i128::MAX / 4;
/// How many cases are tried to satisfy inequalities.
const CASES: u32 = 4_000;
/// How many values are tried for one input before cases are distinguished.
const TRIES: i128 = 200;

/// The least and the greatest value an input can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Range {
    pub least: i64,
    pub greatest: i64,
}

/// A number: an input (or zero, for row 0) and something added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    pub row: usize,
    pub plus: i128,
}

/// The result of assuming something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It already holds.
    None,
    Narrowed,
    /// Nothing is left.
    Empty,
}

/// Values for all inputs of a zone, if there are any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    Values(Vec<(InputId, i64)>),
    Nothing,
    /// Too many cases.
    Unknown,
}

/// A set of valuations. Row 0 stands for the number zero, others for inputs. Bounds are always closed: none follows
/// from others more tightly.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Zone {
    inputs: Vec<(InputId, Range)>,
    /// Of row minus column, row by row.
    bounds: Vec<i128>,
    /// Row, smaller row, and what their difference is not; sorted. None follows from the bounds.
    apart: Vec<(usize, usize, i128)>,
}

impl Default for Zone {
    fn default() -> Self {
        Zone { inputs: Vec::new(), bounds: vec![0], apart: Vec::new() }
    }
}

impl Zone {
    pub fn inputs(&self) -> &[(InputId, Range)] {
        &self.inputs
    }

    pub fn apart(&self) -> &[(usize, usize, i128)] {
        &self.apart
    }

    fn size(&self) -> usize {
        self.inputs.len() + 1
    }

    /// The most that one row can be greater than another.
    pub fn bound(&self, row: usize, column: usize) -> i128 {
        self.bounds[row * self.size() + column]
    }

    pub fn find(&self, input: InputId) -> Option<usize> {
        self.inputs.iter().position(|(known, _)| *known == input).map(|at| at + 1)
    }

    /// The row of an input, new or old.
    pub fn row(&mut self, input: InputId, range: Range) -> usize {
        if let Some(row) = self.find(input) {
            return row;
        }
        let (old, new) = (self.size(), self.size() + 1);
        let (greatest, least) = (i128::from(range.greatest), -i128::from(range.least));
        let mut bounds = Vec::with_capacity(new * new);
        for row in 0..old {
            bounds.extend_from_slice(&self.bounds[row * old..(row + 1) * old]);
            // Any row minus the new one: through zero.
            bounds.push(sum(self.bounds[row * old], least));
        }
        bounds.extend((0..old).map(|column| sum(greatest, self.bounds[column])));
        bounds.push(0);
        self.inputs.push((input, range));
        self.bounds = bounds;
        old
    }

    /// Is a place within the values that its input's type has, whatever the input is?
    pub fn contains(&self, place: Place, range: Range) -> bool {
        let highest = sum(self.bound(place.row, 0), place.plus);
        let lowest = sum(self.bound(0, place.row), -place.plus);
        highest <= i128::from(range.greatest) && lowest <= -i128::from(range.least)
    }

    /// Assumes that `a - b <= most`.
    pub fn at_most(&mut self, a: Place, b: Place, most: i128) -> Change {
        let change = self.bind(a.row, b.row, most - a.plus + b.plus);
        if change == Change::Narrowed && !self.settle() { Change::Empty } else { change }
    }

    /// Assumes that `a != b`.
    pub fn differ(&mut self, a: Place, b: Place) -> Change {
        let (row, column, apart) = match a.row >= b.row {
            true => (a.row, b.row, b.plus - a.plus),
            false => (b.row, a.row, a.plus - b.plus),
        };
        if row == column {
            return if apart == 0 { Change::Empty } else { Change::None };
        }
        if self.is_apart(row, column, apart) {
            return Change::None;
        }
        let at = self.apart.partition_point(|known| *known < (row, column, apart));
        self.apart.insert(at, (row, column, apart));
        if self.settle() { Change::Narrowed } else { Change::Empty }
    }

    /// Is it known that `row - column != apart`?
    pub fn is_apart(&self, row: usize, column: usize, apart: i128) -> bool {
        let (row, column, apart) = if row >= column { (row, column, apart) } else { (column, row, -apart) };
        self.bound(row, column) < apart
            || self.bound(column, row) < -apart
            || self.apart.binary_search(&(row, column, apart)).is_ok()
    }

    /// Tightens one bound and all that follow from it.
    fn bind(&mut self, row: usize, column: usize, most: i128) -> Change {
        if row == column {
            return if most < 0 { Change::Empty } else { Change::None };
        }
        if self.bound(row, column) <= most {
            return Change::None;
        }
        if sum(self.bound(column, row), most) < 0 {
            return Change::Empty;
        }
        let size = self.size();
        let to: Vec<i128> = self.bounds[column * size..(column + 1) * size].to_vec();
        for from in 0..size {
            let first = sum(self.bounds[from * size + row], most);
            if first >= INFINITE {
                continue;
            }
            for (bound, then) in self.bounds[from * size..(from + 1) * size].iter_mut().zip(&to) {
                *bound = (*bound).min(sum(first, *then));
            }
        }
        Change::Narrowed
    }

    /// Uses inequalities to tighten bounds, and forgets those that follow from bounds. False if nothing is left.
    fn settle(&mut self) -> bool {
        let mut at = 0;
        while let Some(&(row, column, apart)) = self.apart.get(at) {
            let (most, least) = (self.bound(row, column), self.bound(column, row));
            if most < apart || least < -apart {
                self.apart.remove(at);
                continue;
            }
            let change = match (most == apart, least == -apart) {
                (true, true) => return false,
                (true, false) => self.bind(row, column, apart - 1),
                (false, true) => self.bind(column, row, -apart - 1),
                (false, false) => Change::None,
            };
            match change {
                Change::Empty => return false,
                // Tighter bounds may decide others.
                Change::Narrowed => at = 0,
                Change::None => at += 1,
            }
        }
        true
    }

    /// The zone of these inputs alone, in this order and with new names; other inputs may have any value that fits.
    /// Exact: several zones where an inequality with an input that goes makes it necessary. Inputs that would make it
    /// too many zones are kept, and named.
    pub fn onto(&self, keep: &[InputId], most: usize) -> Vec<Zone> {
        let mut zones = vec![self.clone()];
        for &(input, _) in self.inputs.iter().filter(|(input, _)| !keep.contains(input)) {
            let mut next: Vec<Zone> = Vec::new();
            for zone in zones {
                let Some(row) = zone.find(input) else { continue };
                next.extend(zone.without(row, most));
            }
            next.dedup();
            zones = next;
        }
        zones.iter().map(|zone| zone.ordered(keep)).collect()
    }

    /// Without one row.
    fn without(&self, row: usize, most: usize) -> Vec<Zone> {
        let mut zones = vec![self.clone()];
        // Each inequality of the row becomes two cases, unless there is always another value.
        while let Some(at) = zones.iter().position(|zone| zone.is_tied(row)) {
            if zones.len() >= most {
                break;
            }
            let mut first = zones.swap_remove(at);
            let Some(place) = first.apart.iter().position(|&(r, c, _)| r == row || c == row) else { break };
            let (r, c, apart) = first.apart.remove(place);
            let mut second = first.clone();
            for (zone, from, to, bound) in [(&mut first, r, c, apart - 1), (&mut second, c, r, -apart - 1)] {
                let alive = zone.bind(from, to, bound) != Change::Empty && zone.settle();
                if alive {
                    zones.push(zone.clone());
                }
            }
        }
        zones.into_iter().map(|zone| if zone.is_tied(row) { zone } else { zone.cut(row) }).collect()
    }

    /// May an inequality of a row leave no value to the row where there would be one without it?
    fn is_tied(&self, row: usize) -> bool {
        let count = self.apart.iter().filter(|&&(r, c, _)| r == row || c == row).count() as i128;
        if count == 0 {
            return false;
        }
        let others = || (0..self.size()).filter(|other| *other != row);
        // The room between a lower bound (by one row) and an upper bound (by another) is at least this.
        others().any(|low| {
            others().any(|high| {
                let (below, above) = (self.bound(low, row), self.bound(row, high));
                let nearest = sum(sum(below, above), -self.bound(low, high));
                below < INFINITE && above < INFINITE && nearest < count
            })
        })
    }

    fn cut(&self, gone: usize) -> Zone {
        let size = self.size();
        let rows = (0..size).filter(|row| *row != gone);
        let bounds = rows.clone().flat_map(|r| rows.clone().map(move |c| (r, c))).map(|(r, c)| self.bound(r, c));
        let moved = |row: usize| if row > gone { row - 1 } else { row };
        let apart = self.apart.iter().filter(|(r, c, _)| *r != gone && *c != gone);
        Zone {
            inputs: self.inputs.iter().enumerate().filter(|(at, _)| at + 1 != gone).map(|(_, i)| *i).collect(),
            bounds: bounds.collect(),
            apart: apart.map(|&(r, c, a)| (moved(r), moved(c), a)).collect(),
        }
    }

    /// The same zone with its rows in the order given, the others behind them.
    fn ordered(&self, order: &[InputId]) -> Zone {
        let mut rows: Vec<usize> = order.iter().filter_map(|input| self.find(*input)).collect();
        rows.extend((1..self.size()).filter(|row| !order.contains(&self.inputs[row - 1].0)));
        let all: Vec<usize> = [0].into_iter().chain(rows.iter().copied()).collect();
        let mut place = vec![0; self.size()];
        for (new, old) in all.iter().enumerate() {
            place[*old] = new;
        }
        let bounds = all.iter().flat_map(|r| all.iter().map(move |c| (*r, *c))).map(|(r, c)| self.bound(r, c));
        let mut apart: Vec<(usize, usize, i128)> = self
            .apart
            .iter()
            .map(|&(r, c, a)| {
                let (r, c) = (place[r], place[c]);
                if r > c { (r, c, a) } else { (c, r, -a) }
            })
            .collect();
        apart.sort_unstable();
        Zone { inputs: rows.iter().map(|row| self.inputs[row - 1]).collect(), bounds: bounds.collect(), apart }
    }

    /// Other names for inputs.
    pub fn rename(&mut self, names: &FxHashMap<InputId, InputId>) {
        for (input, _) in &mut self.inputs {
            if let Some(name) = names.get(input) {
                *input = *name;
            }
        }
    }

    /// Values that fit: small ones, and different ones where that is possible.
    pub fn values(&self) -> Found {
        let mut left = CASES;
        self.search(&mut left)
    }

    fn search(&self, left: &mut u32) -> Found {
        if *left == 0 {
            return Found::Unknown;
        }
        *left -= 1;
        if let Some(values) = self.pick() {
            let values = values.into_iter().map(|value| value as i64);
            return Found::Values(self.inputs.iter().map(|(input, _)| *input).zip(values).collect());
        }
        // Something conflicts: decide one inequality.
        let Some(&(row, column, apart)) = self.apart.first() else { return Found::Nothing };
        let mut unknown = false;
        for (from, to, bound) in [(column, row, -apart - 1), (row, column, apart - 1)] {
            let mut case = self.clone();
            if case.bind(from, to, bound) == Change::Empty || !case.settle() {
                continue;
            }
            match case.search(left) {
                Found::Nothing => {}
                Found::Unknown => unknown = true,
                found => return found,
            }
        }
        if unknown { Found::Unknown } else { Found::Nothing }
    }

    /// Values one after the other: closed bounds leave room for those to come, only inequalities may not.
    fn pick(&self) -> Option<Vec<i128>> {
        let mut values: Vec<i128> = vec![0];
        for row in 1..self.size() {
            let mut low = -INFINITE;
            let mut high = INFINITE;
            for (other, value) in values.iter().enumerate() {
                high = high.min(sum(self.bound(row, other), *value));
                low = low.max(-sum(self.bound(other, row), -*value));
            }
            // An inequality is written at the later of its rows.
            let from = self.apart.partition_point(|known| known.0 < row);
            let until = self.apart.partition_point(|known| known.0 <= row);
            let fits = |value: i128| self.apart[from..until].iter().all(|&(_, c, apart)| value - values[c] != apart);
            let upwards = (low.max(1)..=high).take(TRIES as usize);
            let downwards = (low.max(high.min(0) - TRIES)..=high.min(0)).rev();
            let candidates = || upwards.clone().chain(downwards.clone());
            let is_new = |value: &i128| !values[1..].contains(value);
            let chosen = candidates().find(|v| is_new(v) && fits(*v)).or_else(|| candidates().find(|v| fits(*v)))?;
            values.push(chosen);
        }
        values.remove(0);
        Some(values)
    }
}

fn sum(a: i128, b: i128) -> i128 {
    if a >= INFINITE || b >= INFINITE { INFINITE } else { a + b }
}
