//! The view `--symbolic`: the paths of methods, with the conditions on their parameters, how they end, and arguments that take them. Owns how paths are printed; exploring is
//! `symbolic`'s. Looks at static methods whose parameters are primitives and strings; of instance methods at those of objects that a constructor without parameters makes.

use bytecode::access::Access;
use bytecode::analysis::emcdg::{Member, label};
use bytecode::names::{ClassName, FieldType, MethodDescriptor, Primitive};
use bytecode::world::{MethodRef, World};
use serde_json::{Value, json};
use symbolic::solver::Chain;
use symbolic::trace::{End, Explored, Explorer, Step, Tracer, Wish};
use symbolic::vm::{Check, Limits, Machine};
use testcase::operation::{Operation, OperationKind, Operations};
use testcase::sequence::{Sequence, SequenceBuilder, Var};
use testcase::types::Type;
use testcase::value::Constant;

use super::{Page, members};
use crate::failure::Failure;

/// Paths that are shown of one method, conditions of one path that are turned round, and conflicts per question.
const PATHS: usize = 50;
const CONDITIONS: usize = 200;
const CONFLICTS: u32 = 20_000;
/// What a string parameter begins with: its length stays, its characters do not.
const TEXT: &str = "abc";

/// What is asked for: a method's name, and how questions are answered.
pub struct Asked<'a> {
    pub method: Option<&'a str>,
    pub solver: Option<&'a dyn Fn() -> Chain>,
}

pub fn pages(world: &World, classes: &[ClassName], asked: &Asked<'_>) -> Result<Vec<Page>, Failure> {
    classes.iter().map(|class| page(world, class, asked)).collect()
}

fn page(world: &World, class: &ClassName, asked: &Asked<'_>) -> Result<Page, Failure> {
    let machine = Machine::boot(world.source(), Limits::default())
        .map_err(|problem| Failure::Malformed { name: class.binary(), cause: problem.to_string() })?;
    let mut tracer = match asked.solver {
        Some(solver) => Tracer::with_solver(machine, solver()),
        None => Tracer::new(machine),
    };
    let mut text = format!("{}: paths of its methods\n", class.binary());
    let mut all = Vec::new();
    for method in members(world, class)? {
        if asked.method.is_some_and(|name| name != method.info().name) {
            continue;
        }
        let mut operations = Operations::default();
        let Some(sequence) = call(world, class, &method, &mut operations) else { continue };
        let name = label(&Member::Method(method.clone()));
        let (paths, more) = explore(&mut tracer, &mut operations, sequence);
        text.push_str(&format!("\n{name}\n"));
        for (number, path) in paths.iter().enumerate() {
            text.push_str(&path.text(number + 1));
        }
        if more > 0 {
            text.push_str(&format!("  and {more} more that were not run\n"));
        }
        let json: Vec<Value> = paths.iter().map(Path::json).collect();
        all.push(json!({ "method": name, "paths": json, "not_run": more }));
    }
    if all.is_empty() {
        text.push_str("\nno method that this view can call: static, or of an object made without arguments, with primitives and strings\n");
    }
    Ok(Page { text, json: Value::Array(all) })
}

/// A path as it is shown.
struct Path {
    conditions: Vec<String>,
    end: String,
    arguments: Vec<String>,
    /// Conditions without another side, and those of which that is not known.
    infeasible: usize,
    unknown: usize,
}

impl Path {
    fn text(&self, number: usize) -> String {
        let conditions = if self.conditions.is_empty() { "always".to_owned() } else { self.conditions.join(" && ") };
        let mut text = format!("{number:>4}. {conditions}\n      ({}) → {}", self.arguments.join(", "), self.end);
        if self.infeasible > 0 {
            text.push_str(&format!("; {} with no other side", self.infeasible));
        }
        if self.unknown > 0 {
            text.push_str(&format!("; {} without an answer", self.unknown));
        }
        text.push('\n');
        text
    }

    fn json(&self) -> Value {
        json!({
            "conditions": self.conditions,
            "arguments": self.arguments,
            "end": self.end,
            "infeasible": self.infeasible,
            "unknown": self.unknown,
        })
    }
}

