//! One line of text, read from left to right. Owns positions and the smallest pieces: words, names, numbers, quotes, types.

use std::sync::Arc;

use bytecode::names::{ClassName, FieldType, Primitive};

use super::{TextProblem, is_descriptor_char, is_name_char};
use crate::sequence::Var;
use crate::types::{ClassType, Type, TypeArg};

pub type Parsed<T> = Result<T, TextProblem>;

/// Types nested deeper than this are refused.
const MAX_DEPTH: usize = 64;

pub struct Line<'t> {
    text: &'t str,
    /// Byte offset, always at a character boundary.
    at: usize,
    number: usize,
}

impl<'t> Line<'t> {
    pub fn new(text: &'t str, number: usize) -> Line<'t> {
        Line { text, at: 0, number }
    }

    pub fn fail<T>(&self, expected: impl Into<String>) -> Parsed<T> {
        let column = self.text[..self.at].chars().count() + 1;
        Err(TextProblem { line: self.number, column, expected: expected.into() })
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub fn skip_space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    pub fn at_end(&mut self) -> bool {
        self.skip_space();
        self.rest().is_empty()
    }

    /// The next character after space, if it is this one.
    pub fn eat(&mut self, c: char) -> bool {
        self.skip_space();
        let found = self.peek() == Some(c);
        if found {
            self.at += c.len_utf8();
        }
        found
    }

    pub fn expect(&mut self, c: char) -> Parsed<()> {
        if self.eat(c) { Ok(()) } else { self.fail(format!("`{c}`")) }
    }

    /// A given word, if it comes next and ends there.
    pub fn eat_word(&mut self, word: &str) -> bool {
        self.skip_space();
        let found = self.rest().strip_prefix(word).is_some_and(|r| !r.starts_with(is_name_char));
        if found {
            self.at += word.len();
        }
        found
    }

    fn run(&mut self, belongs: fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|c| !belongs(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// A word: letters, digits and what numbers are made of.
    pub fn word(&mut self, expected: &str) -> Parsed<&'t str> {
        self.skip_space();
        match self.run(|c| is_name_char(c) || c == '.' || c == '+') {
            "" => self.fail(expected),
            word => Ok(word),
        }
    }

    pub fn number<N: std::str::FromStr>(&mut self, expected: &str) -> Parsed<N> {
        let start = self.at;
        let word = self.word(expected)?;
        word.parse().or_else(|_| {
            self.at = start;
            self.skip_space();
            self.fail(expected)
        })
    }

    pub fn quoted(&mut self) -> Parsed<Vec<u16>> {
        self.expect('"')?;
        let mut units = Vec::new();
        loop {
            let Some(c) = self.peek() else {
                return self.fail("the closing quote");
            };
            self.at += c.len_utf8();
            match c {
                '"' => return Ok(units),
                '\\' => {
                    let escape = self.peek();
                    self.at += escape.map_or(0, char::len_utf8);
                    units.push(match escape {
                        Some('n') => 10,
                        Some('r') => 13,
                        Some('t') => 9,
                        Some('"') => 34,
                        Some('\\') => 92,
                        Some('u') => {
                            let unit = self.rest().get(..4).and_then(|hex| u16::from_str_radix(hex, 16).ok());
                            let Some(unit) = unit else {
                                return self.fail("four hexadecimal digits");
                            };
                            self.at += 4;
                            unit
                        }
                        _ => return self.fail("one of the escapes n r t \" \\ u"),
                    });
                }
                _ => units.extend_from_slice(c.encode_utf16(&mut [0; 2])),
            }
        }
    }

    fn quoted_text(&mut self) -> Parsed<String> {
        let units = self.quoted()?;
        String::from_utf16(&units).or_else(|_| self.fail("a name without lone surrogates"))
    }

    /// A name, bare or quoted.
    pub fn name(&mut self) -> Parsed<String> {
        self.skip_space();
        if self.peek() == Some('"') {
            return self.quoted_text();
        }
        match self.run(is_name_char) {
            "" => self.fail("a name"),
            name => Ok(name.to_owned()),
        }
    }

    pub fn class_name(&mut self) -> Parsed<ClassName> {
        self.name().map(ClassName::new)
    }

    /// `owner.name`
    pub fn member(&mut self) -> Parsed<(ClassName, Arc<str>)> {
        let owner = self.class_name()?;
        self.expect('.')?;
        Ok((owner, Arc::from(self.name()?)))
    }

    pub fn descriptor(&mut self) -> Parsed<Arc<str>> {
        self.skip_space();
        if self.peek() == Some('"') {
            return self.quoted_text().map(Arc::from);
        }
        match self.run(is_descriptor_char) {
            "" => self.fail("a descriptor"),
            d => Ok(Arc::from(d)),
        }
    }

    pub fn field_type(&mut self) -> Parsed<FieldType> {
        let descriptor = self.descriptor()?;
        FieldType::parse(&descriptor).map_or_else(|| self.fail("a field descriptor"), Ok)
    }

    pub fn var(&mut self) -> Parsed<Var> {
        self.eat_var()?.map_or_else(|| self.fail("a value such as v0"), Ok)
    }

    /// `v12`, if one comes next.
    pub fn eat_var(&mut self) -> Parsed<Option<Var>> {
        self.skip_space();
        let Some(digits) = self.rest().strip_prefix('v').filter(|r| r.starts_with(|c: char| c.is_ascii_digit())) else {
            return Ok(None);
        };
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let Ok(number) = digits[..end].parse() else {
            return self.fail("a value number below 65536");
        };
        self.at += 1 + end;
        Ok(Some(Var(number)))
    }

    pub fn vars(&mut self) -> Parsed<Vec<Var>> {
        let mut vars = Vec::new();
        while let Some(var) = self.eat_var()? {
            vars.push(var);
        }
        Ok(vars)
    }

    pub fn type_(&mut self) -> Parsed<Type> {
        self.type_at(0)
    }

    fn type_at(&mut self, depth: usize) -> Parsed<Type> {
        if depth > MAX_DEPTH {
            return self.fail("a type that is not nested so deeply");
        }
        self.skip_space();
        let bare = self.peek() != Some('"');
        let name = self.name()?;
        let keyword = bare.then(|| Primitive::ALL.into_iter().find(|p| p.keyword() == name)).flatten();
        let mut t = match keyword {
            Some(p) => Type::Primitive(p),
            None if bare && name == "void" => return Ok(Type::Void),
            None => Type::Class(ClassType { name: ClassName::new(name), args: self.type_args(depth)? }),
        };
        let mut dimensions = 0;
        while self.rest().starts_with("[]") {
            self.at += 2;
            t = Type::array(t);
            dimensions += 1;
            if dimensions > 255 {
                return self.fail("at most 255 dimensions");
            }
        }
        Ok(t)
    }

    fn type_args(&mut self, depth: usize) -> Parsed<Vec<TypeArg>> {
        let mut args = Vec::new();
        if self.peek() != Some('<') {
            return Ok(args);
        }
        self.at += 1;
        loop {
            args.push(if !self.eat('?') {
                TypeArg::Exact(self.type_at(depth + 1)?)
            } else if self.eat_word("extends") {
                TypeArg::Extends(self.type_at(depth + 1)?)
            } else if self.eat_word("super") {
                TypeArg::Super(self.type_at(depth + 1)?)
            } else {
                TypeArg::Any
            });
            if self.eat('>') {
                return Ok(args);
            }
            self.expect(',')?;
        }
    }
}
