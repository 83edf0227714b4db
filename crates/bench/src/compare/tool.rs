//! The tools of a comparison, each with its own best settings. Owns how they are called and where they leave their tests; judges nothing.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::cell::Budget;
use super::subjects::Subject;
use crate::jdk::Jdk;
use crate::{Lab, Problem, command, files, memory};

/// Who writes tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tool {
    /// As it is by default.
    Testudo,
    /// By a technique with its arguments: `evolve --style gp`.
    Technique(String),
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

/// Tests that Randoop may write for a class.
const RANDOOP_TESTS: u32 = 3_000;
/// What `--technique` of testudo knows.
pub const TECHNIQUES: [&str; 7] =
    ["portfolio", "random", "evolve", "redirect", "exhaustive", "symbolic-states", "concolic"];

impl Tool {
    pub fn parse(text: &str) -> Result<Tool, Problem> {
        Ok(match text {
            "testudo" => Tool::Testudo,
            "randoop" => Tool::Randoop,
            "evosuite" => Tool::EvoSuite,
            _ if text.split_whitespace().next().is_some_and(|first| TECHNIQUES.contains(&first)) => {
                Tool::Technique(text.to_string())
            }
            _ => {
                let detail = format!("there are: testudo, {}, randoop, evosuite", TECHNIQUES.join(", "));
                return Err(Problem::Failed { what: format!("looking for a tool named {text}"), detail });
            }
        })
    }

    pub fn name(&self) -> String {
        match self {
            Tool::Testudo => "testudo",
            Tool::Technique(arguments) => arguments,
            Tool::Randoop => "randoop",
            Tool::EvoSuite => "evosuite",
        }
        .to_string()
    }

    /// Executions can be counted only for what counts them.
    pub fn understands(&self, budget: Budget) -> bool {
        matches!(budget, Budget::Seconds(_)) || matches!(self, Tool::Testudo | Tool::Technique(_))
    }

    /// Fetches what its tests need, before several of them want it at once.
    pub fn prepare(&self, lab: &Lab) -> Result<(), Problem> {
        if matches!(self, Tool::Randoop | Tool::EvoSuite) {
            junit4(lab)?;
        }
        Ok(())
    }

    /// Where it leaves its tests, below the folder it is given.
    fn tests(&self) -> &'static str {
        match self {
            Tool::Testudo | Tool::Technique(_) => "out/tests",
            Tool::Randoop => "out",
            Tool::EvoSuite => "evosuite-tests",
        }
    }

    fn needs(&self, lab: &Lab, peers: &Peers) -> Result<Vec<PathBuf>, Problem> {
        Ok(match self {
            Tool::Testudo | Tool::Technique(_) => Vec::new(),
            Tool::Randoop => junit4(lab)?,
            Tool::EvoSuite => peers.evosuite.iter().cloned().chain(junit4(lab)?).collect(),
        })
    }

    /// What it wrote into a folder earlier, if that is still there; how long it took is known no more.
    pub fn earlier(&self, lab: &Lab, peers: &Peers, out: &Path) -> Result<Option<Written>, Problem> {
        let sources = files::below(&out.join(self.tests()), ".java")?;
        let needs = self.needs(lab, peers)?;
        let written = Written { sources, needs, wall: Duration::ZERO, peak_megabytes: 0.0, problem: None };
        Ok((!written.sources.is_empty()).then_some(written))
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

    /// Writes tests for a subject. Seconds are wall time for us and search time for the peers, as each understands it.
    pub fn write(
        &self,
        lab: &Lab,
        peers: &Peers,
        subject: &Subject,
        budget: Budget,
        seed: u64,
        out: &Path,
    ) -> Result<Written, Problem> {
        files::renew(out)?;
        let mut class_path = vec![subject.classes.clone()];
        class_path.extend_from_slice(&subject.needs);
        let amount = budget.amount();
        let mut call = match self {
            Tool::Testudo | Tool::Technique(_) => {
                let mut call = lab.product.command();
                call.arg("generate").arg(&subject.class).arg("--classpath").arg(files::join(&class_path));
                call.arg("--jdk").arg(&lab.jdk().home).arg("--seed").arg(seed.to_string());
                match budget {
                    Budget::Seconds(_) => call.arg("--budget").arg(format!("{amount}s")),
                    Budget::Executions(_) => call.arg("--max-executions").arg(amount.to_string()),
                };
                if let Tool::Technique(arguments) = self {
                    call.arg("--technique").args(arguments.split_whitespace());
                }
                call.arg("--out").arg(out.join("out"));
                call
            }
            Tool::Randoop => {
                class_path.splice(0..0, peers.randoop.iter().cloned());
                let mut call = lab.jdk().java();
                call.current_dir(out).arg("-cp").arg(files::join(&class_path)).args(["randoop.main.Main", "gentests"]);
                call.arg(format!("--testclass={}", subject.class)).arg(format!("--time-limit={amount}"));
                call.arg(format!("--randomseed={seed}")).arg("--no-error-revealing-tests=true");
                // It checks tests by whatever java it finds first.
                call.env("PATH", first_on_path(&lab.jdk().home.join("bin")));
                // Compiling every sequence would leave it a few of them a second; without that it writes more than javac takes.
                call.arg("--check-compilable=false").arg(format!("--output-limit={RANDOOP_TESTS}"));
                if let Some((package, _)) = subject.class.rsplit_once('.') {
                    call.arg(format!("--junit-package-name={package}"));
                }
                call.arg(format!("--junit-output-dir={}", out.join("out").display()));
                call
            }
            Tool::EvoSuite => {
                let mut call = self.jdk(lab, peers).java();
                // Its children would run on another JDK.
                call.env_remove("JAVA_HOME")
                    .current_dir(out)
                    .arg("-jar")
                    .args(&peers.evosuite)
                    .arg("-class")
                    .arg(&subject.class);
                call.arg("-projectCP").arg(files::join(&class_path)).arg(format!("-Dsearch_budget={amount}"));
                // With a class loader of its own its tests would hide what they cover.
                call.args(["-seed", &seed.to_string(), "-Duse_separate_classloader=false"]);
                call.arg("-base_dir").arg(out);
                call
            }
        };
        let mut peak = 0.0_f64;
        let finished = watched(&mut call, out, budget, &mut peak)?;
        let sources = files::below(&out.join(self.tests()), ".java")?;
        let problem = match () {
            () if finished.timed_out => Some("did not end".to_string()),
            () if sources.is_empty() => Some(format!("no tests: {}", finished.tail())),
            () => None,
        };
        let needs = self.needs(lab, peers)?;
        Ok(Written { sources, needs, wall: finished.wall, peak_megabytes: peak, problem })
    }
}

fn first_on_path(folder: &Path) -> OsString {
    let mut path = folder.as_os_str().to_owned();
    if let Some(rest) = std::env::var_os("PATH") {
        path.push(":");
        path.push(rest);
    }
    path
}

fn watched(call: &mut Command, out: &Path, budget: Budget, peak: &mut f64) -> Result<command::Finished, Problem> {
    // The slowest of them is known to take several times its search time.
    let limit = Duration::from_secs(match budget {
        Budget::Seconds(seconds) => seconds * 10 + 300,
        Budget::Executions(_) => 300,
    });
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
    for name in ["testudo", "random --no-solver", "evolve --style gp", "randoop", "evosuite"] {
        assert_eq!(Tool::parse(name).map(|tool| tool.name()).ok().as_deref(), Some(name));
    }
    assert!(Tool::parse("evosweet").is_err());
}
