//! Why a whole run delivered nothing: the reason that most classes share. Owns the choice and its words.

use std::collections::BTreeMap;

use crate::report::{ClassReport, DropReason, Status};

/// One sentence without its end.
pub fn main_reason(classes: &[ClassReport]) -> String {
    let mut reasons: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for class in classes {
        let (kind, words) = reason(class);
        reasons.entry(kind).or_insert((0, words)).0 += 1;
    }
    // Of those as frequent the first by name.
    let most = reasons.into_values().rev().max_by_key(|(n, _)| *n);
    let Some((n, words)) = most else {
        return "there was no class".to_string();
    };
    if n < classes.len() { format!("{words} ({n} of {} classes)", classes.len()) } else { words }
}

/// What it is counted as, and its words.
fn reason(class: &ClassReport) -> (String, String) {
    let note = |beginning: &str| class.notes.iter().find(|n| n.starts_with(beginning)).cloned();
    if class.status != Status::Tested {
        let words = class.notes.first().cloned().unwrap_or_default();
        return (words.clone(), words);
    }
    if let Some(words) = note(ENDED_EARLY) {
        return (ENDED_EARLY.to_string(), words);
    }
    let mut dropped: BTreeMap<DropReason, (usize, &str)> = BTreeMap::new();
    for test in &class.dropped {
        dropped.entry(test.reason).or_insert((0, &test.detail)).0 += 1;
    }
    if let Some((reason, (_, detail))) = dropped.into_iter().rev().max_by_key(|(_, (n, _))| *n) {
        return (
            format!("dropped {reason:?}"),
            format!("all tests were dropped in verification, first because: {detail}"),
        );
    }
    let mut missing: BTreeMap<&str, usize> = BTreeMap::new();
    for why in class.methods.iter().filter_map(|m| m.why_not.as_deref()) {
        *missing.entry(why).or_default() += 1;
    }
    let most = missing.into_iter().rev().max_by_key(|(_, n)| *n);
    let words =
        most.map_or("no test was found".to_string(), |(why, _)| format!("no test was found; of methods: {why}"));
    (words.clone(), words)
}

/// How the note of a search begins that could not go on.
pub const ENDED_EARLY: &str = "the search ended early";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Dropped;

    #[test]
    fn what_most_classes_share_is_the_reason() {
        let dropped = |name: &str, reason: DropReason| {
            let mut class = ClassReport::new(name.to_string(), Status::Tested);
            let detail = format!("java.lang.SecurityException: class {name}");
            class.dropped.push(Dropped { test: "T.t".to_string(), reason, detail, cause: None, method: None });
            class
        };
        let mut killed = ClassReport::new("K".to_string(), Status::Tested);
        killed.notes = vec!["slow".to_string(), format!("{ENDED_EARLY}: the JVM was killed")];
        let classes = [killed.clone(), dropped("A", DropReason::Failed), dropped("B", DropReason::Failed)];
        let expected = "all tests were dropped in verification, first because: java.lang.SecurityException: class A (2 of 3 classes)";
        assert_eq!(main_reason(&classes), expected);
        assert_eq!(main_reason(&[killed]), "the search ended early: the JVM was killed");
        assert_eq!(main_reason(&[ClassReport::new("N".to_string(), Status::Tested)]), "no test was found");
    }
}
