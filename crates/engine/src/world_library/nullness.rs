//! What annotations, and checks that a compiler put at a method's entry, say of null as an argument. Owns which annotations mean what; any package may define
//! them, so their simple names decide.

use bytecode::class_info::{Annotation, ClassInfo};
use bytecode::names::{ClassName, FieldType};
use bytecode::world::World;

use super::guards;
use crate::library::Nullness;

/// Per parameter of the descriptor; empty if nothing is said of any.
pub fn of(world: &World, class: &ClassName, method: &str, descriptor: &str) -> Vec<Nullness> {
    let Ok(info) = world.class(class) else {
        return Vec::new();
    };
    let Some(at) = info.methods.iter().position(|m| m.name == method && m.raw_descriptor == descriptor) else {
        return Vec::new();
    };
    let method = &info.methods[at];
    let refused = guards::of(world, class, at, &method.descriptor.params, method.access.is_static());
    let usual = if all_forbid(world, &info) { Nullness::Forbidden } else { Nullness::Unknown };
    let said: Vec<Nullness> = method
        .descriptor
        .params
        .iter()
        .enumerate()
        .map(|(i, param)| match param {
            FieldType::Primitive(_) => Nullness::Unknown,
            _ if refused.get(i) == Some(&true) => Nullness::Forbidden,
            _ => method.param_annotations.get(i).and_then(|list| list.iter().find_map(meaning)).unwrap_or(usual),
        })
        .collect();
    if said.iter().all(|n| *n == Nullness::Unknown) { Vec::new() } else { said }
}

fn meaning(annotation: &Annotation) -> Option<Nullness> {
    match simple(annotation) {
        "Nullable" | "CheckForNull" | "NullableDecl" | "PossiblyNull" => Some(Nullness::Welcome),
        "NonNull" | "NotNull" | "Nonnull" | "NonNullDecl" => Some(Nullness::Forbidden),
        _ => None,
    }
}

/// Is null forbidden wherever nothing else is said? The class or one it is nested in may say so.
fn all_forbid(world: &World, info: &ClassInfo) -> bool {
    let says = |info: &ClassInfo| {
        let marks = ["NullMarked", "NonNullApi", "ParametersAreNonnullByDefault", "NonNullByDefault"];
        info.annotations.iter().any(|a| marks.contains(&simple(a)))
    };
    let outer = info.nesting.as_ref().and_then(|n| n.outer.as_ref());
    says(info) || outer.and_then(|o| world.class(o).ok()).is_some_and(|o| says(&o))
}

fn simple(annotation: &Annotation) -> &str {
    annotation.class.simple_binary().rsplit('$').next().unwrap_or_default()
}
