//! Every kind of operation, called on every JDK through generated dispatchers. Owns the expected values.

mod support;

use bytecode::names::{ClassName, FieldType};
use support::{Rig, jdks, sequence};
use testcase::execution::{Execution, Outcome};
use testcase::operation::{Lambda, LambdaBody, OpId, OperationKind};
use testcase::value::{Constant, JavaString, Value};

const KINDS: &str = "subjects/Kinds";
const OBJECT: &str = "Ljava/lang/Object;";
const STRING: &str = "Ljava/lang/String;";

/// Runs the operations one after the other, each with the arguments given, and compares the last one's value.
fn check(rig: &mut Rig, statements: &[(OpId, &[u16])], expected: Value) {
    let run = rig.run_one(sequence(statements));
    assert_eq!(run.outcome, Outcome::Normal, "{run:?}");
    assert_eq!(last_value(&run), Some(expected), "{run:?}");
}

fn last_value(run: &Execution) -> Option<Value> {
    run.observations.last().and_then(|o| o.value.clone())
}

fn text(s: &str) -> Value {
    Value::String(JavaString::from(s))
}

fn string(rig: &mut Rig, s: &str) -> OpId {
    rig.constant(Constant::String(s.into()), STRING)
}

fn rig(name: &str, run: impl Fn(&mut Rig)) {
    for jdk in jdks() {
        let classes = [KINDS, "subjects/Kinds$Inner", "subjects/Kinds$Colour", "subjects/Kinds$Square"];
        run(&mut Rig::new(&jdk, name, &classes));
    }
}

#[test]
fn constants_of_all_types_arrive() {
    rig("constants", |rig| {
        let constants = [
            (Constant::Boolean(true), "Z"),
            (Constant::Byte(-128), "B"),
            (Constant::Char(0xd800), "C"),
            (Constant::Short(-3), "S"),
            (Constant::Int(i32::MIN), "I"),
            (Constant::Long(i64::MIN), "J"),
            (Constant::Float((-0.0f32).to_bits()), "F"),
            (Constant::Double(f64::NAN.to_bits()), "D"),
        ]
        .map(|(c, t)| rig.constant(c, t));
        let all = rig.static_call(KINDS, "all", "(ZBCSIJFD)Ljava/lang/String;");
        let mut statements: Vec<(OpId, &[u16])> = constants.iter().map(|c| (*c, &[][..])).collect();
        statements.push((all, &[0, 1, 2, 3, 4, 5, 6, 7]));
        check(rig, &statements, text("true -128 55296 -3 -2147483648 -9223372036854775808 -0.0 NaN"));

        let odd = Constant::String(JavaString::new(&[0, 0x41, 0xd83d, 0xe9, 0xffff]));
        let odd_op = rig.constant(odd, STRING);
        let length = rig.static_call(KINDS, "length", "(Ljava/lang/String;)I");
        check(rig, &[(odd_op, &[]), (length, &[0])], Value::Int(5));
        check(rig, &[(odd_op, &[])], Value::String(JavaString::new(&[0, 0x41, 0xd83d, 0xe9, 0xffff])));

        let colour = ClassName::new("subjects/Kinds$Colour");
        let green = rig.constant(Constant::Enum { class: colour, name: "GREEN".into() }, "Lsubjects/Kinds$Colour;");
        let code = rig.static_call(KINDS, "colour", "(Lsubjects/Kinds$Colour;)I");
        check(rig, &[(green, &[]), (code, &[0])], Value::Int(7));

        let name = rig.static_call(KINDS, "className", "(Ljava/lang/Class;)Ljava/lang/String;");
        for (descriptor, expected) in [("I", "int"), ("[[J", "[[J"), ("Lsubjects/Kinds;", "subjects.Kinds")] {
            let class = FieldType::parse(descriptor).unwrap();
            let class = rig.constant(Constant::Class(class), "Ljava/lang/Class;");
            check(rig, &[(class, &[]), (name, &[0])], text(expected));
        }
        let null = rig.constant(Constant::Null, STRING);
        let run = rig.run_one(sequence(&[(null, &[]), (length, &[0])]));
        assert!(
            matches!(&run.outcome, Outcome::Threw { exception, .. } if exception.class.internal().ends_with("NullPointerException"))
        );
    });
}

