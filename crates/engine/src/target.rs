//! The classes under test, instrumented and numbered. Owns which classes belong to a target and the numbering of their probes; does not say what
//! probes are worth.

use std::sync::Arc;

use bytecode::class_info::ClassInfo;
use bytecode::instrument::{MonitoredField, Plan, Probe, Site, Skipped, instrument, names_classes_of};
use bytecode::names::ClassName;
use bytecode::problem::Problem;
use bytecode::world::{Scope, World, WorldProblem};

use crate::goal::{Goals, MethodId, table};

/// A class under test as the workers get it.
#[derive(Clone, Debug)]
pub struct PreparedClass {
    pub info: Arc<ClassInfo>,
    /// As in the plan it was instrumented with.
    pub index: u32,
    /// The class file as found.
    pub original: Arc<[u8]>,
    pub bytes: Arc<[u8]>,
    pub probes: Vec<Probe>,
    pub first_probe: u32,
    pub sites: Vec<Site>,
    pub first_site: u32,
    pub skipped: Vec<Skipped>,
    /// Fields whose reads are told, if the plan says so.
    pub fields: Vec<MonitoredField>,
    /// What calls that reach outside are inherited from, if the plan marks them.
    pub kin: Vec<(ClassName, ClassName)>,
}

/// A target ready to be searched.
#[derive(Clone, Debug)]
pub struct Target {
    /// The class the suite is for.
    pub class: ClassName,
    /// It and what is nested in it.
    pub classes: Vec<PreparedClass>,
    /// The package tests live in, internal form.
    pub package: String,
    /// Sums over all classes.
    pub probes: u32,
    pub sites: u32,
    /// Fields whose reads are told, of all classes, by number.
    pub fields: Vec<MonitoredField>,
    /// What could not be done, in words.
    pub notes: Vec<String>,
}

/// Classes nested in `class` at any depth, local and anonymous ones included, sorted; itself first.
pub fn with_nested(world: &World, class: &ClassName) -> Vec<ClassName> {
    let prefix = format!("{}$", class.internal());
    let mut nested: Vec<ClassName> = Vec::new();
    if let Ok(info) = world.class(class) {
        nested.extend(info.nest_members.iter().filter(|n| n.internal().starts_with(&prefix)).cloned());
    }
    for scope in Scope::ALL {
        let names = world.names(scope);
        let from = names.partition_point(|n| n.internal() < prefix.as_str());
        nested.extend(names[from..].iter().take_while(|n| n.internal().starts_with(&prefix)).cloned());
    }
    nested.sort();
    nested.dedup();
    std::iter::once(class.clone()).chain(nested).collect()
}

/// Reads and instruments a class and what is nested in it. `package` is where the tests will live. A nested class that cannot be read is noted and
/// left out; the class itself must be there.
pub fn prepare(world: &World, class: &ClassName, package: &str, plan: &Plan) -> Result<Target, WorldProblem> {
    let mut target = Target {
        class: class.clone(),
        classes: Vec::new(),
        package: package.to_owned(),
        probes: 0,
        sites: 0,
        fields: Vec::new(),
        notes: Vec::new(),
    };
    for name in with_nested(world, class) {
        match prepare_class(world, &name, &target, plan) {
            Ok(prepared) => {
                for skipped in &prepared.skipped {
                    let method =
                        prepared.info.methods.get(usize::from(skipped.method)).map_or("?", |m| m.name.as_str());
                    target.notes.push(format!("{}.{method} is not measured: {}", name.binary(), skipped.reason));
                }
                target.probes += prepared.probes.len() as u32;
                target.sites += prepared.sites.len() as u32;
                target.fields.extend(prepared.fields.iter().cloned());
                target.classes.push(prepared);
            }
            Err(problem) if name == *class => return Err(problem),
            Err(problem) => target.notes.push(problem.to_string()),
        }
    }
    Ok(target)
}

fn prepare_class(world: &World, name: &ClassName, so_far: &Target, plan: &Plan) -> Result<PreparedClass, WorldProblem> {
    let info = world.class(name)?;
    let original: Arc<[u8]> = world.bytes(name)?.into();
    let (first_probe, first_site, index) = (so_far.probes, so_far.sites, so_far.classes.len() as u32);
    let first_field = so_far.fields.len() as u32;
    if names_classes_of(&original, plan.hooks.package()) {
        let problem = Problem::of_content("code that leaves Testudo's own classes alone");
        return Err(WorldProblem::Malformed { name: name.clone(), problem });
    }
    let kin = plan.reaches.as_ref().map(|reaches| reaches.kin(world, &original)).unwrap_or_default();
    let plan = Plan { first_probe, first_site, first_field, class_index: index, kin, ..plan.clone() };
    let done =
        instrument(&original, &plan).map_err(|problem| WorldProblem::Malformed { name: name.clone(), problem })?;
    Ok(PreparedClass {
        info,
        index,
        original,
        bytes: done.bytes.into(),
        probes: done.probes,
        first_probe,
        sites: done.sites,
        first_site,
        skipped: done.skipped,
        fields: done.fields,
        kin: plan.kin,
    })
}

impl Target {
    pub fn goals(&self) -> Goals {
        table::build(&self.classes)
    }

    /// For each method of `goals`, the methods under test it may lead to through calls, itself included.
    pub fn reaches(&self, world: &World, goals: &Goals) -> Vec<Vec<MethodId>> {
        let direct: Vec<Vec<MethodId>> =
            goals.methods().map(|(_, m)| self.callees(world, goals, &m.class, &m.name, &m.descriptor)).collect();
        (0..direct.len())
            .map(|start| {
                let mut reached = vec![MethodId(start as u32)];
                let mut at = 0;
                while at < reached.len() {
                    for &next in &direct[reached[at].index()] {
                        if !reached.contains(&next) {
                            reached.push(next);
                        }
                    }
                    at += 1;
                }
                reached
            })
            .collect()
    }

    fn callees(&self, world: &World, goals: &Goals, class: &ClassName, name: &str, descriptor: &str) -> Vec<MethodId> {
        let Some(info) = self.classes.iter().map(|c| &c.info).find(|c| c.name == *class) else {
            return Vec::new();
        };
        let index = info.methods.iter().position(|m| m.name == name && m.raw_descriptor == descriptor);
        let (Some(index), Ok(facts)) = (index, world.facts(class)) else {
            return Vec::new();
        };
        let mut callees = Vec::new();
        for call in &facts.methods[index].calls {
            // The method itself or any override of it among the classes under test.
            for known in &self.classes {
                let Some(owner) = call.class() else { continue };
                let related = *owner == known.info.name
                    || world.is_subclass(&known.info.name, owner) == Some(true)
                    || world.is_subclass(owner, &known.info.name) == Some(true);
                if let Some(method) =
                    goals.find_method(&known.info.name, &call.name, &call.descriptor).filter(|_| related)
                    && !callees.contains(&method)
                {
                    callees.push(method);
                }
            }
        }
        callees
    }
}
