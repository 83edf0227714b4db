//! Directed random testing: new sequences from old ones, one operation at a time, each run at once and its values kept if they are new. Owns how
//! a sequence is put together; which operation comes next is `choice`'s, what is worth keeping the search's.

use smallvec::SmallVec;
use testcase::execution::Execution;
use testcase::operation::OpId;
use testcase::sequence::{Statement, Var};

use super::choice::{Choice, PURE_AFTER};
use super::relative::relative;
use super::scratch::Scratch;
use super::{Generator, Turn};
use crate::catalog::{Role, TypeId};
use crate::constants::Kind;
use crate::costs::{Place, place_of};
use crate::library::Nullness;
use crate::proposal::Wanted;
use crate::rng::Rng;
use crate::search::{Delta, Proposal, Search};
use crate::seen::Seen;

/// Chain of operations made because something they provide is missing.
const MAX_DEMAND: usize = 8;
/// Arrays within arrays made on the spot.
const MAX_NESTING: usize = 3;
/// Attempts per proposal before giving up on it.
const ATTEMPTS: usize = 12;
/// Draws of a constant before one is taken whatever it costs.
const DRAWS: usize = 8;
/// How often an extension goes on with the object that the last call made or changed.
const FOCUS: f32 = 0.5;
/// Operations looked at to find one that can be called on it.
const FOCUSED_PICKS: usize = 8;
/// How often an argument is made like a value that is there, but for one constant.
const RELATIVE: f32 = 0.04;
/// How often another value is made although there is one that fits, and how often one that is there is changed first.
const ANOTHER: f32 = 0.03;
const CHANGED: f32 = 0.08;
/// How often what needs no arguments is called for another value.
const AGAIN: f32 = 0.2;
/// Another value and a changed one are tried so much more often if the call has gained nothing for long, half of it after so many choices: more of the same will not help it.
const WEARY: f32 = 0.06;
const HALF_WEARY: f32 = 1_000.0;
/// How often for the parts of what is made although there is one, which only differs if they do; and how deep.
const ANOTHER_PART: f32 = 0.25;
const CHANGED_PART: f32 = 0.25;
const PART_DEPTH: usize = 3;
/// So often a maker is asked for that was never called; what it needs may not be there yet.
const MOST_ASKED: u32 = 4;
/// Draws of an argument that must not be null.
const FORBIDDEN_DRAWS: usize = 4;

#[derive(Debug)]
pub struct Random {
    choice: Choice,
    pub(super) scratch: Scratch,
    seen: Seen,
}

impl Default for Random {
    fn default() -> Self {
        Random { choice: Choice::default(), scratch: Scratch::default(), seen: Seen::new(20) }
    }
}

impl Generator for Random {
    fn propose(&mut self, search: &mut Search<'_>, rng: &mut Rng, n: usize, out: &mut Vec<Proposal>) -> Turn {
        let wanted = out.len() + n;
        for _ in 0..n * ATTEMPTS {
            if out.len() >= wanted {
                break;
            }
            if !self.compose(search, rng) {
                continue;
            }
            let length = self.scratch.len();
            if length == 0 || length > search.options.max_length || !self.seen.insert(self.scratch.hash()) {
                continue;
            }
            out.push(self.scratch.proposal(search, Wanted::default()));
        }
        Turn::Ready
    }

    fn observe(&mut self, _: &Search<'_>, _: &Proposal, _: &Execution, _: Delta) {}
}

impl Random {
    /// Fills the scratch; false if nothing sensible came of it.
    fn compose(&mut self, search: &mut Search<'_>, rng: &mut Rng) -> bool {
        self.scratch.clear();
        let roll = rng.below(100);
        if roll < 12 && self.retouch(search, rng) {
            return true;
        }
        self.scratch.clear();
        let extending = search.options.extend && roll < 45 && !search.fresh().is_empty();
        if extending {
            let base = &search.fresh()[rng.below(search.fresh().len())];
            self.scratch.concat(&search.catalog, &base.sequence);
        }
        let focus = if extending && rng.chance(FOCUS) { self.scratch.focus(&search.catalog) } else { None };
        let Some(picked) = self.pick(search, focus, rng) else {
            return false;
        };
        let Some(op) = obtainable(search, picked, rng) else {
            return false;
        };
        let Some(args) = self.arguments(search, op, extending, focus, rng) else {
            return false;
        };
        self.scratch.push(&search.catalog, Statement { op, args: args.clone() });
        let repeats = search.catalog.facts(op).role == Role::Target && !search.costs.is_dear(op);
        if repeats && rng.chance(search.options.repeat_ratio) {
            self.repeat(search, op, &args, rng);
        }
        true
    }

