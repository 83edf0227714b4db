//! Would a test disturb other tests, or somebody's machine? Owns which calls are suspected of it and the trials that clear them; never decides what else
//! makes a test unfit.
//!
//! A call that changes an object which a static field holds may do so on purpose (a registry gets an entry) or by the way (a result is kept for the next
//! time). Whoever comes later notices the one and not the other, so a suspected sequence is run twice in a row without anything being put back in between:
//! if the second time shows what the first one did, the call is cleared.

use bytecode::names::Primitive;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use testcase::execution::{Execution, Outcome};
use testcase::executor::{Detail, Executor, ExecutorProblem, Observe, Request};
use testcase::operation::{OpId, OperationKind};
use testcase::sequence::{Sequence, Statement, Var};
use testcase::types::Type;
use testcase::value::Value;

use crate::budget::Budget;
use crate::oracle::regression::with_observers;
use crate::record::operands;
use crate::rehearse::best;
use crate::search::{Proposal, Search, is_unanswered};
use crate::session::Session;

/// Trials that an operation has to stand before it is cleared.
const TRIALS: u8 = 2;
/// The first trials come after so many executions; the next when the search is a quarter older.
const FIRST: u64 = 200;
/// An operation that changed nothing this often is taken not to.
const HARMLESS_AFTER: u32 = 5;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Disturbance {
    None,
    /// These operations may have changed what others see; it can be tried.
    Suspected(SmallVec<[OpId; 2]>),
    Certain,
}

/// What is known of one operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Standing {
    /// Sequences that wait or have run.
    samples: u8,
    passed: u8,
    guilty: bool,
}

/// The operations under suspicion.
#[derive(Clone, Debug, Default)]
pub struct Trials {
    standings: FxHashMap<OpId, Standing>,
    waiting: Vec<(SmallVec<[OpId; 2]>, Sequence)>,
    due: u64,
}

impl Trials {
    fn standing(&self, op: OpId) -> Standing {
        self.standings.get(&op).copied().unwrap_or_default()
    }

    fn is_cleared(&self, op: OpId) -> bool {
        let standing = self.standing(op);
        standing.passed >= TRIALS && !standing.guilty
    }

    /// Remembers a run to be tried later, if more of these operations are wanted.
    pub(crate) fn accuse(&mut self, suspects: &[OpId], proposal: &Proposal, execution: &Execution) {
        let whole = execution.outcome == Outcome::Normal && execution.passed_over.is_empty();
        if !whole || suspects.iter().all(|op| self.standing(*op).samples > TRIALS) {
            return;
        }
        for op in suspects {
            self.standings.entry(*op).or_default().samples += 1;
        }
        self.waiting.push((suspects.into(), proposal.sequence.clone()));
    }

    pub(crate) fn is_due(&self, executions: u64) -> bool {
        !self.waiting.is_empty() && executions >= self.due.max(FIRST)
    }
}

impl Search<'_> {
    pub fn disturbs(&self, sequence: &Sequence, execution: &Execution) -> bool {
        self.disturbance(sequence, execution) != Disturbance::None
    }

    /// Reaching outside the JVM disturbs. So does leaving static state changed on purpose: by a static method without result, by writing a field, or by
    /// changing an object that may be one that everybody shares.
    pub fn disturbance(&self, sequence: &Sequence, execution: &Execution) -> Disturbance {
        if !execution.reach.is_empty() {
            return Disturbance::Certain;
        }
        let mut suspects: SmallVec<[OpId; 2]> = SmallVec::new();
        if !execution.dirtied_statics {
            return Disturbance::None;
        }
        let statements = sequence.statements();
        let is_explained = statements.iter().any(|s| self.keeps_results(s.op));
        for s in statements {
            let operation = self.catalog.operation(s.op);
            let shared = operands(&s.args, |v| self.is_shared(statements, v));
            match operation.kind {
                OperationKind::Call { is_static: true, .. } if operation.result == Type::Void => {
                    return Disturbance::Certain;
                }
                OperationKind::Call { .. } => {
                    let record = self.records.op(s.op);
                    let is_void = operation.result == Type::Void;
                    let is_innocent = is_explained && record.touched & shared == 0;
                    if !(is_void || record.changed > 0) || shared == 0 || is_innocent || self.trials.is_cleared(s.op) {
                        continue;
                    }
                    // What it changes is not what others hold, as far as was seen.
                    let spares_others = record.observed >= HARMLESS_AFTER && record.touched & shared == 0;
                    let by_the_way = if is_void { spares_others } else { !self.is_fluent(s.op) };
                    if !by_the_way || self.trials.standing(s.op).guilty {
                        return Disturbance::Certain;
                    }
                    if !suspects.contains(&s.op) {
                        suspects.push(s.op);
                    }
                }
                // Whose field it is does not matter: the object may be one that everybody shares.
                OperationKind::WriteField { .. } => return Disturbance::Certain,
                OperationKind::StoreElement { .. } if shared != 0 => return Disturbance::Certain,
                _ => {}
            }
        }
        if suspects.is_empty() { Disturbance::None } else { Disturbance::Suspected(suspects) }
    }

    /// Does it change static state by itself, by the way: a static method that gives something and keeps it for the next time? Then nobody else need have.
    fn keeps_results(&self, op: OpId) -> bool {
        let operation = self.catalog.operation(op);
        let is_static = matches!(operation.kind, OperationKind::Call { is_static: true, .. });
        is_static && operation.result != Type::Void && self.records.op(op).dirtied > 0
    }

    /// Is this a call of the kind that is made for its effect alone: one that gives back its receiver, or one of the platform's own, whose
    /// containers are changed by calls with results?
    fn is_fluent(&self, op: OpId) -> bool {
        let operation = self.catalog.operation(op);
        let OperationKind::Call { owner, is_static, .. } = &operation.kind else {
            return false;
        };
        !is_static && (operation.result.class_name() == Some(owner) || owner.internal().starts_with("java/"))
    }

    /// May others hold this value, too? Static fields do, and static methods hand out what static fields hold.
    fn is_shared(&self, statements: &[Statement], var: Var) -> bool {
        let statement = &statements[var.index()];
        let operation = self.catalog.operation(statement.op);
        let of_receiver = || statement.args.first().is_some_and(|v| self.is_shared(statements, *v));
        match operation.kind {
            OperationKind::ReadField { is_static, .. } | OperationKind::Call { is_static, .. } => {
                is_mutable(&operation.result) && (is_static || of_receiver())
            }
            OperationKind::Cast => of_receiver(),
            _ => false,
        }
    }
}

