//! Which nodes there are already: a hash table of term numbers that keeps no copies of nodes. Owns the hash; built for
//! speed, as an interpreter asks once per instruction.

use super::{Element, Node, Sort, Term};

const EMPTY: u32 = u32::MAX;

/// Open addressing over term numbers; the nodes themselves are in the arena.
#[derive(Clone, Debug)]
pub(super) struct Sharing {
    slots: Vec<u32>,
}

impl Default for Sharing {
    fn default() -> Self {
        Sharing { slots: vec![EMPTY; 1 << 10] }
    }
}

impl Sharing {
    /// The term that is this node; a new one at the end of the arena if there is none.
    pub fn find_or_push(&mut self, nodes: &mut Vec<Node>, node: Node) -> Term {
        if (nodes.len() + 1) * 8 > self.slots.len() * 5 {
            self.grow(nodes);
        }
        let mask = self.slots.len() - 1;
        let mut place = hash(&node) as usize & mask;
        loop {
            match self.slots[place] {
                EMPTY => {
                    let number = nodes.len() as u32;
                    self.slots[place] = number;
                    nodes.push(node);
                    return Term(number);
                }
                number if nodes[number as usize] == node => return Term(number),
                _ => place = (place + 1) & mask,
            }
        }
    }

    fn grow(&mut self, nodes: &[Node]) {
        let mask = self.slots.len() * 2 - 1;
        self.slots.clear();
        self.slots.resize(mask + 1, EMPTY);
        for (number, node) in nodes.iter().enumerate() {
            let mut place = hash(node) as usize & mask;
            while self.slots[place] != EMPTY {
                place = (place + 1) & mask;
            }
            self.slots[place] = number as u32;
        }
    }
}

fn hash(node: &Node) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let sort = match node.sort {
        Sort::Bool => 0,
        Sort::Bv(width) => u64::from(width),
        Sort::F32 => 65,
        Sort::F64 => 66,
        Sort::Array(Element::Bv(width)) => 67 + u64::from(width),
        Sort::Array(Element::F32) => 132,
        Sort::Array(Element::F64) => 133,
    };
    let [a, b, c] = node.args.map(|arg| u64::from(arg.0));
    let mut hash = (node.op as u64 | sort << 8 | a << 32).wrapping_mul(FACTOR);
    for word in [b | c << 32, node.number] {
        hash = (hash.rotate_left(29) ^ word).wrapping_mul(FACTOR);
    }
    hash ^ hash >> 32
}
