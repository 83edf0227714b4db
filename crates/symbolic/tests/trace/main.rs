//! Traces: literals as inputs through the JDK's code, paths solved and executed next, states resumed and revalued.

mod choices;
mod program;
#[path = "../machine/source.rs"]
mod source;

use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;

use bytecode::names::{ClassName, FieldType, Primitive};
use source::{Source, jdks, run};
use symbolic::expr::{Evaluator, Term};
use symbolic::solver::Limit;
use symbolic::trace::{CallEnd, Choices, End, Flip, Step, Trace, Tracer, Wish, replaced};
use symbolic::vm::{Limits, Machine, Representation};
use testcase::operation::{OpId, Operation, OperationKind, Operations};
use testcase::sequence::{Sequence, SequenceBuilder};
use testcase::types::Type;
use testcase::value::Constant;

struct Bench {
    tracer: Tracer,
    operations: Operations,
    class: String,
    choices: Choices,
    /// Conditions of which the solver said that they never hold together.
    infeasible: Vec<Vec<Term>>,
}

fn class_type(name: &str) -> Type {
    Type::class(name)
}

impl Bench {
    fn new(home: &Path, test: &str) -> Bench {
        let java = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/Traced.java");
        Bench::over(home, test, &java)
    }

    fn over(home: &Path, test: &str, java: &Path) -> Bench {
        let name = home.file_name().unwrap().to_str().unwrap();
        let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("traced-{test}-{name}"));
        run(home, "javac", &["-d", out.to_str().unwrap(), java.to_str().unwrap()]);
        let machine = Machine::boot(Arc::new(Source::open(home, &out)), Limits::default()).unwrap();
        let class = java.file_stem().unwrap().to_str().unwrap().to_string();
        Bench {
            tracer: Tracer::new(machine),
            operations: Operations::default(),
            class,
            choices: Choices::default(),
            infeasible: Vec::new(),
        }
    }

    fn constant(&mut self, constant: Constant) -> OpId {
        let result = match &constant {
            Constant::Boolean(_) => Type::Primitive(Primitive::Boolean),
            Constant::Byte(_) => Type::Primitive(Primitive::Byte),
            Constant::Char(_) => Type::Primitive(Primitive::Char),
            Constant::Short(_) => Type::Primitive(Primitive::Short),
            Constant::Int(_) => Type::Primitive(Primitive::Int),
            Constant::Long(_) => Type::Primitive(Primitive::Long),
            Constant::Float(_) => Type::Primitive(Primitive::Float),
            Constant::Double(_) => Type::Primitive(Primitive::Double),
            _ => class_type("java/lang/String"),
        };
        self.operations.intern(Operation { kind: OperationKind::Constant(constant), params: Vec::new(), result })
    }

    fn call(&mut self, name: &str, descriptor: &str, is_static: bool) -> OpId {
        let (parameters, result) = descriptor[1..].split_once(')').unwrap();
        let mut params = Vec::new();
        let mut rest = parameters;
        while !rest.is_empty() {
            let end = (1..=rest.len()).find(|n| FieldType::parse(&rest[..*n]).is_some()).unwrap();
            params.push(Type::from(&FieldType::parse(&rest[..end]).unwrap()));
            rest = &rest[end..];
        }
        if !is_static {
            params.insert(0, class_type(&self.class));
        }
        let result = FieldType::parse(result).map_or(Type::Void, |t| Type::from(&t));
        let kind = OperationKind::Call {
            owner: ClassName::new(&self.class),
            name: name.into(),
            descriptor: descriptor.into(),
            is_static,
            owner_is_interface: false,
            varargs: false,
        };
        self.operations.intern(Operation { kind, params, result })
    }

    /// A static method on literals; what begins with `[` takes all of them as one array.
    fn sequence(&mut self, name: &str, descriptor: &str, literals: &[Constant]) -> Sequence {
        let mut builder = SequenceBuilder::default();
        let mut args = Vec::new();
        for literal in literals {
            let op = self.constant(literal.clone());
            args.push(builder.push(op, &[]));
        }
        if let Some(end) = descriptor.find(')').filter(|_| descriptor.starts_with("([")) {
            let array = Type::from(&FieldType::parse(&descriptor[1..end]).unwrap());
            let Type::Array(element) = &array else { panic!("{array:?}") };
            let params = literals.iter().map(|_| (**element).clone()).collect();
            let kind = OperationKind::ArrayLiteral { length: literals.len() as u32 };
            let op = self.operations.intern(Operation { kind, params, result: array });
            args = vec![builder.push(op, &args)];
        }
        let call = self.call(name, descriptor, true);
        builder.push(call, &args);
        builder.finish()
    }

    /// All results that paths of a method have, found by flipping one condition after the other; every path solved must
    /// be the path executed next.
    fn explore(&mut self, first: Sequence, most: usize, lengths: bool) -> Vec<String> {
        let mut results = Vec::new();
        let mut work: VecDeque<(Sequence, usize, Vec<Term>)> = [(first, 0, Vec::new())].into();
        let mut ran = 0;
        while let Some((sequence, from, excluded)) = work.pop_front() {
            ran += 1;
            if ran > most {
                break;
            }
            let trace = self.run(&sequence, Wish { states: true, lengths });
            results.push(self.result(&trace));
            for (at, step) in trace.steps.iter().enumerate().skip(from) {
                let besides: &[Term] = if at == from { &excluded } else { &[] };
                let limit = Limit::of(300);
                match self.tracer.flip_besides(&self.operations, &sequence, &trace, at, besides, limit) {
                    Flip::Found(replacements) => {
                        let next = replaced(&mut self.operations, &sequence, replacements);
                        self.check_follows(&trace, at, &next, lengths);
                        if step.site.check.has_many_sides() {
                            // There are more values than this one and the next.
                            let tried = self.tracer.condition(&Step { taken: false, ..*step });
                            let besides = besides.iter().copied().chain([tried]).collect();
                            work.push_back((next, at, besides));
                        } else {
                            work.push_back((next, at + 1, Vec::new()));
                        }
                    }
                    Flip::Infeasible => {
                        let mut conditions = self.tracer.conditions(&trace.steps[..at]);
                        conditions.extend(besides);
                        conditions.push(self.tracer.condition(&Step { taken: !step.taken, ..*step }));
                        self.infeasible.push(conditions);
                    }
                    Flip::Unknown(_) => {}
                }
            }
        }
        results.sort();
        results.dedup();
        results
    }

    /// The conditions before the flipped one hold again and come from the same decisions, and the flipped one does not
    /// hold.
    fn check_follows(&mut self, trace: &Trace, at: usize, next: &Sequence, lengths: bool) {
        let other = self.run(next, Wish { states: false, lengths });
        let terms = self.tracer.terms();
        for (i, step) in trace.steps[..=at].iter().enumerate() {
            let holds = terms.eval(step.term, &other.values).as_bool() == step.taken;
            assert_eq!(holds, i < at, "condition {i} of {at}");
        }
        let decisions = |steps: &[Step]| steps.iter().map(|s| (s.site, s.statement)).collect::<Vec<_>>();
        let (expected, mut found) = (decisions(&trace.steps[..=at]), decisions(&other.steps));
        found.truncate(expected.len());
        assert_eq!(found, expected, "condition {at}: {:?}", self.tracer.place(trace.steps[at].site));
    }

    fn run(&mut self, sequence: &Sequence, wish: Wish) -> Trace {
        self.tracer.run_choosing(&self.operations, sequence, wish, &self.choices)
    }

    fn result(&mut self, trace: &Trace) -> String {
        match &trace.end {
            End::Normal => (trace.states.last().unwrap().slots().last().unwrap().bits as i64).to_string(),
            End::Threw { class, .. } => class.internal().rsplit('/').next().unwrap().to_string(),
            End::Stopped { stop, .. } => format!("stopped: {stop}"),
        }
    }
}