#[test]
fn members_of_all_kinds_are_reached() {
    rig("members", |rig| {
        let hello = string(rig, "hello");
        let new = rig.construct(KINDS, "(Ljava/lang/String;)V");
        let read = |owner: &str, name: &str, ty: &str, is_static| OperationKind::ReadField {
            owner: owner.into(),
            name: name.into(),
            field_type: FieldType::parse(ty).unwrap(),
            is_static,
        };
        let write = |owner: &str, name: &str, ty: &str, is_static| OperationKind::WriteField {
            owner: owner.into(),
            name: name.into(),
            field_type: FieldType::parse(ty).unwrap(),
            is_static,
        };
        let this = "Lsubjects/Kinds;";
        let get_field = rig.other(read(KINDS, "field", "D", false), &[this], "D");
        check(rig, &[(hello, &[]), (new, &[0]), (get_field, &[1])], Value::Double(1.5f64.to_bits()));
        let set_field = rig.other(write(KINDS, "field", "D", false), &[this, "D"], "V");
        let two = rig.constant(Constant::Double(2f64.to_bits()), "D");
        let changed: &[(OpId, &[u16])] =
            &[(hello, &[]), (new, &[0]), (two, &[]), (set_field, &[1, 2]), (get_field, &[1])];
        check(rig, changed, Value::Double(2f64.to_bits()));
        let get_static = rig.other(read(KINDS, "shared", "I", true), &[], "I");
        let set_static = rig.other(write(KINDS, "shared", "I", true), &["I"], "V");
        let nine = rig.int(9);
        check(rig, &[(nine, &[]), (set_static, &[0]), (get_static, &[])], Value::Int(9));
        check(rig, &[(get_static, &[])], Value::Int(3));

        let inner = rig.construct("subjects/Kinds$Inner", "(Lsubjects/Kinds;J)V");
        let show = rig.call("subjects/Kinds$Inner", "show", "()Ljava/lang/String;");
        let long = rig.constant(Constant::Long(1 << 40), "J");
        let statements: &[(OpId, &[u16])] = &[(hello, &[]), (new, &[0]), (long, &[]), (inner, &[1, 2]), (show, &[3])];
        check(rig, statements, text("hello1099511627776"));

        let square = rig.construct("subjects/Kinds$Square", "()V");
        let sides = rig.any_call("subjects/Kinds$Shape", "sides", "()I", false, true);
        check(rig, &[(square, &[]), (sides, &[0])], Value::Int(4));
        let shapes = rig.other(
            OperationKind::ArrayLiteral { length: 2 },
            &["Lsubjects/Kinds$Shape;"; 2],
            "[Lsubjects/Kinds$Shape;",
        );
        let count = rig.any_call("subjects/Kinds$Shape", "count", "([Lsubjects/Kinds$Shape;)I", true, true);
        check(rig, &[(square, &[]), (shapes, &[0, 0]), (count, &[1])], Value::Int(2));

        let list = rig.construct("java/util/ArrayList", "()V");
        let add = rig.any_call("java/util/List", "add", "(Ljava/lang/Object;)Z", false, true);
        check(rig, &[(list, &[]), (hello, &[]), (add, &[0, 1])], Value::Boolean(true));
    });
}

#[test]
fn arrays_are_made_filled_and_read() {
    rig("arrays", |rig| {
        let five = rig.int(5);
        let sum = rig.static_call(KINDS, "sum", "([I)I");
        let new = rig.other(OperationKind::NewArray { lengths: vec![3] }, &[], "[I");
        let store = rig.other(OperationKind::StoreElement { index: 2 }, &["[I", "I"], "V");
        let load = rig.other(OperationKind::LoadElement { index: 2 }, &["[I"], "I");
        check(rig, &[(new, &[]), (five, &[]), (store, &[0, 1]), (sum, &[0])], Value::Int(5));
        check(rig, &[(new, &[]), (five, &[]), (store, &[0, 1]), (load, &[0])], Value::Int(5));
        let literal = rig.other(OperationKind::ArrayLiteral { length: 3 }, &["I"; 3], "[I");
        check(rig, &[(five, &[]), (literal, &[0, 0, 0]), (sum, &[1])], Value::Int(15));
        let empty = rig.other(OperationKind::ArrayLiteral { length: 0 }, &[], "[I");
        check(rig, &[(empty, &[]), (sum, &[0])], Value::Int(0));
        let depth = rig.static_call(KINDS, "depth", "([[[I)I");
        for (lengths, expected) in [(vec![2, 3, 4], 234), (vec![2, 3], 230)] {
            let cube = rig.other(OperationKind::NewArray { lengths }, &[], "[[[I");
            check(rig, &[(cube, &[]), (depth, &[0])], Value::Int(expected));
        }
    });
}

#[test]
fn casts_lead_to_subtypes() {
    rig("casts", |rig| {
        let object = rig.static_call(KINDS, "object", "()Ljava/lang/Object;");
        let cast = rig.other(OperationKind::Cast, &[OBJECT], STRING);
        let length = rig.static_call(KINDS, "length", "(Ljava/lang/String;)I");
        check(rig, &[(object, &[]), (cast, &[0]), (length, &[1])], Value::Int(21));
    });
}

