//! The first tool of a comparison beside the others: each of them alone, and the best of its own techniques. Owns these two tables; knows cells only by what the page shows of them.

use super::cell::{Budget, Cell};
use super::page::{Shown, mean};
use super::tool::{TECHNIQUES, Tool};
use crate::results::{Results, percent};

/// Points of coverage that may be lost to the best technique of a class.
const MARGIN: f64 = 1.0;

/// Each other tool with its largest budget, on what both of them did.
pub fn others(results: &mut Results, shown: &Shown) {
    let Some((first, others)) = shown.tools.split_first() else { return };
    let mut table = Vec::new();
    for &set in &shown.sets {
        for &other in others {
            // The others at their best, ourselves at whatever we were given.
            let Some(&most) = shown.budgets.iter().rfind(|b| !shown.of(Some(set), other, **b).is_empty()) else {
                continue;
            };
            for &budget in shown.budgets.iter().filter(|b| !shown.of(Some(set), first, **b).is_empty()) {
                let pair = |value: &dyn Fn(&Cell) -> Option<f64>| {
                    let theirs = shown.means(other, most, value);
                    let mut ours = shown.means(first, budget, value);
                    ours.retain(|class, _| class.0 == set);
                    Pair(ours.into_iter().filter_map(|(class, own)| Some((own, *theirs.get(&class)?))).collect())
                };
                let branches = pair(&|c| Some(c.branch()));
                let mutants = pair(&|c| Some(c.verdict.mutants?.score()));
                let statements = pair(&|c| Some(c.verdict.statements as f64));
                // Both lists are in the order of classes.
                let alike = branches.0.iter().zip(&statements.0).filter(|((own, theirs), _)| own == theirs);
                let alike = Pair(alike.map(|(_, sizes)| *sizes).collect());
                let mut row = vec![set.to_string(), format!("{first}, {budget}"), format!("{other}, {most}")];
                row.extend(branches.columns());
                row.push(branches.0.iter().filter(|(_, theirs)| *theirs < 100.0).count().to_string());
                row.extend(mutants.columns());
                let sum = |of: &dyn Fn(&(f64, f64)) -> f64| {
                    format!("{:.0}", alike.0.iter().map(of).fold(0.0, |sum, size| sum + size))
                };
                row.extend([alike.0.len().to_string(), sum(&|p| p.0), sum(&|p| p.1)]);
                table.push(row);
            }
        }
    }
    if table.is_empty() {
        return;
    }
    results.paragraph("## Side by side");
    let heads = [
        "set",
        "tool",
        "against",
        "classes",
        "branch %",
        "of the other",
        "more",
        "fewer",
        "not covered wholly by the other",
        "classes with PIT",
        "PIT %",
        "of the other",
        "more",
        "fewer",
        "classes with equal branches",
        "statements there",
        "of the other",
    ];
    results.table(&heads, &table);
    results.paragraph(
        "Each pair on the classes that both were measured on, PIT on those where it came to its end for both.",
    );
}

/// What the one and the other has of every class.
struct Pair(Vec<(f64, f64)>);

impl Pair {
    fn columns(&self) -> [String; 5] {
        let of = |value: fn(&(f64, f64)) -> f64| {
            if self.0.is_empty() { "–".to_string() } else { percent(mean(self.0.iter().map(value))) }
        };
        let count = |counts: fn(&&(f64, f64)) -> bool| self.0.iter().filter(counts).count().to_string();
        [self.0.len().to_string(), of(|p| p.0), of(|p| p.1), count(|p| p.0 > p.1), count(|p| p.0 < p.1)]
    }
}

/// Testudo as it is by default beside its techniques alone, with equal budgets.
pub fn the_best_technique(results: &mut Results, shown: &Shown) {
    let Some((&first, others)) = shown.tools.split_first() else { return };
    let techniques: Vec<&str> = others.iter().copied().filter(|name| is_technique(name)).collect();
    let rows = shown.sets.iter().flat_map(|&set| shown.budgets.iter().map(move |&budget| (set, budget)));
    let rows: Vec<Vec<String>> = rows.filter_map(|at| best(shown, first, &techniques, at)).collect();
    if first != Tool::Testudo.name() || rows.is_empty() {
        return;
    }
    results.paragraph("## Beside the best technique");
    let heads = [
        "set",
        "budget",
        "classes",
        "branch %",
        "best technique",
        "its branch %",
        "best of all, class by class",
        "classes more than a point below that",
        "which",
    ];
    results.table(&heads, &rows);
    results.paragraph("On the classes that all techniques named were measured on with this budget; the best technique is the one with the highest mean, the best of all takes another one for every class.");
}

