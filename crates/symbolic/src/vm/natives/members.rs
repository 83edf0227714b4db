//! Members by reflection: fields, methods, constructors, components, signatures and annotations of a class, from its
//! class file. Owns making the objects; what they do is in `access`.

use std::sync::Arc;

use bytecode::raw::{Attributes, Constant, Pool, RawClass, RawMember};

use super::super::class::{ClassId, MethodId};
use super::super::heap::Ref;
use super::super::machine::Machine;
use super::super::stop::{Run, Stop};
use super::super::synthetic::{class_operand, split};
use super::super::unstable::Unstable;
use super::{Entry, outside};

const CLASS: &str = "java/lang/Class";
const POOL: &str = "jdk/internal/reflect/ConstantPool";
pub(super) const FIELD: &str = "java/lang/reflect/Field";
pub(super) const METHOD: &str = "java/lang/reflect/Method";
pub(super) const CONSTRUCTOR: &str = "java/lang/reflect/Constructor";
const COMPONENT: &str = "java/lang/reflect/RecordComponent";

const NEW_FIELD: &str = "(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;IZILjava/lang/String;[B)V";
const NEW_METHOD: &str = "(Ljava/lang/Class;Ljava/lang/String;[Ljava/lang/Class;Ljava/lang/Class;[Ljava/lang/Class;IILjava/lang/String;[B[B[B)V";
const NEW_CONSTRUCTOR: &str = "(Ljava/lang/Class;[Ljava/lang/Class;[Ljava/lang/Class;IILjava/lang/String;[B[B)V";

pub const TABLE: &[Entry] = &[
    (CLASS, "getDeclaredFields0", "*", fields),
    (CLASS, "getDeclaredMethods0", "*", methods),
    (CLASS, "getDeclaredConstructors0", "*", constructors),
    (CLASS, "getRecordComponents0", "*", components),
    (CLASS, "getDeclaredClasses0", "*", declared_classes),
    (CLASS, "getPermittedSubclasses0", "*", permitted),
    (CLASS, "getNestHost0", "*", nest_host),
    (CLASS, "getNestMembers0", "*", outside),
    (CLASS, "getGenericSignature0", "*", signature),
    (CLASS, "getRawAnnotations", "*", annotations),
    (CLASS, "getRawTypeAnnotations", "*", type_annotations),
    (CLASS, "getConstantPool", "*", constant_pool),
    (CLASS, "getClassAccessFlagsRaw0", "*", raw_flags),
    (CLASS, "getClassFileVersion0", "*", version),
    (FIELD, "getTypeAnnotationBytes0", "*", outside),
    ("java/lang/reflect/Executable", "getTypeAnnotationBytes0", "*", outside),
    ("java/lang/reflect/Executable", "getParameters0", "*", parameters),
    (POOL, "getUTF8At0", "*", pool_text),
    (POOL, "getIntAt0", "*", pool_int),
    (POOL, "getLongAt0", "*", pool_long),
    (POOL, "getFloatAt0", "*", pool_float),
    (POOL, "getDoubleAt0", "*", pool_double),
    // Annotations become objects of classes made at run time.
    ("sun/reflect/annotation/AnnotationParser", "annotationForMap", "*", outside),
    ("java/lang/reflect/Proxy", "newProxyInstance", "*", outside),
    ("java/lang/reflect/Proxy", "getProxyClass", "*", outside),
];

fn this(machine: &Machine, at: usize) -> ClassId {
    machine.mirrored(machine.stack[at] as Ref)
}

/// A member as its class file describes it.
struct Described {
    index: usize,
    access: u16,
    name: String,
    descriptor: String,
    signature: Option<String>,
    exceptions: Vec<String>,
    annotations: Option<Vec<u8>>,
    parameter_annotations: Option<Vec<u8>>,
    default: Option<Vec<u8>>,
}

