//! Lambdas for functional interfaces: a few bodies that say different things. Owns the choice of bodies; the interface's shape is `testcase`'s.

use std::sync::Arc;

use bytecode::names::Primitive;
use testcase::members::{FunctionalShape, functional_shape};
use testcase::operation::{Lambda, LambdaBody, Operation, OperationKind};
use testcase::subtyping::Subtyping;
use testcase::types::{ClassType, Type};
use testcase::value::Constant;
use testcase::verify::verify_operation;

use crate::library::Offer;

/// Lambdas of this type, plainest first; none if it is no functional interface.
pub fn of(subtyping: &Subtyping<'_>, interface: &ClassType) -> Vec<Offer> {
    // Functional by form only: objects that compare themselves with others have more to them.
    if matches!(interface.name.internal(), "java/lang/Comparable" | "java/lang/Iterable") {
        return Vec::new();
    }
    let Some(shape) = functional_shape(subtyping, interface) else {
        return Vec::new();
    };
    let bodies = bodies(&shape);
    bodies
        .into_iter()
        .map(|body| Operation {
            kind: OperationKind::Lambda(Lambda {
                interface: interface.name.clone(),
                method: shape.method.clone(),
                descriptor: shape.descriptor.clone(),
                exact: shape.exact.clone(),
                body,
            }),
            params: Vec::new(),
            result: Type::Class(interface.clone()),
        })
        .filter(|operation| verify_operation(operation, subtyping).is_ok())
        .map(Offer::bare)
        .collect()
}

fn bodies(shape: &FunctionalShape) -> Vec<LambdaBody> {
    if shape.result == Type::Void {
        return vec![LambdaBody::Nothing];
    }
    let mut bodies: Vec<LambdaBody> = (0..shape.params.len()).map(|i| LambdaBody::Parameter(i as u16)).collect();
    bodies.extend(constants(&shape.result).into_iter().map(LambdaBody::Constant));
    let text = Type::string();
    if shape.params.len() == 1
        && (shape.result == text || shape.result == Type::object())
        && shape.params[0].is_reference()
    {
        bodies.push(LambdaBody::Reference {
            owner: "java/lang/String".into(),
            name: Arc::from("valueOf"),
            descriptor: Arc::from("(Ljava/lang/Object;)Ljava/lang/String;"),
            is_static: true,
            owner_is_interface: false,
        });
    }
    bodies
}

/// Constants for a result; those that do not fit are dropped by the verifier.
fn constants(result: &Type) -> Vec<Constant> {
    let of_primitive = |p: Primitive| match p {
        Primitive::Boolean => vec![Constant::Boolean(true), Constant::Boolean(false)],
        Primitive::Byte => vec![Constant::Byte(1), Constant::Byte(0)],
        Primitive::Char => vec![Constant::Char(u16::from(b'a'))],
        Primitive::Short => vec![Constant::Short(1), Constant::Short(0)],
        Primitive::Int => vec![Constant::Int(0), Constant::Int(1), Constant::Int(-1)],
        Primitive::Long => vec![Constant::Long(0), Constant::Long(1), Constant::Long(-1)],
        Primitive::Float => vec![Constant::Float(1.0f32.to_bits()), Constant::Float(0)],
        Primitive::Double => vec![Constant::Double(1.0f64.to_bits()), Constant::Double(0)],
    };
    match result {
        Type::Primitive(p) => of_primitive(*p),
        Type::Class(class) => {
            let name = class.name.internal();
            let boxed = Primitive::ALL.into_iter().find(|p| p.box_class() == name);
            let mut all = match (boxed, name) {
                (Some(p), _) => of_primitive(p),
                (None, "java/lang/String" | "java/lang/CharSequence") => {
                    vec![Constant::String("a".into()), Constant::String("".into())]
                }
                (None, "java/lang/Object" | "java/lang/Comparable") => {
                    vec![Constant::String("a".into()), Constant::Int(1)]
                }
                _ => Vec::new(),
            };
            all.push(Constant::Null);
            all
        }
        Type::Array(_) => vec![Constant::Null],
        Type::Void => Vec::new(),
    }
}