#[test]
fn all_ways_are_found() {
    use Constant::{Char, Double, Float, Int, Long};
    let text = |s: &str| vec![Constant::String(s.into())];
    let cases: Vec<Case> = vec![
        ("quadratic", "(I)I", vec![Int(0)], &["0", "1"]),
        ("boxed", "(Ljava/lang/Integer;)I", vec![Int(0)], &["0", "1"]),
        ("password", "(Ljava/lang/String;)I", text("xxxxx"), &["0", "1"]),
        ("prefix", "(Ljava/lang/String;)I", text("xxxx"), &["0", "1", "2"]),
        ("index", "(Ljava/lang/String;)I", text("xxxxx"), &["0", "1"]),
        ("number", "(Ljava/lang/String;)I", text("xxxx"), &["-1", "0", "1"]),
        ("hash", "(Ljava/lang/String;)I", text("xxx"), &["0", "1"]),
        ("joined", "(I)I", vec![Int(0)], &["0", "1"]),
        ("built", "(I)I", vec![Int(0)], &["0", "1"]),
        ("sum", "([I)I", vec![Int(0), Int(0), Int(0)], &["0", "1"]),
        ("sorted", "([I)I", vec![Int(0), Int(0), Int(0)], &["0", "1"]),
        ("copied", "([B)I", vec![Constant::Byte(0), Constant::Byte(0), Constant::Byte(0)], &["0", "1"]),
        ("choice", "(I)I", vec![Int(0)], &["0", "1", "2", "3"]),
        ("word", "(Ljava/lang/String;)I", text("xxx"), &["0", "1", "2"]),
        ("threshold", "(D)I", vec![Double(0)], &["0", "1"]),
        ("divided", "(I)I", vec![Int(0)], &["0", "ArithmeticException"]),
        ("indexed", "(I)I", vec![Int(0)], &["5", "ArrayIndexOutOfBoundsException"]),
        ("bits", "(F)I", vec![Float(0)], &["0", "1"]),
        ("listed", "(II)I", vec![Int(0), Int(0)], &["0", "1"]),
        ("mapped", "(I)I", vec![Int(0)], &["0", "1"]),
        ("character", "(C)I", vec![Char(0)], &["0", "1"]),
        ("lower", "(Ljava/lang/String;)I", text("xxx"), &["0", "1"]),
        ("trimmed", "(Ljava/lang/String;)I", text("xxx"), &["0", "1"]),
        ("wide", "(J)J", vec![Long(0)], &["0", "1"]),
        ("counted", "(II)I", vec![Int(0), Int(0)], &["0", "1", "ArrayIndexOutOfBoundsException"]),
        ("shuffled", "(II)I", vec![Int(0), Int(0)], &["0", "1"]),
    ];
    check("ways", &cases, false);
}

