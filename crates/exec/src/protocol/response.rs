//! What a worker says. Owns decoding into the domain's own types and the connection's table of class references.

use std::sync::Arc;

use bytecode::names::{ClassName, FieldType};
use testcase::execution::{
    Contract, Distance, Execution, Frame, Observation, Operands, Outcome, ProbeHit, ProbeId, Reach, SiteId, StateHash,
    Thrown, ThrownDetail, Violation,
};
use testcase::sequence::Var;
use testcase::value::Value;

use super::reader::Reader;
use super::{VERSION, WireProblem};

/// The worker's half of the handshake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Welcome {
    pub java_version: String,
    pub pid: u32,
}

/// Arrays nested deeper than this do not come from a worker.
const MAX_NESTING: u32 = 16;

pub fn welcome(payload: &[u8]) -> Result<Welcome, WireProblem> {
    let mut r = Reader::new(payload);
    let found = r.v("protocol version")?;
    if found != VERSION {
        return Err(WireProblem::Version { found });
    }
    let welcome = Welcome { java_version: r.str("java.version")?, pid: r.number("pid")? };
    r.finish()?;
    Ok(welcome)
}

/// The payload of `NEED_CLASS` and of `FAILED`.
pub fn text(payload: &[u8]) -> Result<String, WireProblem> {
    let mut r = Reader::new(payload);
    let text = r.str("text")?;
    r.finish()?;
    Ok(text)
}

/// Operations that cannot be used, and why.
pub fn dispatched(payload: &[u8]) -> Result<Vec<(u32, String)>, WireProblem> {
    let mut r = Reader::new(payload);
    let n = r.count("number of refused operations")?;
    let mut refused = Vec::with_capacity(n);
    for _ in 0..n {
        refused.push((r.number("operation")?, r.str("reason")?));
    }
    r.finish()?;
    Ok(refused)
}

/// User contracts that cannot be used, and why.
pub fn opened(payload: &[u8]) -> Result<Vec<String>, WireProblem> {
    let mut r = Reader::new(payload);
    let n = r.count("number of problems")?;
    let problems = (0..n).map(|_| r.str("problem")).collect::<Result<Vec<_>, _>>()?;
    r.finish()?;
    Ok(problems)
}

/// JDK classes whose code could not be replaced, and why.
pub fn redefined(payload: &[u8]) -> Result<Vec<(String, String)>, WireProblem> {
    let mut r = Reader::new(payload);
    let n = r.count("number of refused classes")?;
    let mut refused = Vec::with_capacity(n);
    for _ in 0..n {
        refused.push((r.str("class")?, r.str("reason")?));
    }
    r.finish()?;
    Ok(refused)
}

/// Class references of one connection: each name is sent once.
#[derive(Clone, Debug, Default)]
pub struct ClassTable {
    names: Vec<ClassName>,
}

impl ClassTable {
    fn read(&mut self, r: &mut Reader<'_>) -> Result<Option<ClassName>, WireProblem> {
        let number: usize = r.number("class reference")?;
        match number.checked_sub(1) {
            None => Ok(None),
            Some(index) if index < self.names.len() => Ok(Some(self.names[index].clone())),
            Some(index) if index == self.names.len() => {
                let name = ClassName::new(r.str("class name")?);
                self.names.push(name.clone());
                Ok(Some(name))
            }
            Some(_) => r.impossible("class reference", number as u64),
        }
    }

    /// A number and its name, by themselves.
    pub(super) fn define(&mut self, r: &mut Reader<'_>) -> Result<(), WireProblem> {
        let number: usize = r.number("class reference")?;
        if number != self.names.len() + 1 {
            return r.impossible("class reference", number as u64);
        }
        self.names.push(ClassName::new(r.str("class name")?));
        Ok(())
    }

    pub(super) fn required(&mut self, r: &mut Reader<'_>) -> Result<ClassName, WireProblem> {
        match self.read(r)? {
            Some(name) => Ok(name),
            None => r.impossible("class reference", 0),
        }
    }
}

/// A `RESULTS` message being read: results are decoded one at a time, so that those before a broken one are not lost.
#[derive(Debug)]
pub struct Results<'a> {
    reader: Reader<'a>,
    pub batch: u32,
    left: usize,
    /// The last result read cut a class initialiser short: the worker must not run anything more.
    pub spoilt: bool,
}

impl<'a> Results<'a> {
    pub fn new(payload: &'a [u8]) -> Result<Self, WireProblem> {
        let mut reader = Reader::new(payload);
        let batch = reader.number("batch number")?;
        let left = reader.count("number of results")?;
        Ok(Results { reader, batch, left, spoilt: false })
    }

