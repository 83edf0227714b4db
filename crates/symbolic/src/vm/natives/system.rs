//! `java.lang.System` and `Runtime`: copying arrays, properties, the end of the process. Owns the fixed answers; asks
//! nothing outside.

use super::super::class::Kind;
use super::super::heap::Ref;
use super::super::machine::Machine;
use super::super::stop::{Run, Stop};
use super::{Entry, nothing, outside};

pub const TABLE: &[Entry] = &[
    ("java/lang/System", "arraycopy", "*", array_copy),
    ("java/lang/System", "exit", "*", exit),
    ("java/lang/System", "getProperty", "(Ljava/lang/String;)Ljava/lang/String;", property),
    ("java/lang/System", "getProperty", "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;", property_or),
    ("java/lang/System", "loadLibrary", "*", nothing),
    ("java/lang/System", "getenv", "*", outside),
    ("java/lang/System", "getProperties", "*", properties),
    ("java/io/File", "getAbsolutePath", "*", outside),
    ("java/io/File", "getCanonicalPath", "*", outside),
    ("java/lang/Runtime", "exit", "*", runtime_exit),
    ("java/lang/Runtime", "halt", "*", runtime_exit),
    ("java/lang/Runtime", "availableProcessors", "*", processors),
    ("java/lang/Runtime", "gc", "*", nothing),
    ("java/lang/Runtime", "freeMemory", "*", outside),
    ("java/lang/Runtime", "totalMemory", "*", outside),
    ("java/lang/Runtime", "maxMemory", "*", max_memory),
    ("java/lang/Runtime", "loadLibrary", "*", nothing),
    ("java/lang/Runtime", "exec", "*", outside),
    ("java/lang/Runtime", "addShutdownHook", "*", outside),
];

fn array_copy(machine: &mut Machine, at: usize) -> Run<u64> {
    let (source, target) = (machine.stack[at] as Ref, machine.stack[at + 2] as Ref);
    let (from, to, count) = (machine.stack[at + 1] as i32, machine.stack[at + 3] as i32, machine.stack[at + 4] as i32);
    if source == 0 || target == 0 {
        return Err(machine.null_pointer());
    }
    machine.pin_length(source);
    machine.pin_length(target);
    let (a, b) = (machine.class_of(source), machine.class_of(target));
    let element = |class| match machine.class(class).kind {
        Kind::Array { element } => Some(element),
        _ => None,
    };
    let (x, y) = (element(a), element(b));
    let name = |class| machine.class_name(class).replace('/', ".");
    let primitive = |element: Option<_>| element.is_some_and(|e| machine.class(e).is_primitive());
    let letter = |class| machine.class_name(class).chars().nth(1).unwrap_or(' ');
    let kind = |e: Option<_>, class| {
        if primitive(e) { format!("{}[", keyword(letter(class))) } else { "object array[".to_owned() }
    };
    let problem = if x.is_none() {
        Some(format!("arraycopy: source type {} is not an array", name(a)))
    } else if y.is_none() {
        Some(format!("arraycopy: destination type {} is not an array", name(b)))
    } else if primitive(x) != primitive(y) || primitive(x) && x != y {
        let (from, to) = (format!("{}]", kind(x, a)), format!("{}]", kind(y, b)));
        Some(format!("arraycopy: type mismatch: can not copy {from} into {to}"))
    } else {
        None
    };
    if let Some(text) = problem {
        return Err(machine.throw("java/lang/ArrayStoreException", Some(&text)));
    }
    let (long_from, long_to) = (machine.heap.length(source), machine.heap.length(target));
    if let Some(text) = bounds((from, to, count), (long_from, long_to), &kind(x, a), &kind(y, b)) {
        return Err(machine.throw("java/lang/ArrayIndexOutOfBoundsException", Some(&text)));
    }
    for slot in [at + 1, at + 3, at + 4] {
        if let Some(term) = machine.term_at(slot) {
            let site = machine.site(super::super::path::Check::Bounds);
            let value = machine.stack[slot] as i32;
            machine.path.pin(term, value, site);
        }
    }
    let (from, to, count) = (from as u32, to as u32, count as u32);
    if let (Some(x), Some(y)) = (x, y)
        && !machine.class(x).is_primitive()
        && !machine.is_subtype(x, y)
    {
        return copy_checked(machine, (source, from), (target, to), count, y);
    }
    machine.heap.copy(source + 1 + from, target + 1 + to, count);
    machine.steps += u64::from(count) / 8;
    Ok(0)
}

fn keyword(letter: char) -> &'static str {
    bytecode::names::Primitive::from_descriptor(letter).map_or("object", |p| p.keyword())
}

