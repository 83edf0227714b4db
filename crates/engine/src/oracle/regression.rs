//! Assertions for passing tests: what they showed, as far as it was the same twice and means something. Owns which values and observers are worth
//! asserting; which tests there are was decided before.

use bytecode::names::{ClassName, Primitive};
use testcase::assertion::{Assertion, Expectation, TestCase};
use testcase::execution::{Execution, Observation, Outcome, Thrown};
use testcase::executor::{Detail, ExecutorProblem, Observe};
use testcase::operation::{OpId, OperationKind};
use testcase::sequence::{Sequence, Var};
use testcase::types::Type;
use testcase::value::{JavaString, Value};

use crate::catalog::{Role, TypeId};
use crate::constants::looks_like_identity;
use crate::goal::GoalId;
use crate::oracle::peek;
use crate::oracle::unsteady::differs;
use crate::reduce::runner::{Runner, goals_of};
use crate::search::{MemberName, Search, is_testable, is_unanswered};

/// Observations without change that make a method an observer.
const OBSERVER_AFTER: u32 = 5;
/// Observers called at the end of a test, without and with arguments. Mutants, or else their names, decide which of them stay.
const MAX_OBSERVERS: usize = 10;
const MAX_QUESTIONS: usize = 6;
/// So often tests are run again, and if there is time; those that assert what a call gave that was seen not to do the same twice; and, if there is time, those that make such calls.
const CONFIRMED: usize = 1;
const OFTEN: usize = 5;
const DOUBTED: usize = 10;
const SHAKY: usize = 60;
/// Runs that this may take beyond the others.
const MOST_EXTRA: usize = 3_000;
/// Longer strings make unreadable assertions.
const MAX_STRING: usize = 120;
const MAX_ARRAY: usize = 16;

/// A test with what can be said about it.
#[derive(Clone, Debug)]
pub struct Asserted {
    pub test: TestCase,
    pub goals: Vec<GoalId>,
}

/// A test as the search left it, and what is known of it without running it again.
#[derive(Clone, Debug)]
pub struct Draft {
    pub sequence: Sequence,
    /// What its last statement threw.
    pub thrown: Option<ClassName>,
    pub goals: Vec<GoalId>,
}

impl Draft {
    /// The test without assertions. `None` if its exception has no name that a test can use.
    fn bare(&self, search: &Search<'_>) -> Option<Asserted> {
        let expectation = match &self.thrown {
            None => Expectation::Passes,
            Some(class) if search.library.nameable(class) => {
                Expectation::Throws { class: class.clone(), message: None }
            }
            Some(_) => return None,
        };
        let subject = self.sequence.last_var();
        let test = TestCase { sequence: self.sequence.clone(), assertions: Vec::new(), expectation, subject };
        Some(Asserted { test, goals: self.goals.clone() })
    }

    /// What can be delivered if the test could not be run again in time: one that expects an exception checks that. Any
    /// other would check nothing.
    fn unseen(&self, search: &Search<'_>) -> Found {
        match &self.thrown {
            Some(_) => self.bare(search).map_or(Found::Unfit, Found::Fit),
            None => Found::Hurried,
        }
    }
}

/// What became of a draft.
#[derive(Clone, Debug)]
pub enum Found {
    /// A test with its assertions.
    Fit(Asserted),
    /// It did not do the same every time, or cannot be a test for another reason.
    Unfit,
    /// It could not be run again in time, so nothing is known that it could assert.
    Hurried,
}

fn detail() -> Detail {
    Detail {
        observe: Observe::Everything,
        states: true,
        values: true,
        all_probes: true,
        exceptions: true,
        ..Detail::default()
    }
}

/// The same in another environment: what differs there depends on the clock, the user or the place, and is no property of the code.
fn elsewhere() -> Detail {
    Detail { varied: true, ..detail() }
}

