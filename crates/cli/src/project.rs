//! What a run works on: the JDK, the class path, all classes there are, the classes to test. Owns finding and opening them; runs nothing.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytecode::names::ClassName;
use bytecode::world::World;
use exec::classpath::{ClassPath, ClassPathProblem, Closed, PlatformClasses};
use exec::jdk::Jdk;
use testcase::suite_name::{SuiteName, suite_names};

use crate::args::JUnit;
use crate::failure::Failure;
use crate::selection::{Spec, Target, is_platform, select};

/// Opened and understood; nothing was run yet.
pub struct Project {
    pub jdk: Jdk,
    pub classpath: Arc<ClassPath>,
    pub world: Arc<World>,
    pub targets: Vec<Target>,
    /// Where the suite of each target goes.
    pub suites: BTreeMap<ClassName, SuiteName>,
    /// Things the user should know that stop nothing.
    pub warnings: Vec<String>,
}

impl Project {
    pub fn open(jdk: Option<&Path>, targets: &[String], classpath: &[String]) -> Result<Project, Failure> {
        let specs = targets.iter().map(|t| Spec::parse(t)).collect::<Result<Vec<Spec>, Failure>>()?;
        let jdk = Jdk::find(jdk).map_err(|p| Failure::NoJdk { message: p.to_string(), hint: None })?;
        let platform =
            PlatformClasses::open(&jdk).map_err(|p| Failure::NoJdk { message: p.to_string(), hint: None })?;
        let mut paths = Vec::new();
        for text in classpath {
            for entry in std::env::split_paths(text).filter(|p| !p.as_os_str().is_empty()) {
                // Children run in folders of their own.
                expand(&std::path::absolute(&entry).unwrap_or(entry), &mut paths);
            }
        }
        for spec in &specs {
            if let Spec::File(path) = spec {
                paths.push(path.clone());
            }
        }
        if paths.is_empty() {
            // As `java` does.
            paths.push(PathBuf::from("."));
        }
        let mut unique: Vec<PathBuf> = Vec::new();
        for path in paths {
            if !unique.contains(&path) {
                unique.push(path);
            }
        }
        let (classpath, problems) = ClassPath::open(&unique, &jdk, Arc::new(platform));
        let mut warnings = Vec::new();
        let mut absent_paths = Vec::new();
        for problem in problems {
            match problem {
                // Build tools name folders that were never made; the JVM does not mind them either.
                ClassPathProblem::Missing { ref path } => {
                    absent_paths.push(path.clone());
                    warnings.push(problem.to_string());
                }
                ClassPathProblem::Unreadable { path, cause } => {
                    return Err(Failure::UnreadableInput { path, cause: cause.to_string() });
                }
                ClassPathProblem::BadJar { path, cause } => {
                    let cause = format!("it is no whole jar ({cause})");
                    return Err(Failure::UnreadableInput { path, cause });
                }
                ClassPathProblem::NeitherFolderNorJar { path } => {
                    return Err(Failure::UnreadableInput {
                        path,
                        cause: "it is neither a folder nor a jar".to_string(),
                    });
                }
                ClassPathProblem::PlatformUnreadable { .. } | ClassPathProblem::BadImage { .. } => {
                    return Err(Failure::NoJdk { message: problem.to_string(), hint: None });
                }
            }
        }
        let classpath = Arc::new(classpath);
        let world = Arc::new(World::new(classpath.clone()));
        let mut selected = select(&world, &specs, |path| Ok(classpath.names_in(path)));
        if let Err(Failure::NoSuchClass { absent, .. }) = &mut selected {
            *absent = absent_paths;
        }
        let targets = selected.map_err(|failure| explained(&classpath, failure))?;
        let package = |class: &ClassName| package_of_tests(&classpath, is_platform(&world, class), class.package());
        let suites = suite_names(&*world, targets.iter().map(|t| (&t.class, package(&t.class))));
        Ok(Project { jdk, classpath, world, targets, suites, warnings })
    }

    /// Says of a class that is there and cannot be read what is wrong with it.
    pub fn explained(&self, failure: Failure) -> Failure {
        explained(&self.classpath, failure)
    }

    /// Where the suite of this target goes.
    pub fn suite_name(&self, target: &ClassName) -> Result<&SuiteName, Failure> {
        let nameless =
            || Failure::Internal { message: format!("{} has no name for its suite", target.binary()), seed: 0 };
        self.suites.get(target).ok_or_else(nameless)
    }

    /// Why the tests of this class are not in its package, in words, if so and if it is the jar's doing.
    pub fn why_elsewhere(&self, class: &ClassName) -> Option<String> {
        let package = class.package();
        let (closed, jar) = self.classpath.closed(package).filter(|_| !is_platform(&self.world, class))?;
        let jar = jar.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let because = match closed {
            Closed::Signed => "its classes are signed, and the JVM lets no others join them",
            Closed::Sealed => "the jar seals it",
        };
        let (package, tests) = (package.replace('/', "."), elsewhere(package).replace('/', "."));
        let package = if package.is_empty() { "the unnamed package".to_string() } else { package };
        Some(format!(
            "tests are in the package {tests} and use what is public: {package} of {jar} is closed, because {because}"
        ))
    }

    /// Whether the class path brings the JUnit that the tests need, in a version that has what they call.
    pub fn has_junit(&self, version: JUnit) -> bool {
        let class = match version {
            JUnit::Four => "org/junit/Assert",
            JUnit::Five => "org/junit/jupiter/api/Assertions",
        };
        let has = |name: &str| {
            self.world.class(&ClassName::new(class)).is_ok_and(|c| c.methods.iter().any(|m| m.name == name))
        };
        match version {
            JUnit::Four => has("assertThrows"),
            JUnit::Five => has("assertInstanceOf"),
        }
    }
}

/// Where tests of classes in this package go, in internal form: to the same one, unless nobody may add classes to it.
fn package_of_tests(classpath: &ClassPath, platform: bool, package: &str) -> String {
    match (platform, classpath.closed(package)) {
        (true, _) if !package.starts_with("testudo/") => format!("testudo/{package}"),
        (false, Some(_)) => elsewhere(package),
        _ => package.to_owned(),
    }
}

/// The package for tests of one that is closed: below it, so that patterns of build tools and of reviewers that name it hold for its tests.
fn elsewhere(package: &str) -> String {
    let separator = if package.is_empty() { "" } else { "/" };
    format!("{package}{separator}tests")
}

/// A class that is there and cannot be read is not missing.
fn explained(classpath: &ClassPath, failure: Failure) -> Failure {
    let name = match &failure {
        Failure::NoSuchClass { name, .. } | Failure::MissingDependency { missing: name, .. } => name,
        _ => return failure,
    };
    match classpath.damaged(ClassName::from_binary(name).internal()) {
        Some((path, cause)) => Failure::UnreadableInput { path, cause },
        None => failure,
    }
}

/// `lib/*` means every jar in `lib`, as for `java`.
fn expand(entry: &Path, paths: &mut Vec<PathBuf>) {
    if entry.file_name().is_some_and(|n| n == "*") {
        let folder = entry.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut jars: Vec<PathBuf> = std::fs::read_dir(folder)
            .map(|entries| {
                entries.flatten().map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "jar")).collect()
            })
            .unwrap_or_default();
        jars.sort();
        paths.extend(jars);
    } else {
        paths.push(entry.to_path_buf());
    }
}
