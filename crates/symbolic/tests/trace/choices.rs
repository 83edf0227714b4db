//! Which object an argument is, which constant of an enum, how long an array: inputs like any other.

use std::path::Path;

use symbolic::trace::Choices;
use testcase::operation::{Operation, OperationKind};
use testcase::sequence::{Sequence, SequenceBuilder, Var};
use testcase::types::Type;
use testcase::value::Constant;

use super::source::jdks;
use super::{Bench, class_type};

fn bench(home: &Path, test: &str) -> Bench {
    let java = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/Chosen.java");
    Bench::over(home, test, &java)
}

/// A call of two references: an argument can be null, a shape or one of two squares.
fn of_two(bench: &mut Bench, name: &str, descriptor: &str) -> Sequence {
    let mut builder = SequenceBuilder::default();
    let null = Operation::constant(Constant::Null, class_type("Chosen$Square"));
    let null = bench.operations.intern(null);
    builder.push(null, &[]);
    let mut offered = vec![Var(0)];
    for (maker, size) in [("shape", 3), ("square", 7), ("square", 8)] {
        let size = bench.constant(Constant::Int(size));
        let size = builder.push(size, &[]);
        let result = if maker == "shape" { "LChosen$Shape;" } else { "LChosen$Square;" };
        let maker = bench.call(maker, &format!("(I){result}"), true);
        offered.push(builder.push(maker, &[size]));
    }
    let call = bench.call(name, descriptor, true);
    let at = builder.push(call, &[offered[1], offered[2]]).index();
    bench.choices = Choices::default();
    bench.choices.argument(at, 0, offered.clone());
    bench.choices.argument(at, 1, offered);
    builder.finish()
}

#[test]
fn objects_are_chosen() {
    let (two, shapes) = ("(Ljava/lang/Object;Ljava/lang/Object;)I", "(LChosen$Shape;LChosen$Shape;)I");
    let null = "NullPointerException";
    let cases: [(&str, &str, &[&str]); 11] = [
        ("isNull", two, &["0", "1"]),
        ("same", two, &["0", "1"]),
        ("kind", two, &["0", "1", "2"]),
        ("cast", two, &["0", "1", "ClassCastException", null]),
        ("dispatch", shapes, &["0", "1", null]),
        ("byInterface", shapes, &["0", "1", null]),
        ("stored", two, &["1", "2", "3", "ArrayStoreException"]),
        ("linked", shapes, &["0", "1", "2", null]),
        ("listed", two, &["0", "1", "2"]),
        ("mapped", two, &["0", "1"]),
        ("required", two, &["0", "1", null]),
    ];
    let mut wrong = Vec::new();
    for home in jdks() {
        let mut bench = bench(&home, "objects");
        for (name, descriptor, expected) in cases {
            let sequence = of_two(&mut bench, name, descriptor);
            let found = bench.explore(sequence, 120, false);
            if found != expected {
                wrong.push(format!("{name} on {}: {found:?}", home.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn nothing_is_recorded_of_objects_nobody_chooses() {
    let mut bench = bench(&jdks()[0], "fixed");
    let sequence = of_two(&mut bench, "linked", "(LChosen$Shape;LChosen$Shape;)I");
    bench.choices = Choices::default();
    let trace = bench.run(&sequence, symbolic::trace::Wish::default());
    assert_eq!(trace.steps, []);
}

#[test]
fn constants_of_enums_are_chosen() {
    for home in jdks() {
        let mut bench = bench(&home, "enums");
        let constant = Constant::Enum { class: bytecode::names::ClassName::new("Chosen$Colour"), name: "RED".into() };
        let constant = bench.operations.intern(Operation::constant(constant, class_type("Chosen$Colour")));
        let mut builder = SequenceBuilder::default();
        let colour = builder.push(constant, &[]);
        let call = bench.call("colour", "(LChosen$Colour;)I", true);
        builder.push(call, &[colour]);
        bench.choices = Choices::default();
        bench.choices.constants = true;
        assert_eq!(bench.explore(builder.finish(), 40, false), ["1", "2", "5"], "{}", home.display());
    }
}

#[test]
fn lengths_of_arrays_are_chosen() {
    let int = || Type::Primitive(bytecode::names::Primitive::Int);
    let text = Constant::String("xxx".into());
    let cases: [(&str, &str, Type, Constant, &[&str]); 3] = [
        ("length", "([I)I", int(), Constant::Int(0), &["0", "1", "2"]),
        ("copied", "([I)I", int(), Constant::Int(0), &["0", "1"]),
        ("texts", "([Ljava/lang/String;)I", class_type("java/lang/String"), text, &["0", "1", "2"]),
    ];
    for home in jdks() {
        let mut bench = bench(&home, "lengths-of-arrays");
        for (name, descriptor, element, literal, expected) in &cases {
            let mut builder = SequenceBuilder::default();
            let mut elements = Vec::new();
            for _ in 0..8 {
                let op = bench.constant(literal.clone());
                elements.push(builder.push(op, &[]));
            }
            let literal = Operation {
                kind: OperationKind::ArrayLiteral { length: 1 },
                params: vec![element.clone()],
                result: Type::Array(Box::new(element.clone())),
            };
            let literal = bench.operations.intern(literal);
            let array = builder.push(literal, &elements[..1]);
            let call = bench.call(name, descriptor, true);
            builder.push(call, &[array]);
            bench.choices = Choices::default();
            bench.choices.elements(array.index(), elements);
            assert_eq!(bench.explore(builder.finish(), 100, false), *expected, "{name} on {}", home.display());
        }
    }
}