impl Session<'_> {
    /// Tries the operations under suspicion. Runs of those that are cleared are made again, as nothing could be kept of them before.
    pub(crate) fn try_suspects(
        &mut self,
        executor: &mut dyn Executor,
        budget: &mut Budget<'_>,
    ) -> Result<(), ExecutorProblem> {
        let search = &mut self.search;
        let waiting = std::mem::take(&mut search.trials.waiting);
        search.trials.due = search.totals.executions + search.totals.executions / 4 + FIRST / 2;
        if (budget.expired)() || budget.left(search.totals.executions) < waiting.len() as u64 {
            return Ok(());
        }
        let detail = Detail { observe: Observe::Everything, values: true, exceptions: true, ..Detail::default() };
        let once: Vec<Sequence> = waiting.iter().map(|(_, s)| with_observers(search, s)).collect();
        let twice = once.iter().map(|s| search.proposal(Sequence::concat(&[s, s]).0));
        let requests =
            twice.map(|p| Request { sequence: p.sequence, detail, cost: p.cost.packed(), fault: None }).collect();
        let executions = executor.run(search.catalog.operations(), requests)?;
        search.totals.executions += executions.len() as u64;
        let mut cleared = false;
        for (((suspects, sequence), once), execution) in waiting.into_iter().zip(&once).zip(&executions) {
            if is_unanswered(execution) {
                continue;
            }
            let same = is_unnoticed(once.len(), execution);
            for op in &suspects {
                let standing = search.trials.standings.entry(*op).or_default();
                standing.passed += u8::from(same);
                standing.guilty |= !same;
            }
            if suspects.iter().all(|op| search.trials.is_cleared(*op)) {
                cleared = true;
                search.seeds.push(sequence);
            }
        }
        if cleared {
            executor.set_best(&best(search));
        }
        Ok(())
    }
}

/// Did the second half, `len` statements like the first, show the same?
fn is_unnoticed(len: usize, execution: &Execution) -> bool {
    type Seen<'a> = (usize, Option<&'a str>, Option<&'a Value>);
    let half = |from: usize| -> Vec<Seen<'_>> {
        let seen = execution.observations.iter().filter(|o| (from..from + len).contains(&o.var.index()));
        let mut seen: Vec<Seen<'_>> =
            seen.map(|o| (o.var.index() - from, o.class.as_ref().map(|c| c.internal()), o.value.as_ref())).collect();
        // Of what was looked at more than once the first look counts: later ones may be at what the other half made of it.
        seen.sort_by_key(|s| s.0);
        seen.dedup_by_key(|s| s.0);
        seen
    };
    execution.outcome == Outcome::Normal && half(0) == half(len)
}

/// Can a value of this type be changed, as far as its type tells?
fn is_mutable(ty: &Type) -> bool {
    match ty.class_name() {
        Some(class) => {
            let name = class.internal();
            name != "java/lang/String" && !Primitive::ALL.iter().any(|p| p.box_class() == name)
        }
        None => ty.is_reference(),
    }
}
