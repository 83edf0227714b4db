//! Goals that no test can reach, as the report lists them. Owns the form; what is infeasible is the engine's to say.

use engine::goal::{GoalKind, Goals};
use serde::{Deserialize, Serialize};

use crate::report::from_outcome::{kinds, readable};

/// Goals of one kind on one line that cannot be reached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InfeasibleReport {
    pub class: String,
    pub method: String,
    pub line: Option<u16>,
    pub kind: String,
    pub count: usize,
    pub why: String,
}

/// All of them but weak mutants, which go with their lines; exceptions are no goals before they are seen.
pub fn list(goals: &Goals) -> Vec<InfeasibleReport> {
    let mut listed: Vec<InfeasibleReport> = Vec::new();
    for (&id, why) in goals.infeasible() {
        let goal = goals.goal(id);
        if goal.kind == GoalKind::WeakMutant {
            continue;
        }
        let method = goals.method(goal.method);
        let entry = InfeasibleReport {
            class: method.class.binary(),
            method: readable(&method.name, &method.descriptor, method.class.simple_binary()),
            line: (goal.line > 0).then_some(goal.line),
            kind: kinds(goal.kind)[0].to_string(),
            count: 1,
            why: why.words().to_string(),
        };
        match listed.iter_mut().find(|known| InfeasibleReport { count: 1, ..(*known).clone() } == entry) {
            Some(known) => known.count += 1,
            None => listed.push(entry),
        }
    }
    listed
}

/// Branches among them, as coverage tools count branches.
pub fn branches(goals: &Goals) -> usize {
    let is_branch = |kind| matches!(kind, GoalKind::Branch | GoalKind::SwitchCase);
    goals.infeasible().keys().filter(|id| is_branch(goals.goal(**id).kind)).count()
}

/// Where the analysis was wrong; nowhere, as far as anybody knows.
pub fn mistakes(goals: &Goals) -> Option<String> {
    let lines: Vec<String> = goals.contradicted().iter().map(|id| goals.goal(*id).line.to_string()).collect();
    (!lines.is_empty()).then(|| {
        format!("lines that were taken for unreachable and were reached: {}; please report this", lines.join(", "))
    })
}
