//! From class files to classes: finding bytes, reading them, laying out fields, methods and vtables. Owns the table of
//! classes; never runs code of a class and never initialises one.

use std::sync::Arc;

use bytecode::access::Access;
use bytecode::names::{FieldType, MethodDescriptor, Primitive};
use bytecode::raw::{Constant, RawClass, RawMember};
use rustc_hash::FxHashMap;

use super::class::{
    Body, Bootstrap, Class, ClassId, Field, Handle, Kind, Method, MethodId, NOT_VIRTUAL, Nest, PoolConstant, Signature,
    Slot,
};
use super::machine::Machine;
use super::natives;
use super::stop::{Run, Stop};
use super::symbols::Sym;

/// Classes with fields of the machine's own, behind those of the class file.
const INJECTED: &[(&str, &str)] = &[
    // The class it is the mirror of.
    ("java/lang/Class", "$class"),
    // What a variable handle stands for: kind, class or element class, slot.
    ("java/lang/invoke/VarHandle", "$kind"),
    ("java/lang/invoke/VarHandle", "$owner"),
    ("java/lang/invoke/VarHandle", "$slot"),
    ("java/lang/invoke/VarHandle", "$type"),
    // What a method handle does to which field.
    ("java/lang/invoke/MethodHandle", "$kind"),
    ("java/lang/invoke/MethodHandle", "$owner"),
    ("java/lang/invoke/MethodHandle", "$slot"),
    ("java/lang/invoke/MethodHandle", "$type"),
    // Looks at the clock and milliseconds slept, by which it is ahead; the two modules.
    ("java/lang/Thread", "$looks"),
    ("java/lang/Thread", "$slept"),
    ("java/lang/Thread", "$base"),
    ("java/lang/Thread", "$unnamed"),
    // Resource bundles by name and locale.
    ("java/lang/Thread", "$bundles"),
    // A class of the application was initialised with something that differs from JVM to JVM.
    ("java/lang/Thread", "$unstable"),
];

impl Machine {
    /// A class by internal name or array descriptor, loaded if it is not there yet. `Ok(None)` if there are no bytes
    /// for it.
    pub fn find_class(&mut self, name: &str) -> Run<Option<ClassId>> {
        let sym = self.symbols.intern(name);
        self.find_class_sym(sym)
    }

    pub fn find_class_sym(&mut self, sym: Sym) -> Run<Option<ClassId>> {
        if let Some(&id) = self.class_index.get(&sym) {
            return Ok(id);
        }
        let name = self.symbols.get(sym).clone();
        if let Some(element) = name.strip_prefix('[') {
            let element = match element.strip_prefix('L').and_then(|e| e.strip_suffix(';')) {
                Some(class) => self.find_class(class)?,
                None if element.starts_with('[') => self.find_class(element)?,
                None => element.chars().next().filter(|_| element.len() == 1).and_then(|c| self.primitive_class(c)),
            };
            return Ok(element.map(|element| self.array_class(element)));
        }
        if self.loading.contains(&sym) {
            // A class that is its own ancestor.
            return Err(Stop::Malformed(format!("{name} extends itself").into()).into());
        }
        let source = self.source.clone();
        let Some(bytes) = source.class_bytes(&name) else {
            self.class_index.insert(sym, None);
            return Ok(None);
        };
        self.loading.push(sym);
        let loaded = self.define(&name, Arc::from(&*bytes));
        self.loading.pop();
        loaded.map(Some)
    }

    /// A class that has to be there: the machine itself needs it.
    pub fn known_class(&mut self, name: &str) -> Run<ClassId> {
        self.find_class(name)?.ok_or_else(|| Stop::unmodelled(format!("the class path has no {name}")).into())
    }

    /// A class that code refers to; missing ones are `NoClassDefFoundError`.
    pub fn resolve_class(&mut self, name: Sym) -> Run<ClassId> {
        match self.find_class_sym(name)? {
            Some(class) => Ok(class),
            None => {
                let text = self.symbols.get(name).clone();
                Err(self.throw("java/lang/NoClassDefFoundError", Some(&text)))
            }
        }
    }

    pub fn primitive_class(&self, descriptor: char) -> Option<ClassId> {
        let at = "ZBCSIJFDV".find(descriptor)?;
        Some(ClassId(at as u32))
    }

