//! Suites that testudo writes in several ways, judged by PIT side by side. Owns which classes.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;

use super::{Analysis, Mutants, Options, analyse, spaced, total, with_own_tests};
use crate::product::Generate;
use crate::results::{percent, seconds};
use crate::subject::{Origin, SUBJECTS};
use crate::test_jars::{self, LIBRARIES};
use crate::{Lab, Problem, files, fixtures};

/// A class with where it comes from.
struct Target {
    class: String,
    classes: PathBuf,
}

#[derive(Serialize)]
struct Cell {
    variant: String,
    class: String,
    pit: Mutants,
    /// As `report.json` has it, if it does.
    own: Option<Mutants>,
    tests: u64,
    assertions: u64,
    mutation_seconds: Option<f64>,
    total_seconds: f64,
    problem: Option<String>,
}

pub fn run(lab: &Lab, options: &Options, work: &Path) -> Result<(), Problem> {
    let targets = targets(lab, options, work)?;
    if targets.is_empty() {
        return Err(Problem::NothingSelected(lab.only.join(", ")));
    }
    let mut cells: Vec<Vec<Cell>> = Vec::new();
    for target in &targets {
        eprintln!("{}", target.class);
        let row = options.variant.iter().map(|variant| cell(lab, options, target, variant, work));
        cells.push(row.collect::<Result<_, _>>()?);
        // It takes long: what is known so far is there to be looked at.
        write(lab, options, &cells)?;
    }
    Ok(())
}

fn targets(lab: &Lab, options: &Options, work: &Path) -> Result<Vec<Target>, Problem> {
    let mut targets = Vec::new();
    let subjects = fixtures::subjects(lab)?;
    for subject in SUBJECTS.iter().filter(|subject| subject.origin == Origin::Fixture) {
        targets.push(Target { class: subject.class.to_string(), classes: subjects.clone() });
    }
    if options.library_classes > 0 {
        for library in &LIBRARIES {
            let folder = work.join(library.artifact.name);
            let (classes, tests) = (folder.join("classes"), folder.join("tests"));
            test_jars::unpack(lab, &lab.jars.fetch(&library.artifact)?, &classes)?;
            test_jars::unpack(lab, &lab.jars.fetch(&library.artifact.classified("tests"))?, &tests)?;
            for class in spaced(&with_own_tests(&classes, &tests)?, options.library_classes) {
                targets.push(Target { class, classes: classes.clone() });
            }
        }
    }
    targets.retain(|target| lab.wants(&target.class));
    Ok(targets)
}

fn cell(lab: &Lab, options: &Options, target: &Target, variant: &str, work: &Path) -> Result<Cell, Problem> {
    let (name, arguments) = variant.split_once('=').unwrap_or((variant, ""));
    let own = work.join(format!("{}-{name}", target.class));
    let out = own.join("out");
    let mut more = vec!["--budget".to_string(), options.budget.clone()];
    more.extend(arguments.split_whitespace().map(String::from));
    let finished = lab.product.generate(&Generate {
        targets: vec![target.class.clone()],
        class_path: vec![target.classes.clone()],
        jdk: lab.jdk(),
        seed: lab.seed,
        more,
        out: out.clone(),
        limit: Duration::from_secs(900),
    })?;
    let path = out.join("report.json");
    let text = files::read(&path).map_err(|_| Problem::Failed { what: "testudo".into(), detail: finished.tail() })?;
    let report: Value = serde_json::from_str(&text).map_err(|cause| Problem::Report { path, cause })?;
    let class = &report["classes"][0];
    let mut cell = Cell {
        variant: name.to_string(),
        class: target.class.clone(),
        pit: Mutants::default(),
        own: own_score(&class["mutation"]),
        tests: class["tests"].as_u64().unwrap_or(0),
        assertions: class["assertions"].as_u64().unwrap_or(0),
        mutation_seconds: class["seconds"]["mutation"].as_f64(),
        total_seconds: class["seconds"]["total"].as_f64().unwrap_or(0.0),
        problem: None,
    };
    let needs = [lab.jars.junit()?];
    let suite = own.join("suite");
    let class_path = [target.classes.clone(), needs[0].clone()];
    let sources = files::below(&out.join("tests"), ".java")?;
    if sources.is_empty() {
        cell.problem = Some("no tests".to_string());
        return Ok(cell);
    }
    let compiled = lab.jdk().compile(&sources, &class_path, None, &suite)?;
    if !compiled.succeeded() {
        cell.problem = Some(compiled.tail());
        return Ok(cell);
    }
    let scores = analyse(
        lab,
        &Analysis {
            jdk: lab.jdk(),
            tests: std::slice::from_ref(&suite),
            classes: &target.classes,
            needs: &needs,
            targets: std::slice::from_ref(&target.class),
            test_classes: &["*".to_string()],
            folder: &own,
            work: &own.join("pit"),
            limit: Duration::from_secs(1800),
            threads: 2,
        },
    )?;
    cell.pit = total(&scores);
    Ok(cell)
}

/// Our own mutation score on the mutants that PIT has as well, where the report has one.
fn own_score(section: &Value) -> Option<Mutants> {
    let common = section.get("common").unwrap_or(section);
    let number = |key: &str| common.get(key)?.as_u64().map(|number| number as usize);
    Some(Mutants { total: number("total")?, killed: number("killed")?, unreached: number("unreached").unwrap_or(0) })
}

