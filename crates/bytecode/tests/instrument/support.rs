//! What several of these tests need: classes of an image, compiling, instrumenting a folder, streams. Expects nothing
//! itself.

use crate::jdk;
use bytecode::instrument::{Instrumented, Plan, instrument};
use bytecode::jimage::Jimage;
use bytecode::names::ClassName;
use memmap2::Mmap;
use std::fs::File;
use std::path::{Path, PathBuf};

pub const HOOKS: &str = "testudo/runtime/Hooks";

pub fn everything() -> Plan {
    Plan::everything(ClassName::new(HOOKS))
}

pub fn observing() -> Plan {
    Plan::observing(ClassName::new(HOOKS))
}

/// One class of a JDK's image.
pub fn class(home: &Path, name: &str) -> Vec<u8> {
    image(home).class_bytes(name).unwrap().unwrap().into_owned()
}

fn image(home: &Path) -> Jimage<Mmap> {
    // The file belongs to an installed JDK; nothing writes it while the test runs.
    let map = unsafe { Mmap::map(&File::open(home.join("lib/modules")).unwrap()).unwrap() };
    Jimage::open(map).unwrap()
}

/// Calls `f` with every `step`-th class of a JDK's image, `module-info`s included (under their module's name).
pub fn for_each_class(home: &Path, step: usize, mut f: impl FnMut(&str, &[u8])) {
    let image = image(home);
    for module in image.modules().unwrap() {
        let path = format!("/{module}/module-info.class");
        if let Some(bytes) = image.find(&path).unwrap() {
            f(&path, &bytes);
        }
    }
    for class in image.classes().step_by(step) {
        let name = class.unwrap().1;
        f(name.internal(), &image.class_bytes(name.internal()).unwrap().unwrap());
    }
}

/// Appends a class to a stream as the Java check programs read it.
pub fn append(stream: &mut Vec<u8>, name: &str, bytes: &[u8]) {
    stream.extend((name.len() as u16).to_be_bytes());
    stream.extend_from_slice(name.as_bytes());
    stream.extend((bytes.len() as u32).to_be_bytes());
    stream.extend_from_slice(bytes);
}

/// A file below `tests/java`.
pub fn source(path: &str) -> String {
    format!("{}/tests/java/{path}", env!("CARGO_MANIFEST_DIR"))
}

/// Compiles sources at Java 8 level into a fresh folder.
pub fn compile(home: &Path, folder: &str, sources: &[&str]) -> PathBuf {
    let out = jdk::scratch(folder);
    let mut args = vec!["--release", "8", "-Xlint:none", "-nowarn", "-g", "-d", out.to_str().unwrap()];
    args.extend(sources);
    jdk::run(home, "javac", &args);
    out
}

/// Instruments every class directly in a folder into another one. Ids of probes and sites run on from class to class;
/// the result is in the order of file names.
pub fn instrument_folder(from: &Path, to: &Path, plan: &Plan) -> Vec<(String, Instrumented)> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(from).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    let mut plan = plan.clone();
    let mut results = Vec::new();
    for file in files.iter().filter(|f| f.extension().is_some_and(|e| e == "class")) {
        let result = instrument(&std::fs::read(file).unwrap(), &plan).unwrap();
        std::fs::write(to.join(file.file_name().unwrap()), &result.bytes).unwrap();
        plan.first_probe += result.probes.len() as u32;
        plan.first_site += result.sites.len() as u32;
        plan.first_field += result.fields.len() as u32;
        if let Some(calls) = &mut plan.calls {
            calls.first_member += result.members.len() as u32;
        }
        plan.class_index += 1;
        results.push((file.file_stem().unwrap().to_str().unwrap().to_owned(), result));
    }
    results
}

/// The feature number of a JDK: 17, 25.
pub fn feature(home: &Path) -> u32 {
    let release = std::fs::read_to_string(home.join("release")).unwrap();
    let version = release.lines().find_map(|l| l.strip_prefix("JAVA_VERSION=\"")).unwrap();
    version.split(['.', '"', '-', '+']).next().unwrap().parse().unwrap()
}
