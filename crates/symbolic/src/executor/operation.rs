//! One statement on the machine: an operation and its arguments. Owns how each kind of operation is done; the order of
//! statements is the caller's.

use std::sync::Arc;

use testcase::operation::{Operation, OperationKind};
use testcase::value::Constant;

use super::{OptionalTerm, letter_of};
use crate::vm::{Machine, Run};

/// The value of a variable.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    pub bits: u64,
    /// Descriptor of a primitive, `L` for references, `V` for nothing.
    pub letter: u8,
    pub term: OptionalTerm,
}

impl Slot {
    pub fn new(letter: u8, bits: u64) -> Slot {
        Slot { bits, letter, term: None }
    }
}

impl Machine {
    /// Does what a statement says.
    pub fn perform(&mut self, operation: &Operation, arguments: &[Slot]) -> Run<Slot> {
        let letter = letter_of(&operation.result);
        match &operation.kind {
            OperationKind::Constant(constant) => {
                // A number may stand for its box.
                let value = Slot::new(constant_letter(constant), self.constant_value(constant)?);
                self.fit(&erased(operation), value)
            }
            OperationKind::Construct { class, descriptor, .. } => {
                let object = self.construct_for(class.internal(), descriptor, arguments)?;
                Ok(Slot::new(letter, u64::from(object)))
            }
            OperationKind::Call { owner, name, descriptor, is_static, .. } => {
                let (bits, term) = self.call_for(owner.internal(), name, descriptor, *is_static, arguments)?;
                Ok(Slot { bits, letter, term })
            }
            OperationKind::ReadField { owner, name, field_type, is_static } => {
                let (bits, term) =
                    self.read_for(owner.internal(), name, &field_type.to_string(), *is_static, arguments)?;
                Ok(Slot { bits, letter, term })
            }
            OperationKind::WriteField { owner, name, field_type, is_static } => {
                self.write_for(owner.internal(), name, &field_type.to_string(), *is_static, arguments)?;
                Ok(Slot::new(letter, 0))
            }
            OperationKind::NewArray { lengths } => {
                let lengths: Vec<i32> = lengths.iter().map(|l| *l as i32).collect();
                let array = self.array_for(&erased(operation), &lengths)?;
                Ok(Slot::new(letter, u64::from(array)))
            }
            OperationKind::ArrayLiteral { length } => {
                let array = self.array_for(&erased(operation), &[*length as i32])?;
                for (i, argument) in arguments.iter().enumerate() {
                    self.store_for(array, i as u32, *argument)?;
                }
                Ok(Slot::new(letter, u64::from(array)))
            }
            OperationKind::StoreElement { index } => {
                if let [array, value] = arguments {
                    self.pin_slot(*array);
                    self.store_for(array.bits as u32, *index, *value)?;
                }
                Ok(Slot::new(letter, 0))
            }
            OperationKind::LoadElement { index } => {
                let array = arguments.first().copied().unwrap_or(Slot::new(b'L', 0));
                self.pin_slot(array);
                let (bits, term) = self.load_for(array.bits as u32, *index)?;
                Ok(Slot { bits, letter, term })
            }
            OperationKind::Lambda(lambda) => {
                let object = self.lambda_for(lambda)?;
                Ok(Slot::new(letter, u64::from(object)))
            }
            OperationKind::Cast => {
                let value = arguments.first().copied().unwrap_or(Slot::new(b'L', 0));
                self.cast_for(value, &erased(operation))?;
                Ok(Slot { letter, ..value })
            }
        }
    }
}

fn constant_letter(constant: &Constant) -> u8 {
    match constant {
        Constant::Boolean(_) => b'Z',
        Constant::Byte(_) => b'B',
        Constant::Char(_) => b'C',
        Constant::Short(_) => b'S',
        Constant::Int(_) => b'I',
        Constant::Long(_) => b'J',
        Constant::Float(_) => b'F',
        Constant::Double(_) => b'D',
        Constant::Null | Constant::String(_) | Constant::Class(_) | Constant::Enum { .. } => b'L',
    }
}

/// The descriptor of what an operation leaves.
fn erased(operation: &Operation) -> Arc<str> {
    operation.result.erased().map_or("V".into(), |t| t.to_string().into())
}
