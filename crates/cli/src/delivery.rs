//! What one class delivered, test by test, so that single tests can still be taken back when all classes are done. Owns the counting and the cutting of
//! source files that this needs; decides about no test.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use engine::goal::GoalId;
use engine::mutation::Witness;
use engine::outcome::Outcome;

use crate::flakiness::{self, Cause};
use crate::mutation::Measured;
use crate::report::from_outcome::{assertions, is_structural, kinds};
use crate::report::mutation::MutationReport;
use crate::report::{ClassReport, DropReason, Dropped};
use crate::verify::Verdict;
use crate::verify::culprit::TestName;

/// A delivered test.
#[derive(Clone, Debug)]
struct Delivered {
    name: TestName,
    /// Index in the files of the verdict.
    file: usize,
    lines: (u32, u32),
    goals: Vec<GoalId>,
    statements: usize,
    assertions: usize,
    witness: Witness,
    /// The method it is about.
    subject: Option<String>,
}

/// How a goal is counted.
#[derive(Clone, Copy, Debug)]
struct Counted {
    kinds: &'static [&'static str],
    method: usize,
    structural: bool,
}

/// The passing tests of one class.
#[derive(Clone, Debug, Default)]
pub struct Delivery {
    tests: Vec<Delivered>,
    /// Of all goals that these tests cover.
    goals: BTreeMap<GoalId, Counted>,
    /// If the class was run with mutants.
    measured: Option<Measured>,
}

/// A test to be taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gone {
    pub name: TestName,
    pub reason: DropReason,
    pub detail: String,
}

impl Delivery {
    pub fn new(outcome: &Outcome, verdict: &Verdict, measured: Option<Measured>) -> Delivery {
        let passing = verdict.verified.iter().filter(|v| v.index < outcome.suite.len());
        let tests: Vec<Delivered> = passing
            .map(|v| Delivered {
                name: TestName { class: v.class.clone(), method: v.method.clone() },
                file: v.file,
                lines: v.lines,
                goals: outcome.suite[v.index].goals.clone(),
                statements: v.test.sequence.len(),
                assertions: assertions(&v.test),
                witness: outcome.suite[v.index].witness.of_what_is_left(&outcome.suite[v.index].test, &v.test),
                subject: flakiness::subject(&outcome.operations, &v.test),
            })
            .collect();
        let counted = |id: &GoalId| {
            let goal = outcome.goals.goal(*id);
            let structural = is_structural(goal.kind);
            (*id, Counted { kinds: kinds(goal.kind), method: goal.method.index(), structural })
        };
        let goals = tests.iter().flat_map(|t| &t.goals).map(counted).collect();
        Delivery { tests, goals, measured }
    }

    /// What the tests do to mutants.
    pub fn mutation(&self) -> Option<MutationReport> {
        self.measured.as_ref().map(|m| m.report(self.tests.iter().map(|t| &t.witness)))
    }

    /// Tests of the first file, for tests of those who deliver.
    #[cfg(test)]
    pub fn of(tests: &[(TestName, (u32, u32))]) -> Delivery {
        let delivered = |(name, lines): &(TestName, (u32, u32))| Delivered {
            name: name.clone(),
            file: 0,
            lines: *lines,
            goals: Vec::new(),
            statements: 3,
            assertions: 1,
            witness: Witness::default(),
            subject: None,
        };
        Delivery { tests: tests.iter().map(delivered).collect(), ..Delivery::default() }
    }

    pub fn names(&self) -> impl Iterator<Item = &TestName> {
        self.tests.iter().map(|t| &t.name)
    }

    /// Takes those of `gone` back that are from here: out of the files, out of the counts, into the list of the dropped. Gives the positions of changed files;
    /// one without tests is left empty. With `tidy`, imports go that nobody needs any more.
    pub fn take_back(
        &self,
        gone: &[Gone],
        report: &mut ClassReport,
        files: &[(PathBuf, String)],
        tidy: bool,
    ) -> Vec<(usize, String)> {
        let (kept, cut): (Vec<&Delivered>, Vec<&Delivered>) =
            self.tests.iter().partition(|t| !gone.iter().any(|g| g.name == t.name));
        if cut.is_empty() {
            return Vec::new();
        }
        for test in &cut {
            let why = gone.iter().find(|g| g.name == test.name);
            report.dropped.extend(why.map(|g| Dropped {
                test: g.name.to_string(),
                reason: g.reason,
                detail: g.detail.clone(),
                // What tests of other classes change or see is static state.
                cause:
                    matches!(g.reason, DropReason::Disturbs | DropReason::OrderDependent).then_some(Cause::StaticState),
                method: test.subject.clone(),
            }));
        }
        self.recount(&kept, report);
        let touched: BTreeSet<usize> = cut.iter().map(|t| t.file).collect();
        let rewritten = touched.into_iter().map(|file| {
            if !kept.iter().any(|t| t.file == file) {
                return (file, String::new());
            }
            let ranges: Vec<(u32, u32)> = cut.iter().filter(|t| t.file == file).map(|t| t.lines).collect();
            (file, without_lines(&files[file].1, &ranges, tidy))
        });
        let rewritten: Vec<(usize, String)> = rewritten.collect();
        let empty = |path: &Path| rewritten.iter().any(|(f, text)| text.is_empty() && files[*f].0 == path);
        report.files.retain(|path| !empty(Path::new(path)));
        rewritten
    }