/// A sequence that calls the method on literals; `None` if that takes more.
fn call(world: &World, class: &ClassName, method: &MethodRef, operations: &mut Operations) -> Option<Sequence> {
    let info = method.info();
    if info.access.is_private() || info.access.is_abstract() || !info.has_code || info.name.starts_with('<') {
        return None;
    }
    let mut builder = SequenceBuilder::default();
    let mut arguments: Vec<Var> = Vec::new();
    let mut params: Vec<Type> = Vec::new();
    if !info.access.is_static() {
        let owner = world.class(class).ok()?;
        let is_plain = |m: &&bytecode::class_info::MethodInfo| m.name == "<init>" && m.raw_descriptor == "()V";
        let constructor = owner.methods.iter().find(is_plain)?;
        if constructor.access.is_private() || owner.access.has(Access::ABSTRACT) {
            return None;
        }
        let kind =
            OperationKind::Construct { class: class.clone(), descriptor: "()V".into(), varargs: false, inner: false };
        let result = Type::class(class.internal());
        params.push(result.clone());
        let op = operations.intern(Operation { kind, params: Vec::new(), result });
        arguments.push(builder.push(op, &[]));
    }
    let descriptor = MethodDescriptor::parse(&info.raw_descriptor)?;
    for param in &descriptor.params {
        let constant = literal(param)?;
        let result = Type::from(param);
        params.push(result.clone());
        let op = operations.intern(Operation { kind: OperationKind::Constant(constant), params: Vec::new(), result });
        arguments.push(builder.push(op, &[]));
    }
    let kind = OperationKind::Call {
        owner: class.clone(),
        name: info.name.as_str().into(),
        descriptor: info.raw_descriptor.as_str().into(),
        is_static: info.access.is_static(),
        owner_is_interface: false,
        varargs: false,
    };
    let result = descriptor.result.as_ref().map_or(Type::Void, Type::from);
    let op = operations.intern(Operation { kind, params, result });
    builder.push(op, &arguments);
    Some(builder.finish())
}

fn literal(param: &FieldType) -> Option<Constant> {
    Some(match param {
        FieldType::Primitive(Primitive::Boolean) => Constant::Boolean(false),
        FieldType::Primitive(Primitive::Byte) => Constant::Byte(0),
        FieldType::Primitive(Primitive::Char) => Constant::Char(0),
        FieldType::Primitive(Primitive::Short) => Constant::Short(0),
        FieldType::Primitive(Primitive::Int) => Constant::Int(0),
        FieldType::Primitive(Primitive::Long) => Constant::Long(0),
        FieldType::Primitive(Primitive::Float) => Constant::Float(0),
        FieldType::Primitive(Primitive::Double) => Constant::Double(0),
        FieldType::Class(class) if class.internal() == "java/lang/String" => Constant::String(TEXT.into()),
        FieldType::Class(_) | FieldType::Array(_) => return None,
    })
}

/// The paths, and how many more there are.
fn explore(tracer: &mut Tracer, operations: &mut Operations, sequence: Sequence) -> (Vec<Path>, usize) {
    let mut explorer = Explorer::new(sequence, Wish { states: true, lengths: false }, CONFLICTS, CONDITIONS);
    let mut paths = Vec::new();
    while paths.len() < PATHS {
        let Some(explored) = explorer.next(tracer, operations) else { break };
        paths.push(path(tracer, operations, &explored));
    }
    (paths, explorer.left())
}

fn path(tracer: &mut Tracer, operations: &Operations, explored: &Explored) -> Path {
    let terms = tracer.terms();
    let mut conditions: Vec<String> = Vec::new();
    for Step { term, taken, site, .. } in &explored.trace.steps {
        let text = terms.infix_condition(*term, *taken);
        let text = if site.check == Check::Pinned { format!("[{text}]") } else { text };
        if !conditions.contains(&text) {
            conditions.push(text);
        }
    }
    let statements = explored.sequence.statements();
    let constants = statements.iter().filter_map(|s| match &operations.get(s.op).kind {
        OperationKind::Constant(constant) => Some(shown(constant)),
        _ => None,
    });
    let end = match &explored.trace.end {
        End::Normal => match (statements.last(), explored.trace.states.last().and_then(|s| s.slots().last())) {
            (Some(last), Some(slot)) if operations.get(last.op).result != Type::Void => match slot.letter {
                b'L' if slot.bits == 0 => "null".to_owned(),
                b'L' => "an object".to_owned(),
                letter => shown_bits(letter, slot.bits),
            },
            _ => "nothing".to_owned(),
        },
        End::Threw { class, .. } => format!("throws {}", class.binary()),
        End::Stopped { stop, .. } => format!("stopped: {stop}"),
    };
    Path {
        conditions,
        end,
        arguments: constants.collect(),
        infeasible: explored.infeasible.len(),
        unknown: explored.unknown.len(),
    }
}

fn shown(constant: &Constant) -> String {
    match constant {
        Constant::Boolean(v) => v.to_string(),
        Constant::Byte(v) => v.to_string(),
        Constant::Char(v) => match char::from_u32(u32::from(*v)).filter(|c| !c.is_control()) {
            Some(c) => format!("'{c}'"),
            None => format!("'\\u{v:04x}'"),
        },
        Constant::Short(v) => v.to_string(),
        Constant::Int(v) => v.to_string(),
        Constant::Long(v) => v.to_string(),
        Constant::Float(v) => format!("{:?}", f32::from_bits(*v)),
        Constant::Double(v) => format!("{:?}", f64::from_bits(*v)),
        Constant::String(v) => format!("{:?}", v.lossy()),
        Constant::Null | Constant::Class(_) | Constant::Enum { .. } => "null".to_owned(),
    }
}

fn shown_bits(letter: u8, bits: u64) -> String {
    shown(&match letter {
        b'Z' => Constant::Boolean(bits & 1 == 1),
        b'C' => Constant::Char(bits as u16),
        b'F' => Constant::Float(bits as u32),
        b'D' => Constant::Double(bits),
        b'J' => Constant::Long(bits as i64),
        _ => Constant::Int(bits as i32),
    })
}
