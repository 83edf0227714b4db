//! What a run works on: the JDK, the class path, all classes there are, the classes to test. Owns finding and opening them; runs nothing.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytecode::names::ClassName;
use bytecode::world::World;
use exec::classpath::{ClassPath, ClassPathProblem, PlatformClasses};
use exec::jdk::Jdk;

use crate::args::JUnit;
use crate::failure::Failure;
use crate::selection::{Spec, Target, select};

/// Opened and understood; nothing was run yet.
pub struct Project {
    pub jdk: Jdk,
    pub classpath: Arc<ClassPath>,
    pub world: Arc<World>,
    pub targets: Vec<Target>,
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
                expand(&entry, &mut paths);
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
        let targets = selected?;
        Ok(Project { jdk, classpath, world, targets, warnings })
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
