//! Whether a result can be one of the sequence it is said to be of. Owns that check of numbers; a worker whose numbers do not fit is ended.

use testcase::execution::{Execution, Outcome};

/// How many things of each kind there are.
pub(super) struct Bounds {
    pub statements: usize,
    pub probes: u32,
    pub sites: u32,
    /// More classes of equal objects than a worker ever numbers.
    pub equals_classes: u64,
}

/// What does not fit.
pub(super) fn misfit(execution: &Execution, bounds: &Bounds) -> Option<&'static str> {
    let is_statement = |statement: u16| usize::from(statement) < bounds.statements;
    let ended = match &execution.outcome {
        Outcome::Normal | Outcome::ThreadsLeft { .. } | Outcome::Protocol { .. } | Outcome::Quarantined => true,
        Outcome::Threw { statement, .. }
        | Outcome::StepLimit { statement }
        | Outcome::StackOverflow { statement }
        | Outcome::OutOfMemory { statement }
        | Outcome::Exit { statement, .. }
        | Outcome::Unlinkable { statement, .. } => is_statement(*statement),
        Outcome::WallClock { statement } | Outcome::Crashed { statement, .. } | Outcome::Killed { statement, .. } => {
            statement.is_none_or(is_statement)
        }
    };
    let is_variable = |var: &testcase::sequence::Var| var.index() < bounds.statements;
    let checks = [
        (ended, "the end"),
        (execution.probes.iter().all(|hit| is_statement(hit.statement) && hit.probe.0 < bounds.probes), "a probe"),
        (execution.operands.iter().all(|operands| operands.site.0 < bounds.sites), "a site"),
        (
            execution.observations.iter().all(|seen| {
                is_statement(seen.statement)
                    && is_variable(&seen.var)
                    && seen.same_as.as_ref().is_none_or(is_variable)
                    && seen.equals_class.is_none_or(|class| class < bounds.equals_classes)
            }),
            "an observation",
        ),
        (
            execution.violations.iter().all(|v| is_statement(v.statement) && v.vars.iter().all(is_variable)),
            "a violation",
        ),
        (execution.passed_over.iter().all(|(statement, _)| is_statement(*statement)), "an exception"),
    ];
    checks.into_iter().find(|(fits, _)| !fits).map(|(_, what)| what)
}

#[cfg(test)]
mod tests {
    use testcase::execution::{ProbeHit, ProbeId};

    use super::*;

    #[test]
    fn numbers_beyond_what_there_is_do_not_fit() {
        let bounds = Bounds { statements: 2, probes: 3, sites: 0, equals_classes: 5 };
        let ended = |outcome| misfit(&Execution::ended(outcome), &bounds);
        assert_eq!(ended(Outcome::Normal), None);
        assert_eq!(ended(Outcome::StepLimit { statement: 1 }), None);
        assert_eq!(ended(Outcome::StepLimit { statement: 2 }), Some("the end"));
        let mut execution = Execution::ended(Outcome::Normal);
        execution.probes.push(ProbeHit { statement: 1, probe: ProbeId(2) });
        assert_eq!(misfit(&execution, &bounds), None);
        execution.probes.push(ProbeHit { statement: 1, probe: ProbeId(3) });
        assert_eq!(misfit(&execution, &bounds), Some("a probe"));
    }
}
