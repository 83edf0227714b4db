//! Names of test methods: what is called, in which situation, with which outcome. Owns choosing the shortest names that tell the tests
//! of a suite apart (numbers come last), and who stands together because of what is called.

use std::collections::{BTreeMap, BTreeSet};

use bytecode::names::ClassName;

use super::plan::asserted_vars;
use super::variables::{camel, is_keyword};
use crate::assertion::{Assertion, Expectation, TestCase};
use crate::execution::Contract;
use crate::operation::{Operation, OperationKind, Operations};
use crate::sequence::Var;
use crate::subtyping::Subtyping;
use crate::suite::Suite;
use crate::types::Type;
use crate::value::{Constant, Value};

/// Longer names are not readable.
const MAX_LEN: usize = 90;

/// What a test is called, and the number of the first test about the same method: readers look for what a method does in one place.
pub struct TestName {
    pub name: String,
    pub first_of_kind: usize,
}

/// A name for each test of the suite, all different.
pub fn test_names(suite: &Suite, operations: &Operations, subtyping: &Subtyping<'_>) -> Vec<TestName> {
    let mut parts: Vec<Parts> = suite.tests.iter().map(|t| Parts::of(&t.test, operations, subtyping)).collect();
    // Types tell overloads apart and nothing else.
    let mut overloads: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for part in &parts {
        overloads.entry(part.base.clone()).or_default().insert(part.types.clone());
    }
    for part in &mut parts {
        if overloads.get(&part.base).is_some_and(|types| types.len() == 1) {
            part.types.clear();
        }
    }
    let mut levels = vec![0; parts.len()];
    loop {
        let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (i, p) in parts.iter().enumerate() {
            groups.entry(p.at(levels[i])).or_default().push(i);
        }
        let mut raised = false;
        for group in groups.values().filter(|g| g.len() > 1) {
            for &i in group {
                if levels[i] < Parts::LEVELS {
                    levels[i] += 1;
                    raised = true;
                }
            }
        }
        if !raised {
            break;
        }
    }
    let mut taken = BTreeSet::new();
    // The next number to try for a name, so that many equal wishes cost no more than a few.
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    let mut firsts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut names = Vec::with_capacity(parts.len());
    for (i, (part, level)) in parts.iter().zip(levels).enumerate() {
        let wish = part.at(level);
        let digit = wish.ends_with(|c: char| c.is_ascii_digit());
        let next = numbers.entry(wish.clone()).or_insert(1);
        let name = loop {
            let name = match *next {
                1 => wish.clone(),
                n if digit => format!("{wish}_{n}"),
                n => format!("{wish}{n}"),
            };
            *next += 1;
            if taken.insert(name.clone()) {
                break name;
            }
        };
        let first_of_kind = *firsts.entry(&part.base).or_insert(i);
        names.push(TestName { name, first_of_kind });
    }
    names
}

/// The pieces a name may be made of.
struct Parts {
    /// The method under test, or the contract.
    base: String,
    /// `WithNull`, `WithEmptyString`, …
    with: String,
    /// The argument is the likely reason for the outcome: null, empty, negative, extreme.
    with_is_special: bool,
    /// `AfterPush`, `OnNewIntStack`.
    after: String,
    /// `AfterTwoPutsAndRemove`: all that was done to the receiver before.
    history: String,
    /// Parameter types, to tell overloads apart.
    types: String,
    /// `ThrowsX`, `ReturnsTrue`.
    outcome: String,
    /// The situation belongs in the name even if nothing else is called so.
    needs_situation: bool,
}

impl Parts {
    const LEVELS: usize = 6;

    fn of(test: &TestCase, operations: &Operations, subtyping: &Subtyping<'_>) -> Parts {
        let focus = focus(test, operations);
        let (weight, with) = focus.and_then(|f| with(test, operations, f)).unwrap_or_default();
        let called = focus.map_or_else(|| "runs".to_owned(), |f| base_name(operation(test, operations, f), subtyping));
        let after = focus.map_or_else(String::new, |f| after(test, operations, f));
        let history = focus.map_or_else(String::new, |f| history(test, operations, f));
        let outcome = outcome(test, focus);
        if let Expectation::Breaks { contract, .. } = &test.expectation {
            let after = format!("After{}", upper(&called));
            let base = contract_word(contract);
            return Parts {
                base,
                with,
                with_is_special: false,
                after,
                history,
                types: String::new(),
                outcome,
                needs_situation: false,
            };
        }
        Parts {
            base: called,
            with,
            with_is_special: weight >= 4,
            after,
            history,
            types: focus.map_or_else(String::new, |f| types(operation(test, operations, f))),
            needs_situation: outcome.is_empty() || !matches!(test.expectation, Expectation::Passes),
            outcome,
        }
    }

