//! The table at the end of a run, for people. Owns its columns and alignment; never prints it itself.

use crate::report::{ClassReport, GoalCount, Report, Status};
use crate::screen;

/// Plain text, one line per class, columns aligned, totals last.
pub fn table(report: &Report) -> String {
    let mut rows: Vec<[String; 8]> =
        vec![["class", "branches", "lines", "tests", "findings", "executions", "seconds", "notes"].map(String::from)];
    for class in &report.classes {
        rows.push(row(class));
    }
    if report.classes.len() > 1 {
        rows.push(total(&report.classes));
    }
    let mut widths = [0; 8];
    for row in &rows {
        for (w, cell) in widths.iter_mut().zip(row) {
            *w = (*w).max(cell.chars().count());
        }
    }
    let mut text = String::new();
    for row in &rows {
        let mut line = String::new();
        for (i, (cell, width)) in row.iter().zip(widths).enumerate() {
            let pad = " ".repeat(width - cell.chars().count());
            match i {
                0 => line.push_str(&format!("{cell}{pad}")),
                7 => line.push_str(&format!("  {cell}")),
                _ => line.push_str(&format!("  {pad}{cell}")),
            }
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

fn row(class: &ClassReport) -> [String; 8] {
    let count = |kind: &str| class.goals.get(kind).copied().unwrap_or_default();
    let tested = class.status == Status::Tested;
    let mut notes: Vec<String> = class.notes.clone();
    let uncovered = class.methods.iter().filter(|m| m.goals.total > 0 && m.goals.covered == 0).count();
    if uncovered > 0 {
        notes.push(format!("{} without test", counted(uncovered, "method")));
    }
    if !class.dropped.is_empty() {
        notes.push(format!("{} dropped", counted(class.dropped.len(), "test")));
    }
    let number = |n: String| if tested { n } else { "-".to_string() };
    [
        screen::one_line(&class.class),
        number(percent(count("branch"))),
        number(percent(count("line"))),
        number(class.tests.to_string()),
        number(class.findings.len().to_string()),
        number(class.executions.to_string()),
        format!("{:.1}", class.seconds.total),
        shorten(&notes.join("; "), 100),
    ]
}

fn total(classes: &[ClassReport]) -> [String; 8] {
    let sum = |kind: &str| {
        classes
            .iter()
            .filter_map(|c| c.goals.get(kind))
            .fold(GoalCount::default(), |a, b| GoalCount { total: a.total + b.total, covered: a.covered + b.covered })
    };
    [
        format!("{} classes", classes.len()),
        percent(sum("branch")),
        percent(sum("line")),
        classes.iter().map(|c| c.tests).sum::<usize>().to_string(),
        classes.iter().map(|c| c.findings.len()).sum::<usize>().to_string(),
        classes.iter().map(|c| c.executions).sum::<u64>().to_string(),
        format!("{:.1}", classes.iter().map(|c| c.seconds.total).sum::<f64>()),
        String::new(),
    ]
}

/// Where the time of a class went, in one line.
pub fn phases(class: &ClassReport) -> String {
    let s = &class.seconds;
    let phases = [
        ("preparing", s.prepare),
        ("searching", s.search),
        ("minimising", s.refine),
        ("mutating", s.mutation),
        ("compiling", s.compile),
        ("running", s.verify),
    ];
    let mut parts: Vec<String> = phases
        .iter()
        .filter(|(_, seconds)| *seconds >= 0.005)
        .map(|(name, seconds)| format!("{name} {seconds:.2} s"))
        .collect();
    if s.search > 0.0 {
        parts.push(format!("{:.0} executions/s", class.executions as f64 / s.search));
    }
    parts.join(", ")
}

fn percent(count: GoalCount) -> String {
    count.percent().map_or("-".to_string(), |p| {
        // Not everything is never shown as 100 %.
        let shown = if count.covered < count.total { p.min(99.9) } else { p };
        if shown == 100.0 { "100 %".to_string() } else { format!("{shown:.1} %") }
    })
}

/// `1 test`, `2 tests`.
pub fn counted(n: usize, word: &str) -> String {
    format!("{n} {word}{}", plural(n))
}

fn plural(n: usize) -> &'static str {
    if n == 1 { "" } else { "s" }
}

fn shorten(text: &str, limit: usize) -> String {
    let line = screen::one_line(text.lines().next().unwrap_or(""));
    if line.chars().count() <= limit {
        line
    } else {
        format!("{}…", line.chars().take(limit - 1).collect::<String>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{JdkReport, Options, SandboxReport, Seconds};

    #[test]
    fn the_table_is_aligned_and_ends_with_totals() {
        let mut stack = ClassReport::new("demo.Stack".to_string(), Status::Tested);
        stack.goals.insert("branch".to_string(), GoalCount { total: 2000, covered: 1999 });
        stack.goals.insert("line".to_string(), GoalCount { total: 7, covered: 7 });
        stack.tests = 12;
        stack.executions = 123_456;
        stack.seconds.total = 9.96;
        let mut shape = ClassReport::new("demo.Shape".to_string(), Status::Skipped);
        shape.notes.push("abstract, and nothing implements it".to_string());
        let report = Report {
            schema: crate::report::SCHEMA,
            version: "0".to_string(),
            jdk: JdkReport { home: "/jdk".to_string(), version: 17 },
            options: Options {
                technique: "random".to_string(),
                seed: 0,
                budget_seconds: None,
                total_budget_seconds: None,
                max_executions: None,
                junit: 5,
                prune: "equals".to_string(),
                max_length: 100,
                null_ratio: 0.05,
                past_exceptions: false,
            },
            sandbox: SandboxReport::default(),
            classes: vec![stack, shape],
            interrupted: false,
            together: None,
            seconds: Seconds::default(),
        };
        let expected = "\
class       branches  lines  tests  findings  executions  seconds  notes
demo.Stack    99.9 %  100 %     12         0      123456     10.0
demo.Shape         -      -      -         -           -      0.0  abstract, and nothing implements it
2 classes     99.9 %  100 %     12         0      123456     10.0
";
        assert_eq!(table(&report), expected);
    }
}
