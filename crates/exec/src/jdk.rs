//! Finding JDKs on this machine. Owns where they are looked for and what is known about each; never runs user code.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// An installed Java run-time, found and understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jdk {
    /// With links resolved.
    pub home: PathBuf,
    /// 8, 11, 17, 25, …
    pub feature: u16,
    /// As the JDK spells it: `17.0.15`.
    pub version: String,
    pub has_javac: bool,
    pub platform: Platform,
}

/// Where the JDK's own classes are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Platform {
    /// `lib/modules`, Java 9 and later.
    Image(PathBuf),
    /// `jre/lib/rt.jar`, Java 8.
    Jar(PathBuf),
}

/// Why there is no JDK to use.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JdkProblem {
    #[error("no JDK was found: install one (17 or later), or name its folder with --jdk or JAVA_HOME")]
    NoneFound,
    #[error("{home} is no JDK: it has no bin/java. Give the folder that contains bin/ and lib/")]
    NoJava { home: PathBuf },
    #[error("{home} has neither lib/modules nor jre/lib/rt.jar, so its classes cannot be read. Use a complete JDK")]
    NoPlatformClasses { home: PathBuf },
    #[error("the version of the JDK in {home} cannot be told: {detail}")]
    NoVersion { home: PathBuf, detail: String },
    #[error(
        "the JDK in {home} is a run-time without javac; tests cannot be compiled. Install the JDK package, or name one with --jdk"
    )]
    NoJavac { home: PathBuf },
    #[error(
        "Java {feature} in {home} is too old: 17 or later is needed to run the tool (tests may still target older ones)"
    )]
    TooOld { home: PathBuf, feature: u16 },
}

/// Oldest JVM the worker runs on.
pub const OLDEST: u16 = 17;

impl Jdk {
    /// Looks at one folder.
    pub fn at(home: &Path) -> Result<Jdk, JdkProblem> {
        let home = home.canonicalize().unwrap_or_else(|_| home.to_owned());
        if !java_in(&home).is_file() {
            return Err(JdkProblem::NoJava { home });
        }
        let (image, jar) = (home.join("lib/modules"), home.join("jre/lib/rt.jar"));
        let platform = if image.is_file() {
            Platform::Image(image)
        } else if jar.is_file() {
            Platform::Jar(jar)
        } else {
            return Err(JdkProblem::NoPlatformClasses { home });
        };
        let version = version(&home)?;
        let feature = feature(&version)
            .ok_or_else(|| JdkProblem::NoVersion { home: home.clone(), detail: format!("`{version}`") })?;
        let has_javac = home.join("bin").join(exe("javac")).is_file();
        Ok(Jdk { home, feature, version, has_javac, platform })
    }

    /// The JDK to use: the one named, else `JAVA_HOME`'s, else the first on `PATH`, else the newest in the usual folders.
    /// One that is named but unusable is an error; the others are passed over.
    pub fn find(named: Option<&Path>) -> Result<Jdk, JdkProblem> {
        let usable = |jdk: Jdk| -> Result<Jdk, JdkProblem> {
            if jdk.feature < OLDEST {
                return Err(JdkProblem::TooOld { home: jdk.home, feature: jdk.feature });
            }
            if !jdk.has_javac {
                return Err(JdkProblem::NoJavac { home: jdk.home });
            }
            Ok(jdk)
        };
        if let Some(home) = named {
            return Jdk::at(home).and_then(usable);
        }
        let mut first_problem = None;
        for home in candidates() {
            match Jdk::at(&home).and_then(usable) {
                Ok(jdk) => return Ok(jdk),
                Err(JdkProblem::NoJava { .. }) => {}
                Err(problem) => {
                    first_problem.get_or_insert(problem);
                }
            }
        }
        Err(first_problem.unwrap_or(JdkProblem::NoneFound))
    }

    /// Every usable JDK, each once, in the order [`Jdk::find`] would take them.
    pub fn all() -> Vec<Jdk> {
        let mut found: Vec<Jdk> = Vec::new();
        for jdk in candidates().iter().filter_map(|home| Jdk::at(home).ok()) {
            if jdk.feature >= OLDEST && jdk.has_javac && !found.iter().any(|f| f.home == jdk.home) {
                found.push(jdk);
            }
        }
        found
    }

