//! `bench pit`: mutation scores by PIT, for suites that exist or for those that testudo writes. Owns how PIT is run and read; knows nothing of our own mutants but what
//! `report.json` says.

use std::collections::BTreeMap;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use serde::{Deserialize, Serialize};

use crate::jacoco::Ratio;
use crate::jdk::Jdk;
use crate::{Lab, Problem, command, files, test_jars};

mod variants;

#[derive(Args)]
pub struct Options {
    /// Folder of test sources; repeated, suites stand side by side
    #[arg(long, requires = "classes")]
    tests: Vec<PathBuf>,
    /// Folder of class files to mutate
    #[arg(long)]
    classes: Option<PathBuf>,
    /// Further jars and folders the tests need
    #[arg(long)]
    needs: Vec<PathBuf>,
    /// Without --tests: a way to call `testudo generate`, as NAME=ARGUMENTS; repeated, they stand side by side
    #[arg(long, allow_hyphen_values = true, default_values = ["filtered=", "all=--all-assertions"])]
    variant: Vec<String>,
    /// Without --tests: wall clock per class
    #[arg(long, default_value = "10s")]
    budget: String,
    /// Without --tests: classes of each library, evenly spaced in the alphabet among those with a test class of their own
    #[arg(long, default_value_t = 10)]
    library_classes: usize,
}

/// One analysis.
pub struct Analysis<'a> {
    /// That the tests run on.
    pub jdk: &'a Jdk,
    /// Folders of compiled tests.
    pub tests: &'a [PathBuf],
    /// Folder of the classes to mutate.
    pub classes: &'a Path,
    /// JUnit and whatever else the tests need.
    pub needs: &'a [PathBuf],
    /// Classes to mutate, nested ones not named.
    pub targets: &'a [String],
    /// Which test classes to use: names, `*` allowed.
    pub test_classes: &'a [String],
    /// Where the tests run.
    pub folder: &'a Path,
    pub work: &'a Path,
    pub limit: Duration,
    pub threads: usize,
}

/// What became of the mutants of a class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mutants {
    pub total: usize,
    /// By a failing test, a time-out or a lack of memory.
    pub killed: usize,
    /// That no test reaches.
    pub unreached: usize,
}

impl Mutants {
    pub fn score(self) -> f64 {
        Ratio { covered: self.killed, total: self.total }.percent()
    }

    pub fn add(&mut self, other: Mutants) {
        self.total += other.total;
        self.killed += other.killed;
        self.unreached += other.unreached;
    }
}

/// By top-level class.
pub type Scores = BTreeMap<String, Mutants>;

pub fn total(scores: &Scores) -> Mutants {
    let mut sum = Mutants::default();
    scores.values().for_each(|mutants| sum.add(*mutants));
    sum
}

const POM: &str = r#"<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>bench</groupId><artifactId>pit</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.pitest</groupId><artifactId>pitest-command-line</artifactId><version>1.25.9</version></dependency>
    <dependency><groupId>org.pitest</groupId><artifactId>pitest-junit5-plugin</artifactId><version>1.2.3</version></dependency>
  </dependencies>
</project>
"#;

/// What PIT's own child JVMs need of its jars.
const IN_CHILD: [&str; 3] = ["asm", "pitest-1", "pitest-junit5"];

/// PIT's own jars.
pub fn jars(lab: &Lab) -> Result<Vec<PathBuf>, Problem> {
    let pom = lab.jars.folder().join("pit.pom");
    if !pom.exists() {
        files::write(&pom, POM)?;
    }
    test_jars::resolve(lab, "pit", &pom, "runtime")
}

pub fn analyse(lab: &Lab, analysis: &Analysis) -> Result<Scores, Problem> {
    let jars = jars(lab)?;
    let in_child = jars.iter().filter(|jar| {
        let name = jar.file_name().unwrap_or_default().to_string_lossy().into_owned();
        IN_CHILD.iter().any(|start| name.starts_with(start)) || name.starts_with("pitest-entry")
    });
    let mut class_path = analysis.tests.to_vec();
    class_path.push(analysis.classes.to_path_buf());
    class_path.extend_from_slice(analysis.needs);
    class_path.extend(in_child.cloned());
    let listed: Vec<String> = class_path.iter().map(|path| path.display().to_string()).collect();
    let targets: Vec<String> = analysis.targets.iter().map(|class| format!("{class},{class}$*")).collect();
    files::renew(analysis.work)?;
    let report = analysis.work.join("report");
    let mut java = analysis.jdk.java();
    java.current_dir(analysis.folder).arg("-cp").arg(files::join(&jars));
    // Its own children go on for ever if it is ended without them.
    java.process_group(0);
    java.arg("org.pitest.mutationtest.commandline.MutationCoverageReport");
    java.arg("--reportDir").arg(&report).args(["--outputFormats", "CSV", "--timestampedReports=false"]);
    java.arg("--targetClasses").arg(targets.join(",")).arg("--targetTests").arg(analysis.test_classes.join(","));
    java.arg("--classPath").arg(listed.join(",")).arg("--includeLaunchClasspath=false");
    java.arg("--mutableCodePaths").arg(analysis.classes).arg("--sourceDirs").arg(analysis.work);
    // Tests that fail without any mutant say nothing about mutants.
    java.args(["--threads", &analysis.threads.to_string(), "--skipFailingTests=true", "--failWhenNoMutations=false"]);
    // Generated tests take milliseconds: a mutant that takes a second more does not end.
    java.args(["--timeoutConst", "1500", "--jvmArgs", "-XX:TieredStopAtLevel=1,-XX:+UseSerialGC"]);
    command::must("PIT", &mut java, &analysis.work.join("said"), analysis.limit)?;
    let csv = report.join("mutations.csv");
    // Without any mutant or any test there is nothing to report.
    Ok(if csv.exists() { parse(&files::read(&csv)?) } else { Scores::new() })
}