fn content(attributes: &Attributes<'_>, pool: &Pool<'_>, name: &str) -> Option<Vec<u8>> {
    attributes.find(pool, name).map(|a| a.content.to_vec())
}

fn number(bytes: &[u8], at: usize) -> u16 {
    bytes.get(at..at + 2).map_or(0, |b| u16::from_be_bytes([b[0], b[1]]))
}

fn signature_of(attributes: &Attributes<'_>, pool: &Pool<'_>) -> Option<String> {
    let content = content(attributes, pool, "Signature")?;
    pool.text(number(&content, 0)).ok().map(|t| t.lossy().into_owned())
}

impl Described {
    fn of(raw: &RawClass<'_>, index: usize, member: &RawMember<'_>) -> Described {
        let pool = &raw.pool;
        let thrown = content(&member.attributes, pool, "Exceptions").unwrap_or_default();
        let rows = thrown.get(2..).unwrap_or_default().chunks_exact(2);
        let exceptions = rows.filter_map(|row| pool.class(number(row, 0)).ok()).map(|t| t.lossy().into_owned());
        Described {
            index,
            access: member.access.0,
            name: member.name.lossy().into_owned(),
            descriptor: member.descriptor.lossy().into_owned(),
            signature: signature_of(&member.attributes, pool),
            exceptions: exceptions.collect(),
            annotations: content(&member.attributes, pool, "RuntimeVisibleAnnotations"),
            parameter_annotations: content(&member.attributes, pool, "RuntimeVisibleParameterAnnotations"),
            default: content(&member.attributes, pool, "AnnotationDefault"),
        }
    }
}

fn bytes_of(machine: &Machine, class: ClassId) -> Arc<[u8]> {
    machine.class(class).bytes.clone()
}

fn parse(bytes: &[u8]) -> Run<RawClass<'_>> {
    RawClass::parse(bytes).map_err(|p| Stop::Malformed(p.to_string().into()).into())
}

