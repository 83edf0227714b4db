//! Values whose contracts wait to be checked, and the company they are checked in. Owns the queue and what keeps a value company: contracts between objects
//! need equals that are not the same object, of the same state and of other states, which a pool without duplicates has by accident only.

use testcase::operation::{OpId, Operation, OperationKind};
use testcase::sequence::{Sequence, SequenceBuilder, Var};
use testcase::types::Type;
use testcase::value::Constant;

use crate::catalog::{Catalog, Role};
use crate::constants::Kind;
use crate::generate::random::kind_of;
use crate::library::Library;
use crate::proposal::Wanted;
use crate::rng::Rng;
use crate::search::{Proposal, Search};

const MAX_WAITING: usize = 64;
/// Most values of one operation that are checked.
const PER_OP: u32 = 400;
/// Every value is checked once in each kind of company.
const ROUNDS: u8 = 4;
/// Values of the pool looked at for one that is not in the company yet.
const OTHERS: usize = 4;
/// Contracts are about three objects at most.
const MOST: usize = 3;

#[derive(Debug)]
struct Waiting {
    sequence: Sequence,
    rounds: u8,
}

#[derive(Debug, Default)]
pub struct Checks {
    waiting: Vec<Waiting>,
    /// `new Object[] {a}`, `{a, b}` and `{a, b, c}`: the last statement of a check names the values it is about.
    gather: [Option<OpId>; MOST],
}

impl Checks {
    /// The operation that puts so many values under check; `None` for none and for more than any contract is about.
    pub fn gather(&mut self, catalog: &mut Catalog, library: &dyn Library, values: usize) -> Option<OpId> {
        let slot = self.gather.get_mut(values.checked_sub(1)?)?;
        Some(*slot.get_or_insert_with(|| {
            let literal = Operation {
                kind: OperationKind::ArrayLiteral { length: values as u32 },
                params: vec![Type::object(); values],
                result: Type::array(Type::object()),
            };
            catalog.add(library, literal, Role::Part)
        }))
    }

    /// At most this many are to be had.
    pub fn left(&self) -> usize {
        self.waiting.len() * usize::from(ROUNDS)
    }

    pub fn is_gather(&self, op: OpId) -> bool {
        self.gather.contains(&Some(op))
    }
}

