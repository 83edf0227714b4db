//! The differential bench: an executor that runs every sequence on a JVM and on the symbolic machine and compares what both showed. Owns the comparison and the
//! table of what was not modelled; the search gets the JVM's results.

use std::collections::BTreeMap;

use bytecode::names::ClassName;
use exec::executor::JvmExecutor;
use symbolic::executor::VmExecutor;
use symbolic::vm::{Stop, Unstable};
use testcase::execution::{
    Distance, Execution, Frame, Observation, Operands, Outcome, ProbeHit, ProbeId, Thrown, ThrownDetail, Violation,
};
use testcase::executor::{Detail, Executor, ExecutorProblem, Observe, Request};
use testcase::operation::Operations;
use testcase::value::Value;

/// Both executors, side by side.
pub struct Differential<'e> {
    pub jvm: &'e mut JvmExecutor,
    pub vm: &'e mut VmExecutor,
    pub report: Report,
    /// Sequences that differed, to be run once more with nothing before them.
    pub suspects: Vec<Suspect>,
    waiting: Option<Vec<Execution>>,
}

/// A sequence that differed.
pub struct Suspect {
    pub request: Request,
    pub operations: Operations,
    /// What of it no two JVMs agree on.
    pub unstable: Unstable,
    problem: String,
}

impl Suspect {
    /// Whether JVMs can be asked if they agree; always, if nothing unstable was used. On traces, threads and on where names lie they may well, because all run in the worker.
    fn is_doubtful(&self) -> bool {
        self.unstable.is_within(&[Unstable::IDENTITY, Unstable::SALT, Unstable::CLOCK])
    }
}

/// How a new JVM numbers objects that have no hash of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identities {
    Usual,
    /// By one of the other ways that JVMs know.
    Other(u8),
}

/// What the comparison found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub sequences: u64,
    /// Sequences the machine ended for want of a model, by reason.
    pub unmodelled: BTreeMap<String, u64>,
    /// Where the machine was when it first met each reason: methods, innermost first.
    pub places: BTreeMap<String, String>,
    /// Sequences that used identity hashes or the like, and differed: on two JVMs as well, where that was tried. By what they used.
    pub unstable: BTreeMap<String, u64>,
    /// The first few of them.
    pub unstable_shown: Vec<String>,
    /// Sequences that differed, but not when nothing ran before them: libraries keep caches, and a JVM keeps libraries.
    pub of_history: u64,
    /// States that the machine cannot look at.
    pub unknown_states: u64,
    pub states: u64,
    pub values: u64,
    pub probes: u64,
    pub operands: u64,
    pub distances: u64,
    pub checked: u64,
    pub violations: u64,
    /// Differences, with the sequence; the first few.
    pub wrong: Vec<String>,
    pub wrong_count: u64,
}

const KEPT: usize = 12;
const SUSPECTS: usize = 80;
/// Of a class, so many unstable sequences are tried again on JVMs.
const DOUBTED: usize = 8;
/// All these have to agree before one sequence of these is called wrong; of two orders, JVMs choose by chance.
const WITNESSES: [Identities; 8] = [
    Identities::Other(3),
    Identities::Usual,
    Identities::Other(0),
    Identities::Other(2),
    Identities::Usual,
    Identities::Other(1),
    Identities::Other(4),
    Identities::Usual,
];
/// The contracts of one sequence of so many are checked.
const CHECKED: usize = 4;
/// Frames of a trace that are told.
const CUT: usize = 16;
/// One sequence of so many is run past its exceptions, too.
const PAST: usize = 8;

impl Report {
    /// Sequences the machine ended for want of a model.
    pub fn stopped(&self) -> u64 {
        self.unmodelled.values().sum()
    }

    /// All sequences that no two JVMs agree on.
    pub fn unstable_count(&self) -> u64 {
        self.unstable.values().sum()
    }

    /// Reasons, the most frequent first.
    pub fn reasons(&self) -> Vec<(&str, u64)> {
        let mut all: Vec<_> = self.unmodelled.iter().map(|(reason, count)| (reason.as_str(), *count)).collect();
        all.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        all
    }

