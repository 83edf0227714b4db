//! The bytecode of one operation inside a dispatcher's `call`. Owns argument access, unboxing, the action and boxing.

use bytecode::assemble::Code;
use bytecode::names::{FieldType, MethodDescriptor, Primitive};
use testcase::operation::{Operation, OperationKind};
use testcase::types::Type;

/// An operation that contradicts itself: its kind, parameters and descriptor do not fit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    #[error("`{0}` is no method descriptor")]
    Descriptor(String),
    #[error("{0} is no array type")]
    NotAnArray(String),
    #[error("an array of {0} dimensions cannot be made")]
    Dimensions(usize),
}

/// Upper bound of the bytes [`operation`] emits, table entry included.
pub fn estimate(operation: &Operation) -> usize {
    let arguments = operation.params.len() * 20;
    match &operation.kind {
        OperationKind::ArrayLiteral { .. } => 40 + operation.params.len() * 26,
        OperationKind::NewArray { lengths } => 40 + lengths.len() * 4,
        _ => 40 + arguments,
    }
}

/// Emits code that ends with `areturn`. `lambda` names the generated class of a lambda operation.
pub fn operation(code: &mut Code<'_>, operation: &Operation, lambda: Option<&str>) -> Result<(), Malformed> {
    match &operation.kind {
        // Constants are made by the worker; none comes here.
        OperationKind::Constant(_) => code.push_null(),
        OperationKind::Construct { class, descriptor, .. } => {
            code.new_object(class.internal());
            code.dup();
            arguments(code, 0, &parse(descriptor)?.params);
            code.invoke_special(class.internal(), "<init>", descriptor);
        }
        OperationKind::Call { owner, name, descriptor, is_static, owner_is_interface, .. } => {
            let parsed = parse(descriptor)?;
            if *is_static {
                arguments(code, 0, &parsed.params);
                if *owner_is_interface {
                    code.invoke_static_on_interface(owner.internal(), name, descriptor);
                } else {
                    code.invoke_static(owner.internal(), name, descriptor);
                }
            } else {
                // Calls on arrays (`clone`, `length` aside) go through `Object`, so the owner is always a class.
                argument(code, 0, &FieldType::Class(owner.clone()));
                arguments(code, 1, &parsed.params);
                if *owner_is_interface {
                    code.invoke_interface(owner.internal(), name, descriptor);
                } else {
                    code.invoke_virtual(owner.internal(), name, descriptor);
                }
            }
            boxed(code, parsed.result.as_ref());
        }
        OperationKind::ReadField { owner, name, field_type, is_static } => {
            let descriptor = field_type.to_string();
            if *is_static {
                code.get_static(owner.internal(), name, &descriptor);
            } else {
                argument(code, 0, &FieldType::Class(owner.clone()));
                code.get_field(owner.internal(), name, &descriptor);
            }
            boxed(code, Some(field_type));
        }
        OperationKind::WriteField { owner, name, field_type, is_static } => {
            let descriptor = field_type.to_string();
            if *is_static {
                argument(code, 0, field_type);
                code.put_static(owner.internal(), name, &descriptor);
            } else {
                argument(code, 0, &FieldType::Class(owner.clone()));
                argument(code, 1, field_type);
                code.put_field(owner.internal(), name, &descriptor);
            }
            code.push_null();
        }
        OperationKind::NewArray { lengths } => new_array(code, &operation.result, lengths)?,
        OperationKind::ArrayLiteral { length } => {
            let element = element_of(&operation.result)?;
            code.push_int(*length as i32);
            code.new_array(&element);
            for index in 0..operation.params.len() {
                code.dup();
                code.push_int(index as i32);
                argument(code, index, &element);
                code.array_store(&element.to_string());
            }
        }
        OperationKind::StoreElement { index } => {
            let array = erased(operation.params.first())?;
            let element = element_of_erased(&array)?;
            argument(code, 0, &array);
            code.push_int(*index as i32);
            argument(code, 1, &element);
            code.array_store(&element.to_string());
            code.push_null();
        }
        OperationKind::LoadElement { index } => {
            let array = erased(operation.params.first())?;
            let element = element_of_erased(&array)?;
            argument(code, 0, &array);
            code.push_int(*index as i32);
            code.array_load(&element.to_string());
            boxed(code, Some(&element));
        }
        OperationKind::Lambda(_) => match lambda {
            Some(class) => {
                code.new_object(class);
                code.dup();
                code.invoke_special(class, "<init>", "()V");
            }
            None => code.push_null(),
        },
        OperationKind::Cast => {
            slot(code, 0);
            match operation.result.erased() {
                Some(FieldType::Primitive(p)) => code.checkcast(p.box_class()),
                Some(to) => cast(code, &to),
                None => {}
            }
        }
    }
    code.return_value("Ljava/lang/Object;");
    Ok(())
}

