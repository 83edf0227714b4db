//! The view `--symbolic`: the paths of methods, with the conditions on their parameters, how they end, and arguments that take them. Owns how paths are printed; exploring is
//! `symbolic`'s. Looks at static methods, and at those of objects that a constructor without parameters makes.

use bytecode::analysis::emcdg::{Member, label};
use bytecode::names::ClassName;
use bytecode::world::World;
use serde_json::{Value, json};
use symbolic::solver::Chain;
use symbolic::trace::{End, Explored, Explorer, Step, Tracer, Wish};
use symbolic::vm::{Check, Limits, Machine};
use testcase::operation::Operations;
use testcase::types::Type;
use testcase::value::Constant;

use super::call::{Call, shown_arguments};
use super::{Page, members};
use crate::failure::Failure;

/// Paths that are shown of one method, conditions of one path that are turned round, and conflicts per question.
const PATHS: usize = 50;
const CONDITIONS: usize = 200;
const CONFLICTS: u32 = 20_000;

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
        let Some(call) = Call::of(world, class, &method, &mut operations) else { continue };
        let name = label(&Member::Method(method.clone()));
        let (paths, more) = explore(&mut tracer, &mut operations, call);
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
        text.push_str("\nno method that this view can call: static, or of an object made without arguments\n");
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

/// The paths, and how many more there are.
fn explore(tracer: &mut Tracer, operations: &mut Operations, call: Call) -> (Vec<Path>, usize) {
    let wish = Wish { states: true, lengths: false };
    let mut explorer = Explorer::new(call.sequence, wish, CONFLICTS, CONDITIONS).choosing(call.choices);
    let mut paths = Vec::new();
    while paths.len() < PATHS {
        let Some(explored) = explorer.next(tracer, operations) else { break };
        paths.push(path(tracer, operations, &explored, &call.meanings));
    }
    (paths, explorer.left())
}

fn path(tracer: &mut Tracer, operations: &Operations, explored: &Explored, meanings: &[(String, String)]) -> Path {
    let terms = tracer.terms();
    let mut conditions: Vec<String> = Vec::new();
    for Step { term, taken, site, .. } in &explored.trace.steps {
        let text = terms.infix_condition(*term, *taken);
        let text = meanings.iter().fold(text, |text, (numbers, words)| text.replace(numbers.as_str(), words));
        let text = if site.check == Check::Pinned { format!("[{text}]") } else { text };
        if !conditions.contains(&text) {
            conditions.push(text);
        }
    }
    let statements = explored.sequence.statements();
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
        arguments: shown_arguments(operations, &explored.sequence),
        infeasible: explored.infeasible.len(),
        unknown: explored.unknown.len(),
    }
}

pub(super) fn shown(constant: &Constant) -> String {
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
        Constant::Enum { name, .. } => name.to_string(),
        Constant::Null | Constant::Class(_) => "null".to_owned(),
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
