//! Using members by reflection: calling methods and constructors, handles that read and write fields. Owns checks and
//! conversions of arguments, with the messages of each release.

use super::super::class::{ClassId, MethodId};
use super::super::heap::Ref;
use super::super::machine::Machine;
use super::super::polymorphic::handle;
use super::super::shape::Look;
use super::super::stop::{Run, Stop, Trap};
use super::super::synthetic::{class_operand, split};
use super::members::{CONSTRUCTOR, FIELD, METHOD, host_of, method_of, place_of};
use super::{Entry, nothing, yes};
use crate::executor::Slot;

const FACTORY: &str = "jdk/internal/reflect/MethodHandleAccessorFactory";
const NATIVE_METHOD: &str = "jdk/internal/reflect/NativeMethodAccessorImpl";
const NATIVE_CONSTRUCTOR: &str = "jdk/internal/reflect/NativeConstructorAccessorImpl";
const DIRECT_METHOD: &str = "jdk/internal/reflect/DirectMethodHandleAccessor$NativeAccessor";
const DIRECT_CONSTRUCTOR: &str = "jdk/internal/reflect/DirectConstructorHandleAccessor$NativeAccessor";
const REFLECTION: &str = "jdk/internal/reflect/Reflection";

pub const TABLE: &[Entry] = &[
    (NATIVE_METHOD, "invoke", "*", invoke_by_accessor),
    (NATIVE_CONSTRUCTOR, "newInstance", "*", construct_by_accessor),
    (DIRECT_METHOD, "invoke0", "*", invoke),
    (DIRECT_CONSTRUCTOR, "newInstance0", "*", new_instance),
    (FACTORY, "useNativeAccessor", "*", yes),
    (FACTORY, "newFieldAccessor", "*", field_accessor),
    (REFLECTION, "isCallerSensitive", "*", nothing),
    (REFLECTION, "areNestMates", "*", nest_mates),
    (REFLECTION, "getClassAccessFlags", "*", class_flags),
];

fn field_of(machine: &mut Machine, object: Ref, class: &str, name: &str, descriptor: &str) -> Run<u64> {
    let class = machine.known_class(class)?;
    let slot = machine.field_slot(class, name, descriptor)?;
    Ok(machine.heap.slot(object, slot))
}

fn nest_mates(machine: &mut Machine, at: usize) -> Run<u64> {
    let (a, b) = (machine.mirrored(machine.stack[at] as Ref), machine.mirrored(machine.stack[at + 1] as Ref));
    Ok(u64::from(host_of(machine, a)? == host_of(machine, b)?))
}

fn class_flags(machine: &mut Machine, at: usize) -> Run<u64> {
    let class = machine.mirrored(machine.stack[at] as Ref);
    Ok(u64::from(machine.class(class).access.0))
}

fn invoke_by_accessor(machine: &mut Machine, at: usize) -> Run<u64> {
    let method =
        field_of(machine, machine.stack[at] as Ref, NATIVE_METHOD, "method", "Ljava/lang/reflect/Method;")? as Ref;
    invoke_on(machine, method, machine.stack[at + 1] as Ref, machine.stack[at + 2] as Ref)
}

fn invoke(machine: &mut Machine, at: usize) -> Run<u64> {
    let (method, receiver) = (machine.stack[at] as Ref, machine.stack[at + 1] as Ref);
    invoke_on(machine, method, receiver, machine.stack[at + 2] as Ref)
}

fn construct_by_accessor(machine: &mut Machine, at: usize) -> Run<u64> {
    let descriptor = "Ljava/lang/reflect/Constructor;";
    let constructor = field_of(machine, machine.stack[at] as Ref, NATIVE_CONSTRUCTOR, "c", descriptor)? as Ref;
    construct(machine, constructor, machine.stack[at + 1] as Ref)
}

fn new_instance(machine: &mut Machine, at: usize) -> Run<u64> {
    construct(machine, machine.stack[at] as Ref, machine.stack[at + 1] as Ref)
}

fn illegal(machine: &mut Machine, text: &str) -> Trap {
    machine.throw("java/lang/IllegalArgumentException", Some(text))
}

fn invoke_on(machine: &mut Machine, member: Ref, receiver: Ref, arguments: Ref) -> Run<u64> {
    let mut method = method_of(machine, member, METHOD)?;
    let class = machine.method_at(method).class;
    let mut values = Vec::new();
    if machine.method_at(method).is_static() {
        machine.initialise(class)?;
    } else {
        if receiver == 0 {
            return Err(machine.null_pointer());
        }
        let of = machine.class_of(receiver);
        if !machine.is_subtype(of, class) {
            let text = if machine.release() < 18 {
                "object is not an instance of declaring class".to_owned()
            } else {
                let name = |class| machine.class_name(class).replace('/', ".");
                format!("object of type {} is not an instance of {}", name(of), name(class))
            };
            return Err(illegal(machine, &text));
        }
        method = machine.select_for(receiver, method)?;
        values.push(u64::from(receiver));
    }
    let descriptor = machine.symbols.get(machine.method_at(method).descriptor).clone();
    let (params, result) = split(&descriptor)?;
    let (bits, term) = call(machine, method, values, &params, arguments)?;
    if result == "V" {
        return Ok(0);
    }
    let letter = if result.len() == 1 { result.as_bytes()[0] } else { b'L' };
    let result = Slot { bits, letter, term };
    machine.pin_slot(result);
    let boxed = machine.fit("Ljava/lang/Object;", result)?;
    Ok(boxed.bits)
}