fn bounds(
    (from, to, count): (i32, i32, i32),
    (source, target): (i32, i32),
    from_kind: &str,
    to_kind: &str,
) -> Option<String> {
    if from < 0 {
        return Some(format!("arraycopy: source index {from} out of bounds for {from_kind}{source}]"));
    }
    if to < 0 {
        return Some(format!("arraycopy: destination index {to} out of bounds for {to_kind}{target}]"));
    }
    if count < 0 {
        return Some(format!("arraycopy: length {count} is negative"));
    }
    // As unsigned numbers, the way a JVM prints them.
    let (source_end, target_end) = (i64::from(from) + i64::from(count), i64::from(to) + i64::from(count));
    if source_end > i64::from(source) {
        return Some(format!("arraycopy: last source index {source_end} out of bounds for {from_kind}{source}]"));
    }
    if target_end > i64::from(target) {
        return Some(format!("arraycopy: last destination index {target_end} out of bounds for {to_kind}{target}]"));
    }
    None
}

/// Copies references one by one up to the first that does not fit.
fn copy_checked(
    machine: &mut Machine,
    (source, from): (Ref, u32),
    (target, to): (Ref, u32),
    count: u32,
    element: super::super::class::ClassId,
) -> Run<u64> {
    for i in 0..count {
        machine.pin_held(source + 1 + from + i);
        let value = machine.heap.slot(source, from + i);
        if value != 0 {
            let class = machine.class_of(value as Ref);
            if !machine.is_subtype(class, element) {
                let have = machine.class_name(machine.class_of(source)).clone();
                let have = display(&have);
                let want = machine.class_name(element).replace('/', ".");
                let text = format!(
                    "arraycopy: element type mismatch: can not cast one of the elements of {have} to the type of the destination array, {want}"
                );
                return Err(machine.throw("java/lang/ArrayStoreException", Some(&text)));
            }
        }
        machine.heap.set_slot(target, to + i, value);
        machine.heap.set_term(target + 1 + to + i, None);
    }
    Ok(0)
}

/// `java.lang.Object[]` for `[Ljava/lang/Object;`.
fn display(descriptor: &str) -> String {
    let element = descriptor.trim_start_matches('[');
    let dimensions = descriptor.len() - element.len();
    let name = element.strip_prefix('L').and_then(|e| e.strip_suffix(';')).unwrap_or(element).replace('/', ".");
    format!("{name}{}", "[]".repeat(dimensions))
}

/// Properties that every JVM of a release has alike, and those the worker sets.
const ALIKE: &[&str] = &[
    "file.separator",
    "path.separator",
    "line.separator",
    "java.class.version",
    "java.specification.version",
    "java.awt.headless",
    "user.language",
    "user.country",
    "user.timezone",
    "user.name",
    "file.encoding",
];
/// Beginnings of properties that JVMs set themselves.
const SET_BY_JVMS: &[&str] =
    &["java.", "sun.", "os.", "user.", "file.", "native.", "jdk.", "stdout.", "stderr.", "stdin.", "awt.", "testudo."];

/// A property, or null. The application gets none that distinguish one computer from another.
fn property(machine: &mut Machine, at: usize) -> Run<u64> {
    let key = machine.stack[at] as Ref;
    if key == 0 {
        return Err(machine.throw("java/lang/NullPointerException", Some("key can't be null")));
    }
    let name = machine.string_text(key);
    if name.is_empty() {
        return Err(machine.throw("java/lang/IllegalArgumentException", Some("key can't be empty")));
    }
    let by_application = machine.class(machine.current_class()).is_application;
    if by_application && SET_BY_JVMS.iter().any(|p| name.starts_with(p)) && !ALIKE.contains(&&*name) {
        return outside(machine, at);
    }
    let properties = all_properties(machine)?;
    let get = "(Ljava/lang/String;)Ljava/lang/String;";
    machine.call_virtual(properties, "java/util/Properties", "getProperty", get, &[u64::from(key)])
}

fn all_properties(machine: &mut Machine) -> Run<Ref> {
    let system = machine.known_class("java/lang/System")?;
    let slot = machine.field_slot(system, "props", "Ljava/util/Properties;")?;
    Ok(machine.heap.slot(machine.class(system).statics, slot) as Ref)
}

fn properties(machine: &mut Machine, at: usize) -> Run<u64> {
    if machine.class(machine.current_class()).is_application {
        return outside(machine, at);
    }
    all_properties(machine).map(u64::from)
}

fn property_or(machine: &mut Machine, at: usize) -> Run<u64> {
    let found = property(machine, at)?;
    Ok(if found == 0 { machine.stack[at + 1] } else { found })
}

fn exit(machine: &mut Machine, at: usize) -> Run<u64> {
    Err(Stop::Exit(machine.stack[at] as i32).into())
}

fn runtime_exit(machine: &mut Machine, at: usize) -> Run<u64> {
    Err(Stop::Exit(machine.stack[at + 1] as i32).into())
}

fn processors(_: &mut Machine, _: usize) -> Run<u64> {
    Ok(2)
}

fn max_memory(_: &mut Machine, _: usize) -> Run<u64> {
    Ok(256 << 20)
}
