//! The [`Library`] over real classes: what the code under test offers and what can feed it. Owns where operations come from; how they are spelled is
//! `testcase`'s, which to call the search's.

mod annotations;
mod changers;
mod guards;
mod lambdas;
mod literals;
mod nullness;
mod providers;
mod reflected;
mod views;

use std::cell::RefCell;
use std::sync::Arc;

use bytecode::analysis::{Effect, Purity};
use bytecode::class_info::{ClassInfo, ConstantValue};
use bytecode::names::{ClassName, FieldType};
use bytecode::world::World;
use rustc_hash::FxHashMap;
use symbolic::solver::Chain;
use symbolic::vm::{Limits, Machine};
use testcase::classes::is_type_accessible;
use testcase::generic::{instantiate_as, instantiate_class, is_inside_generic, type_params};
use testcase::members::{MemberOptions, MemberRef, operations_of};
use testcase::operation::{Operation, OperationKind, Operations};
use testcase::sequence::Sequence;
use testcase::subtyping::Subtyping;
use testcase::types::{ClassType, Type, TypeArg};
use testcase::value::{Constant, JavaString};
use testcase::verify::verify;

use crate::library::{Library, Member, Offer};
use crate::target::{PreparedClass, Target};

/// Types seen in casts that are tried as type arguments and for general parameters.
const MAX_CANDIDATES: usize = 12;
/// Inherited members that lead out of the classes under test.
const MAX_INHERITED: usize = 60;
/// How far constants are followed through calls.
const CONSTANT_DEPTH: usize = 2;
const MAX_CONSTANTS: usize = 600;
/// Methods analysed for what operations may change, about a second's worth: a search waits for it.
const MOST_ANALYSES: u64 = 10_000;

pub struct WorldLibrary<'w> {
    world: &'w World,
    subtyping: Subtyping<'w>,
    package: String,
    /// The class under test, then those nested in it.
    classes: Vec<ClassName>,
    /// Types the code casts to or tests for.
    candidates: Vec<Type>,
    fits: RefCell<FxHashMap<(Type, Type), bool>>,
    prepared: Vec<PreparedClass>,
    chains: Option<Arc<dyn Fn() -> Chain + Send + Sync>>,
}

impl<'w> WorldLibrary<'w> {
    pub fn new(world: &'w World, target: &Target) -> WorldLibrary<'w> {
        let mut library = WorldLibrary {
            world,
            subtyping: Subtyping::new(world),
            package: target.package.clone(),
            classes: target.classes.iter().map(|c| c.info.name.clone()).collect(),
            candidates: Vec::new(),
            fits: RefCell::default(),
            prepared: target.classes.clone(),
            chains: None,
        };
        library.candidates = library.find_candidates();
        library
    }

    /// With other solvers than our own.
    pub fn with_chains(self, chains: Option<Arc<dyn Fn() -> Chain + Send + Sync>>) -> WorldLibrary<'w> {
        WorldLibrary { chains, ..self }
    }

