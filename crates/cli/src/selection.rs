//! From the TARGETs of the command line to the classes to test. Owns what is worth testing and why something is not;
//! reads classes only through the `World`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use bytecode::access::Access;
use bytecode::class_info::ClassInfo;
use bytecode::names::{ClassName, FieldType};
use bytecode::problem::ProblemKind;
use bytecode::world::{Scope, World, WorldProblem};
use engine::target::with_nested;

use crate::failure::Failure;
use crate::near::near;
use crate::pattern::Pattern;

/// A TARGET, understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spec {
    /// A jar or a folder; it joins the class path.
    File(PathBuf),
    Pattern(Pattern),
}

impl Spec {
    pub fn parse(text: &str) -> Result<Spec, Failure> {
        let path = Path::new(text);
        if path.is_dir() || (path.is_file() && !text.ends_with(".class")) {
            return Ok(Spec::File(path.to_path_buf()));
        }
        let looks_like_file = text.ends_with(".jar") || text.ends_with('/') || text.starts_with(['/', '.']);
        if looks_like_file {
            let cause = match std::fs::metadata(path) {
                Ok(_) => "it is neither a jar nor a folder".to_string(),
                Err(e) => e.to_string(),
            };
            return Err(Failure::UnreadableInput { path: path.to_path_buf(), cause });
        }
        Pattern::parse(text).map(Spec::Pattern).map_err(Failure::Usage)
    }
}

/// One suite to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub class: ClassName,
    /// The class and its nested classes, whose code counts as its own.
    pub classes: Vec<ClassName>,
    /// Asked for by name, so it is tried whatever it is.
    pub named: bool,
}

/// Why a class gets no suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skip(pub String);

/// The classes the specs mean, each once, sorted. `names_in` lists the classes of a jar or folder of the class path.
pub fn select(
    world: &World,
    specs: &[Spec],
    names_in: impl Fn(&Path) -> Result<Vec<ClassName>, Failure>,
) -> Result<Vec<Target>, Failure> {
    let mut named = BTreeSet::new();
    let mut swept = BTreeSet::new();
    for spec in specs {
        match spec {
            Spec::Pattern(Pattern::Class(name)) => {
                named.insert(find(world, name)?);
            }
            Spec::Pattern(pattern) => {
                let matching = |scope| world.names(scope).iter().filter(|n| pattern.matches(&n.binary())).cloned();
                let mut found: Vec<ClassName> = matching(Scope::Application).collect();
                if found.is_empty() {
                    found = matching(Scope::Platform).collect();
                }
                let before = swept.len();
                swept.extend(found.into_iter().filter(|n| is_top_level(world, n) && is_testable_kind(world, n)));
                if swept.len() == before {
                    let what = format!("{pattern} matches no class on the class path that can be tested");
                    return Err(Failure::EmptyTarget { what });
                }
            }
            Spec::File(path) => {
                let found = names_in(path)?;
                let before = swept.len();
                swept.extend(found.into_iter().filter(|n| is_top_level(world, n) && is_testable_kind(world, n)));
                if swept.len() == before {
                    let what = format!("{} holds no class files that can be tested", path.display());
                    return Err(Failure::EmptyTarget { what });
                }
            }
        }
    }
    let all: BTreeSet<ClassName> = named.union(&swept).cloned().collect();
    Ok(all
        .into_iter()
        .map(|class| Target { named: named.contains(&class), classes: with_nested(world, &class), class })
        .collect())
}

/// The class a name means: exact, or with dots for the nesting.
fn find(world: &World, name: &str) -> Result<ClassName, Failure> {
    let mut candidate = name.to_string();
    loop {
        let class = ClassName::from_binary(&candidate);
        match world.class(&class) {
            Err(WorldProblem::Missing { .. }) => {}
            Ok(info) if info.name != class => {
                return Err(no_such(name, vec![whereabouts(world, &class)]));
            }
            // What is wrong with it is said when it is tested.
            Ok(_) | Err(WorldProblem::Malformed { .. }) => return Ok(class),
        }
        match candidate.rfind('.') {
            Some(dot) => candidate.replace_range(dot..=dot, "$"),
            None => break,
        }
    }
    let names: Vec<String> = world.names(Scope::Application).iter().map(ClassName::binary).collect();
    let mut close = near(name, names.iter().map(String::as_str));
    if close.is_empty() {
        let platform: Vec<String> = world.names(Scope::Platform).iter().map(ClassName::binary).collect();
        close = near(name, platform.iter().map(String::as_str));
    }
    Err(no_such(name, close.iter().map(|n| whereabouts(world, &ClassName::from_binary(n))).collect()))
}

fn no_such(name: &str, near: Vec<String>) -> Failure {
    Failure::NoSuchClass { name: name.to_string(), near, absent: Vec::new() }
}

/// The class's name; with the right folder if the class path names one above it, so that the file has another name than the class in it.
fn whereabouts(world: &World, class: &ClassName) -> String {
    let real = world.class(class).map_or_else(|_| class.clone(), |info| info.name.clone());
    let root = class.internal().strip_suffix(real.internal()).unwrap_or_default().trim_end_matches('/');
    if root.is_empty() { real.binary() } else { format!("{} with --classpath …/{root}", real.binary()) }
}

fn is_top_level(world: &World, name: &ClassName) -> bool {
    // A class that cannot be read is kept, so that its trouble is reported.
    world.class(name).map_or(true, |c| c.nesting.is_none())
}

fn is_testable_kind(world: &World, name: &ClassName) -> bool {
    let simple = name.simple_binary();
    if simple == "package-info" || simple == "module-info" {
        return false;
    }
    world.class(name).map_or(true, |c| !c.access.has(Access::ANNOTATION) && !c.access.is_synthetic())
}

