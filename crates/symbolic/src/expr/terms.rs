//! The arena of terms. Owns nodes, sharing (equal terms are one term) and inputs; simplification is in `build`.
//! Operands are always older than the terms that use them, so the order of terms is a topological one.

use super::input_set::InputSets;
use super::sharing::Sharing;
use super::{Node, Op, Sort};

/// A term: a handle into the arena that made it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Term(pub(super) u32);

impl Term {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The number of an input, counted from 0 in the order of their making.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct InputId(pub u32);

#[derive(Clone, Debug)]
struct Input {
    name: String,
    term: Term,
}

/// All terms, hash-consed.
#[derive(Clone, Debug)]
pub struct Terms {
    nodes: Vec<Node>,
    sharing: Sharing,
    inputs: Vec<Input>,
    sets: InputSets,
    /// How deep constructors called each other while looking through conditions.
    pub(super) nesting: u32,
}

impl Default for Terms {
    fn default() -> Self {
        Terms::new()
    }
}

impl Terms {
    pub const FALSE: Term = Term(0);
    pub const TRUE: Term = Term(1);

    pub fn new() -> Terms {
        let mut terms = Terms {
            nodes: Vec::new(),
            sharing: Sharing::default(),
            inputs: Vec::new(),
            sets: InputSets::default(),
            nesting: 0,
        };
        terms.constant(Sort::Bool, 0);
        terms.constant(Sort::Bool, 1);
        terms
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        false
    }

    pub fn node(&self, term: Term) -> &Node {
        &self.nodes[term.index()]
    }

    pub fn op(&self, term: Term) -> Op {
        self.node(term).op
    }

    pub fn sort(&self, term: Term) -> Sort {
        self.node(term).sort
    }

    /// The bits of a constant; of NaN, Java's own.
    pub fn value(&self, term: Term) -> Option<u64> {
        let node = self.node(term);
        (node.op == Op::Const).then_some(node.number)
    }

    /// A constant that is an `int`, signed.
    pub fn as_int(&self, term: Term) -> Option<i32> {
        self.value(term).map(|bits| bits as u32 as i32)
    }

    /// A constant that is a `boolean` condition.
    pub fn as_bool(&self, term: Term) -> Option<bool> {
        match term {
            Terms::FALSE => Some(false),
            Terms::TRUE => Some(true),
            _ => None,
        }
    }

    /// A new input. Inputs of the same name stay different inputs.
    pub fn input(&mut self, sort: Sort, name: impl Into<String>) -> Term {
        let id = self.inputs.len() as u64;
        let term = self.make(Op::Input, sort, &[], id);
        self.inputs.push(Input { name: name.into(), term });
        term
    }

    pub fn input_count(&self) -> usize {
        self.inputs.len()
    }

    pub fn input_term(&self, input: InputId) -> Term {
        self.inputs[input.0 as usize].term
    }

    pub fn input_name(&self, input: InputId) -> &str {
        &self.inputs[input.0 as usize].name
    }

    /// Which input a term is, if it is one.
    pub fn input_id(&self, term: Term) -> Option<InputId> {
        let node = self.node(term);
        (node.op == Op::Input).then_some(InputId(node.number as u32))
    }

    /// The inputs that a term depends on, ascending. Computed once per term.
    pub fn inputs_of(&mut self, term: Term) -> &[InputId] {
        self.sets.of(&self.nodes, term)
    }

    /// The term with these parts, new or found; does not simplify.
    pub(super) fn make(&mut self, op: Op, sort: Sort, args: &[Term], number: u64) -> Term {
        debug_assert_eq!(args.len(), op.arity());
        let mut padded = [Terms::FALSE; 3];
        padded[..args.len()].copy_from_slice(args);
        let node = Node { op, sort, args: padded, number };
        self.sharing.find_or_push(&mut self.nodes, node)
    }
}
