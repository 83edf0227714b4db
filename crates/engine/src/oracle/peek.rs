//! Calls of the JDK that show what is in a container which a test made or got: `Collection.toArray()` and the like.
//! Owns which of them there are; never decides whether what they show is worth an assertion.

use bytecode::names::ClassName;
use testcase::operation::{Operation, OperationKind};
use testcase::types::Type;

use crate::catalog::{Catalog, Role};
use crate::library::Library;
use crate::search::Search;
use testcase::operation::OpId;
use testcase::sequence::Var;

/// Class, method and whether the class is an interface. None of these change the object, and none has parameters.
const PEEKS: &[(&str, &str, bool)] = &[
    ("java/util/Collection", "toArray", true),
    ("java/lang/StringBuilder", "toString", false),
    ("java/lang/StringBuffer", "toString", false),
];

/// The operations for types that the target takes or gives. Others are not needed, so they do not enter the catalogue.
pub(crate) fn prepare(catalog: &mut Catalog, library: &dyn Library, targets: &[OpId]) -> Vec<OpId> {
    let mut types: Vec<Type> = Vec::new();
    for op in targets {
        let operation = catalog.operation(*op);
        for ty in operation.params.iter().chain([&operation.result]).filter(|ty| ty.class_name().is_some()) {
            if !types.contains(ty) {
                types.push(ty.clone());
            }
        }
    }
    let is_met = |owner: &str| {
        let owner = ClassName::new(owner);
        types.iter().filter_map(Type::class_name).any(|class| library.is_subclass(class, &owner))
    };
    let wanted = PEEKS.iter().filter(|(owner, ..)| is_met(owner));
    wanted
        .map(|(owner, name, is_interface)| catalog.add(library, peek(owner, name, *is_interface), Role::Feed))
        .collect()
}

fn peek(owner: &str, name: &str, owner_is_interface: bool) -> Operation {
    let (result, returned) = match name {
        "toArray" => (Type::array(Type::object()), "[Ljava/lang/Object;"),
        _ => (Type::string(), "Ljava/lang/String;"),
    };
    Operation {
        kind: OperationKind::Call {
            owner: ClassName::new(owner),
            name: name.into(),
            descriptor: format!("(){returned}").into(),
            is_static: false,
            owner_is_interface,
            varargs: false,
        },
        params: vec![Type::class(owner)],
        result,
    }
}

/// What shows the contents of this variable.
pub(crate) fn of(search: &Search<'_>, op: OpId, var: Var) -> Option<(OpId, Var)> {
    let facts = search.catalog.facts(op);
    let is_object = !facts.null && matches!(search.catalog.ty(facts.result), Type::Class(_));
    let shows = |peek: &&OpId| search.catalog.fits(facts.result, search.catalog.facts(**peek).params[0]);
    let peek = search.peeks.iter().find(shows).filter(|_| is_object)?;
    Some((*peek, var))
}
