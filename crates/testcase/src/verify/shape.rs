//! Whether an operation agrees with itself: descriptor, types, constants, arrays, casts, lambdas. Owns the rules about one operation;
//! arguments are the verifier's business.

use bytecode::names::{FieldType, MethodDescriptor, Primitive};

use super::Rule;
use crate::members::functional_shape;
use crate::operation::{Lambda, LambdaBody, Operation, OperationKind};
use crate::subtyping::Subtyping;
use crate::types::{ClassType, Type};
use crate::value::Constant;

pub fn check(operation: &Operation, subtyping: &Subtyping<'_>) -> Result<(), Rule> {
    if operation.params.contains(&Type::Void) {
        return Err(Rule::Descriptor { why: "a parameter is void" });
    }
    let taken = operation.params.len();
    match &operation.kind {
        OperationKind::Constant(constant) => {
            if taken > 0 {
                return Err(Rule::Descriptor { why: "a constant takes nothing" });
            }
            constant_fits(constant, &operation.result, subtyping).then_some(()).ok_or(Rule::ConstantType)
        }
        OperationKind::Construct { class, descriptor, .. } => {
            let d = parse(descriptor)?;
            if d.result.is_some() {
                return Err(Rule::Descriptor { why: "a constructor gives nothing" });
            }
            params_agree(&operation.params, &d.params, subtyping)?;
            let same = operation.result.class_name() == Some(class);
            same.then_some(()).ok_or(Rule::Descriptor { why: "a constructor makes its class" })
        }
        OperationKind::Call { descriptor, is_static, .. } => {
            let d = parse(descriptor)?;
            params_agree(without_receiver(operation, *is_static)?, &d.params, subtyping)?;
            match (&d.result, &operation.result) {
                (None, Type::Void) => Ok(()),
                (Some(erased), result) => result_agrees(erased, result, subtyping),
                _ => Err(Rule::Descriptor { why: "void does not agree" }),
            }
        }
        OperationKind::ReadField { field_type, is_static, .. } => {
            params_agree(without_receiver(operation, *is_static)?, &[], subtyping)?;
            result_agrees(field_type, &operation.result, subtyping)
        }
        OperationKind::WriteField { field_type, is_static, .. } => {
            params_agree(without_receiver(operation, *is_static)?, std::slice::from_ref(field_type), subtyping)?;
            let void = operation.result == Type::Void;
            void.then_some(()).ok_or(Rule::Descriptor { why: "a field write gives nothing" })
        }
        OperationKind::NewArray { .. }
        | OperationKind::ArrayLiteral { .. }
        | OperationKind::StoreElement { .. }
        | OperationKind::LoadElement { .. } => {
            array_agrees(operation, subtyping).map_err(|why| Rule::ArrayShape { why })
        }
        OperationKind::Lambda(lambda) => {
            lambda_agrees(operation, lambda, subtyping).map_err(|why| Rule::LambdaShape { why })
        }
        OperationKind::Cast => match operation.params.as_slice() {
            [from] if subtyping.cast_is_plausible(from, &operation.result) => Ok(()),
            [_] => Err(Rule::ImplausibleCast),
            _ => Err(Rule::Descriptor { why: "a cast takes one value" }),
        },
    }
}

fn parse(descriptor: &str) -> Result<MethodDescriptor, Rule> {
    MethodDescriptor::parse(descriptor).ok_or(Rule::Descriptor { why: "it cannot be read" })
}

fn without_receiver(operation: &Operation, is_static: bool) -> Result<&[Type], Rule> {
    match operation.params.as_slice() {
        all if is_static => Ok(all),
        [receiver, rest @ ..] if receiver.is_reference() => Ok(rest),
        _ => Err(Rule::Descriptor { why: "there is no receiver" }),
    }
}

fn erased(t: &Type) -> Type {
    t.erased().map_or(Type::Void, |e| Type::from(&e))
}

fn params_agree(params: &[Type], descriptor: &[FieldType], subtyping: &Subtyping<'_>) -> Result<(), Rule> {
    if params.len() != descriptor.len() {
        return Err(Rule::Descriptor { why: "the number of parameters differs" });
    }
    let agree = params.iter().zip(descriptor).all(|(p, d)| {
        let (p, d) = (erased(p), Type::from(d));
        p == d || subtyping.fits(&p, &d)
    });
    agree.then_some(()).ok_or(Rule::Descriptor { why: "a parameter's type differs" })
}

