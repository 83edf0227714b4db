//! Why the command cannot go on, in words for the user. Owns message, hint and exit code of each case; prints nothing.

use std::path::PathBuf;
use std::time::Duration;

use crate::exit_code::ExitCode;

/// Ends the command, or one class's part of it.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error("{0}")]
    Usage(String),
    #[error("no class {name} on the class path")]
    NoSuchClass { name: String, near: Vec<String>, absent: Vec<PathBuf> },
    #[error("{message}")]
    NoJdk { message: String, hint: Option<String> },
    #[error("{class} has class-file version {version} (Java {java}), but {jdk} runs only up to Java {max_java}")]
    ClassTooNew { class: String, version: u16, java: u16, jdk: String, max_java: u16 },
    #[error("cannot read {}: {cause}", path.display())]
    UnreadableInput { path: PathBuf, cause: String },
    #[error("{name} is not a well-formed class file: {cause}")]
    Malformed { name: String, cause: String },
    #[error("nothing to test: {what}")]
    EmptyTarget { what: String },
    #[error("{class} belongs to the JDK and cannot be tested: {why}")]
    Platform { class: String, why: &'static str },
    #[error("{class} is {kind}, and nothing on the class path implements it")]
    NotInstantiable { class: String, kind: &'static str },
    #[error("{class} cannot be loaded: it needs {missing}, which is not on the class path")]
    MissingDependency { class: String, missing: String },
    #[error("cannot write {}: {cause}", path.display())]
    OutputNotWritable { path: PathBuf, cause: String },
    #[error("{} exists and was not made by testudo", path.display())]
    OutputNotOurs { path: PathBuf },
    #[error("no room to write {}: {cause}", path.display())]
    DiskFull { path: PathBuf, cause: String },
    #[error("another testudo run is writing to {}", path.display())]
    OutputInUse { path: PathBuf },
    #[error("{message}")]
    WorkerFailed { message: String, hint: Option<String> },
    #[error("compiling the tests took longer than {limit:?}")]
    CompilerTooSlow { limit: Duration },
    #[error("the test sources do not compile:{}", listed(messages))]
    SuiteRefused { messages: Vec<String> },
    #[error("{what}")]
    NoTests { what: String, hint: String },
    #[error("no test could be delivered{}: {why}", of_classes(*classes))]
    NothingDelivered { classes: usize, why: String },
    #[error("the tests cannot be run: {missing}")]
    NoJUnit { missing: String },
    #[error("{} was changed while the tests ran; no file was touched", path.display())]
    SourcesChanged { path: PathBuf },
    #[error("layers of the sandbox are missing: {missing}")]
    SandboxMissing { missing: String },
    #[error("interrupted; nothing was changed")]
    Interrupted,
    #[error("the solver `{command}` cannot be used: {cause}")]
    UnusableSolver { command: String, cause: String },
    #[error("internal error: {message}")]
    Internal { message: String, seed: u64 },
}

impl Failure {
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Failure::Usage(_) | Failure::UnusableSolver { .. } => ExitCode::Usage,
            Failure::NoSuchClass { .. } => ExitCode::NoSuchClass,
            Failure::NoJdk { .. } => ExitCode::NoJdk,
            Failure::ClassTooNew { .. } => ExitCode::ClassTooNew,
            Failure::UnreadableInput { .. } | Failure::Malformed { .. } => ExitCode::UnreadableInput,
            Failure::EmptyTarget { .. } | Failure::Platform { .. } => ExitCode::EmptyTarget,
            Failure::NotInstantiable { .. } => ExitCode::NotInstantiable,
            Failure::MissingDependency { .. } => ExitCode::MissingDependency,
            Failure::OutputNotWritable { .. } | Failure::OutputNotOurs { .. } => ExitCode::OutputNotWritable,
            Failure::DiskFull { .. } => ExitCode::DiskFull,
            Failure::OutputInUse { .. } => ExitCode::OutputInUse,
            Failure::WorkerFailed { .. } | Failure::CompilerTooSlow { .. } => ExitCode::WorkerFailed,
            Failure::SuiteRefused { .. } => ExitCode::SuiteRefused,
            Failure::NoTests { .. } => ExitCode::NoTests,
            Failure::NothingDelivered { .. } => ExitCode::NothingDelivered,
            Failure::NoJUnit { .. } => ExitCode::MissingDependency,
            Failure::SourcesChanged { .. } => ExitCode::OutputNotWritable,
            Failure::SandboxMissing { .. } => ExitCode::SandboxMissing,
            Failure::Interrupted => ExitCode::Interrupted,
            Failure::Internal { .. } => ExitCode::Internal,
        }
    }

    /// What the user can do about it.
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            Failure::Usage(_) => "run `testudo --help` for the options".to_string(),
            Failure::NoSuchClass { absent, .. } if !absent.is_empty() => {
                let absent: Vec<String> = absent.iter().map(|p| p.display().to_string()).collect();
                format!("--classpath names {}, which does not exist", absent.join(" and "))
            }
            Failure::NoSuchClass { near, .. } if near.is_empty() => {
                "name the folder or jar that holds it with --classpath".to_string()
            }
            Failure::NoSuchClass { near, .. } => format!("did you mean {}?", near.join(" or ")),
            Failure::NoJdk { hint, .. } | Failure::WorkerFailed { hint, .. } => return hint.clone(),
            Failure::ClassTooNew { java, .. } => format!("use a JDK {java} or newer: --jdk HOME"),
            Failure::UnreadableInput { .. } => {
                "check that it exists and is a whole jar file or a folder of class files".to_string()
            }
            Failure::Malformed { .. } => "compile it again, or leave it out of the target".to_string(),
            Failure::EmptyTarget { .. } => {
                "a target is a class name, a pattern such as `com.acme.**`, a jar or a folder of compiled classes"
                    .to_string()
            }
            Failure::Platform { .. } => "copy the class into a package of its own to test it".to_string(),
            Failure::NotInstantiable { .. } => "add a class that implements it to the class path".to_string(),
            Failure::MissingDependency { .. } => "add the jar that holds it to --classpath".to_string(),
            Failure::OutputNotWritable { .. } => "choose another folder with --out".to_string(),
            Failure::OutputNotOurs { .. } => {
                "choose a new or empty folder with --out; testudo replaces only folders it wrote itself".to_string()
            }
            Failure::DiskFull { .. } => {
                "free some space or choose another disk with --out; files already written are whole".to_string()
            }
            Failure::OutputInUse { .. } => "wait for it to end, or choose another folder with --out".to_string(),
            Failure::CompilerTooSlow { .. } => "give it more time with --budget, or less to do with --jobs 1".to_string(),
            Failure::SuiteRefused { .. } => {
                "name everything the tests need with --classpath, or compile them yourself and name the folder with --tests"
                    .to_string()
            }
            Failure::NoTests { hint, .. } => hint.clone(),
            Failure::NothingDelivered { .. } => {
                "report.json in the output folder says for every method why it has no test".to_string()
            }
            Failure::SourcesChanged { .. } => "run the command again, or leave --in-place away".to_string(),
            Failure::SandboxMissing { .. } => {
                "run it on a machine or in a container where `testudo doctor` finds them all, or leave --require-sandbox away"
                    .to_string()
            }
            Failure::Interrupted => return None,
            Failure::NoJUnit { .. } => {
                "add the jars of the JUnit that the tests use to --classpath (JUnit 5: junit-jupiter and what it needs, or junit-platform-console-standalone)"
                    .to_string()
            }
            Failure::UnusableSolver { .. } => {
                "name a program that reads SMT-LIB from its input, with its options: `z3 -in`, `cvc5 --lang smt2 --produce-models`; without --solver our own is used"
                    .to_string()
            }
            Failure::Internal { seed, .. } => format!("please report this with the class and --seed {seed}"),
        })
    }

    /// An error of the file system while writing `path`.
    pub fn writing(path: impl Into<PathBuf>, error: &std::io::Error) -> Failure {
        use std::io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        let (path, cause) = (path.into(), error.to_string());
        match error.kind() {
            StorageFull | QuotaExceeded | FileTooLarge => Failure::DiskFull { path, cause },
            _ => Failure::OutputNotWritable { path, cause },
        }
    }
}

fn of_classes(n: usize) -> String {
    if n == 1 { String::new() } else { format!(" for any of {n} classes") }
}

/// The first of javac's messages; more than these nobody reads at once.
fn listed(messages: &[String]) -> String {
    const SHOWN: usize = 10;
    let mut text: String = messages.iter().take(SHOWN).map(|m| format!("\n  {m}")).collect();
    if messages.len() > SHOWN {
        text.push_str(&format!("\n  and {} more", messages.len() - SHOWN));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_disk_is_told_from_other_troubles() {
        use std::io::Write;
        let mut full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let error = full.write_all(b"x").unwrap_err();
        assert_eq!(Failure::writing("/dev/full", &error).exit_code(), ExitCode::DiskFull);
        let error = std::fs::write("/proc/nothing-here", "x").unwrap_err();
        assert_eq!(Failure::writing("/proc/nothing-here", &error).exit_code(), ExitCode::OutputNotWritable);
    }
}
