//! The clock, chance and the time zone, as the worker gives them to the code under test: a clock that begins at the
//! same moment in every sequence, numbers that begin with the same seed, UTC. Owns what the application sees; code of
//! the JDK that looks at the clock itself would see the real one, which is not modelled.

use super::super::heap::Ref;
use super::super::machine::Machine;
use super::super::stop::Run;
use super::super::unstable::Unstable;
use super::{Entry, outside};

pub const TABLE: &[Entry] = &[
    ("java/lang/System", "currentTimeMillis", "*", milliseconds),
    ("java/lang/System", "nanoTime", "*", nanoseconds),
    ("jdk/internal/misc/VM", "getNanoTimeAdjustment", "*", adjustment),
    ("java/lang/Thread", "sleep", "(J)V", sleep),
    ("java/lang/Thread", "sleep", "(JI)V", sleep),
    ("java/util/TimeZone", "getDefault", "*", default_zone),
    ("java/util/TimeZone", "getDefaultRef", "*", default_zone),
    ("sun/util/calendar/ZoneInfoFile", "getZoneInfo", "(Ljava/lang/String;)Lsun/util/calendar/ZoneInfo;", zone),
    ("java/util/TimeZone", "setDefault", "*", outside),
    ("sun/util/calendar/ZoneInfoFile", "getZoneIds", "*", outside),
    ("sun/util/calendar/ZoneInfoFile", "zoneIds", "*", outside),
    ("sun/util/calendar/ZoneInfoFile", "getVersion", "*", outside),
    ("sun/util/calendar/ZoneInfoFile", "getAliasMap", "*", outside),
    ("java/lang/Math", "random", "*", random),
    ("java/lang/StrictMath", "random", "*", random),
    ("java/util/Collections", "shuffle", "(Ljava/util/List;)V", shuffle),
    ("java/util/UUID", "randomUUID", "*", outside),
    ("java/security/SecureRandom", "<init>", "*", outside),
];

/// What the clock says when a sequence begins.
const START: u64 = 1_768_473_296_789;
/// Number of times the clock is read unchanged; after that it moves with every read.
const QUICK: u64 = 16;

/// A number the machine keeps with its thread, so that going back restores it, too.
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

/// Code of the JDK sees the real clock, which differs from run to run.
fn milliseconds(machine: &mut Machine, _: usize) -> Run<u64> {
    if is_application(machine) {
        return Ok(START + look(machine)?);
    }
    machine.unstable.add(Unstable::CLOCK);
    Ok(START)
}

fn nanoseconds(machine: &mut Machine, _: usize) -> Run<u64> {
    if is_application(machine) {
        return Ok(look(machine)? * 1_000_000);
    }
    machine.unstable.add(Unstable::CLOCK);
    Ok(1_000_000_000 + machine.steps * 10)
}

/// Nanoseconds since a second, for `java.time`: what calls of `now` by the application begin with.
fn adjustment(machine: &mut Machine, at: usize) -> Run<u64> {
    let second = machine.stack[at] as i64;
    let callers: Vec<_> = machine.trace().into_iter().map(|(method, _)| machine.method_at(method).class).collect();
    let outer = callers.into_iter().find(|class| !machine.class_name(*class).starts_with("java/time/"));
    let now = if outer.is_some_and(|class| machine.class(class).is_application) {
        START + look(machine)?
    } else {
        machine.unstable.add(Unstable::CLOCK);
        START
    };
    Ok((now as i64 * 1_000_000).wrapping_sub(second.wrapping_mul(1_000_000_000)) as u64)
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

const CHANCE: &str = "java/util/concurrent/ThreadLocalRandom";
/// What every sequence begins with.
const SEED: u64 = 0x5_deec_e66d;
const PROBE: u64 = 0x2545_f491;
const SECOND_SEED: u64 = 0x6c07_8965;

impl Machine {
    /// Numbers left to chance are the same in every sequence.
    pub(in super::super) fn set_chance(&mut self, thread: Ref) -> Run<()> {
        let class = self.known_class("java/lang/Thread")?;
        let parts = [
            ("threadLocalRandomSeed", "J", SEED),
            ("threadLocalRandomProbe", "I", PROBE),
            ("threadLocalRandomSecondarySeed", "I", SECOND_SEED),
        ];
        for (name, descriptor, value) in parts {
            let slot = self.field_slot(class, name, descriptor)?;
            self.heap.set_slot(thread, slot, value);
        }
        Ok(())
    }
}

fn chance(machine: &mut Machine) -> Run<Ref> {
    let current = machine.known_method(CHANCE, "current", "()Ljava/util/concurrent/ThreadLocalRandom;")?;
    machine.call(current, &[]).map(|r| r as Ref)
}

fn random(machine: &mut Machine, at: usize) -> Run<u64> {
    if !is_application(machine) {
        return outside(machine, at);
    }
    let chance = chance(machine)?;
    machine.call_virtual(chance, "java/util/Random", "nextDouble", "()D", &[])
}

fn shuffle(machine: &mut Machine, at: usize) -> Run<u64> {
    let list = machine.stack[at];
    if !is_application(machine) {
        return outside(machine, at);
    }
    let chance = chance(machine)?;
    let descriptor = "(Ljava/util/List;Ljava/util/Random;)V";
    let shuffle = machine.known_method("java/util/Collections", "shuffle", descriptor)?;
    machine.call(shuffle, &[list, u64::from(chance)])
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