#[test]
fn lengths_of_strings_can_be_inputs() {
    let empty = || vec![Constant::String("".into())];
    check(
        "lengths",
        &[
            ("password", "(Ljava/lang/String;)I", empty(), &["0", "1"]),
            ("prefix", "(Ljava/lang/String;)I", empty(), &["0", "1", "2", "StringIndexOutOfBoundsException"]),
            ("index", "(Ljava/lang/String;)I", empty(), &["0", "1"]),
        ],
        true,
    );
}

#[test]
fn random_programs_go_as_solved_and_never_where_nothing_goes() {
    const METHODS: usize = 20;
    let ways = [(Representation::Reasoning, 64), (Representation::Simulation, 64), (Representation::Reasoning, 0)];
    for (round, (representation, choices)) in ways.into_iter().enumerate() {
        let home = &jdks()[0];
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("programs-{round}"));
        std::fs::create_dir_all(&folder).unwrap();
        let java = folder.join("Programs.java");
        std::fs::write(&java, program::class("Programs", 7 + round as u64, METHODS)).unwrap();
        let mut bench = Bench::over(home, &format!("programs-{round}"), &java);
        bench.tracer.set_representation(representation);
        bench.tracer.machine().path_mut().choices = choices;
        let mut dice = program::Dice(1);
        let mut results = 0;
        for number in 0..METHODS {
            let name = format!("m{number}");
            let sequence = bench.sequence(&name, "(II)I", &[Constant::Int(1), Constant::Int(2)]);
            results += bench.explore(sequence, 16, false).len();
            let infeasible = std::mem::take(&mut bench.infeasible);
            for _ in 0..40 {
                let mut number = || dice.below(1 << 31) as i32 >> dice.below(31);
                let literals = [Constant::Int(number()), Constant::Int(-number())];
                let sequence = bench.sequence(&name, "(II)I", &literals);
                let trace = bench.tracer.run(&bench.operations, &sequence, Wish::default());
                let mut evaluator = Evaluator::default();
                let terms = bench.tracer.terms();
                for step in &trace.steps {
                    assert_eq!(evaluator.holds(terms, &trace.values, step.term), step.taken, "{name} {literals:?}");
                }
                for conditions in &infeasible {
                    let all = conditions.iter().all(|c| evaluator.holds(terms, &trace.values, *c));
                    assert!(!all, "{name}: conditions that never hold together hold for {literals:?}");
                }
            }
        }
        assert!(results > 2 * METHODS, "{results}");
    }
}

