//! Which classes a compiled class speaks of, in whatever way: code, signatures, annotations, names in strings. Owns this question only; says too much
//! rather than too little.

use std::collections::BTreeSet;

use bytecode::names::ClassName;
use bytecode::raw::{Constant, RawClass};

/// Those of `known` that the class file mentions, itself aside. What cannot be read mentions all.
pub fn mentions(bytes: &[u8], known: &BTreeSet<ClassName>) -> BTreeSet<ClassName> {
    let Ok(class) = RawClass::parse(bytes) else {
        return known.clone();
    };
    let own = class.name().lossy().into_owned();
    let mut found = BTreeSet::new();
    for (_, constant) in class.pool.iter() {
        let Constant::Utf8(text) = constant else {
            continue;
        };
        let text = text.lossy();
        for word in text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '/' | '.' | '$' | '_'))) {
            // In a descriptor the name stands behind an L, and other types may stand before that.
            let behind = word.match_indices('L').map(|(at, _)| &word[at + 1..]);
            for candidate in std::iter::once(word).chain(behind) {
                // Names in strings have dots.
                let name = ClassName::new(candidate.replace('.', "/"));
                if known.contains(&name) && name.internal() != own {
                    found.insert(name);
                }
            }
        }
    }
    found
}
