//! Traces: literals as inputs through the JDK's code, paths solved and executed next, states resumed and revalued.

#[path = "../machine/source.rs"]
mod source;

use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;

use bytecode::names::{ClassName, FieldType, Primitive};
use source::{Source, jdks, run};
use symbolic::expr::Term;
use symbolic::solver::Limit;
use symbolic::trace::{End, Flip, Replacement, Step, Trace, Tracer, Wish};
use symbolic::vm::{Check, Limits, Machine};
use testcase::operation::{OpId, Operation, OperationKind, Operations};
use testcase::sequence::{Sequence, SequenceBuilder};
use testcase::types::Type;
use testcase::value::Constant;

struct Bench {
    tracer: Tracer,
    operations: Operations,
}

fn class_type(name: &str) -> Type {
    Type::class(name)
}

impl Bench {
    fn new(home: &Path, test: &str) -> Bench {
        let java = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/Traced.java");
        let name = home.file_name().unwrap().to_str().unwrap();
        let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("traced-{test}-{name}"));
        run(home, "javac", &["-d", out.to_str().unwrap(), java.to_str().unwrap()]);
        let machine = Machine::boot(Arc::new(Source::open(home, &out)), Limits::default()).unwrap();
        Bench { tracer: Tracer::new(machine), operations: Operations::default() }
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
            params.insert(0, class_type("Traced"));
        }
        let result = FieldType::parse(result).map_or(Type::Void, |t| Type::from(&t));
        let kind = OperationKind::Call {
            owner: ClassName::new("Traced"),
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

    fn replaced(&mut self, sequence: &Sequence, replacements: &[Replacement]) -> Sequence {
        let mut sequence = sequence.clone();
        for r in replacements {
            let old = self.operations.get(sequence.statements()[usize::from(r.statement)].op).result.clone();
            let kind = OperationKind::Constant(r.constant.clone());
            let op = self.operations.intern(Operation { kind, params: Vec::new(), result: old });
            sequence = sequence.replace_op(usize::from(r.statement), op);
        }
        sequence
    }

    /// All results that paths of a method have, found by flipping one condition after the other; every path solved must be the path executed next.
    fn explore(&mut self, first: Sequence, most: usize, lengths: bool) -> Vec<String> {
        let mut results = Vec::new();
        let mut work: VecDeque<(Sequence, usize, Vec<Term>)> = [(first, 0, Vec::new())].into();
        let mut ran = 0;
        while let Some((sequence, from, excluded)) = work.pop_front() {
            ran += 1;
            if ran > most {
                break;
            }
            let trace = self.tracer.run(&self.operations, &sequence, Wish { states: true, lengths });
            results.push(self.result(&trace));
            for (at, step) in trace.steps.iter().enumerate().skip(from) {
                let besides: &[Term] = if at == from { &excluded } else { &[] };
                let limit = Limit { conflicts: 1_000, stop: None };
                match self.tracer.flip_besides(&self.operations, &sequence, &trace, at, besides, limit) {
                    Flip::Found(replacements) => {
                        let next = self.replaced(&sequence, &replacements);
                        self.check_follows(&trace, at, &next, lengths);
                        if step.site.check == Check::Pinned {
                            // There are more values than this one and the next.
                            let tried = self.tracer.condition(&Step { taken: false, ..*step });
                            let besides = besides.iter().copied().chain([tried]).collect();
                            work.push_back((next, at, besides));
                        } else {
                            work.push_back((next, at + 1, Vec::new()));
                        }
                    }
                    Flip::Infeasible => {}
                    Flip::Unknown(why) => println!("{why}: {:?}", self.tracer.place(step.site)),
                }
            }
        }
        results.sort();
        results.dedup();
        results
    }

    /// The conditions before the flipped one hold again and come from the same decisions, and the flipped one does not hold.
    fn check_follows(&mut self, trace: &Trace, at: usize, next: &Sequence, lengths: bool) {
        let other = self.tracer.run(&self.operations, next, Wish { states: false, lengths });
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
