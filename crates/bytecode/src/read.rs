//! From bytes to [`ClassInfo`]. Owns the meaning of the attributes it fills in; optional ones that are malformed become
//! problems in a list and leave the rest of the class readable. Never looks at another class.

mod annotation;
mod method;
mod outline;

pub(crate) use outline::Outline;

use crate::class_info::{Annotation, ClassInfo, ConstantValue, FieldInfo, RecordComponent};
use crate::names::{ClassName, FieldType};
use crate::problem::Problem;
use crate::raw::{Attributes, Constant, Cursor, Pool, RawAttribute, RawClass, RawMember, Text};
use crate::signature::{ClassSignature, SignatureProblem, TypeSig};

impl ClassInfo {
    /// Reads a class file. The list names what was malformed in optional parts, which are then as if absent.
    pub fn read(bytes: &[u8]) -> Result<(ClassInfo, Vec<Problem>), Problem> {
        ClassInfo::from_raw(&RawClass::parse(bytes)?)
    }

    /// The same for a class that is parsed already.
    pub fn from_raw(raw: &RawClass<'_>) -> Result<(ClassInfo, Vec<Problem>), Problem> {
        let mut reader = Reader { raw, pool: &raw.pool, problems: Vec::new() };
        let info = reader.class()?;
        Ok((info, reader.problems))
    }
}

/// One class being read.
struct Reader<'r, 'a> {
    raw: &'r RawClass<'a>,
    pool: &'r Pool<'a>,
    problems: Vec<Problem>,
}

/// What fields, methods, classes and record components have in common.
#[derive(Default)]
struct Common<'a> {
    signature: Option<(usize, Text<'a>)>,
    annotations: Vec<Annotation>,
    deprecated: bool,
}