/// Runs every test twice, the second time in reverse order and in another environment, and says of each what it can
/// assert.
pub fn assert_all(runner: &mut Runner<'_, '_, '_>, drafts: &[Draft]) -> Result<Vec<Found>, ExecutorProblem> {
    assert_calling(runner, drafts, Effort { observers: true, confirmed: true })
}

/// The same with as few runs as possible, for tests that will be made smaller: should there be no time for that, they
/// have assertions already. Verification repeats them anyway.
pub fn assert_early(runner: &mut Runner<'_, '_, '_>, drafts: &[Draft]) -> Result<Vec<Found>, ExecutorProblem> {
    assert_calling(runner, drafts, Effort { observers: true, confirmed: false })
}

/// The same without calls of observers: the tests make no calls but their own.
pub fn assert_as_they_are(runner: &mut Runner<'_, '_, '_>, drafts: &[Draft]) -> Result<Vec<Found>, ExecutorProblem> {
    assert_calling(runner, drafts, Effort { observers: false, confirmed: true })
}

/// How much is done for assertions.
#[derive(Clone, Copy, Debug)]
struct Effort {
    /// Calls that only look are added behind the test's own.
    observers: bool,
    /// Tests run more often than twice.
    confirmed: bool,
}

fn assert_calling(
    runner: &mut Runner<'_, '_, '_>,
    drafts: &[Draft],
    effort: Effort,
) -> Result<Vec<Found>, ExecutorProblem> {
    let sequences: Vec<Sequence> = drafts.iter().map(|d| d.sequence.clone()).collect();
    let plain = runner.run(&sequences, Detail { exceptions: true, all_probes: true, ..Detail::default() })?;
    let mut extended: Vec<Sequence> = sequences
        .iter()
        .zip(&plain)
        .map(|(s, e)| {
            if effort.observers && e.outcome == Outcome::Normal { with_observers(runner.search, s) } else { s.clone() }
        })
        .collect();
    let mut first = runner.run(&extended, detail())?;
    let reversed: Vec<Sequence> = extended.iter().rev().cloned().collect();
    let mut second = runner.run(&reversed, elsewhere())?;
    second.reverse();
    // Observers that threw are left out again; their tests need two more runs.
    let mut asserted = Vec::with_capacity(sequences.len());
    let mut retry: Vec<usize> = Vec::new();
    for (i, sequence) in extended.iter().enumerate() {
        runner.search.unsteady.compare(sequence, &first[i], &second[i]);
        let done = judge(runner.search, sequence, sequences[i].len(), &first[i], &second[i], &plain[i]);
        let hurried = is_unanswered(&first[i]) || is_unanswered(&second[i]);
        if done.is_none() && (hurried || sequence.len() > sequences[i].len()) {
            retry.push(i);
        }
        asserted.push(done);
    }
    let bare: Vec<Sequence> = retry.iter().map(|&i| sequences[i].clone()).collect();
    let retried = runner.run(&bare, detail())?;
    let second = runner.run(&bare, elsewhere())?;
    let mut hurried: Vec<usize> = Vec::new();
    for (((i, sequence), one), other) in retry.into_iter().zip(bare).zip(retried).zip(&second) {
        if is_unanswered(&one) || is_unanswered(other) {
            hurried.push(i);
            continue;
        }
        asserted[i] = judge(runner.search, &sequence, sequence.len(), &one, other, &plain[i]);
        (extended[i], first[i]) = (sequence, one);
    }
    if effort.confirmed {
        confirm(runner, drafts, &extended, &Looks { plain: &plain, first: &first }, &mut asserted)?;
    }
    let found = asserted.into_iter().zip(drafts).enumerate().map(|(i, (asserted, draft))| match asserted {
        Some(asserted) => Found::Fit(asserted),
        None if is_unanswered(&plain[i]) || hurried.contains(&i) => draft.unseen(runner.search),
        None => Found::Unfit,
    });
    Ok(found.collect())
}

/// Runs that tests are compared with.
struct Looks<'e> {
    /// Without observers.
    plain: &'e [Execution],
    first: &'e [Execution],
}

