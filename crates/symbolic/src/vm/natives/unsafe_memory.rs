//! `jdk.internal.misc.Unsafe`, where an offset is a number of words from the header and every element takes one word.
//! Owns field offsets, plain and atomic access; memory outside the heap does not exist.

use super::super::class::{ClassId, Field, Kind};
use super::super::heap::Ref;
use super::super::machine::Machine;
use super::super::run::narrow;
use super::super::stop::{Run, Stop};
use super::members::{FIELD, place_of};
use super::{Entry, nothing, outside};

const UNSAFE: &str = "jdk/internal/misc/Unsafe";

macro_rules! accessors {
    ($($get:literal $put:literal $get_volatile:literal $put_volatile:literal $letter:literal;)*) => {
        &[
            $((UNSAFE, $get, concat!("(Ljava/lang/Object;J)", $letter), get),
            (UNSAFE, $get_volatile, concat!("(Ljava/lang/Object;J)", $letter), get),
            (UNSAFE, $put, concat!("(Ljava/lang/Object;J", $letter, ")V"), put),
            (UNSAFE, $put_volatile, concat!("(Ljava/lang/Object;J", $letter, ")V"), put),)*
            (UNSAFE, "compareAndSetInt", "*", compare_and_set),
            (UNSAFE, "compareAndSetReference", "*", compare_and_set),
            (UNSAFE, "compareAndSetObject", "*", compare_and_set),
            (UNSAFE, "compareAndSetLong", "*", compare_and_set_long),
            (UNSAFE, "compareAndExchangeInt", "*", compare_and_exchange),
            (UNSAFE, "compareAndExchangeReference", "*", compare_and_exchange),
            (UNSAFE, "compareAndExchangeLong", "*", compare_and_exchange_long),
            (UNSAFE, "compareAndSetByte", "*", compare_and_set),
            (UNSAFE, "compareAndSetBoolean", "*", compare_and_set),
            (UNSAFE, "compareAndExchangeByte", "*", compare_and_exchange),
            (UNSAFE, "compareAndExchangeBoolean", "*", compare_and_exchange),
            (UNSAFE, "objectFieldOffset", "(Ljava/lang/Class;Ljava/lang/String;)J", field_offset),
            (UNSAFE, "objectFieldOffset", "(Ljava/lang/reflect/Field;)J", reflected_offset),
            (UNSAFE, "staticFieldOffset", "*", reflected_offset),
            (UNSAFE, "staticFieldBase", "*", static_base),
            (UNSAFE, "arrayBaseOffset0", "*", one),
            (UNSAFE, "arrayIndexScale0", "*", one),
            (UNSAFE, "arrayBaseOffset", "*", one),
            (UNSAFE, "arrayIndexScale", "*", one),
            (UNSAFE, "addressSize0", "*", eight),
            (UNSAFE, "isBigEndian0", "*", nothing),
            (UNSAFE, "unalignedAccess0", "*", one),
            (UNSAFE, "pageSize", "*", page_size),
            (UNSAFE, "fullFence", "*", nothing),
            (UNSAFE, "loadFence", "*", nothing),
            (UNSAFE, "storeFence", "*", nothing),
            (UNSAFE, "storeStoreFence", "*", nothing),
            (UNSAFE, "ensureClassInitialized0", "*", ensure_initialised),
            (UNSAFE, "ensureClassInitialized", "*", ensure_initialised),
            (UNSAFE, "shouldBeInitialized0", "*", nothing),
            (UNSAFE, "allocateInstance", "*", allocate_instance),
            (UNSAFE, "getShortUnaligned", "(Ljava/lang/Object;J)S", short_unaligned),
            (UNSAFE, "getCharUnaligned", "(Ljava/lang/Object;J)C", char_unaligned),
            (UNSAFE, "getIntUnaligned", "(Ljava/lang/Object;J)I", int_unaligned),
            (UNSAFE, "getLongUnaligned", "(Ljava/lang/Object;J)J", long_unaligned),
            (UNSAFE, "putShortUnaligned", "(Ljava/lang/Object;JS)V", put_two),
            (UNSAFE, "putCharUnaligned", "(Ljava/lang/Object;JC)V", put_two),
            (UNSAFE, "putIntUnaligned", "(Ljava/lang/Object;JI)V", put_four),
            (UNSAFE, "putLongUnaligned", "(Ljava/lang/Object;JJ)V", put_eight),
            (UNSAFE, "copyMemory0", "*", outside),
            (UNSAFE, "setMemory0", "*", outside),
            (UNSAFE, "park", "*", outside),
            (UNSAFE, "unpark", "*", nothing),
        ]
    };
}

