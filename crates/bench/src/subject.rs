//! The classes that generation is measured on, with what is known about them. Owns the list.

/// Where a subject's class files come from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    Fixture,
    Jdk,
}

pub struct Subject {
    pub class: &'static str,
    pub origin: Origin,
    /// Branch coverage in percent that directed random testing reached in one second in the literature.
    pub one_second: Option<u32>,
}

const fn fixture(class: &'static str, one_second: Option<u32>) -> Subject {
    Subject { class, origin: Origin::Fixture, one_second }
}

const fn jdk(class: &'static str) -> Subject {
    Subject { class, origin: Origin::Jdk, one_second: None }
}

pub const SUBJECTS: [Subject; 26] = [
    fixture("subjects.IntStack", Some(100)),
    fixture("subjects.UBStack", Some(100)),
    fixture("subjects.BSet", None),
    fixture("subjects.BBag", None),
    fixture("subjects.ShoppingCart", None),
    fixture("subjects.BankAccount", None),
    fixture("subjects.BinarySearchTree", Some(94)),
    fixture("subjects.LinkedList", Some(100)),
    fixture("subjects.BinomialHeap", Some(84)),
    fixture("subjects.DisjSet", None),
    fixture("subjects.FibonacciHeap", None),
    fixture("subjects.HeapMap", None),
    fixture("subjects.TreeMap", Some(81)),
    fixture("subjects.HeapArray", Some(100)),
    fixture("subjects.Rat", None),
    fixture("subjects.Mono", None),
    fixture("subjects.Poly", None),
    fixture("subjects.PStack", None),
    fixture("subjects.Coinbox", None),
    fixture("subjects.TemperatureMonitor", None),
    fixture("subjects.BMI", None),
    fixture("subjects.BinTree", None),
    jdk("java.util.Stack"),
    jdk("java.util.BitSet"),
    jdk("java.util.TreeMap"),
    jdk("java.util.Collections"),
];

impl Subject {
    pub fn simple(&self) -> &str {
        self.class.rsplit('.').next().unwrap_or(self.class)
    }

    /// A name for folders, unlike that of any other subject.
    pub fn folder(&self) -> String {
        self.class.replace('.', "-")
    }
}
