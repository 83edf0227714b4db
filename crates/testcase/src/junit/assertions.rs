//! Assertions in JUnit's words. Owns which of JUnit's methods says what, for both versions; contracts are next door.

use bytecode::names::{ClassName, FieldType, Primitive};

use super::arguments::StaticType;
use super::expression::Expression;
use super::imports::{mark, visible_len};
use super::literal::{erased_name, literal, primitive_of, string_literal};
use super::method::Writer;
use crate::assertion::Assertion;
use crate::classes::is_erasure_accessible;
use crate::operation::{Operation, OperationKind};
use crate::sequence::Var;
use crate::suite::JUnitVersion;
use crate::text::constant_of;
use crate::types::Type;
use crate::value::{Constant, Value};

/// Longer calls get a line per argument.
const MAX_LINE: usize = 110;

impl Writer<'_, '_> {
    /// A call of one of JUnit's static methods.
    pub fn assert_call(&mut self, method: &'static str, arguments: &[&str]) {
        self.assertions.insert(method);
        let line = format!("{method}({});", arguments.join(", "));
        if visible_len(&line) <= MAX_LINE || arguments.len() < 2 {
            self.lines.push(line);
            return;
        }
        self.lines.push(format!("{method}("));
        for (i, argument) in arguments.iter().enumerate() {
            let end = if i + 1 == arguments.len() { ");" } else { "," };
            self.lines.push(format!("        {argument}{end}"));
        }
    }

    /// The same with a message: last in JUnit 5, first in JUnit 4.
    pub fn assert_saying(&mut self, method: &'static str, arguments: &[&str], message: &str) {
        let message = string_literal(&message.encode_utf16().collect::<Vec<_>>());
        let mut all: Vec<&str> = arguments.to_vec();
        match self.junit {
            JUnitVersion::Four => all.insert(0, &message),
            JUnitVersion::Five => all.push(&message),
        }
        self.assert_call(method, &all);
    }

    pub fn assertion(&mut self, assertion: &Assertion) {
        match assertion {
            Assertion::Equals { var, value } => {
                let actual = self.value(*var);
                self.equals(&actual, value);
            }
            Assertion::ArrayEquals { var, value } => {
                if !self.list_equals(*var, value) {
                    let actual = self.value(*var);
                    self.array_equals(&actual, value);
                }
            }
            Assertion::NotNull { var } => {
                let actual = self.value(*var).text;
                self.assert_call("assertNotNull", &[&actual]);
            }
            Assertion::Same { left, right, same } => {
                let (left, right) = (self.value(*left).text, self.value(*right).text);
                self.assert_call(if *same { "assertSame" } else { "assertNotSame" }, &[&left, &right]);
            }
            Assertion::InstanceOf { var, class } => {
                let actual = self.value(*var).text;
                let class = mark(class.internal());
                match self.junit {
                    JUnitVersion::Five => self.assert_call("assertInstanceOf", &[&format!("{class}.class"), &actual]),
                    JUnitVersion::Four => {
                        self.assert_call("assertTrue", &[&format!("{actual} instanceof {class}")]);
                    }
                }
            }
        }
    }

    fn equals(&mut self, actual: &Expression, value: &Value) {
        let static_type = match &actual.ty {
            StaticType::Known(t) => Some(t.clone()),
            StaticType::Null | StaticType::Lambda => None,
        };
        let payload = match value {
            Value::Boxed(inner) => &**inner,
            other => other,
        };
        let Some(constant) = constant_of(payload) else {
            return;
        };
        self.check_constant(&constant);
        let text = &*actual.text;
        let primitive = primitive_of(&constant);
        // The static type is the primitive, its box, or something more general.
        let by_value = primitive.is_some() && static_type == primitive.map(Type::Primitive);
        let is_box = primitive.is_some_and(|p| {
            static_type.as_ref().and_then(Type::class_name).is_some_and(|n| n.internal() == p.box_class())
        });
        match &constant {
            Constant::Null => self.assert_call("assertNull", &[text]),
            Constant::Boolean(v) if by_value || is_box => {
                self.assert_call(if *v { "assertTrue" } else { "assertFalse" }, &[text])
            }
            // Small literals widen to whatever the value is; the cast would only be noise.
            Constant::Byte(v) if by_value => self.assert_call("assertEquals", &[&v.to_string(), text]),
            Constant::Short(v) if by_value => self.assert_call("assertEquals", &[&v.to_string(), text]),
            Constant::Float(_) | Constant::Double(_) if by_value && self.junit == JUnitVersion::Four => {
                let delta = if matches!(constant, Constant::Float(_)) { "0.0f" } else { "0.0" };
                self.assert_call("assertEquals", &[&literal(&constant), text, delta]);
            }
            Constant::Class(t) if !is_nameable(self, t) => {
                let name = string_literal(&binary_name(t).encode_utf16().collect::<Vec<_>>());
                self.assert_call("assertEquals", &[&name, &format!("{text}.getName()")]);
            }
            _ => match primitive {
                // `assertEquals(7, box)` would be ambiguous.
                Some(p) if is_box => {
                    let expected = format!("{}.valueOf({})", mark(p.box_class()), literal(&constant));
                    self.assert_call("assertEquals", &[&expected, text]);
                }
                _ => self.assert_call("assertEquals", &[&literal(&constant), text]),
            },
        }
    }

