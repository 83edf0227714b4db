//! Built classes run on real JVMs, with verification, and print what they should; limits are told as typed problems.

mod jdk;

use bytecode::access::Access;
use bytecode::assemble::{AssembleProblem, ClassBuilder, Code, Condition, Frame, Op, Slot};
use bytecode::class_info::ConstantValue;
use bytecode::names::{FieldType, Primitive};

const PUBLIC_STATIC: u16 = Access::PUBLIC | Access::STATIC;

fn class() -> ClassBuilder {
    ClassBuilder::new("demo/Main", Access::PUBLIC | Access::FINAL)
}

/// Prints the value of that descriptor on top of the stack.
fn print(code: &mut Code<'_>, descriptor: &str) {
    let name = if descriptor.len() == 1 { descriptor } else { "Ljava/lang/Object;" };
    code.invoke_static("demo/Main", "print", &format!("({name})V"));
}

fn add_printers(class: &mut ClassBuilder) {
    for d in ["Z", "B", "C", "S", "I", "J", "F", "D", "Ljava/lang/Object;"] {
        let shown = if matches!(d, "B" | "S") { "I" } else { d };
        class.method(PUBLIC_STATIC, "print", &format!("({d})V"), |code| {
            code.get_static("java/lang/System", "out", "Ljava/io/PrintStream;");
            code.load(d, 0);
            code.invoke_virtual("java/io/PrintStream", "println", &format!("({shown})V"));
            code.return_void();
        });
    }
}

/// Builds the classes, runs `demo.Main` on every JDK and compares what it prints.
fn check(name: &str, build: impl FnOnce(&mut ClassBuilder) -> Vec<(String, Vec<u8>)>, expected: &str) {
    let folder = jdk::scratch(name);
    let mut main = class();
    add_printers(&mut main);
    let mut classes = build(&mut main);
    classes.push(("demo/Main".to_owned(), main.finish().unwrap()));
    for (name, bytes) in classes {
        let file = folder.join(format!("{name}.class"));
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, bytes).unwrap();
    }
    for home in jdk::jdks() {
        let output = jdk::run(&home, "java", &["-Xshare:auto", "-cp", folder.to_str().unwrap(), "demo.Main"]);
        assert_eq!(output, expected, "{}", home.display());
    }
}

