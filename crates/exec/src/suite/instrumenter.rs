//! Prepares classes for observation: targets with probes and calls, their superclasses and assertion classes with calls, and every class
//! with writes and reads where these are needed. Owns the numbers of probes, members and fields, and remembers what it made; never loads anything.

use std::sync::Arc;

use bytecode::instrument::{CallPlan, Calls, Plan, Redirect, instrument};
use bytecode::names::ClassName;
use bytecode::world::World;
use rustc_hash::{FxHashMap, FxHashSet};
use testcase::observed::{Needs, ObservedMember};

use super::{MeasuredClass, SuiteProblem};
use crate::library::HOOKS;
use crate::protocol::suite::{Code, MemberRole};

/// Everything known about the code of a suite; shared by its JVMs, one after the other.
#[derive(Debug)]
pub struct Instrumenter {
    needs: Needs,
    targets: FxHashMap<ClassName, Arc<Code>>,
    supertypes: FxHashSet<ClassName>,
    /// Of other classes, by name and the size and content of what the JVM had.
    others: FxHashMap<(String, u64), Option<Arc<Code>>>,
    pub members: Vec<ObservedMember>,
    fields: u32,
    pub measured: Vec<MeasuredClass>,
    pub probes: u32,
    pub notes: Vec<String>,
}

impl Instrumenter {
    pub fn new(world: &World, targets: &[ClassName], needs: Needs) -> Result<Instrumenter, SuiteProblem> {
        let mut all = Instrumenter {
            needs,
            targets: FxHashMap::default(),
            supertypes: FxHashSet::default(),
            others: FxHashMap::default(),
            members: Vec::new(),
            fields: 0,
            measured: Vec::new(),
            probes: 0,
            notes: Vec::new(),
        };
        for target in targets {
            if all.targets.contains_key(target) {
                continue;
            }
            let bytes = world.bytes(target).map_err(|_| SuiteProblem::NoTarget { class: target.clone() })?;
            let plan = Plan { edges: true, first_probe: all.probes, ..all.plan(Some(Calls::OfClients)) };
            let done = instrument(&bytes, &plan)
                .map_err(|problem| SuiteProblem::BadTarget { class: target.clone(), detail: problem.to_string() })?;
            for skipped in done.skipped.iter().chain(&done.unobserved) {
                all.notes.push(format!(
                    "calls of method {} of {} are not seen: {}",
                    skipped.method,
                    target.binary(),
                    skipped.reason
                ));
            }
            let first_probe = all.probes;
            all.probes += done.probes.len() as u32;
            let code = all.keep(&done, MemberRole::Target);
            all.measured.push(MeasuredClass { name: target.clone(), first_probe, probes: done.probes });
            all.targets.insert(target.clone(), Arc::new(code));
        }
        for target in targets {
            for supertype in world.all_supertypes(target).iter() {
                if supertype.internal() != "java/lang/Object" && !all.targets.contains_key(supertype) {
                    all.supertypes.insert(supertype.clone());
                }
            }
        }
        Ok(all)
    }

    /// The classes that have to be asked for whatever is needed.
    pub fn wanted(&self) -> Vec<ClassName> {
        let mut wanted: Vec<ClassName> = self.targets.keys().chain(&self.supertypes).cloned().collect();
        wanted.extend(ASSERTIONS.iter().map(ClassName::new));
        wanted.sort();
        wanted
    }

    fn plan(&self, calls: Option<Calls>) -> Plan {
        let hooks = ClassName::new(HOOKS);
        // Reads are watched for both uses of equals methods, because their number limits how long these run.
        let reads = self.needs.equals_reads || self.needs.equals_classes;
        let redirects = if reads || self.needs.writes { Redirect::monitored(&hooks) } else { Vec::new() };
        Plan {
            calls: calls.map(|which| CallPlan { which, first_member: self.members.len() as u32 }),
            writes: self.needs.writes,
            reads,
            redirects,
            first_field: self.fields,
            ..Plan::nothing(hooks)
        }
    }

    fn keep(&mut self, done: &bytecode::instrument::Instrumented, role: MemberRole) -> Code {
        let (first_member, first_field) = (self.members.len() as u32, self.fields);
        self.members.extend(done.members.iter().map(|m| ObservedMember {
            class: m.class.clone(),
            name: Arc::from(m.name.as_str()),
            descriptor: Arc::from(m.descriptor.as_str()),
            is_static: m.is_static,
        }));
        self.fields += done.fields.len() as u32;
        Code {
            bytes: done.bytes.clone().into(),
            first_member,
            members: done.members.len() as u32,
            role,
            first_field,
            fields: done.fields.iter().map(|f| (f.class.clone(), f.name.clone())).collect(),
        }
    }

    /// The code a JVM is to use for a class; `None`: its own.
    pub fn code(&mut self, name: &str, bytes: &[u8]) -> Option<Arc<Code>> {
        let class = ClassName::new(name);
        if let Some(target) = self.targets.get(&class) {
            return Some(target.clone());
        }
        let key = (name.to_owned(), fingerprint(bytes));
        if let Some(known) = self.others.get(&key) {
            return known.clone();
        }
        let role = if self.supertypes.contains(&class) { MemberRole::Inherited } else { MemberRole::Assertion };
        let calls = match role {
            MemberRole::Inherited => Some(Calls::OfHeirs),
            _ => assertions(name),
        };
        let plan = self.plan(calls);
        let made = match instrument(bytes, &plan) {
            Ok(done) if done.bytes != bytes => Some(Arc::new(self.keep(&done, role))),
            Ok(_) => None,
            Err(problem) => {
                self.notes.push(format!("{} cannot be watched: {problem}", class.binary()));
                None
            }
        };
        self.others.insert(key, made.clone());
        made
    }
}

/// Tells files of one name apart.
fn fingerprint(bytes: &[u8]) -> u64 {
    use std::hash::Hasher;
    let mut hasher = rustc_hash::FxHasher::default();
    hasher.write(bytes);
    hasher.finish()
}

/// Classes of assertions with static methods. Where there are several parts, the JVM asks for those it loads.
const ASSERTIONS: [&str; 12] = [
    "org/junit/Assert",
    "org/junit/jupiter/api/Assertions",
    "junit/framework/Assert",
    "junit/framework/TestCase",
    "org/hamcrest/MatcherAssert",
    "org/testng/Assert",
    "kotlin/test/AssertionsKt",
    "kotlin/test/AssertionsKt__AssertionsKt",
    "org/assertj/core/api/Assertions",
    "org/assertj/core/api/AbstractAssert",
    "com/google/common/truth/Truth",
    "com/google/common/truth/Subject",
];

fn assertions(name: &str) -> Option<Calls> {
    let fluent = name.starts_with("org/assertj/core/api/Abstract") && name.ends_with("Assert")
        || name == "com/google/common/truth/Subject";
    match name {
        _ if fluent => Some(Calls::OfHeirs),
        // These make what is asserted on, and assert nothing.
        "org/assertj/core/api/Assertions" | "com/google/common/truth/Truth" => None,
        _ if ASSERTIONS.contains(&name) => Some(Calls::OfFunctions),
        _ => None,
    }
}