    fn recount(&self, kept: &[&Delivered], report: &mut ClassReport) {
        report.tests = kept.len();
        report.statements = kept.iter().map(|t| t.statements).sum();
        report.assertions = kept.iter().map(|t| t.assertions).sum();
        report.mutation = self.measured.as_ref().map(|m| m.report(kept.iter().map(|t| &t.witness)));
        let still: BTreeSet<GoalId> = kept.iter().flat_map(|t| t.goals.iter().copied()).collect();
        for (_, counted) in self.goals.iter().filter(|(id, _)| !still.contains(id)) {
            for kind in counted.kinds {
                if let Some(count) = report.goals.get_mut(*kind) {
                    count.covered = count.covered.saturating_sub(1);
                }
            }
            if counted.structural
                && let Some(method) = report.methods.get_mut(counted.method)
            {
                method.goals.covered = method.goals.covered.saturating_sub(1);
                method.why_not.get_or_insert_with(|| {
                    "it was reached in the search, but the tests that did are among those dropped in verification"
                        .to_string()
                });
            }
        }
    }
}

/// The text without these lines (first and last, from 1) and without the blank line that set each apart.
fn without_lines(text: &str, ranges: &[(u32, u32)], tidy: bool) -> String {
    let mut lines: Vec<&str> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if ranges.iter().any(|(first, last)| (*first..=*last).contains(&number)) {
            // Tests are set apart by one blank line; the one before goes with the test.
            if ranges.iter().any(|(first, _)| *first == number) && lines.last() == Some(&"") {
                lines.pop();
            }
            continue;
        }
        // A first test that went leaves the blank line behind it.
        if line.is_empty()
            && lines.last().is_some_and(|l| l.starts_with(|c: char| c.is_alphabetic()) && l.ends_with('{'))
        {
            continue;
        }
        lines.push(line);
    }
    if tidy {
        let body = lines.iter().position(|l| l.ends_with('{')).unwrap_or(0);
        let code = lines[body..].join("\n");
        let needed = |line: &str| match line.strip_prefix("import ").and_then(|l| l.strip_suffix(';')) {
            Some(import) => has_word(&code, import.rsplit('.').next().unwrap_or(import)),
            None => true,
        };
        let mut tidied: Vec<&str> = Vec::with_capacity(lines.len());
        for line in lines.into_iter().filter(|l| needed(l)) {
            if !(line.is_empty() && tidied.last() == Some(&"")) {
                tidied.push(line);
            }
        }
        lines = tidied;
    }
    let mut text = lines.join("\n");
    text.push('\n');
    text
}

fn has_word(text: &str, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    text.match_indices(word).any(|(at, _)| !text[..at].ends_with(part) && !text[at + word.len()..].starts_with(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "\
package p;

import static q.Assertions.assertEquals;
import static q.Assertions.assertTrue;

import java.util.List;
import java.util.ListIterator;
import q.Test;

class ATest {
    @Test
    void one() {
        List list = null;
    }

    @Test
    void two() {
        assertEquals(1, 1);
    }

    @Test
    void three() {
        assertTrue(true);
    }
}
";

    #[test]
    fn what_is_cut_leaves_no_trace() {
        let check = |ranges: &[(u32, u32)], absent: &[&str], present: &[&str]| {
            let text = without_lines(SOURCE, ranges, true);
            for word in absent {
                assert!(!text.contains(word), "{word} in {text}");
            }
            for word in present {
                assert!(text.contains(word), "{word} not in {text}");
            }
            assert!(!text.contains("\n\n\n") && !text.contains("{\n\n") && text.ends_with("    }\n}\n"), "{text}");
        };
        check(&[(11, 14)], &["one", "List"], &["class ATest {\n    @Test\n    void two", "assertEquals;", "q.Test;"]);
        check(
            &[(16, 19)],
            &["two", "assertEquals", "ListIterator"],
            &["util.List;", "    }\n\n    @Test\n    void three"],
        );
        check(&[(21, 24)], &["three", "assertTrue"], &["two"]);
        check(
            &[(11, 14), (21, 24)],
            &["import static q.Assertions.assertTrue", "java.util"],
            &["{\n    @Test\n    void two"],
        );
        assert!(without_lines(SOURCE, &[(11, 14)], false).contains("java.util.List;"));
    }
}
