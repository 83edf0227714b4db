//! Modules and services: two modules, that of the JDK's base and the unnamed one of the application, and the services
//! that the JDK provides to itself. Owns which packages are in the base; other modules, layers and resources are not
//! modelled.

use super::super::class::{ClassId, Kind};
use super::super::heap::Ref;
use super::super::machine::Machine;
use super::super::stop::Run;
use super::{Entry, itself, outside, yes};

const MODULE: &str = "java/lang/Module";
const SERVICES: &str = "java/util/ServiceLoader";

pub const TABLE: &[Entry] = &[
    ("java/lang/Class", "getModule", "*", module),
    ("java/lang/Class", "forName", "(Ljava/lang/Module;Ljava/lang/String;)Ljava/lang/Class;", in_module),
    (MODULE, "isExported", "(Ljava/lang/String;)Z", is_exported),
    (MODULE, "isExported", "(Ljava/lang/String;Ljava/lang/Module;)Z", is_exported_to),
    (MODULE, "isOpen", "(Ljava/lang/String;)Z", is_open),
    (MODULE, "isOpen", "(Ljava/lang/String;Ljava/lang/Module;)Z", is_open_to),
    (MODULE, "canRead", "*", yes),
    (MODULE, "addReads", "*", itself),
    (MODULE, "getLayer", "*", outside),
    (MODULE, "getDescriptor", "*", outside),
    (MODULE, "getClassLoader", "*", outside),
    (MODULE, "getPackages", "*", outside),
    (MODULE, "getResourceAsStream", "*", outside),
    (MODULE, "getAnnotation", "*", outside),
    (MODULE, "getAnnotations", "*", outside),
    (MODULE, "addOpens", "*", outside),
    (MODULE, "addExports", "*", outside),
    (SERVICES, "load", "(Ljava/lang/Class;)Ljava/util/ServiceLoader;", services),
    (SERVICES, "load", "*", outside),
    (SERVICES, "loadInstalled", "*", services),
    (SERVICES, "iterator", "*", providers),
    (SERVICES, "stream", "*", outside),
    (SERVICES, "reload", "*", outside),
];

/// Packages of `java.base`, by prefix, without those of other modules.
const BASE: &[&str] = &[
    "java/io",
    "java/lang",
    "java/math",
    "java/net",
    "java/nio",
    "java/security",
    "java/text",
    "java/time",
    "java/util",
    "javax/crypto",
    "javax/net",
    "sun/util",
    "sun/text",
    "sun/nio",
    "sun/security",
    "sun/reflect",
    "sun/net",
    "jdk/internal",
];
const NOT_BASE: &[&str] = &[
    "java/util/logging",
    "java/util/prefs",
    "java/net/http",
    "java/lang/management",
    "java/lang/instrument",
    "java/security/sasl",
    "sun/util/logging",
    "sun/net/httpserver",
    "sun/security/jgss",
    "sun/security/krb5",
    "jdk/internal/net/http",
    "jdk/internal/jshell",
    "jdk/internal/agent",
];

/// Providers within the JDK.
const PROVIDERS: &[(&str, &[&str])] = &[
    (
        "sun/util/locale/provider/LocaleDataMetaInfo",
        &[
            "sun/util/resources/cldr/provider/CLDRLocaleDataMetaInfo",
            "sun/util/resources/provider/NonBaseLocaleDataMetaInfo",
        ],
    ),
    ("sun/util/resources/LocaleData$CommonResourceBundleProvider", &["sun/util/resources/provider/LocaleDataProvider"]),
    (
        "sun/util/resources/LocaleData$SupplementaryResourceBundleProvider",
        &["sun/util/resources/provider/SupplementaryLocaleDataProvider"],
    ),
    ("java/nio/charset/spi/CharsetProvider", &["sun/nio/cs/ext/ExtendedCharsets"]),
];

fn begins(name: &str, packages: &[&str]) -> bool {
    packages.iter().any(|p| name.strip_prefix(p).is_some_and(|rest| rest.starts_with('/')))
}

fn is_base(machine: &Machine, class: ClassId) -> Option<bool> {
    let mut class = class;
    while let Kind::Array { element } = machine.class(class).kind {
        class = element;
    }
    let name = machine.class_name(class);
    match machine.class(class) {
        c if c.is_primitive() => Some(true),
        c if c.is_application => Some(false),
        _ if begins(name, BASE) && !begins(name, NOT_BASE) => Some(true),
        _ => None,
    }
}

