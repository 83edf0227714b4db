//! What the worker must know before it can run a batch: dispatchers and constants of the operations. Owns their numbering
//! and the bytes to say it again after a restart.

use std::collections::BTreeMap;

use testcase::operation::{OpId, OperationKind, Operations};
use testcase::types::Type;

use crate::dispatch::{self, Visibility};
use crate::protocol::request;
use crate::protocol::writer::Writer;

#[derive(Debug, Default)]
pub struct Table {
    /// Statement code of each operation.
    codes: Vec<u32>,
    /// Whether an operation leaves a primitive (which workers can only show as a box).
    primitive: Vec<bool>,
    constants: u32,
    /// Numbers generated classes.
    serial: u32,
    /// Operations that cannot be called, and why.
    pub unusable: BTreeMap<OpId, String>,
    /// Every frame sent so far.
    said: Vec<u8>,
}

impl Table {
    pub fn codes(&self) -> &[u32] {
        &self.codes
    }

    pub fn is_primitive(&self, op: OpId) -> bool {
        self.primitive.get(op.index()).copied().unwrap_or(false)
    }

    pub fn is_call(&self, op: OpId) -> bool {
        self.codes.get(op.index()).is_some_and(|code| code & 1 == 1)
    }

    /// All frames of earlier calls of [`Table::extend`], for a worker that knows nothing.
    pub fn said(&self) -> &[u8] {
        &self.said
    }

    /// Writes frames about operations not yet known. The table only ever grows.
    pub fn extend(&mut self, operations: &Operations, visibility: &dyn Visibility, out: &mut Writer) {
        let known = self.codes.len();
        if operations.len() == known {
            return;
        }
        let start = out.bytes().len();
        let first_constant = self.constants;
        let mut constants = Vec::new();
        for (id, operation) in operations.iter().skip(known) {
            let code = match &operation.kind {
                OperationKind::Constant(value) => {
                    constants.push(value);
                    2 * (first_constant + constants.len() as u32 - 1)
                }
                _ => 2 * id.0 + 1,
            };
            self.codes.push(code);
            self.primitive.push(matches!(operation.result, Type::Primitive(_)));
        }
        self.constants += constants.len() as u32;
        if !constants.is_empty() {
            request::constants(out, first_constant, constants.into_iter());
        }
        let generated = dispatch::generate(operations.iter().skip(known), visibility, &mut self.serial);
        self.unusable.extend(generated.unusable);
        if !generated.dispatchers.is_empty() {
            request::dispatchers(out, &generated.dispatchers, &generated.auxiliary);
        }
        self.said.extend_from_slice(&out.bytes()[start..]);
    }
}
