//! Goals: everything a suite should show about the classes under test, and which of it was shown. Owns the table of goals and methods and
//! what probes mean; which test covers what is the archive's business. Built from instrumentation by `table`, without what `filter` leaves out.

pub mod filter;
pub mod infeasible;
pub mod table;

use std::collections::BTreeMap;
use std::sync::Arc;

use bytecode::names::ClassName;
use smallvec::SmallVec;
use testcase::execution::ProbeId;

pub use infeasible::Infeasible;

/// Number of a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GoalId(pub u32);

impl GoalId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Number of a method of the classes under test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MethodId(pub u32);

impl MethodId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GoalKind {
    /// One outcome of a conditional jump.
    Branch,
    /// One distinct target of a switch.
    SwitchCase,
    /// An exception handler was entered.
    Handler,
    /// A source line was reached.
    Line,
    /// A method was entered, by whomever.
    Method,
    /// A method called by the test itself came back normally.
    MethodNormal,
    /// A method called by the test itself threw what it declares.
    DeclaredException,
    /// The same, undeclared.
    UndeclaredException,
    /// A small fault of an instruction would have made a difference to what it did.
    WeakMutant,
}

impl GoalKind {
    pub const ALL: [GoalKind; 9] = [
        GoalKind::Branch,
        GoalKind::SwitchCase,
        GoalKind::Handler,
        GoalKind::Line,
        GoalKind::Method,
        GoalKind::MethodNormal,
        GoalKind::DeclaredException,
        GoalKind::UndeclaredException,
        GoalKind::WeakMutant,
    ];

    pub fn name(self) -> &'static str {
        match self {
            GoalKind::Branch => "branch",
            GoalKind::SwitchCase => "switch case",
            GoalKind::Handler => "handler",
            GoalKind::Line => "line",
            GoalKind::Method => "method",
            GoalKind::MethodNormal => "method without exception",
            GoalKind::DeclaredException => "declared exception",
            GoalKind::UndeclaredException => "undeclared exception",
            GoalKind::WeakMutant => "weak mutant",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    pub kind: GoalKind,
    pub method: MethodId,
    /// Source line, 0 if unknown.
    pub line: u16,
    /// For exceptions: the class thrown.
    pub exception: Option<ClassName>,
}

/// A method under test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method {
    pub class: ClassName,
    pub name: Arc<str>,
    pub descriptor: Arc<str>,
    /// Declared in a form a test could call (not private, not synthetic, not a class initialiser).
    pub callable: bool,
    pub is_abstract: bool,
}

/// Exceptions kept per method; more of them would be noise.
const MAX_EXCEPTIONS: usize = 8;

/// All goals, and which are covered.
#[derive(Clone, Debug, Default)]
pub struct Goals {
    methods: Vec<Method>,
    goals: Vec<Goal>,
    covered: Vec<bool>,
    by_probe: Vec<SmallVec<[GoalId; 2]>>,
    normal: Vec<Option<GoalId>>,
    exceptions: BTreeMap<(MethodId, ClassName), GoalId>,
    exception_count: Vec<usize>,
    /// Goals per method that are waited for.
    uncovered: Vec<u32>,
    infeasible: BTreeMap<GoalId, Infeasible>,
    /// Ruled out and covered all the same.
    contradicted: Vec<GoalId>,
    index: BTreeMap<(ClassName, Arc<str>, Arc<str>), MethodId>,
}

impl Goals {
    /// A method of a class under test. `normal` asks for the goal that it comes back normally when called directly.
    pub fn add_method(&mut self, method: Method, normal: bool) -> MethodId {
        let id = MethodId(self.methods.len() as u32);
        self.index.insert((method.class.clone(), method.name.clone(), method.descriptor.clone()), id);
        self.methods.push(method);
        self.normal.push(None);
        self.exception_count.push(0);
        self.uncovered.push(0);
        if normal {
            self.expect_normal(id);
        }
        id
    }

    /// Asks that this method come back normally when a test calls it. Once is enough.
    pub fn expect_normal(&mut self, method: MethodId) {
        if self.normal[method.index()].is_none() {
            let goal = self.add_goal(GoalKind::MethodNormal, method, 0, None);
            self.normal[method.index()] = Some(goal);
        }
    }

    pub fn add_goal(&mut self, kind: GoalKind, method: MethodId, line: u16, exception: Option<ClassName>) -> GoalId {
        let id = GoalId(self.goals.len() as u32);
        self.goals.push(Goal { kind, method, line, exception });
        self.covered.push(false);
        self.uncovered[method.index()] += self.weight(id);
        id
    }

    /// A hit of the probe covers the goal.
    pub fn link(&mut self, probe: ProbeId, goal: GoalId) {
        let at = probe.0 as usize;
        if self.by_probe.len() <= at {
            self.by_probe.resize(at + 1, SmallVec::new());
        }
        if !self.by_probe[at].contains(&goal) {
            self.by_probe[at].push(goal);
        }
    }