    pub fn next(&mut self, classes: &mut ClassTable) -> Option<Result<Execution, WireProblem>> {
        if self.left == 0 {
            return self.reader.finish().err().map(Err);
        }
        self.left -= 1;
        Some(execution(&mut self.reader, classes, &mut self.spoilt))
    }
}

fn execution(r: &mut Reader<'_>, classes: &mut ClassTable, spoilt: &mut bool) -> Result<Execution, WireProblem> {
    let outcome = outcome(r, classes)?;
    let flags = u16::from(r.u8("result flags")?) | u16::from(r.u8("more result flags")?) << 8;
    *spoilt = flags & 0x40 != 0;
    let steps = u32::try_from(r.v("steps")?).unwrap_or(u32::MAX);
    let mut execution = Execution { steps, dirtied_statics: flags & 0x20 != 0, ..Execution::ended(outcome) };
    if flags & 0x01 != 0 {
        let n = r.count("number of probes")?;
        execution.probes.reserve_exact(n);
        for _ in 0..n {
            let statement = r.number("statement")?;
            execution.probes.push(ProbeHit { statement, probe: ProbeId(r.number("probe")?) });
        }
    }
    if flags & 0x02 != 0 {
        for _ in 0..r.count("number of operands")? {
            let site = SiteId(r.number("site")?);
            let (left, right) = (value(r, classes, 0)?, value(r, classes, 0)?);
            execution.operands.push(Operands { site, left, right });
        }
    }
    if flags & 0x04 != 0 {
        let n = r.count("number of observations")?;
        execution.observations.reserve_exact(n);
        for _ in 0..n {
            execution.observations.push(observation(r, classes)?);
        }
    }
    if flags & 0x08 != 0 {
        for _ in 0..r.count("number of violations")? {
            execution.violations.push(violation(r, classes)?);
        }
    }
    if flags & 0x10 != 0 {
        for _ in 0..r.count("number of passed-over exceptions")? {
            let statement = r.number("statement")?;
            execution.passed_over.push((statement, thrown(r, classes)?));
        }
    }
    if flags & 0x100 != 0 {
        let n = r.count("number of distances")?;
        execution.distances.reserve_exact(n);
        for _ in 0..n {
            let slot = r.number("slot")?;
            execution.distances.push(Distance { slot, value: f64::from_bits(r.u64("distance")?) });
        }
    }
    if flags & 0x80 != 0 {
        let kinds = r.u8("kinds of reach")?;
        let statement: u64 = r.v("statement")?;
        let statement = statement.checked_sub(1).and_then(|s| u16::try_from(s).ok());
        execution.reach = Reach::told(kinds, statement, &r.str("what reached outside")?);
    }
    Ok(execution)
}

fn outcome(r: &mut Reader<'_>, classes: &mut ClassTable) -> Result<Outcome, WireProblem> {
    let tag = r.u8("outcome")?;
    if tag == 0 {
        return Ok(Outcome::Normal);
    }
    if tag == 6 {
        let threads = r.v("threads")?;
        return Ok(Outcome::ThreadsLeft { threads: u16::try_from(threads).unwrap_or(u16::MAX) });
    }
    let statement: u16 = r.number("statement")?;
    Ok(match tag {
        1 => Outcome::Threw { statement, exception: thrown(r, classes)? },
        2 => Outcome::StepLimit { statement },
        3 => Outcome::StackOverflow { statement },
        4 => Outcome::OutOfMemory { statement },
        5 => Outcome::Exit { statement, status: r.signed("exit status")? },
        7 => Outcome::Unlinkable { statement, message: Arc::from(r.str("message")?) },
        other => return r.impossible("outcome", u64::from(other)),
    })
}

fn thrown(r: &mut Reader<'_>, classes: &mut ClassTable) -> Result<Thrown, WireProblem> {
    let class = classes.required(r)?;
    if r.u8("detail mark")? == 0 {
        return Ok(Thrown { class, detail: None });
    }
    let message = match r.u8("message mark")? {
        0 => None,
        _ => Some(Arc::from(r.str("message")?)),
    };
    let n = r.count("number of frames")?;
    let mut frames = Vec::with_capacity(n);
    for _ in 0..n {
        let class = classes.required(r)?;
        let method = Arc::from(r.str("method")?);
        frames.push(Frame { class, method, line: r.signed("line")? });
    }
    let cause = classes.read(r)?;
    let n = r.count("number of superclasses")?;
    let mut supers = Vec::with_capacity(n);
    for _ in 0..n {
        supers.push(classes.required(r)?);
    }
    Ok(Thrown { class, detail: Some(Arc::new(ThrownDetail { message, frames, cause, supers })) })
}

