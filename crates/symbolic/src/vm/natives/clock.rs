//! The clock, chance and the time zone, as the worker gives them to the code under test: a clock that begins at the same moment in every sequence, numbers that begin with the same seed, UTC. Owns what
//! the application sees; code of the JDK that looks at the clock itself would see the real one, which is not modelled.

use super::super::heap::Ref;
use super::super::machine::Machine;
use super::super::stop::Run;
use super::{Entry, outside};

pub const TABLE: &[Entry] = &[
    ("java/lang/System", "currentTimeMillis", "*", milliseconds),
    ("java/lang/System", "nanoTime", "*", nanoseconds),
    ("java/lang/Thread", "sleep", "(J)V", sleep),
    ("java/lang/Thread", "sleep", "(JI)V", sleep),
    ("java/time/Clock", "currentInstant", "*", outside),
    ("java/util/TimeZone", "getDefault", "*", default_zone),
    ("java/util/TimeZone", "getDefaultRef", "*", default_zone),
    ("sun/util/calendar/ZoneInfoFile", "getZoneInfo", "(Ljava/lang/String;)Lsun/util/calendar/ZoneInfo;", zone),
    ("java/util/TimeZone", "setDefault", "*", outside),
    ("sun/util/calendar/ZoneInfoFile", "getZoneIds", "*", outside),
    ("sun/util/calendar/ZoneInfoFile", "getAliasMap", "*", outside),
    ("java/util/Random", "seedUniquifier", "*", outside),
    ("java/util/concurrent/ThreadLocalRandom", "current", "*", outside),
    ("java/security/SecureRandom", "<init>", "*", outside),
    ("java/util/UUID", "randomUUID", "*", outside),
];

/// What the clock says when a sequence begins.
const START: u64 = 1_768_473_296_789;
/// So often the clock is found unchanged; then it moves with every look.
const QUICK: u64 = 16;

/// A number the machine keeps with its thread, so that going back brings it back, too.
fn counter(machine: &mut Machine, name: &str) -> Run<u32> {
    let thread = machine.known_class("java/lang/Thread")?;
    machine.field_slot(thread, name, "J")
}

fn is_application(machine: &Machine) -> bool {
    !machine.frames.is_empty() && machine.class(machine.current_class()).is_application
}

fn look(machine: &mut Machine) -> Run<u64> {
    let (looks, slept) = (counter(machine, "$looks")?, counter(machine, "$slept")?);
    let look = machine.heap.slot(machine.thread, looks) + 1;
    machine.heap.set_slot(machine.thread, looks, look);
    Ok(machine.heap.slot(machine.thread, slept) + look.saturating_sub(QUICK))
}

fn milliseconds(machine: &mut Machine, at: usize) -> Run<u64> {
    if !is_application(machine) {
        return outside(machine, at);
    }
    Ok(START + look(machine)?)
}

/// Code of the JDK measures how long things take; what it finds differs from run to run.
fn nanoseconds(machine: &mut Machine, _: usize) -> Run<u64> {
    if is_application(machine) {
        return Ok(look(machine)? * 1_000_000);
    }
    machine.unstable = true;
    Ok(1_000_000_000 + machine.steps * 10)
}

fn sleep(machine: &mut Machine, at: usize) -> Run<u64> {
    let time = machine.stack[at] as i64;
    if !is_application(machine) || time < 0 {
        return outside(machine, at);
    }
    let slept = counter(machine, "$slept")?;
    let before = machine.heap.slot(machine.thread, slept);
    machine.heap.set_slot(machine.thread, slept, before + time as u64);
    Ok(0)
}

fn new_zone(machine: &mut Machine, name: &str) -> Run<u64> {
    let class = machine.known_class("sun/util/calendar/ZoneInfo")?;
    let name = machine.literal(&name.encode_utf16().collect::<Vec<_>>())?;
    machine.construct(class, "(Ljava/lang/String;I)V", &[u64::from(name), 0]).map(u64::from)
}

fn default_zone(machine: &mut Machine, _: usize) -> Run<u64> {
    new_zone(machine, "UTC")
}

/// Zones without rules are known; names that are none give null. The rules of others are in a file.
fn zone(machine: &mut Machine, at: usize) -> Run<u64> {
    let name = machine.stack[at] as Ref;
    if name == 0 {
        return Ok(0);
    }
    let name = machine.string_text(name);
    let is_name = name.contains('/') || LEGACY.contains(&&*name);
    match &*name {
        "UTC" | "GMT" => new_zone(machine, &name),
        _ if is_name => outside(machine, at),
        _ => Ok(0),
    }
}

/// Zones whose names have no slash.
const LEGACY: &[&str] = &[
    "ACT",
    "AET",
    "AGT",
    "ART",
    "AST",
    "BET",
    "BST",
    "CAT",
    "CET",
    "CNT",
    "CST",
    "CST6CDT",
    "CTT",
    "Cuba",
    "EAT",
    "ECT",
    "EET",
    "EST",
    "EST5EDT",
    "Egypt",
    "Eire",
    "Factory",
    "GB",
    "GB-Eire",
    "GMT+0",
    "GMT-0",
    "GMT0",
    "Greenwich",
    "HST",
    "Hongkong",
    "IET",
    "IST",
    "Iceland",
    "Iran",
    "Israel",
    "JST",
    "Jamaica",
    "Japan",
    "Kwajalein",
    "Libya",
    "MET",
    "MIT",
    "MST",
    "MST7MDT",
    "NET",
    "NST",
    "NZ",
    "NZ-CHAT",
    "Navajo",
    "PLT",
    "PNT",
    "PRC",
    "PRT",
    "PST",
    "PST8PDT",
    "Poland",
    "Portugal",
    "ROC",
    "ROK",
    "SST",
    "Singapore",
    "Turkey",
    "UCT",
    "Universal",
    "VST",
    "W-SU",
    "WET",
    "Zulu",
];
