//! Access control and callers: everything is allowed, actions run at once. Owns which method counts as the caller.

use super::super::heap::Ref;
use super::super::machine::Machine;
use super::super::stop::{Run, Trap};
use super::{Entry, nothing, outside};

const CONTROLLER: &str = "java/security/AccessController";
const ACTION: &str = "java/security/PrivilegedAction";
const EXCEPTION_ACTION: &str = "java/security/PrivilegedExceptionAction";

pub const TABLE: &[Entry] = &[
    (CONTROLLER, "doPrivileged", "(Ljava/security/PrivilegedAction;)Ljava/lang/Object;", run),
    (
        CONTROLLER,
        "doPrivileged",
        "(Ljava/security/PrivilegedAction;Ljava/security/AccessControlContext;)Ljava/lang/Object;",
        run,
    ),
    (
        CONTROLLER,
        "doPrivileged",
        "(Ljava/security/PrivilegedAction;Ljava/security/AccessControlContext;[Ljava/security/Permission;)Ljava/lang/Object;",
        run,
    ),
    (CONTROLLER, "doPrivilegedWithCombiner", "(Ljava/security/PrivilegedAction;)Ljava/lang/Object;", run),
    (CONTROLLER, "doPrivileged", "(Ljava/security/PrivilegedExceptionAction;)Ljava/lang/Object;", run_throwing),
    (
        CONTROLLER,
        "doPrivileged",
        "(Ljava/security/PrivilegedExceptionAction;Ljava/security/AccessControlContext;)Ljava/lang/Object;",
        run_throwing,
    ),
    (CONTROLLER, "getStackAccessControlContext", "*", nothing),
    (CONTROLLER, "getContext", "*", nothing),
    ("jdk/internal/reflect/Reflection", "getCallerClass", "*", caller),
    ("jdk/internal/reflect/Reflection", "ensureMemberAccess", "*", nothing),
];

fn run(machine: &mut Machine, at: usize) -> Run<u64> {
    let action = machine.stack[at] as Ref;
    if action == 0 {
        return Err(machine.null_pointer());
    }
    machine.call_virtual(action, ACTION, "run", "()Ljava/lang/Object;", &[])
}

fn run_throwing(machine: &mut Machine, at: usize) -> Run<u64> {
    let action = machine.stack[at] as Ref;
    if action == 0 {
        return Err(machine.null_pointer());
    }
    match machine.call_virtual(action, EXCEPTION_ACTION, "run", "()Ljava/lang/Object;", &[]) {
        Err(Trap::Throw(exception)) => {
            let class = machine.class_of(exception);
            let unchecked = machine.known_class("java/lang/RuntimeException")?;
            let checked = machine.known_class("java/lang/Exception")?;
            if !machine.is_subtype(class, checked) || machine.is_subtype(class, unchecked) {
                return Err(Trap::Throw(exception));
            }
            let wrapper = machine.known_class("java/security/PrivilegedActionException")?;
            let wrapper = machine.construct(wrapper, "(Ljava/lang/Exception;)V", &[u64::from(exception)])?;
            Err(Trap::Throw(wrapper))
        }
        ran => ran,
    }
}

/// The class of the method that called the method that asks.
fn caller(machine: &mut Machine, at: usize) -> Run<u64> {
    let trace = machine.trace();
    match trace.get(1) {
        Some((method, _)) => {
            let class = machine.method_at(*method).class;
            machine.mirror(class).map(u64::from)
        }
        // The caller is a statement; what that may use is checked elsewhere.
        None if machine.class_name(machine.current_class()).starts_with("java/lang/reflect/") => outside(machine, at),
        None => Ok(0),
    }
}
