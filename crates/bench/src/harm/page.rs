//! The page of `bench harm`: totals, then every class. Owns its words; judges nothing.

use super::{Options, Row};
use crate::results::percent;
use crate::{Lab, Problem};

pub fn write(lab: &Lab, options: &Options, rows: &[Row]) -> Result<(), Problem> {
    let mut results = lab.results("harm");
    results.conditions(lab.jdk());
    let who = options.user.as_deref().unwrap_or("us, what it delivered as `nobody` if we are root");
    results.paragraph(&format!(
        "{} sequences per class. Testudo ran as {who}; more arguments: `{}`; more environment: `{}`.",
        options.max_executions,
        options.more,
        options.env.join(" ")
    ));
    results.table(
        &[
            "set, JDK",
            "classes",
            "with tests",
            "tests",
            "branches covered %",
            "harm while generating",
            "classes whose tests touch something",
            "change the JVM",
            "do not end",
            "have failing tests",
            "failing tests",
        ],
        &totals(rows),
    );
    let heads =
        ["class", "set, JDK", "branches", "tests", "failing", "while generating", "when run", "changed in the JVM"];
    let cells = rows.iter().map(|row| {
        let when_run = row.running.iter().cloned().chain(row.broken.then(|| "the JVM does not end".to_owned()));
        vec![
            escaped(&row.class),
            of(row),
            format!("{}/{}", row.covered, row.branches),
            row.tests.to_string(),
            row.failing.len().to_string(),
            lines(&row.generating),
            lines(&when_run.collect::<Vec<_>>()),
            lines(&row.state),
        ]
    });
    results.table(&heads, &cells.collect::<Vec<_>>());
    results.finish(&rows)
}

fn of(row: &Row) -> String {
    format!("{}, {}", row.set, row.jdk)
}

fn totals(rows: &[Row]) -> Vec<Vec<String>> {
    let mut names: Vec<String> = rows.iter().map(of).collect();
    names.dedup();
    let total = |name: String| {
        let rows: Vec<&Row> = rows.iter().filter(|row| of(row) == name).collect();
        let count = |wanted: fn(&Row) -> bool| rows.iter().filter(|row| wanted(row)).count().to_string();
        let sum = |number: fn(&Row) -> usize| rows.iter().map(|row| number(row)).sum::<usize>();
        let covered = 100.0 * sum(|row| row.covered) as f64 / sum(|row| row.branches).max(1) as f64;
        vec![
            name,
            count(|row| !row.class.starts_with('(')),
            count(|row| row.tests > 0),
            sum(|row| row.tests).to_string(),
            percent(covered),
            sum(|row| row.generating.len()).to_string(),
            count(|row| !row.running.is_empty()),
            count(|row| !row.state.is_empty()),
            count(|row| row.broken),
            count(|row| !row.failing.is_empty()),
            sum(|row| row.failing.len()).to_string(),
        ]
    };
    names.into_iter().map(total).collect()
}

/// How many lines of a class are shown; the rest is in the file for programs.
const SHOWN: usize = 3;

fn lines(all: &[String]) -> String {
    let shown: Vec<String> = all.iter().take(SHOWN).map(|line| escaped(line)).collect();
    let more = all.len().saturating_sub(SHOWN);
    if more > 0 { format!("{}; {more} more", shown.join("; ")) } else { shown.join("; ") }
}

/// Without what would break a table or a terminal.
fn escaped(text: &str) -> String {
    let plain = |c: char| if c == '|' || c.is_control() { c.escape_unicode().to_string() } else { c.to_string() };
    text.chars().map(plain).collect()
}