#[test]
fn lambdas_refuse_what_their_type_arguments_exclude() {
    rig("refusing", |rig| {
        const COMPARE: &str = "(Ljava/lang/Object;Ljava/lang/Object;)I";
        let mut comparator = |exact: &str| {
            let lambda = Lambda {
                interface: "java/util/Comparator".into(),
                method: "compare".into(),
                descriptor: COMPARE.into(),
                exact: exact.into(),
                body: LambdaBody::Constant(Constant::Int(3)),
            };
            rig.other(OperationKind::Lambda(lambda), &[], "Ljava/util/Comparator;")
        };
        let (any, of_strings) = (comparator(COMPARE), comparator("(Ljava/lang/String;Ljava/lang/String;)I"));
        let compare = rig.any_call("java/util/Comparator", "compare", COMPARE, false, true);
        let (text, class) = (string(rig, "a"), rig.constant(Constant::Class(FieldType::Class(KINDS.into())), OBJECT));
        check(rig, &[(text, &[]), (any, &[]), (compare, &[1, 0, 0])], Value::Int(3));
        check(rig, &[(text, &[]), (of_strings, &[]), (compare, &[1, 0, 0])], Value::Int(3));
        let run = rig.run_one(sequence(&[(text, &[]), (class, &[]), (of_strings, &[]), (compare, &[2, 0, 1])]));
        let Outcome::Threw { statement: 3, exception } = run.outcome else { panic!("{run:?}") };
        assert_eq!(exception.class.internal(), "java/lang/ClassCastException");
    });
}

#[test]
fn lambdas_have_the_bodies_asked_for() {
    rig("lambdas", |rig| {
        let lambda = |rig: &mut Rig, interface: &str, method: &str, descriptor: &str, body: LambdaBody| {
            let lambda = Lambda {
                interface: interface.into(),
                method: method.into(),
                descriptor: descriptor.into(),
                exact: descriptor.into(),
                body,
            };
            rig.other(OperationKind::Lambda(lambda), &[], &format!("L{interface};"))
        };
        let reference = |owner: &str, name: &str, descriptor: &str, is_static| LambdaBody::Reference {
            owner: owner.into(),
            name: name.into(),
            descriptor: descriptor.into(),
            is_static,
            owner_is_interface: false,
        };
        let (x, y) = (string(rig, "ab"), string(rig, "cde"));
        let four = rig.int(4);

        let operator = "java/util/function/IntUnaryOperator";
        let apply = rig.static_call(KINDS, "apply", "(Ljava/util/function/IntUnaryOperator;I)I");
        for (body, expected) in [
            (LambdaBody::Nothing, 0),
            (LambdaBody::Constant(Constant::Int(70_000)), 70_000),
            (LambdaBody::Parameter(0), 4),
            (reference("java/lang/Integer", "bitCount", "(I)I", true), 1),
        ] {
            let f = lambda(rig, operator, "applyAsInt", "(I)I", body);
            check(rig, &[(f, &[]), (four, &[]), (apply, &[0, 1])], Value::Int(expected));
        }

        let function = "java/util/function/Function";
        let erased = "(Ljava/lang/Object;)Ljava/lang/Object;";
        let call = rig.static_call(KINDS, "function", &format!("(L{function};{OBJECT}){OBJECT}"));
        for (body, expected) in [
            (LambdaBody::Nothing, Value::Null),
            (LambdaBody::Constant(Constant::Null), Value::Null),
            (LambdaBody::Constant(Constant::Long(3)), Value::Boxed(Box::new(Value::Long(3)))),
            (LambdaBody::Constant(Constant::Double(0)), Value::Boxed(Box::new(Value::Double(0)))),
            (LambdaBody::Constant(Constant::Float(0)), Value::Boxed(Box::new(Value::Float(0)))),
            (LambdaBody::Constant(Constant::Boolean(true)), Value::Boxed(Box::new(Value::Boolean(true)))),
            (LambdaBody::Constant(Constant::String("s".into())), text("s")),
            (LambdaBody::Parameter(0), text("ab")),
            (reference("java/lang/String", "length", "()I", false), Value::Boxed(Box::new(Value::Int(2)))),
            (reference("java/lang/String", "toUpperCase", "()Ljava/lang/String;", false), text("AB")),
            (reference(KINDS, "length", "(Ljava/lang/String;)I", true), Value::Boxed(Box::new(Value::Int(2)))),
        ] {
            let f = lambda(rig, function, "apply", erased, body);
            check(rig, &[(f, &[]), (x, &[]), (call, &[0, 1])], expected);
        }

        let to_int = "java/util/function/ToIntFunction";
        let f = lambda(rig, to_int, "applyAsInt", "(Ljava/lang/Object;)I", LambdaBody::Parameter(0));
        let boxed = rig.static_call("java/lang/Integer", "valueOf", "(I)Ljava/lang/Integer;");
        let call = rig.static_call(KINDS, "toInt", &format!("(L{to_int};{OBJECT})I"));
        check(rig, &[(f, &[]), (four, &[]), (boxed, &[1]), (call, &[0, 2])], Value::Int(4));

        let from_long = "java/util/function/LongFunction";
        let f = lambda(rig, from_long, "apply", "(J)Ljava/lang/Object;", LambdaBody::Parameter(0));
        let call = rig.static_call(KINDS, "fromLong", &format!("(L{from_long};J){OBJECT}"));
        let long = rig.constant(Constant::Long(-1), "J");
        check(rig, &[(f, &[]), (long, &[]), (call, &[0, 1])], Value::Boxed(Box::new(Value::Long(-1))));

        let pair = "java/util/function/BiFunction";
        let two = "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;";
        let call = rig.static_call(KINDS, "pair", &format!("(L{pair};{OBJECT}{OBJECT}){OBJECT}"));
        let f = lambda(
            rig,
            pair,
            "apply",
            two,
            reference("java/lang/String", "concat", "(Ljava/lang/String;)Ljava/lang/String;", false),
        );
        check(rig, &[(f, &[]), (x, &[]), (y, &[]), (call, &[0, 1, 2])], text("abcde"));

        let comparator = "java/util/Comparator";
        let f = lambda(
            rig,
            comparator,
            "compare",
            "(Ljava/lang/Object;Ljava/lang/Object;)I",
            reference("java/lang/String", "compareTo", "(Ljava/lang/String;)I", false),
        );
        let call = rig.static_call(KINDS, "compare", &format!("(L{comparator};{OBJECT}{OBJECT})I"));
        check(rig, &[(f, &[]), (x, &[]), (y, &[]), (call, &[0, 1, 2])], Value::Int(-2));

        let runnable = lambda(rig, "java/lang/Runnable", "run", "()V", LambdaBody::Nothing);
        let run = rig.static_call(KINDS, "run", "(Ljava/lang/Runnable;)V");
        check(rig, &[(runnable, &[]), (run, &[0])], Value::Null);
        let supplier = lambda(
            rig,
            "java/util/function/Supplier",
            "get",
            "()Ljava/lang/Object;",
            LambdaBody::Constant(Constant::Char(65)),
        );
        let call = rig.static_call(KINDS, "supply", &format!("(Ljava/util/function/Supplier;){OBJECT}"));
        check(rig, &[(supplier, &[]), (call, &[0])], Value::Boxed(Box::new(Value::Char(65))));
    });
}

