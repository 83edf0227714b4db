//! What existing tests did, as a beginning: their method executions need no new tests, their arguments can be passed again, their states are where the
//! search begins. Owns the way from a sequence of an existing test to these; the search itself is next door.

use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use testcase::execution::{Execution, Outcome, StateHash};
use testcase::operation::OpId;
use testcase::sequence::{Sequence, SliceMode, Statement, Var};

use super::{Exhaustive, Task, constant_value, is_call, observations, observed, type_of};
use crate::catalog::Role;
use crate::search::Search;
use crate::state::classifier::{ExecutionId, Origin, Part, Sight, StateClassifier, StateId};

/// Classes of the variables of a sequence from existing tests.
pub(super) struct Walk {
    pub(super) classes: Vec<Option<[StateId; 2]>>,
    pub(super) executions: SmallVec<[ExecutionId; 2]>,
}

/// An argument list from existing tests; values are found out one by one.
pub(super) struct Recalled {
    pub(super) op: OpId,
    pub(super) values: Vec<Option<u32>>,
}

/// A state from existing tests.
#[derive(Clone)]
pub(super) struct Candidate {
    pub(super) whole: Sequence,
    pub(super) var: Var,
    pub(super) slim: Sequence,
    pub(super) slim_var: Var,
    pub(super) class: StateId,
    pub(super) state: Option<StateHash>,
    pub(super) executions: SmallVec<[ExecutionId; 2]>,
}

impl Exhaustive {
    /// Some statements of a sequence from existing tests ran: its method execution exists, its arguments can be passed again, its states are places to begin.
    pub(super) fn retraced(&mut self, search: &Search<'_>, seed: usize, sequence: &Sequence, execution: &Execution) {
        let last = sequence.len() - 1;
        let Statement { op, args } = sequence.statements()[last].clone();
        let thrown = matches!(&execution.outcome, Outcome::Threw { statement, .. } if usize::from(*statement) == last);
        if execution.outcome != Outcome::Normal && !thrown {
            return;
        }
        let facts = search.catalog.facts(op);
        let under_test = facts.role == Role::Target && is_call(search, op);
        let mut classes: SmallVec<[[StateId; 2]; 4]> = SmallVec::new();
        for arg in &args {
            let made = sequence.statements()[arg.index()].op;
            let known = match constant_value(search.catalog.operation(made)) {
                Some(value) => {
                    let sight = Sight::plain(&value);
                    Some([self.receiver.classify(&sight).id(), self.arguments.classify(&sight).id()])
                }
                None => self.walks[seed].classes[arg.index()],
            };
            // What was never seen is like nothing else.
            classes.push(known.unwrap_or_else(|| {
                let sight = Sight::default();
                [self.receiver.classify(&sight).id(), self.arguments.classify(&sight).id()]
            }));
        }
        let has_receiver = facts.needs_object;
        let receiver = classes.first().filter(|_| has_receiver).map(|c| c[0]);
        let arguments = classes.iter().skip(usize::from(has_receiver)).map(|c| c[1]);
        let id = self.graph.execution(search, op, receiver, arguments);
        if under_test {
            self.graph.begin(id);
            self.walks[seed].executions.push(id);
            let values = vec![None; args.len() - usize::from(has_receiver)];
            self.recalled.push(Recalled { op, values });
            self.recall_arguments(search, sequence, last, &args[usize::from(has_receiver)..]);
        }
        if thrown {
            return;
        }
        for seen in observations(sequence, execution) {
            let place = args.iter().position(|a| *a == seen.var).filter(|_| seen.var.index() != last);
            let part = place.map_or(Part::Result, |p| Part::Operand(p.min(255) as u8));
            let before = place.map(|p| classes[p]);
            let written = seen.changed.unwrap_or(true);
            let classify = |classifier: &mut dyn StateClassifier, before: Option<StateId>| {
                let origin = Origin { call: id, part, before, written };
                classifier.classify(&Sight::observation(seen).from(origin)).id()
            };
            let class = [
                classify(&mut *self.receiver, before.map(|b| b[0])),
                classify(&mut *self.arguments, before.map(|b| b[1])),
            ];
            self.walks[seed].classes[seen.var.index()] = Some(class);
            let ty = type_of(search, sequence, seen.var);
            if seen.value.is_none() && self.is_receiver(search, ty) {
                let cut = sequence.slice(last, SliceMode::Effects);
                if let Some(slim_var) = cut.var(seen.var) {
                    self.candidates.push(Candidate {
                        whole: sequence.clone(),
                        var: seen.var,
                        slim: cut.sequence,
                        slim_var,
                        class: class[0],
                        state: seen.state,
                        executions: self.walks[seed].executions.clone(),
                    });
                }
            }
        }
    }

    /// Notes for each argument how to make it again: at once for constants, by a run of its own for objects.
    fn recall_arguments(&mut self, search: &Search<'_>, sequence: &Sequence, statement: usize, args: &[Var]) {
        let list = self.recalled.len() - 1;
        for (place, arg) in args.iter().enumerate() {
            let made = sequence.statements()[arg.index()].op;
            if search.catalog.facts(made).constant {
                self.recalled[list].values[place] = Some(self.values.constant(search, made, &mut *self.arguments));
                continue;
            }
            let touched = (arg.index()..statement)
                .rev()
                .find(|&i| i == arg.index() || sequence.statements()[i].args.first() == Some(arg))
                .unwrap_or(arg.index());
            let cut = sequence.slice(touched, SliceMode::Effects);
            if let Some(var) = cut.var(*arg) {
                self.later.push((Task::Recall { list, place, var }, cut.sequence));
            }
        }
    }

    /// Runs arguments and states of existing tests by themselves.
    pub(super) fn recall(&mut self, search: &Search<'_>) {
        self.queue.extend(std::mem::take(&mut self.later));
        let mut known = FxHashSet::default();
        for (at, candidate) in self.candidates.iter().enumerate() {
            let ty = type_of(search, &candidate.whole, candidate.var);
            if known.insert((candidate.class, ty)) {
                self.queue.push_back((Task::Recollect { candidate: at }, candidate.slim.clone()));
            }
        }
    }

    pub(super) fn recollected(
        &mut self,
        search: &Search<'_>,
        candidate: usize,
        sequence: &Sequence,
        execution: &Execution,
    ) {
        let candidate = self.candidates[candidate].clone();
        let again = observed(sequence, execution, candidate.slim_var);
        let same = again.is_some_and(|seen| seen.state.is_some() && seen.state == candidate.state);
        let (sequence, var) = if same { (sequence, candidate.slim_var) } else { (&candidate.whole, candidate.var) };
        self.reach(search, sequence, var, candidate.class, false, candidate.executions);
    }
}
