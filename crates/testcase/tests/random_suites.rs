//! Random valid sequences over real classes: whatever the verifier accepts, the JUnit writer must turn into source that javac accepts.

mod support;

use std::collections::BTreeMap;

use bytecode::names::{ClassName, Primitive};
use testcase::assertion::{Assertion, Expectation, TestCase};
use testcase::generic::instantiate_class;
use testcase::junit::write_suite;
use testcase::members::{MemberOptions, functional_shape, operations_of};
use testcase::operation::{Lambda, LambdaBody, OpId, Operation, OperationKind, Operations};
use testcase::sequence::{SequenceBuilder, Var};
use testcase::subtyping::Subtyping;
use testcase::suite::{JUnitVersion, NamedTest, Suite};
use testcase::text::print_sequence;
use testcase::types::{ClassType, Type};
use testcase::value::Constant;
use testcase::verify::verify;

/// SplitMix64: small, seeded, good enough to mix choices.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }
}

struct Generator<'s, 'c> {
    subtyping: &'s Subtyping<'c>,
    operations: Operations,
    calls: Vec<OpId>,
    /// Calls that make a value of a type.
    makers: BTreeMap<Type, Vec<OpId>>,
    random: Random,
}

impl Generator<'_, '_> {
    /// A value that fits the type: one at hand, a literal, a lambda, null, or one made by some operation.
    fn argument(
        &mut self,
        builder: &mut SequenceBuilder,
        wanted: &Type,
        may_be_null: bool,
        depth: usize,
    ) -> Option<Var> {
        let at_hand: Vec<Var> = (0..builder.len())
            .map(|i| Var(i as u16))
            .filter(|v| {
                let made = self.operations.get(builder.statements()[v.index()].op);
                let is_null = matches!(made.kind, OperationKind::Constant(Constant::Null));
                !is_null && self.subtyping.fits(&made.result, wanted)
            })
            .collect();
        if !at_hand.is_empty() && self.random.below(4) > 0 {
            return Some(at_hand[self.random.below(at_hand.len())]);
        }
        if let Some(constant) = self.constant(wanted) {
            let op = self.operations.intern(Operation::constant(constant, wanted.clone()));
            return Some(builder.push(op, &[]));
        }
        if let Type::Array(element) = wanted {
            let elements: Vec<Var> =
                (0..self.random.below(3)).filter_map(|_| self.argument(builder, element, true, depth + 1)).collect();
            let op = Operation {
                kind: OperationKind::ArrayLiteral { length: elements.len() as u32 },
                params: vec![(**element).clone(); elements.len()],
                result: wanted.clone(),
            };
            let op = self.operations.intern(op);
            return Some(builder.push(op, &elements));
        }
        if let Some(lambda) = self.lambda(wanted) {
            let op = self.operations.intern(lambda);
            return Some(builder.push(op, &[]));
        }
        if depth < 3 {
            let (subtyping, operations, calls) = (self.subtyping, &self.operations, &self.calls);
            let fitting =
                || calls.iter().copied().filter(|&o| subtyping.fits(&operations.get(o).result, wanted)).collect();
            let makers = self.makers.entry(wanted.clone()).or_insert_with(fitting);
            if !makers.is_empty() {
                let op = makers[self.random.below(makers.len())];
                return self.call(builder, op, depth + 1);
            }
        }
        if !may_be_null || !wanted.is_reference() {
            return None;
        }
        let op = self.operations.intern(Operation::constant(Constant::Null, wanted.clone()));
        Some(builder.push(op, &[]))
    }

    fn constant(&mut self, wanted: &Type) -> Option<Constant> {
        let number = [0i64, 1, -1, 7, 1000, i64::MIN, i64::MAX][self.random.below(7)];
        let class = wanted.class_name().map(ClassName::internal);
        let boxed = |p: &Primitive| class == Some(p.box_class());
        let primitive = match wanted {
            Type::Primitive(p) => Some(*p),
            _ => Primitive::ALL.into_iter().find(boxed),
        };
        Some(match primitive {
            Some(Primitive::Boolean) => Constant::Boolean(number > 0),
            Some(Primitive::Byte) => Constant::Byte(number as i8),
            Some(Primitive::Char) => Constant::Char(number as u16),
            Some(Primitive::Short) => Constant::Short(number as i16),
            Some(Primitive::Int) => Constant::Int(number as i32),
            Some(Primitive::Long) => Constant::Long(number),
            Some(Primitive::Float) => Constant::Float((number as f32).to_bits()),
            Some(Primitive::Double) => Constant::Double([0.5f64, f64::NAN, -0.0, 1e-9][self.random.below(4)].to_bits()),
            None if class == Some("java/lang/String") => {
                Constant::String(["", "a", "\u{e9}\n\"", "\\u0041"][self.random.below(4)].into())
            }
            None if class == Some("java/lang/Object") => {
                [Constant::Int(300), Constant::String("o".into()), Constant::Null, Constant::Byte(-1)]
                    [self.random.below(4)]
                .clone()
            }
            None if class == Some("java/lang/CharSequence") => Constant::String("cs".into()),
            None if class == Some("demo/Shapes$Color") => {
                Constant::Enum { class: "demo/Shapes$Color".into(), name: "RED".into() }
            }
            None => return None,
        })
    }