    pub fn add(&mut self, other: Report) {
        self.sequences += other.sequences;
        for (what, count) in other.unstable {
            *self.unstable.entry(what).or_default() += count;
        }
        self.probes += other.probes;
        self.operands += other.operands;
        self.distances += other.distances;
        self.checked += other.checked;
        self.violations += other.violations;
        self.unstable_shown.extend(other.unstable_shown);
        self.of_history += other.of_history;
        self.unknown_states += other.unknown_states;
        self.states += other.states;
        self.values += other.values;
        self.wrong_count += other.wrong_count;
        self.wrong.extend(other.wrong);
        for (reason, count) in other.unmodelled {
            *self.unmodelled.entry(reason).or_default() += count;
        }
        for (reason, place) in other.places {
            self.places.entry(reason).or_insert(place);
        }
    }
}

impl<'e> Differential<'e> {
    pub fn new(jvm: &'e mut JvmExecutor, vm: &'e mut VmExecutor) -> Differential<'e> {
        Differential { jvm, vm, report: Report::default(), suspects: Vec::new(), waiting: None }
    }

    /// Runs a suspect again on the JVM.
    fn jvm_alone(&mut self, suspect: &Suspect) -> Result<Execution, ExecutorProblem> {
        let mut ran = self.jvm.run(&suspect.operations, vec![suspect.request.clone()])?;
        Ok(ran.remove(0))
    }

    /// Runs a suspect again on a machine that has nothing behind it, beside what a JVM showed with new classes; if they still differ, beside a new JVM, whose JDK has
    /// nothing behind it either. What differs from that, too, and may depend on identities, order or time is run on more of them.
    pub fn try_again(
        &mut self,
        suspect: &Suspect,
        vm: &mut VmExecutor,
        mut new_jvm: impl FnMut(Identities) -> Result<Execution, ExecutorProblem>,
    ) -> Result<(), ExecutorProblem> {
        let jvm = self.jvm_alone(suspect)?;
        let vm = vm.run(&suspect.operations, vec![suspect.request.clone()])?;
        if self.difference(&jvm, &vm[0]).is_none() {
            self.report.of_history += 1;
            return Ok(());
        }
        if !suspect.is_doubtful() {
            self.unstable(&suspect.operations, &suspect.request, &suspect.problem, suspect.unstable);
            return Ok(());
        }
        let new = new_jvm(Identities::Usual)?;
        let Some(problem) = self.difference(&new, &vm[0]) else {
            self.report.of_history += 1;
            return Ok(());
        };
        let mut is_unstable = false;
        for identities in WITNESSES {
            if is_unstable || suspect.unstable.is_empty() {
                break;
            }
            is_unstable = self.difference(&new, &new_jvm(identities)?).is_some();
        }
        if is_unstable {
            self.unstable(&suspect.operations, &suspect.request, &problem, suspect.unstable);
        } else {
            let both = format!("{problem} (first: {})", suspect.problem);
            self.wrong(&suspect.operations, &suspect.request, &both);
        }
        Ok(())
    }

    /// Runs a batch on both and compares; gives what the JVM showed.
    fn both(&mut self, operations: &Operations, batch: &[Request]) -> Result<Vec<Execution>, ExecutorProblem> {
        let jvm = self.jvm.run(operations, batch.to_vec())?;
        let vm = self.vm.run(operations, batch.to_vec())?;
        let reason = |(stop, jvm): (&Option<Stop>, &Execution)| match stop {
            Some(stop @ (Stop::Unmodelled(_) | Stop::Malformed(_))) => Some(stop.to_string()),
            // The machine counts every instruction, the worker only loops and calls.
            Some(stop @ (Stop::Steps | Stop::Memory)) if !is_limit(&jvm.outcome) => Some(stop.to_string()),
            _ => None,
        };
        let stops: Vec<Option<String>> = self.vm.last_stops().iter().zip(&jvm).map(reason).collect();
        let unstable = self.vm.last_unstable().to_vec();
        let places: Vec<String> = self.vm.last_places().iter().map(|p| p.join(" < ")).collect();
        for (i, request) in batch.iter().enumerate() {
            let stopped = stops[i].as_deref().map(|reason| (reason, &*places[i]));
            self.compare(operations, request, &jvm[i], &vm[i], stopped, unstable[i]);
        }
        Ok(jvm)
    }

    fn unstable(&mut self, operations: &Operations, request: &Request, problem: &str, what: Unstable) {
        *self.report.unstable.entry(what.to_string()).or_default() += 1;
        if self.report.unstable_shown.len() < KEPT {
            let text = testcase::text::print_sequence(&request.sequence, operations);
            self.report.unstable_shown.push(format!("({what}) {problem}\n{text}"));
        }
    }

    fn difference(&mut self, jvm: &Execution, vm: &Execution) -> Option<String> {
        let classes = |e: &Execution| -> Vec<(u16, ClassName)> {
            e.passed_over.iter().map(|(at, thrown)| (*at, thrown.class.clone())).collect()
        };
        let ended = outcomes(&jvm.outcome, &vm.outcome);
        if ended.is_none() && jvm.outcome == Outcome::Normal && classes(jvm) != classes(vm) {
            return Some(format!("passed over {:?} on the JVM, {:?} on the machine", classes(jvm), classes(vm)));
        }
        if ended.is_none() && matches!(jvm.outcome, Outcome::Normal | Outcome::Threw { .. }) {
            return self
                .observations(&jvm.observations, &vm.observations)
                .or_else(|| self.probes(&jvm.probes, &vm.probes))
                .or_else(|| self.operands(&jvm.operands, &vm.operands))
                .or_else(|| self.distances(&jvm.distances, &vm.distances))
                .or_else(|| self.violations(&jvm.violations, &vm.violations));
        }
        ended
    }

    fn probes(&mut self, jvm: &[ProbeHit], vm: &[ProbeHit]) -> Option<String> {
        self.report.probes += jvm.len() as u64;
        if jvm == vm {
            return None;
        }
        let missing: Vec<_> = jvm.iter().filter(|hit| !vm.contains(hit)).collect();
        let more: Vec<_> = vm.iter().filter(|hit| !jvm.contains(hit)).collect();
        Some(format!("probes hit on the JVM alone: {missing:?}, on the machine alone: {more:?}"))
    }

    fn operands(&mut self, jvm: &[Operands], vm: &[Operands]) -> Option<String> {
        self.report.operands += jvm.len() as u64;
        if jvm.len() != vm.len() {
            return Some(format!("operands of {} sites on the JVM, of {} on the machine", jvm.len(), vm.len()));
        }
        let differing = jvm.iter().zip(vm).find(|(a, b)| {
            let alike = |x: &Value, y: &Value| x == y || is_nan(x) && is_nan(y) || mentions_lambda(x);
            a.site != b.site || !alike(&a.left, &b.left) || !alike(&a.right, &b.right)
        });
        differing.map(|(a, b)| format!("operands {a:?} on the JVM, {b:?} on the machine"))
    }

    fn distances(&mut self, jvm: &[Distance], vm: &[Distance]) -> Option<String> {
        self.report.distances += jvm.len() as u64;
        (jvm != vm).then(|| format!("distances {jvm:?} on the JVM, {vm:?} on the machine"))
    }

    fn violations(&mut self, jvm: &[Violation], vm: &[Violation]) -> Option<String> {
        self.report.violations += jvm.len() as u64;
        let plain = |all: &[Violation]| -> Vec<_> {
            let thrown = |v: &Violation| v.thrown.as_ref().map(|t| t.class.clone());
            all.iter().map(|v| (v.contract.clone(), v.statement, v.vars.clone(), thrown(v))).collect()
        };
        let (a, b) = (plain(jvm), plain(vm));
        (a != b).then(|| format!("contracts broken: {a:?} on the JVM, {b:?} on the machine"))
    }

    fn wrong(&mut self, operations: &Operations, request: &Request, problem: &str) {
        self.report.wrong_count += 1;
        if self.report.wrong.len() < KEPT {
            let text = testcase::text::print_sequence(&request.sequence, operations);
            self.report.wrong.push(format!("{problem}\n{text}"));
        }
    }

    fn compare(
        &mut self,
        operations: &Operations,
        request: &Request,
        jvm: &Execution,
        vm: &Execution,
        stopped: Option<(&str, &str)>,
        unstable: Unstable,
    ) {
        self.report.sequences += 1;
        if let Some((reason, place)) = stopped {
            *self.report.unmodelled.entry(reason.to_owned()).or_default() += 1;
            self.report.places.entry(reason.to_owned()).or_insert_with(|| place.to_owned());
            return;
        }
        let Some(problem) = self.difference(jvm, vm) else { return };
        // What no two JVMs agree on explains other values, hardly another way to end.
        let explained = !unstable.is_empty() && kind(&jvm.outcome) == kind(&vm.outcome);
        let doubted = self.suspects.iter().filter(|s| !s.unstable.is_empty()).count();
        if explained && doubted >= DOUBTED {
            self.unstable(operations, request, &problem, unstable);
        } else if self.suspects.len() < SUSPECTS {
            let unstable = if explained { unstable } else { Unstable::default() };
            let suspect = Suspect { request: request.clone(), operations: operations.clone(), unstable, problem };
            self.suspects.push(suspect);
        } else {
            self.wrong(operations, request, &problem);
        }
    }

    fn observations(&mut self, jvm: &[Observation], vm: &[Observation]) -> Option<String> {
        if jvm.len() != vm.len() {
            return Some(format!("{} observations on the JVM, {} on the machine", jvm.len(), vm.len()));
        }
        for (a, b) in jvm.iter().zip(vm) {
            let place = format!("v{} after statement {}", a.var.0, a.statement);
            if (a.statement, a.var) != (b.statement, b.var) {
                return Some(format!("{place}: the machine looked at v{} after {}", b.var.0, b.statement));
            }
            if a.class.as_ref().map(plain) != b.class.as_ref().map(plain) {
                return Some(format!("{place}: class {:?} on the JVM, {:?} on the machine", a.class, b.class));
            }
            self.report.values += 1;
            let lambda = a.class.as_ref().is_some_and(|c| c.internal().contains("Testudo$Lambda"));
            if a.value != b.value && !lambda && !a.value.as_ref().is_some_and(mentions_lambda) {
                return Some(format!("{place}: value {:?} on the JVM, {:?} on the machine", a.value, b.value));
            }
            match (a.state, b.state) {
                (Some(x), Some(y)) => {
                    self.report.states += 1;
                    if x != y {
                        return Some(format!("{place}: states differ ({:?} {:?})", a.class, a.value));
                    }
                }
                (Some(_), None) => self.report.unknown_states += 1,
                (None, Some(_)) => return Some(format!("{place}: a state on the machine alone")),
                (None, None) => {}
            }
        }
        None
    }
}

