//! Suites as older generators wrote them, for classes of `fixtures/subjects`: all sequences of up to three calls over one or two default values, or each call alone on a
//! new object over several. Owns the calls and the Java text of these suites.

use std::collections::BTreeSet;
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
    /// All public constructors and calls for single calls; words in braces stand for several values each, see [`Subject::expanded`].
    varied: (&'static [&'static str], &'static [&'static str]),
}

/// Values for parameters. Null, and an instance from any constructor, where objects are passed.
const DEFAULTS: [(&str, &[&str]); 4] = [
    ("{int}", &["-1", "0", "1", "2"]),
    ("{string}", &["null", "\"\"", "\"a\""]),
    ("{object}", &["null", "\"\"", "\"a\"", "new Object()"]),
    ("{item}", &["null", "new Item({string}, {int})"]),
];

pub const SUBJECTS: [Subject; 8] = [
    Subject {
        name: "IntStack",
        declared: "IntStack",
        default: ("new IntStack()", &["push(3)", "push(5)", "pop()", "isEmpty()", "equals(new IntStack())"]),
        varied: (
            &["new IntStack()"],
            &["push({int})", "pop()", "isEmpty()", "equals({self})", "equals({object})", "hashCode()"],
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
            &["new UBStack()", "new UBStack({int})"],
            &[
                "push({int})",
                "pop()",
                "top()",
                "isMember({int})",
                "size()",
                "bound()",
                "isEmpty()",
                "isFull()",
                "equals({self})",
                "equals({object})",
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
                "union({self})",
                "equals({self})",
                "equals({object})",
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
                "equals({self})",
                "equals({object})",
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
            &["add({item})", "remove({item})", "getItemCount()", "getBalance()", "getTotal()", "isEmpty()", "empty()"],
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
                "transfer({self}, {int})",
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
                "addAll({self})",
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
                "iterator()",
                "hashCode()",
                "toString()",
                "equals({object})",
                "equals({self})",
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
                let makes: Vec<String> = makes.iter().flat_map(|make| self.expanded(make)).collect();
                // Null is an object and an instance.
                let mut known = BTreeSet::new();
                let calls = calls.iter().flat_map(|call| self.expanded(call));
                let calls: Vec<String> = calls.filter(|call| known.insert(call.clone())).collect();
                let pairs = makes.iter().flat_map(|make| calls.iter().map(move |call| (make, call)));
                pairs.map(|(make, call)| (make.clone(), vec![call.clone()])).collect()
            }
        }
    }

    /// All ways to fill the gaps of a template; `{self}` is null or an instance from any constructor of this class.
    fn expanded(&self, template: &str) -> Vec<String> {
        let instances = std::iter::once(&"null").chain(self.varied.0).copied().collect::<Vec<_>>();
        let gaps = std::iter::once(("{self}", instances.as_slice())).chain(DEFAULTS);
        for (gap, values) in gaps {
            if template.contains(gap) {
                return values.iter().flat_map(|value| self.expanded(&template.replacen(gap, value, 1))).collect();
            }
        }
        vec![template.to_string()]
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

#[test]
fn suites_have_every_sequence_once() {
    let stack = &SUBJECTS[0];
    assert_eq!(stack.tests(Style::Sequences).len(), 5 + 25 + 125);
    assert_eq!(stack.tests(Style::SingleCalls).len(), 4 + 2 + 5 + 1);
    assert_eq!(stack.expanded("add({int}, {object})").len(), 16);
    assert_eq!(stack.expanded("set({self}, {item})").len(), 2 * (1 + 3 * 4));
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