#[test]
fn hundreds_of_operations_are_split_over_dispatchers() {
    let jdk = jdks().remove(0);
    let mut rig = Rig::new(&jdk, "many", &[KINDS]);
    let five = rig.int(5);
    let sum = rig.static_call(KINDS, "sum", "([I)I");
    // Every length is an operation of its own; together they need some 300 KB of code.
    let literals: Vec<OpId> = (0..160u32)
        .map(|n| rig.other(OperationKind::ArrayLiteral { length: n }, &vec!["I"; n as usize], "[I"))
        .collect();
    for n in [0usize, 1, 2, 50, 99, 159] {
        let args = vec![0u16; n];
        check(&mut rig, &[(five, &[]), (literals[n], &args), (sum, &[1])], Value::Int(5 * n as i32));
    }
}

#[test]
fn what_cannot_be_linked_or_named_is_said() {
    rig("unlinkable", |rig| {
        let missing = rig.static_call("no/such/Thing", "go", "()V");
        let run = rig.run_one(sequence(&[(missing, &[])]));
        assert!(
            matches!(&run.outcome, Outcome::Unlinkable { statement: 0, message } if message.contains("Thing")),
            "{run:?}"
        );
        // Package-private in another package.
        let hidden = rig.other(OperationKind::NewArray { lengths: vec![1] }, &[], "[Ljava/util/HashMap$TreeNode;");
        let run = rig.run_one(sequence(&[(hidden, &[])]));
        assert!(
            matches!(&run.outcome, Outcome::Unlinkable { statement: 0, message } if message.contains("TreeNode")),
            "{run:?}"
        );
        assert!(rig.executor.unusable_operations().contains_key(&hidden));
        let five = rig.int(5);
        check(rig, &[(five, &[])], Value::Int(5));
    });
}
