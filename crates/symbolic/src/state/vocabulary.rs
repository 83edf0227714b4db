//! The inputs that states, calls and sequences speak of. Owns which input has which role, so that equal states have
//! equal terms; small types are `int`s with a range.

use rustc_hash::FxHashMap;

use super::zone::Range;
use crate::expr::{InputId, Sort, Term, Terms};

/// What an input stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// A value held by a state, counted by type.
    Held(u32),
    /// An argument of the call being explored.
    Argument(u32),
    /// An argument of a call of a whole sequence.
    Step(u32, u32),
}

/// All inputs, by role and type.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    of: FxHashMap<(Role, u8), InputId>,
    letters: Vec<u8>,
}

impl Vocabulary {
    /// The input of a role and a primitive type, given by its descriptor.
    pub fn input(&mut self, terms: &mut Terms, role: Role, letter: u8) -> InputId {
        if let Some(&known) = self.of.get(&(role, letter)) {
            return known;
        }
        let name = match role {
            Role::Held(number) => format!("held{number}"),
            Role::Argument(number) => format!("argument{number}"),
            Role::Step(step, number) => format!("step{step}.{number}"),
        };
        terms.input(sort(letter), name);
        let id = InputId(terms.input_count() as u32 - 1);
        self.letters.resize(id.0 as usize + 1, 0);
        self.letters[id.0 as usize] = letter;
        self.of.insert((role, letter), id);
        id
    }

    pub fn letter(&self, input: InputId) -> u8 {
        self.letters.get(input.0 as usize).copied().unwrap_or(0)
    }

    /// The values an input can have; none for floats.
    pub fn range(&self, input: InputId) -> Option<Range> {
        range(self.letter(input))
    }

    pub fn range_of_sort(&self, sort: Sort) -> Option<Range> {
        match sort {
            Sort::INT => range(b'I'),
            Sort::LONG => range(b'J'),
            _ => None,
        }
    }

    /// A number as the bits of an input.
    pub fn bits(&self, input: InputId, value: i64) -> u64 {
        if self.letter(input) == b'J' { value as u64 } else { u64::from(value as u32) }
    }

    /// A copy of a term with other terms in place of inputs. None if one of its inputs has no replacement.
    pub fn replaced(terms: &mut Terms, term: Term, by: &FxHashMap<InputId, Term>) -> Option<Term> {
        if let Some(input) = terms.input_id(term) {
            return by.get(&input).copied();
        }
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        let mut stack = vec![term];
        while let Some(&top) = stack.last() {
            if done.contains_key(&top) {
                stack.pop();
                continue;
            }
            let node = *terms.node(top);
            if let Some(input) = terms.input_id(top) {
                done.insert(top, *by.get(&input)?);
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(node.args().iter().filter(|arg| !done.contains_key(arg)));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let args: Vec<Term> = node.args().iter().map(|arg| done[arg]).collect();
            let copy = if args == node.args() { top } else { terms.build(node.op, node.sort, &args, node.number) };
            done.insert(top, copy);
        }
        Some(done[&term])
    }
}

fn sort(letter: u8) -> Sort {
    match letter {
        b'J' => Sort::LONG,
        b'F' => Sort::F32,
        b'D' => Sort::F64,
        _ => Sort::INT,
    }
}

fn range(letter: u8) -> Option<Range> {
    let (least, greatest) = match letter {
        b'Z' => (0, 1),
        b'B' => (i64::from(i8::MIN), i64::from(i8::MAX)),
        b'C' => (0, i64::from(u16::MAX)),
        b'S' => (i64::from(i16::MIN), i64::from(i16::MAX)),
        b'I' => (i64::from(i32::MIN), i64::from(i32::MAX)),
        b'J' => (i64::MIN, i64::MAX),
        _ => return None,
    };
    Some(Range { least, greatest })
}
