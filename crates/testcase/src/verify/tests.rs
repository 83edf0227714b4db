//! Tests of the verifier: sequences in text form over a few hand-made classes, with the rules they break.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::*;
use crate::classes::Classes;
use crate::text::parse_sequence;
use bytecode::access::Access;
use bytecode::class_info::{ClassInfo, MethodInfo};
use bytecode::names::{ClassName, MethodDescriptor};
use bytecode::signature::{ClassSignature, MethodSignature};

fn class(name: &str, superclass: &str, access: u16, interfaces: &[&str]) -> ClassInfo {
    ClassInfo {
        name: name.into(),
        version: (61, 0),
        access: Access(access),
        superclass: (name != "java/lang/Object").then(|| superclass.into()),
        interfaces: interfaces.iter().map(ClassName::new).collect(),
        signature: None,
        fields: Vec::new(),
        methods: Vec::new(),
        nesting: None,
        members: Vec::new(),
        nest_host: None,
        nest_members: Vec::new(),
        permitted: None,
        record: None,
        annotations: Vec::new(),
        source_file: None,
        deprecated: false,
    }
}

fn abstract_method(name: &str, descriptor: &str, signature: &str) -> MethodInfo {
    MethodInfo {
        name: name.to_owned(),
        access: Access(Access::PUBLIC | Access::ABSTRACT),
        descriptor: MethodDescriptor::parse(descriptor).unwrap(),
        raw_descriptor: descriptor.to_owned(),
        signature: Some(MethodSignature::parse(signature).unwrap()),
        throws: Vec::new(),
        param_names: Vec::new(),
        annotations: Vec::new(),
        param_annotations: Vec::new(),
        deprecated: false,
        has_code: false,
        lines: None,
    }
}

fn classes() -> BTreeMap<ClassName, Arc<ClassInfo>> {
    let object = "java/lang/Object";
    let interface = Access::PUBLIC | Access::INTERFACE | Access::ABSTRACT;
    let mut function = class("Function", object, interface, &[]);
    function.signature =
        Some(ClassSignature::parse("<A:Ljava/lang/Object;B:Ljava/lang/Object;>Ljava/lang/Object;").unwrap());
    function.methods.push(abstract_method("apply", "(Ljava/lang/Object;)Ljava/lang/Object;", "(TA;)TB;"));
    let all = [
        class(object, object, Access::PUBLIC, &[]),
        class("java/lang/String", object, Access::PUBLIC | Access::FINAL, &["java/lang/CharSequence"]),
        class("java/lang/CharSequence", object, interface, &[]),
        class("java/lang/Integer", object, Access::PUBLIC | Access::FINAL, &[]),
        class("A", object, Access::PUBLIC, &[]),
        class("B", "A", Access::PUBLIC, &[]),
        class("Color", "java/lang/Enum", Access::PUBLIC | Access::ENUM, &[]),
        function,
    ];
    all.into_iter().map(|c| (c.name.clone(), Arc::new(c))).collect()
}

/// The rules broken, as `statement: name of the rule`.
fn broken(text: &str) -> Vec<String> {
    let classes = classes();
    let mut operations = Operations::default();
    let sequence = parse_sequence(text, &mut operations).unwrap_or_else(|p| panic!("{p}\n{text}"));
    let subtyping = Subtyping::new(&classes as &dyn Classes);
    let problems = verify(&sequence, &operations, &subtyping, 20);
    let name = |r: &Rule| format!("{r:?}").split([' ', '{']).next().unwrap_or_default().to_owned();
    problems.iter().map(|p| format!("{}: {}", p.statement, name(&p.rule))).collect()
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(broken(text), expected, "{text}");
}

