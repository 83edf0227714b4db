//! Types a method asks values for at run time: `checkcast`, `instanceof`, `catch`. Owns collecting them.

use crate::instruction::{Instruction, opcode as op};
use crate::names::{ClassName, FieldType};
use crate::problem::Problem;
use crate::raw::{Handler, Pool, Text};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Casts {
    /// Operands of `checkcast`.
    pub casts: Vec<FieldType>,
    /// Operands of `instanceof`.
    pub tests: Vec<FieldType>,
    /// Caught classes; handlers of everything (`finally`) are not among them.
    pub catches: Vec<ClassName>,
    /// Classes instantiated by `new`.
    pub news: Vec<ClassName>,
}

impl Casts {
    pub(super) fn see(&mut self, instruction: &Instruction<'_>, pool: &Pool<'_>) -> Result<(), Problem> {
        let list = match instruction.opcode {
            op::CHECKCAST => &mut self.casts,
            op::INSTANCEOF => &mut self.tests,
            op::NEW => {
                if let Some(index) = instruction.constant() {
                    self.news.push(ClassName::new(pool.class(index)?.lossy()));
                }
                return Ok(());
            }
            _ => return Ok(()),
        };
        if let Some(index) = instruction.constant() {
            list.extend(class_operand(pool.class(index)?));
        }
        Ok(())
    }

    pub(super) fn see_handler(&mut self, handler: &Handler, pool: &Pool<'_>) -> Result<(), Problem> {
        if let Some(class) = pool.optional_class(handler.catch_type)? {
            self.catches.push(ClassName::new(class.lossy()));
        }
        Ok(())
    }

    pub(super) fn finish(&mut self) {
        for list in [&mut self.casts, &mut self.tests] {
            list.sort();
            list.dedup();
        }
        for list in [&mut self.catches, &mut self.news] {
            list.sort();
            list.dedup();
        }
    }
}

/// What a `CONSTANT_Class` names; nothing for a malformed array descriptor.
pub(super) fn class_operand(text: Text<'_>) -> Option<FieldType> {
    let text = text.lossy();
    if text.starts_with('[') { FieldType::parse(&text) } else { Some(FieldType::Class(ClassName::new(text))) }
}