fn observation(r: &mut Reader<'_>, classes: &mut ClassTable) -> Result<Observation, WireProblem> {
    let statement = r.number("statement")?;
    let var = Var(r.number("variable")?);
    let flags = r.u8("observation flags")?;
    let has = |bit: u8| flags & bit != 0;
    let class = if has(1) { classes.read(r)? } else { None };
    let state = if has(2) {
        let (low, high) = (r.u64("state")?, r.u64("state")?);
        Some(StateHash(u128::from(high) << 64 | u128::from(low)))
    } else {
        None
    };
    let equals_class = if has(4) { Some(r.number("equals class")?) } else { None };
    let equals_state = if has(64) {
        let (low, high) = (r.u64("equals state")?, r.u64("equals state")?);
        Some(StateHash(u128::from(high) << 64 | u128::from(low)))
    } else {
        None
    };
    let value = if has(8) { Some(value(r, classes, 0)?) } else { None };
    let same_as = if has(128) { Some(Var(r.number("earlier variable")?)) } else { None };
    let changed = has(16).then(|| has(32));
    Ok(Observation { statement, var, class, state, equals_class, equals_state, value, same_as, changed })
}

pub(super) fn value(r: &mut Reader<'_>, classes: &mut ClassTable, depth: u32) -> Result<Value, WireProblem> {
    let tag = r.u8("value tag")?;
    if tag & 0x40 != 0 && matches!(tag & 0x3f, 1..=8) {
        return Ok(Value::Boxed(Box::new(plain(r, classes, tag & 0x3f, depth)?)));
    }
    plain(r, classes, tag, depth)
}

fn plain(r: &mut Reader<'_>, classes: &mut ClassTable, tag: u8, depth: u32) -> Result<Value, WireProblem> {
    Ok(match tag {
        0 => Value::Null,
        1 => Value::Boolean(r.u8("boolean")? != 0),
        2 => Value::Byte(r.signed("byte")?),
        3 => Value::Char(r.number("char")?),
        4 => Value::Short(r.signed("short")?),
        5 => Value::Int(r.signed("int")?),
        6 => Value::Long(r.z("long")?),
        7 => Value::Float(r.u32("float")?),
        8 => Value::Double(r.u64("double")?),
        9 => Value::String(r.java_string("string")?),
        10 => Value::Class(field_type(r)?),
        11 => {
            let class = ClassName::new(r.str("enum class")?);
            Value::Enum { class, name: Arc::from(r.str("enum constant")?) }
        }
        12 => Value::LongString { length: r.number("string length")? },
        13 if depth < MAX_NESTING => {
            let class = field_type(r)?;
            let n = r.count("array length")?;
            let mut elements = Vec::with_capacity(n);
            for _ in 0..n {
                elements.push(value(r, classes, depth + 1)?);
            }
            Value::Array { class, elements }
        }
        14 => Value::LongArray { class: field_type(r)?, length: r.number("array length")? },
        15 => Value::Object { class: classes.required(r)? },
        other => return r.impossible("value tag", u64::from(other)),
    })
}

fn field_type(r: &mut Reader<'_>) -> Result<FieldType, WireProblem> {
    let at = r.position();
    let text = r.str("descriptor")?;
    FieldType::parse(&text).ok_or(WireProblem::Impossible { at, what: "descriptor", value: text.len() as u64 })
}

fn violation(r: &mut Reader<'_>, classes: &mut ClassTable) -> Result<Violation, WireProblem> {
    let tag = r.u8("contract")?;
    let statement = r.number("statement")?;
    let n = r.count("number of variables")?;
    let mut vars = Vec::with_capacity(n);
    for _ in 0..n {
        vars.push(Var(r.number("variable")?));
    }
    let thrown = match r.u8("thrown mark")? {
        0 => None,
        _ => Some(thrown(r, classes)?),
    };
    let contract = match tag {
        0 => Contract::EqualsReflexive,
        1 => Contract::EqualsNull,
        2 => Contract::EqualsSymmetric,
        3 => Contract::EqualsHashCode,
        4 => Contract::EqualsThrows,
        5 => Contract::HashCodeThrows,
        6 => Contract::ToStringThrows,
        7 => Contract::ToStringNull,
        8 => Contract::CompareToAntisymmetric,
        9 => Contract::CompareToTransitive,
        10 => Contract::CompareToEquals,
        11 => Contract::CompareToReflexive,
        12 => Contract::CloneEquals,
        13 => Contract::IteratorEnds,
        15 => {
            let class = ClassName::new(r.str("contract class")?);
            Contract::User { class, method: Arc::from(r.str("contract method")?) }
        }
        other => return r.impossible("contract", u64::from(other)),
    };
    Ok(Violation { contract, statement, vars, thrown })
}