fn past_exceptions(request: Request) -> Request {
    let detail = Detail { past_exceptions: true, ..request.detail };
    Request { detail, ..request }
}

/// Without the counter of classes made for lambdas.
fn plain(class: &ClassName) -> String {
    let name = class.internal();
    match name.find("Testudo$Lambda") {
        Some(_) => "Testudo$Lambda".to_owned(),
        None => name.to_owned(),
    }
}

fn mentions_lambda(value: &Value) -> bool {
    matches!(value, Value::Object { .. } | Value::Array { .. } | Value::Class(_) | Value::String(_))
        && format!("{value:?}").contains("Testudo$Lambda")
}

fn is_nan(value: &Value) -> bool {
    match value {
        Value::Float(bits) => f32::from_bits(*bits).is_nan(),
        Value::Double(bits) => f64::from_bits(*bits).is_nan(),
        _ => false,
    }
}

/// Whether the JVM was stopped by a limit, too.
fn is_limit(outcome: &Outcome) -> bool {
    matches!(
        outcome,
        Outcome::StepLimit { .. }
            | Outcome::WallClock { .. }
            | Outcome::OutOfMemory { .. }
            | Outcome::StackOverflow { .. }
            | Outcome::Killed { .. }
    )
}

fn outcomes(jvm: &Outcome, vm: &Outcome) -> Option<String> {
    let same = match (jvm, vm) {
        (Outcome::Threw { statement: a, exception: x }, Outcome::Threw { statement: b, exception: y }) => {
            let (text_x, text_y) = (message(jvm), message(vm));
            // A cast's message names the class loader. So does that of a missing method.
            let told = match x.class.internal() {
                "java/lang/ClassCastException" | "java/lang/AbstractMethodError" => true,
                // It is made from the code, of the dispatcher perhaps.
                "java/lang/NullPointerException" => {
                    text_y.is_none() || y.detail.as_ref().is_none_or(|d| d.frames.is_empty())
                }
                _ => false,
            };
            let numbered = text_x.as_deref().is_some_and(|t| t.contains('@') || t.contains("Testudo$Lambda"));
            let beside = |t: &Thrown| t.detail.as_ref().map(|d| (d.cause.clone(), d.supers.clone()));
            let traces = x.detail.as_ref().zip(y.detail.as_ref());
            a == b
                && x.class == y.class
                && (told || numbered || text_x == text_y)
                && beside(x) == beside(y)
                && traces.is_none_or(|(a, b)| is_same_trace(a, b))
        }
        (Outcome::StepLimit { .. } | Outcome::WallClock { .. }, Outcome::StepLimit { .. }) => true,
        (Outcome::StepLimit { .. }, Outcome::Normal | Outcome::Threw { .. }) => true,
        (Outcome::OutOfMemory { .. }, Outcome::OutOfMemory { .. } | Outcome::StepLimit { .. }) => true,
        (
            Outcome::StepLimit { .. } | Outcome::WallClock { .. } | Outcome::Killed { .. },
            Outcome::OutOfMemory { .. },
        ) => true,
        // Java code in the package of the tests could not name it; the machine does not ask.
        (Outcome::Unlinkable { message, .. }, _) if message.contains("cannot be named") => true,
        // The messages name class loaders.
        (Outcome::Unlinkable { statement: a, message: x }, Outcome::Unlinkable { statement: b, message: y }) => {
            a == b && x.split(':').next() == y.split(':').next()
        }
        (a, b) => a == b,
    };
    (!same).then(|| format!("{jvm:?} on the JVM, {vm:?} on the machine"))
}

