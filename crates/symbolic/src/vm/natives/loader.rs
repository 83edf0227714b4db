//! The class loader of the application: one object, which finds the classes and files of the class path. Owns that
//! object. It is of a class named as the worker's loader, so that states agree; other loaders, and what else can be
//! asked of one, are not modelled.

use bytecode::access::Access;

use super::super::class::{ClassId, Kind, init};
use super::super::heap::Ref;
use super::super::load;
use super::super::machine::Machine;
use super::super::stop::Run;
use super::resource::file;
use super::{Entry, outside};

const LOADER: &str = "java/lang/ClassLoader";
const WORKERS: &str = "testudo/runtime/TargetLoader";

pub const TABLE: &[Entry] = &[
    ("java/lang/Class", "getClassLoader", "*", of_class),
    ("java/lang/Thread", "getContextClassLoader", "*", of_thread),
    (LOADER, "loadClass", "(Ljava/lang/String;)Ljava/lang/Class;", load_class),
    (LOADER, "getResourceAsStream", "*", stream),
    (LOADER, "loadClass", "*", outside),
    (LOADER, "getResource", "*", outside),
    (LOADER, "getResources", "*", outside),
    (LOADER, "resources", "*", outside),
    (LOADER, "getParent", "*", outside),
    (LOADER, "getName", "*", outside),
    (LOADER, "name", "*", outside),
    (LOADER, "nameAndId", "*", outside),
    (LOADER, "getUnnamedModule", "*", outside),
    (LOADER, "getDefinedPackage", "*", outside),
    (LOADER, "getDefinedPackages", "*", outside),
    (LOADER, "getPackage", "*", outside),
    (LOADER, "getPackages", "*", outside),
    (LOADER, "definePackage", "*", outside),
    (LOADER, "defineClass", "*", outside),
    (LOADER, "findLoadedClass", "*", outside),
    (LOADER, "getClassLoadingLock", "*", outside),
    (LOADER, "isRegisteredAsParallelCapable", "*", outside),
    (LOADER, "setDefaultAssertionStatus", "*", outside),
    (LOADER, "setPackageAssertionStatus", "*", outside),
    (LOADER, "setClassAssertionStatus", "*", outside),
    (LOADER, "clearAssertionStatus", "*", outside),
    (LOADER, "desiredAssertionStatus", "*", outside),
    (LOADER, "createOrGetClassLoaderValueMap", "*", outside),
    (LOADER, "isAncestor", "*", outside),
    (LOADER, "needsClassLoaderPermissionCheck", "*", outside),
    (LOADER, "getSystemClassLoader", "*", outside),
    (LOADER, "getPlatformClassLoader", "*", outside),
];

impl Machine {
    fn application_loader(&mut self) -> Run<Ref> {
        if let Some(loader) = self.loader {
            return Ok(loader);
        }
        let up = self.known_class(LOADER)?;
        let name = self.symbols.intern(WORKERS);
        let id = ClassId(self.classes.len() as u32);
        let mut class = load::empty(name, Kind::Object, Access(Access::FINAL | Access::SYNTHETIC));
        class.superclass = Some(up);
        class.supertypes = self.class(up).supertypes.clone();
        class.supertypes.push(id);
        class.supertypes.sort_unstable();
        class.vtable = self.class(up).vtable.clone();
        class.virtual_slots = self.class(up).virtual_slots.clone();
        class.instance_words = self.class(up).instance_words;
        class.is_application = true;
        class.statics = self.permanent(self.well_known.object, id.0, 1)?;
        self.heap.set_permanent(class.statics, 0, init::DONE);
        let words = class.instance_words;
        // It cannot be found by its name: it is none of the application's classes.
        self.classes.push(class);
        let loader = self.permanent(id, 0, words)?;
        self.loader = Some(loader);
        Ok(loader)
    }
}

/// The loader of the JDK's base classes is null; those of its other modules are not modelled.
fn of_class(machine: &mut Machine, at: usize) -> Run<u64> {
    let mut class = machine.mirrored(machine.stack[at] as Ref);
    while let Kind::Array { element } = machine.class(class).kind {
        class = element;
    }
    if machine.class(class).is_application {
        return machine.application_loader().map(u64::from);
    }
    let name = machine.class_name(class);
    let base = ["java/", "sun/nio/", "sun/util/", "jdk/internal/"].iter().any(|p| name.starts_with(p));
    let base = base && !name.starts_with("java/sql/") || machine.class(class).is_primitive();
    if base { Ok(0) } else { outside(machine, at) }
}

fn of_thread(machine: &mut Machine, at: usize) -> Run<u64> {
    if machine.stack[at] as Ref != machine.thread {
        return outside(machine, at);
    }
    machine.application_loader().map(u64::from)
}

fn load_class(machine: &mut Machine, at: usize) -> Run<u64> {
    let name = machine.stack[at + 1] as Ref;
    if name == 0 {
        return outside(machine, at);
    }
    let text = machine.string_text(name);
    let is_name = !text.contains('/') && !text.starts_with('[');
    let found = if is_name { machine.find_class(&text.replace('.', "/"))? } else { None };
    match found.filter(|class| !machine.class(*class).is_primitive()) {
        Some(class) => machine.mirror(class).map(u64::from),
        None => Err(machine.throw("java/lang/ClassNotFoundException", Some(&text))),
    }
}

fn stream(machine: &mut Machine, at: usize) -> Run<u64> {
    let name = machine.stack[at + 1] as Ref;
    if name == 0 || !machine.source.knows_resources() {
        return outside(machine, at);
    }
    let path = machine.string_text(name);
    file(machine, at, &path)
}
