//! What a test is given to choose from before it is varied: nulls, values of the pool, elements for longer arrays, put before it, and a literal of its own for every use. Owns what may stand
//! where, and how what was not chosen is taken away again; chooses nothing itself.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashSet;
use symbolic::trace::Choices;
use testcase::operation::{OpId, OperationKind};
use testcase::sequence::{Sequence, SequenceBuilder, Var};
use testcase::types::Type;

use crate::catalog::{Catalog, Role, TypeId};
use crate::constants::Kind;
use crate::library::Nullness;
use crate::search::Search;

/// Types of parameters that are provided for, the last call's first; values of the pool for each, and how long these may be.
const TYPES: usize = 6;
const PER_TYPE: usize = 3;
const LONGEST_PART: usize = 12;
/// Statements put before a test, at most.
const MOST: usize = 40;
/// Variables that one argument is chosen from.
const OFFERED: usize = 10;
/// Array literals that get more elements, and how many they then can have.
const ARRAYS: usize = 2;
const ELEMENTS: usize = 10;
/// Literals that get a copy of their own.
const COPIES: usize = 16;

/// A test with what it can choose from.
#[derive(Clone, Debug)]
pub struct Prepared {
    pub sequence: Sequence,
    pub choices: Arc<Choices>,
    /// What was put before it.
    parts: Arc<[Range<usize>]>,
    /// Values of its own that are there to be used, and for nothing else.
    values: Arc<[bool]>,
}

impl Prepared {
    /// The same choices for the test after some were made.
    pub fn with(&self, sequence: Sequence) -> Prepared {
        Prepared { sequence, ..self.clone() }
    }

    /// The test without what it did not choose, and without what it used before it chose.
    pub fn tidy(&self) -> Sequence {
        let statements = self.sequence.statements();
        let own = self.parts.last().map_or(0, |part| part.end);
        let mut used: FxHashSet<Var> = FxHashSet::default();
        let mut keep = vec![true; statements.len()];
        for at in (own..statements.len()).rev() {
            keep[at] = !self.values[at] || used.contains(&Var(at as u16));
            if keep[at] {
                used.extend(statements[at].args.iter().copied());
            }
        }
        for part in self.parts.iter() {
            let is_used = part.clone().any(|at| used.contains(&Var(at as u16)));
            keep[part.clone()].fill(is_used);
        }
        self.sequence.keep(&keep).sequence
    }
}

/// Puts before a test what it may choose from.
pub fn prepare(search: &mut Search<'_>, test: &Sequence) -> Prepared {
    let test = unshared(&search.catalog, test);
    let mut spares = Spares::default();
    for wanted in wanted(&search.catalog, &test) {
        spares.provide(search, wanted);
    }
    let arrays = spares.lengthen(search, &test);
    let offset = spares.builder.len();
    spares.builder.extend(&test);
    let sequence = spares.builder.finish();
    let catalog = &search.catalog;
    let mut choices = Choices::default();
    choices.constants = true;
    for at in offset..sequence.len() {
        let statement = &sequence.statements()[at];
        if !is_varied(catalog, statement.op) {
            continue;
        }
        let mut present: Vec<Var> = statement.args.to_vec();
        if let Some((_, more)) = arrays.iter().find(|(array, _)| array + offset == at) {
            present.extend(more);
            choices.elements(at, present.clone());
        }
        for (argument, var) in present.into_iter().enumerate() {
            let offered = offered(catalog, &sequence, at, argument, var, offset);
            if offered.len() > 1 {
                choices.argument(at, argument, offered);
            }
        }
    }
    let used = sequence.use_counts();
    let values = sequence.statements().iter().zip(used).map(|(s, uses)| {
        let kind = &catalog.operation(s.op).kind;
        let only_makes = matches!(
            kind,
            OperationKind::Constant(_) | OperationKind::Construct { .. } | OperationKind::ArrayLiteral { .. }
        );
        uses > 0 && only_makes
    });
    let values = values.collect();
    Prepared { sequence, choices: Arc::new(choices), parts: spares.parts.into(), values }
}

/// Whether the arguments of an operation may be others.
fn is_varied(catalog: &Catalog, op: OpId) -> bool {
    matches!(
        catalog.operation(op).kind,
        OperationKind::Call { .. }
            | OperationKind::Construct { .. }
            | OperationKind::ArrayLiteral { .. }
            | OperationKind::WriteField { .. }
    )
}

/// With a copy of a literal for each use, so that each can be another one.
fn unshared(catalog: &Catalog, test: &Sequence) -> Sequence {
    let mut builder = SequenceBuilder::with_capacity(test.len());
    let mut places: Vec<Var> = Vec::with_capacity(test.len());
    let mut used = vec![false; test.len()];
    let mut copies = 0;
    for statement in test.statements() {
        let mut args: Vec<Var> = Vec::with_capacity(statement.args.len());
        for arg in &statement.args {
            let op = test.statements()[arg.index()].op;
            let facts = catalog.facts(op);
            let is_again = std::mem::replace(&mut used[arg.index()], true);
            if is_again && facts.constant && !facts.null && copies < COPIES {
                copies += 1;
                args.push(builder.push(op, &[]));
            } else {
                args.push(places[arg.index()]);
            }
        }
        places.push(builder.push(statement.op, &args));
    }
    builder.finish()
}

/// The reference types that a test's calls take, the last call's first.
fn wanted(catalog: &Catalog, test: &Sequence) -> Vec<TypeId> {
    let mut wanted = Vec::new();
    for statement in test.statements().iter().rev().filter(|s| is_varied(catalog, s.op)) {
        let facts = catalog.facts(statement.op);
        for &param in facts.params.iter().skip(usize::from(facts.needs_object)) {
            if catalog.ty(param).is_reference() && !wanted.contains(&param) && wanted.len() < TYPES {
                wanted.push(param);
            }
        }
    }
    wanted
}

