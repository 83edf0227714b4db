//! `java.lang.invoke`: lookups and variable handles. Owns how a handle is made; what it does is in `polymorphic`.

use super::super::class::ClassId;
use super::super::heap::Ref;
use super::super::machine::Machine;
use super::super::polymorphic::variable;
use super::super::stop::{Run, Stop};
use super::{Entry, itself, nothing, outside};

const LOOKUP: &str = "java/lang/invoke/MethodHandles$Lookup";
const HANDLES: &str = "java/lang/invoke/MethodHandles";
const VARIABLE: &str = "java/lang/invoke/VarHandle";

pub const TABLE: &[Entry] = &[
    (HANDLES, "lookup", "*", lookup),
    (HANDLES, "privateLookupIn", "*", private_lookup),
    (HANDLES, "arrayElementVarHandle", "*", element),
    (HANDLES, "byteArrayViewVarHandle", "*", bytes),
    (LOOKUP, "findVarHandle", "*", field),
    (LOOKUP, "findStaticVarHandle", "*", static_field),
    (LOOKUP, "in", "*", itself),
    (LOOKUP, "findVirtual", "*", outside),
    (LOOKUP, "findStatic", "*", outside),
    (LOOKUP, "findSpecial", "*", outside),
    (LOOKUP, "findConstructor", "*", outside),
    (LOOKUP, "findGetter", "*", outside),
    (LOOKUP, "unreflect", "*", outside),
    (VARIABLE, "withInvokeExactBehavior", "*", itself),
    (VARIABLE, "withInvokeBehavior", "*", itself),
    (VARIABLE, "fullFence", "*", nothing),
    (VARIABLE, "acquireFence", "*", nothing),
    (VARIABLE, "releaseFence", "*", nothing),
    (VARIABLE, "loadLoadFence", "*", nothing),
    (VARIABLE, "storeStoreFence", "*", nothing),
    ("java/lang/invoke/MethodType", "methodType", "*", outside),
];

/// A lookup on behalf of a class.
fn lookup_in(machine: &mut Machine, mirror: u64) -> Run<u64> {
    let class = machine.known_class(LOOKUP)?;
    let lookup = machine.allocate(class)?;
    let slot = machine.field_slot(class, "lookupClass", "Ljava/lang/Class;")?;
    machine.heap.set_slot(lookup, slot, mirror);
    Ok(u64::from(lookup))
}

fn lookup(machine: &mut Machine, _: usize) -> Run<u64> {
    let caller = machine.current_class();
    let mirror = machine.mirror(caller)?;
    lookup_in(machine, u64::from(mirror))
}

fn private_lookup(machine: &mut Machine, at: usize) -> Run<u64> {
    lookup_in(machine, machine.stack[at])
}

fn make(machine: &mut Machine, kind: u64, owner: ClassId, slot: u32, letter: u8) -> Run<u64> {
    let class = machine.known_class(VARIABLE)?;
    let handle = machine.allocate(class)?;
    let parts =
        [("$kind", kind), ("$owner", u64::from(owner.0)), ("$slot", u64::from(slot)), ("$type", u64::from(letter))];
    for (name, value) in parts {
        let slot = machine.field_slot(class, name, "J")?;
        machine.heap.set_slot(handle, slot, value);
    }
    Ok(u64::from(handle))
}

fn of_field(machine: &mut Machine, at: usize, is_static: bool) -> Run<u64> {
    let (owner, name) = (machine.stack[at + 1] as Ref, machine.stack[at + 2] as Ref);
    if owner == 0 || name == 0 {
        return Err(machine.null_pointer());
    }
    let owner = machine.mirrored(owner);
    let name = machine.string_text(name);
    let name = machine.symbols.intern(&name);
    let mut at = Some(owner);
    while let Some(class) = at {
        let found = machine.class(class).fields.iter().find(|f| f.name == name && f.access.is_static() == is_static);
        if let Some(field) = found.cloned() {
            let letter = machine.symbols.get(field.descriptor).as_bytes().first().copied().unwrap_or(0);
            let kind = if is_static { variable::STATIC } else { variable::FIELD };
            return make(machine, kind, class, field.slot, letter);
        }
        at = machine.class(class).superclass;
    }
    Err(Stop::unmodelled("a variable handle of a missing field").into())
}

fn field(machine: &mut Machine, at: usize) -> Run<u64> {
    of_field(machine, at, false)
}

fn static_field(machine: &mut Machine, at: usize) -> Run<u64> {
    of_field(machine, at, true)
}

/// The first letter of an array class's element descriptor.
fn element_letter(machine: &Machine, array: ClassId) -> u8 {
    machine.class_name(array).as_bytes().get(1).copied().unwrap_or(0)
}

fn element(machine: &mut Machine, at: usize) -> Run<u64> {
    let class = machine.mirrored(machine.stack[at] as Ref);
    let letter = element_letter(machine, class);
    make(machine, variable::ELEMENT, class, 0, letter)
}

fn bytes(machine: &mut Machine, at: usize) -> Run<u64> {
    let class = machine.mirrored(machine.stack[at] as Ref);
    let order = machine.stack[at + 1] as Ref;
    let name = machine.call_virtual(order, "java/nio/ByteOrder", "toString", "()Ljava/lang/String;", &[])?;
    let big = machine.string_text(name as Ref) == "BIG_ENDIAN";
    let letter = element_letter(machine, class);
    make(machine, if big { variable::BYTES_BIG } else { variable::BYTES }, class, 0, letter)
}
