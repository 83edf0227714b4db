//! New tests from old ones: mutation (insert, delete, change a call, an argument or a literal) and crossover. Owns that what comes out is a valid sequence; who is changed, and
//! what becomes of the result, is the population's business.

use smallvec::SmallVec;
use testcase::operation::{OpId, OperationKind};
use testcase::sequence::{Sequence, Statement, Var};

use super::neighbour;
use crate::catalog::Role;
use crate::costs::{Place, place_of};
use crate::generate::random::{Random, kind_of, obtainable};
use crate::rng::Rng;
use crate::search::Search;

/// New literals beyond this many operations are drawn from those there.
const MOST_OPERATIONS: usize = 120_000;
/// How often an argument of a narrower type than declared is exchanged for one of the same type.
const SAME_TYPE: f32 = 0.5;
/// Attempts at one change.
const ATTEMPTS: usize = 6;

/// Makes tests. The generator it draws arguments with is also the one for tests from nothing.
#[derive(Debug)]
pub struct Changer {
    pub random: Random,
    /// Where the values of the test at hand went.
    moved: Vec<Option<Var>>,
}

impl Changer {
    pub fn new(random: Random) -> Changer {
        Changer { random, moved: Vec::new() }
    }

    /// The test with one to three changes.
    pub fn mutate(
        &mut self,
        search: &mut Search<'_>,
        base: &Sequence,
        longest: usize,
        rng: &mut Rng,
    ) -> Option<Sequence> {
        let mut changed: Option<Sequence> = None;
        let changes = 1 + usize::from(rng.chance(0.3)) + usize::from(rng.chance(0.1));
        for _ in 0..changes {
            let from = changed.as_ref().unwrap_or(base).clone();
            if let Some(next) = self.change(search, &from, longest, rng) {
                changed = Some(next);
            }
        }
        changed
    }

    fn change(&mut self, search: &mut Search<'_>, base: &Sequence, longest: usize, rng: &mut Rng) -> Option<Sequence> {
        for _ in 0..ATTEMPTS {
            let room = base.len() < longest;
            let done = match rng.below(10) {
                0..4 => self.literal(search, base, rng),
                4 | 5 if room => self.insert(search, base, rng),
                6 => self.delete(base, rng),
                7 => self.call(search, base, rng),
                _ => self.argument(search, base, rng),
            };
            if let Some(sequence) = done.filter(|s| !s.is_empty() && s.len() <= longest && s != base) {
                return Some(sequence);
            }
        }
        None
    }

    /// Another value for a literal.
    fn literal(&mut self, search: &mut Search<'_>, base: &Sequence, rng: &mut Rng) -> Option<Sequence> {
        let literals = literals(search, base);
        let &at = rng.pick(&literals)?;
        let old = base.statements()[at].op;
        let OperationKind::Constant(value) = &search.catalog.operation(old).kind else { return None };
        if rng.chance(0.3) || search.catalog.operations().len() > MOST_OPERATIONS {
            let (kind, boxed) = kind_of(search, search.catalog.facts(old).result)?;
            let drawn = self.random.constant(search, place_of(base, at), kind, boxed, rng);
            return Some(base.replace_op(at, drawn));
        }
        let near = neighbour::step(value, rng)?;
        Some(base.replace_op(at, constant_like(search, old, near)))
    }

    /// A call more, preferably on an object that is there.
    fn insert(&mut self, search: &mut Search<'_>, base: &Sequence, rng: &mut Rng) -> Option<Sequence> {
        let at = rng.below(base.len() + 1);
        self.begin(search, base, at);
        let focus = if rng.chance(0.7) { self.object(search, rng) } else { None };
        let picked = self.random.pick(search, focus, rng)?;
        let op = obtainable(search, picked, rng)?;
        self.push_call(search, op, focus, rng)?;
        self.finish(search, base, at)
    }

    fn delete(&mut self, base: &Sequence, rng: &mut Rng) -> Option<Sequence> {
        if base.len() < 2 {
            return None;
        }
        Some(base.without(rng.below(base.len())).sequence)
    }

    /// Another call in the place of one, on the same object if there is one.
    fn call(&mut self, search: &mut Search<'_>, base: &Sequence, rng: &mut Rng) -> Option<Sequence> {
        let at = pick_call(search, base, rng)?;
        let old = &base.statements()[at];
        let focus = old.args.first().copied().filter(|_| search.catalog.facts(old.op).needs_object);
        self.begin(search, base, at);
        let picked = self.random.pick(search, focus, rng)?;
        let op = obtainable(search, picked, rng)?;
        let result = search.catalog.facts(op).result;
        let var = Var(at as u16);
        let suits = base.uses(var).all(|user| {
            let statement = &base.statements()[user];
            let wanted = &search.catalog.facts(statement.op).params;
            statement.args.iter().zip(wanted).all(|(arg, &ty)| *arg != var || search.catalog.fits(result, ty))
        });
        if op == old.op || !suits {
            return None;
        }
        let new = self.push_call(search, op, focus, rng)?;
        self.moved.push(Some(new));
        self.finish(search, base, at + 1)
    }

