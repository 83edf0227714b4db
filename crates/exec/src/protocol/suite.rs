//! Messages of a JVM that runs a suite under observation. Owns their encoding and decoding into the vocabulary of observed suites.

use std::sync::Arc;

use bytecode::names::{ClassName, FieldType, MethodDescriptor};
use testcase::execution::{Frame, ProbeId, StateHash};
use testcase::observed::{
    CallEnd, Fallback, Needs, ObservedAssertion, ObservedCall, ObservedMember, ObservedObject, ObservedValue,
    TestMethod, TestOutcome,
};
use testcase::value::Value;

use super::reader::Reader;
use super::response::{self, ClassTable};
use super::writer::Writer;
use super::{WireProblem, kind};

/// What a JVM is asked to observe.
#[derive(Clone, Debug)]
pub struct Observe<'a> {
    pub needs: Needs,
    pub probes: u32,
    /// How many JVMs there were before.
    pub generation: u32,
    pub limit_ms: u64,
    /// Bits: 1 JUnit Platform, 2 JUnit 4, 4 plain.
    pub frameworks: u8,
    pub shuffle: Option<u64>,
    pub tests: &'a [ClassName],
    /// Units that were run before.
    pub done: &'a [String],
    pub targets: &'a [ClassName],
    /// Classes whose code has to be asked for.
    pub wanted: &'a [ClassName],
    /// Classes whose `equals` must not be called.
    pub hopeless: &'a [ClassName],
}

pub fn observe(out: &mut Writer, what: &Observe<'_>) {
    let names = |out: &mut Writer, names: &[ClassName]| {
        out.len(names.len());
        for name in names {
            out.str(name.internal());
        }
    };
    let needs = what.needs;
    // All else is built on states.
    let states = needs.states || needs.writes || needs.equals_reads || needs.equals_classes;
    let flags = u64::from(states)
        | u64::from(needs.writes) << 1
        | u64::from(needs.equals_reads) << 2
        | u64::from(needs.equals_classes) << 3;
    out.begin(kind::OBSERVE);
    out.v(flags);
    out.v(u64::from(what.probes));
    out.v(u64::from(what.generation));
    out.v(what.limit_ms);
    out.u8(what.frameworks);
    out.u8(u8::from(what.shuffle.is_some()));
    if let Some(seed) = what.shuffle {
        out.u64(seed);
    }
    names(out, what.tests);
    out.len(what.done.len());
    for unit in what.done {
        out.str(unit);
    }
    names(out, what.targets);
    names(out, what.wanted);
    names(out, what.hopeless);
    out.end();
}

/// What members a class reports calls of, as the JVM has to treat them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberRole {
    Target,
    /// Counts if the receiver is a target.
    Inherited,
    Assertion,
}

/// Code of a class with the tables that belong to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    pub bytes: Arc<[u8]>,
    pub first_member: u32,
    pub members: u32,
    pub role: MemberRole,
    pub first_field: u32,
    /// Class and name of fields that are read.
    pub fields: Vec<(ClassName, String)>,
}

/// The answer to `NEED_CODE`; `None` leaves the class as it is.
pub fn code(out: &mut Writer, code: Option<&Code>) {
    out.begin(kind::CODE);
    match code {
        None => out.u8(0),
        Some(code) => {
            out.u8(1);
            out.blob(&code.bytes);
            out.v(u64::from(code.first_member));
            out.v(u64::from(code.members));
            out.u8(match code.role {
                MemberRole::Target => 0,
                MemberRole::Inherited => 1,
                MemberRole::Assertion => 2,
            });
            out.v(u64::from(code.first_field));
            out.len(code.fields.len());
            for (class, name) in &code.fields {
                out.str(class.internal());
                out.str(name);
            }
        }
    }
    out.end();
}

/// `NEED_CODE`: the class and its bytes.
pub fn need_code(payload: &[u8]) -> Result<(String, &[u8]), WireProblem> {
    let mut r = Reader::new(payload);
    let name = r.str("class")?;
    let bytes = r.blob("class file")?;
    r.finish()?;
    Ok((name, bytes))
}

/// A test that starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Started {
    pub unit: String,
    pub method: TestMethod,
    pub class: ClassName,
    pub display: String,
}

pub fn started(payload: &[u8]) -> Result<Started, WireProblem> {
    let mut r = Reader::new(payload);
    let unit = r.str("unit")?;
    let method = TestMethod {
        class: ClassName::new(r.str("declaring class")?),
        name: Arc::from(r.str("method")?),
        descriptor: Arc::from(r.str("descriptor")?),
    };
    let class = ClassName::new(r.str("class")?);
    let display = r.str("display name")?;
    r.finish()?;
    Ok(Started { unit, method, class, display })
}

/// How a test ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Finished {
    Test {
        outcome: TestOutcome,
        micros: u64,
        unrecorded: u64,
        probes: Vec<ProbeId>,
    },
    /// Our own call of the `equals` of this class did not end: the test has to be run again without.
    EqualsHung(ClassName),
}