fn construct(machine: &mut Machine, member: Ref, arguments: Ref) -> Run<u64> {
    let method = method_of(machine, member, CONSTRUCTOR)?;
    let class = machine.method_at(method).class;
    let descriptor = machine.symbols.get(machine.method_at(method).descriptor).clone();
    let (params, _) = split(&descriptor)?;
    machine.initialise(class)?;
    let object = machine.allocate(class)?;
    call(machine, method, vec![u64::from(object)], &params, arguments)?;
    Ok(u64::from(object))
}

/// Calls with the elements of an array as arguments; what the method throws is wrapped.
fn call(
    machine: &mut Machine,
    method: MethodId,
    mut values: Vec<u64>,
    params: &[String],
    arguments: Ref,
) -> Run<(u64, Option<crate::expr::Term>)> {
    let given = if arguments == 0 { 0 } else { machine.heap.length(arguments) as usize };
    if given != params.len() {
        let text = if machine.release() < 18 {
            "wrong number of arguments".to_owned()
        } else {
            format!("wrong number of arguments: {given} expected: {}", params.len())
        };
        return Err(illegal(machine, &text));
    }
    let mut terms = vec![None; values.len()];
    let is_constructor = &**machine.symbols.get(machine.method_at(method).name) == "<init>";
    for (i, param) in params.iter().enumerate() {
        let argument = machine.heap.slot(arguments, i as u32) as Ref;
        let slot = match unboxed(machine, argument, param) {
            // Later releases leave this check to method handles, which make another message or a cause.
            Err(Trap::Throw(_)) if machine.release() >= 18 && (argument == 0 || is_constructor) => {
                machine.note_stop();
                return Err(Stop::unmodelled("what reflection says about an argument of the wrong type").into());
            }
            slot => slot?,
        };
        values.push(slot.bits);
        terms.push(slot.term);
        if matches!(param.as_str(), "J" | "D") {
            values.push(0);
            terms.push(None);
        }
    }
    match machine.call_with(method, &values, &terms) {
        Err(Trap::Throw(exception)) => {
            let wrapper = machine.known_class("java/lang/reflect/InvocationTargetException")?;
            let wrapper = machine.construct(wrapper, "(Ljava/lang/Throwable;)V", &[u64::from(exception)])?;
            Err(Trap::Throw(wrapper))
        }
        ran => ran,
    }
}

/// Whether a primitive becomes another without loss of range.
pub(super) fn widens(from: u8, to: u8) -> bool {
    let later: &[u8] = match from {
        b'B' => b"SIJFD",
        b'S' | b'C' => b"IJFD",
        b'I' => b"JFD",
        b'J' => b"FD",
        b'F' => b"D",
        _ => b"",
    };
    from == to || later.contains(&to)
}

/// An object as a value of a parameter's type.
pub(super) fn unboxed(machine: &mut Machine, argument: Ref, param: &str) -> Run<Slot> {
    let object = Slot::new(b'L', u64::from(argument));
    if param.len() == 1 {
        let to = param.as_bytes()[0];
        let class = if argument == 0 { ClassId(0) } else { machine.class_of(argument) };
        match machine.shape_of(class).look {
            Look::Box(from) if argument != 0 && widens(from, to) => return machine.fit(param, object),
            _ => return Err(illegal(machine, "argument type mismatch")),
        }
    }
    if argument != 0 {
        let name = machine.symbols.intern(class_operand(param));
        let class = machine.resolve_class(name)?;
        if !machine.is_subtype(machine.class_of(argument), class) {
            return Err(illegal(machine, "argument type mismatch"));
        }
    }
    Ok(object)
}

/// The accessor of a field in releases that use method handles: of a getter and a setter.
fn field_accessor(machine: &mut Machine, at: usize) -> Run<u64> {
    let (field, read_only) = (machine.stack[at] as Ref, machine.stack[at + 1] != 0);
    let (class, index) = place_of(machine, field, FIELD)?;
    machine.initialise(class)?;
    let Some(found) = machine.class(class).fields.get(index).cloned() else {
        return Err(Stop::unmodelled("a reflected field that is not there").into());
    };
    let descriptor = machine.symbols.get(found.descriptor).clone();
    let kind = match &*descriptor {
        "Z" => "Boolean",
        "B" => "Byte",
        "C" => "Character",
        "S" => "Short",
        "I" => "Integer",
        "J" => "Long",
        "F" => "Float",
        "D" => "Double",
        _ => "Object",
    };
    let getter = machine.field_handle(class, &found, handle::GETTER)?;
    let setter = if read_only { 0 } else { machine.field_handle(class, &found, handle::SETTER)? };
    let accessor = format!("jdk/internal/reflect/MethodHandle{kind}FieldAccessorImpl");
    // The factories of these classes only convert handles, which the machine's need not be.
    let class = machine.known_class(&accessor)?;
    let handle = "Ljava/lang/invoke/MethodHandle;";
    let descriptor = format!("(Ljava/lang/reflect/Field;{handle}{handle}ZZ)V");
    let is_static = u64::from(found.access.is_static());
    let arguments = [u64::from(field), u64::from(getter), u64::from(setter), u64::from(read_only), is_static];
    machine.construct(class, &descriptor, &arguments).map(u64::from)
}
