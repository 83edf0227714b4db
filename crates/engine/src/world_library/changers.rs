//! Calls that make something else of an argument: what fills, sets or adds to an object of a class that is not under test, or gives a changed copy of it. Owns which are worth a try, by their
//! names and what they give; whether they change anything is seen when they run.

use std::sync::Arc;

use testcase::members::{MemberOptions, operations_of};
use testcase::operation::{Operation, OperationKind};
use testcase::types::{ClassType, Type};
use testcase::verify::verify_operation;

use super::{WorldLibrary, as_member};
use crate::constants::Kind;
use crate::library::{Library, Offer};

/// Operations offered per type, and of these with one name.
const ENOUGH: usize = 32;
const ALIKE: usize = 3;
/// More arguments than this are rather for those who make objects.
const MOST_PARAMS: usize = 4;

/// How names of calls begin that change an object although they answer something else.
const FILLING: [&str; 9] = ["add", "append", "insert", "offer", "push", "put", "register", "set", "with"];
/// Calls without a result that end an object's life, wait, or go somewhere else.
const ENDING: [&str; 14] = [
    "close", "dispose", "exit", "finalize", "flush", "join", "notify", "print", "run", "shutdown", "start", "stop",
    "wait", "write",
];

pub fn find(library: &WorldLibrary<'_>, wanted: &Type) -> Vec<Offer> {
    let Type::Class(class) = wanted else {
        return Vec::new();
    };
    if !is_suitable(library, class) {
        return Vec::new();
    }
    let candidates = library.candidates.iter().take(3).cloned().collect();
    let options = MemberOptions {
        candidates,
        method_choices: 1,
        constructors: false,
        fields: false,
        statics: false,
        ..MemberOptions::default()
    };
    let mut found: Vec<Offer> = Vec::new();
    for (operation, member) in operations_of(&library.subtyping, class, &library.package, &options) {
        let OperationKind::Call { is_static: false, name, .. } = &operation.kind else { continue };
        if is_changing(library, name, &operation, wanted)
            && !member.deprecated
            && operation.params.len() <= MOST_PARAMS
            && verify_operation(&operation, &library.subtyping).is_ok()
        {
            let member = Some(as_member(library.world, member));
            found.push(Offer { operation, member, hints: Vec::new(), also: Vec::new() });
        }
    }
    // Of one name those first whose arguments are literals: others may be hard to come by.
    found.sort_by_key(|o| (o.operation.params.len(), o.operation.params[1..].iter().any(|p| !is_literal(p))));
    let mut names: Vec<Arc<str>> = Vec::new();
    found.retain(|o| {
        let Some(name) = o.member.as_ref().map(|m| m.name.clone()) else { return false };
        names.push(name.clone());
        names.iter().filter(|n| **n == name).count() <= ALIKE
    });
    found.truncate(ENOUGH);
    found
}

/// Numbers, texts, and arrays of these.
fn is_literal(ty: &Type) -> bool {
    match ty {
        Type::Array(element) => is_literal(element),
        _ => !ty.is_reference() || *ty == Type::string() || Kind::all().any(|kind| kind.boxed() == *ty),
    }
}

/// Classes under test have their calls tried anyway; of the JDK's only containers and the like are filled.
fn is_suitable(library: &WorldLibrary<'_>, class: &ClassType) -> bool {
    if library.classes.contains(&class.name) {
        return false;
    }
    let name = class.name.internal();
    library.world.is_application(&class.name)
        || class.name.package() == "java/util"
        || class.name.package() == "java/util/concurrent/atomic"
        || matches!(name, "java/lang/StringBuilder" | "java/lang/StringBuffer")
}

fn is_changing(library: &WorldLibrary<'_>, name: &str, operation: &Operation, wanted: &Type) -> bool {
    let begins = |words: &[&str]| words.iter().any(|w| name.starts_with(w));
    match &operation.result {
        Type::Void => !begins(&ENDING),
        result => begins(&FILLING) || (result.is_reference() && library.fits(result, wanted) && !begins(&ENDING)),
    }
}