/// Members of a class that pass a test; none for arrays and primitives.
fn described(
    machine: &mut Machine,
    class: ClassId,
    of_methods: bool,
    wanted: impl Fn(&RawMember<'_>) -> bool,
) -> Run<Vec<Described>> {
    if machine.class(class).is_hidden {
        return Err(Stop::unmodelled("members of a lambda's class").into());
    }
    let bytes = bytes_of(machine, class);
    if bytes.is_empty() {
        return Ok(Vec::new());
    }
    let raw = parse(&bytes)?;
    let members = if of_methods { &raw.methods } else { &raw.fields };
    let members = members.iter().enumerate().filter(|(_, m)| wanted(m));
    Ok(members.map(|(index, member)| Described::of(&raw, index, member)).collect())
}

/// The `Class` object of a descriptor.
pub(super) fn type_mirror(machine: &mut Machine, descriptor: &str) -> Run<u64> {
    let primitive = descriptor.chars().next().filter(|_| descriptor.len() == 1);
    let class = match primitive.and_then(|letter| machine.primitive_class(letter)) {
        Some(class) => class,
        None => {
            let name = machine.symbols.intern(class_operand(descriptor));
            machine.resolve_class(name)?
        }
    };
    machine.mirror(class).map(u64::from)
}

fn array_of(machine: &mut Machine, element: ClassId, items: &[u64]) -> Run<u64> {
    let class = machine.array_class(element);
    let array = machine.allocate_array(class, items.len() as u32)?;
    for (i, item) in items.iter().enumerate() {
        machine.heap.set_slot(array, i as u32, *item);
    }
    Ok(u64::from(array))
}

fn type_array(machine: &mut Machine, descriptors: &[String]) -> Run<u64> {
    let mut mirrors = Vec::with_capacity(descriptors.len());
    for descriptor in descriptors {
        mirrors.push(type_mirror(machine, descriptor)?);
    }
    array_of(machine, machine.well_known.class, &mirrors)
}

fn class_array(machine: &mut Machine, names: &[String]) -> Run<u64> {
    let mut mirrors = Vec::with_capacity(names.len());
    for name in names {
        let name = machine.symbols.intern(name);
        let class = machine.resolve_class(name)?;
        mirrors.push(u64::from(machine.mirror(class)?));
    }
    array_of(machine, machine.well_known.class, &mirrors)
}

fn byte_array(machine: &mut Machine, bytes: Option<&[u8]>) -> Run<u64> {
    let Some(bytes) = bytes else { return Ok(0) };
    let array = machine.allocate_array(machine.well_known.byte_array, bytes.len() as u32)?;
    for (i, byte) in bytes.iter().enumerate() {
        machine.heap.set_slot(array, i as u32, *byte as i8 as i64 as u64);
    }
    Ok(u64::from(array))
}

/// A text or null.
fn optional_text(machine: &mut Machine, text: Option<&str>) -> Run<u64> {
    match text {
        Some(text) => machine.new_text(text).map(u64::from),
        None => Ok(0),
    }
}

fn name_text(machine: &mut Machine, name: &str) -> Run<u64> {
    machine.literal(&name.encode_utf16().collect::<Vec<_>>()).map(u64::from)
}

fn fields(machine: &mut Machine, at: usize) -> Run<u64> {
    let class = this(machine, at);
    let public_only = machine.stack[at + 1] != 0;
    let found = described(machine, class, false, |m| !public_only || m.access.is_public())?;
    let field_class = machine.known_class(FIELD)?;
    let mirror = u64::from(machine.mirror(class)?);
    let mut made = Vec::with_capacity(found.len());
    for field in &found {
        let name = name_text(machine, &field.name)?;
        let of = type_mirror(machine, &field.descriptor)?;
        let access = bytecode::access::Access(field.access);
        let is_trusted = access.is_final() && (access.is_static() || machine.class(class).is_record);
        let signature = optional_text(machine, field.signature.as_deref())?;
        let annotations = byte_array(machine, field.annotations.as_deref())?;
        let (flags, index) = (u64::from(field.access), field.index as u64);
        let parts = [mirror, name, of, flags, u64::from(is_trusted), index, signature, annotations];
        made.push(u64::from(machine.construct(field_class, NEW_FIELD, &parts)?));
    }
    array_of(machine, field_class, &made)
}

fn new_method(machine: &mut Machine, mirror: u64, method: &Described) -> Run<u64> {
    let class = machine.known_class(METHOD)?;
    let (params, result) = split(&method.descriptor)?;
    let name = name_text(machine, &method.name)?;
    let params = type_array(machine, &params)?;
    let result = type_mirror(machine, &result)?;
    let exceptions = class_array(machine, &method.exceptions)?;
    let signature = optional_text(machine, method.signature.as_deref())?;
    let annotations = byte_array(machine, method.annotations.as_deref())?;
    let of_parameters = byte_array(machine, method.parameter_annotations.as_deref())?;
    let default = byte_array(machine, method.default.as_deref())?;
    let (flags, index) = (u64::from(method.access), method.index as u64);
    let parts =
        [mirror, name, params, result, exceptions, flags, index, signature, annotations, of_parameters, default];
    machine.construct(class, NEW_METHOD, &parts).map(u64::from)
}

fn methods(machine: &mut Machine, at: usize) -> Run<u64> {
    let class = this(machine, at);
    let public_only = machine.stack[at + 1] != 0;
    let wanted = |m: &RawMember<'_>| (!public_only || m.access.is_public()) && !m.name.bytes().starts_with(b"<");
    let found = described(machine, class, true, wanted)?;
    // A JVM orders methods by where their names happen to lie.
    if found.len() > 1 {
        machine.unstable.add(Unstable::ORDER);
    }
    let mirror = u64::from(machine.mirror(class)?);
    let mut made = Vec::with_capacity(found.len());
    for method in &found {
        made.push(new_method(machine, mirror, method)?);
    }
    let method_class = machine.known_class(METHOD)?;
    array_of(machine, method_class, &made)
}

fn constructors(machine: &mut Machine, at: usize) -> Run<u64> {
    let class = this(machine, at);
    let public_only = machine.stack[at + 1] != 0;
    let wanted = |m: &RawMember<'_>| (!public_only || m.access.is_public()) && m.name.bytes() == b"<init>";
    let found = described(machine, class, true, wanted)?;
    let constructor_class = machine.known_class(CONSTRUCTOR)?;
    let mirror = u64::from(machine.mirror(class)?);
    let mut made = Vec::with_capacity(found.len());
    for constructor in &found {
        let (params, _) = split(&constructor.descriptor)?;
        let params = type_array(machine, &params)?;
        let exceptions = class_array(machine, &constructor.exceptions)?;
        let signature = optional_text(machine, constructor.signature.as_deref())?;
        let annotations = byte_array(machine, constructor.annotations.as_deref())?;
        let of_parameters = byte_array(machine, constructor.parameter_annotations.as_deref())?;
        let (flags, index) = (u64::from(constructor.access), constructor.index as u64);
        let parts = [mirror, params, exceptions, flags, index, signature, annotations, of_parameters];
        made.push(u64::from(machine.construct(constructor_class, NEW_CONSTRUCTOR, &parts)?));
    }
    array_of(machine, constructor_class, &made)
}

fn components(machine: &mut Machine, at: usize) -> Run<u64> {
    let class = this(machine, at);
    let bytes = bytes_of(machine, class);
    let raw = parse(&bytes)?;
    let Some(attribute) = raw.attributes.find(&raw.pool, "Record") else { return Ok(0) };
    let content = attribute.content;
    let component_class = machine.known_class(COMPONENT)?;
    let mirror = u64::from(machine.mirror(class)?);
    let (mut made, mut at) = (Vec::new(), 2);
    for _ in 0..number(content, 0) {
        let text = |i: usize| raw.pool.text(number(content, i)).map(|t| t.lossy().into_owned()).unwrap_or_default();
        let (name, descriptor) = (text(at), text(at + 2));
        let mut attributes = usize::from(number(content, at + 4));
        at += 6;
        let (mut generic, mut annotated) = (None, None);
        while attributes > 0 {
            let length = content.get(at + 2..at + 6).map_or(0, |b| u32::from_be_bytes([b[0], b[1], b[2], b[3]]));
            let body = content.get(at + 6..at + 6 + length as usize).unwrap_or_default();
            match text(at).as_str() {
                "Signature" => generic = raw.pool.text(number(body, 0)).ok().map(|t| t.lossy().into_owned()),
                "RuntimeVisibleAnnotations" => annotated = Some(body.to_vec()),
                _ => {}
            }
            at += 6 + length as usize;
            attributes -= 1;
        }
        let component = machine.allocate(component_class)?;
        let is_accessor = |m: &RawMember<'_>| {
            m.name.lossy() == name.as_str() && m.descriptor.lossy() == format!("(){descriptor}").as_str()
        };
        let accessor = match described(machine, class, true, is_accessor)?.first() {
            Some(method) => new_method(machine, mirror, method)?,
            None => 0,
        };
        let parts = [
            ("clazz", "Ljava/lang/Class;", mirror),
            ("name", "Ljava/lang/String;", name_text(machine, &name)?),
            ("type", "Ljava/lang/Class;", type_mirror(machine, &descriptor)?),
            ("accessor", "Ljava/lang/reflect/Method;", accessor),
            ("signature", "Ljava/lang/String;", optional_text(machine, generic.as_deref())?),
            ("annotations", "[B", byte_array(machine, annotated.as_deref())?),
        ];
        for (name, descriptor, value) in parts {
            let slot = machine.field_slot(component_class, name, descriptor)?;
            machine.heap.set_slot(component, slot, value);
        }
        made.push(u64::from(component));
    }
    array_of(machine, component_class, &made)
}

