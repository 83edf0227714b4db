//! Tests of the text form: examples, problems, round trips of random test cases, and random text that must not panic.

use proptest::prelude::*;

use super::*;
use crate::assertion::{Assertion, Expectation, TestCase};
use crate::execution::Contract;
use crate::operation::{Lambda, LambdaBody, Operation, OperationKind, Operations};
use crate::sequence::{Sequence, Statement, Var};
use crate::types::{ClassType, Type, TypeArg};
use crate::value::{Constant, JavaString, Value};
use bytecode::names::{ClassName, FieldType, Primitive};

/// Reads and prints again: the same text.
fn check(text: &str) {
    let mut ops = Operations::default();
    let test = parse_test(text, &mut ops).unwrap_or_else(|p| panic!("{p}\n{text}"));
    assert_eq!(print_test(&test, &ops), text);
}

#[test]
fn every_form_is_stable() {
    check(
        r#"v0 = int -7
v1 = new demo/IntStack(I)V v0
v2 = call demo/IntStack.push(I)V v1 v0
v3 = call static interface varargs java/util/List.of([Ljava/lang/Object;)Ljava/util/List; v9 : (java/lang/String[]) -> java/util/List<java/lang/String>
v4 = string "a\"\\\n\u0000\ud83dé"
v5 = null : demo/Foo
v6 = class [I
v7 = enum demo/Color.RED
v8 = array [3][4] : int[][][]
v9 = elements 2 v0 v0 : int[]
v10 = store 0 v9 v0 : (int[], int) -> void
v11 = load 1 v9 : (int[]) -> int
v12 = lambda java/util/function/Function.apply(Ljava/lang/Object;)Ljava/lang/Object; taking (Ljava/lang/String;)Ljava/lang/Object; parameter 0 : java/util/function/Function<? super java/lang/String, ?>
v13 = lambda java/lang/Runnable.run()V nothing
v14 = lambda java/util/function/Supplier.get()Ljava/lang/Object; gives int 3
v15 = lambda java/util/function/Function.apply(Ljava/lang/Object;)Ljava/lang/Object; reference static java/lang/String.valueOf(Ljava/lang/Object;)Ljava/lang/String;
v16 = cast v4 : (java/lang/Object) -> java/lang/String
v17 = get static demo/Foo.count J
v18 = set demo/Foo.x Z v5 v19
v19 = boolean true
v20 = float bits 7fc00001
v21 = double -0.0
v22 = char "\ud83d"
v23 = new inner demo/Outer$Inner(Ldemo/Outer;)V v0
v24 = call "a b"."weird.name"(I)V v0 v0
v25 = double inf
assert v0 equals boxed int 3
assert v9 contains array [Ljava/lang/Object; {int 1, null, array [I {}, object demo/Foo, longstring 4000}
assert v1 notnull
assert v1 notsame v2
assert v1 isa java/util/ArrayList
expect throws java/lang/IllegalArgumentException "bad \"x\""
"#,
    );
    check("expect breaks equals-hashcode v0 v1\n");
    check("expect breaks user demo/Contracts.holds v0\n");
    check("expect bad java/lang/AssertionError\n");
}

#[test]
fn comments_and_spaces_do_not_matter() {
    let mut ops = Operations::default();
    let test = parse_test("# a comment\n\n  v0  =  int   1\r\n\nassert v0 equals int 1", &mut ops).unwrap();
    assert_eq!(print_test(&test, &ops), "v0 = int 1\nassert v0 equals int 1\nexpect passes\n");
}

fn check_problem(text: &str, line: usize, column: usize, expected: &str) {
    let problem = parse_test(text, &mut Operations::default()).unwrap_err();
    assert_eq!((problem.line, problem.column, &*problem.expected), (line, column, expected), "{text}");
}

#[test]
fn problems_name_the_place() {
    check_problem("v1 = int 1", 1, 3, "the statement that makes v0");
    check_problem("v0 = int 1\nv1 = int x", 2, 10, "an int");
    check_problem("v0 = byte 300", 1, 11, "a byte");
    check_problem("v0 = frob", 1, 10, "an operation");
    check_problem("v0 = string \"abc", 1, 17, "the closing quote");
    check_problem("v0 = cast v0", 1, 13, "` : ` and the types of the operation");
    check_problem("v0 = int 1 junk", 1, 12, "the end of the line");
    check_problem("expect passes\nexpect passes", 2, 7, "only one expectation");
    check_problem("v0 = int 1 : java/util/List<", 1, 29, "a name");
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-zA-Z_$][a-zA-Z0-9_$]{0,6}(/[A-Z][a-z]{0,4})?",
        Just("int".to_owned()),
        Just("static".to_owned()),
        "\\PC{1,6}",
        Just("v3".to_owned())
    ]
    .prop_filter("class names are not empty", |n| !n.is_empty())
}

fn class_name() -> impl Strategy<Value = ClassName> {
    name().prop_map(|n| ClassName::new(n.replace([';', '[', '.'], "_")))
}

fn field_type() -> impl Strategy<Value = FieldType> {
    let leaf = prop_oneof![
        prop::sample::select(&Primitive::ALL).prop_map(FieldType::Primitive),
        class_name().prop_map(FieldType::Class)
    ];
    leaf.prop_recursive(2, 4, 1, |inner| inner.prop_map(|t| FieldType::Array(Box::new(t))))
}

fn reference() -> impl Strategy<Value = Type> {
    let class = |args| (class_name(), args).prop_map(|(name, args)| Type::Class(ClassType { name, args }));
    class(Just(Vec::new()).boxed()).prop_recursive(3, 12, 3, move |inner| {
        let arg = prop_oneof![
            Just(TypeArg::Any),
            inner.clone().prop_map(TypeArg::Exact),
            inner.clone().prop_map(TypeArg::Extends),
            inner.clone().prop_map(TypeArg::Super)
        ];
        prop_oneof![class(prop::collection::vec(arg, 0..3).boxed()), inner.prop_map(Type::array)]
    })
}

fn any_type() -> impl Strategy<Value = Type> {
    prop_oneof![Just(Type::Void), prop::sample::select(&Primitive::ALL).prop_map(Type::Primitive), reference()]
}

fn constant() -> impl Strategy<Value = Constant> {
    prop_oneof![
        Just(Constant::Null),
        any::<bool>().prop_map(Constant::Boolean),
        any::<i8>().prop_map(Constant::Byte),
        any::<u16>().prop_map(Constant::Char),
        any::<i16>().prop_map(Constant::Short),
        any::<i32>().prop_map(Constant::Int),
        any::<i64>().prop_map(Constant::Long),
        any::<u32>().prop_map(Constant::Float),
        any::<u64>().prop_map(Constant::Double),
        prop::collection::vec(any::<u16>(), 0..6).prop_map(|u| Constant::String(JavaString::new(&u))),
        "\\PC{0,8}".prop_map(|s| Constant::String((&*s).into())),
        field_type().prop_map(Constant::Class),
        (class_name(), name()).prop_map(|(class, name)| Constant::Enum { class, name: name.into() }),
    ]
}

fn descriptor() -> impl Strategy<Value = std::sync::Arc<str>> {
    (prop::collection::vec(field_type(), 0..3), prop::option::of(field_type()))
        .prop_map(|(params, result)| bytecode::names::MethodDescriptor { params, result }.to_string().into())
}

fn kind() -> impl Strategy<Value = OperationKind> {
    let member = || (class_name(), name().prop_map(std::sync::Arc::<str>::from));
    let body = prop_oneof![
        Just(LambdaBody::Nothing),
        constant().prop_map(LambdaBody::Constant),
        any::<u16>().prop_map(LambdaBody::Parameter),
        (member(), descriptor(), any::<bool>(), any::<bool>()).prop_map(
            |((owner, name), descriptor, is_static, owner_is_interface)| {
                LambdaBody::Reference { owner, name, descriptor, is_static, owner_is_interface }
            }
        )
    ];
    prop_oneof![
        constant().prop_map(OperationKind::Constant),
        (class_name(), descriptor(), any::<bool>(), any::<bool>()).prop_map(|(class, descriptor, varargs, inner)| {
            OperationKind::Construct { class, descriptor, varargs, inner }
        }),
        (member(), descriptor(), any::<[bool; 3]>()).prop_map(
            |((owner, name), descriptor, [is_static, owner_is_interface, varargs])| {
                OperationKind::Call { owner, name, descriptor, is_static, owner_is_interface, varargs }
            }
        ),
        (member(), field_type(), any::<bool>()).prop_map(|((owner, name), field_type, is_static)| {
            OperationKind::ReadField { owner, name, field_type, is_static }
        }),
        (member(), field_type(), any::<bool>()).prop_map(|((owner, name), field_type, is_static)| {
            OperationKind::WriteField { owner, name, field_type, is_static }
        }),
        prop::collection::vec(any::<u32>(), 0..3).prop_map(|lengths| OperationKind::NewArray { lengths }),
        (0u32..5).prop_map(|length| OperationKind::ArrayLiteral { length }),
        any::<u32>().prop_map(|index| OperationKind::StoreElement { index }),
        any::<u32>().prop_map(|index| OperationKind::LoadElement { index }),
        Just(OperationKind::Cast),
        (member(), descriptor(), descriptor(), body).prop_map(|((interface, method), descriptor, exact, body)| {
            OperationKind::Lambda(Lambda { interface, method, descriptor, exact, body })
        }),
    ]
}

/// Types as implied by the kind, or any.
fn operation() -> impl Strategy<Value = Operation> {
    (kind(), prop::collection::vec(any_type(), 0..3), any_type(), any::<bool>()).prop_map(
        |(kind, params, result, plain)| {
            let (params, result) = plain.then(|| defaults::implied(&kind, None)).flatten().unwrap_or((params, result));
            Operation { kind, params, result }
        },
    )
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<i32>().prop_map(Value::Int),
        any::<u64>().prop_map(Value::Double),
        any::<u16>().prop_map(|c| Value::Boxed(Box::new(Value::Char(c)))),
        Just(Value::Null),
        any::<u32>().prop_map(|length| Value::LongString { length }),
        (field_type(), any::<u32>()).prop_map(|(class, length)| Value::LongArray { class, length }),
        class_name().prop_map(|class| Value::Object { class }),
        prop::collection::vec(any::<u16>(), 0..6).prop_map(|u| Value::String(JavaString::new(&u))),
    ];
    leaf.prop_recursive(3, 8, 3, |inner| {
        (field_type(), prop::collection::vec(inner, 0..3))
            .prop_map(|(class, elements)| Value::Array { class, elements })
    })
}

fn test_case() -> impl Strategy<Value = (TestCase, Operations)> {
    let var = || any::<u16>().prop_map(Var);
    let assertion = prop_oneof![
        (var(), value()).prop_map(|(var, value)| Assertion::Equals { var, value }),
        (var(), value()).prop_map(|(var, value)| Assertion::ArrayEquals { var, value }),
        var().prop_map(|var| Assertion::NotNull { var }),
        (var(), var(), any::<bool>()).prop_map(|(left, right, same)| Assertion::Same { left, right, same }),
        (var(), class_name()).prop_map(|(var, class)| Assertion::InstanceOf { var, class }),
    ];
    let expectation = prop_oneof![
        Just(Expectation::Passes),
        (class_name(), prop::option::of("\\PC{0,9}"))
            .prop_map(|(class, m)| Expectation::Throws { class, message: m.map(Into::into) }),
        (class_name(), name(), prop::collection::vec(var(), 0..3)).prop_map(|(class, method, vars)| {
            Expectation::Breaks { contract: Contract::User { class, method: method.into() }, vars }
        }),
        class_name().prop_map(|class| Expectation::BadException { class }),
    ];
    let statement = (operation(), prop::collection::vec(var(), 0..4));
    (
        prop::collection::vec(statement, 0..6),
        prop::collection::vec(assertion, 0..3),
        expectation,
        prop::option::of(var()),
    )
        .prop_map(|(list, assertions, expectation, subject)| {
            let mut operations = Operations::default();
            let statements: Vec<Statement> =
                list.into_iter().map(|(o, args)| Statement::new(operations.intern(o), &args)).collect();
            (TestCase { sequence: Sequence::new(statements), assertions, expectation, subject }, operations)
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_tests_round_trip((test, operations) in test_case()) {
        let text = print_test(&test, &operations);
        let mut again = Operations::default();
        let read = parse_test(&text, &mut again).map_err(|p| TestCaseError::fail(format!("{p}\n{text}")))?;
        prop_assert_eq!(print_test(&read, &again), text.clone());
        prop_assert_eq!(&read.assertions, &test.assertions);
        prop_assert_eq!(&read.expectation, &test.expectation);
        for (a, b) in read.sequence.statements().iter().zip(test.sequence.statements()) {
            prop_assert_eq!(&a.args, &b.args);
            prop_assert_eq!(again.get(a.op), operations.get(b.op), "{}", text);
        }
        prop_assert_eq!(read.sequence.len(), test.sequence.len());
    }

    #[test]
    fn damaged_text_never_panics((test, operations) in test_case(), at in any::<prop::sample::Index>(), junk in "\\PC{0,4}") {
        let text: Vec<char> = print_test(&test, &operations).chars().collect();
        let at = at.index(text.len());
        let damaged: String = text[..at].iter().chain(junk.chars().collect::<Vec<_>>().iter()).chain(&text[(at + 1).min(text.len())..]).collect();
        let _ = parse_test(&damaged, &mut Operations::default());
    }

    #[test]
    fn random_text_never_panics(text in "(v[0-9]|=|[a-z]{1,6}|[<>(),:;\"\\\\\\[\\]?. \n]){0,40}") {
        let _ = parse_test(&text, &mut Operations::default());
    }
}
