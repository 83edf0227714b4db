//! A class under test that exists only as a model in Rust: a bounded stack of ints with a few traps, its library, and an executor that runs
//! sequences on the model. Lets the whole engine be tested without a JVM.

#![allow(dead_code, reason = "each test binary uses its own part")]

use std::sync::Arc;

use bytecode::names::{ClassName, Primitive};
use engine::goal::{GoalKind, Goals, Method};
use engine::library::{Library, Member, Offer};
use testcase::execution::{
    Contract, Execution, Frame, Observation, Operands, Outcome, ProbeHit, ProbeId, SiteId, StateHash, Thrown,
    ThrownDetail, Violation,
};
use testcase::executor::{Executor, ExecutorProblem, Observe, Request};
use testcase::operation::{Operation, OperationKind, Operations};
use testcase::sequence::{Sequence, Statement, Var};
use testcase::types::Type;
use testcase::value::{Constant, Value};

const CLASS: &str = "demo/Stack";
const INT: Type = Type::Primitive(Primitive::Int);

fn stack() -> Type {
    Type::class(CLASS)
}

/// Name, descriptor, parameters behind the receiver, result, first probe, number of branches.
type Row = (&'static str, &'static str, Vec<Type>, Type, u32, u32);

fn rows() -> Vec<Row> {
    vec![
        ("<init>", "(I)V", vec![INT], Type::Void, 0, 2),
        ("push", "(I)V", vec![INT], Type::Void, 10, 2),
        ("pop", "()I", vec![], INT, 20, 2),
        ("size", "()I", vec![], INT, 30, 0),
        ("isMagic", "()Z", vec![], Type::Primitive(Primitive::Boolean), 40, 4),
        ("join", "(Ldemo/Stack;)Ldemo/Stack;", vec![stack()], stack(), 50, 2),
        ("spin", "()V", vec![], Type::Void, 60, 0),
        ("broken", "()V", vec![], Type::Void, 70, 2),
    ]
}

fn operation(row: &Row) -> Operation {
    let (name, descriptor, params, result, ..) = row;
    if *name == "<init>" {
        return Operation {
            kind: OperationKind::Construct {
                class: CLASS.into(),
                descriptor: (*descriptor).into(),
                varargs: false,
                inner: false,
            },
            params: params.clone(),
            result: stack(),
        };
    }
    Operation {
        kind: OperationKind::Call {
            owner: CLASS.into(),
            name: (*name).into(),
            descriptor: (*descriptor).into(),
            is_static: false,
            owner_is_interface: false,
            varargs: false,
        },
        params: std::iter::once(stack()).chain(params.iter().cloned()).collect(),
        result: result.clone(),
    }
}

pub struct FakeLibrary;

impl Library for FakeLibrary {
    fn fits(&self, value: &Type, wanted: &Type) -> bool {
        value == wanted || (value.is_reference() && *wanted == Type::object())
    }
    fn targets(&self) -> Vec<Offer> {
        rows()
            .iter()
            .map(|row| Offer {
                operation: operation(row),
                member: Some(Member {
                    class: CLASS.into(),
                    name: row.0.into(),
                    descriptor: row.1.into(),
                    throws: Vec::new(),
                    deprecated: false,
                    hidden: row.0.starts_with("hidden"),
                    nullness: Vec::new(),
                }),
                hints: Vec::new(),
                also: Vec::new(),
            })
            .collect()
    }
    fn providers(&self, _: &Type) -> Vec<Offer> {
        Vec::new()
    }
    fn cast_type(&self, _: &Type, _: &ClassName) -> Option<Type> {
        None
    }
    /// Nothing is known of classes of the package `made/up`.
    fn below(&self, sub: &ClassName, sup: &ClassName) -> Option<bool> {
        let is_below = sub == sup || sup.internal() == "java/lang/Object";
        (is_below || sub.package() != "made/up").then_some(is_below)
    }
    fn constants(&self) -> Vec<Constant> {
        vec![Constant::Int(3)]
    }
    fn nameable(&self, _: &ClassName) -> bool {
        true
    }
    fn overrides_hash_code(&self, _: &ClassName) -> bool {
        false
    }
    fn problem(&self, sequence: &Sequence, operations: &Operations, limit: usize) -> Option<String> {
        if sequence.len() > limit {
            return Some("too long".to_owned());
        }
        for (i, Statement { op, args }) in sequence.statements().iter().enumerate() {
            let params = &operations.get(*op).params;
            if args.len() != params.len() {
                return Some(format!("statement {i}: arity"));
            }
            for (arg, param) in args.iter().zip(params) {
                if arg.index() >= i || operations.get(sequence.statements()[arg.index()].op).result != *param {
                    return Some(format!("statement {i}: argument {arg:?}"));
                }
            }
        }
        None
    }
}