/// One of the two modules; made on first use and kept for ever.
fn the_module(machine: &mut Machine, base: bool) -> Run<u64> {
    let thread = machine.known_class("java/lang/Thread")?;
    let slot = machine.field_slot(thread, if base { "$base" } else { "$unnamed" }, "J")?;
    let known = machine.heap.slot(machine.thread, slot);
    if known != 0 {
        return Ok(known);
    }
    let class = machine.known_class(MODULE)?;
    let words = machine.class(class).instance_words;
    let module = machine.permanent(class, 0, words)?;
    if base {
        let name = machine.literal(&"java.base".encode_utf16().collect::<Vec<_>>())?;
        let slot = machine.field_slot(class, "name", "Ljava/lang/String;")?;
        machine.heap.set_permanent(module, slot, u64::from(name));
    }
    // The thread's object is never freed, and its field is this machine's own: not undone by going back.
    machine.heap.set_permanent(machine.thread, slot, u64::from(module));
    Ok(u64::from(module))
}

fn module(machine: &mut Machine, at: usize) -> Run<u64> {
    let class = machine.mirrored(machine.stack[at] as Ref);
    match is_base(machine, class) {
        Some(base) => the_module(machine, base),
        None => outside(machine, at),
    }
}

/// A class of a module, or null.
fn in_module(machine: &mut Machine, at: usize) -> Run<u64> {
    let name = machine.stack[at + 1] as Ref;
    if name == 0 {
        return Err(machine.null_pointer());
    }
    let name = machine.string_text(name);
    match machine.find_class(&name.replace('.', "/"))? {
        Some(class) => machine.mirror(class).map(u64::from),
        None => Ok(0),
    }
}

fn is_unnamed(machine: &mut Machine, at: usize) -> Run<bool> {
    Ok(machine.stack[at] == the_module(machine, false)?)
}

fn is_exported(machine: &mut Machine, at: usize) -> Run<u64> {
    let package = machine.stack[at + 1] as Ref;
    if package == 0 {
        return Err(machine.null_pointer());
    }
    let package = machine.string_text(package);
    let public = package.starts_with("java.") || package.starts_with("javax.");
    Ok(u64::from(public || is_unnamed(machine, at)?))
}

fn is_exported_to(machine: &mut Machine, at: usize) -> Run<u64> {
    Ok(u64::from(machine.stack[at] == machine.stack[at + 2] || is_exported(machine, at)? != 0))
}

fn is_open(machine: &mut Machine, at: usize) -> Run<u64> {
    is_unnamed(machine, at).map(u64::from)
}

fn is_open_to(machine: &mut Machine, at: usize) -> Run<u64> {
    Ok(u64::from(machine.stack[at] == machine.stack[at + 2] || is_unnamed(machine, at)?))
}

fn known_providers(machine: &Machine, service: ClassId) -> Option<&'static [&'static str]> {
    let name = machine.class_name(service);
    PROVIDERS.iter().find(|(known, _)| *known == &**name).map(|(_, providers)| *providers)
}

fn services(machine: &mut Machine, at: usize) -> Run<u64> {
    let mirror = machine.stack[at];
    if mirror == 0 {
        return Err(machine.null_pointer());
    }
    let service = machine.mirrored(mirror as Ref);
    if known_providers(machine, service).is_none() {
        return outside(machine, at);
    }
    let class = machine.known_class(SERVICES)?;
    let loader = machine.allocate(class)?;
    let slot = machine.field_slot(class, "service", "Ljava/lang/Class;")?;
    machine.heap.set_slot(loader, slot, mirror);
    Ok(u64::from(loader))
}

/// An iterator over new objects of the providers.
fn providers(machine: &mut Machine, at: usize) -> Run<u64> {
    let class = machine.known_class(SERVICES)?;
    let slot = machine.field_slot(class, "service", "Ljava/lang/Class;")?;
    let service = machine.mirrored(machine.heap.slot(machine.stack[at] as Ref, slot) as Ref);
    let list_class = machine.known_class("java/util/ArrayList")?;
    let list = machine.construct(list_class, "()V", &[])?;
    for name in known_providers(machine, service).unwrap_or_default() {
        // A JDK may lack the module that has it.
        let Some(provider) = machine.find_class(name)? else { continue };
        let provider = machine.construct(provider, "()V", &[])?;
        machine.call_virtual(list, "java/util/List", "add", "(Ljava/lang/Object;)Z", &[u64::from(provider)])?;
    }
    machine.call_virtual(list, "java/util/List", "iterator", "()Ljava/util/Iterator;", &[])
}
