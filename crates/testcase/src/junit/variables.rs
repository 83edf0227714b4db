//! Names of local variables: from the type and the role of a value, never a keyword, never twice. Owns choosing; knows no layout.

use std::collections::BTreeSet;

use crate::operation::{Operation, OperationKind};
use crate::types::Type;

const KEYWORDS: &str = " abstract assert boolean break byte case catch char class const continue default do double else enum extends \
false final finally float for goto if implements import instanceof int interface long native new null package private protected public \
return short static strictfp super switch synchronized this throw throws transient true try void volatile while _ var yield record sealed \
permits when ";

/// Parameters of lambdas; no variable is called so.
pub const LAMBDA_PARAMETERS: [&str; 6] = ["x", "y", "z", "u", "v", "w"];

/// Other names the writer uses itself.
const RESERVED: [&str; 5] = ["thrown", "value", "seen", "most", "iterator"];

pub fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&format!(" {word} "))
}

/// Whether Java accepts it as a name. Contextual keywords are accepted: they are names of members everywhere.
pub fn is_identifier(word: &str) -> bool {
    const CONTEXTUAL: [&str; 6] = ["var", "yield", "record", "sealed", "permits", "when"];
    let mut chars = word.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || c == '_' || c == '$')
        && chars.all(|c| c.is_alphanumeric() || c == '_' || c == '$')
        && (!is_keyword(word) || CONTEXTUAL.contains(&word))
}

/// Names in use in one method.
#[derive(Debug, Default)]
pub struct Names {
    used: BTreeSet<String>,
}

impl Names {
    /// Makes a name unavailable.
    pub fn reserve(&mut self, name: &str) {
        self.used.insert(name.to_owned());
    }

    /// The wish, or the wish with the first number from 2 that makes it new.
    pub fn take(&mut self, wish: &str) -> String {
        let free = |n: &str| {
            !self.used.contains(n) && !is_keyword(n) && !LAMBDA_PARAMETERS.contains(&n) && !RESERVED.contains(&n)
        };
        let mut name = wish.to_owned();
        let mut number = 2;
        while !free(&name) {
            name = format!("{wish}{number}");
            number += 1;
        }
        self.used.insert(name.clone());
        name
    }
}

/// What a value would like to be called. `parameter`: the name of the parameter it is used for, if known.
pub fn wish(operation: &Operation, parameter: Option<&str>) -> String {
    let from_type = type_word(&operation.result);
    let plain = matches!(operation.result, Type::Primitive(_))
        || operation.result.class_name().is_some_and(|n| n.package() == "java/lang" && from_type != "builder");
    let parameter = parameter.filter(|p| p.len() > 2 && is_word(p) && !p.starts_with("arg"));
    let wish = match (&operation.kind, parameter) {
        (OperationKind::Call { name, .. }, _) if plain => property(name).unwrap_or_else(|| "result".to_owned()),
        (OperationKind::ReadField { name, .. }, _) if is_word(name) => camel(name),
        (OperationKind::LoadElement { .. }, _) if plain => "item".to_owned(),
        (OperationKind::Lambda(_) | OperationKind::ArrayLiteral { .. } | OperationKind::NewArray { .. }, Some(p)) => {
            camel(p)
        }
        (OperationKind::Constant(_), Some(p)) => camel(p),
        _ => from_type,
    };
    if is_word(&wish) { wish } else { "value".to_owned() }
}

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(|c| c.is_ascii_alphanumeric())
}

/// `getName` → `name`, `size` → `size`, `isEmpty` → `empty`.
fn property(method: &str) -> Option<String> {
    for prefix in ["get", "is", "has", "to"] {
        if let Some(rest) = method.strip_prefix(prefix).filter(|r| r.starts_with(|c: char| c.is_ascii_uppercase())) {
            return Some(camel(rest));
        }
    }
    let noun = matches!(
        method,
        "size" | "length" | "count" | "name" | "ordinal" | "sum" | "max" | "min" | "hashCode" | "first" | "last"
    );
    noun.then(|| method.to_owned())
}

/// First letter small, and all of an abbreviation: `URL` becomes `url`, `URLPath` `urlPath`.
pub fn camel(word: &str) -> String {
    let capitals = word.bytes().take_while(|c| c.is_ascii_uppercase() || c.is_ascii_digit()).count();
    // The last capital of several begins the next word.
    let small = if capitals == word.len() { capitals } else { capitals.saturating_sub(1).max(1) };
    let (first, rest) = word.split_at_checked(small).unwrap_or((word, ""));
    first.to_ascii_lowercase() + rest
}

/// The last word of a type's name: `IntStack` → `stack`, `int[]` → `ints`, `Map.Entry` → `entry`.
fn type_word(t: &Type) -> String {
    match t {
        Type::Void => "value".to_owned(),
        Type::Primitive(p) => p.keyword().chars().take(1).collect::<String>() + "Value",
        Type::Array(e) => match &**e {
            Type::Primitive(p) => format!("{}s", p.keyword()),
            other => {
                let word = type_word(other);
                if word.ends_with('s') { word } else { format!("{word}s") }
            }
        },
        Type::Class(c) => {
            let simple = c.name.simple_binary().rsplit('$').next().unwrap_or_default();
            let last = last_word(simple);
            // A short last word (`BiFunction2`, `PointXY`) says less than the whole name.
            camel(if last.len() >= 3 { last } else { simple })
        }
    }
}

fn last_word(simple: &str) -> &str {
    let bytes = simple.as_bytes();
    let is_small = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_lowercase);
    let starts = |i: usize| bytes[i].is_ascii_uppercase() && (is_small(i - 1) || is_small(i + 1));
    let start = (1..bytes.len()).rev().find(|&i| starts(i)).unwrap_or(0);
    simple.get(start..).unwrap_or(simple)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_types() {
        for (class, word) in [
            ("demo/IntStack", "stack"),
            ("java/util/ArrayList", "list"),
            ("java/util/Map$Entry", "entry"),
            ("java/net/URL", "url"),
            ("demo/PointXY", "pointXY"),
            ("demo/XYPoint", "point"),
            ("demo/CSVOf", "csvOf"),
            ("demo/Rat", "rat"),
        ] {
            assert_eq!(type_word(&Type::class(class)), word);
        }
        assert_eq!(type_word(&Type::array(Type::string())), "strings");
        assert_eq!(type_word(&Type::array(Type::Primitive(bytecode::names::Primitive::Int))), "ints");
    }

    #[test]
    fn names_are_new_and_no_keywords() {
        let mut names = Names::default();
        let taken: Vec<String> =
            ["list", "list", "class", "list", "x", "thrown"].iter().map(|w| names.take(w)).collect();
        assert_eq!(taken, ["list", "list2", "class2", "list3", "x2", "thrown2"]);
    }

    #[test]
    fn abbreviations_become_small_as_a_whole() {
        for (word, expected) in [
            ("Name", "name"),
            ("URL", "url"),
            ("URLPath", "urlPath"),
            ("X", "x"),
            ("UTF8", "utf8"),
            ("ABean", "aBean"),
            ("größe", "größe"),
            ("", ""),
        ] {
            assert_eq!(camel(word), expected);
        }
    }

    #[test]
    fn properties() {
        assert_eq!(property("getName").as_deref(), Some("name"));
        assert_eq!(property("get"), None);
        assert_eq!(property("issue"), None);
        assert_eq!(property("size").as_deref(), Some("size"));
    }
}
