//! Methods a method refers to: by invoke instructions and by the method handles of its `invokedynamic` sites (lambda
//! bodies, method references). Owns collecting them; which override is called at run time does not matter here.

use rustc_hash::FxHashSet;

use crate::instruction::{Instruction, opcode as op};
use crate::names::{ClassName, FieldType};
use crate::problem::Problem;
use crate::raw::{Constant, Cursor, MemberKind, MemberRef, Pool, RawClass};

use super::casts::class_operand;

/// A method as the code names it: the owner may only inherit it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Call {
    /// An array type for `clone()` of arrays.
    pub owner: FieldType,
    pub name: String,
    pub descriptor: String,
    pub kind: CallKind,
    /// The reference says that the owner is an interface.
    pub on_interface: bool,
}

impl Call {
    /// The owner, if it is a class.
    pub fn class(&self) -> Option<&ClassName> {
        match &self.owner {
            FieldType::Class(name) => Some(name),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CallKind {
    Virtual,
    Special,
    Static,
    Interface,
    /// Not called here but handed to a bootstrap method: the body of a lambda or the target of a method reference.
    Handle,
}

/// The `BootstrapMethods` attribute: for each entry the handles among its arguments.
#[derive(Debug, Default)]
pub(super) struct Bootstraps<'a> {
    handles: Vec<Vec<MemberRef<'a>>>,
}

impl<'a> Bootstraps<'a> {
    pub fn read(raw: &RawClass<'a>) -> Result<Bootstraps<'a>, Problem> {
        let Some(attribute) = raw.attributes.find(&raw.pool, "BootstrapMethods") else {
            return Ok(Bootstraps::default());
        };
        let mut cursor = Cursor::new(&raw.bytes[..attribute.range.end], attribute.range.start);
        let count = usize::from(cursor.u2("bootstrap methods")?);
        let mut handles = Vec::with_capacity(count.min(cursor.remaining() / 4));
        for _ in 0..count {
            cursor.u2("a bootstrap method")?;
            let arguments = cursor.u2("bootstrap arguments")?;
            let mut found = Vec::new();
            for _ in 0..arguments {
                let index = cursor.u2("a bootstrap argument")?;
                if matches!(raw.pool.get(index), Some(Constant::MethodHandle { .. })) {
                    found.push(raw.pool.method_handle(index)?.1);
                }
            }
            handles.push(found);
        }
        Ok(Bootstraps { handles })
    }
}

#[derive(Default)]
pub(super) struct Collector {
    calls: Vec<Call>,
    seen: FxHashSet<(u8, u16)>,
}

impl Collector {
    pub fn see(
        &mut self,
        instruction: &Instruction<'_>,
        pool: &Pool<'_>,
        bootstraps: &Bootstraps<'_>,
    ) -> Result<(), Problem> {
        let kind = match instruction.opcode {
            op::INVOKEVIRTUAL => CallKind::Virtual,
            op::INVOKESPECIAL => CallKind::Special,
            op::INVOKESTATIC => CallKind::Static,
            op::INVOKEINTERFACE => CallKind::Interface,
            op::INVOKEDYNAMIC => CallKind::Handle,
            _ => return Ok(()),
        };
        let Some(index) = instruction.constant().filter(|i| self.seen.insert((instruction.opcode, *i))) else {
            return Ok(());
        };
        if kind != CallKind::Handle {
            self.push(pool.member(index)?, kind);
            return Ok(());
        }
        let site = pool.dynamic(index)?;
        for &handle in bootstraps.handles.get(usize::from(site.bootstrap)).into_iter().flatten() {
            if handle.kind != MemberKind::Field {
                self.push(handle, kind);
            }
        }
        Ok(())
    }

    fn push(&mut self, member: MemberRef<'_>, kind: CallKind) {
        let Some(owner) = class_operand(member.owner) else { return };
        let call = Call {
            owner,
            name: member.name.lossy().into_owned(),
            descriptor: member.descriptor.lossy().into_owned(),
            kind,
            on_interface: member.kind == MemberKind::InterfaceMethod,
        };
        if kind != CallKind::Handle || !self.calls.contains(&call) {
            self.calls.push(call);
        }
    }

    pub fn finish(self) -> Vec<Call> {
        self.calls
    }
}