fn write(lab: &Lab, options: &Options, cells: &[Vec<Cell>]) -> Result<(), Problem> {
    let mut results = lab.results("pit");
    results.conditions(lab.jdk());
    let ways: Vec<String> = options.variant.iter().map(|v| format!("`{v}`")).collect();
    results.paragraph(&format!(
        "Suites of `testudo generate --budget {}` in several ways ({}), judged by PIT 1.25.9 with its default operators. \
        Classes: all own subjects, and of each library those evenly spaced in the alphabet among the classes with a test class of their own. `own %` is our score on the operators PIT has as well, \
        `mutation s` the time for it.",
        options.budget,
        ways.join(", ")
    ));
    let mut heads = vec!["class".to_string()];
    let variants: Vec<String> = cells[0].iter().map(|cell| cell.variant.clone()).collect();
    for variant in &variants {
        for column in ["PIT %", "killed", "own %", "tests", "assertions", "mutation s", "total s"] {
            heads.push(format!("{variant}: {column}"));
        }
    }
    let rows = cells.iter().map(|row| {
        let mut text = vec![row[0].class.clone()];
        for cell in row {
            text.extend([
                percent(cell.pit.score()),
                format!("{}/{}", cell.pit.killed, cell.pit.total),
                cell.own.map_or(String::new(), |own| percent(own.score())),
                cell.tests.to_string(),
                cell.assertions.to_string(),
                cell.mutation_seconds.map_or(String::new(), seconds),
                seconds(cell.total_seconds),
            ]);
        }
        text
    });
    results.table(&heads.iter().map(String::as_str).collect::<Vec<_>>(), &rows.collect::<Vec<_>>());
    for (number, variant) in variants.iter().enumerate() {
        let column: Vec<&Cell> = cells.iter().map(|row| &row[number]).filter(|cell| cell.problem.is_none()).collect();
        let mut sum = Mutants::default();
        column.iter().for_each(|cell| sum.add(cell.pit));
        let assertions: u64 = column.iter().map(|cell| cell.assertions).sum();
        let pairs: Vec<(f64, f64)> =
            column.iter().filter_map(|cell| Some((cell.pit.score(), cell.own?.score()))).collect();
        let agreement = correlation(&pairs).map_or(String::new(), |r| {
            format!(" Correlation of our own score with PIT's over {} classes: {r:.3}.", pairs.len())
        });
        let spent: f64 = column.iter().filter_map(|cell| cell.mutation_seconds).sum();
        let whole: f64 = column.iter().map(|cell| cell.total_seconds).sum();
        results.paragraph(&format!(
            "{variant}: {}/{} mutants of {} classes killed ({} %), {assertions} assertions; mutation analysis took {} % of the time.{agreement}",
            sum.killed,
            sum.total,
            column.len(),
            percent(sum.score()),
            percent(100.0 * spent / whole.max(0.001)),
        ));
    }
    results.paragraph(&compared(cells));
    for cell in cells.iter().flatten() {
        if let Some(problem) = &cell.problem {
            results.paragraph(&format!("{} ({}): {problem}", cell.class, cell.variant));
        }
    }
    results.finish(&cells)
}

/// The first way against each other one, over the classes that both could do.
fn compared(cells: &[Vec<Cell>]) -> String {
    let mut sentences = Vec::new();
    for other in 1..cells[0].len() {
        let both = cells.iter().filter(|row| row[0].problem.is_none() && row[other].problem.is_none());
        let (mut first, mut second, mut assertions) = (Mutants::default(), Mutants::default(), [0, 0]);
        for row in both {
            first.add(row[0].pit);
            second.add(row[other].pit);
            assertions[0] += row[0].assertions;
            assertions[1] += row[other].assertions;
        }
        sentences.push(format!(
            "{} has {} % of the assertions of {} ({} of {}), and a score that is {:+.2} points away.",
            cells[0][0].variant,
            percent(100.0 * assertions[0] as f64 / (assertions[1] as f64).max(1.0)),
            cells[0][other].variant,
            assertions[0],
            assertions[1],
            first.score() - second.score(),
        ));
    }
    sentences.join(" ")
}

/// Pearson's; `None` where it is not defined.
fn correlation(pairs: &[(f64, f64)]) -> Option<f64> {
    let count = pairs.len() as f64;
    let mean = |values: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(values).sum::<f64>() / count;
    let (x, y) = (mean(&|pair| pair.0), mean(&|pair| pair.1));
    let sum = |values: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(values).sum::<f64>();
    let both = sum(&|pair| (pair.0 - x) * (pair.1 - y));
    let spread = sum(&|pair| (pair.0 - x).powi(2)) * sum(&|pair| (pair.1 - y).powi(2));
    (spread > 0.0).then(|| both / spread.sqrt())
}

#[test]
fn agreement_is_measured() {
    let rising = correlation(&[(1.0, 2.0), (2.0, 4.0), (3.0, 6.0)]).unwrap();
    assert!((rising - 1.0).abs() < 1e-9);
    assert_eq!(correlation(&[(1.0, 2.0), (1.0, 4.0)]), None);
}