    fn at(&self, level: usize) -> String {
        let Parts { base, with, after, history, types, outcome, .. } = self;
        let situation = if self.with_is_special {
            with
        } else if !self.needs_situation {
            ""
        } else if after.is_empty() {
            with
        } else {
            after
        };
        let name = match level {
            0 => format!("{base}{situation}{outcome}"),
            1 => format!("{base}{with}{outcome}"),
            2 => format!("{base}{after}{outcome}"),
            3 => format!("{base}{with}{after}{outcome}"),
            4 => format!("{base}{history}{outcome}"),
            5 => format!("{base}{with}{history}{outcome}"),
            _ => format!("{base}{types}{with}{history}{outcome}"),
        };
        let name = if name.len() > MAX_LEN { format!("{base}{with}{outcome}") } else { name };
        let name: String = name.chars().take(MAX_LEN).collect();
        if is_taken(&name) { format!("{name}Runs") } else { name }
    }
}

/// Names that would clash with keywords, methods of every object or the assertions.
fn is_taken(name: &str) -> bool {
    const OBJECT: [&str; 9] =
        ["equals", "hashCode", "toString", "clone", "finalize", "getClass", "notify", "notifyAll", "wait"];
    is_keyword(name) || OBJECT.contains(&name) || name.starts_with("assert") || name == "fail" || name.is_empty()
}

fn operation<'o>(test: &TestCase, operations: &'o Operations, statement: usize) -> &'o Operation {
    operations.get(test.sequence.statements()[statement].op)
}

/// The statement a test is about: the one that throws; else the one it says; else the last call that is not there only to look at a result.
fn focus(test: &TestCase, operations: &Operations) -> Option<usize> {
    let last = test.sequence.len().checked_sub(1)?;
    if matches!(test.expectation, Expectation::Throws { .. } | Expectation::BadException { .. }) {
        return Some(last);
    }
    if let Some(subject) = test.subject.map(Var::index).filter(|&s| s <= last) {
        return Some(subject);
    }
    let asserted = asserted_vars(test);
    let is_call = |i: usize| matches!(operation(test, operations, i).kind, OperationKind::Call { .. });
    let looks = |i: usize| {
        let value = Var(i as u16);
        let watched = asserted.contains(&value) && test.sequence.uses(value).next().is_none();
        watched && matches!(&operation(test, operations, i).kind, OperationKind::Call { name, .. } if is_observer(name))
    };
    let calls: Vec<usize> = (0..=last).filter(|&i| is_call(i)).collect();
    if let Some(&acting) = calls.iter().rev().find(|&&i| !looks(i)) {
        return Some(acting);
    }
    let other = |i: &usize| !matches!(operation(test, operations, *i).kind, OperationKind::Constant(_));
    calls.first().copied().or_else(|| (0..=last).rev().find(other))
}

fn is_observer(name: &str) -> bool {
    let prefixed = ["get", "is", "has", "contains", "to", "index", "peek"].iter().any(|p| name.starts_with(p));
    prefixed
        || matches!(
            name,
            "size" | "length" | "count" | "hashCode" | "equals" | "compareTo" | "first" | "last" | "name" | "ordinal"
        )
}

fn base_name(operation: &Operation, subtyping: &Subtyping<'_>) -> String {
    let text = match &operation.kind {
        OperationKind::Construct { class, .. } => {
            let (top, inner) = super::imports::nesting(subtyping.classes(), class);
            format!("new{}", inner.last().map_or_else(|| upper(top.simple_binary()), |s| upper(s)))
        }
        OperationKind::Call { name, .. } => camel(name),
        OperationKind::ReadField { name, .. } => format!("read{}", upper(name)),
        OperationKind::WriteField { name, .. } => format!("write{}", upper(name)),
        OperationKind::StoreElement { .. } => "storeElement".to_owned(),
        OperationKind::LoadElement { .. } => "loadElement".to_owned(),
        OperationKind::Cast => "cast".to_owned(),
        _ => "value".to_owned(),
    };
    let cleaned = clean(&text);
    if cleaned.starts_with(|c: char| c.is_ascii_alphabetic()) { cleaned } else { format!("call{cleaned}") }
}

