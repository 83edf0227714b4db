//! Literals as inputs: primitives as they are, strings character by character. Owns which input stands for which part
//! of which literal, and the way back from values of inputs to literals.

use rustc_hash::FxHashMap;
use testcase::value::{Constant, JavaString};

use super::Slot;
use crate::expr::{InputId, Model, Sort, Term, Terms};
use crate::vm::{Machine, Run};

/// Strings longer than this keep their length.
const LONGEST: usize = 63;
/// The sort of lengths of array literals; no other input has it.
pub(super) const LENGTH: Sort = Sort::Bv(5);
/// Characters beyond this one of a literal are no inputs.
const CHARACTERS: usize = 256;

/// A part of a sequence that an input stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal {
    pub statement: u16,
    /// Which character of a string, or which argument; `None` for primitives.
    pub character: Option<u16>,
    /// What it is: a primitive's descriptor; characters of strings are `c` (Latin-1) or `C`, the length is `l`; of
    /// array literals that is `n`; arguments are `r`, constants of enums `e`.
    pub letter: u8,
}

/// Which inputs stand for literals.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    of: FxHashMap<Literal, InputId>,
    literals: Vec<Option<Literal>>,
}

impl Inputs {
    /// What an input stands for; `None` for those that the caller made.
    pub fn literal_of(&self, input: InputId) -> Option<Literal> {
        self.literals.get(input.0 as usize).copied().flatten()
    }

    pub(super) fn input(&mut self, terms: &mut Terms, literal: Literal) -> InputId {
        if let Some(&known) = self.of.get(&literal) {
            return known;
        }
        let name = match literal.character {
            Some(at) if literal.letter == b'r' => format!("v{}({at})", literal.statement),
            None if matches!(literal.letter, b'l' | b'n') => format!("v{}.length", literal.statement),
            None => format!("v{}", literal.statement),
            Some(at) => format!("v{}[{at}]", literal.statement),
        };
        let (id, _) = fresh(terms, literal.letter, &name);
        self.of.insert(literal, id);
        self.literals.resize(id.0 as usize + 1, None);
        self.literals[id.0 as usize] = Some(literal);
        id
    }

    /// The value of a literal with its terms; notes the values of its inputs. `None` if it is none that inputs can
    /// stand for.
    pub(super) fn literal(
        &mut self,
        machine: &mut Machine,
        values: &mut Model,
        statement: u16,
        constant: &Constant,
        lengths: bool,
    ) -> Run<Option<Slot>> {
        let (letter, bits) = match constant {
            Constant::Boolean(v) => (b'Z', u64::from(*v)),
            Constant::Byte(v) => (b'B', *v as i64 as u64),
            Constant::Char(v) => (b'C', u64::from(*v)),
            Constant::Short(v) => (b'S', *v as i64 as u64),
            Constant::Int(v) => (b'I', *v as i64 as u64),
            Constant::Long(v) => (b'J', *v as u64),
            Constant::Float(v) => (b'F', u64::from(*v)),
            Constant::Double(v) => (b'D', *v),
            Constant::String(text) => return self.string(machine, values, statement, text, lengths).map(Some),
            Constant::Null | Constant::Class(_) | Constant::Enum { .. } => return Ok(None),
        };
        let terms = &mut machine.path_mut().terms;
        let input = self.input(terms, Literal { statement, character: None, letter });
        values.set_bits(input, input_bits(letter, bits));
        let term = as_slot(terms, input, letter);
        Ok(Some(Slot { bits, letter, term: Some(term) }))
    }

    fn string(
        &mut self,
        machine: &mut Machine,
        values: &mut Model,
        statement: u16,
        text: &JavaString,
        lengths: bool,
    ) -> Run<Slot> {
        let units = text.units();
        let latin = units.iter().all(|u| *u < 256);
        let letter = if latin { b'c' } else { b'C' };
        let mut characters = Vec::with_capacity(units.len().min(CHARACTERS));
        for (at, unit) in units.iter().enumerate().take(CHARACTERS) {
            let terms = &mut machine.path_mut().terms;
            let literal = Literal { statement, character: Some(at as u16), letter };
            let input = self.input(terms, literal);
            values.set_bits(input, u64::from(*unit));
            characters.push(terms.input_term(input));
        }
        let terms = &mut machine.path_mut().terms;
        let length = (lengths && units.len() <= LONGEST).then(|| {
            let input = self.input(terms, Literal { statement, character: None, letter: b'l' });
            values.set_bits(input, units.len() as u64);
            terms.input_term(input)
        });
        let string = machine.string_of_inputs(units, &characters, length)?;
        Ok(Slot { bits: u64::from(string), letter: b'L', term: None })
    }
}

fn sort(letter: u8) -> Sort {
    match letter {
        b'Z' => Sort::Bv(1),
        b'n' => LENGTH,
        b'l' => Sort::Bv(6),
        b'B' | b'c' | b'e' => Sort::Bv(8),
        b'r' => Sort::Bv(12),
        b'C' | b'S' => Sort::Bv(16),
        b'J' => Sort::LONG,
        b'F' => Sort::F32,
        b'D' => Sort::F64,
        _ => Sort::INT,
    }
}

/// A new input for a value of a primitive type, and that value as the machine has it.
pub(super) fn fresh(terms: &mut Terms, letter: u8, name: &str) -> (InputId, Term) {
    terms.input(sort(letter), name);
    let id = InputId(terms.input_count() as u32 - 1);
    (id, as_slot(terms, id, letter))
}

/// An input as a value in a slot: small types are `int`s there.
pub(super) fn as_slot(terms: &mut Terms, input: InputId, letter: u8) -> Term {
    let term = terms.input_term(input);
    match letter {
        b'Z' | b'C' => terms.zero_extend(term, Sort::INT),
        b'B' | b'S' => terms.sign_extend(term, Sort::INT),
        _ => term,
    }
}

/// A slot's bits as an input has them.
pub(super) fn input_bits(letter: u8, bits: u64) -> u64 {
    crate::expr::canonical(sort(letter), bits & sort(letter).mask())
}

/// The literal that an input's value means.
pub(super) fn constant(letter: u8, bits: u64) -> Constant {
    match letter {
        b'Z' => Constant::Boolean(bits & 1 == 1),
        b'B' => Constant::Byte(bits as i8),
        b'C' => Constant::Char(bits as u16),
        b'S' => Constant::Short(bits as i16),
        b'J' => Constant::Long(bits as i64),
        b'F' => Constant::Float(bits as u32),
        b'D' => Constant::Double(bits),
        _ => Constant::Int(bits as i32),
    }
}