fn main_method<R>(class: &mut ClassBuilder, body: impl FnOnce(&mut Code<'_>) -> R) -> R {
    class.method(PUBLIC_STATIC, "main", "([Ljava/lang/String;)V", body)
}

#[test]
fn constants_keep_their_value_in_every_form() {
    let ints = [-1, 0, 5, 6, -2, 127, -128, 128, -129, 32767, -32768, 32768, i32::MIN, i32::MAX];
    let longs = [0, 1, -1, 2, 32767, 32768, -32769, i64::MIN, i64::MAX];
    let mut expected = String::new();
    for v in ints {
        expected += &format!("{v}\n");
    }
    for v in longs {
        expected += &format!("{v}\n");
    }
    expected += "0.0\n1.0\n2.0\n-0.0\nNaN\nInfinity\n1.0E-5\n0.0\n1.0\n-0.0\nNaN\n4.9E-324\n";
    expected += "h\u{e9}llo \u{1f600}\n1\nint\nclass java.lang.String\nclass [[J\n";
    check(
        "constants",
        |class| {
            main_method(class, |code| {
                for v in ints {
                    code.push_int(v);
                    print(code, "I");
                }
                for v in longs {
                    code.push_long(v);
                    print(code, "J");
                }
                for v in [0.0f32, 1.0, 2.0, -0.0, f32::NAN, f32::INFINITY, 1e-5] {
                    code.push_float_bits(v.to_bits());
                    print(code, "F");
                }
                for v in [0.0f64, 1.0, -0.0, f64::NAN, f64::from_bits(1)] {
                    code.push_double_bits(v.to_bits());
                    print(code, "D");
                }
                code.get_static("java/lang/System", "out", "Ljava/io/PrintStream;");
                code.new_object("java/io/PrintStream");
                code.dup();
                code.get_static("java/lang/System", "out", "Ljava/io/PrintStream;");
                code.push_int(1);
                code.push_string("UTF-8");
                code.invoke_special("java/io/PrintStream", "<init>", "(Ljava/io/OutputStream;ZLjava/lang/String;)V");
                code.invoke_static("java/lang/System", "setOut", "(Ljava/io/PrintStream;)V");
                code.pop("Ljava/lang/Object;");
                code.push_string("h\u{e9}llo \u{1f600}");
                print(code, "Ljava/lang/Object;");
                code.push_string_utf16(&[0xD800]);
                code.invoke_virtual("java/lang/String", "length", "()I");
                print(code, "I");
                for d in ["I", "Ljava/lang/String;", "[[J"] {
                    code.push_constant(&ConstantValue::Class(FieldType::parse(d).unwrap()));
                    print(code, "Ljava/lang/Object;");
                }
                code.return_void();
            });
            Vec::new()
        },
        &expected,
    );
}

#[test]
fn a_dispatcher_calls_what_its_id_says() {
    let build = |class: &mut ClassBuilder| {
        class.field(PUBLIC_STATIC, "count", "J");
        class.field_with_value(PUBLIC_STATIC | Access::FINAL, "LIMIT", "I", Some(&ConstantValue::Int(70_000)));
        let cases = 300;
        class.method(PUBLIC_STATIC, "call", "(I[Ljava/lang/Object;[BI)Ljava/lang/Object;", |code| {
            let (id, slots) = (code.param_slot(0), code.param_slot(1));
            let labels: Vec<_> = (0..cases).map(|_| code.label()).collect();
            let default = code.label();
            code.load("I", id);
            code.table_switch(10, &labels, default);
            for (i, label) in labels.into_iter().enumerate() {
                code.bind(label);
                code.load("[Ljava/lang/Object;", slots);
                code.push_int(0);
                code.array_load("Ljava/lang/Object;");
                code.unbox_primitive(Primitive::Int);
                code.push_int(i as i32 * 1000);
                code.op(Op::Iadd);
                code.box_primitive(Primitive::Int);
                code.return_value("Ljava/lang/Object;");
            }
            code.bind(default);
            code.new_object("java/lang/IllegalArgumentException");
            code.dup();
            code.push_string("no such id");
            code.invoke_special("java/lang/IllegalArgumentException", "<init>", "(Ljava/lang/String;)V");
            code.throw();
        });
        main_method(class, |code| {
            let (start, end) = (code.label(), code.label());
            let handler = code.handler_label("java/lang/RuntimeException");
            let done = code.label();
            code.bind(start);
            for id in [10, 11, 309, 310] {
                code.push_int(id);
                code.push_int(1);
                code.new_array(&FieldType::parse("Ljava/lang/Object;").unwrap());
                code.dup();
                code.push_int(0);
                code.push_int(7);
                code.box_primitive(Primitive::Int);
                code.array_store("Ljava/lang/Object;");
                code.push_null();
                code.push_int(0);
                code.invoke_static("demo/Main", "call", "(I[Ljava/lang/Object;[BI)Ljava/lang/Object;");
                print(code, "Ljava/lang/Object;");
                code.push_long(40_000);
                code.put_static("demo/Main", "count", "J");
            }
            code.bind(end);
            code.goto(done);
            code.bind(handler);
            code.invoke_virtual("java/lang/RuntimeException", "getMessage", "()Ljava/lang/String;");
            print(code, "Ljava/lang/Object;");
            code.bind(done);
            code.get_static("demo/Main", "count", "J");
            code.get_static("demo/Main", "LIMIT", "I");
            code.op(Op::I2l);
            code.op(Op::Ladd);
            print(code, "J");
            code.return_void();
            code.handle(start, end, Some("java/lang/RuntimeException"), handler);
        });
        Vec::new()
    };
    check("dispatcher", build, "7\n1007\n299007\nno such id\n110000\n");
}

#[test]
fn lambdas_loops_arrays_and_wide_locals_verify() {
    let build = |class: &mut ClassBuilder| {
        let mut lambda = ClassBuilder::new("demo/Lambda", Access::PUBLIC);
        lambda.interface("java/util/function/Function").field(Access::PRIVATE, "n", "D");
        lambda.method(Access::PUBLIC, "<init>", "(D)V", |code| {
            code.load("L", 0);
            code.invoke_special("java/lang/Object", "<init>", "()V");
            let skip = code.label();
            code.load("D", 1);
            code.push_double_bits(0);
            code.op(Op::Dcmpl);
            code.jump_if(Condition::Lt, skip);
            code.load("L", 0);
            code.load("D", 1);
            code.put_field("demo/Lambda", "n", "D");
            code.bind(skip);
            code.return_void();
        });
        lambda.method(Access::PUBLIC, "apply", "(Ljava/lang/Object;)Ljava/lang/Object;", |code| {
            let other = code.label();
            code.load("L", 1);
            code.instance_of("java/lang/Integer");
            code.jump_if(Condition::Eq, other);
            code.load("L", 0);
            code.get_field("demo/Lambda", "n", "D");
            code.load("L", 1);
            code.unbox_primitive(Primitive::Int);
            code.op(Op::I2d);
            code.op(Op::Dadd);
            code.box_primitive(Primitive::Double);
            code.return_value("L");
            code.bind(other);
            code.push_string("other");
            code.return_value("L");
        });
        main_method(class, |code| {
            for argument in [3.5f64, -1.0] {
                code.new_object("demo/Lambda");
                code.dup();
                code.push_double_bits(argument.to_bits());
                code.invoke_special("demo/Lambda", "<init>", "(D)V");
                code.push_int(4);
                code.box_primitive(Primitive::Int);
                code.invoke_interface("java/util/function/Function", "apply", "(Ljava/lang/Object;)Ljava/lang/Object;");
                print(code, "L;");
            }
            code.push_int(2);
            code.push_int(3);
            code.new_multi_array(&FieldType::parse("[[C").unwrap(), 2);
            code.push_int(1);
            code.array_load("[C");
            code.dup();
            code.push_int(2);
            code.push_int(120);
            code.array_store("C");
            code.push_int(2);
            code.array_load("C");
            print(code, "C");
            // A loop over a local variable far behind the parameters.
            let far = 300;
            code.push_int(0);
            code.store("I", far);
            let mut locals = vec![Slot::Top; usize::from(far) - 1];
            locals.push(Slot::Int);
            let again = code.label_with(Frame { locals: locals.clone(), stack: Vec::new() });
            let out = code.label_with(Frame { locals, stack: Vec::new() });
            code.bind(again);
            code.load("I", far);
            code.push_int(5000);
            code.jump_if(Condition::IntGe, out);
            code.increment(far, 999);
            code.goto(again);
            code.bind(out);
            code.load("I", far);
            print(code, "I");
            let (a, b, c) = (code.label(), code.label(), code.label());
            code.push_int(77);
            code.lookup_switch(&[(-5, a), (77, b)], c);
            code.bind(a);
            code.return_void();
            code.bind(b);
            code.push_string("seventy-seven");
            print(code, "L;");
            code.bind(c);
            code.return_void();
        });
        vec![("demo/Lambda".to_owned(), lambda.finish().unwrap())]
    };
    check("lambdas", build, "7.5\n4.0\nx\n5994\nseventy-seven\n");
}

fn problem(build: impl FnOnce(&mut Code<'_>)) -> AssembleProblem {
    let mut class = class();
    class.method(PUBLIC_STATIC, "m", "()V", build);
    class.finish().unwrap_err()
}

#[test]
fn limits_and_mistakes_are_typed() {
    let method = || "m".to_owned();
    assert_eq!(
        problem(|code| {
            for _ in 0..65_536 {
                code.op(Op::Nop);
            }
            code.return_void();
        }),
        AssembleProblem::CodeTooLong { method: method(), length: 65_537 }
    );
    assert_eq!(
        problem(|code| {
            code.push_string(&"x".repeat(65_536));
            code.throw();
        }),
        AssembleProblem::TextTooLong { length: 65_536 }
    );
    assert_eq!(
        problem(|code| {
            let far = code.label();
            code.goto(far);
            let middle = code.label();
            code.bind(middle);
            for _ in 0..40_000 {
                code.op(Op::Nop);
            }
            code.bind(far);
            code.return_void();
        }),
        AssembleProblem::JumpTooFar { method: method(), at: 0, distance: 40_003 }
    );
    assert_eq!(
        problem(|code| {
            let nowhere = code.label();
            code.goto(nowhere);
        }),
        AssembleProblem::UnboundLabel { method: method() }
    );
    assert_eq!(
        problem(|code| {
            code.push_int(1);
            code.op(Op::Iadd);
            code.return_void();
        }),
        AssembleProblem::StackDepth { method: method(), at: 2, expected: 2, found: 1 }
    );
    assert_eq!(
        problem(|code| {
            code.push_int(1);
            let here = code.label();
            code.goto(here);
        }),
        AssembleProblem::StackDepth { method: method(), at: 1, expected: 0, found: 1 }
    );
    assert_eq!(
        problem(|code| {
            code.push_int(1);
            let here = code.label();
            code.bind(here);
            code.pop("I");
            code.goto(here);
        }),
        AssembleProblem::StackDepth { method: method(), at: 1, expected: 0, found: 1 }
    );
    assert_eq!(problem(|code| code.op(Op::Nop)), AssembleProblem::FallsOffEnd { method: method(), at: 1 });
    assert_eq!(
        problem(|code| {
            code.invoke_static("a/B", "c", "(I");
            code.return_void();
        }),
        AssembleProblem::BadDescriptor { method: method(), descriptor: "(I".to_owned() }
    );
    assert_eq!(
        problem(|code| {
            let l = code.label();
            code.push_int(0);
            code.lookup_switch(&[(2, l), (1, l)], l);
            code.bind(l);
            code.return_void();
        }),
        AssembleProblem::BadSwitch { method: method() }
    );
}

#[test]
fn too_many_constants_are_typed() {
    let mut class = class();
    for i in 0..7 {
        class.method(PUBLIC_STATIC, &format!("m{i}"), "()V", |code| {
            for k in 0..10_000 {
                code.push_int(100_000 + i * 10_000 + k);
                code.pop("I");
            }
            code.return_void();
        });
    }
    assert_eq!(class.finish().unwrap_err(), AssembleProblem::TooManyConstants);
}