fn parse(csv: &str) -> Scores {
    let mut scores = Scores::new();
    for line in csv.lines() {
        let fields: Vec<&str> = line.split(',').collect();
        let [_, class, _, _, _, status, ..] = fields[..] else {
            continue;
        };
        let own = class.split('$').next().unwrap_or(class);
        if status == "RUN_ERROR" {
            // PIT itself failed: that says nothing about the tests.
            continue;
        }
        let mutants = scores.entry(own.to_string()).or_default();
        mutants.total += 1;
        match status {
            "KILLED" | "TIMED_OUT" | "MEMORY_ERROR" => mutants.killed += 1,
            "NO_COVERAGE" => mutants.unreached += 1,
            _ => {}
        }
    }
    scores
}

/// Classes evenly spaced in a sorted list.
pub fn spaced(all: &[String], count: usize) -> Vec<String> {
    let count = count.min(all.len());
    (0..count).map(|i| all[i * all.len() / count].clone()).collect()
}

/// Classes of a folder that have a test class of their own (`a.B` with `a.BTest`), in order.
pub fn with_own_tests(classes: &Path, tests: &Path) -> Result<Vec<String>, Problem> {
    let mut found = Vec::new();
    for file in files::below(classes, ".class")? {
        let path = file.strip_prefix(classes).unwrap_or(&file).with_extension("");
        let path = path.display().to_string();
        if !path.contains('$') && tests.join(format!("{path}Test.class")).exists() {
            found.push(path.replace('/', "."));
        }
    }
    found.sort();
    Ok(found)
}

pub fn run(lab: &Lab, options: &Options) -> Result<(), Problem> {
    let work = lab.work.join("pit");
    files::renew(&work)?;
    match &options.classes {
        Some(classes) if !options.tests.is_empty() => existing(lab, options, classes, &work),
        _ => variants::run(lab, options, &work),
    }
}

/// Suites that are there already.
fn existing(lab: &Lab, options: &Options, classes: &Path, work: &Path) -> Result<(), Problem> {
    let classes = files::absolute(classes)?;
    let mut needs = vec![lab.jars.junit()?];
    for path in &options.needs {
        needs.push(files::absolute(path)?);
    }
    let mut targets = Vec::new();
    for file in files::below(&classes, ".class")? {
        let path = file.strip_prefix(&classes).unwrap_or(&file).with_extension("").display().to_string();
        let class = path.replace('/', ".");
        if !class.contains('$') && lab.wants(&class) {
            targets.push(class);
        }
    }
    let mut columns = Vec::new();
    for (number, tests) in options.tests.iter().enumerate() {
        let suite = work.join(format!("suite-{number}"));
        let mut path = vec![classes.clone()];
        path.extend_from_slice(&needs);
        let compiled = lab.jdk().compile(&files::below(&files::absolute(tests)?, ".java")?, &path, None, &suite)?;
        if !compiled.succeeded() {
            return Err(Problem::Failed { what: format!("compiling {}", tests.display()), detail: compiled.tail() });
        }
        columns.push(analyse(
            lab,
            &Analysis {
                jdk: lab.jdk(),
                tests: std::slice::from_ref(&suite),
                classes: &classes,
                needs: &needs,
                targets: &targets,
                test_classes: &["*".to_string()],
                folder: work,
                work: &work.join(format!("pit-{number}")),
                limit: Duration::from_secs(3600),
                threads: 2,
            },
        )?);
    }
    let mut results = lab.results("pit");
    results.conditions(lab.jdk());
    let mut heads = vec!["class".to_string()];
    for tests in &options.tests {
        heads.extend([format!("{} %", tests.display()), "killed".to_string()]);
    }
    let cells = |name: &str, mutants: Vec<Mutants>| {
        let mut cells = vec![name.to_string()];
        for one in mutants {
            cells.extend([format!("{:.1}", one.score()), format!("{}/{}", one.killed, one.total)]);
        }
        cells
    };
    let mut rows: Vec<Vec<String>> = Vec::new();
    for class in &targets {
        let own: Vec<Mutants> = columns.iter().map(|scores| scores.get(class).copied().unwrap_or_default()).collect();
        if own.iter().any(|mutants| mutants.total > 0) {
            rows.push(cells(class, own));
        }
    }
    rows.push(cells("all", columns.iter().map(total).collect()));
    results.table(&heads.iter().map(String::as_str).collect::<Vec<_>>(), &rows);
    results.finish(&columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutants_are_counted_by_top_level_class() {
        let csv = "A.java,p.A,x.Math,add,3,KILLED,p.ATest.[test:a(int, int)]\nA.java,p.A$B,x.Math,get,9,SURVIVED,none\n\
            A.java,p.A,x.Math,sub,4,TIMED_OUT,none\nC.java,p.C,x.Math,run,1,NO_COVERAGE,none\n";
        let scores = parse(csv);
        assert_eq!(scores["p.A"], Mutants { total: 3, killed: 2, unreached: 0 });
        assert_eq!(scores["p.C"], Mutants { total: 1, killed: 0, unreached: 1 });
        assert_eq!(total(&scores).score(), 50.0);
    }

    #[test]
    fn classes_are_chosen_evenly() {
        let all: Vec<String> = ["a", "b", "c", "d", "e", "f"].map(String::from).to_vec();
        assert_eq!(spaced(&all, 3), ["a", "c", "e"]);
        assert_eq!(spaced(&all, 9), all);
        assert_eq!(spaced(&[], 3), Vec::<String>::new());
    }
}