/// Names of classes in an attribute of the class file that lists them.
fn listed(machine: &Machine, class: ClassId, attribute: &str) -> Run<Option<Vec<String>>> {
    let bytes = bytes_of(machine, class);
    if bytes.is_empty() {
        return Ok(None);
    }
    let raw = parse(&bytes)?;
    Ok(raw.attributes.find(&raw.pool, attribute).map(|found| {
        let rows = found.content.get(2..).unwrap_or_default().chunks_exact(2);
        rows.filter_map(|row| raw.pool.class(number(row, 0)).ok()).map(|t| t.lossy().into_owned()).collect()
    }))
}

fn permitted(machine: &mut Machine, at: usize) -> Run<u64> {
    match listed(machine, this(machine, at), "PermittedSubclasses")? {
        Some(names) => class_array(machine, &names),
        None => Ok(0),
    }
}

fn declared_classes(machine: &mut Machine, at: usize) -> Run<u64> {
    let class = this(machine, at);
    let bytes = bytes_of(machine, class);
    let mut names = Vec::new();
    if !bytes.is_empty() {
        let raw = parse(&bytes)?;
        if let Some(inner) = raw.attributes.find(&raw.pool, "InnerClasses") {
            for row in inner.content.get(2..).unwrap_or_default().chunks_exact(8) {
                let is_mine = raw.pool.optional_class(number(row, 2)).ok().flatten().is_some_and(|o| o == raw.name());
                // A name of 0 is an anonymous class.
                if is_mine
                    && number(row, 4) != 0
                    && let Ok(name) = raw.pool.class(number(row, 0))
                {
                    names.push(name.lossy().into_owned());
                }
            }
        }
    }
    class_array(machine, &names)
}

