//! Arguments in all their varieties: every way to make or change what the code under test is given, directly or as a part of it, is gone through in turn, and what comes of it is handed up
//! until the code under test has it. Owns which ways there are and whose turn it is; values besides the one in question are chosen as random testing does.
//!
//! Chance seldom gets there: a setting of a builder behind a format behind a parser takes the right choice three times in a row.

use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use testcase::execution::Execution;
use testcase::operation::{OpId, OperationKind};
use testcase::sequence::{Statement, Var};

use super::Generator;
use super::kindred::relate;
use super::random::{Random, kind_of};
use crate::catalog::{Role, TypeId};
use crate::rng::Rng;
use crate::search::{Delta, Proposal, Search};
use crate::seen::Seen;

/// How far below the code under test parts are varied.
const DEEPEST: usize = 3;
/// More ways than this are not gone through.
const MOST_WAYS: usize = 600;
/// Further calls on what the code under test made of an argument, at most.
const CALLS: usize = 4;
/// How often literals of a test are made out of each other, and which part of them.
const KINDRED: f32 = 0.6;
const RELATED: f32 = 0.4;
/// Attempts per proposal before giving up on it.
const ATTEMPTS: usize = 4;

/// Something that is wanted.
#[derive(Clone, Copy, Debug)]
struct Need {
    ty: TypeId,
    /// Who wants it, as which of its operands, for the sake of which need; `None`: the code under test itself.
    above: Option<(OpId, usize, usize)>,
}

/// A call that makes or changes what a need is about.
#[derive(Clone, Copy, Debug)]
struct Way {
    op: OpId,
    need: usize,
}

#[derive(Debug)]
pub struct Variety {
    random: Random,
    /// `None` until first asked for.
    ways: Option<Vec<Way>>,
    needs: Vec<Need>,
    targets: Vec<OpId>,
    next: usize,
    seen: Seen,
}

impl Default for Variety {
    fn default() -> Self {
        let random = Random::new(false);
        Variety { random, ways: None, needs: Vec::new(), targets: Vec::new(), next: 0, seen: Seen::new(16) }
    }
}

impl Generator for Variety {
    fn propose(&mut self, search: &mut Search<'_>, rng: &mut Rng, n: usize, out: &mut Vec<Proposal>) {
        if self.ways.is_none() {
            self.ways = Some(self.survey(search));
        }
        let wanted = out.len() + n;
        for _ in 0..n * ATTEMPTS {
            let ways = self.ways.as_deref().unwrap_or_default();
            if out.len() >= wanted || ways.is_empty() {
                return;
            }
            let way = ways[self.next % ways.len()];
            self.next += 1;
            let record = search.records.op(way.op);
            if record.is_hopeless() || record.is_harmful() || self.compose(search, way, rng).is_none() {
                continue;
            }
            let scratch = &self.random.scratch;
            if scratch.len() <= search.options.max_length && self.seen.insert(scratch.hash()) {
                out.push(Proposal { sequence: scratch.sequence(), cost: scratch.cost() });
            }
        }
    }

    fn observe(&mut self, _: &Search<'_>, _: &Proposal, _: &Execution, _: Delta) {}

    fn exhausted(&self) -> bool {
        self.ways.as_ref().is_some_and(Vec::is_empty)
    }
}

impl Variety {
    /// All ways there are, those of the code's own arguments first.
    fn survey(&mut self, search: &mut Search<'_>) -> Vec<Way> {
        let all = search.catalog.operations().iter();
        self.targets = all.map(|(op, _)| op).filter(|op| search.catalog.facts(*op).role == Role::Target).collect();
        let mut known: FxHashSet<TypeId> = FxHashSet::default();
        // Objects under test are made by everybody.
        let is_constructor =
            |op: &&OpId| matches!(search.catalog.operation(**op).kind, OperationKind::Construct { .. });
        known.extend(self.targets.iter().filter(is_constructor).map(|op| search.catalog.facts(*op).result));
        for op in self.targets.clone() {
            self.want(search, op, None, &mut known);
        }
        let (mut ways, mut first) = (Vec::new(), 0);
        for _ in 0..DEEPEST {
            let last = self.needs.len();
            for need in first..last {
                let Some(supply) = search.supplies.get(self.needs[need].ty) else { continue };
                // Parts need no call, and what the code under test gives itself is tried anyway.
                let all = supply.makers.iter().chain(&supply.leaves).chain(&supply.changers).copied();
                let calls: Vec<OpId> = all.filter(|op| search.catalog.facts(*op).role == Role::Feed).collect();
                for op in calls {
                    ways.push(Way { op, need });
                    self.want(search, op, Some(need), &mut known);
                }
            }
            first = last;
        }
        ways.truncate(MOST_WAYS);
        ways
    }

    /// Notes what an operation needs that nobody needed before, unless constants do for it.
    fn want(&mut self, search: &mut Search<'_>, op: OpId, up: Option<usize>, known: &mut FxHashSet<TypeId>) {
        let params = search.catalog.facts(op).params.clone();
        for (operand, ty) in params.into_iter().enumerate() {
            if !search.catalog.ty(ty).is_reference() || !known.insert(ty) {
                continue;
            }
            search.prepare_supply(ty);
            let is_constant =
                search.supplies.get(ty).is_none_or(|s| !s.kinds.is_empty()) || kind_of(search, ty).is_some();
            if !is_constant {
                self.needs.push(Need { ty, above: up.map(|up| (op, operand, up)) });
            }
        }
    }

    /// Goes one way and hands up what comes of it; then some calls on what the code under test made of it.
    fn compose(&mut self, search: &mut Search<'_>, way: Way, rng: &mut Rng) -> Option<()> {
        self.random.scratch.clear();
        let mut need = self.needs[way.need];
        let mut value = self.call(search, way.op, None, need.ty, rng)?;
        while let Some((op, operand, up)) = need.above {
            need = self.needs[up];
            value = self.call(search, op, Some((operand, value)), need.ty, rng)?;
        }
        let takes = |op: &OpId| search.catalog.facts(*op).params.iter().position(|p| *p == need.ty);
        let users: SmallVec<[(OpId, usize); 8]> =
            self.targets.iter().filter_map(|op| takes(op).map(|operand| (*op, operand))).collect();
        let &(user, operand) = rng.pick(&users)?;
        let result = search.catalog.facts(user).result;
        self.call(search, user, Some((operand, value)), result, rng)?;
        for _ in 0..rng.below(CALLS + 1) {
            let focus = self.random.scratch.focus(&search.catalog);
            let Some(op) = self.random.pick(search, focus, rng) else { break };
            if focus.is_none_or(|var| !self.random.scratch.can_be_receiver(&search.catalog, var, op)) {
                break;
            }
            let Some(args) = self.random.arguments(search, op, true, focus, rng) else { break };
            self.random.scratch.push(&search.catalog, Statement { op, args });
        }
        if rng.chance(KINDRED) {
            relate(&mut self.random.scratch, search, RELATED, rng);
        }
        Some(())
    }

    /// Calls an operation, with one operand given; gives what fits the type: its result, or else what it was called on.
    fn call(
        &mut self,
        search: &mut Search<'_>,
        op: OpId,
        given: Option<(usize, Var)>,
        wanted: TypeId,
        rng: &mut Rng,
    ) -> Option<Var> {
        let args = self.random.arguments_with(search, op, given, false, None, rng)?;
        let receiver = args.first().copied();
        let made = self.random.scratch.push(&search.catalog, Statement { op, args });
        let facts = search.catalog.facts(op);
        if facts.result == wanted || search.catalog.fits(facts.result, wanted) { Some(made) } else { receiver }
    }
}