    /// The class of arrays with that element class.
    pub fn array_class(&mut self, element: ClassId) -> ClassId {
        if let Some(array) = self.classes[element.0 as usize].array {
            return array;
        }
        let of = &self.classes[element.0 as usize];
        let name = match &of.kind {
            Kind::Primitive(p) => format!("[{}", p.descriptor()),
            Kind::Array { .. } => format!("[{}", self.symbols.get(of.name)),
            _ => format!("[L{};", self.symbols.get(of.name)),
        };
        let (access, is_application) = (of.access.0 & Access::PUBLIC, of.is_application);
        let name = self.symbols.intern(&name);
        let object = self.well_known.object;
        let mut supertypes: Vec<ClassId> = vec![object, self.well_known.cloneable, self.well_known.serializable];
        if !of.is_primitive() {
            // Arrays of a subtype are arrays of its supertypes.
            for up in of.supertypes.clone() {
                if up != element {
                    let up = self.array_class(up);
                    supertypes.push(up);
                }
            }
        }
        // Making the arrays of supertypes may have made this one.
        if let Some(array) = self.classes[element.0 as usize].array {
            return array;
        }
        let id = ClassId(self.classes.len() as u32);
        supertypes.push(id);
        supertypes.sort_unstable();
        supertypes.dedup();
        let object = &self.classes[object.0 as usize];
        let class = Class {
            superclass: Some(self.well_known.object),
            interfaces: vec![self.well_known.cloneable, self.well_known.serializable],
            supertypes,
            vtable: object.vtable.clone(),
            virtual_slots: object.virtual_slots.clone(),
            is_application,
            ..empty(name, Kind::Array { element }, Access(access | Access::FINAL | Access::ABSTRACT))
        };
        self.classes.push(class);
        self.class_index.insert(name, Some(id));
        self.classes[element.0 as usize].array = Some(id);
        id
    }

    /// The primitive types take the first numbers, in the order of `ZBCSIJFDV`.
    pub(super) fn define_primitives(&mut self) {
        for primitive in Primitive::ALL {
            let name = self.symbols.intern(primitive.keyword());
            let access = Access(Access::PUBLIC | Access::FINAL | Access::ABSTRACT);
            self.classes.push(empty(name, Kind::Primitive(primitive), access));
        }
        let name = self.symbols.intern("void");
        self.classes.push(empty(name, Kind::Void, Access(Access::PUBLIC | Access::FINAL | Access::ABSTRACT)));
        // `Primitive::ALL` is ordered Z B C S I J F D, as `primitive_class` expects.
        for (i, class) in self.classes.iter_mut().enumerate() {
            class.supertypes = vec![ClassId(i as u32)];
        }
    }

    fn define(&mut self, name: &str, bytes: Arc<[u8]>) -> Run<ClassId> {
        let malformed = |what: String| Stop::Malformed(what.into());
        let raw = RawClass::parse(&bytes).map_err(|p| malformed(format!("{name}: {p}")))?;
        if raw.name().lossy() != name {
            return Err(malformed(format!("{name} holds another class")).into());
        }
        let superclass = match raw.super_name() {
            Some(up) => {
                let up = self.symbols.intern(&up.lossy());
                Some(self.resolve_class(up)?)
            }
            None => None,
        };
        let mut interfaces = Vec::with_capacity(raw.interfaces.len());
        for &index in &raw.interfaces {
            // `parse` has looked every interface up.
            let text = raw.pool.class(index).map_err(|p| malformed(p.to_string()))?;
            let text = self.symbols.intern(&text.lossy());
            interfaces.push(self.resolve_class(text)?);
        }
        for up in superclass.iter().chain(&interfaces) {
            if self.classes[up.0 as usize].is_array() {
                return Err(malformed(format!("{name} extends an array")).into());
            }
        }
        let id = ClassId(self.classes.len() as u32);
        let symbol = self.symbols.intern(name);
        let mut class = empty(symbol, Kind::Object, raw.access);
        class.superclass = superclass;
        class.interfaces = interfaces;
        class.is_application = !self.is_platform(name);
        class.pool = self.read_pool(&raw);
        self.read_attributes(&raw, &mut class);
        class.supertypes.push(id);
        for up in class.superclass.iter().chain(&class.interfaces) {
            class.supertypes.extend_from_slice(&self.classes[up.0 as usize].supertypes);
        }
        class.supertypes.sort_unstable();
        class.supertypes.dedup();
        let statics = self.lay_out_fields(&raw, &mut class, name)?;
        self.read_methods(&raw, &mut class, id, name)?;
        self.build_vtable(&mut class);
        drop(raw);
        class.bytes = bytes;
        // The header says whose statics they are.
        class.statics = self.permanent(self.well_known.object, id.0, statics)?;
        self.classes.push(class);
        self.class_index.insert(symbol, Some(id));
        Ok(id)
    }

