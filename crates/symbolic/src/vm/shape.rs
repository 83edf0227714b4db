//! How objects of a class are looked at from outside: by value, by their fields, or not at all. Owns the rules, which
//! are the worker's: states of this machine and of a JVM have equal hashes.

use super::class::{ClassId, Kind};
use super::machine::Machine;

/// How instances are walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    Object,
    Text,
    Box(u8),
    Enum,
    Class,
    /// Immutable, equal by what its `toString` (or the like) gives.
    Printed,
    /// Known by its class alone.
    Opaque,
    References,
    Primitives(u8),
}

/// What is known about a class.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub look: Look,
    pub name_hash: u64,
    /// Slot and first letter of the type.
    pub primitives: Vec<(u32, u8)>,
    pub references: Vec<u32>,
    /// Keeps entries at places that may depend on identity hashes.
    pub hash_table: bool,
}

const PRINTED: &[&str] = &[
    "java/math/BigInteger",
    "java/math/BigDecimal",
    "java/util/Locale",
    "java/util/regex/Pattern",
    "java/util/Date",
    "java/net/URI",
    "java/net/URL",
    "java/io/File",
    "java/util/UUID",
    "sun/util/calendar/ZoneInfo",
];

const OPAQUE_SUPERS: &[&str] = &[
    "java/lang/Thread",
    "java/lang/ThreadGroup",
    "java/lang/ThreadLocal",
    "java/lang/ClassLoader",
    "java/util/ResourceBundle",
];

const OPAQUE_PREFIXES: &[&str] = &[
    "sun/",
    "jdk/",
    "com/sun/",
    "javax/",
    "java/lang/invoke/",
    "java/lang/reflect/",
    "java/lang/Module",
    "java/lang/ref/ReferenceQueue",
    "java/util/logging/",
    "java/security/",
    "java/nio/channels/",
    "java/nio/charset/",
    "java/io/File",
];

const TABLES: &[&str] = &[
    "java/util/HashMap",
    "java/util/IdentityHashMap",
    "java/util/Hashtable",
    "java/util/concurrent/ConcurrentHashMap",
];

impl Machine {
    pub(super) fn shape_of(&mut self, class: ClassId) -> std::sync::Arc<Shape> {
        if let Some(shape) = self.shapes.get(&class) {
            return shape.clone();
        }
        let shape = std::sync::Arc::new(self.make_shape(class));
        self.shapes.insert(class, shape.clone());
        shape
    }

    fn make_shape(&self, class: ClassId) -> Shape {
        let look = self.look_at(class);
        let (mut primitives, mut references) = (Vec::new(), Vec::new());
        if look == Look::Object {
            for (slot, letter) in self.visible_fields(class) {
                if letter == b'L' { references.push(slot) } else { primitives.push((slot, letter)) }
            }
        }
        let hash_table = look == Look::Object && self.has_super_named(class, TABLES);
        Shape { look, name_hash: hash(&self.visible_name(class)), primitives, references, hash_table }
    }

    /// The name as the worker gives it: lambdas lose their counters.
    pub(super) fn visible_name(&self, class: ClassId) -> String {
        let name = self.class_name(class);
        match name.find("$$Lambda") {
            Some(at) => name[..at + 8].to_owned(),
            None => name.to_string(),
        }
    }

    fn has_super_named(&self, class: ClassId, names: &[&str]) -> bool {
        self.class(class).supertypes.iter().any(|s| names.contains(&&**self.class_name(*s)))
    }

    fn look_at(&self, id: ClassId) -> Look {
        let class = self.class(id);
        if let Kind::Array { element } = class.kind {
            return match &self.class(element).kind {
                Kind::Primitive(p) => Look::Primitives(p.descriptor() as u8),
                _ => Look::References,
            };
        }
        let name = &**self.class_name(id);
        match name {
            "java/lang/String" => return Look::Text,
            "java/lang/Class" => return Look::Class,
            _ => {}
        }
        if let Some(p) = bytecode::names::Primitive::ALL.into_iter().find(|p| p.box_class() == name) {
            return Look::Box(p.descriptor() as u8);
        }
        if self.has_super_named(id, &["java/lang/Enum"]) {
            return Look::Enum;
        }
        if PRINTED.contains(&name) {
            return Look::Printed;
        }
        let platform_opaque = !class.is_application
            && (OPAQUE_PREFIXES.iter().any(|p| name.starts_with(p))
                || matches!(name, "java/io/RandomAccessFile" | "java/lang/Runtime" | "java/lang/Process")
                || self.has_super_named(id, &["java/util/concurrent/ExecutorService"]));
        if class.is_hidden || platform_opaque || self.has_super_named(id, OPAQUE_SUPERS) {
            return Look::Opaque;
        }
        Look::Object
    }

    /// Slots of instance fields with the first letter of their types (`L` for all references): superclasses first, by
    /// name within a class, without caches.
    pub(super) fn visible_fields(&self, class: ClassId) -> Vec<(u32, u8)> {
        let mut lineage = Vec::new();
        let mut at = Some(class);
        while let Some(id) = at {
            lineage.push(id);
            at = self.class(id).superclass;
        }
        let mut all = Vec::new();
        for id in lineage.into_iter().rev() {
            let owner = self.class(id);
            if owner.superclass.is_none() {
                continue;
            }
            let owner_name = self.class_name(id);
            let mut own: Vec<_> = owner.fields.iter().filter(|f| !f.access.is_static()).collect();
            own.sort_by_key(|f| self.symbols.get(f.name).clone());
            for field in own {
                let name = self.symbols.get(field.name);
                let transient = field.access.has(bytecode::access::Access::TRANSIENT);
                if name.starts_with('$') && field.access.is_synthetic() && !owner.is_application {
                    continue;
                }
                if is_cache(owner_name, owner.is_application, name, transient) {
                    continue;
                }
                let letter = self.symbols.get(field.descriptor).as_bytes().first().copied().unwrap_or(b'L');
                all.push((field.slot, if letter == b'[' { b'L' } else { letter }));
            }
        }
        all
    }
}

/// Fields of JDK classes that are filled lazily and say nothing about the state.
fn is_cache(owner: &str, is_application: bool, name: &str, transient: bool) -> bool {
    match owner {
        "java/lang/Throwable" => return !matches!(name, "detailMessage" | "cause"),
        "java/lang/Enum" | "java/lang/ref/Reference" | "java/lang/ref/SoftReference" => return true,
        _ => {}
    }
    !is_application
        && transient
        && owner.starts_with("java/util/")
        && matches!(name, "keySet" | "values" | "entrySet" | "navigableKeySet" | "descendingMap")
}

fn hash(text: &str) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for unit in text.encode_utf16() {
        hash = (hash ^ u64::from(unit)).wrapping_mul(0x0100_0000_01b3);
        hash ^= hash >> 29;
    }
    hash
}