#[test]
fn valid_sequences() {
    for text in [
        "v0 = new B()V\nv1 = call A.m(LA;)V v0 v0",
        "v0 = new A()V\nv1 = null : A\nv2 = call A.m(LA;)V v0 v1",
        "v0 = int 3 : java/lang/Integer",
        "v0 = int 3 : java/lang/Object",
        "v0 = string \"a\" : java/lang/CharSequence",
        "v0 = enum Color.RED",
        "v0 = array [2] : int[][]",
        "v0 = int 1\nv1 = elements 2 v0 v0 : int[]\nv2 = store 5 v1 v0 : (int[], int) -> void",
        "v0 = call static A.make()LA;\nv1 = cast v0 : (A) -> B",
        "v0 = lambda Function.apply(Ljava/lang/Object;)Ljava/lang/Object; taking (LA;)Ljava/lang/Object; parameter 0 : Function<A, A>",
        "v0 = lambda Function.apply(Ljava/lang/Object;)Ljava/lang/Object; taking (LA;)Ljava/lang/Object; gives int 3 : Function<A, java/lang/Integer>",
    ] {
        check(text, &[]);
    }
}

#[test]
fn broken_arguments() {
    check("v0 = new A()V\nv1 = call A.m(LA;)V v0 v2\nv2 = new A()V", &["1: ArgumentNotEarlier"]);
    check("v0 = new A()V\nv1 = call A.m()V v1", &["1: ArgumentNotEarlier"]);
    check("v0 = new A()V\nv1 = call A.m()V v0\nv2 = call A.m()V v1", &["2: ArgumentIsVoid"]);
    check("v0 = new A()V\nv1 = call A.m(LA;)V v0", &["1: Arity"]);
    check("v0 = new A()V\nv1 = call B.m()V v0", &["1: ArgumentType"]);
    check("v0 = new A()V\nv1 = int 3\nv2 = call A.m(J)V v0 v1", &["2: ArgumentType"]);
    check("v0 = null : A\nv1 = call A.m()V v0", &["1: NullReceiver"]);
    check("v0 = null : int[]\nv1 = load 0 v0 : (int[]) -> int", &["1: NullReceiver"]);
}

#[test]
fn broken_operations() {
    check("v0 = call static A.m(I)V : () -> void", &["0: Descriptor"]);
    check("v0 = call static A.m\"(what\" : () -> void", &["0: Descriptor"]);
    check("v0 = call static A.m()I : A", &["0: Descriptor"]);
    check("v0 = new A()V : B", &["0: Descriptor"]);
    check("v0 = int 3 : long", &["0: ConstantType"]);
    check("v0 = null : int", &["0: ConstantType"]);
    check("v0 = string \"a\" : A", &["0: ConstantType"]);
    check("v0 = enum A.RED", &["0: ConstantType"]);
    check("v0 = array [2][2] : int[]", &["0: ArrayShape"]);
    check("v0 = array : int[]", &["0: ArrayShape"]);
    check("v0 = string \"a\"\nv1 = elements 1 v0 : (java/lang/String) -> int[]", &["1: ArrayShape"]);
    check("v0 = string \"a\"\nv1 = cast v0 : (java/lang/String) -> java/lang/Integer", &["1: ImplausibleCast"]);
    check("v0 = lambda A.m()V nothing", &["0: LambdaShape"]);
    check(
        "v0 = lambda Function.apply(Ljava/lang/Object;)Ljava/lang/Object; parameter 0 : Function<A, A>",
        &["0: LambdaShape"],
    );
    check("v0 = lambda Function.apply(Ljava/lang/Object;)Ljava/lang/Object; nothing", &["0: LambdaShape"]);
    check(
        "v0 = lambda Function.apply(Ljava/lang/Object;)Ljava/lang/Object; taking (LA;)Ljava/lang/Object; parameter 0 : Function<A, B>",
        &["0: LambdaShape"],
    );
    check("v0 = lambda Function.apply()V nothing", &["0: LambdaShape"]);
}

#[test]
fn too_long() {
    let text: String = (0..21).map(|i| format!("v{i} = int 1\n")).collect();
    check(&text, &["20: TooLong"]);
}

#[test]
fn problems_read_well() {
    let classes = classes();
    let mut operations = Operations::default();
    let sequence = parse_sequence("v0 = new A()V\nv1 = call B.m()V v0", &mut operations).unwrap();
    let problems = verify(&sequence, &operations, &Subtyping::new(&classes), 20);
    assert_eq!(problems[0].to_string(), "statement 1: argument 0 is A, which does not fit B");
}
