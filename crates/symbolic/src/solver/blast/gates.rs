//! Gates: a circuit over bits, in which equal gates are one. Owns bit-level simplification and the clauses of each kind
//! of gate. Knows nothing of words or terms.

use rustc_hash::FxHashMap;

/// A bit of the circuit or its opposite.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Lit(u32);

impl Lit {
    pub const TRUE: Lit = Lit(0);
    pub const FALSE: Lit = Lit(1);

    pub fn of(value: bool) -> Lit {
        if value { Lit::TRUE } else { Lit::FALSE }
    }

    pub fn known(self) -> Option<bool> {
        (self.0 < 2).then_some(self == Lit::TRUE)
    }

    fn gate(self) -> usize {
        (self.0 >> 1) as usize
    }

    fn negated(self) -> bool {
        self.0 & 1 == 1
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Gate {
    True,
    Free,
    And(Lit, Lit),
    Xor(Lit, Lit),
    Mux(Lit, Lit, Lit),
    Xor3(Lit, Lit, Lit),
    Majority(Lit, Lit, Lit),
}

/// A circuit, and how far it was written as clauses.
#[derive(Debug)]
pub struct Circuit {
    gates: Vec<Gate>,
    table: FxHashMap<Gate, u32>,
    /// The solver's literal for each gate that was written; 0 for others.
    variables: Vec<i32>,
    next_variable: i32,
}

impl Default for Circuit {
    fn default() -> Self {
        Circuit { gates: vec![Gate::True], table: FxHashMap::default(), variables: Vec::new(), next_variable: 1 }
    }
}

impl Circuit {
    /// A bit that the solver may choose.
    pub fn free(&mut self) -> Lit {
        self.gates.push(Gate::Free);
        Lit(((self.gates.len() - 1) as u32) << 1)
    }

    fn shared(&mut self, gate: Gate) -> Lit {
        let next = self.gates.len() as u32;
        let number = *self.table.entry(gate).or_insert_with(|| {
            self.gates.push(gate);
            next
        });
        Lit(number << 1)
    }

    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == Lit::TRUE || a == b {
            return b;
        }
        if a == Lit::FALSE || a == !b {
            return Lit::FALSE;
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Gate::And(p, q) = self.gates[x.gate()] {
                if !x.negated() {
                    if p == y || q == y {
                        return x;
                    }
                    if p == !y || q == !y {
                        return Lit::FALSE;
                    }
                } else {
                    if p == !y || q == !y {
                        return y;
                    }
                    if p == y {
                        return self.and(y, !q);
                    }
                    if q == y {
                        return self.and(y, !p);
                    }
                }
            }
        }
        self.shared(Gate::And(a, b))
    }

    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if let Some(known) = a.known() {
            return if known { !b } else { b };
        }
        if a == b {
            return Lit::FALSE;
        }
        if a == !b {
            return Lit::TRUE;
        }
        let odd = a.negated() ^ b.negated();
        let gate = self.shared(Gate::Xor(Lit(a.0 & !1), Lit(b.0 & !1)));
        if odd { !gate } else { gate }
    }

    pub fn equal(&mut self, a: Lit, b: Lit) -> Lit {
        !self.xor(a, b)
    }

    /// `a` if the condition holds, otherwise `b`.
    pub fn mux(&mut self, condition: Lit, a: Lit, b: Lit) -> Lit {
        if let Some(known) = condition.known() {
            return if known { a } else { b };
        }
        if a == b {
            return a;
        }
        if condition.negated() {
            return self.mux(!condition, b, a);
        }
        if a == !b {
            return self.equal(condition, a);
        }
        if a == Lit::TRUE || a == condition {
            return self.or(condition, b);
        }
        if a == Lit::FALSE || a == !condition {
            return self.and(!condition, b);
        }
        if b == Lit::TRUE || b == !condition {
            return self.or(!condition, a);
        }
        if b == Lit::FALSE || b == condition {
            return self.and(condition, a);
        }
        if a.negated() { !self.shared(Gate::Mux(condition, !a, !b)) } else { self.shared(Gate::Mux(condition, a, b)) }
    }

