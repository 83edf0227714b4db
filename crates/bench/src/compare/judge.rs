//! A suite under the instruments: javac, JUnit in shuffled orders, JaCoCo, PIT. Owns what is measured of it, the same for every tool.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::subjects::Subject;
use super::tool::Written;
use crate::jacoco::{self, Coverage};
use crate::jdk::Jdk;
use crate::junit::{JUnit, Together};
use crate::pit::{self, Analysis, Mutants};
use crate::{Lab, Problem, files};

/// How much is measured.
pub struct Care {
    /// Runs in shuffled order.
    pub runs: usize,
    /// How long PIT may take for a suite, if it is wanted at all.
    pub pit: Option<Duration>,
    /// That PIT may use.
    pub threads: usize,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Verdict {
    pub files: usize,
    /// Files that javac refuses.
    pub uncompilable: usize,
    pub tests: usize,
    /// Lines that end in a semicolon, imports and the package not among them.
    pub statements: usize,
    pub bytes: usize,
    pub failing: usize,
    pub flaky: usize,
    pub coverage: Coverage,
    /// Where PIT was asked and came to its end.
    pub mutants: Option<Mutants>,
}

impl Verdict {
    /// The formula of the tool competition: line, branch and mutation coverage as shares, with what takes away from them.
    pub fn score(&self, budget: f64, wall: f64) -> f64 {
        if self.files == 0 || self.uncompilable == self.files {
            return -2.0;
        }
        let share = |percent: f64| percent / 100.0;
        let covered = share(self.coverage.lines.percent())
            + 2.0 * share(self.coverage.branches.percent())
            + 4.0 * share(self.mutants.filter(|mutants| mutants.total > 0).map_or(0.0, Mutants::score));
        let in_time = if wall > 0.0 { (budget / wall).min(1.0) } else { 1.0 };
        let flaky = (self.flaky + self.failing) as f64 / self.tests.max(1) as f64;
        covered * in_time - flaky - self.uncompilable as f64 / self.files as f64
    }
}

/// The instruments, ready to be used from several threads.
pub struct Judge<'a> {
    lab: &'a Lab,
    care: Care,
    shuffler: PathBuf,
}

/// Time for one JVM with tests.
const LIMIT: Duration = Duration::from_secs(120);