fn clean(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).collect()
}

fn upper(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| c.to_uppercase().to_string() + chars.as_str())
}

/// The most telling argument, and how telling it is.
fn with(test: &TestCase, operations: &Operations, focus: usize) -> Option<(u8, String)> {
    let skip = usize::from(operation(test, operations, focus).has_receiver());
    let args = test.sequence.statements()[focus].args.iter().skip(skip);
    let words = args.filter_map(|a| telling(operation(test, operations, a.index())));
    // The first of the most telling ones.
    let best = words.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.map(|(weight, word)| (weight, format!("With{word}")))
}

fn telling(operation: &Operation) -> Option<(u8, String)> {
    let number = |v: i64| match v {
        0 => (2, "Zero".to_owned()),
        _ if v < 0 => (4, if v > -1000 { format!("Minus{}", -v) } else { "Negative".to_owned() }),
        _ if v < 10_000 => (1, v.to_string()),
        _ => (3, "LargeNumber".to_owned()),
    };
    Some(match &operation.kind {
        OperationKind::Constant(c) => match c {
            Constant::Null => (9, "Null".to_owned()),
            Constant::Boolean(v) => (1, if *v { "True" } else { "False" }.to_owned()),
            Constant::Byte(v) => number(i64::from(*v)),
            Constant::Short(v) => number(i64::from(*v)),
            Constant::Int(i32::MIN) => (5, "MinValue".to_owned()),
            Constant::Int(i32::MAX) => (5, "MaxValue".to_owned()),
            Constant::Long(i64::MIN) => (5, "MinValue".to_owned()),
            Constant::Long(i64::MAX) => (5, "MaxValue".to_owned()),
            Constant::Int(v) => number(i64::from(*v)),
            Constant::Long(v) => number(*v),
            Constant::Float(bits) => float_word(f64::from(f32::from_bits(*bits))),
            Constant::Double(bits) => float_word(f64::from_bits(*bits)),
            Constant::Char(_) => return None,
            Constant::String(s) if s.units().is_empty() => (5, "EmptyString".to_owned()),
            Constant::String(s) => (2, string_word(s.units())?),
            Constant::Class(_) => return None,
            Constant::Enum { name, .. } => (2, clean(&upper(&camel(name)))),
        },
        OperationKind::ArrayLiteral { length: 0 } => (5, "EmptyArray".to_owned()),
        _ => return None,
    })
}

fn float_word(v: f64) -> (u8, String) {
    match v {
        _ if v.is_nan() => (6, "NaN".to_owned()),
        _ if v.is_infinite() => (6, "Infinity".to_owned()),
        _ if v < 0.0 => (4, "Negative".to_owned()),
        _ if v == 0.0 => (2, "Zero".to_owned()),
        _ => (0, "Number".to_owned()),
    }
}

/// A short plain string can be part of a name.
fn string_word(units: &[u16]) -> Option<String> {
    let text = String::from_utf16(units).ok()?;
    let plain = text.len() <= 10 && text.chars().all(|c| c.is_ascii_alphanumeric());
    if plain {
        return Some(upper(&text));
    }
    text.trim().is_empty().then(|| "BlankString".to_owned())
}

/// What happened to the receiver before.
fn after(test: &TestCase, operations: &Operations, focus: usize) -> String {
    let statements = test.sequence.statements();
    if !operation(test, operations, focus).has_receiver() {
        return String::new();
    }
    let Some(receiver) = statements[focus].args.first() else {
        return String::new();
    };
    let before = (0..focus).rev().find_map(|i| match &operation(test, operations, i).kind {
        OperationKind::Call { name, .. }
            if operation(test, operations, i).has_receiver() && statements[i].args.first() == Some(receiver) =>
        {
            Some(format!("After{}", clean(&upper(name))))
        }
        OperationKind::WriteField { name, .. } if statements[i].args.first() == Some(receiver) => {
            Some(format!("AfterSetting{}", clean(&upper(name))))
        }
        _ => None,
    });
    let made = match &operation(test, operations, receiver.index()).kind {
        OperationKind::Construct { class, .. } => {
            let simple = class.simple_binary().rsplit('$').next().unwrap_or_default();
            format!("OnNew{}", clean(&upper(simple)))
        }
        OperationKind::Constant(_) => {
            telling(operation(test, operations, receiver.index())).map_or_else(String::new, |(_, w)| format!("On{w}"))
        }
        _ => String::new(),
    };
    before.unwrap_or(made)
}