fn new_array(code: &mut Code<'_>, result: &Type, lengths: &[u32]) -> Result<(), Malformed> {
    let array = erased(Some(result))?;
    for &length in lengths {
        code.push_int(length as i32);
    }
    match u8::try_from(lengths.len()) {
        Ok(1) => code.new_array(&element_of_erased(&array)?),
        Ok(dimensions @ 2..) => code.new_multi_array(&array, dimensions),
        _ => return Err(Malformed::Dimensions(lengths.len())),
    }
    Ok(())
}

/// The argument's slot content as it is: a box or a reference.
fn slot(code: &mut Code<'_>, index: usize) {
    code.load("[Ljava/lang/Object;", 2);
    code.load("[B", 3);
    code.load("I", 4);
    code.push_int(index as i32);
    code.invoke_static("testudo/runtime/Args", "slot", "([BII)I");
    code.array_load("Ljava/lang/Object;");
}

fn argument(code: &mut Code<'_>, index: usize, ty: &FieldType) {
    slot(code, index);
    match ty {
        FieldType::Primitive(p) => code.unbox_primitive(*p),
        reference => cast(code, reference),
    }
}

fn arguments(code: &mut Code<'_>, first: usize, params: &[FieldType]) {
    for (i, ty) in params.iter().enumerate() {
        argument(code, first + i, ty);
    }
}

/// A cast, unless everything is one.
pub fn cast(code: &mut Code<'_>, to: &FieldType) {
    match to.class_operand() {
        Some(operand) if operand != "java/lang/Object" => code.checkcast(&operand),
        _ => {}
    }
}

fn boxed(code: &mut Code<'_>, result: Option<&FieldType>) {
    match result {
        None => code.push_null(),
        Some(FieldType::Primitive(p)) => code.box_primitive(*p),
        Some(_) => {}
    }
}

fn parse(descriptor: &str) -> Result<MethodDescriptor, Malformed> {
    MethodDescriptor::parse(descriptor).ok_or_else(|| Malformed::Descriptor(descriptor.to_owned()))
}

fn erased(ty: Option<&Type>) -> Result<FieldType, Malformed> {
    ty.and_then(Type::erased).ok_or_else(|| Malformed::NotAnArray("nothing".to_owned()))
}

fn element_of(ty: &Type) -> Result<FieldType, Malformed> {
    element_of_erased(&erased(Some(ty))?)
}

fn element_of_erased(array: &FieldType) -> Result<FieldType, Malformed> {
    match array {
        FieldType::Array(element) => Ok((**element).clone()),
        other => Err(Malformed::NotAnArray(other.to_string())),
    }
}

/// A numeric primitive to which others widen, in widening order; `None` for boolean.
pub fn rank(primitive: Primitive) -> Option<u8> {
    match primitive {
        Primitive::Boolean => None,
        Primitive::Byte | Primitive::Char | Primitive::Short | Primitive::Int => Some(0),
        Primitive::Long => Some(1),
        Primitive::Float => Some(2),
        Primitive::Double => Some(3),
    }
}