impl<'a> Reader<'_, 'a> {
    fn class(&mut self) -> Result<ClassInfo, Problem> {
        let raw = self.raw;
        let (outline, problems) = Outline::read(raw)?;
        self.problems.extend(problems);
        let mut info = ClassInfo {
            name: outline.name,
            version: raw.version,
            access: outline.access,
            superclass: outline.superclass,
            interfaces: outline.interfaces,
            signature: None,
            fields: Vec::with_capacity(raw.fields.len()),
            methods: Vec::with_capacity(raw.methods.len()),
            nesting: outline.nesting,
            members: outline.members,
            nest_host: None,
            nest_members: Vec::new(),
            permitted: None,
            record: None,
            annotations: Vec::new(),
            source_file: None,
            deprecated: false,
        };
        self.class_attributes(&mut info);
        for field in &raw.fields {
            let field = self.field(field)?;
            info.fields.push(field);
        }
        for method in &raw.methods {
            let method = self.method(&info, method)?;
            info.methods.push(method);
        }
        Ok(info)
    }

    fn class_attributes(&mut self, info: &mut ClassInfo) {
        let mut common = Common::default();
        for attribute in self.raw.attributes.iter(self.pool) {
            match attribute.name.bytes() {
                b"NestHost" => {
                    let mut cursor = self.cursor(&attribute);
                    let result = cursor.u2("the nest host").and_then(|i| self.pool.class(i));
                    info.nest_host = self.keep(result).map(name_of);
                }
                b"NestMembers" => info.nest_members = self.class_list(&attribute).unwrap_or_default(),
                b"PermittedSubclasses" => info.permitted = self.class_list(&attribute),
                b"Record" => {
                    let result = self.record(&attribute);
                    info.record = self.keep(result);
                }
                b"SourceFile" => {
                    let mut cursor = self.cursor(&attribute);
                    let result = cursor.u2("the source file").and_then(|i| self.pool.text(i));
                    info.source_file = self.keep(result).map(|t| t.lossy().into_owned());
                }
                _ => self.common(&attribute, &mut common),
            }
        }
        info.signature = self.signature(common.signature, "a class signature", ClassSignature::parse);
        info.annotations = common.annotations;
        info.deprecated = common.deprecated;
    }

    fn record(&mut self, attribute: &RawAttribute<'a>) -> Result<Vec<RecordComponent>, Problem> {
        let mut cursor = self.cursor(attribute);
        let count = cursor.u2("the record components")?;
        let mut components = Vec::new();
        for _ in 0..count {
            let name = self.pool.text(cursor.u2("a record component")?)?;
            let at = cursor.position();
            let descriptor = self.pool.text(cursor.u2("a record component")?)?;
            let field_type = field_type(descriptor, at)?;
            let attributes = Attributes::read(&mut cursor, self.raw.bytes, self.pool)?;
            let common = self.common_of(&attributes);
            let signature = self.signature(common.signature, "a field signature", TypeSig::parse);
            components.push(RecordComponent {
                name: name.lossy().into_owned(),
                signature: signature.filter(|s| s.may_erase_to(&field_type)),
                field_type,
            });
        }
        Ok(components)
    }

    fn field(&mut self, raw: &RawMember<'a>) -> Result<FieldInfo, Problem> {
        let field_type = field_type(raw.descriptor, raw.attributes.range().start)?;
        let mut common = Common::default();
        let mut constant = None;
        for attribute in raw.attributes.iter(self.pool) {
            if attribute.name == "ConstantValue" {
                let mut cursor = self.cursor(&attribute);
                let result =
                    cursor.u2("a constant value").and_then(|index| self.constant(index, attribute.range.start));
                constant = self.keep(result);
            } else {
                self.common(&attribute, &mut common);
            }
        }
        let signature = self.signature(common.signature, "a field signature", TypeSig::parse);
        Ok(FieldInfo {
            name: raw.name.lossy().into_owned(),
            access: raw.access,
            signature: signature.filter(|s| s.may_erase_to(&field_type)),
            field_type,
            constant,
            annotations: common.annotations,
            deprecated: common.deprecated,
        })
    }

    fn constant(&self, index: u16, at: usize) -> Result<ConstantValue, Problem> {
        Ok(match self.pool.get(index) {
            Some(Constant::Integer(v)) => ConstantValue::Int(v),
            Some(Constant::Long(v)) => ConstantValue::Long(v),
            Some(Constant::Float(bits)) => ConstantValue::Float(bits),
            Some(Constant::Double(bits)) => ConstantValue::Double(bits),
            Some(Constant::String { text }) => ConstantValue::String(self.pool.text(text)?.utf16()),
            _ => return Err(Problem::malformed(at, "a number or string constant")),
        })
    }

    fn common_of(&mut self, attributes: &Attributes<'a>) -> Common<'a> {
        let mut common = Common::default();
        for attribute in attributes.iter(self.pool) {
            self.common(&attribute, &mut common);
        }
        common
    }

    fn common(&mut self, attribute: &RawAttribute<'a>, common: &mut Common<'a>) {
        match attribute.name.bytes() {
            b"Signature" => {
                let mut cursor = self.cursor(attribute);
                let result = cursor.u2("a signature").and_then(|i| self.pool.text(i));
                common.signature = self.keep(result).map(|text| (attribute.range.start, text));
            }
            b"Deprecated" => common.deprecated = true,
            b"RuntimeVisibleAnnotations" | b"RuntimeInvisibleAnnotations" => {
                let result = annotation::list(&mut self.cursor(attribute), self.pool);
                let list = self.keep(result).unwrap_or_default();
                common.deprecated |= list.iter().any(|a| a.class.internal() == "java/lang/Deprecated");
                common.annotations.extend(list);
            }
            _ => {}
        }
    }

    fn signature<T>(
        &mut self,
        found: Option<(usize, Text<'a>)>,
        expected: &'static str,
        parse: impl FnOnce(&str) -> Result<T, SignatureProblem>,
    ) -> Option<T> {
        let (at, text) = found?;
        let result = parse(&text.lossy()).map_err(|_| Problem::malformed(at, expected));
        self.keep(result)
    }

    fn class_list(&mut self, attribute: &RawAttribute<'a>) -> Option<Vec<ClassName>> {
        let mut cursor = self.cursor(attribute);
        let result = class_names(&mut cursor, self.pool);
        self.keep(result)
    }

    fn cursor(&self, attribute: &RawAttribute<'a>) -> Cursor<'a> {
        cursor_over(self.raw, attribute)
    }

    fn keep<T>(&mut self, result: Result<T, Problem>) -> Option<T> {
        result.map_err(|problem| self.problems.push(problem)).ok()
    }
}

fn cursor_over<'a>(raw: &RawClass<'a>, attribute: &RawAttribute<'a>) -> Cursor<'a> {
    // The range was cut out of the same bytes when the attribute was found.
    Cursor::new(&raw.bytes[..attribute.range.end], attribute.range.start)
}

fn class_names(cursor: &mut Cursor<'_>, pool: &Pool<'_>) -> Result<Vec<ClassName>, Problem> {
    let count = usize::from(cursor.u2("a list of classes")?);
    let mut names = Vec::with_capacity(count.min(cursor.remaining() / 2));
    for _ in 0..count {
        names.push(name_of(pool.class(cursor.u2("a class")?)?));
    }
    Ok(names)
}

fn name_of(text: Text<'_>) -> ClassName {
    ClassName::new(text.lossy())
}

fn field_type(descriptor: Text<'_>, at: usize) -> Result<FieldType, Problem> {
    FieldType::parse(&descriptor.lossy()).ok_or(Problem::malformed(at, "a field descriptor"))
}