    pub fn subtyping(&self) -> &Subtyping<'w> {
        &self.subtyping
    }

    fn find_candidates(&self) -> Vec<Type> {
        let mut found: Vec<Type> = Vec::new();
        for class in &self.classes {
            let Ok(facts) = self.world.facts(class) else {
                continue;
            };
            for ty in facts.methods.iter().flat_map(|m| m.casts.tests.iter().chain(&m.casts.casts)) {
                self.add_candidate(ty, &mut found);
            }
        }
        found
    }

    fn add_candidate(&self, ty: &FieldType, found: &mut Vec<Type>) {
        let ty = match ty {
            FieldType::Class(name) if self.world.contains(name) => {
                // Raw types make poor arguments; the first choice of arguments will do.
                let choice = instantiate_class(&self.subtyping, name, &[], 1).into_iter().next();
                choice.map(Type::Class)
            }
            FieldType::Array(_) => Some(Type::from(ty)),
            _ => None,
        };
        if let Some(ty) = ty
            && !self.is_general(&ty)
            && found.len() < MAX_CANDIDATES
            && !found.contains(&ty)
            && is_type_accessible(self.world, &self.package, &ty)
        {
            found.push(ty);
        }
    }

    /// A generic class under test is tried with the most promising arguments, and with `Object`, which lets everything in.
    fn instantiations(&self, class: &ClassName) -> Vec<ClassType> {
        let mut choices = instantiate_class(&self.subtyping, class, &self.type_arguments(), 1);
        for choice in instantiate_class(&self.subtyping, class, &[Type::object()], 1) {
            if !choices.contains(&choice) {
                choices.push(choice);
            }
        }
        choices
    }

    /// What everybody would write first, then what the code itself looks for.
    fn type_arguments(&self) -> Vec<Type> {
        let usual = [Type::string(), Type::class("java/lang/Integer")];
        usual.into_iter().chain(self.candidates.iter().cloned()).collect()
    }

    /// Casts in the method behind an operation, the best guesses for its general parameters.
    fn hints(&self, operation: &Operation, member: &MemberRef) -> Vec<Type> {
        let mut hints = Vec::new();
        let first = usize::from(operation.has_receiver());
        if !operation.params[first..].iter().any(|p| self.is_general(p)) {
            return hints;
        }
        if let (Ok(info), Ok(facts)) = (self.world.class(&member.class), self.world.facts(&member.class)) {
            let index =
                info.methods.iter().position(|m| *m.name == *member.name && *m.raw_descriptor == *member.descriptor);
            if let Some(facts) = index.and_then(|i| facts.methods.get(i)) {
                for ty in facts.casts.tests.iter().chain(&facts.casts.casts) {
                    self.add_candidate(ty, &mut hints);
                }
            }
        }
        if &*member.name == "equals" || &*member.name == "compareTo" {
            self.add_candidate(&FieldType::Class(member.class.clone()), &mut hints);
        }
        if hints.is_empty() {
            hints = self.candidates.clone();
            self.add_candidate(&FieldType::Class(self.classes[0].clone()), &mut hints);
        }
        hints
    }

    fn is_general(&self, ty: &Type) -> bool {
        matches!(
            ty.class_name().map(ClassName::internal),
            Some("java/lang/Object" | "java/lang/Comparable" | "java/io/Serializable")
        )
    }

    /// Which operands an operation may change; all of them if it cannot be known.
    fn changed_by(&self, purity: &mut Purity<'_>, operation: &Operation) -> Vec<bool> {
        let mut changed: Vec<bool> = operation.params.iter().map(Type::is_reference).collect();
        let (owner, name, descriptor, skipped) = match &operation.kind {
            OperationKind::Call { owner, name, descriptor, .. } => (owner, &**name, descriptor, 0),
            // A constructor's own object is no operand.
            OperationKind::Construct { class, descriptor, .. } => (class, "<init>", descriptor, 1),
            _ => return changed,
        };
        let Some(method) = self.world.resolve_method(owner, name, descriptor) else { return changed };
        let exact = self.world.class(owner).is_ok_and(|c| !c.is_abstract()).then_some(owner);
        let verdict = purity.verdict_within_limit(&method, exact);
        let params = verdict.as_ref().and_then(|v| v.params.get(skipped..));
        if let Some(params) = params.filter(|p| p.len() == changed.len()) {
            for (known, param) in changed.iter_mut().zip(params) {
                *known = param.effect == Effect::ReadWrite;
            }
        }
        changed
    }

    fn member_options(&self) -> MemberOptions {
        MemberOptions { candidates: self.type_arguments(), ..MemberOptions::default() }
    }

    /// A generic class with arguments nobody knows.
    fn with_any(&self, name: ClassName) -> ClassType {
        let info = self.subtyping.classes().class(&name);
        let info = info.filter(|i| !is_inside_generic(&self.subtyping, i));
        let args = info.map_or(0, |i| type_params(&i).len());
        ClassType { name, args: vec![TypeArg::Any; args] }
    }
}

