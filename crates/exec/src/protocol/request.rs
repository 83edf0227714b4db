//! What the brain says: handshake, targets, dispatchers, constants, batches. Owns their encoding only.

use bytecode::instrument::{MonitoredField, Relation};
use testcase::execution::ProbeId;
use testcase::executor::{Aspect, Detail, Observe, Outcomes, Request, Watch};
use testcase::value::Constant;

use super::writer::Writer;
use super::{VERSION, kind};

/// The first message.
#[derive(Clone, Debug)]
pub struct Hello<'a> {
    pub step_limit: u64,
    pub scratch: &'a str,
    pub progress: bool,
    pub timed: bool,
    /// After how many milliseconds an impatient sequence is stopped; 0 = never.
    pub patience: u64,
}

/// A fresh target loader.
#[derive(Clone, Debug)]
pub struct Open<'a> {
    pub probes: u32,
    pub sites: u32,
    pub classpath: &'a [String],
    pub user_contracts: &'a [String],
    /// Classes to initialise before the first sequence, in this order.
    pub first: &'a [String],
    /// Fields whose reads are told, by number.
    pub fields: &'a [MonitoredField],
}

/// A generated dispatcher class; local number `i` stands for `operations[i]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DispatcherClass {
    pub name: String,
    pub bytes: Vec<u8>,
    pub operations: Vec<u32>,
}

/// The answer to a request for a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Served {
    Class { index: u32, bytes: std::sync::Arc<[u8]> },
    NotFound { message: String },
    Broken { message: String },
}

pub fn hello(out: &mut Writer, hello: &Hello<'_>) {
    out.begin(kind::HELLO);
    out.v(VERSION);
    out.v(hello.step_limit);
    out.v(hello.patience);
    out.str(hello.scratch);
    out.u8(u8::from(hello.progress) | u8::from(hello.timed) << 1);
    out.end();
}

pub fn class(out: &mut Writer, served: &Served) {
    out.begin(kind::CLASS);
    match served {
        Served::Class { index, bytes } => {
            out.u8(0);
            out.v(u64::from(*index));
            out.blob(bytes);
        }
        Served::NotFound { message } => {
            out.u8(1);
            out.str(message);
        }
        Served::Broken { message } => {
            out.u8(2);
            out.str(message);
        }
    }
    out.end();
}

pub fn open(out: &mut Writer, open: &Open<'_>) {
    out.begin(kind::OPEN);
    out.v(u64::from(open.probes));
    out.v(u64::from(open.sites));
    for list in [open.classpath, open.user_contracts, open.first] {
        out.len(list.len());
        for text in list {
            out.str(text);
        }
    }
    out.len(open.fields.len());
    for field in open.fields {
        out.str(field.class.internal());
        out.str(&field.name);
    }
    out.end();
}

/// Replaces the code of JDK classes; only for workers with the agent.
pub fn redefine<'a>(out: &mut Writer, classes: impl ExactSizeIterator<Item = (&'a str, &'a [u8])>) {
    out.begin(kind::REDEFINE);
    out.len(classes.len());
    for (name, bytes) in classes {
        out.str(name);
        out.blob(bytes);
    }
    out.end();
}

pub fn dispatchers(out: &mut Writer, classes: &[DispatcherClass], auxiliary: &[(String, Vec<u8>)]) {
    out.begin(kind::DISPATCHERS);
    out.len(classes.len());
    for class in classes {
        out.str(&class.name);
        out.blob(&class.bytes);
        out.v(0);
        out.len(class.operations.len());
        for &operation in &class.operations {
            out.v(u64::from(operation));
        }
    }
    out.len(auxiliary.len());
    for (name, bytes) in auxiliary {
        out.str(name);
        out.blob(bytes);
    }
    out.end();
}

pub fn constants<'a>(out: &mut Writer, first: u32, constants: impl ExactSizeIterator<Item = &'a Constant>) {
    out.begin(kind::CONSTANTS);
    out.v(u64::from(first));
    out.len(constants.len());
    for constant in constants {
        self::constant(out, constant);
    }
    out.end();
}

