//! Arguments in all their varieties: every way to make or change what the code under test is given, directly or as a part of it, is gone through in turn, and what comes of it is handed up
//! until the code under test has it. Owns which ways there are and whose turn it is; values besides the one in question are chosen as random testing does.
//!
//! Chance seldom gets there: a setting of a builder behind a format behind a parser takes the right choice three times in a row.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use testcase::execution::{Execution, Outcome};
use testcase::operation::{OpId, OperationKind};
use testcase::sequence::{Statement, Var};

use super::kindred::relate;
use super::random::{Random, kind_of};
use super::{Generator, Turn};
use crate::catalog::{Role, TypeId};
use crate::prices::SUPPLY_SURVEY_EXECUTIONS;
use crate::proposal::Wanted;
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
/// A call that threw so often, and never did anything else, will go on doing so.
const IN_VAIN: u32 = 30;
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
    /// Calls by which tests ended too early, how often; and those behind which others came.
    failed: FxHashMap<OpId, u32>,
    worked: FxHashSet<OpId>,
    effort: u64,
}

impl Default for Variety {
    fn default() -> Self {
        let random = Random::default();
        Variety {
            random,
            ways: None,
            needs: Vec::new(),
            targets: Vec::new(),
            next: 0,
            seen: Seen::new(16),
            failed: FxHashMap::default(),
            worked: FxHashSet::default(),
            effort: 0,
        }
    }
}

impl Generator for Variety {
    fn propose(&mut self, search: &mut Search<'_>, rng: &mut Rng, n: usize, out: &mut Vec<Proposal>) -> Turn {
        if self.ways.is_none() {
            self.ways = Some(self.survey(search));
        }
        let wanted = out.len() + n;
        for _ in 0..n * ATTEMPTS {
            let ways = self.ways.as_deref().unwrap_or_default();
            if ways.is_empty() {
                return Turn::Exhausted;
            }
            if out.len() >= wanted {
                break;
            }
            let way = ways[self.next % ways.len()];
            self.next += 1;
            if !self.is_open(search, way.op) || self.compose(search, way, rng).is_none() {
                continue;
            }
            let scratch = &self.random.scratch;
            if scratch.len() <= search.options.max_length && self.seen.insert(scratch.hash()) {
                out.push(scratch.proposal(search, Wanted::default()));
            }
        }
        Turn::Ready
    }

    fn observe(&mut self, _: &Search<'_>, proposal: &Proposal, execution: &Execution, _: Delta) {
        let statements = proposal.sequence.statements();
        let ended = match &execution.outcome {
            Outcome::Normal => statements.len(),
            Outcome::Threw { statement, .. } => usize::from(*statement),
            _ => return,
        };
        self.worked.extend(statements[..ended].iter().map(|s| s.op).filter(|op| self.failed.contains_key(op)));
        if let Some(at_fault) = statements.get(ended).filter(|_| ended + 1 < statements.len()) {
            *self.failed.entry(at_fault.op).or_default() += 1;
        }
    }

    fn effort(&mut self) -> u64 {
        std::mem::take(&mut self.effort)
    }
}

impl Variety {
    /// Is it worth another call?
    fn is_open(&self, search: &Search<'_>, op: OpId) -> bool {
        let record = search.records.op(op);
        let in_vain = self.failed.get(&op).is_some_and(|n| *n >= IN_VAIN) && !self.worked.contains(&op);
        !in_vain && !record.is_hopeless() && !record.is_harmful()
    }

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
        for depth in 1..=DEEPEST {
            let last = self.needs.len();
            for need in first..last {
                if ways.len() >= MOST_WAYS {
                    return ways;
                }
                let Some(supply) = search.supplies.get(self.needs[need].ty) else { continue };
                // Parts need no call, and what the code under test gives itself is tried anyway.
                let all = supply.makers.iter().chain(&supply.leaves).chain(&supply.changers).copied();
                let calls: Vec<OpId> = all.filter(|op| search.catalog.facts(*op).role == Role::Feed).collect();
                for op in calls {
                    ways.push(Way { op, need });
                    if depth < DEEPEST {
                        self.want(search, op, Some(need), &mut known);
                    }
                }
            }
            first = last;
        }
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
            self.effort += SUPPLY_SURVEY_EXECUTIONS;
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
            if !self.is_open(search, op) {
                return None;
            }
            value = self.call(search, op, Some((operand, value)), need.ty, rng)?;
        }
        let takers = |op: OpId| {
            let params = search.catalog.facts(op).params.iter().enumerate();
            params.filter(|(_, ty)| **ty == need.ty).map(move |(operand, _)| (op, operand))
        };
        let open = self.targets.iter().copied().filter(|op| !search.records.op(*op).is_harmful());
        let users: SmallVec<[(OpId, usize); 8]> = open.flat_map(takers).collect();
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
        let fits = |ty: TypeId| ty == wanted || search.catalog.fits(ty, wanted);
        if fits(facts.result) {
            return Some(made);
        }
        receiver.filter(|var| facts.receiver && fits(self.random.scratch.type_of(*var)))
    }
}