impl Library for WorldLibrary<'_> {
    fn fits(&self, value: &Type, wanted: &Type) -> bool {
        let key = (value.clone(), wanted.clone());
        if let Some(&known) = self.fits.borrow().get(&key) {
            return known;
        }
        let fits = self.subtyping.fits(value, wanted);
        self.fits.borrow_mut().insert(key, fits);
        fits
    }

    fn targets(&self) -> Vec<Offer> {
        let options = self.member_options();
        let mut offers: Vec<Offer> = Vec::new();
        let mut inherited = 0;
        for class in &self.classes {
            for choice in self.instantiations(class) {
                for (operation, member) in operations_of(&self.subtyping, &choice, &self.package, &options) {
                    if !self.classes.contains(&member.class) {
                        inherited += 1;
                        if inherited > MAX_INHERITED {
                            continue;
                        }
                    }
                    // Enum constants and the like are inputs, not things to test.
                    if operation.is_constant() || is_noise(&member) {
                        continue;
                    }
                    let hints = self.hints(&operation, &member);
                    offers.push(Offer {
                        operation,
                        member: Some(as_member(self.world, member)),
                        hints,
                        also: Vec::new(),
                    });
                }
            }
        }
        views::add(self, &mut offers);
        offers
    }

    fn providers(&self, wanted: &Type) -> Vec<Offer> {
        providers::find(self, wanted)
    }

    fn changers(&self, wanted: &Type) -> Vec<Offer> {
        changers::find(self, wanted)
    }

    fn cast_type(&self, declared: &Type, class: &ClassName) -> Option<Type> {
        let (Type::Class(declared_class), true) = (declared, self.world.contains(class)) else {
            return None;
        };
        for name in std::iter::once(class.clone()).chain(self.world.superclasses(class)) {
            if name == declared_class.name || self.world.is_subclass(&name, &declared_class.name) != Some(true) {
                return None;
            }
            let raw = Type::Class(ClassType { name: name.clone(), args: Vec::new() });
            if !is_type_accessible(self.world, &self.package, &raw) {
                continue;
            }
            let candidates: Vec<Type> = declared_class
                .args
                .iter()
                .filter_map(|a| match a {
                    TypeArg::Exact(t) | TypeArg::Extends(t) | TypeArg::Super(t) => Some(t.clone()),
                    TypeArg::Any => None,
                })
                .collect();
            // Nothing is known of the arguments of what was declared without any. The object may have another name, with arguments of its own: any promise
            // made here could be broken there.
            let to = if candidates.is_empty() {
                Type::Class(self.with_any(name))
            } else {
                instantiate_as(&self.subtyping, &name, declared_class, &candidates, 3)
                    .into_iter()
                    .map(Type::Class)
                    .find(|t| self.subtyping.fits_checked(t, declared))
                    .unwrap_or(raw)
            };
            return self.subtyping.cast_is_plausible(declared, &to).then_some(to);
        }
        None
    }

    fn below(&self, sub: &ClassName, sup: &ClassName) -> Option<bool> {
        self.world.is_subclass(sub, sup)
    }

    fn constants(&self) -> Vec<Constant> {
        let mut all = Vec::new();
        for class in &self.classes {
            for value in self.world.constants_reachable_from(class, CONSTANT_DEPTH).values() {
                let constant = match value {
                    ConstantValue::Int(n) => Constant::Int(n),
                    ConstantValue::Long(n) => Constant::Long(n),
                    ConstantValue::Float(n) => Constant::Float(n),
                    ConstantValue::Double(n) => Constant::Double(n),
                    ConstantValue::String(units) if units.len() <= 200 => Constant::String(JavaString::new(&units)),
                    ConstantValue::String(_) | ConstantValue::Class(_) => continue,
                };
                if all.len() < MAX_CONSTANTS {
                    all.push(constant);
                }
            }
        }
        all
    }

    fn nameable(&self, class: &ClassName) -> bool {
        testcase::classes::is_accessible(self.world, &self.package, class)
    }

    fn overrides_hash_code(&self, class: &ClassName) -> bool {
        self.world.resolve_method(class, "hashCode", "()I").is_some_and(|m| m.owner().internal() != "java/lang/Object")
    }

    fn makes(&self, class: &ClassName, method: &str, exception: &ClassName) -> bool {
        let (Ok(info), Ok(facts)) = (self.world.class(class), self.world.facts(class)) else {
            return false;
        };
        let mut named = info.methods.iter().zip(&facts.methods).filter(|(m, _)| m.name == method);
        named.any(|(_, f)| f.calls.iter().any(|c| c.name == "<init>" && c.class() == Some(exception)))
    }

    fn machine(&self) -> Option<Machine> {
        Machine::boot(self.world.source(), Limits::default()).ok()
    }

    fn chain(&self) -> Chain {
        self.chains.as_ref().map_or_else(Chain::default, |make| make())
    }

    fn code(&self) -> &[PreparedClass] {
        &self.prepared
    }

    fn world(&self) -> Option<&World> {
        Some(self.world)
    }

    fn changes(&self, operations: &[&Operation]) -> Vec<Vec<bool>> {
        let mut purity = Purity::new(self.world).limited(MOST_ANALYSES);
        operations.iter().map(|operation| self.changed_by(&mut purity, operation)).collect()
    }

    fn problem(&self, sequence: &Sequence, operations: &Operations, limit: usize) -> Option<String> {
        verify(sequence, operations, &self.subtyping, limit).first().map(|p| {
            let operation = sequence.statements().get(p.statement).map(|s| operations.get(s.op));
            format!("{p}: {operation:?}")
        })
    }
}

fn as_member(world: &World, member: MemberRef) -> Member {
    let hidden = is_hidden(world, &member);
    let nullness = nullness::of(world, &member.class, &member.name, &member.descriptor);
    Member {
        nullness,
        hidden,
        class: member.class,
        name: member.name,
        descriptor: member.descriptor,
        throws: member.throws,
        deprecated: member.deprecated,
    }
}

/// Not for everybody to call: what a public class keeps from the public, and how a class makes nested ones that it keeps to itself, with arguments of its own
/// choice.
fn is_hidden(world: &World, member: &MemberRef) -> bool {
    let Ok(class) = world.class(&member.class) else {
        return false;
    };
    let Some(method) = class.method(&member.name, &member.descriptor) else {
        return false;
    };
    if is_kept(world, &class) {
        return &*member.name == "<init>" || method.access.is_static() || !method.access.is_public();
    }
    class.access.is_public() && !method.access.is_public()
}

/// Is it nested, and it or one around it not public?
fn is_kept(world: &World, class: &ClassInfo) -> bool {
    let Some(nesting) = &class.nesting else {
        return false;
    };
    let around = nesting.outer.as_ref().and_then(|o| world.class(o).ok());
    !class.access.is_public() || around.is_some_and(|o| is_kept(world, &o))
}

/// Calls that wait for somebody, or that only the JVM should make.
fn is_noise(member: &MemberRef) -> bool {
    matches!(&*member.name, "wait" | "notify" | "notifyAll" | "finalize" | "getClass" | "main")
        && (member.class.internal() == "java/lang/Object" || &*member.name == "finalize")
}

/// Does this operation only name something that is there already?
fn is_plain(operation: &Operation) -> bool {
    matches!(operation.kind, OperationKind::Constant(_) | OperationKind::ReadField { is_static: true, .. })
}
