//! Methods modelled by the machine: natives of the JDK, and a few methods whose code would need what the machine does
//! not have. Owns the table by class, name and descriptor. Nothing here touches the outside: the clock is not the real
//! one, there are no files, and only a few properties.

mod access;
mod array;
mod bits;
mod class;
mod clock;
mod invoke;
mod loader;
mod members;
mod module;
mod object;
mod platform;
mod privileged;
mod resource;
mod strict;
mod system;
mod thread;
mod throwable;
mod unsafe_memory;

use rustc_hash::FxHashMap;

use super::machine::Machine;
use super::stop::{Run, Stop};

/// A modelled method: gets the place of its first argument on the stack, receiver first, and gives its result.
pub type Native = fn(&mut Machine, usize) -> Run<u64>;

/// Class, name, descriptor (`*` for any) and model.
type Entry = (&'static str, &'static str, &'static str, Native);

/// The native that does nothing.
pub const NOTHING: u16 = 0;

const GROUPS: &[&[Entry]] = &[
    object::TABLE,
    class::TABLE,
    members::TABLE,
    access::TABLE,
    loader::TABLE,
    module::TABLE,
    resource::TABLE,
    strict::TABLE,
    clock::TABLE,
    system::TABLE,
    bits::TABLE,
    throwable::TABLE,
    thread::TABLE,
    unsafe_memory::TABLE,
    array::TABLE,
    privileged::TABLE,
    invoke::TABLE,
    platform::TABLE,
];

/// All modelled methods, to be found by class.
#[derive(Clone, Debug)]
pub struct Natives {
    list: Vec<Native>,
    by_class: FxHashMap<&'static str, Vec<(&'static str, &'static str, u16)>>,
}

impl Default for Natives {
    fn default() -> Self {
        let mut natives = Natives { list: vec![nothing], by_class: FxHashMap::default() };
        for (class, name, descriptor, native) in GROUPS.iter().copied().flatten() {
            let number = natives.list.len() as u16;
            natives.list.push(*native);
            natives.by_class.entry(class).or_default().push((name, descriptor, number));
        }
        natives
    }
}

impl Natives {
    pub fn find(&self, class: &str, name: &str, descriptor: &str) -> Option<u16> {
        let found = self.by_class.get(class)?.iter().find(|(n, d, _)| *n == name && (*d == "*" || *d == descriptor));
        found.map(|(_, _, number)| *number)
    }

    pub fn get(&self, number: u16) -> Native {
        self.list.get(usize::from(number)).copied().unwrap_or(nothing)
    }
}

/// Does nothing; gives null, 0 or false.
fn nothing(_: &mut Machine, _: usize) -> Run<u64> {
    Ok(0)
}

/// Gives its receiver or first argument.
fn itself(machine: &mut Machine, at: usize) -> Run<u64> {
    Ok(machine.stack[at])
}

fn yes(_: &mut Machine, _: usize) -> Run<u64> {
    Ok(1)
}

/// What depends on the outside, or on what the machine does not keep.
fn outside(machine: &mut Machine, _: usize) -> Run<u64> {
    machine.note_stop();
    let what = machine.native_being_called();
    Err(Stop::Unmodelled(super::stop::Unmodelled::Native(what.into())).into())
}

impl Machine {
    /// Remembers where control is, to explain why a run stopped.
    pub(super) fn note_stop(&mut self) {
        self.stopped_in = self.trace().into_iter().take(12).map(|(m, _)| m).collect();
    }

    /// The methods around the last stop for lack of a model, innermost first.
    pub fn stopped_in(&self) -> Vec<String> {
        self.stopped_in.iter().map(|m| self.method_name(*m)).collect()
    }

    /// Name of the modelled method being called.
    fn native_being_called(&self) -> String {
        self.native.map_or_else(String::new, |id| self.method_name(id))
    }
}
