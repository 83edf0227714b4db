//! Parser of generic signatures (JVMS 4.7.9.1). Owns the grammar; hostile text gives a problem, never deep recursion.

use super::{ArgSig, ClassSignature, MethodSignature, TypeParam, TypeSig};
use crate::names::{ClassName, Primitive};

/// Type arguments within type arguments go no deeper than this; javac itself gives up far earlier.
const MAX_DEPTH: usize = 200;

/// A signature that does not follow the grammar.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("signature malformed at character {at}: expected {expected}")]
pub struct SignatureProblem {
    /// Byte offset in the signature.
    pub at: usize,
    pub expected: &'static str,
}

impl ClassSignature {
    pub fn parse(text: &str) -> Result<ClassSignature, SignatureProblem> {
        let mut parser = Parser::new(text);
        let type_params = parser.type_params()?;
        let superclass = parser.class_type()?;
        let mut interfaces = Vec::new();
        while !parser.at_end() {
            interfaces.push(parser.class_type()?);
        }
        Ok(ClassSignature { type_params, superclass, interfaces })
    }
}

impl MethodSignature {
    pub fn parse(text: &str) -> Result<MethodSignature, SignatureProblem> {
        let mut parser = Parser::new(text);
        let type_params = parser.type_params()?;
        parser.expect(b'(', "`(`")?;
        let mut params = Vec::new();
        while !parser.eat(b')') {
            params.push(parser.any_type()?);
        }
        let result = if parser.eat(b'V') { None } else { Some(parser.any_type()?) };
        let mut throws = Vec::new();
        while parser.eat(b'^') {
            throws.push(parser.reference_type()?);
        }
        parser.end()?;
        Ok(MethodSignature { type_params, params, result, throws })
    }
}

impl TypeSig {
    /// A field's signature, or a record component's.
    pub fn parse(text: &str) -> Result<TypeSig, SignatureProblem> {
        let mut parser = Parser::new(text);
        let field_type = parser.any_type()?;
        parser.end()?;
        Ok(field_type)
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Parser<'a> {
        Parser { text, at: 0, depth: 0 }
    }

    fn problem<T>(&self, expected: &'static str) -> Result<T, SignatureProblem> {
        Err(SignatureProblem { at: self.at, expected })
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn at_end(&self) -> bool {
        self.at == self.text.len()
    }

    fn end(&self) -> Result<(), SignatureProblem> {
        if self.at_end() { Ok(()) } else { self.problem("the end") }
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, byte: u8, expected: &'static str) -> Result<(), SignatureProblem> {
        if self.eat(byte) { Ok(()) } else { self.problem(expected) }
    }

    /// Text up to the next character that ends a name. Slashes are part of a package and class name, not of an
    /// identifier.
    fn name(&mut self, slashes: bool) -> Result<&'a str, SignatureProblem> {
        let rest = &self.text[self.at..];
        let length = rest
            .bytes()
            .position(|b| matches!(b, b'.' | b';' | b'[' | b'<' | b'>' | b':') || (b == b'/' && !slashes))
            .unwrap_or(rest.len());
        if length == 0 {
            return self.problem("a name");
        }
        self.at += length;
        // Both ends are ASCII characters or the end of the text, so the cut is at character boundaries.
        Ok(&rest[..length])
    }

    fn type_params(&mut self) -> Result<Vec<TypeParam>, SignatureProblem> {
        let mut params = Vec::new();
        if !self.eat(b'<') {
            return Ok(params);
        }
        loop {
            let name = self.name(false)?.to_owned();
            self.expect(b':', "`:`")?;
            let mut bounds = Vec::new();
            // The class bound may be left out before interface bounds (`T::Ljava/lang/Runnable;`) or altogether.
            if !matches!(self.peek(), Some(b':' | b'>')) && self.starts_reference() {
                bounds.push(self.reference_type()?);
            }
            while self.eat(b':') {
                bounds.push(self.reference_type()?);
            }
            if bounds.is_empty() {
                bounds.push(object());
            }
            params.push(TypeParam { name, bounds });
            if self.eat(b'>') {
                return Ok(params);
            }
        }
    }

    /// Whether a type starts here rather than the next type parameter. `L`, `T` and `[` could start a parameter's name
    /// too; a name is followed by `:` before anything else, a type is not.
    fn starts_reference(&self) -> bool {
        if self.peek() == Some(b'[') {
            return true;
        }
        if !matches!(self.peek(), Some(b'L' | b'T')) {
            return false;
        }
        let rest = &self.text.as_bytes()[self.at..];
        let stop = rest.iter().find(|b| matches!(b, b':' | b';' | b'<' | b'>'));
        stop != Some(&b':')
    }

    fn any_type(&mut self) -> Result<TypeSig, SignatureProblem> {
        let mut dimensions = 0;
        while self.eat(b'[') {
            dimensions += 1;
            if dimensions > 255 {
                return self.problem("at most 255 dimensions");
            }
        }
        let primitive = self.peek().and_then(|b| Primitive::from_descriptor(char::from(b)));
        let mut result = match (self.peek(), primitive) {
            (_, Some(primitive)) => {
                self.at += 1;
                TypeSig::Primitive(primitive)
            }
            (Some(b'T'), _) => {
                self.at += 1;
                let name = self.name(false)?.to_owned();
                self.expect(b';', "`;`")?;
                TypeSig::Variable(name)
            }
            (Some(b'L'), _) => self.class_type()?,
            _ => return self.problem("a type"),
        };
        for _ in 0..dimensions {
            result = TypeSig::Array(Box::new(result));
        }
        Ok(result)
    }

