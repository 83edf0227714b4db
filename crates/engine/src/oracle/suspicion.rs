//! What may be a bug, noted while the search runs: broken contracts and exceptions nobody should see. Owns the grouping and keeps the cheapest
//! sequence per group; confirming is `contracts`' part.

use std::collections::BTreeMap;

use bytecode::names::ClassName;
use testcase::execution::{Contract, Frame, Thrown, Violation};
use testcase::operation::{OpId, OperationKind};
use testcase::sequence::{Sequence, Statement, Var};

use crate::catalog::Catalog;
use crate::search::Proposal;

/// Fields written from outside may break what the class keeps true by itself: nothing that follows is its fault.
fn tampers(catalog: &Catalog, statements: &[Statement]) -> bool {
    statements.iter().any(|s| matches!(catalog.operation(s.op).kind, OperationKind::WriteField { .. }))
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
        for violation in violations {
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
            "java/lang/NullPointerException" => !statements.iter().any(|s| catalog.facts(s.op).null),
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
            Some(known) => *known = Suspect { sequence, cost, vars },
            None if full => return false,
            None => {
                self.groups.insert(group, Suspect { sequence, cost, vars });
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