/// Runs tests again, more often those that assert what a call gave that was seen to differ in some test, and most often those that call what differs again and again, whether or not they assert
/// anything about it: what chance decides may well be the same twice, and what it does once in thirty times is somebody's broken build.
fn confirm(
    runner: &mut Runner<'_, '_, '_>,
    drafts: &[Draft],
    extended: &[Sequence],
    looks: &Looks<'_>,
    asserted: &mut [Option<Asserted>],
) -> Result<(), ExecutorProblem> {
    let mut noted = vec![false; asserted.len()];
    let mut extra = 0;
    for pass in 0..SHAKY {
        let has_time = extra < MOST_EXTRA && !runner.expired();
        if pass >= DOUBTED && !has_time {
            break;
        }
        let is_due = |i: &usize| {
            let unsteady = &runner.search.unsteady;
            let is_asserted = |a: &Asserted| pass < DOUBTED && unsteady.is_asserted(&a.test);
            let is_shaky = |a: &Asserted| {
                let statements = a.test.sequence.statements();
                has_time && (unsteady.is_shaky(statements) || statements.iter().any(|s| is_nobody(runner.search, s.op)))
            };
            let is_anybody = |_: &Asserted| pass < if has_time { OFTEN } else { CONFIRMED };
            asserted[*i].as_ref().is_some_and(|a| is_anybody(a) || is_asserted(a) || is_shaky(a))
        };
        let due: Vec<usize> = (0..asserted.len()).filter(is_due).collect();
        if due.is_empty() {
            break;
        }
        let sequences: Vec<Sequence> = due.iter().map(|&i| extended[i].clone()).collect();
        extra += if pass >= CONFIRMED { sequences.len() } else { 0 };
        let again = runner.run(&sequences, elsewhere())?;
        for (run, i) in again.iter().zip(due) {
            let (first, plain) = (&looks.first[i], &looks.plain[i]);
            if !differs(&extended[i], first, run) {
                continue;
            }
            // One test is one witness, however often it is run.
            if !std::mem::replace(&mut noted[i], true) {
                runner.search.unsteady.compare(&extended[i], first, run);
            }
            let before = asserted[i].take();
            let now = judge(runner.search, &extended[i], drafts[i].sequence.len(), first, run, plain);
            // Where another assertion fell than before, the rest is not to be trusted either.
            asserted[i] = match (before, now) {
                (Some(before), Some(mut now)) if before.test == now.test => {
                    now.goals.retain(|g| before.goals.contains(g));
                    Some(now)
                }
                (_, Some(_)) => drafts[i].bare(runner.search),
                (_, None) => None,
            };
        }
    }
    Ok(())
}

/// Makes an object that has nothing but its identity: in what order a set has it is a matter of chance.
fn is_nobody(search: &Search<'_>, op: OpId) -> bool {
    matches!(&search.catalog.operation(op).kind, OperationKind::Construct { class, .. } if class.internal() == "java/lang/Object")
}

/// `written` is the length without observers, `plain` the run without them: which of them stay is decided later, so what they reach does not count.
fn judge(
    search: &Search<'_>,
    sequence: &Sequence,
    written: usize,
    first: &Execution,
    second: &Execution,
    plain: &Execution,
) -> Option<Asserted> {
    if !second.reach.is_empty() || search.disturbs(sequence, first) || search.is_polluted(sequence, first) {
        return None;
    }
    let elsewhere = goals_of(search, sequence, second)?;
    let again = goals_of(search, sequence, first)?;
    let mut goals = goals_of(search, &Sequence::new(&sequence.statements()[..written]), plain)?;
    goals.retain(|g| elsewhere.contains(g) && again.contains(g));
    let normal = |e: &Execution| e.outcome == Outcome::Normal;
    if goals.is_empty() || normal(plain) != normal(first) {
        return None;
    }
    Some(Asserted { test: case(search, sequence, written, first, second)?, goals })
}

