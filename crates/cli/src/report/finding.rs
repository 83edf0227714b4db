//! A finding in words: the comment in its test, and the list at the end of a run. Owns these sentences; ranks by what the report says and judges nothing.

use bytecode::world::World;
use engine::outcome::Finding;

use crate::report::blame;
use crate::report::summary::counted;
use crate::report::{ClassReport, FindingReport, Location};

/// Most findings listed on the terminal.
const LISTED: usize = 10;

/// What is wrong, where to look, and how often it was seen; a line each.
pub fn comment(world: &World, finding: &Finding) -> String {
    let mut lines = vec![finding.message.clone()];
    if let Some(location) = blame::location(world, finding) {
        lines.push(format!("Look at {} ({}).", place(&location), location.member));
    }
    if finding.alike > 0 {
        let verb = if finding.alike == 1 { "shows" } else { "show" };
        lines.push(format!("{} {verb} the same.", counted(finding.alike as usize, "other sequence")));
    }
    lines.join("\n")
}

/// `com/acme/Foo.java:12`.
fn place(location: &Location) -> String {
    match location.line {
        Some(line) => format!("{}:{line}", location.file),
        None => location.file.clone(),
    }
}

/// The best findings of a run, one per line; empty if there are none.
pub fn list(classes: &[ClassReport]) -> String {
    let mut all: Vec<&FindingReport> = classes.iter().flat_map(|c| &c.findings).collect();
    // In a class they are in order already.
    all.sort_by_key(|f| match f.confidence.as_str() {
        "high" => 0,
        "medium" => 1,
        _ => 2,
    });
    let mut text = String::new();
    for finding in all.iter().take(LISTED) {
        let at = finding.location.as_ref().map_or_else(|| finding.method.clone(), place);
        let what = finding.description.lines().next().unwrap_or_default();
        text.push_str(&format!("{at}: {what} [{}]\n    {}\n", finding.confidence, finding.test));
    }
    if all.len() > LISTED {
        text.push_str(&format!("and {} in report.json\n", counted(all.len() - LISTED, "more finding")));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Status;

    fn finding(number: u32, confidence: &str) -> FindingReport {
        FindingReport {
            contract: "equals-null".to_string(),
            description: format!("wrong {number}\nmore"),
            method: "p.C.m()".to_string(),
            severity: "error".to_string(),
            confidence: confidence.to_string(),
            why: Vec::new(),
            statements: 1,
            statements_before: 1,
            test: format!("p.CFailingTest.t{number}"),
            location: (number > 0).then(|| Location {
                file: "p/C.java".to_string(),
                line: Some(number),
                member: "p.C".to_string(),
            }),
            trace: Vec::new(),
            alike: 0,
        }
    }

    #[test]
    fn the_surest_come_first_and_no_more_than_a_few() {
        let mut class = ClassReport::new("p.C".to_string(), Status::Tested);
        class.findings = vec![finding(0, "warning"), finding(1, "medium"), finding(2, "high")];
        let expected = "p/C.java:2: wrong 2 [high]\n    p.CFailingTest.t2\np/C.java:1: wrong 1 [medium]\n    \
            p.CFailingTest.t1\np.C.m(): wrong 0 [warning]\n    p.CFailingTest.t0\n";
        assert_eq!(list(std::slice::from_ref(&class)), expected);
        class.findings = (0..12).map(|n| finding(n, "high")).collect();
        assert!(list(&[class]).ends_with("p.CFailingTest.t9\nand 2 more findings in report.json\n"));
        assert_eq!(list(&[]), "");
    }
}
