//! Calls of static methods on literals, for tests and programs that explore them. Owns which literals; runs nothing.

use bytecode::names::{ClassName, MethodDescriptor, Primitive};
use testcase::operation::{Operation, OperationKind, Operations};
use testcase::sequence::{Sequence, SequenceBuilder};
use testcase::types::Type;
use testcase::value::Constant;

pub fn literal(constant: Constant) -> Operation {
    let result = match &constant {
        Constant::String(_) => Type::string(),
        Constant::Boolean(_) => Type::Primitive(Primitive::Boolean),
        Constant::Byte(_) => Type::Primitive(Primitive::Byte),
        Constant::Char(_) => Type::Primitive(Primitive::Char),
        Constant::Short(_) => Type::Primitive(Primitive::Short),
        Constant::Long(_) => Type::Primitive(Primitive::Long),
        Constant::Float(_) => Type::Primitive(Primitive::Float),
        Constant::Double(_) => Type::Primitive(Primitive::Double),
        _ => Type::Primitive(Primitive::Int),
    };
    Operation { kind: OperationKind::Constant(constant), params: Vec::new(), result }
}

/// A call of a static method on literals, if literals are all it takes.
pub fn call_on_literals(operations: &mut Operations, class: &str, name: &str, descriptor: &str) -> Option<Sequence> {
    let parsed = MethodDescriptor::parse(descriptor)?;
    let mut builder = SequenceBuilder::default();
    let mut arguments = Vec::new();
    for param in &parsed.params {
        let constant = match param.to_string().as_str() {
            "Z" => Constant::Boolean(false),
            "B" => Constant::Byte(0),
            "C" => Constant::Char(0),
            "S" => Constant::Short(0),
            "I" => Constant::Int(0),
            "J" => Constant::Long(0),
            "F" => Constant::Float(0),
            "D" => Constant::Double(0),
            "Ljava/lang/String;" | "Ljava/lang/CharSequence;" => Constant::String("abcd".into()),
            _ => return None,
        };
        let op = operations.intern(literal(constant));
        arguments.push(builder.push(op, &[]));
    }
    let kind = OperationKind::Call {
        owner: ClassName::new(class),
        name: name.into(),
        descriptor: descriptor.into(),
        is_static: true,
        owner_is_interface: false,
        varargs: false,
    };
    let params = parsed.params.iter().map(Type::from).collect();
    let result = parsed.result.as_ref().map_or(Type::Void, Type::from);
    builder.push(operations.intern(Operation { kind, params, result }), &arguments);
    Some(builder.finish())
}