    /// An operation; if there is an object to go on with, preferably one that can be called on it.
    pub(super) fn pick(&mut self, search: &Search<'_>, focus: Option<Var>, rng: &mut Rng) -> Option<OpId> {
        let mut picked = self.choice.pick(search, rng)?;
        for _ in 0..FOCUSED_PICKS {
            if focus.is_none_or(|var| self.scratch.can_be_receiver(&search.catalog, var, picked)) {
                break;
            }
            picked = self.choice.pick(search, rng)?;
        }
        Some(picked)
    }

    /// Takes a test that covers something in a method with work left and gives one of its constants another value.
    fn retouch(&mut self, search: &mut Search<'_>, rng: &mut Rng) -> bool {
        if search.goals.is_empty() {
            return false;
        }
        let start = rng.below(search.goals.len());
        let kept = (0..8.min(search.goals.len()))
            .map(|i| crate::goal::GoalId(((start + i * 7) % search.goals.len()) as u32))
            .filter(|&g| search.goals.uncovered_in(search.goals.goal(g).method) > 0)
            .find_map(|g| search.archive.get(g));
        let Some(kept) = kept else { return false };
        let sequence = kept.sequence.clone();
        let constants: SmallVec<[usize; 16]> = sequence
            .statements()
            .iter()
            .enumerate()
            .filter(|(_, s)| search.catalog.facts(s.op).constant && !search.catalog.facts(s.op).null)
            .map(|(i, _)| i)
            .collect();
        if constants.is_empty() {
            return false;
        }
        let changes = 1 + usize::from(rng.chance(0.3));
        let mut replaced: SmallVec<[(usize, OpId); 2]> = SmallVec::new();
        for _ in 0..changes {
            let at = constants[rng.below(constants.len())];
            let result = search.catalog.facts(sequence.statements()[at].op).result;
            let Some((kind, boxed)) = kind_of(search, result) else {
                continue;
            };
            let place = place_of(&sequence, at);
            replaced.push((at, self.constant(search, place, kind, boxed, rng)));
        }
        for (i, statement) in sequence.statements().iter().enumerate() {
            let op = replaced.iter().rev().find(|(at, _)| *at == i).map_or(statement.op, |(_, op)| *op);
            self.scratch.push(&search.catalog, Statement { op, args: statement.args.clone() });
        }
        !replaced.is_empty()
    }

    /// The same call again, mostly a few times, seldom up to a hundred; numbers and strings are drawn anew half of the time.
    fn repeat(&mut self, search: &mut Search<'_>, op: OpId, args: &[Var], rng: &mut Rng) {
        let mut times = 1;
        while times < 100 && rng.chance(0.7) {
            times *= 2;
        }
        let times = 1 + rng.below(times.min(100));
        let anew = rng.chance(0.7);
        let params = search.catalog.facts(op).params.clone();
        for _ in 0..times {
            if self.scratch.len() + args.len() + 1 > search.options.max_length {
                return;
            }
            let mut again: SmallVec<[Var; 4]> = SmallVec::from_slice(args);
            if anew {
                for (i, &param) in params.iter().enumerate() {
                    if let Some((kind, boxed)) = kind_of(search, param) {
                        let constant = self.constant(search, Place { op, operand: i }, kind, boxed, rng);
                        again[i] = self.scratch.push_leaf(&search.catalog, constant);
                    }
                }
            }
            self.scratch.push(&search.catalog, Statement { op, args: again });
        }
    }

    pub(super) fn arguments(
        &mut self,
        search: &mut Search<'_>,
        op: OpId,
        extending: bool,
        focus: Option<Var>,
        rng: &mut Rng,
    ) -> Option<SmallVec<[Var; 4]>> {
        self.arguments_with(search, op, None, extending, focus, rng)
    }