/// The test that two runs of a sequence, the second in another environment, make of it. `written` is its length without observers.
pub(crate) fn case(
    search: &Search<'_>,
    sequence: &Sequence,
    written: usize,
    first: &Execution,
    second: &Execution,
) -> Option<TestCase> {
    match (&first.outcome, &second.outcome) {
        (Outcome::Normal, Outcome::Normal) => {
            let (sequence, assertions) = assertions(search, sequence, written, first, second);
            Some(TestCase {
                sequence,
                assertions,
                expectation: Expectation::Passes,
                // Observers come behind; what was written before them keeps its place.
                subject: written.checked_sub(1).map(|i| Var(i as u16)),
            })
        }
        (Outcome::Threw { exception: a, .. }, Outcome::Threw { exception: b, .. }) if a.class == b.class => {
            if is_refusal(a) || is_refusal(b) || !is_testable(search.library, &a.class) {
                return None;
            }
            Some(TestCase {
                sequence: sequence.clone(),
                assertions: Vec::new(),
                expectation: Expectation::Throws { class: nameable(search, a)?, message: stable_message(search, a, b) },
                subject: None,
            })
        }
        _ => None,
    }
}

/// Thrown because the sandbox refused something; elsewhere it would be granted.
fn is_refusal(thrown: &Thrown) -> bool {
    let refused = |text: &str| {
        ["Permission denied", "Operation not permitted", "Read-only file system"].iter().any(|m| text.contains(m))
    };
    matches!(
        thrown.class.internal(),
        "java/nio/file/AccessDeniedException" | "java/net/UnknownHostException" | "java/net/ConnectException"
    ) || thrown.detail.as_ref().is_some_and(|d| {
        d.message.as_deref().is_some_and(refused)
            || d.cause.as_ref().is_some_and(|c| c.internal() == "java/nio/file/AccessDeniedException")
    })
}

/// The exception's class, or the nearest above it that a test can name.
fn nameable(search: &Search<'_>, thrown: &Thrown) -> Option<ClassName> {
    let above = thrown.detail.iter().flat_map(|d| &d.supers);
    std::iter::once(&thrown.class).chain(above).find(|c| search.library.nameable(c)).cloned()
}

/// The message, if the code under test wrote it itself and it was the same twice. The JVM's own messages depend on its version.
fn stable_message(search: &Search<'_>, a: &Thrown, b: &Thrown) -> Option<std::sync::Arc<str>> {
    let (a_detail, b_detail) = (a.detail.as_ref()?, b.detail.as_ref()?);
    let message = a_detail.message.clone()?;
    let own = a_detail.frames.first().is_some_and(|f| search.goals.methods().any(|(_, m)| m.class == f.class));
    let by_jvm = matches!(
        a.class.internal(),
        "java/lang/NullPointerException"
            | "java/lang/ClassCastException"
            | "java/lang/ArrayIndexOutOfBoundsException"
            | "java/lang/ArrayStoreException"
            | "java/lang/NegativeArraySizeException"
            | "java/lang/ArithmeticException"
    );
    let good = own && !by_jvm && b_detail.message.as_ref() == Some(&message) && message.len() <= MAX_STRING;
    (good && !looks_like_identity(&JavaString::from(&*message))).then_some(message)
}

