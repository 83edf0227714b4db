//! The function set: which calls give values of which type, by their result or by what they change. Owns the set and the growing of random subtrees from it;
//! where values outside the class under test come from is `supply`'s to say.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use testcase::operation::{OpId, OperationKind};
use testcase::value::Constant;

use super::lessons::Lessons;
use super::tree::{Gene, Item, Place, Tree};
use crate::catalog::{Catalog, TypeId};
use crate::constants::Kind;
use crate::rng::Rng;
use crate::search::Search;

/// Types whose providers are looked for; of more only null is known.
const MAX_TYPES: usize = 80;
/// Where constants are one choice among calls, they count as this many.
const CONSTANTS: usize = 40;
/// Draws of a constant before one is taken whatever it costs.
const DRAWS: usize = 8;
/// How often a constant is one that is in the tree already, as much depends on values that are equal; where anything goes, hardly any others would be.
const AGAIN: f32 = 0.3;
const AGAIN_AMONG_ALL: f32 = 0.7;
/// Calls above each other in a subtree that is grown at once.
pub const GROWN: usize = 5;
/// In a tree of so many genes everything further is as small as it can be; and no tree has more than the second number. Calls with ten operands have no end otherwise.
const MANY_GENES: usize = 100;
const MOST_GENES: usize = 400;
const UNREACHABLE: u32 = u32::MAX;

/// Ways to a value of one type.
#[derive(Clone, Debug, Default)]
struct Choices {
    genes: Vec<Gene>,
    kinds: SmallVec<[Kind; 2]>,
    null: Option<OpId>,
    /// Calls above each other that are needed at least.
    height: u32,
}

#[derive(Clone, Debug, Default)]
pub struct FunctionSet {
    /// Members of the classes under test, by what they give: the table as it is published.
    rows: Vec<Gene>,
    by_type: FxHashMap<TypeId, Choices>,
    heights: FxHashMap<OpId, u32>,
}

impl FunctionSet {
    /// The rows for these members. `purified`: only what they may change counts as given.
    pub fn new(search: &Search<'_>, members: &[OpId], purified: bool) -> FunctionSet {
        let operations: Vec<_> = members.iter().map(|&op| search.catalog.operation(op)).collect();
        let changes = if purified { search.library.changes(&operations) } else { Vec::new() };
        let mut set = FunctionSet::default();
        for (n, &op) in members.iter().enumerate() {
            let facts = search.catalog.facts(op);
            if facts.result != search.catalog.void() {
                set.rows.push(Gene::result(op));
            }
            for (i, param) in operations[n].params.iter().enumerate() {
                let given = !purified || changes[n].get(i) == Some(&true);
                if param.is_reference() && given {
                    // A method has at most 255 parameters.
                    set.rows.push(Gene { op, item: Item::Operand(i as u8) });
                }
            }
        }
        set
    }

    pub fn rows(&self) -> &[Gene] {
        &self.rows
    }

    /// Finds the ways to everything that this call needs, directly or not. False if it cannot be made at all.
    pub fn prepare(&mut self, search: &mut Search<'_>, root: OpId) -> bool {
        let mut work: Vec<TypeId> = search.catalog.facts(root).params.to_vec();
        let mut added = false;
        while let Some(wanted) = work.pop() {
            if self.by_type.contains_key(&wanted) {
                continue;
            }
            let full = self.by_type.len() >= MAX_TYPES;
            let choices = self.find(search, wanted, full);
            for gene in &choices.genes {
                work.extend(search.catalog.facts(gene.op).params.iter().copied());
            }
            self.by_type.insert(wanted, choices);
            added = true;
        }
        if added {
            self.measure(search);
        }
        self.height(search, root) != UNREACHABLE
    }

