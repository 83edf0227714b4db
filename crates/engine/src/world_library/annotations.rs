//! Annotations as values: nobody can construct one, but declarations of the JDK carry some. Owns which of them are offered.

use bytecode::names::ClassName;
use testcase::operation::{Operation, OperationKind};
use testcase::types::{ClassType, Type, TypeArg};

use crate::library::Offer;

const ANNOTATION: &str = "java/lang/annotation/Annotation";
/// Declarations that are the same in every JDK, with an annotation of each: without members, with one and with lists of one and of two constants.
const CARRIED: [(&str, &str); 4] = [
    ("java/lang/Runnable", "java/lang/FunctionalInterface"),
    ("java/lang/FunctionalInterface", "java/lang/annotation/Retention"),
    ("java/lang/FunctionalInterface", "java/lang/annotation/Target"),
    ("java/lang/SafeVarargs", "java/lang/annotation/Target"),
];

/// `Declaration.class.getAnnotation(Wanted.class)`, for every annotation that fits.
pub fn of(wanted: &ClassName) -> Vec<Offer> {
    let fits = |annotation: &str| wanted.internal() == ANNOTATION || wanted.internal() == annotation;
    CARRIED.iter().filter(|(_, annotation)| fits(annotation)).map(|(on, annotation)| read(on, annotation)).collect()
}

/// Its parameters say which class literals it takes, so that it never gives null.
fn read(on: &str, annotation: &str) -> Offer {
    let literal = |class: &str| {
        Type::Class(ClassType {
            name: ClassName::new("java/lang/Class"),
            args: vec![TypeArg::Exact(Type::class(class))],
        })
    };
    Offer::bare(Operation {
        kind: OperationKind::Call {
            owner: ClassName::new("java/lang/Class"),
            name: "getAnnotation".into(),
            descriptor: "(Ljava/lang/Class;)Ljava/lang/annotation/Annotation;".into(),
            is_static: false,
            owner_is_interface: false,
            varargs: false,
        },
        params: [literal(on), literal(annotation)].into(),
        result: Type::class(annotation),
    })
}
