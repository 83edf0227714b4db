//! `java.lang.Class`: what the class tables know. Owns the answers; members are in `members`.

use bytecode::access::Access;

use super::super::class::{ClassId, Kind};
use super::super::heap::Ref;
use super::super::machine::Machine;
use super::super::stop::{Run, Stop};
use super::{Entry, outside};

pub const TABLE: &[Entry] = &[
    ("java/lang/Class", "getPrimitiveClass", "*", primitive),
    ("java/lang/Class", "isInstance", "*", is_instance),
    ("java/lang/Class", "isAssignableFrom", "*", is_assignable_from),
    ("java/lang/Class", "isInterface", "*", is_interface),
    ("java/lang/Class", "isArray", "*", is_array),
    ("java/lang/Class", "isPrimitive", "*", is_primitive),
    ("java/lang/Class", "isHidden", "*", is_hidden),
    ("java/lang/Class", "getSuperclass", "*", superclass),
    ("java/lang/Class", "getInterfaces0", "*", interfaces),
    ("java/lang/Class", "getModifiers", "*", modifiers),
    ("java/lang/Class", "initClassName", "*", name),
    ("java/lang/Class", "desiredAssertionStatus", "*", asserts),
    ("java/lang/Class", "forName0", "*", for_name),
    ("java/lang/Class", "getSimpleBinaryName0", "*", simple_binary_name),
    ("java/lang/Class", "getDeclaringClass0", "*", declaring_class),
    ("java/lang/Class", "getEnclosingMethod0", "*", enclosing_method),
    ("java/lang/Class", "isRecord0", "*", is_record),
    ("java/lang/Class", "isRecord", "*", is_record),
    ("java/lang/Class", "getEnumConstantsShared", "*", enum_constants),
    ("java/lang/Class", "getPackage", "*", outside),
];

fn this(machine: &Machine, at: usize) -> ClassId {
    machine.mirrored(machine.stack[at] as Ref)
}

fn primitive(machine: &mut Machine, at: usize) -> Run<u64> {
    let name = machine.string_text(machine.stack[at] as Ref);
    let keyword = machine.symbols.intern(&name);
    let found = (0..9).map(ClassId).find(|c| machine.class(*c).name == keyword);
    match found {
        Some(class) => machine.mirror(class).map(u64::from),
        None => Err(Stop::unmodelled(format!("the primitive class {name}")).into()),
    }
}

/// As in JVMs that run tests: assertions are on in the application, not in the JDK.
fn asserts(machine: &mut Machine, at: usize) -> Run<u64> {
    Ok(u64::from(machine.class(this(machine, at)).is_application))
}

fn is_instance(machine: &mut Machine, at: usize) -> Run<u64> {
    let object = machine.stack[at + 1] as Ref;
    Ok(u64::from(object != 0 && machine.is_subtype(machine.class_of(object), this(machine, at))))
}

fn is_assignable_from(machine: &mut Machine, at: usize) -> Run<u64> {
    let other = machine.stack[at + 1] as Ref;
    if other == 0 {
        return Err(machine.null_pointer());
    }
    Ok(u64::from(machine.is_subtype(machine.mirrored(other), this(machine, at))))
}

fn is_interface(machine: &mut Machine, at: usize) -> Run<u64> {
    Ok(u64::from(machine.class(this(machine, at)).is_interface()))
}

fn is_array(machine: &mut Machine, at: usize) -> Run<u64> {
    Ok(u64::from(machine.class(this(machine, at)).is_array()))
}

fn is_primitive(machine: &mut Machine, at: usize) -> Run<u64> {
    Ok(u64::from(machine.class(this(machine, at)).is_primitive()))
}

fn is_hidden(machine: &mut Machine, at: usize) -> Run<u64> {
    Ok(u64::from(machine.class(this(machine, at)).is_hidden))
}

fn is_record(machine: &mut Machine, at: usize) -> Run<u64> {
    let class = machine.class(this(machine, at));
    Ok(u64::from(class.is_record && class.access.is_final()))
}

fn superclass(machine: &mut Machine, at: usize) -> Run<u64> {
    let class = machine.class(this(machine, at));
    match class.superclass {
        Some(up) if !class.is_interface() => machine.mirror(up).map(u64::from),
        _ => Ok(0),
    }
}

