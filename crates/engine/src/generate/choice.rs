//! Which operation to call next. Owns the weights: uncovered goals within reach pull, state changers stay in play, the fruitless and the harmful
//! fade. Knows nothing of arguments.

use testcase::operation::OpId;

use crate::goal::MethodId;
use crate::record::OpRecord;
use crate::rng::Rng;
use crate::search::Search;

/// Weights are reckoned anew after this many choices even if nothing was covered.
const REFRESH: u32 = 1024;
/// Observations without change after which a call counts as one that changes nothing.
pub(super) const PURE_AFTER: u32 = 20;

/// Open goals pull at least this part of what upkeep takes, but not so many times more than by themselves.
const LEAST_PULL: f32 = 0.3;
const MOST_MORE: f32 = 8.0;

#[derive(Debug, Default)]
pub struct Choice {
    ops: Vec<OpId>,
    /// Running sums of weights, parallel to `ops`.
    sums: Vec<f32>,
    generation: Option<u64>,
    left: u32,
}

impl Choice {
    /// A target operation, or `None` if there is none that can be called at all.
    pub fn pick(&mut self, search: &Search<'_>, rng: &mut Rng) -> Option<OpId> {
        if self.generation != Some(search.generation) && self.left < REFRESH - 64 || self.left == 0 {
            self.refresh(search);
        }
        self.left -= 1;
        let total = *self.sums.last()?;
        let at = rng.unit() * total;
        let i = self.sums.partition_point(|&s| s <= at).min(self.ops.len() - 1);
        Some(self.ops[i])
    }

    fn refresh(&mut self, search: &Search<'_>) {
        self.generation = Some(search.generation);
        self.left = REFRESH;
        self.ops.clear();
        self.sums.clear();
        let mut weights: Vec<Weight> = Vec::with_capacity(search.targets.len());
        for &op in &search.targets {
            let record = search.records.op(op);
            if record.unusable {
                continue;
            }
            let Weight { pull, upkeep } = weight(search, op, record);
            let runs = search.costs.ordinary_runs(op);
            weights.push(Weight { pull: pull / runs, upkeep: upkeep / runs });
            self.ops.push(op);
        }
        // The last open goals of a class get their share, too, however few operations lead to them.
        let (pull, upkeep) = weights.iter().fold((0.0, 0.0), |(p, u), w| (p + w.pull, u + w.upkeep));
        let more = if pull > 0.0 { (LEAST_PULL * upkeep / pull).clamp(1.0, MOST_MORE) } else { 1.0 };
        let mut sum = 0.0;
        self.sums.extend(weights.iter().map(|w| {
            sum += more * w.pull + w.upkeep;
            sum
        }));
    }
}

/// Why an operation is chosen: for what is open within its reach, and to keep everything in play.
struct Weight {
    pull: f32,
    upkeep: f32,
}

fn weight(search: &Search<'_>, op: OpId, record: OpRecord) -> Weight {
    let facts = search.catalog.facts(op);
    let open =
        |method: MethodId| search.goals.uncovered_in(method) + search.wanted.get(method.index()).copied().unwrap_or(0);
    let of = |method: MethodId| {
        let others = search.reaches[method.index()].iter().filter(|&&m| m != method);
        open(method) as f32 + 0.5 * others.map(|&m| open(m)).sum::<u32>() as f32
    };
    let uncovered: f32 = facts.method.iter().chain(&facts.also).map(|&m| of(m)).sum();
    // Goals that stay uncovered however often the method is called pull less and less, but never nothing.
    let patience = 1.0 / (1.0 + record.fruitless as f32 / 3000.0);
    let pull = uncovered / (uncovered + 4.0) * patience.max(0.15);
    let upkeep = if record.tried < 10 {
        0.5
    } else if facts.result != search.catalog.void() && !facts.receiver && record.normal > 0 {
        0.08
    } else if record.is_pure(PURE_AFTER) {
        0.02
    } else {
        0.25 * record.changed.max(1) as f32 / record.observed.max(1) as f32 + 0.02
    };
    let harm =
        if record.is_harmful() { 0.01 } else { 1.0 / (1.0 + 20.0 * record.fatal as f32 / record.tried.max(1) as f32) };
    let hopeless = if record.is_hopeless() { 0.25 } else { 1.0 };
    // What does something else every time makes tests that cannot be kept.
    let unsteady = if search.unsteady.is_often(op) { 0.1 } else { 1.0 };
    let worth = harm * hopeless * unsteady;
    Weight { pull: pull * worth, upkeep: upkeep * worth }
}
