//! Strongly typed trees of calls. Owns their shape and how they become sequences; chooses nothing.

use smallvec::SmallVec;
use testcase::operation::OpId;
use testcase::sequence::{Sequence, Statement, Var};

use crate::catalog::{Catalog, TypeId};
use crate::generate::scratch::Scratch;

/// What of a call its parent takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Item {
    Result,
    /// An operand, as the call left it; the receiver is the first.
    Operand(u8),
}

/// A node of a tree: a call, and what of it is passed on. Its children are its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Gene {
    pub op: OpId,
    pub item: Item,
}

impl Gene {
    pub fn result(op: OpId) -> Gene {
        Gene { op, item: Item::Result }
    }

    /// The type of what is passed on.
    pub fn gives(self, catalog: &Catalog) -> TypeId {
        let facts = catalog.facts(self.op);
        match self.item {
            Item::Result => facts.result,
            Item::Operand(n) => facts.params[usize::from(n)],
        }
    }
}

/// Genes in preorder: every subtree is a range.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tree(pub Vec<Gene>);

/// A place below the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub at: usize,
    /// One behind the subtree that is there.
    pub end: usize,
    pub wanted: TypeId,
    /// Null will not do.
    pub object: bool,
    /// The call that takes it, and as which operand.
    pub user: (OpId, u8),
    /// That is the root.
    pub wild: bool,
}

impl Tree {
    /// One behind the subtree that begins at `at`.
    pub fn end(&self, catalog: &Catalog, at: usize) -> usize {
        let (mut at, mut open) = (at, 1);
        while open > 0 {
            open += catalog.facts(self.0[at].op).params.len();
            open -= 1;
            at += 1;
        }
        at
    }

    /// All places below the root, in preorder.
    pub fn places(&self, catalog: &Catalog) -> Vec<Place> {
        let mut places = Vec::with_capacity(self.0.len());
        // Operands still to come, by open call: the call and the number of the next one.
        let mut open: Vec<(usize, usize)> = Vec::new();
        for at in 0..self.0.len() {
            while open.last().is_some_and(|&(call, next)| next == catalog.facts(self.0[call].op).params.len()) {
                open.pop();
            }
            if let Some((call, next)) = open.last_mut() {
                let facts = catalog.facts(self.0[*call].op);
                let (wanted, object) = (facts.params[*next], facts.needs_object && *next == 0);
                // A method has at most 255 parameters.
                let user = (self.0[*call].op, *next as u8);
                places.push(Place { at, end: self.end(catalog, at), wanted, object, user, wild: *call == 0 });
                *next += 1;
            }
            open.push((at, 0));
        }
        places
    }

    /// Calls above each other, at most.
    pub fn depth(&self, catalog: &Catalog) -> usize {
        let mut open: SmallVec<[usize; 16]> = SmallVec::new();
        let mut deepest = 0;
        for gene in &self.0 {
            deepest = deepest.max(open.len() + 1);
            open.push(catalog.facts(gene.op).params.len());
            while open.last() == Some(&0) {
                open.pop();
                if let Some(left) = open.last_mut() {
                    *left -= 1;
                }
            }
        }
        deepest
    }

    /// With another subtree at a place.
    pub fn graft(&self, place: Place, part: &[Gene]) -> Tree {
        let (before, behind) = (&self.0[..place.at], &self.0[place.end..]);
        Tree(before.iter().chain(part).chain(behind).copied().collect())
    }

    /// The calls of the tree, depth first, the root last.
    pub fn sequence(&self, catalog: &Catalog, scratch: &mut Scratch) -> Sequence {
        scratch.clear();
        let mut at = 0;
        self.put(catalog, scratch, &mut at);
        scratch.sequence()
    }

    fn put(&self, catalog: &Catalog, scratch: &mut Scratch, at: &mut usize) -> Var {
        let gene = self.0[*at];
        *at += 1;
        let args: SmallVec<[Var; 4]> =
            (0..catalog.facts(gene.op).params.len()).map(|_| self.put(catalog, scratch, at)).collect();
        let var = if args.is_empty() {
            scratch.push_leaf(catalog, gene.op)
        } else {
            scratch.push(catalog, Statement { op: gene.op, args: args.clone() })
        };
        match gene.item {
            Item::Result => var,
            Item::Operand(n) => args[usize::from(n)],
        }
    }
}