fn constant(out: &mut Writer, constant: &Constant) {
    match constant {
        Constant::Null => out.u8(0),
        Constant::Boolean(v) => {
            out.u8(1);
            out.u8(u8::from(*v));
        }
        Constant::Byte(v) => signed(out, 2, i64::from(*v)),
        Constant::Char(v) => {
            out.u8(3);
            out.v(u64::from(*v));
        }
        Constant::Short(v) => signed(out, 4, i64::from(*v)),
        Constant::Int(v) => signed(out, 5, i64::from(*v)),
        Constant::Long(v) => signed(out, 6, *v),
        Constant::Float(bits) => {
            out.u8(7);
            out.u32(*bits);
        }
        Constant::Double(bits) => {
            out.u8(8);
            out.u64(*bits);
        }
        Constant::String(text) => {
            out.u8(9);
            out.utf16(text.units());
        }
        Constant::Class(class) => {
            out.u8(10);
            out.str(&class.to_string());
        }
        Constant::Enum { class, name } => {
            out.u8(11);
            out.str(class.internal());
            out.str(name);
        }
    }
}

fn signed(out: &mut Writer, tag: u8, value: i64) {
    out.u8(tag);
    out.z(value);
}

/// `codes[op]` is the statement code of an operation: twice a constant's number, or twice an operation's number plus one.
/// Where the environment is another one it differs in `only` this, or in everything.
pub fn batch<'a>(
    out: &mut Writer,
    number: u32,
    requests: impl ExactSizeIterator<Item = &'a Request>,
    codes: &[u32],
    only: Option<Aspect>,
) {
    out.begin(kind::BATCH);
    out.v(u64::from(number));
    out.len(requests.len());
    for request in requests {
        out.v(u64::from(flags(&request.detail, only) | if request.fault.is_some() { FAULT } else { 0 }));
        out.v(u64::from(request.cost));
        if let Some(fault) = request.fault {
            out.v(u64::from(fault.mutant));
            out.v(u64::from(fault.steps));
        }
        let statements = request.sequence.statements();
        out.len(statements.len());
        for statement in statements {
            let code = codes[statement.op.index()];
            out.v(u64::from(code));
            if code & 1 == 1 {
                out.len(statement.args.len());
                for arg in &statement.args {
                    out.v(u64::from(arg.0));
                }
            }
        }
    }
    out.end();
}

/// A fault is named behind the cost.
const FAULT: u32 = 0x800;

fn flags(detail: &Detail, only: Option<Aspect>) -> u32 {
    let observe = match detail.observe {
        Observe::Nothing => 0,
        Observe::LastStatement => 0x001,
        Observe::Everything => 0x002,
    };
    let varied = match only {
        None => 0x400,
        Some(Aspect::Clock) => 0x1000,
        Some(Aspect::Locale) => 0x2000,
        Some(Aspect::Zone) => 0x4000,
        Some(Aspect::User) => 0x8000,
        Some(Aspect::Chance) => 0x1_0000,
    };
    let bit = |on: bool, flag: u32| if on { flag } else { 0 };
    observe
        | bit(detail.states, 0x004)
        | bit(detail.equals_classes, 0x008)
        | bit(detail.values, 0x010)
        | bit(detail.all_probes, 0x020)
        | bit(detail.operands, 0x040)
        | bit(detail.exceptions, 0x080)
        | bit(detail.contracts, 0x100)
        | bit(detail.past_exceptions, 0x200)
        | bit(detail.varied, varied)
        | bit(detail.distances, 0x2_0000)
        | bit(detail.impatient, 0x4_0000)
}

pub fn best(out: &mut Writer, best: impl ExactSizeIterator<Item = (ProbeId, u32)>) {
    out.begin(kind::BEST);
    out.len(best.len());
    for (probe, cost) in best {
        out.v(u64::from(probe.0));
        out.v(u64::from(cost));
    }
    out.end();
}

pub fn watch(out: &mut Writer, sites: &[Watch]) {
    out.begin(kind::WATCH);
    out.len(sites.len());
    for watch in sites {
        out.v(u64::from(watch.site.0));
        out.v(u64::from(watch.first_slot));
        match &watch.outcomes {
            Outcomes::Branch(relation) => out.u8(match relation {
                Relation::Equal => 1,
                Relation::NotEqual => 2,
                Relation::Less => 3,
                Relation::GreaterOrEqual => 4,
                Relation::Greater => 5,
                Relation::LessOrEqual => 6,
            }),
            Outcomes::Keys(keys) => {
                out.u8(7);
                out.len(keys.len());
                for key in keys {
                    out.z(i64::from(*key));
                }
            }
            Outcomes::Strings(strings) => {
                out.u8(8);
                out.len(strings.len());
                for string in strings {
                    out.utf16(string.units());
                }
            }
        }
    }
    out.end();
}