/// The class whose private members a class shares; itself for most.
pub(super) fn host_of(machine: &mut Machine, class: ClassId) -> Run<ClassId> {
    let bytes = bytes_of(machine, class);
    if bytes.is_empty() {
        return Ok(class);
    }
    let raw = parse(&bytes)?;
    let Some(attribute) = raw.attributes.find(&raw.pool, "NestHost") else { return Ok(class) };
    match raw.pool.class(number(attribute.content, 0)) {
        Ok(name) => Ok(machine.find_class(&name.lossy())?.unwrap_or(class)),
        Err(_) => Ok(class),
    }
}

fn nest_host(machine: &mut Machine, at: usize) -> Run<u64> {
    let class = this(machine, at);
    let host = host_of(machine, class)?;
    machine.mirror(host).map(u64::from)
}

fn attribute(machine: &Machine, at: usize, name: &str) -> Run<Option<Vec<u8>>> {
    let bytes = bytes_of(machine, this(machine, at));
    if bytes.is_empty() {
        return Ok(None);
    }
    let raw = parse(&bytes)?;
    Ok(content(&raw.attributes, &raw.pool, name))
}

fn signature(machine: &mut Machine, at: usize) -> Run<u64> {
    let bytes = bytes_of(machine, this(machine, at));
    if bytes.is_empty() {
        return Ok(0);
    }
    let raw = parse(&bytes)?;
    let text = signature_of(&raw.attributes, &raw.pool);
    optional_text(machine, text.as_deref())
}

fn annotations(machine: &mut Machine, at: usize) -> Run<u64> {
    let content = attribute(machine, at, "RuntimeVisibleAnnotations")?;
    byte_array(machine, content.as_deref())
}

fn type_annotations(machine: &mut Machine, at: usize) -> Run<u64> {
    let content = attribute(machine, at, "RuntimeVisibleTypeAnnotations")?;
    byte_array(machine, content.as_deref())
}

