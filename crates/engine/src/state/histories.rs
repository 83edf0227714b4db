//! Histories of the values of a sequence, as hashes: equal ones were made by the same calls. Owns the memory of what calls change, which is of fixed size; a
//! call never seen counts as one that changes everything it is given. Keeps no values.

use smallvec::SmallVec;
use testcase::execution::Execution;
use testcase::sequence::Sequence;

use crate::catalog::Catalog;
use crate::seen::mix;

/// Calls whose effects are remembered: `1 << BITS`.
const BITS: u32 = 16;
const RESULT: u64 = 0xFFFF;

#[derive(Clone, Debug)]
pub struct Histories {
    /// Leave out calls that wrote nothing reachable from the value.
    writes_only: bool,
    /// Call and the operands it changed, one bit each. A new one takes the place of an older one with the same low bits.
    effects: Vec<(u64, u32)>,
    /// Of each variable of the sequence looked at last.
    current: Vec<u64>,
}

impl Histories {
    pub fn new(writes_only: bool) -> Histories {
        let slots = if writes_only { 1 << BITS } else { 0 };
        Histories { writes_only, effects: vec![(0, 0); slots], current: Vec::new() }
    }

    /// Looks at a sequence that ran to its end, and learns what its last call changed.
    pub fn look(&mut self, catalog: &Catalog, sequence: &Sequence, execution: &Execution) {
        let mut current = std::mem::take(&mut self.current);
        current.clear();
        let last = sequence.len() - 1;
        // The variable that names the same object first.
        let mut first: SmallVec<[u16; 64]> = SmallVec::new();
        for (i, statement) in sequence.statements().iter().enumerate() {
            let facts = catalog.facts(statement.op);
            let cast = matches!(catalog.operation(statement.op).kind, testcase::operation::OperationKind::Cast);
            if let Some(of) = statement.args.first().filter(|_| cast) {
                first.push(first[of.index()]);
                current.push(0);
                continue;
            }
            first.push(i as u16);
            if facts.constant {
                current.push(mix(1, u64::from(statement.op.0)));
                continue;
            }
            let operands: SmallVec<[usize; 4]> = statement.args.iter().map(|a| usize::from(first[a.index()])).collect();
            let call = operands.iter().fold(mix(2, u64::from(statement.op.0)), |h, &o| mix(h, current[o]));
            if i == last && self.writes_only {
                self.learn(call, changed(sequence, execution));
            }
            let written = self.effect(call);
            for (place, &operand) in operands.iter().enumerate() {
                let constant = catalog.facts(sequence.statements()[operand].op).constant;
                if !constant && written & 1 << place.min(31) != 0 {
                    current[operand] = mix(mix(call, place as u64), current[operand]);
                }
            }
            current.push(mix(call, RESULT));
        }
        for i in 0..current.len() {
            current[i] = current[usize::from(first[i])];
        }
        self.current = current;
    }

    /// The history of a variable of the sequence looked at last.
    pub fn of(&self, var: usize) -> Option<u64> {
        self.current.get(var).copied()
    }

    fn learn(&mut self, call: u64, changed: u32) {
        let slot = (call & ((1 << BITS) - 1)) as usize;
        self.effects[slot] = (call, changed);
    }

    fn effect(&self, call: u64) -> u32 {
        match self.effects.get((call & ((1 << BITS) - 1)) as usize) {
            Some(&(known, changed)) if known == call => changed,
            _ => u32::MAX,
        }
    }
}

/// Operands of the last statement that it changed, one bit each. What was not looked at counts as changed.
fn changed(sequence: &Sequence, execution: &Execution) -> u32 {
    let last = sequence.len() - 1;
    let mut bits = u32::MAX;
    for seen in execution.observations.iter().filter(|o| usize::from(o.statement) == last && o.changed == Some(false)) {
        for (place, _) in sequence.statements()[last].args.iter().enumerate().filter(|(_, a)| **a == seen.var) {
            bits &= !(1 << place.min(31));
        }
    }
    bits
}