fn result_agrees(descriptor: &FieldType, result: &Type, subtyping: &Subtyping<'_>) -> Result<(), Rule> {
    let (from, to) = (Type::from(descriptor), erased(result));
    let agree = from == to || subtyping.fits(&from, &to) || subtyping.cast_is_plausible(&from, &to);
    agree.then_some(()).ok_or(Rule::Descriptor { why: "the result's type differs" })
}

/// Whether the constant is a value of the type.
pub fn constant_fits(constant: &Constant, t: &Type, subtyping: &Subtyping<'_>) -> bool {
    let primitive = match constant {
        Constant::Null => return t.is_reference(),
        Constant::Boolean(_) => Primitive::Boolean,
        Constant::Byte(_) => Primitive::Byte,
        Constant::Char(_) => Primitive::Char,
        Constant::Short(_) => Primitive::Short,
        Constant::Int(_) => Primitive::Int,
        Constant::Long(_) => Primitive::Long,
        Constant::Float(_) => Primitive::Float,
        Constant::Double(_) => Primitive::Double,
        Constant::String(_) => return subtyping.fits(&Type::string(), t),
        // `Class<?>`, `Class<Foo>` and raw `Class` are all fine: nobody reads the argument.
        Constant::Class(_) => {
            return t.class_name().is_some_and(|n| subtyping.is_subclass(&"java/lang/Class".into(), n));
        }
        Constant::Enum { class, .. } => {
            let is_enum = subtyping.classes().class(class).is_none_or(|c| c.is_enum());
            let value = Type::Class(ClassType { name: class.clone(), args: Vec::new() });
            return is_enum && subtyping.fits(&value, t);
        }
    };
    *t == Type::Primitive(primitive) || subtyping.fits(&Type::class(primitive.box_class()), t)
}

fn array_agrees(operation: &Operation, subtyping: &Subtyping<'_>) -> Result<(), &'static str> {
    let fits = |have: &Type, want: &Type| have == want || subtyping.fits(have, want);
    match (&operation.kind, operation.params.as_slice(), &operation.result) {
        (OperationKind::NewArray { lengths }, [], result @ Type::Array(_)) => {
            let mut dimensions = 0;
            let mut t = result;
            while let Type::Array(element) = t {
                dimensions += 1;
                t = element;
            }
            let given =
                !lengths.is_empty() && lengths.len() <= dimensions && lengths.iter().all(|&l| i32::try_from(l).is_ok());
            given.then_some(()).ok_or("lengths do not fit the dimensions")
        }
        (OperationKind::ArrayLiteral { length }, elements, Type::Array(element)) => {
            let right = elements.len() == *length as usize && elements.iter().all(|e| fits(e, element));
            right.then_some(()).ok_or("elements do not fit")
        }
        (OperationKind::StoreElement { .. }, [Type::Array(element), value], Type::Void) => {
            fits(value, element).then_some(()).ok_or("the value does not fit the element type")
        }
        (OperationKind::LoadElement { .. }, [Type::Array(element)], result) => {
            fits(element, result).then_some(()).ok_or("the element does not fit the result")
        }
        _ => Err("it is not about an array"),
    }
}

fn lambda_agrees(operation: &Operation, lambda: &Lambda, subtyping: &Subtyping<'_>) -> Result<(), &'static str> {
    let (Type::Class(interface), []) = (&operation.result, operation.params.as_slice()) else {
        return Err("it takes nothing and gives an object");
    };
    if interface.name != lambda.interface {
        return Err("its type is another interface");
    }
    let shape = functional_shape(subtyping, interface).ok_or("the interface is not functional")?;
    if shape.method != lambda.method || shape.descriptor != lambda.descriptor {
        return Err("the interface's abstract method is another one");
    }
    if lambda.exact != shape.exact {
        return Err("it takes other types than the interface gives");
    }
    let good = match &lambda.body {
        LambdaBody::Nothing => shape.result == Type::Void,
        LambdaBody::Constant(c) => shape.result != Type::Void && constant_fits(c, &shape.result, subtyping),
        LambdaBody::Parameter(n) => {
            shape.params.get(usize::from(*n)).is_some_and(|p| *p == shape.result || subtyping.fits(p, &shape.result))
        }
        LambdaBody::Reference { descriptor, is_static, .. } => MethodDescriptor::parse(descriptor)
            .is_some_and(|d| d.params.len() + usize::from(!is_static) == shape.params.len()),
    };
    good.then_some(()).ok_or("the body does not give what the method needs")
}