pub fn goals() -> Goals {
    let mut goals = Goals::default();
    for (name, descriptor, _, _, first, branches) in rows() {
        let method = goals.add_method(
            Method {
                class: CLASS.into(),
                name: name.into(),
                descriptor: descriptor.into(),
                callable: true,
                is_abstract: false,
            },
            name != "spin" && name != "broken",
        );
        if name == "spin" {
            continue;
        }
        let entry = goals.add_goal(GoalKind::Method, method, 1, None);
        goals.link(ProbeId(first), entry);
        for b in 1..=branches {
            let goal = goals.add_goal(GoalKind::Branch, method, 1, None);
            goals.link(ProbeId(first + b), goal);
        }
    }
    goals
}

#[derive(Clone, Debug)]
enum Slot {
    Int(i32),
    Bool(bool),
    Null,
    /// An object that is nothing else.
    Plain,
    /// Index into the heap.
    Stack(usize),
}

#[derive(Clone, Debug, Default)]
struct Model {
    limit: i32,
    items: Vec<i32>,
}

enum End {
    Throw(&'static str),
    Spin,
}

/// Runs sequences on the model. Reports every probe, as an executor without memory of its own may.
#[derive(Default)]
pub struct FakeExecutor {
    pub queue: std::collections::VecDeque<Vec<Execution>>,
    pub executed: u64,
    pub lengths: u64,
    pub depth: usize,
    /// Answers questions about equality as well.
    pub compares: bool,
}

impl Executor for FakeExecutor {
    fn submit(&mut self, operations: &Operations, batch: Vec<Request>) -> Result<(), ExecutorProblem> {
        self.executed += batch.len() as u64;
        self.lengths += batch.iter().map(|r| r.sequence.len() as u64).sum::<u64>();
        self.queue.push_back(batch.iter().map(|r| run(operations, r, self.compares)).collect());
        Ok(())
    }
    fn collect(&mut self) -> Result<Vec<Execution>, ExecutorProblem> {
        self.queue.pop_front().ok_or(ExecutorProblem { message: "nothing submitted".to_owned(), hint: None })
    }
    fn depth(&self) -> usize {
        self.depth.max(1)
    }
    fn set_best(&mut self, _: &[(ProbeId, u32)]) {}
}

struct Run {
    heap: Vec<Model>,
    hits: Vec<ProbeHit>,
    operands: Vec<Operands>,
    at: u16,
    compares: bool,
    equals_classes: bool,
}

impl Run {
    fn hit(&mut self, probe: u32) {
        if !self.hits.iter().any(|h| h.probe.0 == probe) {
            self.hits.push(ProbeHit { statement: self.at, probe: ProbeId(probe) });
        }
    }
    fn compare(&mut self, left: i32, right: i32) -> bool {
        self.operands.push(Operands { site: SiteId(right as u32), left: Value::Int(left), right: Value::Int(right) });
        left == right
    }
    fn call(&mut self, name: &str, args: &[Slot]) -> Result<Slot, End> {
        let int = |i: usize| match args[i] {
            Slot::Int(n) => n,
            _ => panic!("an int was expected"),
        };
        if name == "<init>" && args.is_empty() {
            return Ok(Slot::Plain);
        }
        if name == "<init>" {
            self.hit(0);
            let limit = int(0);
            self.hit(if limit < 0 { 1 } else { 2 });
            if limit < 0 {
                return Err(End::Throw("java/lang/IllegalArgumentException"));
            }
            self.heap.push(Model { limit, items: Vec::new() });
            return Ok(Slot::Stack(self.heap.len() - 1));
        }
        let Slot::Stack(this) = args[0] else {
            return Err(End::Throw("java/lang/NullPointerException"));
        };
        match name {
            "push" => {
                self.hit(10);
                let full = self.heap[this].items.len() as i32 >= self.heap[this].limit;
                self.hit(if full { 11 } else { 12 });
                if full {
                    return Err(End::Throw("java/lang/IllegalStateException"));
                }
                self.heap[this].items.push(int(1));
                Ok(Slot::Null)
            }
            "pop" => {
                self.hit(20);
                let top = self.heap[this].items.pop();
                self.hit(if top.is_none() { 21 } else { 22 });
                top.map(Slot::Int).ok_or(End::Throw("java/util/NoSuchElementException"))
            }
            "size" => {
                self.hit(30);
                Ok(Slot::Int(self.heap[this].items.len() as i32))
            }
            "isMagic" => {
                self.hit(40);
                let items = self.heap[this].items.clone();
                let three = self.compare(items.len() as i32, 3);
                self.hit(if three { 41 } else { 42 });
                let magic = three && self.compare(items[2], 471_147);
                if three {
                    self.hit(if magic { 43 } else { 44 });
                }
                Ok(Slot::Bool(magic))
            }
            "join" => {
                self.hit(50);
                let Slot::Stack(other) = args[1] else {
                    return Err(End::Throw("java/lang/NullPointerException"));
                };
                self.hit(if other == this { 51 } else { 52 });
                let mut joined = self.heap[this].clone();
                joined.items.extend(self.heap[other].items.clone());
                joined.limit = joined.limit.wrapping_add(self.heap[other].limit);
                self.heap.push(joined);
                Ok(Slot::Stack(self.heap.len() - 1))
            }
            "spin" => Err(End::Spin),
            "broken" => {
                self.hit(70);
                let two = self.compare(self.heap[this].items.len() as i32, 2);
                self.hit(if two { 71 } else { 72 });
                if two { Err(End::Throw("java/lang/NullPointerException")) } else { Ok(Slot::Null) }
            }
            other => panic!("no method {other}"),
        }
    }
    fn state(&self, slot: &Slot) -> Option<StateHash> {
        let Slot::Stack(i) = slot else { return None };
        let model = &self.heap[*i];
        let start = (model.limit as u32 as u128) << 64 | 7;
        Some(StateHash(
            model
                .items
                .iter()
                .fold(start, |h, &n| (h.rotate_left(9) ^ n as u32 as u128).wrapping_mul(0x1_0000_01b3_9e37_79b9)),
        ))
    }
    /// The model's `equals` looks at the items only.
    fn equals_class(&self, slot: &Slot) -> Option<u64> {
        let Slot::Stack(i) = slot else { return None };
        let items = &self.heap[*i].items;
        self.compares.then(|| items.iter().fold(1, |h: u64, &n| h.wrapping_mul(0x9E37_79B1) ^ u64::from(n as u32)))
    }
    fn observe(&self, statement: usize, var: Var, slot: &Slot, changed: Option<bool>) -> Observation {
        let value = match slot {
            Slot::Int(n) => Some(Value::Int(*n)),
            Slot::Bool(b) => Some(Value::Boolean(*b)),
            Slot::Null => Some(Value::Null),
            Slot::Plain | Slot::Stack(_) => None,
        };
        Observation {
            statement: statement as u16,
            var,
            class: matches!(slot, Slot::Stack(_)).then(|| ClassName::new(CLASS)),
            state: self.state(slot),
            equals_class: self.equals_class(slot).filter(|_| self.equals_classes),
            // What `equals` reads is what it compares.
            equals_state: self.equals_class(slot).map(|n| StateHash(u128::from(n))),
            value,
            same_as: None,
            changed,
        }
    }
}

fn run(operations: &Operations, request: &Request, compares: bool) -> Execution {
    let equals_classes = compares && request.detail.equals_classes;
    let mut run = Run { heap: Vec::new(), hits: Vec::new(), operands: Vec::new(), at: 0, compares, equals_classes };
    let mut slots: Vec<Slot> = Vec::new();
    let mut observations = Vec::new();
    let mut violations = Vec::new();
    let mut outcome = Outcome::Normal;
    let last = request.sequence.len().saturating_sub(1);
    for (i, statement) in request.sequence.statements().iter().enumerate() {
        run.at = i as u16;
        let operation = operations.get(statement.op);
        let args: Vec<Slot> = statement.args.iter().map(|a| slots[a.index()].clone()).collect();
        let before: Vec<_> = args.iter().map(|a| run.state(a)).collect();
        let result = match &operation.kind {
            OperationKind::Constant(Constant::Int(n)) => Ok(Slot::Int(*n)),
            OperationKind::Constant(Constant::Null) => Ok(Slot::Null),
            OperationKind::Construct { .. } => run.call("<init>", &args),
            OperationKind::Call { name, .. } => run.call(name, &args),
            OperationKind::ArrayLiteral { .. } => Ok(Slot::Null),
            other => panic!("the model cannot do {other:?}"),
        };
        match result {
            Ok(slot) => {
                let is_void = operation.result == Type::Void;
                if !is_void
                    && (request.detail.observe == Observe::Everything
                        || (request.detail.observe == Observe::LastStatement && i == last))
                {
                    observations.push(run.observe(i, Var(i as u16), &slot, None));
                }
                slots.push(slot);
                if i == last && request.detail.observe != Observe::Nothing {
                    for (arg, before) in statement.args.iter().zip(&before) {
                        let slot = &slots[arg.index()];
                        let changed = matches!(slot, Slot::Stack(_)).then(|| run.state(slot) != *before);
                        observations.push(run.observe(i, *arg, slot, changed));
                    }
                }
                if request.detail.contracts && i == last {
                    let result = operation.result.is_reference().then_some(Var(i as u16));
                    let vars: Vec<Var> = result.into_iter().chain(statement.args.iter().copied()).collect();
                    violations.extend(violation(&run, &slots, &vars, i));
                    violations.extend(unequal_hashes(&run, &slots, &vars, i));
                }
            }
            Err(End::Throw(class)) => {
                let detail = ThrownDetail {
                    message: None,
                    frames: vec![Frame { class: CLASS.into(), method: Arc::from("m"), line: 3 }],
                    cause: None,
                    supers: vec![
                        "java/lang/RuntimeException".into(),
                        "java/lang/Exception".into(),
                        "java/lang/Throwable".into(),
                    ],
                };
                let exception =
                    Thrown { class: class.into(), detail: request.detail.exceptions.then(|| Arc::new(detail)) };
                outcome = Outcome::Threw { statement: i as u16, exception };
                break;
            }
            Err(End::Spin) => {
                outcome = Outcome::StepLimit { statement: i as u16 };
                break;
            }
        }
    }
    Execution {
        probes: run.hits.clone(),
        operands: if request.detail.operands { run.operands.clone() } else { Vec::new() },
        observations,
        violations,
        steps: 1,
        ..Execution::ended(outcome)
    }
}

/// The model's `hashCode` throws once a stack holds a zero on top of a one.
fn violation(run: &Run, slots: &[Slot], vars: &[Var], statement: usize) -> Option<Violation> {
    let broken = |s: &Slot| matches!(s, Slot::Stack(i) if run.heap[*i].items.ends_with(&[1, 0]));
    let var = vars.iter().find(|v| broken(&slots[v.index()]))?;
    Some(Violation {
        contract: Contract::HashCodeThrows,
        statement: statement as u16,
        vars: vec![*var],
        thrown: Some(Thrown { class: "java/lang/IllegalStateException".into(), detail: None }),
    })
}

/// The model's `equals` looks at the items only, its `hashCode` at the limit too.
fn unequal_hashes(run: &Run, slots: &[Slot], vars: &[Var], statement: usize) -> Option<Violation> {
    let model = |v: &Var| match slots[v.index()] {
        Slot::Stack(i) => Some(&run.heap[i]),
        _ => None,
    };
    let unequal = |a: &Model, b: &Model| a.items == b.items && a.limit != b.limit;
    let pairs = vars.iter().enumerate().flat_map(|(i, a)| vars[i + 1..].iter().map(move |b| (*a, *b)));
    let pair = pairs.into_iter().find(|(a, b)| matches!((model(a), model(b)), (Some(a), Some(b)) if unequal(a, b)))?;
    Some(Violation {
        contract: Contract::EqualsHashCode,
        statement: statement as u16,
        vars: vec![pair.0, pair.1],
        thrown: None,
    })
}