/// Traces as far as both are told. How reflection makes its calls is a JVM's own affair, and changes when it made a few.
fn is_same_trace(a: &ThrownDetail, b: &ThrownDetail) -> bool {
    let is_reflection = |f: &&Frame| ["jdk/internal/reflect", "java/lang/reflect"].contains(&f.class.package());
    let frames = |d: &ThrownDetail| -> Vec<Frame> { d.frames.iter().filter(|f| !is_reflection(f)).cloned().collect() };
    let (is_cut, x, y) = (a.frames.len().max(b.frames.len()) == CUT, frames(a), frames(b));
    // Class loaders, which differ, are on the way to a class that is missing.
    let is_loading = |f: &Frame| f.class.internal() == "java/lang/Class" && &*f.method == "forName0";
    let below = |mut frames: Vec<Frame>| frames.split_off(frames.iter().position(is_loading).unwrap_or(0));
    let (x, y) = (below(x), below(y));
    let is_same =
        |(x, y): (&Frame, &Frame)| (plain(&x.class), &x.method, x.line) == (plain(&y.class), &y.method, y.line);
    x.iter().zip(&y).all(is_same) && (is_cut || x.len() == y.len())
}

/// How a sequence ended, without values.
fn kind(outcome: &Outcome) -> (std::mem::Discriminant<Outcome>, Option<&ClassName>) {
    let class = match outcome {
        Outcome::Threw { exception, .. } => Some(&exception.class),
        _ => None,
    };
    (std::mem::discriminant(outcome), class)
}