/// Variables that can be an argument: the one that is, nulls, what was put before the test, and what the test made last.
fn offered(catalog: &Catalog, sequence: &Sequence, at: usize, argument: usize, present: Var, own: usize) -> Vec<Var> {
    let statements = sequence.statements();
    let op = statements[at].op;
    let facts = catalog.facts(op);
    // Elements that an array does not have yet are of the type of those it has.
    let Some(&param) = facts.params.get(argument).or(facts.params.last()) else { return Vec::new() };
    if !catalog.ty(param).is_reference() {
        return Vec::new();
    }
    let no_null = argument == 0 && facts.needs_object || catalog.nullness(op, argument) == Nullness::Forbidden;
    let fits = |&other: &usize| {
        let made = catalog.facts(statements[other].op);
        other != present.index() && catalog.fits(made.result, param) && !(no_null && made.null)
    };
    let is_null = |other: &usize| catalog.facts(statements[*other].op).null;
    let nulls = (0..at).filter(fits).filter(is_null).take(1);
    let before = (0..own).filter(fits).filter(|o| !is_null(o));
    let last = (own..at).rev().filter(fits).filter(|o| !is_null(o));
    // Half of each, so that neither leaves no room for the other.
    let mut offered: Vec<Var> = nulls
        .chain(before.take(OFFERED / 2))
        .chain(last.take(OFFERED / 2))
        .map(|o| Var(o as u16))
        .chain([present])
        .collect();
    offered.sort_unstable();
    offered
}

/// An array literal of the test: its number, and elements that it can have besides its own.
type Longer = (usize, Vec<Var>);

#[derive(Default)]
struct Spares {
    builder: SequenceBuilder,
    parts: Vec<Range<usize>>,
}

impl Spares {
    fn put(&mut self, part: &Sequence) -> bool {
        let from = self.builder.len();
        let fits = part.len() <= LONGEST_PART && from + part.len() <= MOST;
        if fits {
            self.builder.extend(part);
            self.parts.push(from..self.builder.len());
        }
        fits
    }

    fn literal(&mut self, op: OpId) -> Option<Var> {
        let at = Var(self.builder.len() as u16);
        self.put(&Sequence::empty().append(op, &[])).then_some(at)
    }

    /// A null and values of several classes.
    fn provide(&mut self, search: &mut Search<'_>, wanted: TypeId) {
        search.prepare_supply(wanted);
        let Some(supply) = search.supplies.get(wanted) else { return };
        let null = supply.null.filter(|_| search.options.null_ratio > 0.0);
        let makers: Vec<OpId> = supply.leaves.iter().copied().take(PER_TYPE).collect();
        if let Some(null) = null {
            self.literal(null);
        }
        if Kind::of_type(search.catalog.ty(wanted)).is_some() {
            // Literals are varied as they are.
            return;
        }
        let mut taken = 0;
        for &exact in search.catalog.fitting(wanted) {
            let mut entries: Vec<_> = search.pool.entries(exact).map(|e| (e.cost, &e.sequence)).collect();
            entries.sort_by_key(|(cost, _)| *cost);
            if taken < PER_TYPE && entries.iter().take(1).any(|(_, sequence)| self.put(sequence)) {
                taken += 1;
            }
        }
        for op in makers.into_iter().take(PER_TYPE - taken) {
            self.literal(op);
        }
    }

    /// More elements for array literals that only calls take.
    fn lengthen(&mut self, search: &mut Search<'_>, test: &Sequence) -> Vec<Longer> {
        let mut found = Vec::new();
        for (at, statement) in test.statements().iter().enumerate().rev() {
            let operation = search.catalog.operation(statement.op);
            let (OperationKind::ArrayLiteral { .. }, Type::Array(element)) = (&operation.kind, &operation.result)
            else {
                continue;
            };
            let is_given = test.uses(Var(at as u16)).all(|user| {
                let kind = &search.catalog.operation(test.statements()[user].op).kind;
                matches!(kind, OperationKind::Call { .. } | OperationKind::Construct { .. })
            });
            if !is_given || found.len() == ARRAYS {
                continue;
            }
            let element = (**element).clone();
            let missing = statement.args.len()..ELEMENTS;
            let literal = Kind::of_type(&element).and_then(|kind| kind.plain().into_iter().next());
            let more: Vec<Var> = match literal {
                Some(literal) => {
                    let op = search.catalog.constant(search.library, literal, element);
                    missing.map_while(|_| self.literal(op)).collect()
                }
                None => {
                    let element = search.catalog.type_id(&element);
                    let there = self.builder.statements().iter().enumerate();
                    let fitting = there.filter(|(_, s)| {
                        let made = search.catalog.facts(s.op).result;
                        search.catalog.fits(made, element)
                    });
                    let fitting: Vec<Var> = fitting.map(|(i, _)| Var(i as u16)).collect();
                    fitting.into_iter().cycle().take(missing.len()).collect()
                }
            };
            if !more.is_empty() {
                found.push((at, more));
            }
        }
        found
    }
}

/// Takes statements as they were solved for into the catalogue.
pub fn replaced(
    search: &mut Search<'_>,
    sequence: &Sequence,
    replacements: Vec<symbolic::trace::Replacement>,
) -> Sequence {
    replacements.into_iter().fold(sequence.clone(), |sequence, r| {
        let op = search.catalog.add(search.library, r.operation, Role::Part);
        sequence.replace(usize::from(r.statement), op, &r.arguments)
    })
}
