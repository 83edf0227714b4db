//! Natives of the platform's own classes that set something up or ask for something that is switched off. Owns their
//! answers.

use super::super::machine::Machine;
use super::super::stop::Run;
use super::{Entry, nothing, outside, yes};

pub const TABLE: &[Entry] = &[
    ("jdk/internal/misc/VM", "initialize", "*", nothing),
    ("jdk/internal/misc/VM", "initializeFromArchive", "*", nothing),
    ("jdk/internal/misc/VM", "latestUserDefinedLoader0", "*", nothing),
    ("jdk/internal/misc/CDS", "isDumpingClassList0", "*", nothing),
    ("jdk/internal/misc/CDS", "isDumpingArchive0", "*", nothing),
    ("jdk/internal/misc/CDS", "isSharingEnabled0", "*", nothing),
    ("jdk/internal/misc/CDS", "getCDSConfigStatus", "*", nothing),
    ("jdk/internal/misc/CDS", "getRandomSeedForDumping", "*", nothing),
    ("jdk/internal/misc/CDS", "initializeFromArchive", "*", nothing),
    ("jdk/internal/misc/PreviewFeatures", "isPreviewEnabled", "*", nothing),
    ("java/util/concurrent/atomic/AtomicLong", "VMSupportsCS8", "*", yes),
    ("java/util/concurrent/atomic/Striped64", "getProbe", "*", yes),
    ("java/io/FileDescriptor", "initIDs", "*", nothing),
    ("java/io/FileInputStream", "initIDs", "*", nothing),
    ("java/io/FileOutputStream", "initIDs", "*", nothing),
    ("java/io/UnixFileSystem", "initIDs", "*", nothing),
    ("java/io/FileInputStream", "open0", "*", outside),
    ("java/io/UnixFileSystem", "getBooleanAttributes0", "*", attributes),
    ("java/nio/charset/Charset", "providers", "*", no_providers),
    ("java/util/Locale", "getAvailableLocales", "*", outside),
    ("java/util/Locale", "availableLocales", "*", outside),
    ("sun/util/locale/provider/LocaleServiceProviderPool", "getAllAvailableLocales", "*", outside),
    ("java/lang/ModuleLayer", "boot", "*", outside),
    // Reads words of several elements at once; the code around it does without.
    ("jdk/internal/util/ArraysSupport", "vectorizedMismatch", "*", no_mismatch_found),
];

/// Of the application; the JDK's own are asked for elsewhere.
fn no_providers(machine: &mut Machine, _: usize) -> Run<u64> {
    let empty = machine.known_method("java/util/Collections", "emptyIterator", "()Ljava/util/Iterator;")?;
    machine.call(empty, &[])
}

/// Of a file; the one that would change currencies does not exist.
fn attributes(machine: &mut Machine, at: usize) -> Run<u64> {
    let for_currencies = machine.trace().into_iter().any(|(method, _)| {
        let class = machine.method_at(method).class;
        machine.class_name(class).starts_with("java/util/Currency")
    });
    if for_currencies { Ok(0) } else { outside(machine, at) }
}

/// `~length`: nothing was compared, all elements remain.
fn no_mismatch_found(machine: &mut Machine, at: usize) -> Run<u64> {
    // (Object, long, Object, long, int, int)
    let length = machine.stack[at + 6] as i32;
    Ok(!length as i64 as u64)
}