/// Whether this is one technique alone.
fn is_technique(name: &str) -> bool {
    name.split_whitespace().next().is_some_and(|word| TECHNIQUES.contains(&word) && word != "portfolio")
}

fn best(shown: &Shown, first: &str, techniques: &[&str], (set, budget): (&str, Budget)) -> Option<Vec<String>> {
    let mut own = shown.by_class(first, budget);
    own.retain(|class, _| class.0 == set);
    let measured = techniques.iter().map(|name| (*name, shown.by_class(name, budget)));
    let measured: Vec<_> = measured.filter(|(_, all)| all.keys().any(|class| class.0 == set)).collect();
    own.retain(|class, _| measured.iter().all(|(_, all)| all.contains_key(class)));
    if own.is_empty() || measured.is_empty() {
        return None;
    }
    let means = measured.iter().map(|(name, all)| (*name, mean(own.keys().map(|class| all[class]))));
    let (name, highest) = means.reduce(|best, next| if next.1 > best.1 { next } else { best })?;
    let top = |class| measured.iter().map(|(_, all)| all[class]).fold(0.0_f64, f64::max);
    let below = own.iter().filter(|(class, value)| **value < top(class) - MARGIN);
    let below: Vec<String> = below
        .map(|(class, value)| {
            let short = class.1.rsplit('.').next().unwrap_or(class.1);
            format!("{short} ({} and {})", percent(*value), percent(top(class)))
        })
        .collect();
    Some(vec![
        set.to_string(),
        budget.to_string(),
        own.len().to_string(),
        percent(mean(own.values().copied())),
        name.to_string(),
        percent(highest),
        percent(mean(own.keys().map(top))),
        below.len().to_string(),
        below.join(", "),
    ])
}

#[cfg(test)]
mod tests {
    use super::super::cell::{Kept, Key};
    use super::super::judge::Verdict;
    use super::*;
    use crate::jacoco::Ratio;

    fn kept(cells: &[(&str, &str, usize)]) -> Kept {
        let mut kept = Kept::default();
        for (tool, class, covered) in cells {
            let key = Key {
                set: "set".to_string(),
                class: format!("some.{class}"),
                tool: (*tool).to_string(),
                budget: Budget::Seconds(2),
                seed: 1,
            };
            let mut verdict = Verdict::default();
            verdict.coverage.branches = Ratio { covered: *covered, total: 100 };
            kept.put(Cell { key, wall_seconds: 1.0, peak_megabytes: 0.0, verdict, search: None, problem: None });
            if !kept.tools.iter().any(|known| known == tool) {
                kept.tools.push((*tool).to_string());
            }
        }
        kept
    }

    #[test]
    fn the_best_technique_is_that_of_the_classes_all_were_measured_on() {
        let kept = kept(&[
            ("testudo", "A", 90),
            ("testudo", "B", 80),
            ("testudo", "C", 10),
            ("randoop", "A", 100),
            ("random", "A", 91),
            ("random", "B", 70),
            ("random", "C", 99),
            ("evolve --style gp", "A", 40),
            ("evolve --style gp", "B", 82),
        ]);
        let row = best(&Shown::new(&kept), "testudo", &["random", "evolve --style gp"], ("set", Budget::Seconds(2)));
        let expected = ["set", "2 s", "2", "85.0", "random", "80.5", "86.5", "1", "B (80.0 and 82.0)"];
        assert_eq!(row.as_deref(), Some(expected.map(str::to_string).as_slice()));
    }

    #[test]
    fn nothing_is_said_without_techniques() {
        let kept = kept(&[("testudo", "A", 90), ("randoop", "A", 100)]);
        assert_eq!(best(&Shown::new(&kept), "testudo", &[], ("set", Budget::Seconds(2))), None);
    }
}
