//! Why a method has uncovered goals, in terms a user can act on. Owns the order in which explanations are tried; reads the search, changes nothing.

use std::fmt;

use bytecode::names::ClassName;
use testcase::execution::Reach;
use testcase::operation::OpId;
use testcase::types::Type;

use crate::goal::{GoalId, GoalKind, Infeasible, MethodId};
use crate::outcome::Loss;
use crate::record::NOT_RUN_AGAIN;
use crate::search::Search;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Nobody makes a value of this type.
    NoInput { parameter: Type },
    /// Every direct call threw; the most frequent exception.
    AlwaysThrew { class: ClassName, times: u32, calls: u32 },
    /// Every direct call ended in an error of the JVM, which names what is missing or broken.
    Broken { error: String, calls: u32 },
    /// Cannot be called by a test, and no call led to it.
    NotReached { because: &'static str },
    /// Calls hung, crashed or were refused.
    Fatal { what: &'static str, times: u32, calls: u32 },
    /// The method or its class could not be linked.
    Unlinkable { message: String },
    /// Its class is abstract and nobody implements it.
    NoImplementor { class: ClassName },
    /// Its calls change what outlives a test.
    Disturbing { times: u32, calls: u32 },
    /// Only code that reaches outside was seen to cover what is left of it.
    ReachesOutside { reach: Reach, called: Option<String> },
    /// What reached it cannot be kept as a test.
    Lost { why: Loss },
    /// Its class was initialised before anything was measured.
    RanBefore,
    /// What is left of it nobody can reach.
    Infeasible { why: Infeasible },
    /// Reached, but not every branch was taken; or not reached at all.
    BudgetSpent { calls: u32, reached: bool },
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::NoInput { parameter } => {
                write!(f, "no way to build a value of type {parameter}")
            }
            Reason::AlwaysThrew { class, times, calls } => {
                write!(f, "every call threw, mostly {} ({times} of {calls} calls)", class.binary())
            }
            Reason::Broken { error, calls } => write!(f, "each of {calls} calls failed with {error}"),
            Reason::NotReached { because } => write!(f, "{because}, and no call led to it"),
            Reason::Fatal { what, times, calls } => {
                write!(f, "it {what} ({times} of {calls} calls)")
            }
            Reason::Unlinkable { message } => write!(f, "cannot be linked: {message}"),
            Reason::NoImplementor { class } => {
                write!(f, "{} is abstract and no usable implementation was found", class.binary())
            }
            Reason::Disturbing { times, calls } => write!(
                f,
                "it changes static state that other tests would see ({times} of {calls} calls), so it is left to you"
            ),
            Reason::ReachesOutside { reach, called } => {
                write!(f, "reaches outside: {}", reach.kinds)?;
                let by = reach.by.as_deref().map(str::to_owned);
                let within = called.as_ref().map(|called| format!("in {called}"));
                match [by, within].into_iter().flatten().collect::<Vec<_>>().as_slice() {
                    [] => Ok(()),
                    places => write!(f, " ({})", places.join(", ")),
                }
            }
            Reason::Lost { why } => {
                write!(f, "it was reached, but by nothing that can be kept as a test: it {}", why.words())
            }
            Reason::RanBefore => {
                f.write_str("it ran, but before anything was measured, so nobody knows which branches were taken")
            }
            Reason::Infeasible { why } => write!(f, "what is left of it cannot be reached: {}", why.words()),
            Reason::BudgetSpent { reached: false, .. } => f.write_str("not reached within the budget"),
            Reason::BudgetSpent { calls: 0, .. } => f.write_str("not all of it was reached within the budget"),
            Reason::BudgetSpent { calls: 1, .. } => {
                f.write_str("not all of it was reached within the budget (1 direct call)")
            }
            Reason::BudgetSpent { calls, .. } => {
                write!(f, "not all of it was reached within the budget ({calls} direct calls)")
            }
        }
    }
}