    fn lambda(&mut self, wanted: &Type) -> Option<Operation> {
        let Type::Class(interface) = wanted else {
            return None;
        };
        let shape = functional_shape(self.subtyping, interface)?;
        let parameter = shape.params.iter().position(|p| self.subtyping.fits(p, &shape.result));
        let body = match parameter {
            _ if shape.result == Type::Void => LambdaBody::Nothing,
            Some(n) if self.random.below(2) == 0 => LambdaBody::Parameter(n as u16),
            _ => match self.constant(&shape.result) {
                Some(c) => LambdaBody::Constant(c),
                None if shape.result.is_reference() => LambdaBody::Constant(Constant::Null),
                None => return None,
            },
        };
        let (method, descriptor, exact) = (shape.method, shape.descriptor, shape.exact);
        let lambda = Lambda { interface: interface.name.clone(), method, descriptor, exact, body };
        Some(Operation { kind: OperationKind::Lambda(lambda), params: Vec::new(), result: wanted.clone() })
    }

    fn call(&mut self, builder: &mut SequenceBuilder, op: OpId, depth: usize) -> Option<Var> {
        let operation = self.operations.get(op).clone();
        let inner = matches!(operation.kind, OperationKind::Construct { inner: true, .. });
        let mut args = Vec::new();
        for (i, param) in operation.params.iter().enumerate() {
            let may_be_null = !(i == 0 && (operation.has_receiver() || inner));
            args.push(self.argument(builder, param, may_be_null, depth)?);
        }
        Some(builder.push(op, &args))
    }
}

#[test]
fn what_the_verifier_accepts_javac_accepts() {
    let jdk = support::jdks().remove(0);
    let classes = support::compile(&jdk, "random-classes", &["Shapes.java", "Tricky.java"]);
    let world = support::world(&jdk, &classes);
    let subtyping = Subtyping::new(&world);
    let mut operations = Operations::default();
    let mut calls = Vec::new();
    for class in [
        "demo/Shapes",
        "demo/Shapes$Box",
        "demo/Shapes$Pair",
        "demo/Shapes$Strings",
        "demo/Shapes$Raw",
        "demo/Shapes$Inner",
        "demo/Shapes$Generic",
        "demo/Shapes$Generic$Part",
        "demo/Shapes$Shown",
        "demo/Shapes$Color",
        "demo/Shapes$Point",
        "demo/Tricky",
        "demo/Tricky$IntStack",
        "demo/Tricky$Inner",
        "java/util/ArrayList",
        "java/util/HashMap",
        "java/util/TreeMap",
        "java/util/Collections",
        "java/util/Arrays",
        "java/lang/StringBuilder",
        "java/lang/String",
        "java/lang/Integer",
        "java/util/Optional",
        "java/util/BitSet",
        "java/util/stream/Stream",
        "java/util/Comparator",
        "java/util/Objects",
        "java/math/BigDecimal",
    ] {
        for class_type in instantiate_class(&subtyping, &ClassName::new(class), &[], 2).into_iter().chain(raw(class)) {
            for (operation, _) in operations_of(&subtyping, &class_type, "demo", &MemberOptions::default()) {
                if !operation.is_constant() {
                    calls.push(operations.intern(operation));
                }
            }
        }
    }
    calls.dedup();
    let mut generator =
        Generator { subtyping: &subtyping, operations, calls, makers: BTreeMap::new(), random: Random(7) };
    for (version, step) in [(JUnitVersion::Five, 1), (JUnitVersion::Four, 5)] {
        let mut suite = support::suite_for(&subtyping, "demo/Random", version);
        let wanted = generator.calls.len().div_ceil(step);
        for number in (0..generator.calls.len()).step_by(step) {
            let mut builder = SequenceBuilder::default();
            let op = generator.calls[number];
            if generator.call(&mut builder, op, 0).is_none() {
                continue;
            }
            let sequence = builder.finish();
            let problems = verify(&sequence, &generator.operations, &subtyping, 200);
            assert!(problems.is_empty(), "{problems:?}\n{}", print_sequence(&sequence, &generator.operations));
            let last = generator.operations.get(op);
            let (assertions, expectation) = match number % 3 {
                0 if last.result.is_reference() => {
                    (vec![Assertion::NotNull { var: sequence.last_var().unwrap() }], Expectation::Passes)
                }
                1 => (Vec::new(), Expectation::Throws { class: "java/lang/RuntimeException".into(), message: None }),
                _ => (Vec::new(), Expectation::Passes),
            };
            suite
                .tests
                .push(NamedTest { test: TestCase { sequence, assertions, expectation, subject: None }, comment: None });
        }
        assert!(
            suite.tests.len() * 10 > wanted * 7,
            "only {} of {wanted} operations could be called",
            suite.tests.len()
        );
        let written = write_suite(&suite, &generator.operations, &subtyping);
        assert_eq!(written.refused, []);
        let folder = support::scratch("random-suites");
        let api = support::junit_api(&jdk);
        let class_path = format!("{}:{api}", classes.display());
        let mut args = vec![
            "-nowarn".to_owned(),
            "-Xmaxerrs".into(),
            "1000".into(),
            "-XDrawDiagnostics".into(),
            "-proc:none".into(),
        ];
        args.extend(["-cp".into(), class_path, "-d".into(), folder.display().to_string()]);
        for file in &written.files {
            let path = folder.join("src").join(&file.name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, &file.text).unwrap();
            args.push(path.display().to_string());
        }
        support::run(&jdk, "javac", &args.iter().map(String::as_str).collect::<Vec<_>>());
    }
}

/// The class without arguments too, if it is generic.
fn raw(class: &str) -> Option<ClassType> {
    matches!(class, "demo/Shapes$Box" | "java/util/ArrayList")
        .then(|| ClassType { name: class.into(), args: Vec::new() })
}
