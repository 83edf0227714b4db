//! Files of the class path as the application asks for them: resource bundles and streams. Owns what is found there; files anywhere else do not exist.

use super::super::heap::Ref;
use super::super::machine::Machine;
use super::super::stop::Run;
use super::{Entry, outside};

const BUNDLE: &str = "java/util/ResourceBundle";

pub const TABLE: &[Entry] = &[
    (BUNDLE, "getBundle", "(Ljava/lang/String;)Ljava/util/ResourceBundle;", bundle),
    (BUNDLE, "getBundle", "(Ljava/lang/String;Ljava/util/Locale;)Ljava/util/ResourceBundle;", bundle_in),
    (BUNDLE, "getBundle", "*", outside),
    ("java/lang/Class", "getResourceAsStream", "*", stream),
];

/// What JVMs of the worker fall back to.
const DEFAULT: &str = "en_US";

fn bundle(machine: &mut Machine, at: usize) -> Run<u64> {
    missing(machine, at, DEFAULT.to_owned())
}

fn bundle_in(machine: &mut Machine, at: usize) -> Run<u64> {
    let locale = machine.stack[at + 1] as Ref;
    if locale == 0 {
        return Err(machine.null_pointer());
    }
    let called = machine.native;
    let text = machine.call_virtual(locale, "java/util/Locale", "toString", "()Ljava/lang/String;", &[])?;
    // For whoever asks which method has no model.
    machine.native = called;
    let locale = machine.string_text(text as Ref);
    missing(machine, at, locale)
}

/// A bundle that is nowhere is known to be missing; one that is somewhere is not modelled.
fn missing(machine: &mut Machine, at: usize, locale: String) -> Run<u64> {
    let base = machine.stack[at] as Ref;
    if base == 0 {
        return Err(machine.null_pointer());
    }
    let base = machine.string_text(base);
    let by_application = !machine.frames.is_empty() && machine.class(machine.current_class()).is_application;
    let plain = locale.split('_').count() <= 2 && !locale.contains('#');
    if !by_application || !plain || !machine.source.knows_resources() {
        return outside(machine, at);
    }
    let language = |locale: &str| locale.split('_').next().unwrap_or_default().to_owned();
    let endings = [locale.clone(), language(&locale), DEFAULT.to_owned(), language(DEFAULT), String::new()];
    for ending in endings {
        let name = if ending.is_empty() { base.clone() } else { format!("{base}_{ending}") };
        let path = name.replace('.', "/");
        let is_there = machine.source.resource(&format!("{path}.properties")).is_some();
        if is_there || machine.find_class(&path)?.is_some() {
            return outside(machine, at);
        }
    }
    let class = machine.known_class("java/util/MissingResourceException")?;
    let text = machine.new_text(&format!("Can't find bundle for base name {base}, locale {locale}"))?;
    let name = machine.new_text(&format!("{base}_{locale}"))?;
    let key = machine.new_text("")?;
    let parts = [u64::from(text), u64::from(name), u64::from(key)];
    let descriptor = "(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;)V";
    let exception = machine.construct(class, descriptor, &parts)?;
    Err(super::super::stop::Trap::Throw(exception))
}

/// A file beside a class of the application.
fn stream(machine: &mut Machine, at: usize) -> Run<u64> {
    let (class, name) = (machine.mirrored(machine.stack[at] as Ref), machine.stack[at + 1] as Ref);
    if name == 0 {
        return Err(machine.null_pointer());
    }
    if !machine.class(class).is_application || machine.class(class).is_array() || !machine.source.knows_resources() {
        return outside(machine, at);
    }
    let name = machine.string_text(name);
    let path = match name.strip_prefix('/') {
        Some(absolute) => absolute.to_owned(),
        None => match machine.class_name(class).rsplit_once('/') {
            Some((package, _)) => format!("{package}/{name}"),
            None => name,
        },
    };
    file(machine, at, &path)
}

/// A file of the class path; those of the JDK are not modelled.
pub(super) fn file(machine: &mut Machine, at: usize, path: &str) -> Run<u64> {
    if path.ends_with(".class") || path.starts_with("META-INF/") {
        return outside(machine, at);
    }
    let source = machine.source.clone();
    let Some(bytes) = source.resource(path) else { return Ok(0) };
    let array = machine.allocate_array(machine.well_known.byte_array, bytes.len() as u32)?;
    for (i, byte) in bytes.iter().enumerate() {
        machine.heap.set_slot(array, i as u32, *byte as i8 as i64 as u64);
    }
    let class = machine.known_class("java/io/ByteArrayInputStream")?;
    machine.construct(class, "([B)V", &[u64::from(array)]).map(u64::from)
}
