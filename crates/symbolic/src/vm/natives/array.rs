//! `java.lang.reflect.Array`. Owns making arrays of a class that is only known at run time.

use super::super::heap::Ref;
use super::super::machine::Machine;
use super::super::stop::Run;
use super::Entry;

pub const TABLE: &[Entry] = &[
    ("java/lang/reflect/Array", "newArray", "*", new_array),
    ("java/lang/reflect/Array", "multiNewArray", "*", multi_new_array),
    ("java/lang/reflect/Array", "getLength", "*", length),
];

fn new_array(machine: &mut Machine, at: usize) -> Run<u64> {
    let mirror = machine.stack[at] as Ref;
    if mirror == 0 {
        return Err(machine.null_pointer());
    }
    let element = machine.mirrored(mirror);
    if matches!(machine.class(element).kind, super::super::class::Kind::Void) {
        return Err(machine.throw("java/lang/IllegalArgumentException", None));
    }
    let class = machine.array_class(element);
    machine.new_array(class, machine.stack[at + 1] as i32).map(u64::from)
}

fn multi_new_array(machine: &mut Machine, at: usize) -> Run<u64> {
    let (mirror, dimensions) = (machine.stack[at] as Ref, machine.stack[at + 1] as Ref);
    if mirror == 0 || dimensions == 0 {
        return Err(machine.null_pointer());
    }
    let count = machine.heap.length(dimensions) as u32;
    let lengths: Vec<i32> = (0..count).map(|i| machine.heap.slot(dimensions, i) as i32).collect();
    let mut class = machine.mirrored(mirror);
    for _ in 0..count {
        class = machine.array_class(class);
    }
    if count == 0 || count > 255 {
        return Err(machine.throw("java/lang/IllegalArgumentException", None));
    }
    if let Some(length) = lengths.iter().find(|l| **l < 0) {
        let text = length.to_string();
        return Err(machine.throw("java/lang/NegativeArraySizeException", Some(&text)));
    }
    machine.nested_array(class, &lengths).map(u64::from)
}

fn length(machine: &mut Machine, at: usize) -> Run<u64> {
    let array = machine.stack[at] as Ref;
    if array == 0 {
        return Err(machine.null_pointer());
    }
    if !machine.class(machine.class_of(array)).is_array() {
        let text = "Argument is not an array";
        return Err(machine.throw("java/lang/IllegalArgumentException", Some(text)));
    }
    Ok(machine.heap.length(array) as i64 as u64)
}