impl Search<'_> {
    /// The last statement made or changed something new.
    pub fn want_check(&mut self, op: OpId, sequence: &Sequence) {
        // What contains itself is no fair object of contracts: walks over it overflow the stack, each time.
        if self.checks.waiting.len() < MAX_WAITING && !self.is_knotted(sequence) {
            let record = self.records.op_mut(op);
            if record.checked < PER_OP {
                record.checked += 1;
                self.checks.waiting.push(Waiting { sequence: sequence.clone(), rounds: 0 });
            }
        }
    }

    /// Does this only bring values together to have them checked?
    pub fn is_check(&self, sequence: &Sequence) -> bool {
        sequence.last().is_some_and(|s| self.checks.is_gather(s.op))
    }

    /// The next value to check, in company: first with one made the same way (equal by all rights, yet another object), then with one that differs in a
    /// constant, then with itself as it was before the last call, then with strangers: what it was made of, what its `equals` looks for, any object. Beside
    /// these with others of its type.
    pub fn take_check(&mut self, rng: &mut Rng) -> Option<Proposal> {
        while let Some(next) = self.checks.waiting.last_mut() {
            let (sequence, round) = (next.sequence.clone(), next.rounds);
            next.rounds += 1;
            if next.rounds == ROUNDS {
                self.checks.waiting.pop();
            }
            let check = self.in_company(sequence, round, rng);
            if check.is_some() {
                return check;
            }
        }
        None
    }

    fn check(&self, sequence: Sequence) -> Proposal {
        Proposal { detail: Wanted { only_contracts: true, ..Wanted::default() }, ..self.proposal(sequence) }
    }

    fn in_company(&mut self, sequence: Sequence, round: u8, rng: &mut Rng) -> Option<Proposal> {
        let var = subject(&self.catalog, &sequence)?;
        let mut company: Vec<(Sequence, Var)> = vec![(sequence.clone(), var)];
        match round {
            3 => return self.among_strangers(&sequence, var, rng),
            0 => company.push((sequence.clone(), var)),
            1 => company.extend(self.varied(&sequence, rng).map(|s| (s, var))),
            _ if var.index() + 1 < sequence.len() => {
                company.push((Sequence::new(&sequence.statements()[..sequence.len() - 1]), var));
            }
            _ => company.extend(self.varied(&sequence, rng).map(|s| (s, var))),
        }
        let result =
            sequence.last_var().filter(|&last| round == 0 && last != var && is_reference(&self.catalog, &sequence));
        let exact = self.catalog.facts(sequence.statements()[var.index()].op).result;
        for _ in 0..OTHERS {
            if company.len() == MOST {
                break;
            }
            let other = self.pool.choose_exact(exact, rng).map(|e| (e.sequence.clone(), e.var));
            company.extend(other.filter(|o| !company.contains(o) && !self.is_knotted(&o.0)));
        }
        let mut builder = SequenceBuilder::with_capacity(company.iter().map(|(s, _)| s.len() + 1).sum());
        let mut values: Vec<Var> = Vec::with_capacity(MOST);
        for (part, var) in company {
            if values.is_empty() || builder.len() + part.len() < self.options.max_length {
                let offset = builder.extend(&part);
                values.push(var.shifted(offset));
            }
        }
        if let Some(result) = result {
            // What a call gives back has contracts too.
            values.insert(1, result);
            values.truncate(MOST);
        }
        let gather = self.checks.gather(&mut self.catalog, self.library, values.len())?;
        builder.push(gather, &values);
        Some(self.check(builder.finish()))
    }

    /// A value with two of other classes: a constant it was made from or of a type that its `equals` asks for, and an object that is nothing else.
    fn among_strangers(&mut self, sequence: &Sequence, var: Var, rng: &mut Rng) -> Option<Proposal> {
        let exact = self.catalog.facts(sequence.statements()[var.index()].op).result;
        let class = self.catalog.ty(exact).class_name()?.clone();
        let equals = self.targets.iter().copied().find(|&op| {
            let member = self.catalog.facts(op).member.as_ref();
            member.is_some_and(|m| m.class == class && &*m.name == "equals")
        })?;
        let kinds: Vec<Kind> =
            self.catalog.facts(equals).hints.iter().filter_map(|&h| Kind::of_type(self.catalog.ty(h))).collect();
        let (catalog, library) = (&mut self.catalog, self.library);
        let own = sequence.statements().iter().rev().find_map(|s| match &catalog.operation(s.op).kind {
            OperationKind::Constant(constant) => {
                Kind::of_constant(constant).filter(|k| kinds.contains(k)).map(|k| (constant.clone(), k))
            }
            _ => None,
        });
        let constant = match (own, kinds.first()) {
            (Some((constant, kind)), _) => catalog.constant(library, constant, kind.boxed()),
            (None, Some(&kind)) => self.constants.draw(catalog, library, kind, true, rng),
            (None, None) => catalog.constant(library, Constant::String("a".into()), Type::string()),
        };
        let object = plain_object(self);
        let mut builder = SequenceBuilder::with_capacity(sequence.len() + 3);
        builder.extend(sequence);
        let values = [var, builder.push(constant, &[]), builder.push(object, &[])];
        let gather = self.checks.gather(&mut self.catalog, self.library, values.len())?;
        builder.push(gather, &values);
        Some(self.check(builder.finish()))
    }

    /// The same with another value for one of its constants.
    fn varied(&mut self, sequence: &Sequence, rng: &mut Rng) -> Option<Sequence> {
        let constants: Vec<usize> = (0..sequence.len())
            .filter(|&i| {
                let facts = self.catalog.facts(sequence.statements()[i].op);
                facts.constant && !facts.null && kind_of(self, facts.result).is_some()
            })
            .collect();
        if constants.is_empty() {
            return None;
        }
        let at = constants[rng.below(constants.len())];
        let (kind, boxed) = kind_of(self, self.catalog.facts(sequence.statements()[at].op).result)?;
        let op = self.constants.draw(&mut self.catalog, self.library, kind, boxed, rng);
        Some(sequence.replace_op(at, op))
    }
}

/// `new Object()`: an object that is nothing else.
pub fn plain_object(search: &mut Search<'_>) -> OpId {
    let object = Operation {
        kind: OperationKind::Construct {
            class: "java/lang/Object".into(),
            descriptor: "()V".into(),
            varargs: false,
            inner: false,
        },
        params: Vec::new(),
        result: Type::object(),
    };
    search.catalog.add(search.library, object, Role::Feed)
}

/// What the last statement is about: its receiver, or else its result.
fn subject(catalog: &Catalog, sequence: &Sequence) -> Option<Var> {
    let last = sequence.last()?;
    match last.args.first() {
        Some(receiver) if catalog.facts(last.op).receiver => Some(*receiver),
        _ if is_reference(catalog, sequence) => sequence.last_var(),
        _ => None,
    }
}

fn is_reference(catalog: &Catalog, sequence: &Sequence) -> bool {
    sequence.last().is_some_and(|s| catalog.ty(catalog.facts(s.op).result).is_reference())
}