    fn read_pool(&mut self, raw: &RawClass<'_>) -> Vec<PoolConstant> {
        let mut pool = vec![PoolConstant::None; raw.pool.len()];
        for (index, constant) in raw.pool.iter() {
            let symbols = &mut self.symbols;
            let read = match constant {
                Constant::Integer(v) => PoolConstant::Int(v),
                Constant::Float(v) => PoolConstant::Float(v),
                Constant::Long(v) => PoolConstant::Long(v),
                Constant::Double(v) => PoolConstant::Double(v),
                Constant::Class { name } => match raw.pool.text(name) {
                    Ok(text) => PoolConstant::Class(symbols.intern(&text.lossy())),
                    Err(_) => continue,
                },
                Constant::String { text } => match raw.pool.text(text) {
                    Ok(text) => PoolConstant::String(text.utf16().into()),
                    Err(_) => continue,
                },
                Constant::Field { .. } | Constant::Method { .. } | Constant::InterfaceMethod { .. } => {
                    match raw.pool.member(index) {
                        Ok(m) => PoolConstant::Member {
                            class: symbols.intern(&m.owner.lossy()),
                            name: symbols.intern(&m.name.lossy()),
                            descriptor: symbols.intern(&m.descriptor.lossy()),
                        },
                        Err(_) => continue,
                    }
                }
                Constant::MethodHandle { .. } => match raw.pool.method_handle(index) {
                    Ok((kind, m)) => PoolConstant::Handle(Handle {
                        kind,
                        class: symbols.intern(&m.owner.lossy()),
                        name: symbols.intern(&m.name.lossy()),
                        descriptor: symbols.intern(&m.descriptor.lossy()),
                    }),
                    Err(_) => continue,
                },
                Constant::MethodType { descriptor } => match raw.pool.text(descriptor) {
                    Ok(text) => PoolConstant::MethodType(symbols.intern(&text.lossy())),
                    Err(_) => continue,
                },
                Constant::Dynamic { .. } | Constant::InvokeDynamic { .. } => match raw.pool.dynamic(index) {
                    Ok(d) => PoolConstant::Dynamic {
                        bootstrap: d.bootstrap,
                        name: symbols.intern(&d.name.lossy()),
                        descriptor: symbols.intern(&d.descriptor.lossy()),
                    },
                    Err(_) => continue,
                },
                _ => continue,
            };
            pool[usize::from(index)] = read;
        }
        pool
    }

    fn read_attributes(&mut self, raw: &RawClass<'_>, class: &mut Class) {
        let u2 = |b: &[u8], at: usize| b.get(at..at + 2).map_or(0, |s| u16::from_be_bytes([s[0], s[1]]));
        for attribute in raw.attributes.iter(&raw.pool) {
            let content = attribute.content;
            if attribute.name == "BootstrapMethods" {
                let mut at = 2;
                for _ in 0..u2(content, 0) {
                    let method = match class.pool.get(usize::from(u2(content, at))) {
                        Some(PoolConstant::Handle(handle)) => Some(*handle),
                        _ => None,
                    };
                    let count = usize::from(u2(content, at + 2));
                    let arguments = (0..count).map(|i| u2(content, at + 4 + 2 * i)).collect();
                    at += 4 + 2 * count;
                    class.bootstraps.push(Bootstrap { method, arguments });
                }
            } else if attribute.name == "SourceFile" {
                class.source_file = raw.pool.text(u2(content, 0)).ok().map(|t| self.symbols.intern(&t.lossy()));
            } else if attribute.name == "Record" {
                class.is_record = true;
            } else if attribute.name == "InnerClasses" {
                for row in content.get(2..).unwrap_or_default().chunks_exact(8) {
                    if raw.pool.class(u2(row, 0)).is_ok_and(|c| c == raw.name()) {
                        let outer = raw.pool.optional_class(u2(row, 2)).ok().flatten();
                        let simple = raw.pool.text(u2(row, 4)).ok();
                        class.nest.is_inner = true;
                        class.nest.outer = outer.map(|t| self.symbols.intern(&t.lossy()));
                        class.nest.simple = simple.map(|t| self.symbols.intern(&t.lossy()));
                        class.nest.flags = Some(u2(row, 6));
                    }
                }
            } else if attribute.name == "EnclosingMethod"
                && let Ok(owner) = raw.pool.class(u2(content, 0))
            {
                let method = raw.pool.name_and_type(u2(content, 2)).ok();
                let method = method.map(|(n, d)| (self.symbols.intern(&n.lossy()), self.symbols.intern(&d.lossy())));
                class.nest.enclosing = Some((self.symbols.intern(&owner.lossy()), method));
            }
        }
    }

