//! A stack of ints that exists only as a model, and observed suites that use it. For tests of the techniques; never part of the product.

use bytecode::names::ClassName;
use rustc_hash::FxHashMap;
use testcase::execution::StateHash;
use testcase::observed::{
    CallEnd, ObservedAssertion, ObservedCall, ObservedMember, ObservedObject, ObservedSuite, ObservedValue, TestMethod,
    TestOutcome, TestRun,
};
use testcase::value::Value;

const CLASS: &str = "subjects/IntStack";
/// Name, descriptor.
const MEMBERS: [(&str, &str); 6] = [
    ("<init>", "()V"),
    ("push", "(I)V"),
    ("pop", "()I"),
    ("isEmpty", "()Z"),
    ("pushAll", "(Lsubjects/IntStack;)V"),
    ("copy", "()Lsubjects/IntStack;"),
];

#[derive(Clone, Debug, Default)]
struct Stack {
    store: [i32; 8],
    size: usize,
}

/// Makes an observed suite from tests in words: `a=new`, `a.push 3`, `a.pushAll b`, `b=a.copy`, `assert 7` (with a hash of its arguments).
#[derive(Default)]
pub struct Model {
    classes: FxHashMap<Vec<i32>, u64>,
}

impl Model {
    pub fn suite(tests: &[(&str, &str)]) -> ObservedSuite {
        let mut model = Model::default();
        let members = MEMBERS
            .map(|(name, descriptor)| ObservedMember {
                class: CLASS.into(),
                name: name.into(),
                descriptor: descriptor.into(),
                is_static: false,
            })
            .to_vec();
        let runs = tests.iter().map(|(name, text)| model.run(name, text)).collect();
        ObservedSuite { members, runs, ..ObservedSuite::default() }
    }

    /// As `suite`, each test method with all its runs: names may be given more than once.
    fn run(&mut self, name: &str, text: &str) -> TestRun {
        let mut run = TestRun {
            method: TestMethod { class: "StackTest".into(), name: name.into(), descriptor: "()V".into() },
            class: "StackTest".into(),
            display: name.to_owned(),
            outcome: TestOutcome::Passed,
            calls: Vec::new(),
            assertions: Vec::new(),
            probes: Vec::new(),
            micros: 0,
            unrecorded: 0,
        };
        let mut heap: Vec<(String, Stack)> = Vec::new();
        for step in text.split(';').map(str::trim).filter(|s| !s.is_empty()) {
            if let Some(arguments) = step.strip_prefix("assert ") {
                run.assertions.push(ObservedAssertion {
                    after: run.calls.len() as u32,
                    class: "org/junit/Assert".into(),
                    name: "assertEquals".into(),
                    arguments: StateHash(arguments.parse().unwrap()),
                });
            } else if let Some(class) = step.strip_prefix("fail ") {
                run.outcome = TestOutcome::Failed { class: ClassName::new(class), message: None, frame: None };
            } else {
                let call = self.call(&mut heap, step);
                run.calls.push(call);
            }
        }
        run
    }

    fn call(&mut self, heap: &mut Vec<(String, Stack)>, step: &str) -> ObservedCall {
        let (made, call) = step.split_once('=').map_or((None, step), |(made, call)| (Some(made), call));
        let (target, rest) = call.split_once('.').unwrap_or(("", call));
        let (name, argument) = rest.split_once(' ').map_or((rest, None), |(n, a)| (n, Some(a)));
        let at = |heap: &[(String, Stack)], name: &str| heap.iter().position(|(n, _)| n == name).unwrap();
        let member = MEMBERS.iter().position(|(n, _)| *n == if name == "new" { "<init>" } else { name }).unwrap();
        let this = (name != "new").then(|| at(heap, target));
        let receiver = this.map(|t| self.see(heap, t));
        let arguments: Vec<ObservedValue> = argument
            .map(|a| match a.parse() {
                Ok(n) => ObservedValue::Plain(Value::Int(n)),
                Err(_) => self.see(heap, at(heap, a)),
            })
            .into_iter()
            .collect();
        let other = argument.filter(|a| a.parse::<i32>().is_err()).map(|a| at(heap, a));
        let joint = joint(heap, this, other, argument);
        let mut written = vec![false; receiver.iter().len() + arguments.len()];
        let end = match name {
            "new" | "copy" => {
                let stack = this.map_or_else(Stack::default, |t| heap[t].1.clone());
                heap.push((made.unwrap().to_owned(), stack));
                CallEnd::Returned(Some(self.see(heap, heap.len() - 1)))
            }
            "push" => {
                push(&mut heap[this.unwrap()].1, argument.unwrap().parse().unwrap());
                written[0] = true;
                CallEnd::Returned(None)
            }
            "pushAll" => {
                let from = heap[other.unwrap()].1.clone();
                for &item in &from.store[..from.size] {
                    push(&mut heap[this.unwrap()].1, item);
                }
                written[0] = from.size > 0;
                CallEnd::Returned(None)
            }
            "pop" => {
                let stack = &mut heap[this.unwrap()].1;
                if stack.size == 0 {
                    CallEnd::Threw("java/util/NoSuchElementException".into())
                } else {
                    stack.size -= 1;
                    written[0] = true;
                    CallEnd::Returned(Some(ObservedValue::Plain(Value::Int(stack.store[stack.size]))))
                }
            }
            "isEmpty" => CallEnd::Returned(Some(ObservedValue::Plain(Value::Boolean(heap[this.unwrap()].1.size == 0)))),
            other => panic!("no method {other}"),
        };
        ObservedCall { member: member as u32, receiver, arguments, joint: Some(joint), end, written }
    }

    fn see(&mut self, heap: &[(String, Stack)], at: usize) -> ObservedValue {
        let stack = &heap[at].1;
        let items = stack.store[..stack.size].to_vec();
        let next = self.classes.len() as u64;
        ObservedValue::Object(ObservedObject {
            object: at as u32,
            class: CLASS.into(),
            state: Some(hash(&stack.store, stack.size)),
            equals_state: Some(hash(&items, stack.size)),
            equals_class: Some(*self.classes.entry(items).or_insert(next)),
            fallback: None,
        })
    }
}

fn push(stack: &mut Stack, item: i32) {
    stack.store[stack.size] = item;
    stack.size += 1;
}

fn hash(items: &[i32], size: usize) -> StateHash {
    let step = |h: u128, n: u128| (h.rotate_left(9) ^ n).wrapping_mul(0x1_0000_01b3_9e37_79b9);
    StateHash(items.iter().fold(step(7, size as u128), |h, &n| step(h, u128::from(n as u32))))
}

fn joint(heap: &[(String, Stack)], this: Option<usize>, other: Option<usize>, argument: Option<&str>) -> StateHash {
    let state = |at: Option<usize>| at.map_or(0, |at| hash(&heap[at].1.store, heap[at].1.size).0);
    let number = argument.and_then(|a| a.parse::<i32>().ok()).unwrap_or(0);
    let shared = u128::from(this.is_some() && this == other);
    StateHash(state(this) ^ state(other).rotate_left(31) ^ (number as u128).rotate_left(64) ^ shared.rotate_left(99))
}
