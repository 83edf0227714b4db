//! Fields a method reads and writes, and whether it stores into arrays. Owns collecting them; other writers of a field
//! are not its concern.

use crate::instruction::{Instruction, opcode as op};
use crate::names::ClassName;
use crate::problem::Problem;
use crate::raw::Pool;

/// A field as the instruction names it: the owner may only inherit it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FieldAccess {
    pub owner: ClassName,
    pub name: String,
    pub descriptor: String,
    pub is_static: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldUse {
    pub reads: Vec<FieldAccess>,
    pub writes: Vec<FieldAccess>,
    /// Some element of some array is written.
    pub stores_into_arrays: bool,
}

impl FieldUse {
    pub(super) fn see(&mut self, instruction: &Instruction<'_>, pool: &Pool<'_>) -> Result<(), Problem> {
        let opcode = instruction.opcode;
        let list = match opcode {
            op::GETFIELD | op::GETSTATIC => &mut self.reads,
            op::PUTFIELD | op::PUTSTATIC => &mut self.writes,
            op::IASTORE..=op::SASTORE => {
                self.stores_into_arrays = true;
                return Ok(());
            }
            _ => return Ok(()),
        };
        if let Some(index) = instruction.constant() {
            let field = pool.member(index)?;
            list.push(FieldAccess {
                owner: ClassName::new(field.owner.lossy()),
                name: field.name.lossy().into_owned(),
                descriptor: field.descriptor.lossy().into_owned(),
                is_static: matches!(opcode, op::GETSTATIC | op::PUTSTATIC),
            });
        }
        Ok(())
    }

    pub(super) fn finish(&mut self) {
        for list in [&mut self.reads, &mut self.writes] {
            list.sort();
            list.dedup();
        }
    }
}
