//! What the literature reports for classes of the same names, to stand beside our own figures. Owns reading the table; the sources of those classes are not ours.

use super::seeds::Style;

/// Redundancy of one suite by one technique, in percent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Redundancy {
    pub tests: f64,
    pub executions: f64,
}

/// What generation made of one suite by one technique; `None` where memory did not suffice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Generation {
    /// After one and two iterations.
    pub tests: [Option<u32>; 2],
    pub executions: [Option<u32>; 2],
    /// Before, after one and two iterations.
    pub states: [Option<u32>; 3],
}

/// The same for all techniques: before, after one and two iterations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reached {
    pub exceptions: [u32; 3],
    pub branches: [f64; 3],
}

const TABLE: &str = include_str!("literature.txt");

/// The parts of a class's line that come after its name.
fn parts(class: &str, key: &str) -> Option<Vec<Vec<&'static str>>> {
    let mut lines = TABLE.lines().map(|line| line.split(" | "));
    let name = format!("{class} {key}");
    let line = lines.find_map(|mut line| (line.next() == Some(name.as_str())).then_some(line))?;
    Some(line.map(|part| part.split(' ').collect()).collect())
}

fn of_style(style: Style) -> usize {
    match style {
        Style::Sequences => 0,
        Style::SingleCalls => 1,
    }
}

fn numbers<N: std::str::FromStr + Copy, const COUNT: usize>(words: &[&str], from: usize) -> [Option<N>; COUNT] {
    std::array::from_fn(|i| words.get(from + i).and_then(|word| word.parse().ok()))
}

pub fn redundancy(class: &str, technique: &str, style: Style) -> Option<Redundancy> {
    let parts = parts(class, technique)?;
    let [tests, executions] = numbers(parts.first()?, 2 * of_style(style));
    Some(Redundancy { tests: tests?, executions: executions? })
}

pub fn generation(class: &str, technique: &str, style: Style) -> Option<Generation> {
    let parts = parts(class, technique)?;
    let words = parts.get(1 + of_style(style))?;
    Some(Generation { tests: numbers(words, 0), executions: numbers(words, 2), states: numbers(words, 4) })
}

pub fn reached(class: &str, style: Style) -> Option<Reached> {
    let parts = parts(class, "coverage")?;
    let words = parts.get(of_style(style))?;
    let exceptions: [Option<u32>; 3] = numbers(words, 0);
    let branches: [Option<f64>; 3] = numbers(words, 3);
    let [Some(a), Some(b), Some(c)] = exceptions else {
        return None;
    };
    let [Some(x), Some(y), Some(z)] = branches else {
        return None;
    };
    Some(Reached { exceptions: [a, b, c], branches: [x, y, z] })
}

#[cfg(test)]
mod tests {
    use super::super::seeds::SUBJECTS;
    use super::*;
    use crate::suites::minimize::TECHNIQUES;

    #[test]
    fn the_table_is_complete() {
        for subject in &SUBJECTS {
            for style in [Style::Sequences, Style::SingleCalls] {
                assert!(reached(subject.name, style).is_some(), "{}", subject.name);
                for technique in TECHNIQUES {
                    assert!(redundancy(subject.name, technique, style).is_some(), "{} {technique}", subject.name);
                    assert!(generation(subject.name, technique, style).is_some(), "{} {technique}", subject.name);
                }
            }
        }
    }

    #[test]
    fn numbers_stand_where_they_belong() {
        let found = redundancy("BSet", "whole-state", Style::SingleCalls);
        assert_eq!(found, Some(Redundancy { tests: 31.1, executions: 32.2 }));
        let expected = Generation {
            tests: [Some(558), None],
            executions: [Some(1660), None],
            states: [Some(31), Some(541), None],
        };
        assert_eq!(generation("ShoppingCart", "whole-seq", Style::SingleCalls), Some(expected));
        let expected = Reached { exceptions: [0, 3, 3], branches: [41.1, 89.3, 98.2] };
        assert_eq!(reached("BinarySearchTree", Style::SingleCalls), Some(expected));
    }
}
