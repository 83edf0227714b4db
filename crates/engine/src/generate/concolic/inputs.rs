//! Numbers and characters as inputs of the solver: which input stands for which argument, how wide it is, and what constant its value means. Owns these
//! conversions; chooses no value.

use bytecode::names::Primitive;
use rustc_hash::FxHashMap;
use symbolic::executor::Slot;
use symbolic::expr::{InputId, Sort, Term, Terms};
use symbolic::state::{Role, Vocabulary};
use testcase::value::{Constant, JavaString};

/// Where an input stands: call, parameter, and place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Place {
    call: u16,
    param: u16,
    part: u16,
    kind: u8,
}

/// A character of a text that is kept in Latin-1.
const CHARACTER: u8 = b'1';

/// All inputs so far. The same place of another sequence is the same input: what was solved once is known.
#[derive(Debug, Default)]
pub struct Inputs {
    of: FxHashMap<Place, (InputId, Term)>,
    /// By input: the call it belongs to.
    calls: Vec<u16>,
    /// Integers, as conditions know them.
    pub names: Vocabulary,
}

impl Inputs {
    pub fn number(&mut self, terms: &mut Terms, call: usize, param: usize, primitive: Primitive) -> InputId {
        self.at(terms, Place { call: call as u16, param: param as u16, part: 0, kind: primitive.descriptor() as u8 })
    }

    pub fn character(&mut self, terms: &mut Terms, call: usize, param: usize, part: usize) -> InputId {
        self.at(terms, Place { call: call as u16, param: param as u16, part: part as u16, kind: CHARACTER })
    }

    fn at(&mut self, terms: &mut Terms, place: Place) -> InputId {
        if let Some((input, _)) = self.of.get(&place) {
            return *input;
        }
        let input = if matches!(place.kind, b'I' | b'J') {
            self.names.input(terms, Role::Step(u32::from(place.call), u32::from(place.param)), place.kind)
        } else {
            let name = format!("step{}.{}.{}", place.call, place.param, place.part);
            terms.input(sort(place.kind), name);
            InputId(terms.input_count() as u32 - 1)
        };
        let narrow = terms.input_term(input);
        let term = match place.kind {
            b'Z' | b'C' => terms.zero_extend(narrow, Sort::INT),
            b'B' | b'S' | CHARACTER => terms.sign_extend(narrow, Sort::INT),
            _ => narrow,
        };
        self.of.insert(place, (input, term));
        if self.calls.len() <= input.0 as usize {
            self.calls.resize(input.0 as usize + 1, u16::MAX);
        }
        self.calls[input.0 as usize] = place.call;
        input
    }

    /// The term that the machine computes with: an `int` for small types.
    pub fn term(&self, call: usize, param: usize, part: usize, primitive: Option<Primitive>) -> Option<Term> {
        let kind = primitive.map_or(CHARACTER, |p| p.descriptor() as u8);
        let place = Place { call: call as u16, param: param as u16, part: part as u16, kind };
        self.of.get(&place).map(|(_, term)| *term)
    }

    /// The input of an argument, if it was ever needed.
    pub fn find(&self, call: usize, param: usize, part: usize, primitive: Option<Primitive>) -> Option<InputId> {
        let kind = primitive.map_or(CHARACTER, |p| p.descriptor() as u8);
        let place = Place { call: call as u16, param: param as u16, part: part as u16, kind };
        self.of.get(&place).map(|(input, _)| *input)
    }

    /// The call whose argument an input is; one far behind if it is none.
    pub fn call_of(&self, input: InputId) -> usize {
        self.calls.get(input.0 as usize).map_or(usize::MAX, |c| usize::from(*c))
    }
}

fn sort(kind: u8) -> Sort {
    match kind {
        b'Z' => Sort::Bv(1),
        b'B' | CHARACTER => Sort::Bv(8),
        b'C' | b'S' => Sort::Bv(16),
        b'I' => Sort::INT,
        b'J' => Sort::LONG,
        b'F' => Sort::F32,
        _ => Sort::F64,
    }
}

/// The value of an input as a variable holds it.
pub fn slot(primitive: Primitive, bits: u64, term: Option<Term>) -> Slot {
    let bits = match primitive {
        Primitive::Boolean => bits & 1,
        Primitive::Byte => bits as i8 as i64 as u64,
        Primitive::Char => u64::from(bits as u16),
        Primitive::Short => bits as i16 as i64 as u64,
        Primitive::Int => bits as i32 as i64 as u64,
        Primitive::Float => u64::from(bits as u32),
        Primitive::Long | Primitive::Double => bits,
    };
    Slot { bits, letter: primitive.descriptor() as u8, term }
}

/// The value of an input as a statement writes it.
pub fn constant(primitive: Primitive, bits: u64) -> Constant {
    match primitive {
        Primitive::Boolean => Constant::Boolean(bits & 1 == 1),
        Primitive::Byte => Constant::Byte(bits as i8),
        Primitive::Char => Constant::Char(bits as u16),
        Primitive::Short => Constant::Short(bits as i16),
        Primitive::Int => Constant::Int(bits as i32),
        Primitive::Long => Constant::Long(bits as i64),
        Primitive::Float => Constant::Float(bits as u32),
        Primitive::Double => Constant::Double(bits),
    }
}

pub fn text(bits: impl Iterator<Item = u64>) -> JavaString {
    let units: Vec<u16> = bits.map(|b| u16::from(b as u8)).collect();
    JavaString::new(&units)
}

/// Values by input; what was never set is zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Values(Vec<u64>);

impl Values {
    pub fn get(&self, input: InputId) -> u64 {
        self.0.get(input.0 as usize).copied().unwrap_or(0)
    }
    /// Are the values of all calls before this one the same?
    pub fn same_before(&self, other: &Values, call: usize, inputs: &Inputs) -> bool {
        let most = self.0.len().max(other.0.len()) as u32;
        (0..most).map(InputId).all(|i| inputs.call_of(i) >= call || self.get(i) == other.get(i))
    }
    pub fn set(&mut self, input: InputId, bits: u64) {
        let at = input.0 as usize;
        if self.0.len() <= at {
            self.0.resize(at + 1, 0);
        }
        self.0[at] = bits;
    }
}
