//! The types an operation has if its line does not say otherwise. Owns these defaults for printer and parser alike.

use bytecode::names::{FieldType, MethodDescriptor, Primitive};

use crate::operation::OperationKind;
use crate::types::{ClassType, Type};
use crate::value::Constant;

/// Parameters and result as the kind implies them (erased). `None` if it implies nothing, or the descriptor cannot be read.
/// `result`: the result type if it is known, for kinds whose parameters follow from it.
pub fn implied(kind: &OperationKind, result: Option<&Type>) -> Option<(Vec<Type>, Type)> {
    let class = |name: &bytecode::names::ClassName| Type::Class(ClassType { name: name.clone(), args: Vec::new() });
    match kind {
        OperationKind::Constant(c) => Some((Vec::new(), constant_type(c))),
        OperationKind::Construct { class: name, descriptor, .. } => {
            let d = MethodDescriptor::parse(descriptor)?;
            Some((types(&d.params).collect(), class(name)))
        }
        OperationKind::Call { owner, descriptor, is_static, .. } => {
            let d = MethodDescriptor::parse(descriptor)?;
            let receiver = (!is_static).then(|| class(owner));
            Some((
                receiver.into_iter().chain(types(&d.params)).collect(),
                d.result.as_ref().map_or(Type::Void, Type::from),
            ))
        }
        OperationKind::ReadField { owner, field_type, is_static, .. } => {
            Some(((!is_static).then(|| class(owner)).into_iter().collect(), Type::from(field_type)))
        }
        OperationKind::WriteField { owner, field_type, is_static, .. } => {
            let receiver = (!is_static).then(|| class(owner));
            Some((receiver.into_iter().chain([Type::from(field_type)]).collect(), Type::Void))
        }
        OperationKind::Lambda(lambda) => Some((Vec::new(), class(&lambda.interface))),
        OperationKind::NewArray { .. } => Some((Vec::new(), result?.clone())),
        OperationKind::ArrayLiteral { length } => match result? {
            // A length that no line could have is not worth allocating for.
            Type::Array(element) if *length <= u32::from(u16::MAX) => {
                Some((vec![(**element).clone(); *length as usize], result?.clone()))
            }
            _ => None,
        },
        OperationKind::StoreElement { .. } | OperationKind::LoadElement { .. } | OperationKind::Cast => None,
    }
}

fn types(list: &[FieldType]) -> impl Iterator<Item = Type> + '_ {
    list.iter().map(Type::from)
}

fn constant_type(constant: &Constant) -> Type {
    let primitive = match constant {
        Constant::Null => return Type::object(),
        Constant::String(_) => return Type::string(),
        Constant::Class(_) => return Type::class("java/lang/Class"),
        Constant::Enum { class, .. } => {
            return Type::Class(ClassType { name: class.clone(), args: Vec::new() });
        }
        Constant::Boolean(_) => Primitive::Boolean,
        Constant::Byte(_) => Primitive::Byte,
        Constant::Char(_) => Primitive::Char,
        Constant::Short(_) => Primitive::Short,
        Constant::Int(_) => Primitive::Int,
        Constant::Long(_) => Primitive::Long,
        Constant::Float(_) => Primitive::Float,
        Constant::Double(_) => Primitive::Double,
    };
    Type::Primitive(primitive)
}