pub const TABLE: &[Entry] = accessors! {
    "getInt" "putInt" "getIntVolatile" "putIntVolatile" "I";
    "getLong" "putLong" "getLongVolatile" "putLongVolatile" "J";
    "getReference" "putReference" "getReferenceVolatile" "putReferenceVolatile" "Ljava/lang/Object;";
    "getObject" "putObject" "getObjectVolatile" "putObjectVolatile" "Ljava/lang/Object;";
    "getBoolean" "putBoolean" "getBooleanVolatile" "putBooleanVolatile" "Z";
    "getByte" "putByte" "getByteVolatile" "putByteVolatile" "B";
    "getShort" "putShort" "getShortVolatile" "putShortVolatile" "S";
    "getChar" "putChar" "getCharVolatile" "putCharVolatile" "C";
    "getFloat" "putFloat" "getFloatVolatile" "putFloatVolatile" "F";
    "getDouble" "putDouble" "getDoubleVolatile" "putDoubleVolatile" "D";
};

/// The place an object and an offset mean: receiver, object, offset (two slots).
fn address(machine: &Machine, at: usize) -> Run<u32> {
    let object = machine.stack[at + 1];
    let offset = machine.stack[at + 2];
    if object == 0 {
        return Err(Stop::unmodelled("memory outside the heap").into());
    }
    let class = machine.class_of(object as Ref);
    let words = if machine.class(class).is_array() {
        machine.heap.length(object as Ref) as u64
    } else if class == machine.well_known.object {
        static_words(machine, object as Ref)
    } else {
        u64::from(machine.class(class).instance_words)
    };
    if offset == 0 || offset > words {
        return Err(Stop::unmodelled("memory outside an object").into());
    }
    Ok((object + offset) as u32)
}

/// A byte array whose bytes are taken as something larger.
fn views_bytes(machine: &Machine, at: usize, letter: u8) -> bool {
    let class = machine.class_of(machine.stack[at + 1] as Ref);
    match machine.class(class).kind {
        Kind::Array { .. } => machine.class_name(class).as_bytes().get(1).is_some_and(|c| *c != letter),
        _ => false,
    }
}

/// The first letter of the type being accessed, from the name of the method.
fn letter(machine: &Machine) -> u8 {
    let Some(method) = machine.native else { return 0 };
    let name = machine.symbols.get(machine.method_at(method).name).clone();
    let name = name.trim_start_matches("get").trim_start_matches("put");
    match name.trim_end_matches("Volatile") {
        "Boolean" => b'Z',
        "Byte" => b'B',
        "Short" => b'S',
        "Char" => b'C',
        "Int" => b'I',
        "Long" => b'J',
        "Float" => b'F',
        "Double" => b'D',
        _ => b'L',
    }
}

fn get(machine: &mut Machine, at: usize) -> Run<u64> {
    let place = address(machine, at)?;
    let letter = letter(machine);
    if letter != b'L' && views_bytes(machine, at, letter) {
        return Err(Stop::unmodelled("an array read as another type").into());
    }
    machine.native_term = machine.heap_term(place);
    Ok(machine.heap.get(place))
}

fn put(machine: &mut Machine, at: usize) -> Run<u64> {
    let place = address(machine, at)?;
    let letter = letter(machine);
    if letter != b'L' && views_bytes(machine, at, letter) {
        return Err(Stop::unmodelled("an array written as another type").into());
    }
    machine.heap.set(place, narrow(letter, machine.stack[at + 4]));
    if machine.symbolic {
        machine.heap.set_term(place, machine.terms_stack[at + 4]);
    }
    Ok(0)
}

/// Replaces a value that is as expected; `width` is that of the values.
fn exchange(machine: &mut Machine, at: usize, width: usize) -> Run<(u64, bool)> {
    let place = address(machine, at)?;
    machine.pin_held(place);
    let old = machine.heap.get(place);
    let same = old == machine.stack[at + 4];
    machine.native_term = None;
    if same {
        machine.heap.set(place, machine.stack[at + 4 + width]);
        if machine.symbolic {
            machine.heap.set_term(place, machine.terms_stack[at + 4 + width]);
        }
    }
    Ok((old, same))
}

fn compare_and_set(machine: &mut Machine, at: usize) -> Run<u64> {
    exchange(machine, at, 1).map(|(_, same)| u64::from(same))
}

fn compare_and_set_long(machine: &mut Machine, at: usize) -> Run<u64> {
    exchange(machine, at, 2).map(|(_, same)| u64::from(same))
}

fn compare_and_exchange(machine: &mut Machine, at: usize) -> Run<u64> {
    exchange(machine, at, 1).map(|(old, _)| old)
}

fn compare_and_exchange_long(machine: &mut Machine, at: usize) -> Run<u64> {
    exchange(machine, at, 2).map(|(old, _)| old)
}

