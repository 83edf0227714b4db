//! Methods, constructors and fields as values: nobody can construct one, but classes of the JDK have some. Owns which of them are offered; never
//! takes one of several, whose order is the JVM's.

use bytecode::names::ClassName;
use testcase::operation::{Operation, OperationKind};
use testcase::types::{ClassType, Type, TypeArg};

use super::WorldLibrary;
use crate::library::{Library, Offer};

const METHOD: &str = "java/lang/reflect/Method";
const CONSTRUCTOR: &str = "java/lang/reflect/Constructor";
const FIELD: &str = "java/lang/reflect/Field";

/// How each kind is asked for, and classes that have exactly one for the public, the same in every JDK: the first of several may be any of them.
const KINDS: [(&str, &str, &[&str]); 3] = [
    (
        METHOD,
        "getMethods",
        &[
            "java/lang/Runnable",
            "java/lang/Comparable",
            "java/util/function/IntBinaryOperator",
            "java/util/function/ObjIntConsumer",
            "java/util/concurrent/ThreadFactory",
        ],
    ),
    (
        CONSTRUCTOR,
        "getConstructors",
        &[
            "java/lang/Object",
            "java/io/StringReader",
            "java/util/concurrent/CountDownLatch",
            "java/util/concurrent/atomic/LongAccumulator",
        ],
    ),
    (FIELD, "getFields", &["java/io/InterruptedIOException"]),
];

/// `array[0]` of an array of what is wanted, if that is a member or something more general.
pub fn of(library: &WorldLibrary<'_>, wanted: &Type) -> Vec<Offer> {
    let is_close = |class: &ClassName| class.package() == "java/lang/reflect";
    if !wanted.class_name().is_some_and(is_close) {
        return Vec::new();
    }
    let fitting = KINDS.iter().map(|(kind, ..)| member(kind)).filter(|member| library.fits(member, wanted));
    fitting
        .map(|member| {
            let params = vec![Type::array(member.clone())];
            Offer::bare(Operation { kind: OperationKind::LoadElement { index: 0 }, params, result: member })
        })
        .collect()
}

/// `Declaration.class.getMethods()` and the like, where an array of members is wanted. Their parameters say which class literal they take.
pub fn arrays(wanted: &Type) -> Vec<Offer> {
    let of_kind = KINDS.iter().find(|(kind, ..)| *wanted == Type::array(member(kind)));
    let Some((kind, name, classes)) = of_kind else { return Vec::new() };
    let class = ClassName::new("java/lang/Class");
    let read = |on: &&str| {
        let literal = ClassType { name: class.clone(), args: vec![TypeArg::Exact(Type::class(on))] };
        Offer::bare(Operation {
            kind: OperationKind::Call {
                owner: class.clone(),
                name: (*name).into(),
                descriptor: format!("()[L{kind};").into(),
                is_static: false,
                owner_is_interface: false,
                varargs: false,
            },
            params: vec![Type::Class(literal)],
            result: wanted.clone(),
        })
    };
    classes.iter().map(read).collect()
}

fn member(kind: &str) -> Type {
    let args = if kind == CONSTRUCTOR { vec![TypeArg::Any] } else { Vec::new() };
    Type::Class(ClassType { name: ClassName::new(kind), args })
}