/// Why this method has goals left among methods, lines, branches and normal returns; `None` if it has none.
pub fn explain(search: &Search<'_>, method: MethodId) -> Option<Reason> {
    let structural =
        |k: GoalKind| !matches!(k, GoalKind::DeclaredException | GoalKind::UndeclaredException | GoalKind::WeakMutant);
    let own: Vec<GoalId> =
        search.goals.iter().filter(|(_, g)| g.method == method && structural(g.kind)).map(|(id, _)| id).collect();
    let mut left = own.iter().filter(|g| search.goals.is_open(**g)).peekable();
    if left.peek().is_none() {
        let mut ruled_out = own.iter().filter_map(|g| search.goals.infeasible().get(g));
        return ruled_out.next().map(|why| Reason::Infeasible { why: *why });
    }
    let lost = left.find_map(|g| search.losses.get(g)).copied();
    let reached = own.iter().any(|g| search.goals.is_covered(*g));
    let record = search.records.method(method);
    if let Some(message) = record.unlinkable {
        return Some(Reason::Unlinkable { message });
    }
    // Why it was held back tells more than that it was.
    let told = |(what, n): &(&&'static str, &u32)| (**what != NOT_RUN_AGAIN, **n);
    let times: u32 = record.fatal.values().sum();
    if let Some((&what, _)) = record.fatal.iter().max_by_key(told)
        && times * 2 > record.calls
    {
        return Some(Reason::Fatal { what, times, calls: record.calls });
    }
    if let Some((reach, called)) = own.iter().filter(|g| search.goals.is_open(**g)).find_map(|g| search.beyond.get(g)) {
        let called = called.map(|called| {
            let called = search.goals.method(called);
            let class = called.class.binary();
            let class = class.rsplit('.').next().unwrap_or_default();
            match &*called.name {
                "<init>" => format!("new {class}"),
                name => format!("{class}.{name}"),
            }
        });
        return Some(Reason::ReachesOutside { reach: reach.clone(), called });
    }
    if record.normal == 0
        && let Some(reason) = missing_input(search, method)
    {
        return Some(reason);
    }
    if record.calls > 0 && record.normal == 0 && record.fatal.is_empty() {
        if let Some(error) = record.broken {
            return Some(Reason::Broken { error, calls: record.calls });
        }
        // Called and never normal nor fatal, so something was thrown.
        if let Some((class, &times)) = record.thrown.iter().max_by_key(|(_, n)| **n) {
            return Some(Reason::AlwaysThrew { class: class.clone(), times, calls: record.calls });
        }
    }
    if record.disturbing * 2 > record.calls {
        return Some(Reason::Disturbing { times: record.disturbing, calls: record.calls });
    }
    if let Some(why) = lost {
        return Some(Reason::Lost { why });
    }
    if reached && &*search.goals.method(method).name == "<clinit>" {
        return Some(Reason::RanBefore);
    }
    let callable = |op: &OpId| search.catalog.facts(*op).method == Some(method);
    if record.calls == 0 && !reached && !search.targets.iter().any(callable) {
        return Some(Reason::NotReached { because: why_not_callable(search, method) });
    }
    Some(Reason::BudgetSpent { calls: record.calls, reached: reached || record.calls > 0 })
}

/// A parameter or receiver that nobody can provide.
fn missing_input(search: &Search<'_>, method: MethodId) -> Option<Reason> {
    for op in &search.targets {
        let facts = search.catalog.facts(*op);
        if facts.method != Some(method) {
            continue;
        }
        for (i, &param) in facts.params.iter().enumerate() {
            let receiver = facts.receiver && i == 0;
            let nothing = search
                .supplies
                .get(param)
                .is_some_and(|s| s.kinds.is_empty() && s.literals.is_empty() && s.leaves.is_empty())
                && !search.pool.provides(&search.catalog, param);
            if nothing
                && receiver
                && search.supplies.get(param).is_some_and(|s| s.makers.is_empty() && s.leaves.is_empty())
            {
                let concrete = |class: &&ClassName| {
                    search.library.world().and_then(|w| w.class(class).ok()).is_some_and(|c| !c.is_abstract())
                };
                return Some(match search.catalog.ty(param).class_name().filter(|class| !concrete(class)) {
                    Some(class) => Reason::NoImplementor { class: class.clone() },
                    None => Reason::NoInput { parameter: search.catalog.ty(param).clone() },
                });
            }
            if nothing {
                return Some(Reason::NoInput { parameter: search.catalog.ty(param).clone() });
            }
        }
    }
    None
}

fn why_not_callable(search: &Search<'_>, method: MethodId) -> &'static str {
    let known = search.goals.method(method);
    if &*known.name == "<clinit>" {
        "the class was never initialised"
    } else if known.name.starts_with("lambda$") {
        "it is the body of a lambda"
    } else if known.callable {
        "its class or one of its parameter types cannot be named by a test in this package"
    } else {
        "it is private"
    }
}
