//! Sets of inputs, shared between terms. Owns which inputs a term depends on, computed when first asked.

use rustc_hash::FxHashMap;

use super::{InputId, Node, Op, Term};

const UNKNOWN: u32 = u32::MAX;
const EMPTY: u32 = 0;

/// Sets are numbered; equal sets have the same number, and unions are remembered.
#[derive(Clone, Debug)]
pub(super) struct InputSets {
    sets: Vec<Box<[InputId]>>,
    numbers: FxHashMap<Box<[InputId]>, u32>,
    unions: FxHashMap<(u32, u32), u32>,
    of_term: Vec<u32>,
}

impl Default for InputSets {
    fn default() -> Self {
        let empty: Box<[InputId]> = Box::new([]);
        let numbers = [(empty.clone(), EMPTY)].into_iter().collect();
        InputSets { sets: vec![empty], numbers, unions: FxHashMap::default(), of_term: Vec::new() }
    }
}

impl InputSets {
    pub fn of(&mut self, nodes: &[Node], term: Term) -> &[InputId] {
        self.of_term.resize(nodes.len(), UNKNOWN);
        let mut stack = vec![term];
        while let Some(&top) = stack.last() {
            if self.of_term[top.index()] != UNKNOWN {
                stack.pop();
                continue;
            }
            let node = &nodes[top.index()];
            let before = stack.len();
            stack.extend(node.args().iter().filter(|arg| self.of_term[arg.index()] == UNKNOWN));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            self.of_term[top.index()] = match node.op {
                Op::Input => self.number(vec![InputId(node.number as u32)]),
                _ => node.args().iter().fold(EMPTY, |set, arg| self.union(set, self.of_term[arg.index()])),
            };
        }
        &self.sets[self.of_term[term.index()] as usize]
    }

    fn number(&mut self, set: Vec<InputId>) -> u32 {
        let set = set.into_boxed_slice();
        if let Some(&number) = self.numbers.get(&set) {
            return number;
        }
        let number = self.sets.len() as u32;
        self.sets.push(set.clone());
        self.numbers.insert(set, number);
        number
    }

    fn union(&mut self, a: u32, b: u32) -> u32 {
        if a == b || b == EMPTY {
            return a;
        }
        if a == EMPTY {
            return b;
        }
        let key = (a.min(b), a.max(b));
        if let Some(&union) = self.unions.get(&key) {
            return union;
        }
        let mut all: Vec<InputId> = self.sets[a as usize].iter().chain(&self.sets[b as usize]).copied().collect();
        all.sort_unstable();
        all.dedup();
        let union = self.number(all);
        self.unions.insert(key, union);
        union
    }
}