#[test]
fn a_state_goes_on_as_if_everything_had_been_run_again() {
    let mut bench = Bench::new(&jdks()[0], "states");
    let construct = OperationKind::Construct {
        class: ClassName::new("Traced"),
        descriptor: "()V".into(),
        varargs: false,
        inner: false,
    };
    let construct =
        bench.operations.intern(Operation { kind: construct, params: Vec::new(), result: class_type("Traced") });
    let (set, get) = (bench.call("set", "(I)V", false), bench.call("get", "()I", false));
    let number = bench.constant(Constant::Int(3));
    let mut builder = SequenceBuilder::default();
    let object = builder.push(construct, &[]);
    let value = builder.push(number, &[]);
    builder.push(set, &[object, value]);
    builder.push(get, &[object]);
    let sequence = builder.finish();
    let wish = Wish { states: true, lengths: false };
    let first = bench.tracer.run(&bench.operations, &sequence, wish);
    drop(first);
    let whole = bench.tracer.run(&bench.operations, &sequence, wish);
    assert_eq!((whole.end.clone(), bench.result(&whole)), (End::Normal, "0".to_string()));
    let get = bench.operations.get(get).clone();
    // The last statement again, on the state before it.
    let before = whole.states[2].clone();
    let receiver = before.slots()[0];
    let called = bench.tracer.call(&before, &get, &[receiver]).unwrap();
    let CallEnd::Value(slot) = called.end else { panic!("{:?}", called.end) };
    assert_eq!(slot.bits, 0);
    let expected: Vec<_> = whole.steps.iter().filter(|s| s.statement == 3).collect();
    assert_eq!(called.steps.iter().collect::<Vec<_>>(), expected);
    assert_eq!(bench.tracer.object(receiver.bits as u32).fields[0].bits, 3);
    // The same state for another number on the same path, and a path that only other numbers take.
    let mut values = before.values().clone();
    let input = values.iter().next().unwrap().0;
    values.set_bits(input, 7);
    let other = bench.tracer.revalued(&before, &values).unwrap();
    let field = bench.tracer.object(receiver.bits as u32).fields[0];
    assert_eq!((field.bits, field.term.is_some()), (7, true));
    assert_eq!(other.path(), before.path());
    let (fresh, argument) = bench.tracer.fresh(b'I', 42, "n");
    let set = bench.operations.get(set).clone();
    let called = bench.tracer.call(&other, &set, &[receiver, argument]).unwrap();
    assert!(matches!(called.end, CallEnd::Value(_)), "{:?}", called.end);
    let after = bench.tracer.state();
    let called = bench.tracer.call(&after, &get, &[receiver]).unwrap();
    let CallEnd::Value(slot) = called.end else { panic!("{:?}", called.end) };
    assert_eq!(slot.bits, 1, "42 is doubled");
    assert!(bench.tracer.terms().inputs_of(called.steps[0].term).contains(&fresh));
}

/// Method, descriptor, literals to begin with, and the results of all its ways.
type Case = (&'static str, &'static str, Vec<Constant>, &'static [&'static str]);

fn check(test: &str, cases: &[Case], lengths: bool) {
    let mut wrong = Vec::new();
    for home in jdks() {
        let mut bench = Bench::new(&home, test);
        for (name, descriptor, literals, expected) in cases {
            let sequence = bench.sequence(name, descriptor, literals);
            let found = bench.explore(sequence, 100, lengths);
            if found != *expected {
                wrong.push(format!("{name} on {}: {found:?}", home.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
