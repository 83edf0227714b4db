//! `bench harm`: classes that do harm and classes that use the outside as programs do, among decoys: while tests are
//! generated, and when what is delivered runs without any sandbox.
//! Owns the order of these steps and what counts as harm; where decoys are and how tests run outside is said in
//! `fixtures/harm`.

mod page;

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use serde::Serialize;

use crate::decoys::{self, Decoys, Rights};
use crate::jdk::Jdk;
use crate::outside::{self, Outside};
use crate::{Lab, Problem, command, files, product};

#[derive(Args)]
pub struct Options {
    /// Sequences per class
    #[arg(long, default_value_t = 300)]
    max_executions: u64,
    /// Classes at the same time
    #[arg(long, default_value_t = 2)]
    jobs: u16,
    /// Classes in one run of testudo: if a class ends it, no more than the others of its run are lost
    #[arg(long, default_value_t = 20)]
    at_once: usize,
    /// Run testudo and what it delivers as this user, who must be able to read the work folder. Default: testudo with
    /// our rights, what it delivers as `nobody` if we may
    #[arg(long)]
    user: Option<String>,
    /// Sets of `fixtures/harm`
    #[arg(long, value_delimiter = ',', default_values_t = ["hostile", "ordinary", "tools", "extensions"].map(String::from))]
    sets: Vec<String>,
    /// Further arguments for testudo, such as one that takes a layer of the sandbox away
    #[arg(long, allow_hyphen_values = true, default_value = "")]
    more: String,
    /// Variables for testudo's environment, `NAME=VALUE`
    #[arg(long)]
    env: Vec<String>,
}

/// What is known of one class on one JDK.
#[derive(Default, Serialize)]
pub struct Row {
    set: String,
    jdk: String,
    class: String,
    status: String,
    branches: usize,
    covered: usize,
    tests: usize,
    /// Touched while tests were generated, one line each.
    generating: Vec<String>,
    /// Touched when the delivered tests ran.
    running: Vec<String>,
    /// Changed in the JVM by the delivered tests.
    state: Vec<String>,
    failing: Vec<String>,
    /// The JVM of the delivered tests did not come to its end.
    broken: bool,
}

/// Who stands for what no class is to blame for.
const NOBODY: &str = "(no class in particular)";
/// A name in the sources, and what it becomes in the class file: a text that clears terminals.
const PLAIN_NAME: &str = "ControlZZName";
const CONTROL_NAME: &str = "Control\u{1b}cName";

pub fn run(lab: &Lab, options: &Options) -> Result<(), Problem> {
    let mut rows = Vec::new();
    for jdk in &lab.jdks {
        for set in &options.sets {
            rows.extend(Set::prepare(lab, options, jdk, set)?.run()?);
        }
    }
    page::write(lab, options, &rows)
}

/// One set of classes on one JDK, compiled, with its decoys.
struct Set<'a> {
    lab: &'a Lab,
    options: &'a Options,
    jdk: &'a Jdk,
    name: &'a str,
    root: PathBuf,
    /// Simple names, as in the class files.
    names: Vec<String>,
    decoys: Decoys,
    /// Of testudo, and of the tests it delivers.
    rights: Rights,
    least: Rights,
}

