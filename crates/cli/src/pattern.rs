//! Class-name patterns of the command line. Owns their syntax and matching; never looks at files.

use std::fmt;

/// What a TARGET that is no file means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// `com.acme.Foo`, `com.acme.Foo$Bar` or `com.acme.Foo.Bar`.
    Class(String),
    /// `com.acme.*`: classes of that package.
    Package(String),
    /// `com.acme.**`: classes of that package and all below it. Empty: everything.
    Tree(String),
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pattern::Class(name) => f.write_str(name),
            Pattern::Package(name) if name.is_empty() => f.write_str("*"),
            Pattern::Package(name) => write!(f, "{name}.*"),
            Pattern::Tree(name) if name.is_empty() => f.write_str("**"),
            Pattern::Tree(name) => write!(f, "{name}.**"),
        }
    }
}

impl Pattern {
    pub fn parse(text: &str) -> Result<Pattern, String> {
        let text = text.strip_suffix(".class").unwrap_or(text).replace('/', ".");
        let pattern = if let Some(package) = text.strip_suffix(".**") {
            Pattern::Tree(package.to_string())
        } else if let Some(package) = text.strip_suffix(".*") {
            Pattern::Package(package.to_string())
        } else {
            match text.as_str() {
                "**" => return Ok(Pattern::Tree(String::new())),
                "*" => return Ok(Pattern::Package(String::new())),
                _ => Pattern::Class(text.clone()),
            }
        };
        let (Pattern::Class(name) | Pattern::Package(name) | Pattern::Tree(name)) = &pattern;
        if name.split('.').any(|part| part.is_empty() || part.contains(['*', '?', ' ', '\\', ';', '['])) {
            return Err(format!(
                "`{text}` is neither a file nor a class name nor a pattern; write com.acme.Foo, com.acme.* or com.acme.**"
            ));
        }
        Ok(pattern)
    }

    /// Does it match a class by its binary name (`com.acme.Foo$Bar`)? `Class` patterns also match with dots for nested classes.
    pub fn matches(&self, binary: &str) -> bool {
        match self {
            Pattern::Class(name) => name == binary || (binary.contains('$') && *name == binary.replace('$', ".")),
            Pattern::Package(package) => binary.rsplit_once('.').map_or("", |(p, _)| p) == package,
            Pattern::Tree(package) => {
                package.is_empty() || binary.strip_prefix(package.as_str()).is_some_and(|rest| rest.starts_with('.'))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &str, name: &str, expected: bool) {
        assert_eq!(Pattern::parse(pattern).unwrap().matches(name), expected, "{pattern} on {name}");
    }

    #[test]
    fn patterns_match_names() {
        check("com.acme.Foo", "com.acme.Foo", true);
        check("com/acme/Foo.class", "com.acme.Foo", true);
        check("com.acme.Foo", "com.acme.Foo$Bar", false);
        check("com.acme.Foo$Bar", "com.acme.Foo$Bar", true);
        check("com.acme.Foo.Bar", "com.acme.Foo$Bar", true);
        check("com.acme.*", "com.acme.Foo", true);
        check("com.acme.*", "com.acme.sub.Foo", false);
        check("com.acme.**", "com.acme.sub.Foo", true);
        check("com.acme.**", "com.acmeless.Foo", false);
        check("**", "Foo", true);
        check("*", "Foo", true);
        check("*", "a.Foo", false);
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "a..b", "a.*.b", "*Foo", "a b", "[I", ".**"] {
            assert!(Pattern::parse(text).is_err(), "{text}");
        }
    }
}
