//! How a JVM for a suite is started. Owns its command line, folders and rights; says nothing to it but the first word.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use super::SuiteConfig;
use super::frameworks::Frameworks;
use super::instrumenter::Instrumenter;
use crate::folder::Folder;
use crate::process::{Answer, Launch, Process};
use crate::protocol::writer::Writer;
use crate::protocol::{kind, suite};
use crate::worker::{common_flags, environment, policy};

/// A running JVM and the folder that goes with it.
#[derive(Debug)]
pub struct Jvm {
    pub process: Process,
    /// Goes after the process.
    _folder: Folder,
}

impl Jvm {
    pub fn start(
        config: &SuiteConfig,
        frameworks: Frameworks,
        generation: u32,
        code: &Arc<Mutex<Instrumenter>>,
    ) -> io::Result<Jvm> {
        let folder = Folder::make(&config.scratch, "suite", generation)?;
        let mut policy = policy(&config.jdk, &config.runtime.worker, &folder, config.heap_mb);
        policy.readable.extend(config.classpath.iter().cloned());
        policy.readable.extend([config.runtime.adapters.clone(), config.runtime.junit.clone()]);
        policy.readable.extend(config.folder.iter().cloned());
        let launch = Launch {
            program: config.jdk.java(),
            args: arguments(config, frameworks, &folder)?,
            env: environment(&folder),
            folder: config.folder.clone().unwrap_or_else(|| folder.work()),
            output: folder.output(),
            sandbox: config.sandboxed.then_some(policy),
        };
        let process = Process::start(launch, answer(code.clone()))?;
        Ok(Jvm { process, _folder: folder })
    }
}

/// Gives code to the JVM, from the thread that reads what it says.
fn answer(code: Arc<Mutex<Instrumenter>>) -> Answer {
    let mut writer = Writer::default();
    Box::new(move |frame, payload| {
        if frame != kind::NEED_CODE {
            return None;
        }
        // An unreadable request is left to the conversation, which ends the JVM for it.
        let (name, bytes) = suite::need_code(payload).ok()?;
        let code = code.lock().unwrap_or_else(PoisonError::into_inner).code(&name, bytes);
        writer.clear();
        suite::code(&mut writer, code.as_deref());
        Some(writer.take())
    })
}

fn arguments(config: &SuiteConfig, frameworks: Frameworks, folder: &Folder) -> io::Result<Vec<OsString>> {
    let mut args = common_flags(folder, config.heap_mb);
    if config.needs.equals_reads || config.needs.equals_classes {
        // Code that the JIT compiler puts in the place of these comparisons would report no reads.
        args.extend(["-XX:+UnlockDiagnosticVMOptions", "-XX:DisableIntrinsic=_equalsB,_equalsC"].map(OsString::from));
    }
    // The boot loader holds the only copy of the hooks, where every class sees them.
    for flag in ["-javaagent:", "-Xbootclasspath/a:"] {
        let mut flag = OsString::from(flag);
        flag.push(&config.runtime.worker);
        args.push(flag);
    }
    for package in ["misc", "util", "access", "reflect"] {
        args.extend(["--add-exports".into(), format!("java.base/jdk.internal.{package}=ALL-UNNAMED").into()]);
    }
    args.extend(config.flags.iter().cloned());
    let mut entries: Vec<PathBuf> = config.classpath.iter().map(std::path::absolute).collect::<Result<_, _>>()?;
    entries.push(config.runtime.adapters.clone());
    if frameworks.stand_in {
        entries.push(config.runtime.junit.clone());
    }
    let classpath = std::env::join_paths(entries).map_err(io::Error::other)?;
    args.extend(["-cp".into(), classpath, "testudo.runtime.Suite".into()]);
    Ok(args)
}
