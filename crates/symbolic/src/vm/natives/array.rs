//! `java.lang.reflect.Array`. Owns arrays of a class that is only known at run time: making them, reading and writing
//! elements with the conversions of calls.

use super::super::heap::{HEADER, Ref};
use super::super::machine::Machine;
use super::super::run::narrow;
use super::super::stop::{Run, Trap};
use super::Entry;
use super::access::{unboxed, widens};
use crate::executor::Slot;

pub const TABLE: &[Entry] = &[
    (ARRAY, "newArray", "*", new_array),
    (ARRAY, "multiNewArray", "*", multi_new_array),
    (ARRAY, "getLength", "*", length),
    (ARRAY, "get", "*", get),
    (ARRAY, "set", "*", set),
    (ARRAY, "getBoolean", "*", get_as),
    (ARRAY, "getByte", "*", get_as),
    (ARRAY, "getChar", "*", get_as),
    (ARRAY, "getShort", "*", get_as),
    (ARRAY, "getInt", "*", get_as),
    (ARRAY, "getLong", "*", get_as),
    (ARRAY, "getFloat", "*", get_as),
    (ARRAY, "getDouble", "*", get_as),
    (ARRAY, "setBoolean", "*", set_as),
    (ARRAY, "setByte", "*", set_as),
    (ARRAY, "setChar", "*", set_as),
    (ARRAY, "setShort", "*", set_as),
    (ARRAY, "setInt", "*", set_as),
    (ARRAY, "setLong", "*", set_as),
    (ARRAY, "setFloat", "*", set_as),
    (ARRAY, "setDouble", "*", set_as),
];

const ARRAY: &str = "java/lang/reflect/Array";

/// The descriptor of an array's elements, its letter and the place of one of them.
fn element(machine: &mut Machine, at: usize) -> Run<(String, u8, u32)> {
    length(machine, at)?;
    let (array, index) = (machine.stack[at] as Ref, machine.stack[at + 1] as i32);
    machine.pin_length(array);
    let length = machine.heap.length(array);
    if index as u32 >= length as u32 {
        return Err(machine.index_out_of_bounds(index, length));
    }
    let descriptor = machine.class_name_of(array).get(1..).unwrap_or_default().to_owned();
    let letter = if descriptor.len() == 1 { descriptor.as_bytes()[0] } else { b'L' };
    Ok((descriptor, letter, array + HEADER + index as u32))
}

fn mismatch(machine: &mut Machine) -> Trap {
    machine.throw("java/lang/IllegalArgumentException", Some("argument type mismatch"))
}

fn get(machine: &mut Machine, at: usize) -> Run<u64> {
    let (_, letter, place) = element(machine, at)?;
    let slot = Slot { bits: machine.heap.get(place), letter, term: machine.heap_term(place) };
    machine.pin_slot(slot);
    machine.fit("Ljava/lang/Object;", slot).map(|boxed| boxed.bits)
}

fn set(machine: &mut Machine, at: usize) -> Run<u64> {
    let (descriptor, _, place) = element(machine, at)?;
    let value = unboxed(machine, machine.stack[at + 2] as Ref, &descriptor)?;
    store(machine, place, value)
}

fn store(machine: &mut Machine, place: u32, value: Slot) -> Run<u64> {
    machine.heap.set(place, narrow(value.letter, value.bits));
    machine.heap.set_term(place, value.term);
    Ok(0)
}

/// The type in the name of the method being called: its descriptor.
fn named_type(machine: &Machine, is_result: bool) -> String {
    let descriptor = machine.native.map(|id| machine.symbols.get(machine.method_at(id).descriptor).clone());
    let descriptor = descriptor.unwrap_or_default();
    let (params, result) = descriptor.split_once(')').unwrap_or_default();
    let letter = if is_result { result } else { params };
    letter.chars().last().unwrap_or('L').to_string()
}

fn get_as(machine: &mut Machine, at: usize) -> Run<u64> {
    let to = named_type(machine, true);
    let (_, letter, place) = element(machine, at)?;
    if !widens(letter, to.as_bytes()[0]) {
        return Err(mismatch(machine));
    }
    let slot = Slot { bits: machine.heap.get(place), letter, term: machine.heap_term(place) };
    let value = machine.fit(&to, slot)?;
    machine.native_term = value.term;
    Ok(value.bits)
}

fn set_as(machine: &mut Machine, at: usize) -> Run<u64> {
    let from = named_type(machine, false).as_bytes()[0];
    let (descriptor, letter, place) = element(machine, at)?;
    if !widens(from, letter) {
        return Err(mismatch(machine));
    }
    let value = Slot { bits: machine.stack[at + 2], letter: from, term: machine.term_at(at + 2) };
    let value = machine.fit(&descriptor, value)?;
    store(machine, place, value)
}

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