fn constant_pool(machine: &mut Machine, at: usize) -> Run<u64> {
    let mirror = machine.stack[at];
    let class = machine.known_class(POOL)?;
    let pool = machine.allocate(class)?;
    let slot = machine.field_slot(class, "constantPoolOop", "Ljava/lang/Object;")?;
    machine.heap.set_slot(pool, slot, mirror);
    Ok(u64::from(pool))
}

/// Calls of a pool: receiver, class, index.
fn pooled<T>(machine: &Machine, at: usize, take: impl Fn(&RawClass<'_>, u16) -> Option<T>) -> Run<T> {
    let bytes = bytes_of(machine, this(machine, at + 1));
    let raw = parse(&bytes)?;
    take(&raw, machine.stack[at + 2] as u16).ok_or_else(|| Stop::unmodelled("a constant of another kind").into())
}

fn pool_text(machine: &mut Machine, at: usize) -> Run<u64> {
    let units = pooled(machine, at, |raw, index| raw.pool.text(index).ok().map(|t| t.utf16()))?;
    machine.new_string(&units).map(u64::from)
}

fn pool_int(machine: &mut Machine, at: usize) -> Run<u64> {
    pooled(machine, at, |raw, index| match raw.pool.get(index) {
        Some(Constant::Integer(v)) => Some(v as i64 as u64),
        _ => None,
    })
}

fn pool_long(machine: &mut Machine, at: usize) -> Run<u64> {
    pooled(machine, at, |raw, index| match raw.pool.get(index) {
        Some(Constant::Long(v)) => Some(v as u64),
        _ => None,
    })
}

fn pool_float(machine: &mut Machine, at: usize) -> Run<u64> {
    pooled(machine, at, |raw, index| match raw.pool.get(index) {
        Some(Constant::Float(v)) => Some(u64::from(v)),
        _ => None,
    })
}

fn pool_double(machine: &mut Machine, at: usize) -> Run<u64> {
    pooled(machine, at, |raw, index| match raw.pool.get(index) {
        Some(Constant::Double(v)) => Some(v),
        _ => None,
    })
}

fn raw_flags(machine: &mut Machine, at: usize) -> Run<u64> {
    Ok(u64::from(machine.class(this(machine, at)).access.0))
}

fn version(machine: &mut Machine, at: usize) -> Run<u64> {
    let bytes = bytes_of(machine, this(machine, at));
    Ok(u64::from(number(&bytes, 4)) << 16 | u64::from(number(&bytes, 6)))
}

/// The method of a reflected method or constructor.
pub(super) fn method_of(machine: &mut Machine, member: Ref, kind: &str) -> Run<MethodId> {
    let (class, index) = place_of(machine, member, kind)?;
    let found = machine.class(class).methods.get(index).copied();
    found.ok_or_else(|| Stop::unmodelled("a reflected method that is not there").into())
}

/// Class and index of a reflected member.
pub(super) fn place_of(machine: &mut Machine, member: Ref, kind: &str) -> Run<(ClassId, usize)> {
    let class = machine.known_class(kind)?;
    let declaring = machine.field_slot(class, "clazz", "Ljava/lang/Class;")?;
    let index = machine.field_slot(class, "slot", "I")?;
    let declaring = machine.mirrored(machine.heap.slot(member, declaring) as Ref);
    Ok((declaring, machine.heap.slot(member, index) as usize))
}

/// Names of parameters are not kept by most compilers: null then.
fn parameters(machine: &mut Machine, at: usize) -> Run<u64> {
    let member = machine.stack[at] as Ref;
    let kind = if &**machine.class_name_of(member) == METHOD { METHOD } else { CONSTRUCTOR };
    let (class, index) = place_of(machine, member, kind)?;
    let bytes = bytes_of(machine, class);
    let raw = parse(&bytes)?;
    let named = raw.methods.get(index).and_then(|m| m.attributes.find(&raw.pool, "MethodParameters")).is_some();
    drop(raw);
    if named { outside(machine, at) } else { Ok(0) }
}
