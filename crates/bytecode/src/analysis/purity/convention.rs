//! What methods do that any class may implement, if all implementations keep to the documentation. Owns the list; a
//! verdict that relies on it says so.

use crate::analysis::callees::Call;
use crate::analysis::targets::is_question;

/// What a call does by convention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Convention {
    /// Changes nothing and gives no object.
    Question,
    /// Changes nothing and gives something reachable from the receiver.
    Part,
    /// Changes nothing and gives a new object that refers to the receiver.
    View,
    /// Advances the receiver, and gives something reachable from it.
    Advance,
}

pub(super) fn of(call: &Call) -> Option<Convention> {
    use Convention::{Advance, Part, Question, View};
    if is_question(&call.name, &call.descriptor) {
        return Some(Question);
    }
    let owner = call.class()?.internal();
    match (owner, call.name.as_str()) {
        ("java/lang/CharSequence", "length" | "charAt" | "isEmpty") => Some(Question),
        ("java/lang/CharSequence", "subSequence") => Some(View),
        ("java/lang/Number", "intValue" | "longValue" | "floatValue" | "doubleValue" | "byteValue" | "shortValue") => {
            Some(Question)
        }
        ("java/util/Iterator" | "java/util/ListIterator" | "java/util/Enumeration", name) => match name {
            "hasNext" | "hasPrevious" | "nextIndex" | "previousIndex" | "hasMoreElements" => Some(Question),
            "next" | "previous" | "nextElement" => Some(Advance),
            _ => None,
        },
        ("java/util/Map$Entry", "getKey" | "getValue") => Some(Part),
        _ if is_collection(owner) => match call.name.as_str() {
            "size" | "isEmpty" | "contains" | "containsAll" | "containsKey" | "containsValue" | "indexOf"
            | "lastIndexOf" => Some(Question),
            "get" | "getOrDefault" | "first" | "last" | "firstKey" | "lastKey" | "getFirst" | "getLast" | "peek"
            | "peekFirst" | "peekLast" | "comparator" => Some(Part),
            "toArray" if call.descriptor == "()[Ljava/lang/Object;" => Some(View),
            "iterator" | "listIterator" | "descendingIterator" | "entrySet" | "keySet" | "values" | "subList"
            | "headSet" | "tailSet" | "subSet" | "headMap" | "tailMap" | "subMap" => Some(View),
            _ => None,
        },
        _ => None,
    }
}

/// The interfaces of collections, and the classes that leave most to subclasses.
fn is_collection(owner: &str) -> bool {
    let Some(simple) = owner.strip_prefix("java/util/") else { return owner == "java/lang/Iterable" };
    matches!(
        simple,
        "Collection"
            | "List"
            | "Set"
            | "SortedSet"
            | "NavigableSet"
            | "Queue"
            | "Deque"
            | "Map"
            | "SortedMap"
            | "NavigableMap"
            | "SequencedCollection"
            | "SequencedSet"
            | "SequencedMap"
            | "AbstractCollection"
            | "AbstractList"
            | "AbstractSet"
            | "AbstractMap"
    )
}
