//! `java.lang.Thread`: there is one, and it never waits. Owns nothing but that thread's object; other threads are not
//! modelled.

use super::super::heap::Ref;
use super::super::machine::Machine;
use super::super::stop::Run;
use super::super::unstable::Unstable;
use super::{Entry, nothing, outside};

pub const TABLE: &[Entry] = &[
    ("java/lang/Thread", "currentThread", "*", current),
    ("java/lang/Thread", "currentCarrierThread", "*", current),
    ("java/lang/Thread", "holdsLock", "*", holds_lock),
    ("java/lang/Thread", "isInterrupted", "*", nothing),
    ("java/lang/Thread", "interrupted", "*", nothing),
    ("java/lang/Thread", "yield", "*", nothing),
    ("java/lang/Thread", "yield0", "*", nothing),
    ("java/lang/Thread", "onSpinWait", "*", nothing),
    ("java/lang/Thread", "sleep", "*", outside),
    ("java/lang/Thread", "start", "*", outside),
    ("java/lang/Thread", "join", "*", outside),
    ("java/lang/Thread", "getName", "*", outside),
    ("java/lang/Thread", "setName", "*", outside),
    ("java/lang/Thread", "getThreadGroup", "*", outside),
    ("java/lang/Thread", "getPriority", "*", outside),
    ("java/lang/Thread", "setPriority", "*", outside),
    ("java/lang/Thread", "setDaemon", "*", outside),
    ("java/lang/Thread", "isDaemon", "*", outside),
    ("java/lang/Thread", "isAlive", "*", outside),
    ("java/lang/Thread", "interrupt", "*", outside),
    ("java/lang/Thread", "getState", "*", outside),
    ("java/lang/Thread", "getId", "*", outside),
    ("java/lang/Thread", "threadId", "*", id),
    ("java/lang/Thread", "toString", "*", outside),
    ("java/lang/Thread", "getStackTrace", "*", outside),
    ("java/lang/Thread", "<init>", "*", outside),
    ("java/lang/Thread", "scopedValueBindings", "*", outside),
    ("java/util/concurrent/ForkJoinPool", "commonPool", "*", outside),
    ("java/util/concurrent/ForkJoinPool", "asyncCommonPool", "*", outside),
    ("java/util/concurrent/ForkJoinTask", "fork", "*", outside),
    ("java/util/concurrent/ForkJoinPool", "managedBlock", "*", outside),
    ("java/util/concurrent/ForkJoinPool", "getQueuedTaskCount", "*", outside),
    ("java/lang/ThreadGroup", "<init>", "*", outside),
    ("java/util/Timer", "<init>", "*", outside),
];

fn current(machine: &mut Machine, _: usize) -> Run<u64> {
    Ok(u64::from(machine.thread))
}

/// The JDK distinguishes threads by it; the number depends on what started the thread.
fn id(machine: &mut Machine, at: usize) -> Run<u64> {
    let by_jdk = !machine.frames.is_empty() && !machine.class(machine.current_class()).is_application;
    if !by_jdk {
        return outside(machine, at);
    }
    machine.unstable.add(Unstable::THREAD);
    Ok(1)
}

fn holds_lock(machine: &mut Machine, at: usize) -> Run<u64> {
    let object = machine.stack[at] as Ref;
    if object == 0 {
        return Err(machine.null_pointer());
    }
    Ok(u64::from(machine.monitors.contains(&object)))
}
