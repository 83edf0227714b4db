//! What the search may ask about classes: which value fits where, and what could be called. Owns the seam only; the
//! implementation over class files is `world_library`, tests have a small one of their own.

use std::sync::Arc;

use bytecode::names::ClassName;
use bytecode::world::World;
use symbolic::solver::Chain;
use symbolic::vm::Machine;
use testcase::operation::{Operation, Operations};
use testcase::sequence::Sequence;
use testcase::types::Type;
use testcase::value::Constant;

use crate::target::PreparedClass;

/// The method, constructor or field behind an operation.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Member {
    /// The class that declares it.
    pub class: ClassName,
    pub name: Arc<str>,
    pub descriptor: Arc<str>,
    /// Declared exceptions.
    pub throws: Vec<ClassName>,
    pub deprecated: bool,
    /// For the class's own family only: not public in a class that is, or a way to make a nested class that is not.
    pub hidden: bool,
    /// What is said of null, per parameter of the descriptor; empty if nothing is said of any.
    pub nullness: Vec<Nullness>,
}

/// What a member says of null as one of its arguments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Nullness {
    #[default]
    Unknown,
    /// Annotated as nullable: it has to cope with null.
    Welcome,
    /// Annotated as never null: nobody passes null, and who does is to blame.
    Forbidden,
}

/// An operation the library offers, and the member it leads to (none for lambdas, class literals and enum constants).
#[derive(Clone, Debug, PartialEq)]
pub struct Offer {
    pub operation: Operation,
    pub member: Option<Member>,
    /// For parameters of very general types: the types the code casts that parameter (or anything) to, best first.
    pub hints: Vec<Type>,
    /// Methods under test it may lead to by dispatch, when it names none of them itself: class, name, descriptor.
    pub also: Vec<(ClassName, Arc<str>, Arc<str>)>,
}

impl Offer {
    pub fn bare(operation: Operation) -> Offer {
        Offer { operation, member: None, hints: Vec::new(), also: Vec::new() }
    }
}

/// Knowledge about classes. Every answer depends on the question alone, and lists come in a fixed order.
pub trait Library {
    /// May a value of type `value` stand where `wanted` is asked for?
    fn fits(&self, value: &Type, wanted: &Type) -> bool;
    /// Everything worth calling of the classes under test.
    fn targets(&self) -> Vec<Offer>;
    /// Operations whose result fits the wanted type; cheapest and most promising first. Never constants of primitive or string type.
    fn providers(&self, wanted: &Type) -> Vec<Offer>;
    /// Operations on a value of the wanted type that may change it, or give a changed copy, if they are not among the targets.
    fn changers(&self, _wanted: &Type) -> Vec<Offer> {
        Vec::new()
    }
    /// The type to cast to when a value declared as `declared` was seen to be of run-time class `class`; `None` if a test in this package
    /// could not name it or if it says nothing new.
    fn cast_type(&self, declared: &Type, class: &ClassName) -> Option<Type>;
    /// Is `sub` the class `sup` or below it? `None` if it cannot be known.
    fn below(&self, sub: &ClassName, sup: &ClassName) -> Option<bool>;
    /// The same; false if it cannot be known.
    fn is_subclass(&self, sub: &ClassName, sup: &ClassName) -> bool {
        self.below(sub, sup) == Some(true)
    }
    /// Constants found in the code under test, nearest code first.
    fn constants(&self) -> Vec<Constant>;
    /// Can a test in its package name this class?
    fn nameable(&self, class: &ClassName) -> bool;
    /// Does this class (or a superclass other than `Object`) define `hashCode()`?
    fn overrides_hash_code(&self, class: &ClassName) -> bool;
    /// Does the code of a method of this name in this class make such exceptions itself? False if it cannot be known.
    fn makes(&self, _class: &ClassName, _method: &str, _exception: &ClassName) -> bool {
        false
    }
    /// A symbolic machine over the same classes, started; `None` if there is none for them. Costs milliseconds: asked once by who needs it.
    fn machine(&self) -> Option<Machine> {
        None
    }
    /// A solver for that machine's conditions.
    fn chain(&self) -> Chain {
        Chain::default()
    }
    /// The classes under test as they were instrumented: their code, probes and comparisons. Empty if there are none.
    fn code(&self) -> &[PreparedClass] {
        &[]
    }
    /// All classes there are, if they are known as code.
    fn world(&self) -> Option<&World> {
        None
    }
    /// For each of these operations, which of its operands it may change. Costs an analysis of all the code they lead to: asked once by who needs it.
    fn changes(&self, operations: &[&Operation]) -> Vec<Vec<bool>> {
        operations.iter().map(|o| vec![true; o.params.len()]).collect()
    }
    /// What is wrong with a sequence, if anything: asked in debug builds before it is run.
    fn problem(&self, sequence: &Sequence, operations: &Operations, limit: usize) -> Option<String>;
}