    pub fn of_probe(&self, probe: ProbeId) -> &[GoalId] {
        self.by_probe.get(probe.0 as usize).map_or(&[], |g| g.as_slice())
    }
    /// Probes with the goals that their hits cover.
    pub fn probes(&self) -> impl Iterator<Item = (ProbeId, &[GoalId])> {
        self.by_probe.iter().enumerate().map(|(i, goals)| (ProbeId(i as u32), goals.as_slice()))
    }
    pub fn normal_of(&self, method: MethodId) -> Option<GoalId> {
        self.normal[method.index()]
    }
    pub fn goal(&self, id: GoalId) -> &Goal {
        &self.goals[id.index()]
    }
    pub fn method(&self, id: MethodId) -> &Method {
        &self.methods[id.index()]
    }
    pub fn methods(&self) -> impl Iterator<Item = (MethodId, &Method)> {
        self.methods.iter().enumerate().map(|(i, m)| (MethodId(i as u32), m))
    }
    pub fn method_count(&self) -> usize {
        self.methods.len()
    }
    pub fn find_method(&self, class: &ClassName, name: &str, descriptor: &str) -> Option<MethodId> {
        self.index.get(&(class.clone(), Arc::from(name), Arc::from(descriptor))).copied()
    }
    pub fn iter(&self) -> impl Iterator<Item = (GoalId, &Goal)> {
        self.goals.iter().enumerate().map(|(i, g)| (GoalId(i as u32), g))
    }
    pub fn len(&self) -> usize {
        self.goals.len()
    }
    pub fn is_empty(&self) -> bool {
        self.goals.is_empty()
    }
    pub fn is_covered(&self, id: GoalId) -> bool {
        self.covered[id.index()]
    }
    pub fn covered_count(&self) -> usize {
        self.covered.iter().filter(|&&c| c).count()
    }
    /// Nobody can cover it.
    pub fn rule_out(&mut self, id: GoalId, why: Infeasible) {
        if !self.is_covered(id) && self.infeasible.insert(id, why).is_none() {
            self.uncovered[self.goals[id.index()].method.index()] -= self.weight(id);
        }
    }
    /// Whether it is waited for. Weak mutants are welcome, but many make no difference to anything.
    fn weight(&self, id: GoalId) -> u32 {
        u32::from(self.goals[id.index()].kind != GoalKind::WeakMutant)
    }
    /// Goals that nobody can cover, and why.
    pub fn infeasible(&self) -> &BTreeMap<GoalId, Infeasible> {
        &self.infeasible
    }
    /// Goals that were ruled out and covered all the same: mistakes of the analysis.
    pub fn contradicted(&self) -> &[GoalId] {
        &self.contradicted
    }
    /// Not covered, and not ruled out either.
    pub fn is_open(&self, id: GoalId) -> bool {
        !self.is_covered(id) && !self.infeasible.contains_key(&id)
    }
    /// Is there nothing left to try for, apart from weak mutants?
    pub fn is_complete(&self) -> bool {
        self.uncovered.iter().all(|n| *n == 0)
    }
    /// Goals of this method nobody covered yet, without those that nobody can.
    pub fn uncovered_in(&self, method: MethodId) -> u32 {
        self.uncovered[method.index()]
    }

    /// True if it was not covered before.
    pub fn cover(&mut self, id: GoalId) -> bool {
        let new = !std::mem::replace(&mut self.covered[id.index()], true);
        match new {
            true if self.infeasible.remove(&id).is_some() => self.contradicted.push(id),
            true => self.uncovered[self.goals[id.index()].method.index()] -= self.weight(id),
            false => {}
        }
        new
    }

    /// What covered it turned out not to count.
    pub fn uncover(&mut self, id: GoalId) {
        if std::mem::replace(&mut self.covered[id.index()], false) {
            self.uncovered[self.goals[id.index()].method.index()] += self.weight(id);
        }
    }

    /// The goal of this exception leaving this method; made at its first sight. `None` once a method has shown enough kinds.
    pub fn exception(&mut self, method: MethodId, class: &ClassName, declared: bool) -> Option<GoalId> {
        if let Some(&goal) = self.exceptions.get(&(method, class.clone())) {
            return Some(goal);
        }
        if self.exception_count[method.index()] >= MAX_EXCEPTIONS {
            return None;
        }
        self.exception_count[method.index()] += 1;
        let kind = if declared { GoalKind::DeclaredException } else { GoalKind::UndeclaredException };
        let goal = self.add_goal(kind, method, 0, Some(class.clone()));
        self.exceptions.insert((method, class.clone()), goal);
        Some(goal)
    }

    /// The goal of an exception seen before.
    pub fn find_exception(&self, method: MethodId, class: &ClassName) -> Option<GoalId> {
        self.exceptions.get(&(method, class.clone())).copied()
    }
}

/// Covered and total of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    pub covered: u32,
    pub total: u32,
}

/// Goals counted by kind.
pub type Counts = BTreeMap<GoalKind, Count>;

/// Counts over the goals that pass the filter.
pub fn count(goals: &Goals, keep: impl Fn(&Goal) -> bool) -> Counts {
    let mut counts = Counts::new();
    for (id, goal) in goals.iter().filter(|(_, g)| keep(g)) {
        let count = counts.entry(goal.kind).or_default();
        count.total += 1;
        count.covered += u32::from(goals.is_covered(id));
    }
    counts
}

/// Branches as coverage tools count them: outcomes of conditional jumps and targets of switches together.
pub fn branches(counts: &Counts) -> Count {
    let of = |k: GoalKind| counts.get(&k).copied().unwrap_or_default();
    let (b, s) = (of(GoalKind::Branch), of(GoalKind::SwitchCase));
    Count { covered: b.covered + s.covered, total: b.total + s.total }
}
