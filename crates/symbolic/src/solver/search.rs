//! Local search: values moved step by step towards satisfying conditions. Owns the moves; finds models only, never
//! proves that there are none. Worth its short time for floats and products, whose circuits are large. The same query
//! is searched the same way every time.

use super::bounds::Bounds;
use super::range::Range;
use super::tape::{Tape, at_ordinal, ordinal};
use crate::expr::{Model, Sort, Term, Terms};

/// How much work a search may be: steps of the tape, all evaluations together.
const WORK: usize = 150_000;
const LONGEST: usize = 1_500;

/// A model, if one is found soon.
pub fn search(terms: &Terms, conditions: &[Term], bounds: &Bounds) -> Option<Model> {
    let tape = Tape::of(terms, conditions, LONGEST)?;
    let evaluations = WORK / tape.len().max(1);
    let ranges = tape.inputs.iter().map(|(input, _)| bounds.range(terms.input_term(*input))).collect();
    let mut search = Search { tape, ranges, left: evaluations, random: 0x9e37_79b9_7f4a_7c15 };
    let assignment = search.run()?;
    let mut model = Model::default();
    for ((input, _), bits) in search.tape.inputs.iter().zip(assignment) {
        model.set_bits(*input, bits);
    }
    Some(model)
}

struct Search {
    tape: Tape,
    ranges: Vec<Option<Range>>,
    left: usize,
    random: u64,
}

impl Search {
    fn run(&mut self) -> Option<Vec<u64>> {
        let mut start = 0;
        while self.left > 0 {
            let mut assignment: Vec<u64> = (0..self.tape.inputs.len()).map(|place| self.first(place, start)).collect();
            start += 1;
            let mut best = self.distance(&assignment)?;
            while best > 0.0 {
                let before = best;
                for place in 0..assignment.len() {
                    best = self.improve(&mut assignment, place, best)?;
                    if best == 0.0 {
                        break;
                    }
                }
                if best >= before {
                    break;
                }
            }
            if best == 0.0 {
                return Some(assignment);
            }
        }
        None
    }

    /// `None` when the work is used up.
    fn distance(&mut self, assignment: &[u64]) -> Option<f64> {
        self.left = self.left.checked_sub(1)?;
        Some(self.tape.distance(assignment))
    }

    fn chance(&mut self) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random
    }

    /// Where an input may lie, as places among the values of its sort.
    fn limits(&self, place: usize) -> (i128, i128) {
        let sort = self.tape.inputs[place].1;
        match (sort, self.ranges[place]) {
            (Sort::F32, Some(Range::Float { low, high, .. })) if low <= high => {
                (ordinal(sort, u64::from((low as f32).to_bits())), ordinal(sort, u64::from((high as f32).to_bits())))
            }
            (Sort::F64, Some(Range::Float { low, high, .. })) if low <= high => {
                (ordinal(sort, low.to_bits()), ordinal(sort, high.to_bits()))
            }
            (Sort::Bv(_), Some(Range::Int { low, high })) => (low.into(), high.into()),
            _ => (i128::MIN / 4, i128::MAX / 4),
        }
    }

    /// The value that an input begins with: plain ones at first, chance later.
    fn first(&mut self, place: usize, start: usize) -> u64 {
        let sort = self.tape.inputs[place].1;
        let (low, high) = self.limits(place);
        let one = match sort {
            Sort::F32 => i128::from(1f32.to_bits()),
            Sort::F64 => i128::from(1f64.to_bits()),
            _ => 1,
        };
        let wanted = match start {
            0 => one,
            1 => at_middle(sort, low, high),
            _ => {
                let chance = self.chance();
                match chance % 4 {
                    0 => {
                        let same: Vec<u64> =
                            self.tape.constants.iter().filter(|(of, _)| *of == sort).map(|(_, bits)| *bits).collect();
                        let pick = same.get((chance >> 8) as usize % same.len().max(1));
                        pick.map_or(0, |bits| ordinal(sort, *bits))
                    }
                    1 => {
                        let small = (chance >> 8) as i64 % 1000;
                        match sort {
                            Sort::F32 => ordinal(sort, u64::from((small as f32 / 10.0).to_bits())),
                            Sort::F64 => ordinal(sort, (small as f64 / 10.0).to_bits()),
                            _ => small.into(),
                        }
                    }
                    2 => at_middle(sort, low, high) + i128::from(self.chance() as i64 >> (chance >> 58)),
                    _ => i128::from(self.chance() as i64),
                }
            }
        };
        at_ordinal(sort, wanted.clamp(low, high))
    }

    /// Moves one input as long as that helps; the new distance.
    fn improve(&mut self, assignment: &mut [u64], place: usize, mut best: f64) -> Option<f64> {
        let sort = self.tape.inputs[place].1;
        if sort == Sort::Bool {
            assignment[place] ^= 1;
            let flipped = self.distance(assignment)?;
            if flipped >= best {
                assignment[place] ^= 1;
            }
            return Some(best.min(flipped));
        }
        let (low, high) = self.limits(place);
        // Steps of all sizes, each doubled while it helps.
        let largest = if sort.is_float() { sort.width() - 2 } else { sort.width() - 1 };
        let mut size = 0;
        while size < largest {
            let mut helped = false;
            for sign in [1, -1] {
                let mut step = sign * (1i128 << size);
                loop {
                    let old = assignment[place];
                    let target = (ordinal(sort, old) + step).clamp(low, high);
                    let moved = at_ordinal(sort, target);
                    if moved == old {
                        break;
                    }
                    assignment[place] = moved;
                    let distance = self.distance(assignment)?;
                    if distance >= best {
                        assignment[place] = old;
                        break;
                    }
                    best = distance;
                    helped = true;
                    step *= 2;
                    if best == 0.0 {
                        return Some(best);
                    }
                }
            }
            // After a helpful step smaller ones may help again.
            size = if helped { size.saturating_sub(size / 2) } else { size + if sort.is_float() { 4 } else { 2 } };
            if helped && size == 0 {
                size = 1;
            }
        }
        Some(best)
    }
}

/// A value between two limits: for floats in the middle of the values rather than of their places, if both are finite.
fn at_middle(sort: Sort, low: i128, high: i128) -> i128 {
    let value = |place: i128| match sort {
        Sort::F32 => f64::from(f32::from_bits(at_ordinal(sort, place) as u32)),
        _ => f64::from_bits(at_ordinal(sort, place)),
    };
    match sort {
        Sort::F32 | Sort::F64 => {
            let middle = value(low) / 2.0 + value(high) / 2.0;
            if !middle.is_finite() {
                return 0;
            }
            match sort {
                Sort::F32 => ordinal(sort, u64::from((middle as f32).to_bits())),
                _ => ordinal(sort, middle.to_bits()),
            }
        }
        _ => low / 2 + high / 2,
    }
}
