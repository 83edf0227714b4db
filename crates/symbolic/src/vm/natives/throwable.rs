//! `java.lang.Throwable` and stack traces. Owns how traces become `StackTraceElement`s.

use super::super::class::MethodId;
use super::super::exception::raised;
use super::super::heap::Ref;
use super::super::machine::Machine;
use super::super::stop::Run;
use super::super::unstable::Unstable;
use super::{Entry, nothing, outside};

pub const TABLE: &[Entry] = &[
    ("java/lang/Throwable", "fillInStackTrace", "(I)Ljava/lang/Throwable;", fill),
    ("java/lang/StackTraceElement", "initStackTraceElements", "*", elements),
    ("java/lang/StackTraceElement", "initStackTraceElement", "*", outside),
    ("java/lang/StackTraceElement", "computeFormat", "*", nothing),
    ("java/lang/NullPointerException", "getExtendedNPEMessage", "*", null_message),
    ("java/lang/StackStreamFactory$AbstractStackWalker", "callStackWalk", "*", outside),
];

fn fill(machine: &mut Machine, at: usize) -> Run<u64> {
    let throwable = machine.stack[at];
    machine.fill_in_stack_trace(throwable as Ref)?;
    Ok(throwable)
}

fn elements(machine: &mut Machine, at: usize) -> Run<u64> {
    // How deep a trace is depends on what runs the sequence.
    machine.unstable.add(Unstable::TRACE);
    let (array, second) = (machine.stack[at] as Ref, machine.stack[at + 1] as Ref);
    // The second argument is the trace, or in older JDKs the throwable it belongs to.
    let trace = if machine.class(machine.class_of(second)).is_array() {
        second
    } else {
        machine.backtrace(second).unwrap_or(0)
    };
    if trace == 0 || array == 0 {
        return Ok(0);
    }
    let class = machine.known_class("java/lang/StackTraceElement")?;
    let text = "Ljava/lang/String;";
    let declaring = machine.field_slot(class, "declaringClass", text)?;
    let method_slot = machine.field_slot(class, "methodName", text)?;
    let file = machine.field_slot(class, "fileName", text)?;
    let line = machine.field_slot(class, "lineNumber", "I")?;
    let count = machine.heap.length(array).min(machine.heap.length(trace) - 1) as u32;
    for i in 0..count {
        let word = machine.heap.slot(trace, i + 1);
        let method = MethodId((word >> 32) as u32);
        let element = machine.heap.slot(array, i) as Ref;
        let owner = machine.method_at(method).class;
        let owner_name = machine.class_name(owner).replace('/', ".");
        let name = machine.symbols.get(machine.method_at(method).name).clone();
        let owner_text = machine.new_text(&owner_name)?;
        let name_text = machine.new_text(&name)?;
        machine.heap.set_slot(element, declaring, u64::from(owner_text));
        machine.heap.set_slot(element, method_slot, u64::from(name_text));
        if let Some(source) = machine.class(owner).source_file {
            let source = machine.symbols.get(source).clone();
            let source = machine.new_text(&source)?;
            machine.heap.set_slot(element, file, u64::from(source));
        }
        let number = machine.line_of(method, word as u32);
        machine.heap.set_slot(element, line, number as i64 as u64);
    }
    Ok(0)
}

/// Exceptions made by the program have no message of the machine's making.
fn null_message(machine: &mut Machine, at: usize) -> Run<u64> {
    let throwable = machine.stack[at] as Ref;
    let Some(trace) = machine.backtrace(throwable) else { return Ok(0) };
    match machine.heap.slot(trace, 0) {
        raised::BY_CODE if machine.heap.length(trace) > 1 => {
            let word = machine.heap.slot(trace, 1);
            match machine.null_description(MethodId((word >> 32) as u32), word as u32) {
                Some(Some(text)) => machine.new_text(&text).map(u64::from),
                Some(None) => Ok(0),
                None => outside(machine, at),
            }
        }
        raised::BY_CODE | raised::BY_MODEL => outside(machine, at),
        _ => Ok(0),
    }
}
