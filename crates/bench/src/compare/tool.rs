//! The tools of a comparison, each with its own best settings. Owns how they are called and where they leave their tests; judges nothing.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::subjects::Subject;
use crate::jdk::Jdk;
use crate::{Lab, Problem, command, files, memory};

/// Who writes tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tool {
    /// By this technique; the default one if none is named.
    Testudo(Option<String>),
    Randoop,
    EvoSuite,
}

/// What the peers need, as the user gave it.
pub struct Peers {
    pub randoop: Option<PathBuf>,
    pub evosuite: Option<PathBuf>,
    pub evosuite_jdk: Option<Jdk>,
}

/// What a tool left.
pub struct Written {
    pub sources: Vec<PathBuf>,
    /// What its tests need besides the classes and JUnit.
    pub needs: Vec<PathBuf>,
    pub wall: Duration,
    /// Of it and all its children together.
    pub peak_megabytes: f64,
    pub problem: Option<String>,
}

impl Tool {
    pub fn parse(text: &str) -> Result<Tool, Problem> {
        Ok(match text.split_once(':') {
            Some(("testudo", technique)) => Tool::Testudo(Some(technique.to_string())),
            None if text == "testudo" => Tool::Testudo(None),
            None if text == "randoop" => Tool::Randoop,
            None if text == "evosuite" => Tool::EvoSuite,
            _ => {
                let detail = "there are: testudo, testudo:TECHNIQUE, randoop, evosuite".to_string();
                return Err(Problem::Failed { what: format!("looking for a tool named {text}"), detail });
            }
        })
    }

    pub fn name(&self) -> String {
        match self {
            Tool::Testudo(None) => "testudo".to_string(),
            Tool::Testudo(Some(technique)) => format!("testudo:{technique}"),
            Tool::Randoop => "randoop".to_string(),
            Tool::EvoSuite => "evosuite".to_string(),
        }
    }

    /// Why it cannot take part, if it cannot.
    pub fn missing(&self, peers: &Peers) -> Option<&'static str> {
        match self {
            Tool::Randoop if peers.randoop.is_none() => Some("randoop is left out: give its jar with --randoop"),
            Tool::EvoSuite if peers.evosuite.is_none() || peers.evosuite_jdk.is_none() => {
                Some("evosuite is left out: give its jar with --evosuite and a JDK that it runs on with --evosuite-jdk")
            }
            _ => None,
        }
    }

    /// The JDK its tests run on.
    pub fn jdk<'a>(&self, lab: &'a Lab, peers: &'a Peers) -> &'a Jdk {
        match (self, &peers.evosuite_jdk) {
            (Tool::EvoSuite, Some(jdk)) => jdk,
            _ => lab.jdk(),
        }
    }

    /// Writes tests for a subject. `budget` is wall time for us and search time for the peers, as each understands it.
    pub fn write(
        &self,
        lab: &Lab,
        peers: &Peers,
        subject: &Subject,
        budget: u64,
        seed: u64,
        out: &Path,
    ) -> Result<Written, Problem> {
        files::renew(out)?;
        let mut class_path = vec![subject.classes.clone()];
        class_path.extend_from_slice(&subject.needs);
        let (mut call, sources, needs) = match self {
            Tool::Testudo(technique) => {
                let mut call = lab.product.command();
                call.arg("generate").arg(&subject.class).arg("--classpath").arg(files::join(&class_path));
                call.arg("--jdk").arg(&lab.jdk().home).arg("--seed").arg(seed.to_string());
                call.arg("--budget").arg(format!("{budget}s")).arg("--out").arg(out.join("out"));
                // `evolve/gp` is a technique with a style.
                if let Some(technique) = technique {
                    let (technique, style) = technique.split_once('/').unwrap_or((technique, ""));
                    call.arg("--technique").arg(technique);
                    if !style.is_empty() {
                        call.arg("--style").arg(style);
                    }
                }
                (call, out.join("out/tests"), Vec::new())
            }
            Tool::Randoop => {
                let jar = peers.randoop.clone().unwrap_or_default();
                class_path.insert(0, jar);
                let mut call = lab.jdk().java();
                call.arg("-cp").arg(files::join(&class_path)).args(["randoop.main.Main", "gentests"]);
                call.arg(format!("--testclass={}", subject.class)).arg(format!("--time-limit={budget}"));
                call.arg(format!("--randomseed={seed}")).arg("--no-error-revealing-tests=true");
                call.arg(format!("--junit-output-dir={}", out.join("out").display()));
                (call, out.join("out"), junit4(lab)?)
            }
            Tool::EvoSuite => {
                let jar = peers.evosuite.clone().unwrap_or_default();
                let mut call = self.jdk(lab, peers).java();
                call.current_dir(out).arg("-jar").arg(&jar).arg("-class").arg(&subject.class);
                call.arg("-projectCP").arg(files::join(&class_path)).arg(format!("-Dsearch_budget={budget}"));
                // With a class loader of its own its tests would hide what they cover.
                call.args(["-seed", &seed.to_string(), "-Duse_separate_classloader=false"]);
                call.arg("-base_dir").arg(out);
                let mut needs = vec![jar];
                needs.extend(junit4(lab)?);
                (call, out.join("evosuite-tests"), needs)
            }
        };
        let mut peak = 0.0_f64;
        let finished = watched(&mut call, out, budget, &mut peak)?;
        let sources = files::below(&sources, ".java")?;
        let problem = match () {
            () if finished.timed_out => Some("did not end".to_string()),
            () if sources.is_empty() => Some(format!("no tests: {}", finished.tail())),
            () => None,
        };
        Ok(Written { sources, needs, wall: finished.wall, peak_megabytes: peak, problem })
    }
}

fn watched(call: &mut Command, out: &Path, budget: u64, peak: &mut f64) -> Result<command::Finished, Problem> {
    // The slowest of them is known to take several times its search time.
    let limit = Duration::from_secs(budget * 10 + 300);
    let mut looked = Duration::ZERO;
    command::run_watched(call, &out.join("said"), limit, |pid, passed| {
        if passed >= looked {
            looked = passed + Duration::from_millis(200);
            *peak = peak.max(memory::held_by(pid));
        }
    })
}

fn junit4(lab: &Lab) -> Result<Vec<PathBuf>, Problem> {
    ["junit:junit:4.13.2", "org.hamcrest:hamcrest-core:1.3"].iter().map(|jar| lab.jars.fetch_plain(jar)).collect()
}

#[test]
fn tools_are_known_by_name() {
    for name in ["testudo", "testudo:evolve/gp", "randoop", "evosuite"] {
        assert_eq!(Tool::parse(name).map(|tool| tool.name()).ok().as_deref(), Some(name));
    }
    assert!(Tool::parse("evosweet").is_err());
}