fn field_offset(machine: &mut Machine, at: usize) -> Run<u64> {
    let (class, name) = (machine.stack[at + 1] as Ref, machine.stack[at + 2] as Ref);
    if class == 0 || name == 0 {
        return Err(machine.null_pointer());
    }
    let class = machine.mirrored(class);
    let text = machine.string_text(name);
    let name = machine.symbols.intern(&text);
    let found = machine.class(class).fields.iter().find(|f| f.name == name && !f.access.is_static());
    match found {
        Some(field) => Ok(u64::from(field.slot) + 1),
        None => Err(machine.throw("java/lang/InternalError", Some(&text))),
    }
}

/// Words of what holds the static fields of a class; other objects of class `Object` have none.
fn static_words(machine: &Machine, object: Ref) -> u64 {
    let of = machine.heap.length(object) as usize;
    match machine.classes.get(of) {
        Some(class) if class.statics == object => {
            class.fields.iter().filter(|f| f.access.is_static()).count() as u64 + 1
        }
        _ => 0,
    }
}

fn reflected(machine: &mut Machine, at: usize) -> Run<(ClassId, Field)> {
    let field = machine.stack[at + 1] as Ref;
    if field == 0 {
        return Err(machine.null_pointer());
    }
    let (class, index) = place_of(machine, field, FIELD)?;
    match machine.class(class).fields.get(index) {
        Some(field) => Ok((class, field.clone())),
        None => Err(Stop::unmodelled("a reflected field that is not there").into()),
    }
}

fn reflected_offset(machine: &mut Machine, at: usize) -> Run<u64> {
    reflected(machine, at).map(|(_, field)| u64::from(field.slot) + 1)
}

fn static_base(machine: &mut Machine, at: usize) -> Run<u64> {
    let (class, _) = reflected(machine, at)?;
    machine.initialise(class)?;
    Ok(u64::from(machine.class(class).statics))
}

fn one(_: &mut Machine, _: usize) -> Run<u64> {
    Ok(1)
}

fn eight(_: &mut Machine, _: usize) -> Run<u64> {
    Ok(8)
}

fn page_size(_: &mut Machine, _: usize) -> Run<u64> {
    Ok(4096)
}

fn ensure_initialised(machine: &mut Machine, at: usize) -> Run<u64> {
    let class = machine.mirrored(machine.stack[at + 1] as Ref);
    machine.initialise(class)?;
    Ok(0)
}

fn allocate_instance(machine: &mut Machine, at: usize) -> Run<u64> {
    let class = machine.mirrored(machine.stack[at + 1] as Ref);
    machine.initialise(class)?;
    machine.allocate(class).map(u64::from)
}

/// Several bytes of a byte array, the lowest first.
fn bytes(machine: &mut Machine, at: usize, count: u32) -> Run<u64> {
    let first = address(machine, at)?;
    let object = machine.stack[at + 1] as Ref;
    if machine.class_of(object) != machine.well_known.byte_array
        || first + count > object + 1 + machine.heap.length(object) as u32
    {
        return Err(Stop::unmodelled("an array read as another type").into());
    }
    machine.native_term = machine.joined_bytes(first, count);
    Ok((0..count).fold(0, |bits, i| bits | (machine.heap.get(first + i) & 0xff) << (8 * i)))
}

fn put_bytes(machine: &mut Machine, at: usize, count: u32) -> Run<u64> {
    bytes(machine, at, count)?;
    machine.native_term = None;
    let first = address(machine, at)?;
    let (value, term) = (machine.stack[at + 4], machine.term_at(at + 4));
    for i in 0..count {
        machine.heap.set(first + i, (value >> (8 * i)) as u8 as i8 as i64 as u64);
        let part = term.map(|t| machine.byte_of(t, i));
        machine.heap.set_term(first + i, part);
    }
    Ok(0)
}

fn short_unaligned(machine: &mut Machine, at: usize) -> Run<u64> {
    let bits = bytes(machine, at, 2)?;
    machine.native_term = machine.native_term.map(|t| machine.path.terms.i2s(t));
    Ok(bits as i16 as i64 as u64)
}

fn char_unaligned(machine: &mut Machine, at: usize) -> Run<u64> {
    bytes(machine, at, 2)
}

fn int_unaligned(machine: &mut Machine, at: usize) -> Run<u64> {
    bytes(machine, at, 4).map(|b| b as i32 as i64 as u64)
}

fn long_unaligned(machine: &mut Machine, at: usize) -> Run<u64> {
    bytes(machine, at, 8)
}

fn put_two(machine: &mut Machine, at: usize) -> Run<u64> {
    put_bytes(machine, at, 2)
}

fn put_four(machine: &mut Machine, at: usize) -> Run<u64> {
    put_bytes(machine, at, 4)
}

fn put_eight(machine: &mut Machine, at: usize) -> Run<u64> {
    put_bytes(machine, at, 8)
}
