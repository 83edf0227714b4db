//! Arrays: reading through writes. Owns the rules that decide whether two indices are the same.

use crate::expr::{Op, Sort, Term, Terms};

/// How many writes a read looks through.
const DEPTH: usize = 64;

impl Terms {
    /// An array with the same value everywhere, as new arrays have.
    ///
    /// # Panics
    /// If no array holds values of that sort.
    pub fn constant_array(&mut self, value: Term) -> Term {
        let sort = self.sort(value).array_of().unwrap_or_else(|| panic!("no array holds {}", self.sort(value)));
        self.make(Op::ConstArray, sort, &[value], 0)
    }

    /// # Panics
    /// If the first operand is no array.
    pub fn select(&mut self, array: Term, index: Term) -> Term {
        let mut from = array;
        for _ in 0..DEPTH {
            let node = *self.node(from);
            match node.op {
                Op::Store => match self.same_index(node.args[1], index) {
                    Some(true) => return node.args[2],
                    Some(false) => from = node.args[0],
                    None => break,
                },
                Op::ConstArray => return node.args[0],
                _ => break,
            }
        }
        let Sort::Array(element) = self.sort(array) else { panic!("{} is no array", self.sort(array)) };
        self.make(Op::Select, element.sort(), &[from, index], 0)
    }

    pub fn store(&mut self, array: Term, index: Term, value: Term) -> Term {
        let node = *self.node(array);
        if node.op == Op::Store && node.args[1] == index {
            return self.store(node.args[0], index, value);
        }
        let held = *self.node(value);
        if held.op == Op::Select && held.args[0] == array && held.args[1] == index {
            return array;
        }
        self.make(Op::Store, node.sort, &[array, index, value], 0)
    }

    /// Whether two indices are equal, where that is obvious.
    fn same_index(&self, a: Term, b: Term) -> Option<bool> {
        if a == b {
            return Some(true);
        }
        let ((x, p), (y, q)) = (self.offset(a), self.offset(b));
        (x == y).then_some(p == q)
    }

    /// A term as another plus a constant; a constant as nothing plus itself.
    fn offset(&self, term: Term) -> (Option<Term>, u64) {
        let node = self.node(term);
        match node.op {
            Op::Const => (None, node.number),
            Op::Add if self.value(node.args[1]).is_some() => {
                (Some(node.args[0]), self.value(node.args[1]).unwrap_or_default())
            }
            _ => (Some(term), 0),
        }
    }
}