    pub fn java(&self) -> PathBuf {
        java_in(&self.home)
    }

    /// The newest class-file version this JVM loads.
    pub fn max_class_version(&self) -> u16 {
        self.feature + 44
    }
}

fn exe(name: &str) -> String {
    format!("{name}{}", std::env::consts::EXE_SUFFIX)
}

fn java_in(home: &Path) -> PathBuf {
    home.join("bin").join(exe("java"))
}

fn candidates() -> Vec<PathBuf> {
    let mut homes: Vec<PathBuf> = std::env::var_os("JAVA_HOME").map(PathBuf::from).into_iter().collect();
    if let Some(path) = std::env::var_os("PATH") {
        for folder in std::env::split_paths(&path) {
            let java = folder.join(exe("java")).canonicalize();
            homes.extend(java.ok().and_then(|j| j.parent()?.parent().map(Path::to_owned)));
        }
    }
    let mut installed: Vec<Jdk> = Vec::new();
    let user = std::env::var_os("HOME").map(PathBuf::from);
    let mut parents: Vec<PathBuf> =
        ["/usr/lib/jvm", "/usr/java", "/opt/java", "/opt/jdk", "/usr/local/java", "/Library/Java/JavaVirtualMachines"]
            .map(PathBuf::from)
            .to_vec();
    if let Some(user) = &user {
        parents.extend([".sdkman/candidates/java", ".jdks", "Library/Java/JavaVirtualMachines"].map(|p| user.join(p)));
    }
    for parent in parents {
        let Ok(entries) = fs::read_dir(parent) else {
            continue;
        };
        for entry in entries.flatten() {
            let folder = entry.path();
            installed.extend([folder.clone(), folder.join("Contents/Home")].iter().filter_map(|h| Jdk::at(h).ok()));
        }
    }
    installed.sort_by(|a, b| (b.feature, &a.home).cmp(&(a.feature, &b.home)));
    homes.extend(installed.into_iter().map(|jdk| jdk.home));
    homes
}

/// From the `release` file; a JDK without one is asked.
fn version(home: &Path) -> Result<String, JdkProblem> {
    if let Ok(text) = fs::read_to_string(home.join("release")) {
        let line = text.lines().find_map(|l| l.strip_prefix("JAVA_VERSION="));
        if let Some(value) = line {
            return Ok(value.trim().trim_matches('"').to_owned());
        }
    }
    let fail = |detail: String| JdkProblem::NoVersion { home: home.to_owned(), detail };
    // Options of the environment may load code.
    let output = Command::new(java_in(home)).arg("-version").env_clear().output().map_err(|e| fail(e.to_string()))?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    text.split('"').nth(1).map(str::to_owned).ok_or_else(|| fail(text.lines().next().unwrap_or("no output").to_owned()))
}

/// `17.0.15` → 17, `1.8.0_402` → 8, `25-ea` → 25.
fn feature(version: &str) -> Option<u16> {
    let mut parts = version.split(|c: char| !c.is_ascii_digit());
    match parts.next()?.parse().ok()? {
        1 => parts.next()?.parse().ok(),
        feature => Some(feature),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_understood() {
        for (text, expected) in
            [("17.0.15", Some(17)), ("1.8.0_402", Some(8)), ("25", Some(25)), ("26-ea", Some(26)), ("x", None)]
        {
            assert_eq!(feature(text), expected, "{text}");
        }
    }

    #[test]
    fn a_folder_without_java_is_refused_with_its_name() {
        let problem = Jdk::find(Some(Path::new("/nowhere/at/all"))).unwrap_err();
        assert_eq!(problem, JdkProblem::NoJava { home: "/nowhere/at/all".into() });
        assert!(problem.to_string().contains("/nowhere/at/all is no JDK"));
    }

    #[test]
    fn all_jdks_here_can_be_used() {
        let all = Jdk::all();
        assert!(!all.is_empty(), "{}", JdkProblem::NoneFound);
        for jdk in all {
            assert!(jdk.max_class_version() >= 61, "{jdk:?}");
            assert_eq!(Jdk::find(Some(&jdk.home)).unwrap(), jdk);
        }
    }
}
