//! Suites as older generators wrote them, for classes of `fixtures/subjects`: all sequences of up to three calls over one or two default values, or each call alone on a
//! new object over several. Owns the calls and the Java text of these suites.

use std::path::Path;

use crate::{Problem, files};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// A constructor and one to three calls.
    Sequences,
    /// A constructor and one call.
    SingleCalls,
}

impl Style {
    pub fn name(self) -> &'static str {
        match self {
            Style::Sequences => "sequences",
            Style::SingleCalls => "single calls",
        }
    }
}

pub struct Subject {
    /// Of the class in package `subjects`.
    pub name: &'static str,
    /// How a variable is declared.
    declared: &'static str,
    /// Constructor and calls for sequences.
    default: (&'static str, &'static [&'static str]),
    /// Constructors and calls for single calls; `{int}` and `{object}` stand for several values each.
    varied: (&'static [&'static str], &'static [&'static str]),
}

const INTS: [&str; 3] = ["-1", "0", "1"];
const OBJECTS: [&str; 3] = ["null", "\"\"", "new Object()"];

pub const SUBJECTS: [Subject; 8] = [
    Subject {
        name: "IntStack",
        declared: "IntStack",
        default: ("new IntStack()", &["push(3)", "push(5)", "pop()", "isEmpty()", "equals(new IntStack())"]),
        varied: (
            &["new IntStack()"],
            &["push({int})", "pop()", "isEmpty()", "equals(null)", "equals(new IntStack())", "hashCode()"],
        ),
    },
    Subject {
        name: "UBStack",
        declared: "UBStack",
        default: (
            "new UBStack()",
            &[
                "push(0)",
                "push(1)",
                "pop()",
                "top()",
                "isMember(0)",
                "size()",
                "bound()",
                "isEmpty()",
                "isFull()",
                "equals(new UBStack())",
                "hashCode()",
            ],
        ),
        varied: (
            &["new UBStack()"],
            &[
                "push({int})",
                "pop()",
                "top()",
                "isMember({int})",
                "size()",
                "bound()",
                "isEmpty()",
                "isFull()",
                "equals(null)",
                "equals(new UBStack())",
                "hashCode()",
            ],
        ),
    },
    Subject {
        name: "BSet",
        declared: "BSet",
        default: (
            "new BSet(2)",
            &[
                "add(null)",
                "add(\"a\")",
                "add(\"b\")",
                "remove(\"a\")",
                "isMember(\"a\")",
                "size()",
                "isEmpty()",
                "isFull()",
                "union(new BSet(1))",
                "equals(new BSet(1))",
                "hashCode()",
            ],
        ),
        varied: (
            &["new BSet({int})"],
            &[
                "add({object})",
                "remove({object})",
                "isMember({object})",
                "size()",
                "isEmpty()",
                "isFull()",
                "union(new BSet({int}))",
                "equals(null)",
                "equals(new BSet({int}))",
                "hashCode()",
            ],
        ),
    },
    Subject {
        name: "BBag",
        declared: "BBag",
        default: (
            "new BBag(2)",
            &[
                "add(null)",
                "add(\"a\")",
                "remove(\"a\")",
                "remove(null)",
                "multiplicity(\"a\")",
                "size()",
                "distinct()",
                "isEmpty()",
                "equals(new BBag(1))",
                "hashCode()",
            ],
        ),
        varied: (
            &["new BBag({int})"],
            &[
                "add({object})",
                "remove({object})",
                "multiplicity({object})",
                "size()",
                "distinct()",
                "isEmpty()",
                "equals(null)",
                "equals(new BBag({int}))",
                "hashCode()",
            ],
        ),
    },
    Subject {
        name: "ShoppingCart",
        declared: "ShoppingCart",
        default: (
            "new ShoppingCart()",
            &[
                "add(null)",
                "add(new Item(\"a\", 100))",
                "remove(new Item(\"a\", 100))",
                "getItemCount()",
                "getBalance()",
                "getTotal()",
                "isEmpty()",
                "empty()",
            ],
        ),
        varied: (
            &["new ShoppingCart()"],
            &[
                "add(null)",
                "add(new Item(\"\", {int}))",
                "add(new Item(null, {int}))",
                "remove(null)",
                "remove(new Item(\"\", {int}))",
                "getItemCount()",
                "getBalance()",
                "getTotal()",
                "isEmpty()",
                "empty()",
            ],
        ),
    },
    Subject {
        name: "BankAccount",
        declared: "BankAccount",
        default: (
            "new BankAccount()",
            &[
                "deposit(0)",
                "deposit(1)",
                "withdraw(0)",
                "withdraw(1)",
                "transfer(new BankAccount(), 1)",
                "getBalance()",
                "getTransactions()",
                "isOverdrawn()",
            ],
        ),
        varied: (
            &["new BankAccount()", "new BankAccount({int})"],
            &[
                "deposit({int})",
                "withdraw({int})",
                "transfer(null, {int})",
                "transfer(new BankAccount(), {int})",
                "getBalance()",
                "getTransactions()",
                "isOverdrawn()",
            ],
        ),
    },
    Subject {
        name: "BinarySearchTree",
        declared: "BinarySearchTree",
        default: (
            "new BinarySearchTree()",
            &[
                "insert(0)",
                "insert(1)",
                "remove(0)",
                "contains(0)",
                "min()",
                "max()",
                "height()",
                "size()",
                "isEmpty()",
                "clear()",
                "toString()",
            ],
        ),
        varied: (
            &["new BinarySearchTree()"],
            &[
                "insert({int})",
                "remove({int})",
                "contains({int})",
                "min()",
                "max()",
                "height()",
                "size()",
                "isEmpty()",
                "clear()",
                "toString()",
            ],
        ),
    },
    Subject {
        name: "LinkedList",
        declared: "LinkedList<Object>",
        default: (
            "new LinkedList<Object>()",
            &[
                "add(null)",
                "add(\"a\")",
                "addFirst(\"a\")",
                "get(0)",
                "removeFirst()",
                "remove((Object) \"a\")",
                "indexOf(\"a\")",
                "size()",
                "isEmpty()",
                "clear()",
                "reverse()",
                "toArray()",
            ],
        ),
        varied: (
            &["new LinkedList<Object>()"],
            &[
                "add({object})",
                "addFirst({object})",
                "addLast({object})",
                "add({int}, {object})",
                "addAll(new LinkedList<Object>())",
                "getFirst()",
                "getLast()",
                "get({int})",
                "set({int}, {object})",
                "removeFirst()",
                "removeLast()",
                "removeAt({int})",
                "remove((Object) {object})",
                "indexOf({object})",
                "lastIndexOf({object})",
                "contains({object})",
                "size()",
                "isEmpty()",
                "clear()",
                "reverse()",
                "toArray()",
                "hashCode()",
                "toString()",
                "equals({object})",
            ],
        ),
    },
];

