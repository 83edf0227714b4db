//! Candidate sequences: what could be called before a method under test so that every call can matter to it. Owns their enumeration, backwards from the method
//! under test and with one sequence in memory; arguments are left open.

use super::influence::{Influence, Rules};

/// All candidates of one length for one method under test, by prepending.
#[derive(Clone, Debug)]
pub struct Candidates {
    rules: Rules,
    /// From the method under test backwards.
    reversed: Vec<u16>,
    /// What to try next at each place before the method under test.
    next: Vec<u16>,
    length: usize,
    /// The sequence of length 1 has no place to try.
    single: bool,
}

impl Candidates {
    pub fn new(rules: Rules, method: u16, length: usize) -> Candidates {
        Candidates {
            rules,
            reversed: vec![method],
            next: if length > 1 { vec![0] } else { Vec::new() },
            length,
            single: length == 1,
        }
    }

    /// The next one that can be explored, in order of execution.
    pub fn next(&mut self, influence: &Influence) -> Option<Vec<u16>> {
        while self.advance(influence) {
            let sequence: Vec<u16> = self.reversed.iter().rev().copied().collect();
            if self.is_worth(influence, &sequence) {
                return Some(sequence);
            }
        }
        None
    }

    fn is_worth(&self, influence: &Influence, sequence: &[u16]) -> bool {
        influence.is_executable(sequence, self.rules) && (!self.rules.dataflow || influence.is_linked(sequence))
    }

    /// Goes to the next complete sequence.
    fn advance(&mut self, influence: &Influence) -> bool {
        if self.length == 1 {
            return std::mem::take(&mut self.single);
        }
        loop {
            if self.reversed.len() == self.length {
                self.reversed.pop();
            }
            let Some(next) = self.next.last_mut() else { return false };
            let at = usize::from(*next);
            if at >= influence.len() {
                self.next.pop();
                if self.next.is_empty() {
                    return false;
                }
                self.reversed.pop();
                continue;
            }
            *next += 1;
            let first = self.reversed[self.reversed.len() - 1];
            let matters = self.reversed.iter().any(|&later| influence.matters(at, usize::from(later)));
            if !matters || !influence.may_follow(at, usize::from(first), self.rules) {
                continue;
            }
            self.reversed.push(at as u16);
            if self.reversed.len() == self.length {
                return true;
            }
            self.next.push(0);
        }
    }
}
