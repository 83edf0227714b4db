//! Files of the class path as the application asks for them: resource bundles and streams. Owns what is found there;
//! files anywhere else do not exist.

use super::super::heap::Ref;
use super::super::machine::Machine;
use super::super::stop::Run;
use super::{Entry, outside};

const BUNDLE: &str = "java/util/ResourceBundle";

pub const TABLE: &[Entry] = &[
    (BUNDLE, "getBundle", "(Ljava/lang/String;)Ljava/util/ResourceBundle;", bundle),
    (BUNDLE, "getBundle", "(Ljava/lang/String;Ljava/util/Locale;)Ljava/util/ResourceBundle;", bundle_in),
    (BUNDLE, "getBundle", "*", outside),
    (BUNDLE, "getLocale", "*", outside),
    (BUNDLE, "clearCache", "*", outside),
    ("java/lang/Class", "getResourceAsStream", "*", stream),
];

/// The locale that the worker's JVMs fall back to.
const DEFAULT: &str = "en_US";
/// Languages that have more candidates than others, or are written in two ways.
const SPECIAL: [&str; 10] = ["zh", "no", "nb", "nn", "he", "iw", "id", "in", "yi", "ji"];

fn bundle(machine: &mut Machine, at: usize) -> Run<u64> {
    find(machine, at, DEFAULT.to_owned())
}

fn bundle_in(machine: &mut Machine, at: usize) -> Run<u64> {
    let locale = machine.stack[at + 1] as Ref;
    if locale == 0 {
        return Err(machine.null_pointer());
    }
    let called = machine.native;
    let text = machine.call_virtual(locale, "java/util/Locale", "toString", "()Ljava/lang/String;", &[])?;
    // It is part of a key, and remembers its hash.
    machine.call_virtual(locale, "java/util/Locale", "hashCode", "()I", &[])?;
    // Names the method that has no model.
    machine.native = called;
    let locale = machine.string_text(text as Ref);
    find(machine, at, locale)
}

/// What is tried for a locale, the base last.
fn candidates(locale: &str) -> Vec<&str> {
    let mut all = Vec::new();
    if !locale.is_empty() {
        all.push(locale);
    }
    if let Some((language, _)) = locale.split_once('_') {
        all.push(language);
    }
    all.push("");
    all
}

fn path_of(base: &str, ending: &str) -> String {
    let name = if ending.is_empty() { base.to_owned() } else { format!("{base}_{ending}") };
    name.replace('.', "/")
}

/// A bundle of properties, with those of wider locales behind it. One that is a class is not modelled.
fn find(machine: &mut Machine, at: usize, locale: String) -> Run<u64> {
    let base = machine.stack[at] as Ref;
    if base == 0 {
        return Err(machine.null_pointer());
    }
    let base = machine.string_text(base);
    let by_application = !machine.frames.is_empty() && machine.class(machine.current_class()).is_application;
    let is_plain = locale.split('_').count() <= 2 && !locale.contains('#') && !locale.starts_with('_');
    let is_special = SPECIAL.contains(&locale.split('_').next().unwrap_or_default());
    if !by_application || !is_plain || is_special || !machine.source.knows_resources() {
        return outside(machine, at);
    }
    let tried = [candidates(&locale), candidates(DEFAULT)];
    for ending in tried.iter().flatten() {
        if machine.find_class(&path_of(&base, ending))?.is_some() {
            return outside(machine, at);
        }
    }
    let source = machine.source.clone();
    let is_there = |ending: &&&str| source.resource(&format!("{}.properties", path_of(&base, ending))).is_some();
    // The base is taken only if the fallback has nothing better, unless it is what was asked for.
    let chosen = tried.iter().find(|endings| match endings.iter().find(is_there) {
        Some(ending) => !ending.is_empty() || locale.is_empty(),
        None => false,
    });
    let endings: Vec<&str> = match chosen {
        Some(endings) => endings.iter().filter(is_there).copied().collect(),
        None => [""].iter().filter(is_there).copied().collect(),
    };
    if endings.is_empty() {
        return missing(machine, &base, &locale);
    }
    let mut bundle = 0;
    for ending in endings.into_iter().rev() {
        bundle = load(machine, at, &base, ending, bundle)?;
    }
    Ok(u64::from(bundle))
}

