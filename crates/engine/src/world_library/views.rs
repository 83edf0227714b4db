//! Classes under test that no test can name, such as the iterators and views a collection hands out: they are called through the types they are declared
//! as. Owns finding those types.

use std::sync::Arc;

use bytecode::names::ClassName;
use testcase::classes::is_accessible;
use testcase::members::{MemberOptions, operations_of};
use testcase::types::ClassType;

use super::{WorldLibrary, as_member, is_noise};
use crate::library::Offer;

/// A view of a view of a view is as far as it goes.
const ROUNDS: usize = 3;

/// Adds the operations of every type that hides a class under test behind a result of what is offered already.
pub fn add(library: &WorldLibrary<'_>, offers: &mut Vec<Offer>) {
    let world = library.world;
    let hidden: Vec<&ClassName> =
        library.classes.iter().filter(|c| !is_accessible(world, &library.package, c)).collect();
    let mut looked: Vec<ClassName> = Vec::new();
    for _ in 0..ROUNDS {
        let mut found: Vec<ClassName> = Vec::new();
        for name in offers.iter().filter_map(|o| o.operation.result.class_name()) {
            let known = library.classes.contains(name) || looked.contains(name) || found.contains(name);
            let hides = || hidden.iter().any(|h| world.is_subclass(h, name) == Some(true));
            if !known && name.internal() != "java/lang/Object" && hides() {
                found.push(name.clone());
            }
        }
        if found.is_empty() {
            return;
        }
        for name in found {
            // Raw: whatever type arguments the view was declared with, it fits.
            let view = ClassType { name: name.clone(), args: Vec::new() };
            let options =
                MemberOptions { constructors: false, statics: false, fields: false, ..MemberOptions::default() };
            for (operation, member) in operations_of(&library.subtyping, &view, &library.package, &options) {
                if !operation.has_receiver() || is_noise(&member) {
                    continue;
                }
                let also = leads_to(library, &hidden, &name, &member.name, &member.descriptor);
                if !also.is_empty() {
                    offers.push(Offer {
                        operation,
                        member: Some(as_member(library.world, member)),
                        hints: Vec::new(),
                        also,
                    });
                }
            }
            looked.push(name);
        }
    }
}

/// The methods under test that run when `name` is called on a hidden class seen as `view`.
fn leads_to(
    library: &WorldLibrary<'_>,
    hidden: &[&ClassName],
    view: &ClassName,
    name: &str,
    descriptor: &str,
) -> Vec<(ClassName, Arc<str>, Arc<str>)> {
    let mut methods = Vec::new();
    for class in hidden.iter().filter(|h| library.world.is_subclass(h, view) == Some(true)) {
        let Some(found) = library.world.resolve_method(class, name, descriptor) else {
            continue;
        };
        // A bridge leads to the method of the same name and number of parameters that was written.
        let params = found.info().descriptor.params.len();
        let written = found
            .class
            .methods
            .iter()
            .find(|m| m.name == name && !m.is_bridge() && m.descriptor.params.len() == params);
        let method = written.unwrap_or(found.info());
        let key = (found.owner().clone(), Arc::from(&*method.name), Arc::from(&*method.raw_descriptor));
        if library.classes.contains(&key.0) && !methods.contains(&key) {
            methods.push(key);
        }
    }
    methods
}