/// More would be slow to compile and to edit.
const PER_FILE: usize = 250;

impl Subject {
    pub fn class(&self) -> String {
        format!("subjects.{}", self.name)
    }

    /// A constructor and calls for each test.
    pub fn tests(&self, style: Style) -> Vec<(String, Vec<String>)> {
        match style {
            Style::Sequences => {
                let (make, calls) = self.default;
                let mut tests: Vec<Vec<String>> = Vec::new();
                let mut shorter: Vec<Vec<String>> = vec![Vec::new()];
                for _ in 0..3 {
                    let longer = shorter.iter().flat_map(|calls_before| {
                        calls.iter().map(move |call| {
                            let mut sequence = calls_before.clone();
                            sequence.push((*call).to_string());
                            sequence
                        })
                    });
                    shorter = longer.collect();
                    tests.extend(shorter.iter().cloned());
                }
                tests.into_iter().map(|calls| (make.to_string(), calls)).collect()
            }
            Style::SingleCalls => {
                let (makes, calls) = self.varied;
                let makes: Vec<String> = makes.iter().flat_map(|make| expanded(make)).collect();
                let calls: Vec<String> = calls.iter().flat_map(|call| expanded(call)).collect();
                let pairs = makes.iter().flat_map(|make| calls.iter().map(move |call| (make, call)));
                pairs.map(|(make, call)| (make.clone(), vec![call.clone()])).collect()
            }
        }
    }

    /// Writes a JUnit suite below a folder; exceptions leave its tests.
    pub fn write(&self, style: Style, folder: &Path) -> Result<(), Problem> {
        let tests: Vec<_> = self.tests(style).into_iter().enumerate().collect();
        for (file, chunk) in tests.chunks(PER_FILE).enumerate() {
            let class = format!("{}{:02}Test", self.name, file + 1);
            let mut text = format!("package subjects;\n\nimport org.junit.jupiter.api.Test;\n\nclass {class} {{\n");
            for (number, (make, calls)) in chunk {
                text.push_str(&format!("    @Test\n    void test{}() throws Throwable {{\n", number + 1));
                text.push_str(&format!("        {} subject = {make};\n", self.declared));
                for call in calls {
                    text.push_str(&format!("        subject.{call};\n"));
                }
                text.push_str("    }\n\n");
            }
            let text = format!("{}\n}}\n", text.trim_end());
            files::write(&folder.join(format!("subjects/{class}.java")), &text)?;
        }
        Ok(())
    }
}

/// All ways to fill the gaps of a template.
fn expanded(template: &str) -> Vec<String> {
    for (gap, values) in [("{int}", &INTS), ("{object}", &OBJECTS)] {
        if template.contains(gap) {
            return values.iter().flat_map(|value| expanded(&template.replacen(gap, value, 1))).collect();
        }
    }
    vec![template.to_string()]
}

#[test]
fn suites_have_every_sequence_once() {
    let stack = &SUBJECTS[0];
    assert_eq!(stack.tests(Style::Sequences).len(), 5 + 25 + 125);
    assert_eq!(stack.tests(Style::SingleCalls).len(), 8);
    assert_eq!(expanded("add({int}, {object})").len(), 9);
    for subject in &SUBJECTS {
        for style in [Style::Sequences, Style::SingleCalls] {
            let mut tests = subject.tests(style);
            let all = tests.len();
            tests.sort();
            tests.dedup();
            assert_eq!(tests.len(), all, "{}", subject.name);
        }
    }
}