/// The bundle of one file, which is the same all through a run.
fn load(machine: &mut Machine, at: usize, base: &str, ending: &str, parent: Ref) -> Run<Ref> {
    let thread = machine.known_class("java/lang/Thread")?;
    let slot = machine.field_slot(thread, "$bundles", "J")?;
    let mut known = machine.heap.slot(machine.thread, slot) as Ref;
    if known == 0 {
        let class = machine.known_class("java/util/HashMap")?;
        known = machine.construct(class, "()V", &[])?;
        machine.heap.set_slot(machine.thread, slot, u64::from(known));
    }
    let path = format!("{}.properties", path_of(base, ending));
    let key = u64::from(machine.new_text(&path)?);
    let get = "(Ljava/lang/Object;)Ljava/lang/Object;";
    let found = machine.call_virtual(known, "java/util/HashMap", "get", get, &[key])? as Ref;
    if found != 0 {
        return Ok(found);
    }
    let stream = file(machine, at, &path)?;
    let class = machine.known_class("java/util/PropertyResourceBundle")?;
    let bundle = machine.construct(class, "(Ljava/io/InputStream;)V", &[stream])?;
    let name = u64::from(machine.new_text(base)?);
    for (field, descriptor, value) in
        [("name", "Ljava/lang/String;", name), ("parent", "Ljava/util/ResourceBundle;", u64::from(parent))]
    {
        let slot = machine.field_slot(class, field, descriptor)?;
        machine.heap.set_slot(bundle, slot, value);
    }
    let put = "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;";
    machine.call_virtual(known, "java/util/HashMap", "put", put, &[key, u64::from(bundle)])?;
    Ok(bundle)
}

fn missing(machine: &mut Machine, base: &str, locale: &str) -> Run<u64> {
    let class = machine.known_class("java/util/MissingResourceException")?;
    let text = machine.new_text(&format!("Can't find bundle for base name {base}, locale {locale}"))?;
    let name = machine.new_text(&format!("{base}_{locale}"))?;
    let key = machine.new_text("")?;
    let parts = [u64::from(text), u64::from(name), u64::from(key)];
    let descriptor = "(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;)V";
    let exception = machine.construct(class, descriptor, &parts)?;
    Err(super::super::stop::Trap::Throw(exception))
}

/// A file beside a class.
fn stream(machine: &mut Machine, at: usize) -> Run<u64> {
    let (class, name) = (machine.mirrored(machine.stack[at] as Ref), machine.stack[at + 1] as Ref);
    if name == 0 {
        return Err(machine.null_pointer());
    }
    let is_application = machine.class(class).is_application;
    if machine.class(class).is_array() || is_application && !machine.source.knows_resources() {
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
    if is_application {
        return file(machine, at, &path);
    }
    let source = machine.source.clone();
    match source.platform_resource(&path) {
        Some(bytes) => input_stream(machine, &bytes),
        None => outside(machine, at),
    }
}

/// A file of the class path.
pub(super) fn file(machine: &mut Machine, at: usize, path: &str) -> Run<u64> {
    if path.ends_with(".class") || path.starts_with("META-INF/") {
        return outside(machine, at);
    }
    let source = machine.source.clone();
    match source.resource(path) {
        Some(bytes) => input_stream(machine, &bytes),
        None => Ok(0),
    }
}

fn input_stream(machine: &mut Machine, bytes: &[u8]) -> Run<u64> {
    let array = machine.allocate_array(machine.well_known.byte_array, bytes.len() as u32)?;
    for (i, byte) in bytes.iter().enumerate() {
        machine.heap.set_slot(array, i as u32, *byte as i8 as i64 as u64);
    }
    let class = machine.known_class("java/io/ByteArrayInputStream")?;
    machine.construct(class, "([B)V", &[u64::from(array)]).map(u64::from)
}