pub fn finished(payload: &[u8]) -> Result<Finished, WireProblem> {
    let mut r = Reader::new(payload);
    let text = |r: &mut Reader<'_>| r.str("reason").map(|t| (!t.is_empty()).then(|| Arc::from(t)));
    let outcome = match r.u8("outcome")? {
        0 => TestOutcome::Passed,
        1 => failed(&mut r)?,
        2 => TestOutcome::Skipped { reason: text(&mut r)? },
        3 => TestOutcome::TimedOut,
        4 => TestOutcome::Died { how: text(&mut r)?.unwrap_or_else(|| Arc::from("the JVM ended")) },
        5 => {
            let class = ClassName::new(r.str("class")?);
            r.finish()?;
            return Ok(Finished::EqualsHung(class));
        }
        other => return r.impossible("outcome", u64::from(other)),
    };
    let micros = r.v("microseconds")?;
    let unrecorded = r.v("unrecorded events")?;
    let probes = read_probes(&mut r)?;
    r.finish()?;
    Ok(Finished::Test { outcome, micros, unrecorded, probes })
}

fn failed(r: &mut Reader<'_>) -> Result<TestOutcome, WireProblem> {
    let class = ClassName::new(r.str("exception")?);
    let message = match r.u8("message mark")? {
        0 => None,
        _ => Some(Arc::from(r.str("message")?)),
    };
    let frame = match r.u8("frame mark")? {
        0 => None,
        _ => Some(Frame {
            class: ClassName::new(r.str("frame's class")?),
            method: Arc::from(r.str("frame's method")?),
            line: r.signed("line")?,
        }),
    };
    Ok(TestOutcome::Failed { class, message, frame })
}

pub fn probes(payload: &[u8]) -> Result<Vec<ProbeId>, WireProblem> {
    let mut r = Reader::new(payload);
    let probes = read_probes(&mut r)?;
    r.finish()?;
    Ok(probes)
}

/// Ascending, each as the distance from the one before.
fn read_probes(r: &mut Reader<'_>) -> Result<Vec<ProbeId>, WireProblem> {
    let n = r.count("number of probes")?;
    let mut probes = Vec::with_capacity(n);
    let mut last = 0u32;
    for _ in 0..n {
        let step: u32 = r.number("probe")?;
        last = match last.checked_add(step) {
            Some(probe) => probe,
            None => return r.impossible("probe", u64::from(step)),
        };
        probes.push(ProbeId(last));
    }
    Ok(probes)
}

/// One thing that a test did. Members are numbered as the brain numbered them.
#[expect(clippy::large_enum_variant, reason = "nearly all are calls, and none is kept as such")]
#[derive(Clone, Debug, PartialEq)]
pub enum SuiteEvent {
    Call(ObservedCall),
    Assertion { member: u32, arguments: StateHash },
}

/// The events of one message. `members` are all members there are.
pub fn events(
    payload: &[u8],
    classes: &mut ClassTable,
    members: &[ObservedMember],
    mut each: impl FnMut(SuiteEvent),
) -> Result<(), WireProblem> {
    let mut r = Reader::new(payload);
    while !r.is_empty() {
        let tag = r.u8("event")?;
        if tag == 3 {
            classes.define(&mut r)?;
            continue;
        }
        let member: u32 = r.number("member")?;
        let Some(known) = members.get(member as usize) else {
            return r.impossible("member", u64::from(member));
        };
        match tag {
            1 => each(SuiteEvent::Call(call(&mut r, classes, member, known)?)),
            2 => each(SuiteEvent::Assertion { member, arguments: hash(&mut r)? }),
            other => return r.impossible("event", u64::from(other)),
        }
    }
    Ok(())
}

fn call(
    r: &mut Reader<'_>,
    classes: &mut ClassTable,
    member: u32,
    known: &ObservedMember,
) -> Result<ObservedCall, WireProblem> {
    let n = r.count("number of values")?;
    let descriptor = MethodDescriptor::parse(&known.descriptor);
    let Some(descriptor) = descriptor else {
        return r.impossible("member", u64::from(member));
    };
    let has_receiver = !known.is_static && &*known.name != "<init>";
    if n != descriptor.params.len() + usize::from(has_receiver) {
        return r.impossible("number of values", n as u64);
    }
    let receiver = if has_receiver { Some(value(r, classes, None)?) } else { None };
    let mut arguments = Vec::with_capacity(descriptor.params.len());
    for parameter in &descriptor.params {
        arguments.push(value(r, classes, Some(parameter))?);
    }
    let joint = match r.u8("joint state mark")? {
        0 => None,
        _ => Some(hash(r)?),
    };
    let end = match r.u8("end")? {
        0 => {
            let result = value(r, classes, descriptor.result.as_ref())?;
            let is_void = descriptor.result.is_none() && &*known.name != "<init>";
            CallEnd::Returned((!is_void).then_some(result))
        }
        1 => CallEnd::Threw(classes.required(r)?),
        2 => CallEnd::Open,
        other => return r.impossible("end", u64::from(other)),
    };
    let n = r.count("number of marks")?;
    let written = (0..n).map(|_| r.u8("mark").map(|mark| mark != 0)).collect::<Result<_, _>>()?;
    Ok(ObservedCall { member, receiver, arguments, joint, end, written })
}