    /// Gives every field its slot; returns the words of the statics object, initialisation state included.
    fn lay_out_fields(&mut self, raw: &RawClass<'_>, class: &mut Class, name: &str) -> Run<u32> {
        let mut words = class.superclass.map_or(0, |s| self.classes[s.0 as usize].instance_words);
        let mut statics = 1;
        for field in &raw.fields {
            if FieldType::parse(&field.descriptor.lossy()).is_none() {
                return Err(Stop::Malformed(format!("field descriptor {} in {name}", field.descriptor).into()).into());
            }
            let counter = if field.access.is_static() { &mut statics } else { &mut words };
            let slot = *counter;
            *counter += 1;
            let constant = field.attributes.find(&raw.pool, "ConstantValue").map_or(0, |a| match a.content {
                [x, y] => u16::from_be_bytes([*x, *y]),
                _ => 0,
            });
            class.fields.push(Field {
                name: self.symbols.intern(&field.name.lossy()),
                descriptor: self.symbols.intern(&field.descriptor.lossy()),
                access: field.access,
                slot,
                constant,
            });
        }
        for (_, field) in INJECTED.iter().filter(|(owner, _)| *owner == name) {
            let (name, descriptor) = (self.symbols.intern(field), self.symbols.intern("J"));
            class.fields.push(Field { name, descriptor, access: Access(Access::SYNTHETIC), slot: words, constant: 0 });
            words += 1;
        }
        class.instance_words = words;
        Ok(statics)
    }

    fn read_methods(&mut self, raw: &RawClass<'_>, class: &mut Class, id: ClassId, name: &str) -> Run<()> {
        for (index, member) in raw.methods.iter().enumerate() {
            let method = self.read_method(raw, member, id, index as u16, name)?;
            let number = MethodId(self.methods.len() as u32);
            class.declared.insert((method.name, method.descriptor), number);
            class.methods.push(number);
            self.methods.push(method);
        }
        Ok(())
    }

    fn read_method(
        &mut self,
        raw: &RawClass<'_>,
        member: &RawMember<'_>,
        class: ClassId,
        index: u16,
        owner: &str,
    ) -> Run<Method> {
        let (name, descriptor) = (member.name.lossy(), member.descriptor.lossy());
        let Some(parsed) = MethodDescriptor::parse(&descriptor) else {
            return Err(Stop::Malformed(format!("descriptor {descriptor} in {owner}").into()).into());
        };
        let receiver = u16::from(!member.access.is_static());
        let attribute = member.attributes.find(&raw.pool, "Code");
        let body = match self.natives.find(owner, &name, &descriptor) {
            Some(native) => Body::Native(native),
            None if member.access.has(Access::NATIVE) && name == "registerNatives" => Body::Native(natives::NOTHING),
            None if member.access.has(Access::NATIVE) => Body::Missing,
            None if member.access.is_abstract() || attribute.is_none() => Body::Abstract,
            None => Body::Code,
        };
        let result = descriptor.rsplit(')').next().map_or(Slot::Void, Slot::of);
        Ok(Method {
            class,
            name: self.symbols.intern(&name),
            descriptor: self.symbols.intern(&descriptor),
            access: member.access,
            body,
            max_stack: 0,
            max_locals: 0,
            arguments: parsed.params_width() + receiver,
            result,
            slot: NOT_VIRTUAL,
            handlers: Arc::from([]),
            lines: Arc::from([]),
            end: 0,
            index,
        })
    }