/// Troubles that can be seen before anything runs. `Ok(Some)`: nothing to do, and why.
pub fn preflight(world: &World, target: &Target, jdk: &str, max_major: u16) -> Result<Option<Skip>, Failure> {
    let class = target.class.binary();
    if is_platform(world, &target.class)
        && let Some(why) = why_not_measurable(world, &target.class)
    {
        return Err(Failure::Platform { class, why });
    }
    let info = world.class(&target.class).map_err(|p| trouble(&class, p, jdk, max_major))?;
    if info.version.0 > max_major {
        return Err(too_new(class, info.version.0, jdk, max_major));
    }
    if let Some(missing) = missing_supertype(world, &target.class) {
        return Err(Failure::MissingDependency { class, missing });
    }
    let code = target.classes.iter().filter_map(|c| world.class(c).ok()).any(|c| has_code(&c));
    if !code {
        return Ok(Some(Skip("it has no code".to_string())));
    }
    if info.is_abstract() && !usable_without_instance(&info) {
        let implemented = Scope::ALL.iter().any(|&scope| {
            world.implementors(&target.class, scope).iter().any(|n| world.class(n).is_ok_and(|c| !c.is_abstract()))
        });
        let lambda = info.is_interface() && world.functional_method(&target.class).is_some();
        if !implemented && !lambda {
            let kind = if info.is_interface() { "an interface" } else { "abstract" };
            return Err(Failure::NotInstantiable { class, kind });
        }
    }
    Ok(None)
}

/// Classes of the JDK are tested from outside, in a package of ours.
pub fn is_platform(world: &World, class: &ClassName) -> bool {
    !world.is_application(class) && world.class(class).is_ok()
}

/// Why a class of the JDK cannot be a target.
fn why_not_measurable(world: &World, class: &ClassName) -> Option<&'static str> {
    let package = class.package();
    if package == "java/lang" || package.starts_with("java/lang/") {
        return Some("the code that measures stands on java.lang itself");
    }
    let accessible = world.is_accessible_everywhere(class);
    (!accessible).then_some("it is not public or its package is not exported, so that no test could name it")
}

fn trouble(class: &str, problem: WorldProblem, jdk: &str, max_major: u16) -> Failure {
    match problem {
        WorldProblem::Missing { name } => {
            Failure::MissingDependency { class: class.to_string(), missing: name.binary() }
        }
        WorldProblem::Malformed { name, problem } => match problem.kind {
            ProblemKind::Version { major, .. } if major > max_major => too_new(name.binary(), major, jdk, max_major),
            _ => Failure::Malformed { name: name.binary(), cause: problem.to_string() },
        },
    }
}

fn too_new(class: String, version: u16, jdk: &str, max_major: u16) -> Failure {
    Failure::ClassTooNew {
        class,
        version,
        java: version.saturating_sub(44),
        jdk: jdk.to_string(),
        max_java: max_major.saturating_sub(44),
    }
}

fn missing_supertype(world: &World, class: &ClassName) -> Option<String> {
    world
        .all_supertypes(class)
        .iter()
        .find(|s| matches!(world.class(s), Err(WorldProblem::Missing { .. })))
        .map(ClassName::binary)
}

fn has_code(info: &ClassInfo) -> bool {
    info.methods.iter().any(|m| m.has_code && !m.access.is_synthetic())
}

/// Static methods, or nested classes that stand on their own, can be tested although nothing can be made of the class itself.
fn usable_without_instance(info: &ClassInfo) -> bool {
    let statics = info
        .methods
        .iter()
        .any(|m| m.has_code && m.access.is_static() && !m.access.is_private() && !m.is_class_initializer());
    statics || !info.members.is_empty()
}

/// Classes that `target` refers to and nobody has: its methods that need them cannot be tested. Sorted, binary names.
pub fn missing_references(world: &World, target: &Target) -> Vec<String> {
    let mut referred: BTreeSet<ClassName> = BTreeSet::new();
    let mut see = |t: &FieldType| {
        let mut t = t;
        while let FieldType::Array(element) = t {
            t = element;
        }
        if let FieldType::Class(name) = t {
            referred.insert(name.clone());
        }
    };
    let mut owners = BTreeSet::new();
    for class in &target.classes {
        let Ok(info) = world.class(class) else {
            continue;
        };
        info.fields.iter().for_each(|f| see(&f.field_type));
        for method in &info.methods {
            method.descriptor.params.iter().for_each(&mut see);
            method.descriptor.result.iter().for_each(&mut see);
            owners.extend(method.throws.iter().cloned());
        }
        if let Ok(facts) = world.facts(class) {
            owners.extend(facts.methods.iter().flat_map(|m| &m.calls).filter_map(|c| c.class().cloned()));
        }
    }
    referred.extend(owners);
    referred
        .iter()
        .filter(|n| matches!(world.class(n), Err(WorldProblem::Missing { .. })))
        .map(ClassName::binary)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_names_are_told_apart() {
        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path().to_str().unwrap().to_string();
        assert_eq!(Spec::parse(&folder).unwrap(), Spec::File(temp.path().to_path_buf()));
        assert_eq!(Spec::parse("a.b.C").unwrap(), Spec::Pattern(Pattern::Class("a.b.C".to_string())));
        assert_eq!(Spec::parse("a.b.**").unwrap(), Spec::Pattern(Pattern::Tree("a.b".to_string())));
        assert!(matches!(Spec::parse("no/such.jar"), Err(Failure::UnreadableInput { .. })));
        assert!(matches!(Spec::parse("/no/such/folder"), Err(Failure::UnreadableInput { .. })));
        assert!(matches!(Spec::parse("a..b"), Err(Failure::Usage(_))));
    }
}