impl<'a> Judge<'a> {
    pub fn new(lab: &'a Lab, care: Care, work: &Path) -> Result<Judge<'a>, Problem> {
        lab.jars.jacoco_agent()?;
        lab.jars.jacoco_reporter()?;
        if care.pit.is_some() {
            pit::jars(lab)?;
        }
        let shuffler = work.join("shuffler");
        let source = lab.root.join("bench/Shuffled.java");
        let finished = lab.jdk().compile(&[source], &[lab.jars.junit()?], Some(8), &shuffler)?;
        if !finished.succeeded() {
            return Err(Problem::Failed { what: "compiling bench/Shuffled.java".into(), detail: finished.tail() });
        }
        Ok(Judge { lab, care, shuffler })
    }

    /// What the instruments say, and what went wrong with them. Only the tool's own files stay in the folder.
    pub fn judge(
        &self,
        jdk: &Jdk,
        subject: &Subject,
        written: &Written,
        folder: &Path,
    ) -> Result<(Verdict, Option<String>), Problem> {
        let work = folder.join("judge");
        files::renew(&work)?;
        let judged = self.judge_in(jdk, subject, written, &work)?;
        files::remove(&work)?;
        Ok(judged)
    }

    fn judge_in(
        &self,
        jdk: &Jdk,
        subject: &Subject,
        written: &Written,
        work: &Path,
    ) -> Result<(Verdict, Option<String>), Problem> {
        let mut verdict = Verdict { files: written.sources.len(), ..Verdict::default() };
        // What only prepares the place for tests counts as no part of them.
        for file in written.sources.iter().filter(|file| !file.to_string_lossy().ends_with("_scaffolding.java")) {
            let text = files::read(file)?;
            verdict.bytes += text.len();
            verdict.statements += statements(&text);
        }
        let junit = JUnit { jdk, jars: &self.lab.jars, limit: LIMIT };
        let mut class_path = vec![subject.classes.clone()];
        class_path.extend(subject.needs.iter().cloned());
        let whole: Vec<PathBuf> = class_path.iter().chain(&written.needs).cloned().collect();
        let suite = work.join("suite");
        verdict.uncompilable = compile(&junit, &written.sources, &whole, &suite)?;
        let own = own_files(subject)?;
        if verdict.uncompilable == verdict.files {
            verdict.coverage = covered(self.lab, &own, &work.join("nothing.exec"))?;
            return Ok((verdict, None));
        }
        let suites = [suite];
        let runs = if written.needs.is_empty() {
            let together = Together { shuffler: &self.shuffler, suites: &suites, class_path: &class_path };
            junit.shuffled_together(&together, self.care.runs, &work.join("shuffled"))?
        } else {
            // Tests of others may bring agents and loaders that want a JVM of their own.
            junit.shuffled(&suites, &whole, self.care.runs, &work.join("shuffled"))?
        };
        verdict.tests = runs.tests();
        verdict.failing = runs.failing().len();
        verdict.flaky = runs.flaky().len();
        let record = work.join("suite.exec");
        let agent = jacoco::agent(&self.lab.jars, &record, &format!("{0}:{0}$*", subject.class))?;
        junit.once(&suites, &whole, &agent, 0, &work.join("jacoco"))?;
        verdict.coverage = covered(self.lab, &own, &record)?;
        let mut trouble = (runs.broken > 0).then(|| format!("{} runs of the suite did not end", runs.broken));
        if self.care.pit.is_some() {
            let (mutants, problem) = self.mutants(jdk, subject, written, work);
            verdict.mutants = mutants;
            trouble = trouble.or(problem);
        }
        Ok((verdict, trouble))
    }

    /// PIT alone, for a suite that was judged before.
    pub fn mutants_of(
        &self,
        jdk: &Jdk,
        subject: &Subject,
        written: &Written,
        folder: &Path,
    ) -> Result<(Option<Mutants>, Option<String>), Problem> {
        let work = folder.join("judge");
        files::renew(&work)?;
        let found = self.mutants(jdk, subject, written, &work);
        files::remove(&work)?;
        Ok(found)
    }

    fn mutants(
        &self,
        jdk: &Jdk,
        subject: &Subject,
        written: &Written,
        work: &Path,
    ) -> (Option<Mutants>, Option<String>) {
        let analysed = || {
            let junit = JUnit { jdk, jars: &self.lab.jars, limit: LIMIT };
            let mut class_path = vec![subject.classes.clone()];
            class_path.extend(subject.needs.iter().chain(&written.needs).cloned());
            let suite = work.join("plain");
            compile(&junit, &plain(&written.sources, &work.join("plain-sources"))?, &class_path, &suite)?;
            let mut needs = vec![self.lab.jars.junit()?];
            needs.extend(subject.needs.iter().chain(&written.needs).cloned());
            pit::analyse(
                self.lab,
                &Analysis {
                    jdk,
                    tests: &[suite],
                    classes: &subject.classes,
                    needs: &needs,
                    targets: std::slice::from_ref(&subject.class),
                    test_classes: &["*".to_string()],
                    folder: work,
                    work: &work.join("pit"),
                    limit: self.care.pit.unwrap_or_default(),
                    threads: self.care.threads,
                },
            )
        };
        match analysed() {
            Ok(scores) => (Some(pit::total(&scores)), None),
            Err(problem) => (None, Some(problem.to_string())),
        }
    }
}

/// Compiles all files together, or, if that fails, each for itself; says how many could not be compiled.
fn compile(junit: &JUnit, sources: &[PathBuf], class_path: &[PathBuf], suite: &Path) -> Result<usize, Problem> {
    if sources.is_empty() || junit.compile(sources, class_path, suite)?.is_none() {
        return Ok(0);
    }
    let mut good = Vec::new();
    for source in sources {
        if junit.compile(std::slice::from_ref(source), class_path, &suite.with_extension("one"))?.is_none() {
            good.push(source.clone());
        }
    }
    if good.is_empty() || junit.compile(&good, class_path, suite)?.is_some() {
        return Ok(sources.len());
    }
    Ok(sources.len() - good.len())
}

/// The same tests without EvoSuite's runner: that changes the classes under test, and PIT could not change them any more. What fails without it is skipped by PIT.
fn plain(sources: &[PathBuf], folder: &Path) -> Result<Vec<PathBuf>, Problem> {
    let mut all = Vec::new();
    for (n, source) in sources.iter().enumerate() {
        let text = files::read(source)?;
        if !text.contains(EVO_RUNNER) {
            all.push(source.clone());
            continue;
        }
        let file = folder.join(n.to_string()).join(source.file_name().unwrap_or_default());
        files::write(&file, &without_runner(&text))?;
        all.push(file);
    }
    Ok(all)
}

const EVO_RUNNER: &str = "@RunWith(EvoRunner.class)";

fn without_runner(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for line in text.lines().filter(|line| !line.starts_with(EVO_RUNNER)) {
        let line = match line.split_once(" extends ") {
            Some((class, rest)) if rest.contains("_scaffolding") => format!("{class} {{"),
            _ => line.to_string(),
        };
        plain.push_str(&line);
        plain.push('\n');
    }
    plain
}

#[test]
fn tests_of_evosuite_run_without_its_runner() {
    let text = "@RunWith(EvoRunner.class) @EvoRunnerParameters(useVFS = true)\npublic class A_ESTest extends A_ESTest_scaffolding {\n  @Test\n}\n";
    assert_eq!(without_runner(text), "public class A_ESTest {\n  @Test\n}\n");
}

/// The class files of the subject and what is nested in it.
fn own_files(subject: &Subject) -> Result<Vec<PathBuf>, Problem> {
    let path = subject.classes.join(subject.class.replace('.', "/"));
    let folder = path.parent().unwrap_or(&subject.classes);
    let simple = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut own = files::in_folder(folder)?;
    own.retain(|file| {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        file.extension().is_some_and(|e| e == "class") && (name == simple || name.starts_with(&format!("{simple}$")))
    });
    Ok(own)
}

fn covered(lab: &Lab, own: &[PathBuf], record: &Path) -> Result<Coverage, Problem> {
    if !record.exists() {
        files::write(record, "")?;
    }
    Ok(jacoco::sum(&jacoco::rows(&lab.jars, lab.jdk(), record, own)?))
}

fn statements(source: &str) -> usize {
    let counts = |line: &&str| line.ends_with(';') && !line.starts_with("import ") && !line.starts_with("package ");
    source.lines().map(str::trim).filter(counts).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jacoco::Ratio;

    #[test]
    fn statements_are_counted_alike_for_everybody() {
        assert_eq!(
            statements("package a;\nimport b.C;\nclass D {\n  void e() {\n    f(); // g\n    h();\n  }\n}\n"),
            1
        );
    }

    #[test]
    fn the_score_is_the_competitions() {
        let half = Ratio { covered: 1, total: 2 };
        let verdict = Verdict {
            files: 2,
            tests: 10,
            coverage: Coverage { branches: half, lines: half },
            mutants: Some(Mutants { total: 4, killed: 1, unreached: 0 }),
            ..Verdict::default()
        };
        assert_eq!(verdict.score(10.0, 9.0), 0.5 + 1.0 + 1.0);
        assert_eq!(verdict.score(10.0, 20.0), 1.25, "late");
        assert_eq!(Verdict { flaky: 5, uncompilable: 1, ..verdict.clone() }.score(10.0, 9.0), 1.5);
        assert_eq!(Verdict { uncompilable: 2, ..verdict }.score(10.0, 9.0), -2.0);
    }
}