fn interfaces(machine: &mut Machine, at: usize) -> Run<u64> {
    let list = machine.class(this(machine, at)).interfaces.clone();
    let array_class = machine.array_class(machine.well_known.class);
    let array = machine.allocate_array(array_class, list.len() as u32)?;
    for (i, interface) in list.into_iter().enumerate() {
        let mirror = machine.mirror(interface)?;
        machine.heap.set_slot(array, i as u32, u64::from(mirror));
    }
    Ok(u64::from(array))
}

fn modifiers(machine: &mut Machine, at: usize) -> Run<u64> {
    let mut id = this(machine, at);
    let class = machine.class(id);
    if class.is_primitive() || !class.is_array() {
        let flags = class.nest.flags.unwrap_or(class.access.0);
        return Ok(u64::from(flags & !Access::SUPER));
    }
    while let Kind::Array { element } = machine.class(id).kind {
        id = element;
    }
    let class = machine.class(id);
    let visible = class.nest.flags.unwrap_or(class.access.0) & (Access::PUBLIC | Access::PRIVATE | Access::PROTECTED);
    Ok(u64::from(visible | Access::FINAL | Access::ABSTRACT))
}

fn name(machine: &mut Machine, at: usize) -> Run<u64> {
    let class = this(machine, at);
    if machine.class(class).is_hidden {
        return Err(Stop::unmodelled("the name of a lambda's class").into());
    }
    let units: Vec<u16> = machine.class_name(class).replace('/', ".").encode_utf16().collect();
    // The same string each time: names are interned.
    let text = machine.literal(&units)?;
    let slot = machine.field_slot(machine.well_known.class, "name", "Ljava/lang/String;")?;
    machine.heap.set_slot(machine.stack[at] as Ref, slot, u64::from(text));
    Ok(u64::from(text))
}

fn for_name(machine: &mut Machine, at: usize) -> Run<u64> {
    let text = machine.string_text(machine.stack[at] as Ref);
    let initialise = machine.stack[at + 1] != 0;
    let found = if text.contains('/') { None } else { machine.find_class(&text.replace('.', "/"))? };
    match found.filter(|class| !machine.class(*class).is_primitive()) {
        Some(class) => {
            if initialise {
                machine.initialise(class)?;
            }
            machine.mirror(class).map(u64::from)
        }
        None => Err(machine.throw("java/lang/ClassNotFoundException", Some(&text))),
    }
}

fn simple_binary_name(machine: &mut Machine, at: usize) -> Run<u64> {
    let class = this(machine, at);
    match machine.class(class).nest.simple {
        Some(simple) => {
            let text = machine.symbols.get(simple).clone();
            machine.new_text(&text).map(u64::from)
        }
        None => Ok(0),
    }
}

fn declaring_class(machine: &mut Machine, at: usize) -> Run<u64> {
    let class = this(machine, at);
    match machine.class(class).nest.outer {
        Some(outer) => {
            let outer = machine.resolve_class(outer)?;
            machine.mirror(outer).map(u64::from)
        }
        None => Ok(0),
    }
}

/// Class, name and descriptor in an array; null for classes that are no local or anonymous ones.
fn enclosing_method(machine: &mut Machine, at: usize) -> Run<u64> {
    let class = this(machine, at);
    let Some((owner, method)) = machine.class(class).nest.enclosing else { return Ok(0) };
    let array_class = machine.array_class(machine.well_known.object);
    let array = machine.allocate_array(array_class, 3)?;
    let owner = machine.resolve_class(owner)?;
    let mirror = machine.mirror(owner)?;
    machine.heap.set_slot(array, 0, u64::from(mirror));
    if let Some((name, descriptor)) = method {
        for (i, sym) in [(1, name), (2, descriptor)] {
            let text = machine.symbols.get(sym).clone();
            let text = machine.new_text(&text)?;
            machine.heap.set_slot(array, i, u64::from(text));
        }
    }
    Ok(u64::from(array))
}

/// What `values()` gives; null if it is no enum class.
fn enum_constants(machine: &mut Machine, at: usize) -> Run<u64> {
    let class = this(machine, at);
    let enums = machine.known_class("java/lang/Enum")?;
    if !machine.class(class).access.is_enum() || machine.class(class).superclass != Some(enums) {
        return Ok(0);
    }
    let descriptor = format!("()[L{};", machine.class_name(class));
    let signature = (machine.symbols.intern("values"), machine.symbols.intern(&descriptor));
    let Some(&values) = machine.class(class).declared.get(&signature) else { return Ok(0) };
    if !machine.method_at(values).is_static() {
        return Ok(0);
    }
    machine.initialise(class)?;
    machine.call(values, &[])
}