    /// A list is compared as a list rather than by its `toArray()`. Says whether the value is one.
    fn list_equals(&mut self, var: Var, value: &Value) -> bool {
        let statement = &self.test.sequence.statements()[var.index()];
        let (Value::Array { elements, .. }, Some(&list)) = (value, statement.args.first()) else {
            return false;
        };
        let is_list = self
            .operation(list)
            .result
            .class_name()
            .is_some_and(|class| self.subtyping.is_subclass(class, &ClassName::new("java/util/List")));
        if !is_list || !is_contents(self.operations.get(statement.op)) || self.names[var.index()].is_some() {
            return false;
        }
        let Some(elements) = self.element_texts(elements) else {
            return false;
        };
        let actual = self.value(list).text;
        match elements.as_slice() {
            [] => {
                self.assert_call("assertEquals", &[&format!("{}.emptyList()", mark("java/util/Collections")), &actual])
            }
            // As the only argument, null would be taken for the array of all arguments.
            [one] => {
                let expected = format!("{}.singletonList({one})", mark("java/util/Collections"));
                self.assert_call("assertEquals", &[&expected, &actual]);
            }
            many => {
                let expected = format!("{}.asList({})", mark("java/util/Arrays"), many.join(", "));
                self.assert_call("assertEquals", &[&expected, &actual]);
            }
        }
        true
    }

    /// Literals of elements that are no arrays; `None` if one has no literal, or needs a cast to be the box that it is.
    fn element_texts(&mut self, elements: &[Value]) -> Option<Vec<String>> {
        let mut texts = Vec::with_capacity(elements.len());
        for element in elements {
            let payload = match element {
                Value::Boxed(inner) => &**inner,
                Value::Array { .. } => return None,
                other => other,
            };
            let constant = constant_of(payload)?;
            self.check_constant(&constant);
            texts.push(literal(&constant));
        }
        Some(texts)
    }

    fn array_equals(&mut self, actual: &Expression, value: &Value) {
        let Value::Array { class, .. } = value else {
            return;
        };
        let Some(expected) = self.array_text(value) else {
            return;
        };
        let static_type = match &actual.ty {
            StaticType::Known(t) => t.erased(),
            _ => None,
        };
        let element = match class {
            FieldType::Array(e) => &**e,
            other => other,
        };
        let is_array = matches!(static_type, Some(FieldType::Array(_)));
        let text = if is_array { actual.text.clone() } else { self.cast(&Type::from(class), actual) };
        match (element, self.junit) {
            (FieldType::Primitive(Primitive::Double), JUnitVersion::Four) => {
                self.assert_call("assertArrayEquals", &[&expected, &text, "0.0"])
            }
            (FieldType::Primitive(Primitive::Float), JUnitVersion::Four) => {
                self.assert_call("assertArrayEquals", &[&expected, &text, "0.0f"])
            }
            _ => self.assert_call("assertArrayEquals", &[&expected, &text]),
        }
    }

    /// A literal array; `None` if an element has no literal.
    fn array_text(&mut self, value: &Value) -> Option<String> {
        let Value::Array { class, elements } = value else {
            return None;
        };
        let FieldType::Array(element) = class else {
            return None;
        };
        let mut list = Vec::new();
        for e in elements {
            list.push(match e {
                Value::Array { .. } => self.array_text(e)?,
                Value::Boxed(inner) => literal(&constant_of(inner)?),
                // Inside the braces of a byte[] or short[] the plain number will do.
                Value::Byte(v) => v.to_string(),
                Value::Short(v) => v.to_string(),
                other => {
                    let c = constant_of(other)?;
                    self.check_constant(&c);
                    literal(&c)
                }
            });
        }
        let name = match &**element {
            FieldType::Class(_) if !is_nameable(self, element) => {
                format!("{}[]", mark("java/lang/Object"))
            }
            _ => erased_name(class),
        };
        Some(format!("new {name} {{{}}}", list.join(", ")))
    }

    /// A name and what it stands for, which gets a line of its own if both are too long for one.
    pub fn declare(&mut self, name: &str, value: &str) {
        if visible_len(name) + " =".len() + visible_len(value) > MAX_LINE {
            self.lines.push(format!("{name} ="));
            self.lines.push(format!("        {value}"));
        } else {
            self.lines.push(format!("{name} = {value}"));
        }
    }

    /// `assertThrows` around the code, and the message if it is to be checked.
    pub fn expect_thrown(&mut self, class: &ClassName, message: Option<&str>, code: &str) {
        let name = mark(class.internal());
        self.assertions.insert("assertThrows");
        let call = format!("assertThrows({name}.class, () -> {code});");
        let Some(message) = message else {
            self.lines.push(call);
            return;
        };
        self.declare(&format!("{name} thrown"), &call);
        let expected = string_literal(&message.encode_utf16().collect::<Vec<_>>());
        self.assert_call("assertEquals", &[&expected, "thrown.getMessage()"]);
    }
}

/// `collection.toArray()`
fn is_contents(operation: &Operation) -> bool {
    let OperationKind::Call { name, descriptor, is_static: false, .. } = &operation.kind else {
        return false;
    };
    &**name == "toArray" && &**descriptor == "()[Ljava/lang/Object;"
}

/// Whether the test may name the type.
fn is_nameable(writer: &Writer<'_, '_>, t: &FieldType) -> bool {
    is_erasure_accessible(writer.subtyping.classes(), writer.package, t)
}

fn binary_name(t: &FieldType) -> String {
    match t {
        FieldType::Class(n) => n.binary(),
        other => other.to_string().replace('/', "."),
    }
}