    /// The same with one operand given.
    pub(super) fn arguments_with(
        &mut self,
        search: &mut Search<'_>,
        op: OpId,
        given: Option<(usize, Var)>,
        extending: bool,
        focus: Option<Var>,
        rng: &mut Rng,
    ) -> Option<SmallVec<[Var; 4]>> {
        let facts = search.catalog.facts(op);
        let (params, hints, has_receiver) = (facts.params.clone(), facts.hints.clone(), facts.needs_object);
        let mut args: SmallVec<[Var; 4]> = SmallVec::new();
        for (i, &param) in params.iter().enumerate() {
            let receiver = has_receiver && i == 0;
            if let Some((_, var)) = given.filter(|(operand, _)| *operand == i) {
                args.push(var);
                continue;
            }
            if let Some(var) = focus.filter(|&var| receiver && self.scratch.can_be_receiver(&search.catalog, var, op)) {
                args.push(var);
                continue;
            }
            let mut wanted = param;
            if !receiver && !hints.is_empty() && rng.chance(0.5) {
                let hint = hints[rng.below(hints.len())];
                if hint != param && fits_wanted(search, hint, param) && is_obtainable(search, hint) {
                    wanted = hint;
                }
            }
            let place = Place { op, operand: i };
            let mut arg = self.argument(search, place, wanted, receiver, extending, 0, rng)?;
            // A container within itself is worth a try now and then; most of the time it only makes walks over it endless.
            if !receiver && has_receiver && args.first() == Some(&arg) && !rng.chance(search.knot_chance()) {
                arg = self.argument(search, place, wanted, receiver, false, 0, rng)?;
            }
            // Who forbids null is not given any, unless nothing else can be had.
            for _ in 0..FORBIDDEN_DRAWS {
                if search.catalog.nullness(op, i) != Nullness::Forbidden || !self.scratch.is_null(&search.catalog, arg)
                {
                    break;
                }
                arg = self.argument(search, place, wanted, receiver, extending, 0, rng)?;
            }
            args.push(arg);
        }
        Some(args)
    }