    fn find(&self, search: &mut Search<'_>, wanted: TypeId, full: bool) -> Choices {
        let mut choices = Choices { height: UNREACHABLE, ..Choices::default() };
        let ty = search.catalog.ty(wanted).clone();
        if full && ty.is_reference() && search.supplies.get(wanted).is_none() {
            // Looking for ways to it would find further types, of which there is no end.
            choices.null = Some(search.catalog.constant(search.library, Constant::Null, ty));
            choices.genes.extend(self.given(&search.catalog, wanted));
            return choices;
        }
        search.prepare_supply(wanted);
        let Some(supply) = search.supplies.get(wanted) else { return choices };
        choices.null = supply.null;
        choices.kinds = if supply.kinds.len() > 1 {
            // Where anything goes, text and ints stand for the rest.
            let usual = [Kind::STRING, Kind::of(bytecode::names::Primitive::Int)];
            supply.kinds.iter().copied().filter(|k| usual.contains(k)).collect()
        } else {
            supply.kinds.clone()
        };
        let catalog = &search.catalog;
        choices.genes.extend(self.given(catalog, wanted));
        if full {
            return choices;
        }
        choices.genes.extend(supply.literals.iter().map(|&op| Gene::result(op)));
        let class = catalog.ty(wanted).class_name();
        let others = || supply.leaves.iter().chain(&supply.makers).copied().filter(|op| !self.is_row(*op));
        let is_own = |op: &OpId| match &catalog.operation(*op).kind {
            OperationKind::Construct { class: made, .. } => Some(made) == class,
            _ => false,
        };
        // The constructors of a type are the ways to it; only where there are none do others help.
        let own: Vec<Gene> = others().filter(is_own).map(Gene::result).collect();
        if own.is_empty() && choices.kinds.is_empty() && choices.genes.iter().all(|g| g.item != Item::Result) {
            choices.genes.extend(others().map(Gene::result));
        } else {
            choices.genes.extend(own);
        }
        choices
    }

    /// What members of the classes under test give of this type.
    fn given(&self, catalog: &Catalog, wanted: TypeId) -> impl Iterator<Item = Gene> {
        self.rows.iter().copied().filter(move |g| catalog.fits(g.gives(catalog), wanted))
    }

    fn is_row(&self, op: OpId) -> bool {
        self.rows.iter().any(|g| g.op == op)
    }

