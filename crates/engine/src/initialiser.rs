//! What static initialisers cover without being seen: a class is initialised once per JVM, often before anybody looks. Owns which of their goals are covered for certain; what tests say
//! of them is decided at the end.

use bytecode::names::ClassName;

use crate::goal::{GoalId, GoalKind};
use crate::search::Search;
use crate::session::Session;

/// A class that was initialised before anybody looked, and the goals that its initialiser covered for certain.
#[derive(Clone, Debug)]
pub struct Initialiser {
    pub class: ClassName,
    pub goals: Vec<GoalId>,
}

const INITIALISER: &str = "<clinit>";

impl Session<'_> {
    /// Code of a class cannot run before its initialiser has: that one was entered, and was gone through from top to bottom if it has no branches.
    pub(crate) fn credit(&mut self) {
        let search = &mut self.search;
        let mut credited = Vec::new();
        for (id, method) in search.goals.methods().filter(|(_, m)| &*m.name == INITIALISER) {
            let own: Vec<(GoalId, GoalKind)> =
                search.goals.iter().filter(|(_, g)| g.method == id).map(|(goal, g)| (goal, g.kind)).collect();
            let is_step = |kind: GoalKind| matches!(kind, GoalKind::Line | GoalKind::Method);
            let is_straight = own.iter().all(|(_, kind)| is_step(*kind) || *kind == GoalKind::WeakMutant);
            let sure = own.iter().filter(|(_, kind)| *kind == GoalKind::Method || is_straight && is_step(*kind));
            let goals: Vec<GoalId> = sure.map(|(goal, _)| *goal).filter(|g| !search.goals.is_covered(*g)).collect();
            let used = |g: &GoalId| search.goals.goal(*g).method != id && class_of(search, *g) == &method.class;
            if !goals.is_empty() && search.archive.iter().any(|(g, _)| used(&g)) {
                credited.push(Initialiser { class: method.class.clone(), goals });
            }
        }
        for goal in credited.iter().flat_map(|i| &i.goals) {
            search.goals.cover(*goal);
        }
        self.initialisers.append(&mut credited);
    }

    /// Whether every goal is covered or cannot be, initialisers' included.
    pub(crate) fn is_complete(&mut self) -> bool {
        let goals = &self.search.goals;
        let open = || goals.methods().filter(|(id, _)| goals.uncovered_in(*id) > 0);
        let is_left_to_initialisers = open().all(|(_, method)| &*method.name == INITIALISER);
        if is_left_to_initialisers && open().next().is_some() {
            self.credit();
        }
        self.search.goals.is_complete()
    }
}

pub(crate) fn class_of<'s>(search: &'s Search<'_>, goal: GoalId) -> &'s ClassName {
    &search.goals.method(search.goals.goal(goal).method).class
}