    /// A constant for an operation; numbers that proved dear there are drawn again, most of the time.
    pub(super) fn constant(
        &mut self,
        search: &mut Search<'_>,
        place: Place,
        kind: Kind,
        boxed: bool,
        rng: &mut Rng,
    ) -> OpId {
        let mut draws = 0;
        loop {
            let constant = search.constants.draw(&mut search.catalog, search.library, kind, boxed, rng);
            draws += 1;
            if draws == DRAWS || search.costs.accepts(&search.catalog, place, constant, rng) {
                return constant;
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "each is a different fact about the place to fill")]
    pub(super) fn argument(
        &mut self,
        search: &mut Search<'_>,
        place: Place,
        wanted: TypeId,
        receiver: bool,
        extending: bool,
        depth: usize,
        rng: &mut Rng,
    ) -> Option<Var> {
        if search.supplies.get(wanted).is_none() {
            search.prepare_supply(wanted);
        }
        let primitive = search.catalog.primitive(wanted).is_some();
        let reuse = match (receiver, extending, primitive) {
            (true, true, _) => 0.9,
            (_, _, true) => 0.08,
            (_, true, false) => 0.4,
            _ => 0.2,
        };
        if !self.scratch.is_empty()
            && rng.chance(reuse)
            && let Some(var) = self.scratch.reuse(&search.catalog, wanted, receiver, rng)
        {
            return Some(var);
        }
        if !self.scratch.is_empty()
            && !primitive
            && !receiver
            && rng.chance(RELATIVE)
            && let Some(var) = relative(&mut self.scratch, search, wanted, rng)
        {
            return Some(var);
        }
        // Prepared just above, so always there.
        let supply = search.supplies.get(wanted)?;
        if !primitive
            && !receiver
            && rng.chance(search.options.null_ratio)
            && let Some(null) = supply.null
        {
            return Some(self.scratch.push_leaf(&search.catalog, null));
        }
        if !supply.kinds.is_empty() {
            let kinds = &supply.kinds;
            // Text and ints stand for the rest where anything goes.
            let kind = match kinds.len() {
                1 => kinds[0],
                n => {
                    let usual = [Kind::STRING, Kind::of(bytecode::names::Primitive::Int)][rng.below(2)];
                    if rng.chance(0.7) && kinds.contains(&usual) { usual } else { kinds[rng.below(n)] }
                }
            };
            if primitive || kinds.len() == 1 || rng.chance(0.5) || !search.pool.provides(&search.catalog, wanted) {
                let constant = self.constant(search, place, kind, !primitive, rng);
                return Some(self.scratch.push_leaf(&search.catalog, constant));
            }
        }
        let supply = search.supplies.get(wanted)?;
        if !supply.literals.is_empty() && depth < MAX_NESTING && rng.chance(0.8) {
            let literal = supply.literals[rng.below(supply.literals.len())];
            if let Some(var) = self.literal(search, literal, depth, rng) {
                return Some(var);
            }
        }
        let supply = search.supplies.get(wanted)?;
        let leaf = if supply.leaves.is_empty() { None } else { Some(supply.leaves[rng.below(supply.leaves.len())]) };
        if let Some(leaf) = leaf
            && rng.chance(0.25)
            && !search.records.op(leaf).is_hopeless()
        {
            return Some(self.scratch.push_leaf(&search.catalog, leaf));
        }
        if let Some(entry) = search.pool.choose(&search.catalog, wanted, rng) {
            if self.scratch.len() + entry.sequence.len() + 1 > search.options.max_length {
                return self.scratch.reuse(&search.catalog, wanted, receiver, rng);
            }
            let (sequence, var) = (entry.sequence.clone(), entry.var);
            let offset = self.scratch.concat(&search.catalog, &sequence);
            return Some(var.shifted(offset));
        }
        if let Some(var) = self.scratch.reuse(&search.catalog, wanted, receiver, rng) {
            return Some(var);
        }
        if let Some(leaf) = leaf {
            return Some(self.scratch.push_leaf(&search.catalog, leaf));
        }
        let supply = search.supplies.get(wanted)?;
        match supply.null {
            Some(null) if !receiver => Some(self.scratch.push_leaf(&search.catalog, null)),
            _ => None,
        }
    }

    fn literal(&mut self, search: &mut Search<'_>, literal: OpId, depth: usize, rng: &mut Rng) -> Option<Var> {
        let params = search.catalog.facts(literal).params.clone();
        let mut args = SmallVec::new();
        for (operand, element) in params.into_iter().enumerate() {
            let place = Place { op: literal, operand };
            args.push(self.argument(search, place, element, false, false, depth + 1, rng)?);
        }
        Some(self.scratch.push(&search.catalog, Statement { op: literal, args }))
    }
}

/// The constants a parameter of this type takes, if it takes nothing but constants: its kind, and whether boxed.
pub(crate) fn kind_of(search: &Search<'_>, ty: TypeId) -> Option<(Kind, bool)> {
    if let Some(primitive) = search.catalog.primitive(ty) {
        return Some((Kind::of(primitive), false));
    }
    let supply = search.supplies.get(ty)?;
    match supply.kinds.as_slice() {
        [kind] if kind.boxed() == *search.catalog.ty(ty) => Some((*kind, true)),
        _ => None,
    }
}

fn fits_wanted(search: &Search<'_>, value: TypeId, wanted: TypeId) -> bool {
    search.library.fits(search.catalog.ty(value), search.catalog.ty(wanted))
}

/// The operation itself if all it needs is at hand, otherwise one that makes what is missing (and so on). Every now and then another maker of
/// something at hand, so that inputs do not stay the same for ever.
pub(super) fn obtainable(search: &mut Search<'_>, picked: OpId, rng: &mut Rng) -> Option<OpId> {
    let mut op = picked;
    let fruitless = search.records.op(picked).fruitless as f32;
    let weary = WEARY * fruitless / (fruitless + HALF_WEARY);
    let mut chances = (ANOTHER + weary, CHANGED + weary);
    for depth in 0..MAX_DEMAND {
        match missing(search, op, rng, chances) {
            Missing::Nothing => return Some(op),
            Missing::Unmakeable => return None,
            Missing::First { maker, by_choice } => {
                let is_part = by_choice && depth < PART_DEPTH;
                chances = if is_part { (ANOTHER_PART, CHANGED_PART) } else { (ANOTHER, CHANGED) };
                op = maker;
            }
        }
    }
    None
}

/// What has to be done before an operation can be called.
enum Missing {
    Nothing,
    /// Something that nobody makes.
    Unmakeable,
    /// Call this first; by choice if it could be done without.
    First {
        maker: OpId,
        by_choice: bool,
    },
}

fn missing(search: &mut Search<'_>, op: OpId, rng: &mut Rng, (another, changed): (f32, f32)) -> Missing {
    let params = search.catalog.facts(op).params.clone();
    let has_receiver = search.catalog.facts(op).needs_object;
    for (i, &param) in params.iter().enumerate() {
        if search.supplies.get(param).is_none() {
            search.prepare_supply(param);
        }
        let at_hand = is_obtainable(search, param);
        let can_change = at_hand && search.supplies.get(param).is_some_and(|s| !s.changers.is_empty());
        let changed = can_change && rng.chance(changed);
        if at_hand && !changed && !rng.chance(another) {
            continue;
        }
        let Some(supply) = search.supplies.get(param) else {
            continue;
        };
        // What is there may be filled, set or copied with a difference.
        if changed {
            let changer = rng.pick(&supply.changers).copied().filter(|&c| c != op && is_changing(search, c, param));
            match changer {
                Some(maker) => return Missing::First { maker, by_choice: true },
                None => continue,
            }
        }
        if supply.makers.is_empty() && supply.leaves.is_empty() {
            if at_hand || !(has_receiver && i == 0) {
                continue;
            }
            return Missing::Unmakeable;
        }
        // What needs nothing and was called gives the same again, as a rule.
        let repeats = at_hand && !supply.makers.is_empty() && !rng.chance(AGAIN);
        let n = supply.makers.len() + if repeats { 0 } else { supply.leaves.len() };
        let choose = |rng: &mut Rng| {
            let at = rng.below(n);
            if at < supply.makers.len() { supply.makers[at] } else { supply.leaves[at - supply.makers.len()] }
        };
        let unknown = if at_hand { never_made(search, param, op) } else { None };
        let maker = unknown.or_else(|| {
            (0..6)
                .map(|_| choose(rng))
                .find(|&m| m != op && !search.records.op(m).is_hopeless() && !search.records.op(m).is_harmful())
        });
        if let Some(unknown) = unknown {
            search.records.op_mut(unknown).asked += 1;
        }
        match maker {
            // A leaf that is not hopeless is as good as at hand unless it has never come back.
            Some(maker) => return Missing::First { maker, by_choice: at_hand },
            None if at_hand || !(has_receiver && i == 0) => continue,
            None => return Missing::Unmakeable,
        }
    }
    // Where anything may be given, what the code looks for is asked for, too.
    let hints = &search.catalog.facts(op).hints;
    if !hints.is_empty() && rng.chance(ANOTHER) {
        let hint = hints[rng.below(hints.len())];
        search.prepare_supply(hint);
        let is_of_use = params.iter().any(|&param| fits_wanted(search, hint, param));
        if let Some(unknown) = never_made(search, hint, op).filter(|_| is_of_use) {
            search.records.op_mut(unknown).asked += 1;
            return Missing::First { maker: unknown, by_choice: true };
        }
    }
    Missing::Nothing
}

/// A maker of the type that nobody called yet: the first value that there was must not remain the only one.
fn never_made(search: &Search<'_>, ty: TypeId, op: OpId) -> Option<OpId> {
    let is_unknown = |m: OpId| {
        let record = search.records.op(m);
        m != op && record.tried == 0 && record.asked < MOST_ASKED && !record.is_harmful()
    };
    let supply = search.supplies.get(ty)?;
    let leaves = supply.leaves.iter().filter(|&&leaf| search.catalog.facts(leaf).role != Role::Part);
    supply.makers.iter().chain(leaves).copied().find(|&m| is_unknown(m))
}

/// May this call still make something else of a value of the type?
fn is_changing(search: &Search<'_>, changer: OpId, ty: TypeId) -> bool {
    let record = search.records.op(changer);
    let gives = search.catalog.fits(search.catalog.facts(changer).result, ty);
    !record.is_hopeless() && !record.is_harmful() && (gives || !record.is_pure(PURE_AFTER))
}

/// Can a value be had without running anything new?
fn is_obtainable(search: &Search<'_>, wanted: TypeId) -> bool {
    match search.supplies.get(wanted) {
        Some(supply) => {
            !supply.kinds.is_empty()
                || !supply.literals.is_empty()
                || supply.leaves.iter().any(|&l| search.catalog.facts(l).role == Role::Part)
                || search.pool.provides(&search.catalog, wanted)
        }
        None => search.pool.provides(&search.catalog, wanted),
    }
}