fn message(outcome: &Outcome) -> Option<String> {
    match outcome {
        Outcome::Threw { exception, .. } => exception.detail.as_ref()?.message.as_ref().map(|m| m.to_string()),
        _ => None,
    }
}

impl Executor for Differential<'_> {
    fn submit(&mut self, operations: &Operations, batch: Vec<Request>) -> Result<(), ExecutorProblem> {
        let looked: Vec<Request> = batch
            .into_iter()
            .enumerate()
            .map(|(i, request)| {
                let detail = Detail {
                    observe: Observe::Everything,
                    states: true,
                    values: true,
                    exceptions: true,
                    past_exceptions: false,
                    contracts: i % CHECKED == 0,
                    all_probes: true,
                    operands: true,
                    distances: true,
                    equals_classes: false,
                    ..request.detail
                };
                Request { detail, ..request }
            })
            .collect();
        self.report.checked += looked.iter().filter(|r| r.detail.contracts).count() as u64;
        let jvm = self.both(operations, &looked)?;
        // Some also past their exceptions; the search has not asked for these.
        let past: Vec<Request> = looked.into_iter().step_by(PAST).map(past_exceptions).collect();
        self.both(operations, &past)?;
        self.waiting = Some(jvm);
        Ok(())
    }

    fn collect(&mut self) -> Result<Vec<Execution>, ExecutorProblem> {
        Ok(self.waiting.take().unwrap_or_default())
    }

    fn set_best(&mut self, best: &[(ProbeId, u32)]) {
        self.jvm.set_best(best);
    }
}
