//! What may be a bug, noted while the search runs: broken contracts and exceptions nobody should see. Owns the grouping and keeps the cheapest
//! sequence per group; confirming is `contracts`' part.

use std::collections::BTreeMap;

use bytecode::names::ClassName;
use testcase::execution::{Contract, Frame, Thrown, Violation};
use testcase::operation::{OpId, OperationKind};
use testcase::sequence::{Sequence, Statement, Var};
use testcase::types::Type;

use super::legality::passes_unwelcome_null;
use crate::catalog::Catalog;
use crate::search::Proposal;

/// Fields written from outside, members that are not for everybody and a comparison of our own making may break what the class keeps true by itself:
/// nothing that follows is its fault.
pub fn tampers(catalog: &Catalog, statements: &[Statement]) -> bool {
    statements.iter().any(|s| match &catalog.operation(s.op).kind {
        OperationKind::WriteField { .. } => true,
        OperationKind::Lambda(lambda) => lambda.interface.internal() == "java/util/Comparator",
        OperationKind::Call { .. } | OperationKind::Construct { .. } => {
            catalog.facts(s.op).member.as_ref().is_some_and(|m| m.hidden)
        }
        _ => false,
    })
}

/// Exceptions by which methods refuse what they are asked, as they should: an operation that is not supported, a collection changed under an iterator, a key
/// of a type that cannot be compared, or a value that is not of the type a cast of ours promised.
pub fn is_refusal(catalog: &Catalog, statements: &[Statement], thrown: &Thrown) -> bool {
    match thrown.class.internal() {
        "java/lang/UnsupportedOperationException" | "java/util/ConcurrentModificationException" => true,
        "java/lang/ClassCastException" => {
            let frames = thrown.detail.iter().flat_map(|d| d.frames.iter().take(COMPARING));
            frames.into_iter().any(|f| matches!(&*f.method, "compare" | "compareTo"))
                || statements.iter().any(|s| is_unchecked(catalog, s))
        }
        _ => false,
    }
}

/// Frames of a trace in which a comparison shows.
const COMPARING: usize = 4;

/// A cast that promises type arguments nobody checks.
fn is_unchecked(catalog: &Catalog, statement: &Statement) -> bool {
    let operation = catalog.operation(statement.op);
    let promises = |t: &Type| matches!(t, Type::Class(class) if !class.args.is_empty());
    matches!(operation.kind, OperationKind::Cast) && promises(&operation.result)
}

/// What seems to be wrong.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wrong {
    Contract(Contract),
    /// An exception of this class left the last call.
    Exception(ClassName),
}

/// One failing test is kept for each of these.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Group {
    pub wrong: Wrong,
    pub last: OpId,
    /// What the contract's own call threw.
    pub thrown: Option<ClassName>,
    pub frame: Option<Frame>,
}

/// The cheapest sequence of a group.
#[derive(Clone, Debug)]
pub struct Suspect {
    pub sequence: Sequence,
    pub cost: u32,
    pub vars: Vec<Var>,
    /// Statements of the first sequence of the group that was found.
    pub found: u32,
}

/// Groups kept; a class that breaks more is broken enough.
const MAX_GROUPS: usize = 200;

#[derive(Clone, Debug, Default)]
pub struct Suspicions {
    groups: BTreeMap<Group, Suspect>,
}

impl Suspicions {
    pub fn iter(&self) -> impl Iterator<Item = (&Group, &Suspect)> {
        self.groups.iter()
    }
    pub fn len(&self) -> usize {
        self.groups.len()
    }
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    pub fn violations(&mut self, catalog: &Catalog, proposal: &Proposal, violations: &[Violation]) {
        if tampers(catalog, proposal.sequence.statements()) {
            return;
        }
        let statements = proposal.sequence.statements();
        // What a null did that nobody welcomed must not take the place of what shows the same without one.
        let by_null = |t: &Thrown| {
            t.class.internal() == "java/lang/NullPointerException" && passes_unwelcome_null(catalog, statements)
        };
        let refused = |v: &&Violation| {
            let is_own = matches!(v.contract, Contract::User { .. });
            v.thrown.as_ref().is_some_and(|t| is_refusal(catalog, statements, t) || by_null(t) && !is_own)
        };
        for violation in violations.iter().filter(|v| !refused(v)) {
            let len = usize::from(violation.statement) + 1;
            let Some(last) = proposal.sequence.statements().get(len - 1) else {
                continue;
            };
            let group = Group {
                wrong: Wrong::Contract(violation.contract.clone()),
                last: subject(catalog, &proposal.sequence, &violation.vars).unwrap_or(last.op),
                thrown: violation.thrown.as_ref().map(|t| t.class.clone()),
                frame: violation.thrown.as_ref().and_then(top_frame),
            };
            let sequence = Sequence::new(&proposal.sequence.statements()[..len]);
            self.note(catalog, group, sequence, violation.vars.clone());
        }
    }

    /// Notes an exception if it may be a bug; true if so.
    pub fn exception(&mut self, catalog: &Catalog, proposal: &Proposal, statement: usize, thrown: &Thrown) -> bool {
        let statements = &proposal.sequence.statements()[..=statement];
        let suspicious = match thrown.class.internal() {
            "java/lang/AssertionError" => true,
            "java/lang/NullPointerException" => !passes_unwelcome_null(catalog, statements),
            _ => false,
        };
        if !suspicious || tampers(catalog, statements) {
            return false;
        }
        let group = Group {
            wrong: Wrong::Exception(thrown.class.clone()),
            last: statements[statement].op,
            thrown: None,
            frame: top_frame(thrown),
        };
        self.note(catalog, group, Sequence::new(statements), Vec::new())
    }

    /// False if there is no room for another group.
    fn note(&mut self, catalog: &Catalog, group: Group, sequence: Sequence, vars: Vec<Var>) -> bool {
        let cost = sequence
            .statements()
            .iter()
            .fold(testcase::cost::Cost::default(), |sum, s| sum.plus(catalog.facts(s.op).cost))
            .packed();
        let full = self.groups.len() >= MAX_GROUPS;
        match self.groups.get_mut(&group) {
            Some(known) if known.cost <= cost => {}
            Some(known) => *known = Suspect { sequence, cost, vars, found: known.found },
            None if full => return false,
            None => {
                let found = sequence.len() as u32;
                self.groups.insert(group, Suspect { sequence, cost, vars, found });
            }
        }
        true
    }
}

/// The operation that made the first value the contract is about: a broken `equals` is the class's fault, not the last call's.
fn subject(catalog: &Catalog, sequence: &Sequence, vars: &[Var]) -> Option<OpId> {
    let op = sequence.statements().get(vars.first()?.index())?.op;
    (!catalog.facts(op).constant).then_some(op)
}

/// The innermost frame, without its line: lines move.
fn top_frame(thrown: &Thrown) -> Option<Frame> {
    let frame = thrown.detail.as_ref()?.frames.first()?;
    Some(Frame { class: frame.class.clone(), method: frame.method.clone(), line: 0 })
}