    /// The least heights of all types and calls, from the leaves up.
    fn measure(&mut self, search: &Search<'_>) {
        let order: BTreeMap<TypeId, ()> = self.by_type.keys().map(|&t| (t, ())).collect();
        loop {
            let mut changed = false;
            for &wanted in order.keys() {
                let choices = &self.by_type[&wanted];
                let least = if choices.kinds.is_empty() {
                    choices.genes.iter().map(|g| self.height(search, g.op)).min().unwrap_or(UNREACHABLE)
                } else {
                    0
                };
                if let Some(choices) = self.by_type.get_mut(&wanted)
                    && least < choices.height
                {
                    choices.height = least;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        let ops: Vec<OpId> = self.by_type.values().flat_map(|c| c.genes.iter().map(|g| g.op)).collect();
        for op in ops {
            let height = self.height(search, op);
            self.heights.insert(op, height);
        }
    }

    /// Calls above each other that this one needs at least, itself included. Of what nobody makes, null will do, but not for a receiver.
    fn height(&self, search: &Search<'_>, op: OpId) -> u32 {
        let facts = search.catalog.facts(op);
        let mut height = 0;
        for (i, param) in facts.params.iter().enumerate() {
            let object = facts.needs_object && i == 0;
            let of = match self.by_type.get(param) {
                Some(c) if c.height == UNREACHABLE && c.null.is_some() && !object => 0,
                Some(c) => c.height,
                None => UNREACHABLE,
            };
            if of == UNREACHABLE {
                return UNREACHABLE;
            }
            height = height.max(of);
        }
        height + 1
    }

    /// A random tree with this call at its root.
    pub fn tree(&self, search: &mut Search<'_>, lessons: &Lessons, root: OpId, rng: &mut Rng) -> Option<Tree> {
        let mut genes = vec![Gene::result(root)];
        self.operands(search, lessons, (root, true), GROWN, &mut genes, rng)?;
        Some(Tree(genes))
    }

    /// A random subtree for a place; `user` is the call it is for.
    pub fn subtree(
        &self,
        search: &mut Search<'_>,
        lessons: &Lessons,
        tree: &Tree,
        place: Place,
        rng: &mut Rng,
    ) -> Option<Vec<Gene>> {
        // What is in the tree already is seen by what is grown.
        let mut genes = tree.0.clone();
        let slot = Slot { wanted: place.wanted, object: place.object, user: place.user, wild: place.wild };
        self.grow(search, lessons, slot, GROWN, &mut genes, rng)?;
        Some(genes.split_off(tree.0.len()))
    }

    fn operands(
        &self,
        search: &mut Search<'_>,
        lessons: &Lessons,
        (op, wild): (OpId, bool),
        left: usize,
        out: &mut Vec<Gene>,
        rng: &mut Rng,
    ) -> Option<()> {
        let facts = search.catalog.facts(op);
        let (params, needs_object) = (facts.params.clone(), facts.needs_object);
        for (i, &param) in params.iter().enumerate() {
            // A method has at most 255 parameters.
            let slot = Slot { wanted: param, object: needs_object && i == 0, user: (op, i as u8), wild };
            self.grow(search, lessons, slot, left, out, rng)?;
        }
        Some(())
    }

    fn grow(
        &self,
        search: &mut Search<'_>,
        lessons: &Lessons,
        slot: Slot,
        left: usize,
        out: &mut Vec<Gene>,
        rng: &mut Rng,
    ) -> Option<()> {
        let Slot { wanted, object, .. } = slot;
        if out.len() > MOST_GENES {
            return None;
        }
        let left = if out.len() > MANY_GENES { 0 } else { left };
        let choices = self.by_type.get(&wanted)?;
        let null = choices.null.filter(|_| !object);
        let made = choices.height != UNREACHABLE;
        if let Some(null) = null
            && (!made || rng.chance(search.options.null_ratio))
        {
            out.push(Gene::result(null));
            return Some(());
        }
        let fitting: SmallVec<[Gene; 16]> = choices
            .genes
            .iter()
            .copied()
            .filter(|g| self.heights.get(&g.op).is_some_and(|&h| h as usize <= left.max(choices.height as usize)))
            .collect();
        let kinds = &choices.kinds;
        let constants = if kinds.is_empty() { 0 } else { CONSTANTS };
        let at = rng.below(fitting.len() + constants);
        let Some(&gene) = fitting.get(at) else {
            let kind = *rng.pick(kinds)?;
            let boxed = search.catalog.primitive(wanted).is_none();
            if rng.chance(if kinds.len() > 1 { AGAIN_AMONG_ALL } else { AGAIN }) {
                let catalog = &search.catalog;
                let fits = |g: &&Gene| {
                    let facts = catalog.facts(g.op);
                    facts.constant && !facts.null && catalog.fits(facts.result, wanted)
                };
                let there: SmallVec<[Gene; 16]> = out.iter().filter(fits).copied().collect();
                if let Some(&gene) = rng.pick(&there)
                    && lessons.advises(catalog, slot.user, gene.op, slot.wild, rng)
                {
                    out.push(gene);
                    return Some(());
                }
            }
            out.push(Gene::result(constant(search, lessons, slot, kind, boxed, rng)));
            return Some(());
        };
        out.push(gene);
        self.operands(search, lessons, (gene.op, false), left.saturating_sub(1), out, rng)
    }
}

/// What is grown, and for whom.
#[derive(Clone, Copy)]
struct Slot {
    wanted: TypeId,
    /// Null will not do.
    object: bool,
    /// The call, and which of its operands.
    user: (OpId, u8),
    /// The call may as well throw: it is the one under test.
    wild: bool,
}

/// A constant for a call; one that did no good there is drawn again.
fn constant(search: &mut Search<'_>, lessons: &Lessons, slot: Slot, kind: Kind, boxed: bool, rng: &mut Rng) -> OpId {
    let mut draws = 0;
    loop {
        let constant = search.constants.draw(&mut search.catalog, search.library, kind, boxed, rng);
        draws += 1;
        if draws == DRAWS || lessons.advises(&search.catalog, slot.user, constant, slot.wild, rng) {
            return constant;
        }
    }
}