/// Most calls a name tells of.
const MAX_HISTORY: usize = 3;

/// All calls on the receiver before, equal ones in a row counted.
fn history(test: &TestCase, operations: &Operations, focus: usize) -> String {
    let statements = test.sequence.statements();
    let receiver = match statements[focus].args.first() {
        Some(receiver) if operation(test, operations, focus).has_receiver() => receiver,
        _ => return String::new(),
    };
    let mut calls: Vec<(&str, usize)> = Vec::new();
    for i in (0..focus).filter(|&i| statements[i].args.first() == Some(receiver)) {
        let operation = operation(test, operations, i);
        if let (true, OperationKind::Call { name, .. }) = (operation.has_receiver(), &operation.kind) {
            match calls.last_mut() {
                Some((last, n)) if *last == &**name => *n += 1,
                _ => calls.push((name, 1)),
            }
        }
    }
    if calls.is_empty() || calls.len() > MAX_HISTORY {
        return after(test, operations, focus);
    }
    let words: Vec<String> = calls.iter().map(|(name, n)| counted(&clean(&upper(name)), *n)).collect();
    format!("After{}", words.join("And"))
}

fn counted(name: &str, n: usize) -> String {
    const WORDS: [&str; 8] = ["Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"];
    match n {
        1 => name.to_owned(),
        2..=9 => format!("{}{name}Calls", WORDS[n - 2]),
        _ => format!("{n}{name}Calls"),
    }
}

fn types(operation: &Operation) -> String {
    let skip = usize::from(operation.has_receiver());
    operation.params.iter().skip(skip).map(type_word).collect()
}

fn type_word(t: &Type) -> String {
    match t {
        Type::Void => String::new(),
        Type::Primitive(p) => upper(p.keyword()),
        Type::Class(c) => clean(&upper(c.name.simple_binary().rsplit('$').next().unwrap_or_default())),
        Type::Array(e) => format!("{}Array", type_word(e)),
    }
}

fn outcome(test: &TestCase, focus: Option<usize>) -> String {
    let simple = |class: &ClassName| clean(&upper(class.simple_binary().rsplit('$').next().unwrap_or_default()));
    match &test.expectation {
        Expectation::Throws { class, .. } => format!("Throws{}", simple(class)),
        // Tests that fail say what should be.
        Expectation::BadException { class } => format!("DoesNotThrow{}", simple(class)),
        Expectation::Breaks { .. } => String::new(),
        Expectation::Passes => {
            let about = |a: &Assertion| match a {
                Assertion::Equals { var, value } if Some(var.index()) == focus => returned(value),
                _ => None,
            };
            test.assertions.iter().find_map(about).unwrap_or_default()
        }
    }
}

fn returned(value: &Value) -> Option<String> {
    let payload = match value {
        Value::Boxed(inner) => inner,
        other => other,
    };
    let constant = crate::text::constant_of(payload)?;
    let shown = telling(&Operation::constant(constant, Type::object()))?.1;
    // Words that would promise too much about exact values.
    let vague = matches!(&*shown, "Number" | "LargeNumber" | "Negative");
    Some(if vague { String::new() } else { format!("Returns{shown}") })
}

/// What should hold.
fn contract_word(contract: &Contract) -> String {
    let word = match contract {
        Contract::EqualsReflexive => "equalsIsReflexive",
        Contract::EqualsNull => "equalsNullIsFalse",
        Contract::EqualsSymmetric => "equalsIsSymmetric",
        Contract::EqualsHashCode => "equalObjectsHaveEqualHashCodes",
        Contract::EqualsThrows => "equalsDoesNotThrow",
        Contract::HashCodeThrows => "hashCodeDoesNotThrow",
        Contract::ToStringThrows => "toStringDoesNotThrow",
        Contract::ToStringNull => "toStringIsNotNull",
        Contract::CompareToAntisymmetric => "compareToIsAntisymmetric",
        Contract::CompareToTransitive => "compareToIsTransitive",
        Contract::CompareToEquals => "compareToAgreesWithEquals",
        Contract::CompareToReflexive => "compareToIsReflexive",
        Contract::CloneEquals => "cloneEqualsOriginal",
        Contract::IteratorEnds => "iteratorEnds",
        Contract::User { method, .. } => return clean(&camel(method)),
    };
    word.to_owned()
}