/// Calls of observers on what the test is about, appended.
pub(crate) fn with_observers(search: &Search<'_>, sequence: &Sequence) -> Sequence {
    let Some(last) = sequence.last() else {
        return sequence.clone();
    };
    // A question that changes nothing is answered by its own result.
    if is_question(search, last.op) {
        return sequence.clone();
    }
    // The object that the last call made, its receiver, what else it was given, and then other objects, the latest first.
    let mut subjects: Vec<Var> = Vec::new();
    let others = last.args.iter().copied().chain((0..sequence.len()).rev().map(|i| Var(i as u16)));
    for var in sequence.last_var().into_iter().chain(others) {
        let made = search.catalog.facts(sequence.statements()[var.index()].op);
        let is_object = matches!(search.catalog.ty(made.result), Type::Class(_)) && !made.constant;
        if is_object && !subjects.contains(&var) {
            subjects.push(var);
        }
    }
    let mut extended = sequence.clone();
    // What is in the containers that the last call gave or was given.
    let own_subjects = sequence.last_var().into_iter().chain(last.args.iter().copied());
    for subject in own_subjects.filter(|_| search.catalog.facts(last.op).role != Role::Part) {
        let made_by = sequence.statements()[subject.index()].op;
        if let Some((peek, subject)) = peek::of(search, made_by, subject) {
            extended = extended.append(peek, &[subject]);
        }
    }
    for &subject in &subjects {
        let ty = search.catalog.facts(sequence.statements()[subject.index()].op).result;
        let mut observers: Vec<(usize, OpId)> = search
            .targets
            .iter()
            .filter(|op| **op != last.op && is_observer(search, **op))
            .filter(|op| search.catalog.fits(ty, search.catalog.facts(**op).params[0]))
            .map(|&op| (rank(search.catalog.operation(op).kind.name().unwrap_or("")), op))
            .collect();
        observers.sort();
        for (_, op) in observers {
            if extended.len() < sequence.len() + MAX_OBSERVERS {
                extended = extended.append(op, &[subject]);
            }
        }
    }
    let most = extended.len() + MAX_QUESTIONS;
    for &subject in &subjects {
        let ty = search.catalog.facts(sequence.statements()[subject.index()].op).result;
        for &op in search.targets.iter().filter(|op| **op != last.op && is_inquiry(search, **op)) {
            let params = &search.catalog.facts(op).params;
            let fits = search.catalog.fits(ty, params[0]);
            if let Some(about) = known(search, sequence, params[1]).filter(|_| fits && extended.len() < most) {
                extended = extended.append(op, &[subject, about]);
            }
        }
    }
    extended
}

/// The latest value of the test that can be asked about.
fn known(search: &Search<'_>, sequence: &Sequence, wanted: TypeId) -> Option<Var> {
    let fits = |i: &usize| {
        let facts = search.catalog.facts(sequence.statements()[*i].op);
        !facts.null && facts.result != search.catalog.void() && search.catalog.fits(facts.result, wanted)
    };
    (0..sequence.len()).rev().find(fits).map(|i| Var(i as u16))
}

/// A method with a plain result that was never seen to change anything.
fn is_question(search: &Search<'_>, op: OpId) -> bool {
    let facts = search.catalog.facts(op);
    // A generic class has the method once for every choice of arguments.
    let same = |other: &&OpId| facts.method.is_some() && search.catalog.facts(**other).method == facts.method;
    let mut record = search.records.op(op);
    for other in search.targets.iter().filter(|o| **o != op).filter(same) {
        let also = search.records.op(*other);
        record.normal += also.normal;
        record.observed += also.observed;
        record.changed += also.changed;
    }
    let plain = match search.catalog.ty(facts.result) {
        Type::Primitive(_) => true,
        Type::Class(c) => {
            let name = c.name.internal();
            name == "java/lang/String" || Primitive::ALL.iter().any(|p| p.box_class() == name)
        }
        _ => false,
    };
    let call = matches!(search.catalog.operation(op).kind, OperationKind::Call { .. });
    call && facts.receiver && plain && record.normal > 0 && record.is_pure(OBSERVER_AFTER)
}

/// A question with one parameter that never threw.
fn is_inquiry(search: &Search<'_>, op: OpId) -> bool {
    let record = search.records.op(op);
    search.catalog.facts(op).params.len() == 2 && record.threw == 0 && record.fatal == 0 && is_question(search, op)
}