impl<'a> Set<'a> {
    fn prepare(lab: &'a Lab, options: &'a Options, jdk: &'a Jdk, name: &'a str) -> Result<Set<'a>, Problem> {
        let root = lab.work.join(format!("harm/{name}-{}", jdk.feature()));
        files::renew(&root)?;
        let fixture = lab.root.join("fixtures/harm").join(name);
        let mut sources = files::below(&fixture.join("src"), ".java")?;
        if jdk.feature() >= 25 {
            sources.extend(files::below(&fixture.join("src25"), ".java")?);
        }
        let stem = |path: &PathBuf| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let names: Vec<String> = sources.iter().filter_map(stem).filter(|n| lab.wants(n)).collect();
        if names.is_empty() {
            return Err(Problem::NothingSelected(lab.only.join(", ")));
        }
        let (rights, least) = match &options.user {
            Some(user) => (at(&root, Rights::of(user))?, at(&root, Rights::of(user))?),
            None => (Rights::own(), Rights::least()),
        };
        let decoys = at(&root, Decoys::new(&root.join("decoys"), &names, &least))?;
        files::write(&root.join("base-src/harm/Decoy.java"), &decoys.source())?;
        let mut set = Set { lab, options, jdk, name, root, names, decoys, rights, least };
        set.compile(&[set.root.join("base-src/harm/Decoy.java")], "base")?;
        set.compile(&sources, "classes")?;
        for kind in ["META-INF/services", ""] {
            for file in files::in_folder(&fixture.join(kind))? {
                let to = set.root.join("classes").join(file.strip_prefix(&fixture).unwrap_or(&file));
                files::write(&to, &files::read(&file)?)?;
            }
        }
        set.compile(&[lab.root.join("fixtures/harm/runner/Watched.java")], "runner")?;
        set.with_control_name()?;
        Ok(set)
    }

    fn compile(&self, sources: &[PathBuf], out: &str) -> Result<(), Problem> {
        let path = [self.root.join("base"), self.lab.jars.junit()?];
        let compiled = outside::compile(&self.jdk.home, sources, &path, &[], &self.root.join(out));
        let failed = |detail| Problem::Failed { what: format!("compiling {out} of {}", self.name), detail };
        at(&self.root, compiled)?.map_err(failed)
    }

    /// Gives one class a name that no source can give it.
    fn with_control_name(&mut self) -> Result<(), Problem> {
        let Some(name) = self.names.iter_mut().find(|name| *name == PLAIN_NAME) else {
            return Ok(());
        };
        CONTROL_NAME.clone_into(name);
        let folder = self.root.join("classes/harm").join(self.name);
        let plain = folder.join(format!("{PLAIN_NAME}.class"));
        let mut bytes = files::bytes(&plain)?;
        for at in 0..bytes.len() - PLAIN_NAME.len() {
            if bytes[at..].starts_with(PLAIN_NAME.as_bytes()) {
                bytes[at..at + PLAIN_NAME.len()].copy_from_slice(CONTROL_NAME.as_bytes());
            }
        }
        at(&folder, std::fs::write(folder.join(format!("{CONTROL_NAME}.class")), bytes))?;
        at(&plain, std::fs::remove_file(&plain))
    }

    fn run(mut self) -> Result<Vec<Row>, Problem> {
        let mut rows: BTreeMap<String, Row> = BTreeMap::new();
        for name in self.names.iter().map(String::as_str).chain([NOBODY]) {
            let row = Row {
                set: self.name.to_owned(),
                jdk: self.jdk.version.clone(),
                class: name.to_owned(),
                ..Row::default()
            };
            rows.insert(name.to_owned(), row);
        }
        // What only helps the others is no target.
        let targets: Vec<String> = self.names.iter().filter(|name| *name != "Foreign").cloned().collect();
        let mut tests = Vec::new();
        for (number, targets) in targets.chunks(self.options.at_once.max(1)).enumerate() {
            at(&self.root, self.decoys.renew(0))?;
            let out = self.root.join(format!("results/out-{number}"));
            self.generate(targets, &out, &mut rows)?;
            tests.extend(self.compile_tests(&out, &mut rows)?);
        }
        at(&self.root, self.decoys.renew(1))?;
        self.run_tests(&tests, &mut rows)?;
        let harmless = |row: &Row| row.class == NOBODY && row.generating.is_empty() && row.running.is_empty();
        Ok(rows.into_values().filter(|row| !harmless(row)).collect())
    }

    fn generate(&mut self, targets: &[String], out: &Path, rows: &mut BTreeMap<String, Row>) -> Result<(), Problem> {
        eprintln!("{} on {}: generating for {} classes", self.name, self.jdk.version, targets.len());
        let temp = self.root.join("temp");
        files::renew(&temp)?;
        for folder in [&temp, &self.root.join("results")] {
            files::create(folder)?;
            at(folder, self.rights.own_tree(folder))?;
        }
        // Where JUnit is on the class path, the tests run with it, and with what it finds there.
        let junit = if self.name == "extensions" { vec![self.lab.jars.junit()?] } else { Vec::new() };
        let path: Vec<PathBuf> = [self.root.join("classes"), self.root.join("base")].into_iter().chain(junit).collect();
        let mut testudo = self.rights.command(self.lab.product.binary());
        testudo.arg("generate").args(targets.iter().map(|name| format!("harm.{}.{name}", self.name)));
        testudo.arg("-c").arg(files::join(&path)).arg("--jdk").arg(&self.jdk.home).arg("--out").arg(out);
        testudo.args(["--seed", &self.lab.seed.to_string(), "--jobs", &self.options.jobs.to_string()]);
        testudo.args(["--max-executions", &self.options.max_executions.to_string()]);
        testudo.args(self.options.more.split_whitespace());
        testudo.envs(self.options.env.iter().filter_map(|pair| pair.split_once('=')));
        testudo.env("HOME", self.decoys.home()).env("TMPDIR", &temp).env(decoys::SECRET_NAME, decoys::SECRET);
        testudo.current_dir(self.decoys.work());
        let limit = Duration::from_secs(60 + 30 * targets.len() as u64);
        let finished = command::run(&mut testudo, &self.root.join("said"), limit)?;
        let mut lines = at(&self.root, self.decoys.touched())?;
        if !matches!(finished.code, Some(0 | 1)) {
            let tail = finished.tail();
            let last = tail.lines().rev().find(|line| line.starts_with('[')).unwrap_or_default();
            lines.push(format!("testudo ended: {}, behind {last}", tail.lines().next().unwrap_or_default()));
        }
        for left in files::entries(&temp)? {
            lines.push(format!("left in the folder for temporary files: {}", left.display()));
        }
        if finished.stdout.contains('\u{1b}') || finished.stderr.contains('\u{1b}') {
            lines.push(format!("{CONTROL_NAME:?} reached the terminal"));
        }
        for file in files::below(out, "")?.into_iter().chain(files::below(&self.root.join("said"), "")?) {
            let text = String::from_utf8_lossy(&files::bytes(&file)?).into_owned();
            if let Some(line) = text.lines().find(|line| line.contains(decoys::CANARY)) {
                let name = file.strip_prefix(&self.root).unwrap_or(&file).display();
                lines.push(format!("a secret is in {name}: {}", line.trim().chars().take(120).collect::<String>()));
            }
        }
        for line in lines {
            let of = |name: &&String| {
                [".txt", ".new", ".d", "Test.java"].iter().any(|end| line.contains(&format!("/{name}{end}")))
            };
            let row = self.names.iter().find(of).map_or(NOBODY, String::as_str);
            if let Some(row) = rows.get_mut(row) {
                row.generating.push(line);
            }
        }
        let Ok(report) = product::report(out) else {
            for name in targets {
                if let Some(row) = rows.get_mut(name) {
                    "without a report".clone_into(&mut row.status);
                }
            }
            return Ok(());
        };
        for class in report.classes {
            let simple = class.class.rsplit('.').next().unwrap_or_default();
            if let Some(row) = rows.get_mut(simple) {
                let branch = class.goal("branch");
                (row.branches, row.covered, row.tests) = (branch.total, branch.covered, class.tests);
                row.status = class.status;
            }
        }
        Ok(())
    }

    /// Compiles what was delivered, file by file where all together do not compile. Gives the classes of tests by the
    /// class they test, and whether they should pass.
    fn compile_tests(
        &self,
        out: &Path,
        rows: &mut BTreeMap<String, Row>,
    ) -> Result<Vec<(String, String, bool)>, Problem> {
        let mut tests = Vec::new();
        for (folder, ending, pass) in [("tests", "Test.java", true), ("failing", "FailingTest.java", false)] {
            let sources = files::below(&out.join(folder), ".java")?;
            let into = self.root.join("tests");
            let path = [self.root.join("classes"), self.root.join("base"), self.lab.jars.junit()?];
            let javac = |sources: &[PathBuf]| at(&into, outside::compile(&self.jdk.home, sources, &path, &[], &into));
            let together = sources.is_empty() || javac(&sources)?.is_ok();
            for source in &sources {
                let name = source.strip_prefix(out.join(folder)).unwrap_or(source).to_string_lossy().into_owned();
                let simple = name.rsplit('/').next().unwrap_or_default().trim_end_matches(ending).to_owned();
                if !together && let Err(said) = javac(std::slice::from_ref(source))? {
                    let line = format!("does not compile: {}", said.lines().next().unwrap_or_default());
                    rows.entry(simple).or_default().failing.push(line);
                    continue;
                }
                tests.push((simple, name.trim_end_matches(".java").replace('/', "."), pass));
            }
        }
        Ok(tests)
    }

    fn run_tests(&mut self, tests: &[(String, String, bool)], rows: &mut BTreeMap<String, Row>) -> Result<(), Problem> {
        eprintln!("{} on {}: running {} suites outside", self.name, self.jdk.version, tests.len());
        let answers = self.root.join("answers");
        let names = ["tests", "classes", "base", "runner"].map(|name| self.root.join(name));
        let class_path = names.into_iter().chain([self.lab.jars.junit()?]).collect();
        let outside =
            Outside { java: self.jdk.home.join("bin/java"), rights: &self.least, class_path, answers: answers.clone() };
        for (simple, test, pass) in tests {
            let ran = at(&answers, outside.run(&self.decoys, test))?;
            let touched = at(&self.root, self.decoys.touched())?;
            if !touched.is_empty() {
                at(&self.root, self.decoys.renew(1))?;
            }
            let name = if rows.contains_key(simple) { simple } else { NOBODY };
            let Some(row) = rows.get_mut(name) else { continue };
            row.running.extend(touched);
            row.state.extend(ran.state);
            row.broken |= ran.broken;
            if *pass {
                row.failing.extend(ran.failed);
            }
        }
        Ok(())
    }
}

fn at<T>(path: &Path, result: io::Result<T>) -> Result<T, Problem> {
    result.map_err(|cause| Problem::File { path: path.to_path_buf(), cause })
}