    /// Another value for an argument of a call.
    fn argument(&mut self, search: &mut Search<'_>, base: &Sequence, rng: &mut Rng) -> Option<Sequence> {
        let at = pick_call(search, base, rng)?;
        let statement = &base.statements()[at];
        let facts = search.catalog.facts(statement.op);
        let n = rng.below(facts.params.len());
        let (&declared, receiver) = (facts.params.get(n)?, facts.needs_object && n == 0);
        // What takes anything seldom takes everything alike: one empty reader led here, another one may lead further, but a number would not.
        let present = search.catalog.facts(base.statements()[statement.args[n].index()].op).result;
        let is_narrower = present != declared && search.catalog.ty(present).is_reference();
        let wanted = if is_narrower && rng.chance(SAME_TYPE) { present } else { declared };
        self.begin(search, base, at);
        let new =
            self.random.argument(search, Place { op: statement.op, operand: n }, wanted, receiver, at > 0, 0, rng)?;
        // What suits a raw type need not suit what the raw type was good enough for.
        let got = search.catalog.facts(self.random.scratch.statements()[new.index()].op).result;
        if wanted != declared && !search.catalog.fits(got, declared) {
            return None;
        }
        let mut args = statement.args.clone();
        args[n] = new;
        let new = self.random.scratch.push(&search.catalog, Statement { op: statement.op, args });
        self.moved.push(Some(new));
        self.finish(search, base, at + 1)
    }

    /// The beginning of one test and the end of another. What the end needs is found among what the beginning made, or comes along.
    pub fn cross(&mut self, search: &Search<'_>, head: &Sequence, tail: &Sequence, rng: &mut Rng) -> Option<Sequence> {
        if head.is_empty() || tail.len() < 2 {
            return None;
        }
        let cut = 1 + rng.below(head.len());
        let from = rng.below(tail.len() - 1) + 1;
        self.begin(search, head, cut);
        self.moved.clear();
        self.moved.resize(tail.len(), None);
        for at in from..tail.len() {
            self.import(search, tail, Var(at as u16), false, rng)?;
        }
        Some(self.random.scratch.sequence())
    }

    /// A value of another test: one like it that is there, or itself with all it needs.
    fn import(&mut self, search: &Search<'_>, tail: &Sequence, var: Var, any: bool, rng: &mut Rng) -> Option<Var> {
        if let Some(known) = self.moved[var.index()] {
            return Some(known);
        }
        let statement = &tail.statements()[var.index()];
        let facts = search.catalog.facts(statement.op);
        if any && !facts.constant && rng.chance(0.6) {
            let found = self.random.scratch.reuse(&search.catalog, facts.result, true, rng);
            if let Some(found) = found {
                self.moved[var.index()] = Some(found);
                return Some(found);
            }
        }
        let mut args = SmallVec::new();
        for &arg in &statement.args {
            args.push(self.import(search, tail, arg, true, rng)?);
        }
        let new = self.random.scratch.push(&search.catalog, Statement { op: statement.op, args });
        self.moved[var.index()] = Some(new);
        Some(new)
    }

    /// Copies the first statements.
    fn begin(&mut self, search: &Search<'_>, base: &Sequence, upto: usize) {
        self.random.scratch.clear();
        self.moved.clear();
        for statement in &base.statements()[..upto] {
            let var = self.random.scratch.push(&search.catalog, statement.clone());
            self.moved.push(Some(var));
        }
    }

    /// Copies the rest behind what was put in.
    fn finish(&mut self, search: &Search<'_>, base: &Sequence, from: usize) -> Option<Sequence> {
        for statement in &base.statements()[from..] {
            let args: Option<SmallVec<[Var; 4]>> =
                statement.args.iter().map(|a| self.moved.get(a.index()).copied().flatten()).collect();
            let var = self.random.scratch.push(&search.catalog, Statement { op: statement.op, args: args? });
            self.moved.push(Some(var));
        }
        Some(self.random.scratch.sequence())
    }

    fn push_call(&mut self, search: &mut Search<'_>, op: OpId, focus: Option<Var>, rng: &mut Rng) -> Option<Var> {
        let extending = !self.random.scratch.is_empty();
        let args = self.random.arguments(search, op, extending, focus, rng)?;
        Some(self.random.scratch.push(&search.catalog, Statement { op, args }))
    }

    /// An object made so far.
    fn object(&self, search: &Search<'_>, rng: &mut Rng) -> Option<Var> {
        let statements = self.random.scratch.statements();
        let start = rng.below(statements.len());
        (0..statements.len()).map(|i| (start + i) % statements.len()).find_map(|i| {
            let facts = search.catalog.facts(statements[i].op);
            let is_object = !facts.constant && search.catalog.ty(facts.result).is_reference();
            is_object.then_some(Var(i as u16))
        })
    }
}

/// Statements that are literals with neighbours.
pub fn literals(search: &Search<'_>, sequence: &Sequence) -> SmallVec<[usize; 16]> {
    let is_literal = |op: OpId| {
        let facts = search.catalog.facts(op);
        facts.constant && !facts.null
    };
    sequence.statements().iter().enumerate().filter(|(_, s)| is_literal(s.op)).map(|(i, _)| i).collect()
}

/// The operation for a value of the same type as another constant.
pub fn constant_like(search: &mut Search<'_>, old: OpId, value: testcase::value::Constant) -> OpId {
    let ty = search.catalog.operation(old).result.clone();
    search.catalog.constant(search.library, value, ty)
}

/// May there be literals that no operation makes yet?
pub fn has_room(search: &Search<'_>) -> bool {
    search.catalog.operations().len() < MOST_OPERATIONS
}

fn pick_call(search: &Search<'_>, base: &Sequence, rng: &mut Rng) -> Option<usize> {
    let n = base.len();
    let start = rng.below(n);
    (0..n).map(|i| (start + i) % n).find(|&i| {
        let facts = search.catalog.facts(base.statements()[i].op);
        facts.role != Role::Part && !facts.params.is_empty()
    })
}