/// A question without parameters.
fn is_observer(search: &Search<'_>, op: OpId) -> bool {
    let alone = search.catalog.facts(op).params.len() == 1;
    // One that throws in some states would cost the test its other observers.
    let safe = search.records.op(op).threw == 0;
    alone && safe && is_question(search, op) && search.catalog.operation(op).kind.name() != Some("hashCode")
}

/// Names that promise to tell something first.
fn rank(name: &str) -> usize {
    match name {
        "size" | "length" | "count" | "isEmpty" => 0,
        n if n.starts_with("is") || n.starts_with("has") => 1,
        n if n.starts_with("get") => 2,
        "toString" => 4,
        _ => 3,
    }
}

/// The best few assertions, and the sequence without observers that ended up unused.
fn assertions(
    search: &Search<'_>,
    sequence: &Sequence,
    written: usize,
    first: &Execution,
    second: &Execution,
) -> (Sequence, Vec<Assertion>) {
    let mut found: Vec<(usize, usize, Assertion)> = Vec::new();
    for (at, statement) in sequence.statements().iter().enumerate() {
        let facts = search.catalog.facts(statement.op);
        let var = Var(at as u16);
        let is_given_array = is_given_array(search, sequence, written, var);
        if facts.role == Role::Part && !is_given_array || facts.result == search.catalog.void() {
            continue;
        }
        let (Some(a), Some(b)) = (seen(first, var), seen(second, var)) else {
            continue;
        };
        if a.value != b.value || a.class != b.class || search.misfits(facts.result, a) {
            continue;
        }
        let is_call = matches!(search.catalog.operation(statement.op).kind, OperationKind::Call { .. });
        // A variable of its own would be cast to what it is not.
        let fits = |left: Var| {
            let declared = search.catalog.facts(sequence.statements()[left.index()].op).result;
            seen(first, left).is_some_and(|o| !search.misfits(declared, o))
        };
        // What is in an object that the test made itself, and got back, was known before.
        let peeked = || statement.args.first().and_then(|of| seen(first, *of));
        if search.peeks.contains(&statement.op) && peeked().is_some_and(|of| of.same_as.is_some()) {
            continue;
        }
        // An array that a call was given tells what the call did to it. If that is nothing, it says little.
        let unchanged = usize::from(is_given_array && at_birth(first, var) == a.value.as_ref());
        let said = match a.same_as.filter(|left| is_call && b.same_as == Some(*left) && fits(*left)) {
            Some(left) => Some((0, Assertion::Same { left, right: var, same: true })),
            None => assertion(search, statement.op, var, a).map(|(weakness, said)| (weakness + unchanged, said)),
        };
        // That other code gave an object for the code under test is nothing to claim.
        let is_idle = |weakness: usize| weakness > 0 && facts.role == Role::Feed;
        if let Some((weakness, assertion)) = said.filter(|(weakness, _)| !is_idle(*weakness)) {
            // What the test did last says most, then what observers tell, then earlier results, latest first.
            let place = match at {
                _ if at + 1 == written || is_given_array && unchanged == 0 => 0,
                _ if at >= written => 1 + at - written,
                _ => 16 + written - at,
            };
            found.push((weakness, place, assertion));
        }
    }
    found.sort_by_key(|(weakness, place, _)| (*weakness, *place));
    found.truncate(search.options.max_assertions);
    // One weak assertion is better than none, but adds nothing to a good one.
    if found.iter().any(|(weakness, ..)| *weakness == 0) {
        found.retain(|(weakness, ..)| *weakness == 0);
    } else {
        found.truncate(1);
    }
    let mut assertions: Vec<Assertion> = found.into_iter().map(|(_, _, a)| a).collect();
    assertions.sort_by_key(|a| a.var().index());
    // Drop observers without assertion; they are at the end and nobody uses their values.
    let keep: Vec<bool> =
        (0..sequence.len()).map(|i| i < written || assertions.iter().any(|a| a.var().index() == i)).collect();
    let cut = sequence.keep(&keep);
    let assertions = assertions.into_iter().filter_map(|a| a.renumbered(|v| cut.var(v))).collect();
    (cut.sequence, assertions)
}

