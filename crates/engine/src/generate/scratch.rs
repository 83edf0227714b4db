//! A sequence under construction. Owns the buffer that is reused from proposal to proposal; does not choose anything.

use testcase::cost::Cost;
use testcase::operation::OpId;
use testcase::sequence::{Sequence, Statement, Var};

use crate::catalog::{Catalog, TypeId};
use crate::proposal::Wanted;
use crate::rng::Rng;
use crate::search::{Proposal, Search};
use crate::seen::mix;

#[derive(Debug, Default)]
pub struct Scratch {
    statements: Vec<Statement>,
    types: Vec<TypeId>,
    cost: Cost,
}

impl Scratch {
    pub fn clear(&mut self) {
        self.statements.clear();
        self.types.clear();
        self.cost = Cost::default();
    }
    pub fn len(&self) -> usize {
        self.statements.len()
    }
    pub fn is_empty(&self) -> bool {
        self.statements.is_empty()
    }
    pub fn statements(&self) -> &[Statement] {
        &self.statements
    }

    pub fn push(&mut self, catalog: &Catalog, statement: Statement) -> Var {
        let facts = catalog.facts(statement.op);
        self.types.push(facts.result);
        self.cost = self.cost.plus(facts.cost);
        self.statements.push(statement);
        Var(self.statements.len() as u16 - 1)
    }

    /// An operation that takes nothing. A constant that is there already is used again.
    pub fn push_leaf(&mut self, catalog: &Catalog, op: OpId) -> Var {
        if catalog.facts(op).constant
            && let Some(at) = self.statements.iter().position(|s| s.op == op)
        {
            return Var(at as u16);
        }
        self.push(catalog, Statement { op, args: Default::default() })
    }

    /// Another operation of the same type in the place of one that takes nothing.
    pub fn exchange(&mut self, catalog: &Catalog, at: usize, op: OpId) {
        self.statements[at].op = op;
        self.cost = self.statements.iter().fold(Cost::default(), |cost, s| cost.plus(catalog.facts(s.op).cost));
    }

    /// Puts a whole sequence behind what is there; gives where its values went.
    pub fn concat(&mut self, catalog: &Catalog, part: &Sequence) -> usize {
        let offset = self.statements.len();
        for statement in part.statements() {
            let mut statement = statement.clone();
            if offset > 0 {
                for arg in &mut statement.args {
                    *arg = arg.shifted(offset);
                }
            }
            self.push(catalog, statement);
        }
        offset
    }

    /// The object that the last statement made, or the one it was called on.
    pub fn focus(&self, catalog: &Catalog) -> Option<Var> {
        let last = self.statements.last()?;
        let facts = catalog.facts(last.op);
        if facts.result != catalog.void() && catalog.ty(facts.result).is_reference() && !facts.constant {
            return Some(Var(self.statements.len() as u16 - 1));
        }
        last.args.first().copied().filter(|_| facts.receiver)
    }

    /// Can this operation be called on that value?
    pub fn can_be_receiver(&self, catalog: &Catalog, var: Var, op: OpId) -> bool {
        let facts = catalog.facts(op);
        facts.needs_object && facts.params.first().is_some_and(|&wanted| catalog.fits(self.types[var.index()], wanted))
    }

    /// The type of a value, as it was declared.
    pub fn type_of(&self, var: Var) -> TypeId {
        self.types[var.index()]
    }

    /// Is it the constant null?
    pub fn is_null(&self, catalog: &Catalog, var: Var) -> bool {
        let facts = catalog.facts(self.statements[var.index()].op);
        facts.null && facts.constant
    }

    /// A value already there that fits, later ones as likely as earlier ones.
    pub fn reuse(&self, catalog: &Catalog, wanted: TypeId, receiver: bool, rng: &mut Rng) -> Option<Var> {
        let n = self.types.len();
        if n == 0 {
            return None;
        }
        let start = rng.below(n);
        (0..n)
            .map(|i| (start + i) % n)
            .find(|&i| {
                let facts = catalog.facts(self.statements[i].op);
                !(facts.constant || receiver && facts.null) && catalog.fits(self.types[i], wanted)
            })
            .map(|i| Var(i as u16))
    }

    pub fn hash(&self) -> u64 {
        let mut hash = self.statements.len() as u64;
        for statement in &self.statements {
            hash = mix(hash, u64::from(statement.op.0));
            for arg in &statement.args {
                hash = mix(hash, u64::from(arg.0) + 0x10000);
            }
        }
        hash
    }

    /// What is there, as a proposal; its cost was summed up on the way.
    pub fn proposal(&self, search: &mut Search<'_>, detail: Wanted) -> Proposal {
        Proposal { sequence: self.sequence(), cost: self.cost, detail, ticket: search.ticket() }
    }

    pub fn sequence(&self) -> Sequence {
        Sequence::new(self.statements.as_slice())
    }
}
