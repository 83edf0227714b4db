//! Types as the check of code sees them. Owns merging and assignability; loads classes to compare them, never
//! initialises one.

use super::super::class::ClassId;
use super::super::machine::Machine;
use super::super::symbols::Sym;

/// What a local or a slot of the stack holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// Nothing to be used.
    Unusable,
    Int,
    Float,
    Long,
    Double,
    /// The second slot of a long or double.
    Second,
    Null,
    /// A reference to a class, by internal name or array descriptor.
    Object(Sym),
}

impl Type {
    /// The type of a descriptor's first slot.
    pub fn of(machine: &mut Machine, descriptor: &str) -> Type {
        match descriptor.as_bytes().first() {
            Some(b'J') => Type::Long,
            Some(b'F') => Type::Float,
            Some(b'D') => Type::Double,
            Some(b'L' | b'[') => {
                let name = super::super::synthetic::class_operand(descriptor);
                Type::Object(machine.symbols.intern(name))
            }
            _ => Type::Int,
        }
    }

    /// One or two slots for a descriptor.
    pub fn slots(machine: &mut Machine, descriptor: &str) -> impl Iterator<Item = Type> + use<> {
        let first = Type::of(machine, descriptor);
        [first].into_iter().chain(first.is_wide().then_some(Type::Second))
    }

    pub fn is_wide(self) -> bool {
        matches!(self, Type::Long | Type::Double)
    }

    pub fn is_reference(self) -> bool {
        matches!(self, Type::Null | Type::Object(_))
    }
}

/// Locals and stack, slot by slot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    pub locals: Vec<Type>,
    pub stack: Vec<Type>,
}

impl State {
    /// Keeps what both have in common. Says whether that is less than before; `None` if the stacks do not fit.
    pub fn merge(&mut self, machine: &mut Machine, other: &State) -> Option<bool> {
        if self.stack.len() != other.stack.len() {
            return None;
        }
        let mut changed = false;
        let pairs = self.locals.iter_mut().zip(&other.locals).chain(self.stack.iter_mut().zip(&other.stack));
        for (mine, theirs) in pairs {
            let merged = merge(machine, *mine, *theirs);
            changed |= merged != *mine;
            *mine = merged;
        }
        Some(changed)
    }
}

fn merge(machine: &mut Machine, a: Type, b: Type) -> Type {
    match (a, b) {
        (a, b) if a == b => a,
        (Type::Null, Type::Object(_)) => b,
        (Type::Object(_), Type::Null) => a,
        (Type::Object(a), Type::Object(b)) => Type::Object(common(machine, a, b)),
        _ => Type::Unusable,
    }
}

/// The nearest class that both are assignable to; interfaces count as `Object`.
fn common(machine: &mut Machine, a: Sym, b: Sym) -> Sym {
    let object = machine.symbols.intern("java/lang/Object");
    let (first, second) = (machine.symbols.get(a).clone(), machine.symbols.get(b).clone());
    if let (Some(x), Some(y)) = (first.strip_prefix('['), second.strip_prefix('[')) {
        // Arrays of references have arrays of what their elements have in common.
        let element = |d: &str| d.starts_with(['[', 'L']).then(|| super::super::synthetic::class_operand(d).to_owned());
        let (Some(x), Some(y)) = (element(x), element(y)) else { return object };
        let (x, y) = (machine.symbols.intern(&x), machine.symbols.intern(&y));
        let both = common(machine, x, y);
        let both = machine.symbols.get(both).clone();
        let name = if both.starts_with('[') { format!("[{both}") } else { format!("[L{both};") };
        return machine.symbols.intern(&name);
    }
    let (Some(x), Some(y)) = (class(machine, a), class(machine, b)) else { return object };
    let mut at = Some(x);
    while let Some(up) = at {
        if !machine.class(up).is_interface() && machine.is_subtype(y, up) {
            return machine.class(up).name;
        }
        at = machine.class(up).superclass;
    }
    object
}

/// A class by name; none if it cannot be had: a reference to such a class is always null.
fn class(machine: &mut Machine, name: Sym) -> Option<ClassId> {
    machine.find_class_sym(name).ok().flatten()
}

/// Whether a value may stand where a class is asked for. Interfaces take every object, as in a JVM: calls look for the
/// method anyway.
pub fn is_assignable(machine: &mut Machine, from: Type, to: Sym) -> bool {
    let from = match from {
        Type::Null => return true,
        Type::Object(from) => from,
        _ => return false,
    };
    if from == to || &**machine.symbols.get(to) == "java/lang/Object" {
        return true;
    }
    match (class(machine, from), class(machine, to)) {
        (Some(from), Some(to)) => {
            machine.class(to).is_interface() || machine.is_subtype(from, to) || of_interfaces(machine, from, to)
        }
        _ => true,
    }
}

/// Arrays of objects where arrays of an interface are asked for.
fn of_interfaces(machine: &Machine, from: ClassId, to: ClassId) -> bool {
    use super::super::class::Kind;
    match (&machine.class(from).kind, &machine.class(to).kind) {
        (Kind::Array { element: a }, Kind::Array { element: b }) => {
            let (a, b) = (*a, *b);
            !machine.class(a).is_primitive() && machine.class(b).is_interface() || of_interfaces(machine, a, b)
        }
        _ => false,
    }
}