/// Is it an array of the test's own making that the test's last call was given?
fn is_given_array(search: &Search<'_>, sequence: &Sequence, written: usize, var: Var) -> bool {
    let statements = sequence.statements();
    let is_array = |op| matches!(search.catalog.ty(search.catalog.facts(op).result), Type::Array(_));
    let made = statements.get(var.index()).map(|s| s.op);
    let own = made.is_some_and(|op| {
        let facts = search.catalog.facts(op);
        facts.role == Role::Part && !facts.constant && is_array(op)
    });
    let last = written.checked_sub(1).and_then(|last| statements.get(last));
    own && last.is_some_and(|s| s.args.contains(&var) && search.catalog.facts(s.op).role != Role::Part)
}

/// The value that a variable had when it was made.
fn at_birth(execution: &Execution, var: Var) -> Option<&Value> {
    execution.observations.iter().find(|o| o.var == var).and_then(|o| o.value.as_ref())
}

/// How a variable looked when it was made; arrays at the end, because assertions stand there.
fn seen(execution: &Execution, var: Var) -> Option<&Observation> {
    let mut of = execution.observations.iter().filter(|o| o.var == var);
    let at_birth = of.next()?;
    match at_birth.value {
        Some(Value::Array { .. } | Value::LongArray { .. }) => of.next_back().or(Some(at_birth)),
        _ => Some(at_birth),
    }
}

/// What to assert of a value, and how weak that is (0: strong).
fn assertion(search: &Search<'_>, op: OpId, var: Var, seen: &Observation) -> Option<(usize, Assertion)> {
    let operation = search.catalog.operation(op);
    if operation.kind.name() == Some("hashCode") && !owner_hashes(search, op) {
        return None;
    }
    if matches!(operation.kind.name(), Some("identityHashCode" | "nanoTime" | "currentTimeMillis")) {
        return None;
    }
    match &seen.value {
        Some(value @ Value::Array { elements, .. }) => (elements.len() <= MAX_ARRAY
            && elements.iter().all(is_writable))
        .then(|| (0, Assertion::ArrayEquals { var, value: value.clone() })),
        Some(value) if is_writable(value) => Some((0, Assertion::Equals { var, value: value.clone() })),
        Some(Value::LongString { .. } | Value::LongArray { .. }) => Some((1, Assertion::NotNull { var })),
        Some(Value::Object { .. }) | None => {
            let class = seen.class.as_ref()?;
            let says_more = operation.result.class_name() != Some(class) && search.library.nameable(class);
            if matches!(operation.kind, OperationKind::Construct { .. }) {
                None
            } else if says_more {
                Some((1, Assertion::InstanceOf { var, class: class.clone() }))
            } else {
                Some((2, Assertion::NotNull { var }))
            }
        }
        Some(_) => None,
    }
}

fn owner_hashes(search: &Search<'_>, op: OpId) -> bool {
    let receiver = search.catalog.facts(op).params.first();
    let class = receiver.and_then(|t| search.catalog.ty(*t).class_name());
    class.is_some_and(|c| search.library.overrides_hash_code(c))
}

/// Can be written as a literal, and means the same tomorrow.
fn is_writable(value: &Value) -> bool {
    match value {
        Value::Null
        | Value::Boolean(_)
        | Value::Byte(_)
        | Value::Char(_)
        | Value::Short(_)
        | Value::Int(_)
        | Value::Long(_)
        | Value::Float(_)
        | Value::Double(_)
        | Value::Class(_)
        | Value::Enum { .. } => true,
        Value::String(s) => s.units().len() <= MAX_STRING && !looks_like_identity(s),
        Value::Boxed(inner) => is_writable(inner),
        Value::Array { elements, .. } => elements.len() <= MAX_ARRAY && elements.iter().all(is_writable),
        Value::LongString { .. } | Value::LongArray { .. } | Value::Object { .. } => false,
    }
}
