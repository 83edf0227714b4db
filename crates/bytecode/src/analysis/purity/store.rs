//! Summaries of the platform's methods as text, to be kept from one run to the next. Owns the form and the question
//! which of them still hold: a class of another application may override a method that a summary takes for granted.
//! Touches no file.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::solver::Purity;
use super::summary::Summary;
use crate::world::{Scope, World};

/// The first line; any other line means another version, of which nothing is taken.
const HEADING: &str = "testudo purity summaries 1";

/// One method: its name, what it does, the methods it calls (by their place in the list) and the calls that subclasses
/// may change.
pub(super) struct Line {
    pub name: String,
    pub summary: Summary,
    pub callees: Vec<usize>,
    pub virtuals: BTreeSet<String>,
}

impl Purity<'_> {
    /// Everything known so far about methods of the platform that no class of the application has a part in.
    pub fn to_text(&self) -> String {
        let mut text = format!("{HEADING}\n");
        for line in self.lines() {
            let callees: Vec<String> = line.callees.iter().map(|n| format!("{n:x}")).collect();
            let virtuals: Vec<&str> = line.virtuals.iter().map(String::as_str).collect();
            let (name, summary) = (&line.name, line.summary.to_text());
            text.push_str(&format!("{name}\t{summary}\t{}\t{}\n", callees.join(","), virtuals.join(",")));
        }
        text
    }

    /// Takes what an earlier run wrote, as far as it holds for this application: to be called before the first
    /// question. Gives how many summaries were taken; none of a text that is not whole.
    pub fn remember(&mut self, text: &str) -> usize {
        let Some(lines) = read(text) else { return 0 };
        let overridden = overridden(self.world());
        let mut callers: Vec<Vec<usize>> = vec![Vec::new(); lines.len()];
        for (at, line) in lines.iter().enumerate() {
            for &callee in &line.callees {
                callers[callee].push(at);
            }
        }
        let mut doubtful = vec![false; lines.len()];
        let mut queue: Vec<usize> = (0..lines.len()).filter(|n| !lines[*n].virtuals.is_disjoint(&overridden)).collect();
        while let Some(at) = queue.pop() {
            if !std::mem::replace(&mut doubtful[at], true) {
                queue.extend(&callers[at]);
            }
        }
        let good = lines.into_iter().zip(doubtful).filter(|(_, doubtful)| !doubtful);
        let mut taken = 0;
        for (line, _) in good {
            self.take(line.name, line.summary);
            taken += 1;
        }
        taken
    }
}

fn read(text: &str) -> Option<Vec<Line>> {
    let mut rows = text.lines();
    if rows.next()? != HEADING || !text.ends_with('\n') {
        return None;
    }
    let lines: Option<Vec<Line>> = rows
        .map(|row| {
            let mut parts = row.split('\t');
            let (name, summary) = (parts.next()?.to_owned(), Summary::from_text(parts.next()?)?);
            let some =
                |list: &str| -> Vec<String> { list.split(',').filter(|s| !s.is_empty()).map(str::to_owned).collect() };
            let callees =
                some(parts.next()?).iter().map(|n| usize::from_str_radix(n, 16).ok()).collect::<Option<_>>()?;
            let virtuals = some(parts.next()?).into_iter().collect();
            Some(Line { name, summary, callees, virtuals })
        })
        .collect();
    lines.filter(|list| list.iter().all(|line| line.callees.iter().all(|callee| *callee < list.len())))
}

/// Calls through types of the platform that end up in methods of the application.
fn overridden(world: &World) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for name in world.names(Scope::Application).iter() {
        let Ok(class) = world.class(name) else { continue };
        let methods: Vec<String> = class
            .methods
            .iter()
            .filter(|m| !m.access.is_static() && !m.access.is_private() && !m.is_constructor())
            .map(|m| format!("{}{}", m.name, m.raw_descriptor))
            .collect();
        for above in world.all_supertypes(name).iter().filter(|n| !world.is_application(n)) {
            found.extend(methods.iter().map(|method| format!("{above}.{method}")));
        }
    }
    found
}

/// Leaves out lines that call something which is not in the list, and the callers of these. Callees are numbers of
/// methods, `None` for one that cannot be kept; `numbers` are those of the lines.
pub(super) fn closed(lines: Vec<(Line, Vec<Option<u32>>)>, numbers: &[u32]) -> Vec<Line> {
    let mut kept: BTreeSet<u32> = numbers.iter().copied().collect();
    loop {
        let before = kept.len();
        for ((_, callees), number) in lines.iter().zip(numbers) {
            if !callees.iter().all(|callee| callee.is_some_and(|n| kept.contains(&n))) {
                kept.remove(number);
            }
        }
        if kept.len() == before {
            break;
        }
    }
    let places: FxHashMap<u32, usize> =
        numbers.iter().filter(|n| kept.contains(n)).enumerate().map(|(at, n)| (*n, at)).collect();
    let lines = lines.into_iter().zip(numbers).filter(|(_, number)| kept.contains(number));
    lines
        .map(|((line, callees), _)| {
            let callees = callees.iter().flatten().filter_map(|n| places.get(n).copied()).collect();
            Line { callees, ..line }
        })
        .collect()
}