    /// The sum bit of a full adder.
    pub fn xor3(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut all = [a, b, c];
        all.sort_unstable();
        let [a, b, c] = all;
        if a.known().is_some() || a.gate() == b.gate() || b.gate() == c.gate() {
            let inner = self.xor(b, c);
            return self.xor(a, inner);
        }
        let odd = a.negated() ^ b.negated() ^ c.negated();
        let gate = self.shared(Gate::Xor3(Lit(a.0 & !1), Lit(b.0 & !1), Lit(c.0 & !1)));
        if odd { !gate } else { gate }
    }

    /// The carry of a full adder.
    pub fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut all = [a, b, c];
        all.sort_unstable();
        let [a, b, c] = all;
        match a.known() {
            Some(true) => return self.or(b, c),
            Some(false) => return self.and(b, c),
            None => {}
        }
        if a == b || b == c {
            return b;
        }
        if a == !b {
            return c;
        }
        if b == !c {
            return a;
        }
        if a.negated() { !self.shared(Gate::Majority(!a, !b, !c)) } else { self.shared(Gate::Majority(a, b, c)) }
    }

    /// Requires a bit to hold; writes all clauses for this that were not written yet.
    pub fn assert(&mut self, root: Lit, clause: &mut impl FnMut(&[i32])) {
        if root == Lit::TRUE {
            return;
        }
        let mut conjuncts = vec![root];
        while let Some(lit) = conjuncts.pop() {
            match self.gates[lit.gate()] {
                Gate::And(a, b) if !lit.negated() && self.variable_of(lit) == 0 => conjuncts.extend([a, b]),
                _ => {
                    let literal = self.literal(lit, clause);
                    clause(&[literal]);
                }
            }
        }
    }

    fn variable_of(&self, lit: Lit) -> i32 {
        self.variables.get(lit.gate()).copied().unwrap_or(0)
    }

    /// The solver's name for a bit, or 0 if no clause speaks of it.
    pub fn variable(&self, lit: Lit) -> i32 {
        let variable = self.variable_of(lit);
        if lit.negated() { -variable } else { variable }
    }

    /// The solver's literal for a bit, after the clauses that define it.
    fn literal(&mut self, root: Lit, clause: &mut impl FnMut(&[i32])) -> i32 {
        self.variables.resize(self.gates.len(), 0);
        let mut stack = vec![root.gate()];
        while let Some(&gate) = stack.last() {
            if self.variables[gate] != 0 {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let operands: [Option<Lit>; 3] = match self.gates[gate] {
                Gate::True | Gate::Free => [None; 3],
                Gate::And(a, b) | Gate::Xor(a, b) => [Some(a), Some(b), None],
                Gate::Mux(a, b, c) | Gate::Xor3(a, b, c) | Gate::Majority(a, b, c) => [Some(a), Some(b), Some(c)],
            };
            let missing = operands.into_iter().flatten().map(Lit::gate).filter(|gate| self.variables[*gate] == 0);
            stack.extend(missing);
            if stack.len() == before {
                stack.pop();
                // The solver prefers its variables to be true; values are easier to read with free bits that are not.
                let free = matches!(self.gates[gate], Gate::Free);
                self.variables[gate] = if free { -self.next_variable } else { self.next_variable };
                self.next_variable += 1;
                self.define(gate, clause);
            }
        }
        self.variable(root)
    }

    fn define(&self, gate: usize, clause: &mut impl FnMut(&[i32])) {
        let o = self.variables[gate];
        let name = |lit: Lit| self.variable(lit);
        match self.gates[gate] {
            Gate::True => clause(&[o]),
            Gate::Free => {}
            Gate::And(a, b) => {
                let (a, b) = (name(a), name(b));
                clause(&[-o, a]);
                clause(&[-o, b]);
                clause(&[o, -a, -b]);
            }
            Gate::Xor(a, b) => {
                let (a, b) = (name(a), name(b));
                clause(&[-o, a, b]);
                clause(&[-o, -a, -b]);
                clause(&[o, -a, b]);
                clause(&[o, a, -b]);
            }
            Gate::Mux(c, a, b) => {
                let (c, a, b) = (name(c), name(a), name(b));
                clause(&[-o, -c, a]);
                clause(&[o, -c, -a]);
                clause(&[-o, c, b]);
                clause(&[o, c, -b]);
                clause(&[-o, a, b]);
                clause(&[o, -a, -b]);
            }
            Gate::Xor3(a, b, c) => {
                let (a, b, c) = (name(a), name(b), name(c));
                for signs in 0..8 {
                    let sign = |bit: i32, place: i32| if signs >> place & 1 == 1 { -bit } else { bit };
                    let odd = (signs as u32).count_ones() % 2 == 1;
                    // An even number of ones among the operands makes the output 0.
                    clause(&[sign(a, 0), sign(b, 1), sign(c, 2), if odd { o } else { -o }]);
                }
            }
            Gate::Majority(a, b, c) => {
                let (a, b, c) = (name(a), name(b), name(c));
                for (x, y) in [(a, b), (a, c), (b, c)] {
                    clause(&[o, -x, -y]);
                    clause(&[-o, x, y]);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Circuit {
        /// The values of some bits for 64 assignments at once, given the free bits'.
        pub fn simulate(&self, free: &[(Lit, u64)], wanted: &[Lit]) -> Vec<u64> {
            let mut values = vec![0u64; self.gates.len()];
            for (lit, lanes) in free {
                values[lit.gate()] = *lanes;
            }
            for gate in 0..self.gates.len() {
                let of = |lit: Lit| if lit.negated() { !values[lit.gate()] } else { values[lit.gate()] };
                values[gate] = match self.gates[gate] {
                    Gate::True => u64::MAX,
                    Gate::Free => values[gate],
                    Gate::And(a, b) => of(a) & of(b),
                    Gate::Xor(a, b) => of(a) ^ of(b),
                    Gate::Mux(c, a, b) => (of(c) & of(a)) | (!of(c) & of(b)),
                    Gate::Xor3(a, b, c) => of(a) ^ of(b) ^ of(c),
                    Gate::Majority(a, b, c) => (of(a) & of(b)) | (of(a) & of(c)) | (of(b) & of(c)),
                };
            }
            let of = |lit: &Lit| if lit.negated() { !values[lit.gate()] } else { values[lit.gate()] };
            wanted.iter().map(of).collect()
        }
    }

    /// Every kind of gate in every simplification and sign, written as clauses, against its truth table.
    #[test]
    fn clauses_of_gates_are_their_truth_tables() {
        type Make = fn(&mut Circuit, Lit, Lit, Lit) -> Lit;
        type Truth = fn(bool, bool, bool) -> bool;
        let kinds: [(Make, Truth); 5] = [
            (|circuit, a, b, _| circuit.and(a, b), |a, b, _| a && b),
            (|circuit, a, b, _| circuit.xor(a, b), |a, b, _| a ^ b),
            (Circuit::mux, |a, b, c| if a { b } else { c }),
            (Circuit::xor3, |a, b, c| a ^ b ^ c),
            (Circuit::majority, |a, b, c| if a { b || c } else { b && c }),
        ];
        for (make, truth) in kinds {
            for choice in 0..512 {
                let mut circuit = Circuit::default();
                let free = [circuit.free(), circuit.free(), circuit.free()];
                let pick = |place: u32| {
                    let number = choice >> (3 * place) & 7;
                    let lit = if number < 6 { free[number / 2] } else { Lit::TRUE };
                    if number % 2 == 1 { !lit } else { lit }
                };
                let (a, b, c) = (pick(0), pick(1), pick(2));
                let gate = make(&mut circuit, a, b, c);
                for values in 0..8u32 {
                    let value = |lit: Lit| {
                        let place = free.iter().position(|free| free.gate() == lit.gate());
                        place.is_none_or(|place| values >> place & 1 == 1) ^ lit.negated()
                    };
                    let mut sat: cadical::Solver = cadical::Solver::new();
                    let mut circuit = Circuit { gates: circuit.gates.clone(), ..Circuit::default() };
                    let mut clause = |clause: &[i32]| sat.add_clause(clause.iter().copied());
                    circuit.assert(gate, &mut clause);
                    for (place, free) in free.iter().enumerate() {
                        circuit.assert(if values >> place & 1 == 1 { *free } else { !*free }, &mut clause);
                    }
                    assert_eq!(sat.solve(), Some(truth(value(a), value(b), value(c))), "{a:?} {b:?} {c:?} {values:b}");
                }
            }
        }
    }
}