fn hash(r: &mut Reader<'_>) -> Result<StateHash, WireProblem> {
    let (low, high) = (r.u64("state")?, r.u64("state")?);
    Ok(StateHash(u128::from(high) << 64 | u128::from(low)))
}

/// Values come in boxes; those of primitive type are taken out.
fn value(
    r: &mut Reader<'_>,
    classes: &mut ClassTable,
    declared: Option<&FieldType>,
) -> Result<ObservedValue, WireProblem> {
    const OBJECT: u8 = 0x20;
    if r.clone().u8("value tag")? == OBJECT {
        r.u8("value tag")?;
        return object(r, classes).map(ObservedValue::Object);
    }
    let plain = response::value(r, classes, 0)?;
    Ok(ObservedValue::Plain(match (plain, declared) {
        (Value::Boxed(inner), Some(FieldType::Primitive(_))) => *inner,
        (other, _) => other,
    }))
}

fn object(r: &mut Reader<'_>, classes: &mut ClassTable) -> Result<ObservedObject, WireProblem> {
    let object = r.number("object")?;
    let class = classes.required(r)?;
    let flags = r.u8("object flags")?;
    let state = if flags & 1 != 0 { Some(hash(r)?) } else { None };
    let equals_state = if flags & 2 != 0 { Some(hash(r)?) } else { None };
    let equals_class = if flags & 4 != 0 { Some(r.number("equals class")?) } else { None };
    let fallback = match flags >> 3 {
        0 => None,
        1 => Some(Fallback::NoEquals),
        2 => Some(Fallback::EqualsThrew),
        3 => Some(Fallback::EqualsLooped),
        4 => Some(Fallback::EqualsWrote),
        5 => Some(Fallback::EqualsIrreflexive),
        6 => Some(Fallback::NotCopied),
        7 => Some(Fallback::TooLarge),
        other => return r.impossible("fallback", u64::from(other)),
    };
    Ok(ObservedObject { object, class, state, equals_state, equals_class, fallback })
}

/// An assertion as the vocabulary has it.
pub fn assertion(member: &ObservedMember, after: u32, arguments: StateHash) -> ObservedAssertion {
    ObservedAssertion { after, class: member.class.clone(), name: member.name.clone(), arguments }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members() -> Vec<ObservedMember> {
        let member = |name: &str, descriptor: &str| ObservedMember {
            class: ClassName::new("a/B"),
            name: Arc::from(name),
            descriptor: Arc::from(descriptor),
            is_static: false,
        };
        vec![member("<init>", "()V"), member("put", "(ILjava/lang/Object;)Z")]
    }

    /// A class, a constructor, a method that takes a number and an object, an assertion.
    fn message() -> Vec<u8> {
        let object = |number: u8| [&[0x20, number, 1, 1][..], &[7; 16]].concat();
        [
            &[3, 1, 3][..],
            b"a/B",
            &[1, 0, 0, 0, 0],
            &object(0),
            &[0, 1, 1, 3],
            &object(0),
            &[0x45, 6],
            &object(1),
            &[0, 0, 0x41, 1, 3, 1, 0, 0, 2, 1],
            &[9; 16],
        ]
        .concat()
    }

    #[test]
    fn events_are_read() {
        let mut found = Vec::new();
        events(&message(), &mut ClassTable::default(), &members(), |event| found.push(event)).unwrap();
        let [SuiteEvent::Call(new), SuiteEvent::Call(put), SuiteEvent::Assertion { member: 1, .. }] = &found[..] else {
            panic!("{found:?}")
        };
        assert!(new.receiver.is_none() && matches!(new.end, CallEnd::Returned(Some(ObservedValue::Object(_)))));
        assert_eq!(put.arguments[0], ObservedValue::Plain(Value::Int(3)), "out of its box");
        assert_eq!(put.end, CallEnd::Returned(Some(ObservedValue::Plain(Value::Boolean(true)))));
        assert_eq!(put.written, [true, false, false]);
    }

    #[test]
    fn nonsense_is_refused() {
        let good = message();
        for cut in 1..good.len() {
            let mut n = 0;
            let result = events(&good[..cut], &mut ClassTable::default(), &members(), |_| n += 1);
            assert!(result.is_err() || n < 3, "{cut}");
        }
        for at in 0..good.len() {
            for byte in [0, 1, 0x7f, 0x80, 0xff] {
                let mut bad = good.clone();
                bad[at] = byte;
                // Whatever comes of it, it is no panic.
                let _ = events(&bad, &mut ClassTable::default(), &members(), |_| {});
                let _ = (finished(&bad), started(&bad), probes(&bad), need_code(&bad).is_ok());
            }
        }
        assert!(probes(&[2, 0xff, 0xff, 0xff, 0xff, 0x0f, 1]).is_err(), "beyond the last number");
        assert_eq!(probes(&[2, 3, 1]).unwrap(), [ProbeId(3), ProbeId(4)]);
    }
}