    fn reference_type(&mut self) -> Result<TypeSig, SignatureProblem> {
        if matches!(self.peek(), Some(b'L' | b'T' | b'[')) { self.any_type() } else { self.problem("a reference type") }
    }

    fn class_type(&mut self) -> Result<TypeSig, SignatureProblem> {
        self.expect(b'L', "a class type")?;
        let first = self.name(true)?;
        let mut args = self.args()?;
        if self.eat(b';') {
            return Ok(TypeSig::Class { name: ClassName::new(first), args, outer_args: Vec::new() });
        }
        let mut name = first.to_owned();
        let mut outer_args = Vec::new();
        while self.eat(b'.') {
            outer_args.append(&mut args);
            name.push('$');
            name.push_str(self.name(false)?);
            args = self.args()?;
        }
        self.expect(b';', "`;`")?;
        Ok(TypeSig::Class { name: ClassName::new(name), args, outer_args })
    }

    fn args(&mut self) -> Result<Vec<ArgSig>, SignatureProblem> {
        let mut args = Vec::new();
        if !self.eat(b'<') {
            return Ok(args);
        }
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.problem("less nesting");
        }
        loop {
            args.push(if self.eat(b'*') {
                ArgSig::Any
            } else if self.eat(b'+') {
                ArgSig::Extends(self.reference_type()?)
            } else if self.eat(b'-') {
                ArgSig::Super(self.reference_type()?)
            } else {
                ArgSig::Exact(self.reference_type()?)
            });
            if self.eat(b'>') {
                self.depth -= 1;
                return Ok(args);
            }
        }
    }
}

fn object() -> TypeSig {
    TypeSig::Class { name: ClassName::new("java/lang/Object"), args: Vec::new(), outer_args: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check<T: std::fmt::Debug>(parsed: Result<T, SignatureProblem>, expected: &str) {
        let shown = match parsed {
            Ok(tree) => format!("{tree:?}"),
            Err(problem) => problem.to_string(),
        };
        assert_eq!(shown.replace("Class { name: ", "C{").replace(", outer_args: []", ""), expected);
    }

    #[test]
    fn types() {
        check(TypeSig::parse("I"), "Primitive(Int)");
        check(TypeSig::parse("[[TT;"), "Array(Array(Variable(\"T\")))");
        check(
            TypeSig::parse("Ljava/util/Map<Ljava/lang/String;+[I>;"),
            "C{java/util/Map, args: [Exact(C{java/lang/String, args: [] }), Extends(Array(Primitive(Int)))] }",
        );
        check(
            TypeSig::parse("La/Outer<TA;>.Inner<*-TB;>.Last;"),
            "C{a/Outer$Inner$Last, args: [], outer_args: [Exact(Variable(\"A\")), Any, Super(Variable(\"B\"))] }",
        );
    }

    #[test]
    fn classes() {
        check(
            ClassSignature::parse("<T:Ljava/lang/Object;L::Ljava/lang/Runnable;U:TT;>Ljava/lang/Object;La/I<TL;>;"),
            "ClassSignature { type_params: [TypeParam { name: \"T\", bounds: [C{java/lang/Object, args: [] }] }, \
             TypeParam { name: \"L\", bounds: [C{java/lang/Runnable, args: [] }] }, TypeParam { name: \"U\", bounds: \
             [Variable(\"T\")] }], superclass: C{java/lang/Object, args: [] }, interfaces: [C{a/I, args: \
             [Exact(Variable(\"L\"))] }] }",
        );
        // Without any bound, as some compilers write it, even if the next name looks like a type.
        check(
            ClassSignature::parse("<A:Ljava/lang/Long;T:L:>La;"),
            "ClassSignature { type_params: [TypeParam { name: \"A\", bounds: [C{java/lang/Long, args: [] }] }, TypeParam { \
             name: \"T\", bounds: [C{java/lang/Object, args: [] }] }, TypeParam { name: \"L\", bounds: \
             [C{java/lang/Object, args: [] }] }], superclass: C{a, args: [] }, interfaces: [] }",
        );
    }

    #[test]
    fn methods() {
        check(
            MethodSignature::parse("<E:Ljava/lang/Exception;>(I[TE;)V^TE;^La/B;"),
            "MethodSignature { type_params: [TypeParam { name: \"E\", bounds: [C{java/lang/Exception, args: [] }] }], params: \
             [Primitive(Int), Array(Variable(\"E\"))], result: None, throws: [Variable(\"E\"), C{a/B, args: [] }] }",
        );
    }

    #[test]
    fn malformed_text_is_a_problem() {
        check(TypeSig::parse(""), "signature malformed at character 0: expected a type");
        check(TypeSig::parse("La<I>;"), "signature malformed at character 3: expected a reference type");
        check(TypeSig::parse("La<>;"), "signature malformed at character 3: expected a reference type");
        check(TypeSig::parse("La"), "signature malformed at character 2: expected `;`");
        check(TypeSig::parse("La;;"), "signature malformed at character 3: expected the end");
        check(MethodSignature::parse("(V)V"), "signature malformed at character 1: expected a type");
        check(ClassSignature::parse("<>La;"), "signature malformed at character 1: expected a name");
        let deep = "La<".repeat(100_000);
        check(TypeSig::parse(&deep), "signature malformed at character 603: expected less nesting");
        let dimensions = "[".repeat(300);
        check(TypeSig::parse(&dimensions), "signature malformed at character 256: expected at most 255 dimensions");
    }

    proptest! {
        #[test]
        fn any_text_is_answered(text in "[LTVI\\[<>:;./*+^()aé-]{0,40}") {
            let _ = (TypeSig::parse(&text), ClassSignature::parse(&text), MethodSignature::parse(&text));
        }
    }
}
