//! The result pages of `bench equivalence`, in the shape of the literature's tables. Owns headings and where the literature's figures stand.

use super::{Row, Style, literature, percent_of};
use crate::results::{Results, percent, seconds};
use crate::{Lab, Problem};

pub fn write(lab: &Lab, rows: &[Row], lost: &[String]) -> Result<(), Problem> {
    let mut results = lab.results("equivalence");
    results.conditions(lab.jdk());
    results.paragraph(
        "In brackets: what the literature reports for classes of the same names (its sources and suites are not ours), see bench/README.md.",
    );
    for style in [Style::Sequences, Style::SingleCalls] {
        let own: Vec<&Row> = rows.iter().filter(|row| row.suite == style.name()).collect();
        if own.is_empty() {
            continue;
        }
        results.paragraph(&format!("## Suites of {}: redundant tests", style.name()));
        redundancy(&mut results, style, &own);
        if own.iter().any(|row| !row.generated.is_empty()) {
            results.paragraph(&format!("## Suites of {}: generation from them", style.name()));
            generation(&mut results, style, &own);
        }
    }
    for row in rows {
        for note in &row.notes {
            results.paragraph(&format!("{}, {}, {}: {note}", row.class, row.suite, row.technique));
        }
    }
    for problem in lost {
        results.paragraph(&format!("Lost: {problem}"));
    }
    results.finish(&rows)
}

fn bracketed(ours: String, theirs: Option<String>) -> String {
    theirs.map_or_else(|| ours.clone(), |theirs| format!("{ours} ({theirs})"))
}

fn redundancy(results: &mut Results, style: Style, rows: &[&Row]) {
    let heads = [
        "class, technique",
        "tests",
        "redundant %",
        "put back",
        "executions",
        "removed %",
        "different executions",
        "states",
        "branch % before",
        "after",
        "exceptions before",
        "after",
        "s",
    ];
    let cells = rows.iter().map(|row| {
        let known = literature::redundancy(&row.class, &row.technique, style);
        let after = row.after.as_ref();
        vec![
            format!("{} {}", row.class, row.technique),
            row.tests.to_string(),
            bracketed(percent(row.redundant_percent()), known.map(|known| percent(known.tests))),
            row.put_back.to_string(),
            row.executions.to_string(),
            bracketed(percent(row.removed_percent()), known.map(|known| percent(known.executions))),
            row.different_executions.to_string(),
            row.states.to_string(),
            percent(percent_of(&row.before)),
            after.map_or(String::new(), |after| percent(percent_of(after))),
            row.before.exceptions.len().to_string(),
            after.map_or(String::new(), |after| after.exceptions.len().to_string()),
            seconds(row.seconds),
        ]
    });
    results.table(&heads, &cells.collect::<Vec<_>>());
    let worse: Vec<String> = rows
        .iter()
        .filter(|row| row.after.as_ref().is_some_and(|after| *after != row.before))
        .map(|row| format!("{} by {}", row.class, row.technique))
        .collect();
    if rows.iter().any(|row| row.after.is_some()) {
        results.paragraph(&if worse.is_empty() {
            "Every minimised suite takes the same branches and throws the same exceptions as the whole one.".to_string()
        } else {
            format!("Other branches or exceptions after minimising: {}.", worse.join(", "))
        });
    }
}

fn generation(results: &mut Results, style: Style, rows: &[&Row]) {
    let heads = [
        "class, technique, iterations",
        "tests",
        "executions",
        "states",
        "exceptions",
        "branch %",
        "sequences tried",
        "search s",
        "s",
    ];
    let mut cells = Vec::new();
    for row in rows.iter().filter(|row| !row.generated.is_empty()) {
        let reached = literature::reached(&row.class, style);
        let known = literature::generation(&row.class, &row.technique, style);
        let count = |number: Option<Option<u32>>| {
            number.map(|number| number.map_or("out of memory".to_string(), |number| number.to_string()))
        };
        cells.push(vec![
            format!("{} {} 0", row.class, row.technique),
            row.tests.to_string(),
            row.different_executions.to_string(),
            bracketed(row.states.to_string(), count(known.map(|known| known.states[0]))),
            bracketed(
                row.before.exceptions.len().to_string(),
                reached.map(|reached| reached.exceptions[0].to_string()),
            ),
            bracketed(percent(percent_of(&row.before)), reached.map(|reached| percent(reached.branches[0]))),
            String::new(),
            String::new(),
            String::new(),
        ]);
        for generated in &row.generated {
            let number = generated.iterations as usize;
            let branches = generated.reached.as_ref().map_or(String::new(), |reached| percent(percent_of(reached)));
            let in_table = |counts: [Option<u32>; 2]| counts.get(number - 1).copied();
            let later = |counts: [Option<u32>; 3]| counts.get(number).copied();
            cells.push(vec![
                format!("{} {} {number}", row.class, row.technique),
                bracketed(generated.tests.to_string(), count(known.and_then(|known| in_table(known.tests)))),
                bracketed(
                    generated.different_executions.to_string(),
                    count(known.and_then(|known| in_table(known.executions))),
                ),
                bracketed(generated.states.to_string(), count(known.and_then(|known| later(known.states)))),
                bracketed(
                    generated.exceptions.to_string(),
                    reached.and_then(|reached| reached.exceptions.get(number).map(u32::to_string)),
                ),
                bracketed(branches, reached.and_then(|reached| reached.branches.get(number).copied().map(percent))),
                generated.tried.to_string(),
                seconds(generated.search_seconds),
                seconds(generated.seconds),
            ]);
        }
    }
    results.table(&heads, &cells);
}