    /// Inherits the superclass's vtable, overrides, then gives inherited interface methods a place.
    fn build_vtable(&mut self, class: &mut Class) {
        if class.is_interface() {
            // Calls on a receiver known by an interface may still be to methods of Object.
            let object = &self.classes[self.well_known.object.0 as usize];
            class.vtable.clone_from(&object.vtable);
            class.virtual_slots.clone_from(&object.virtual_slots);
            return;
        }
        if let Some(up) = class.superclass {
            let up = &self.classes[up.0 as usize];
            class.vtable.clone_from(&up.vtable);
            class.virtual_slots.clone_from(&up.virtual_slots);
        }
        let package = package_of(self.symbols.get(class.name)).to_owned();
        for &id in &class.methods.clone() {
            let method = &self.methods[id.0 as usize];
            let name = self.symbols.get(method.name);
            if method.is_static() || method.access.is_private() || name.starts_with('<') {
                continue;
            }
            let signature = (method.name, method.descriptor);
            let overridden = class.virtual_slots.get(&signature).copied().filter(|slot| {
                let above = &self.methods[class.vtable[usize::from(*slot)].0 as usize];
                let owner = self.symbols.get(self.classes[above.class.0 as usize].name);
                !above.access.is_package_private() || package_of(owner) == package
            });
            let slot = overridden.unwrap_or(class.vtable.len() as u16);
            if overridden.is_some() {
                class.vtable[usize::from(slot)] = id;
            } else {
                class.vtable.push(id);
                class.virtual_slots.insert(signature, slot);
            }
            self.methods[id.0 as usize].slot = slot;
        }
    }

    /// A field by name and descriptor, where the JVM looks for it: the class, its interfaces, its superclass.
    pub fn find_field(&self, class: ClassId, name: Sym, descriptor: Sym) -> Option<(ClassId, Field)> {
        let mut at = Some(class);
        while let Some(id) = at {
            let here = &self.classes[id.0 as usize];
            if let Some(field) = here.fields.iter().find(|f| f.name == name && f.descriptor == descriptor) {
                return Some((id, field.clone()));
            }
            for &interface in &here.interfaces {
                if let Some(found) = self.find_field(interface, name, descriptor) {
                    return Some(found);
                }
            }
            at = here.superclass;
        }
        None
    }

    /// A method by signature in a class, its superclasses and its interfaces.
    pub fn find_method(&self, class: ClassId, signature: Signature) -> Option<MethodId> {
        let mut at = Some(class);
        while let Some(id) = at {
            let here = &self.classes[id.0 as usize];
            if let Some(&method) = here.declared.get(&signature) {
                return Some(method);
            }
            at = here.superclass;
        }
        self.find_interface_method(class, signature)
    }

    /// The most specific interface method of that signature: a default method if there is one, else an abstract one.
    pub fn find_interface_method(&self, class: ClassId, signature: Signature) -> Option<MethodId> {
        let mut best: Option<MethodId> = None;
        for up in &self.classes[class.0 as usize].supertypes {
            let here = &self.classes[up.0 as usize];
            if !here.is_interface() {
                continue;
            }
            let Some(&found) = here.declared.get(&signature) else { continue };
            let method = &self.methods[found.0 as usize];
            if method.access.is_static() || method.access.is_private() && *up != class {
                continue;
            }
            let better = match best {
                None => true,
                Some(old) => {
                    let old = &self.methods[old.0 as usize];
                    let more_specific = here.supertypes.binary_search(&old.class).is_ok();
                    let less_specific = self.classes[old.class.0 as usize].supertypes.binary_search(up).is_ok();
                    more_specific || !less_specific && old.access.is_abstract() && !method.access.is_abstract()
                }
            };
            if better {
                best = Some(found);
            }
        }
        best
    }

    #[inline]
    pub fn is_subtype(&self, class: ClassId, of: ClassId) -> bool {
        class == of || self.classes[class.0 as usize].supertypes.binary_search(&of).is_ok()
    }

    fn is_platform(&self, name: &str) -> bool {
        self.platform_prefixes.iter().any(|p| name.starts_with(p))
    }
}

pub fn package_of(name: &str) -> &str {
    name.rsplit_once('/').map_or("", |(package, _)| package)
}

pub(super) fn empty(name: Sym, kind: Kind, access: Access) -> Class {
    Class {
        name,
        kind,
        access,
        superclass: None,
        interfaces: Vec::new(),
        supertypes: Vec::new(),
        bytes: Arc::from([]),
        pool: Vec::new(),
        bootstraps: Vec::new(),
        methods: Vec::new(),
        declared: FxHashMap::default(),
        fields: Vec::new(),
        instance_words: 0,
        vtable: Vec::new(),
        virtual_slots: FxHashMap::default(),
        interface_cache: FxHashMap::default(),
        mirror: 0,
        statics: 0,
        array: None,
        nest: Nest::default(),
        is_application: false,
        is_hidden: false,
        source_file: None,
        is_record: false,
    }
}
