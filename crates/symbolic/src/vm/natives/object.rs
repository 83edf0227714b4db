//! `java.lang.Object`, `String` and references: identity, copies, monitors. Owns what an identity hash is: a mix of the
//! place, the same in every run.

use super::super::heap::Ref;
use super::super::machine::Machine;
use super::super::stop::{Run, Stop};
use super::super::unstable::Unstable;
use super::{Entry, outside};

pub const TABLE: &[Entry] = &[
    ("java/lang/Object", "getClass", "*", get_class),
    ("java/lang/Object", "hashCode", "*", identity_hash),
    ("java/lang/Object", "clone", "*", clone),
    ("java/lang/Object", "notify", "*", notify),
    ("java/lang/Object", "notifyAll", "*", notify),
    ("java/lang/Object", "wait", "(J)V", outside),
    ("java/lang/Object", "wait0", "*", outside),
    ("java/lang/System", "identityHashCode", "*", identity_hash),
    ("java/lang/String", "intern", "*", intern),
    ("java/lang/StringUTF16", "isBigEndian", "*", super::nothing),
    ("java/lang/ref/Reference", "refersTo0", "*", refers_to),
    ("java/lang/ref/PhantomReference", "refersTo0", "*", refers_to),
    ("java/lang/ref/Reference", "clear0", "*", clear),
    ("java/lang/ref/PhantomReference", "clear0", "*", clear),
    ("java/lang/ref/Reference", "clearImpl", "*", clear),
];

fn get_class(machine: &mut Machine, at: usize) -> Run<u64> {
    let class = machine.class_of(machine.stack[at] as Ref);
    machine.mirror(class).map(u64::from)
}

fn identity_hash(machine: &mut Machine, at: usize) -> Run<u64> {
    let object = machine.stack[at] as Ref;
    if object != 0 {
        machine.unstable.add(Unstable::IDENTITY);
    }
    Ok(identity(object))
}

/// A positive number of 25 bits, as a JVM's usually are.
fn identity(object: Ref) -> u64 {
    if object == 0 {
        return 0;
    }
    u64::from((object.wrapping_mul(0x9e37_79b1) >> 7) | 1)
}

fn clone(machine: &mut Machine, at: usize) -> Run<u64> {
    let object = machine.stack[at] as Ref;
    let class = machine.class_of(object);
    if !machine.is_subtype(class, machine.well_known.cloneable) {
        let name = machine.class_name(class).replace('/', ".");
        return Err(machine.throw("java/lang/CloneNotSupportedException", Some(&name)));
    }
    let (copy, words) = if machine.class(class).is_array() {
        machine.pin_length(object);
        let length = machine.heap.length(object) as u32;
        (machine.allocate_array(class, length)?, length)
    } else {
        (machine.allocate(class)?, machine.class(class).instance_words)
    };
    machine.heap.copy(object + 1, copy + 1, words);
    Ok(u64::from(copy))
}

fn notify(machine: &mut Machine, at: usize) -> Run<u64> {
    let object = machine.stack[at] as Ref;
    if !machine.monitors.contains(&object) {
        let text = "current thread is not owner";
        return Err(machine.throw("java/lang/IllegalMonitorStateException", Some(text)));
    }
    Ok(0)
}

fn intern(machine: &mut Machine, at: usize) -> Run<u64> {
    let string = machine.stack[at] as Ref;
    machine.pin_string(string);
    Ok(u64::from(machine.intern(string)))
}

fn referent(machine: &mut Machine) -> Run<u32> {
    let class = machine.known_class("java/lang/ref/Reference")?;
    machine.field_slot(class, "referent", "Ljava/lang/Object;")
}

fn refers_to(machine: &mut Machine, at: usize) -> Run<u64> {
    let slot = referent(machine)?;
    let reference = machine.stack[at] as Ref;
    if reference == 0 {
        return Err(Stop::Malformed("a reference that is null".into()).into());
    }
    Ok(u64::from(machine.heap.slot(reference, slot) == machine.stack[at + 1]))
}

fn clear(machine: &mut Machine, at: usize) -> Run<u64> {
    let slot = referent(machine)?;
    machine.heap.set_slot(machine.stack[at] as Ref, slot, 0);
    Ok(0)
}
