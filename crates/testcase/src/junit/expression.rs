//! Values and statements as Java expressions. Owns how each operation is spelled; which ones get lines and names is decided elsewhere.

use std::sync::Arc;

use bytecode::class_info::ClassInfo;
use bytecode::names::{FieldType, MethodDescriptor};

use super::arguments::StaticType;
use super::call::Callee;
use super::imports::mark;
use super::literal::{erased_name, literal, primitive_of};
use super::method::Writer;
use super::variables::LAMBDA_PARAMETERS;
use crate::operation::{Lambda, LambdaBody, Operation, OperationKind};
use crate::sequence::{Statement, Var};
use crate::types::{ClassType, Type, TypeArg};
use crate::value::Constant;

/// An expression and what javac knows of its type.
pub struct Expression {
    pub text: String,
    pub ty: StaticType,
}

impl Writer<'_, '_> {
    pub fn operation(&self, var: Var) -> &Operation {
        self.operations.get(self.test.sequence.statements()[var.index()].op)
    }

    /// The value where it is used: a variable's name, or the expression itself.
    pub fn value(&mut self, var: Var) -> Expression {
        let statement = self.test.sequence.statements()[var.index()].clone();
        let operation = self.operations.get(statement.op).clone();
        if let Some(name) = &self.names[var.index()] {
            return Expression { text: name.clone(), ty: StaticType::Known(operation.result) };
        }
        let ty = match &operation.kind {
            OperationKind::Constant(Constant::Null) => StaticType::Null,
            OperationKind::Constant(c) => StaticType::Known(literal_type(c)),
            OperationKind::Lambda(_) => StaticType::Lambda,
            _ => StaticType::Known(operation.result.clone()),
        };
        Expression { text: self.expression(&statement, &operation, false), ty }
    }

    /// The value with a dot behind it.
    pub fn receiver(&mut self, var: Var, wanted: Option<&Type>) -> String {
        let operation = self.operation(var).clone();
        let expression = self.value(var);
        let misfit = wanted.filter(|w| {
            !self.subtyping.fits_checked(&operation.result, w) || self.hides_arguments(&operation.result, w)
        });
        let named = self.names[var.index()].is_some();
        match (&operation.kind, misfit) {
            (OperationKind::Constant(Constant::Null) | OperationKind::Lambda(_), _) if !named => {
                format!("({})", self.cast(&operation.result, &expression))
            }
            (OperationKind::Constant(c), _) if !named => match primitive_of(c) {
                Some(p) => format!("{}.valueOf({})", mark(p.box_class()), expression.text),
                None => expression.text,
            },
            (_, Some(wanted)) => format!("({})", self.cast(wanted, &expression)),
            (OperationKind::Cast, None) if !named => format!("({})", expression.text),
            (_, None) => expression.text,
        }
    }

    /// The statement as an expression. `declared`: it initialises a variable of its own type.
    pub fn expression(&mut self, statement: &Statement, operation: &Operation, declared: bool) -> String {
        let args = &statement.args;
        match &operation.kind {
            OperationKind::Constant(c) => {
                self.check_constant(c);
                literal(c)
            }
            OperationKind::Construct { class, descriptor, varargs, inner } => {
                let (outer, rest, params) = match (*inner, args.as_slice()) {
                    (true, [outer, rest @ ..]) => (
                        format!("{}.", self.receiver(*outer, None)),
                        rest,
                        &operation.params[1.min(operation.params.len())..],
                    ),
                    (_, all) => (String::new(), all, operation.params.as_slice()),
                };
                let call = Callee {
                    class: class.clone(),
                    name: "<init>",
                    descriptor,
                    varargs: *varargs,
                    skip: usize::from(*inner),
                };
                let list = self.arguments(&call, rest, params);
                let plain = !list.contains("->") && !list.contains("::") && !list.contains("null");
                let made = match &operation.result {
                    // `outer.new Inner()`: the simple name stands in the scope of the outer class.
                    Type::Class(_) if *inner => super::imports::nesting(self.subtyping.classes(), class)
                        .1
                        .pop()
                        .unwrap_or_else(|| mark(class.internal())),
                    Type::Class(c) if !c.args.is_empty() && declared && plain => {
                        format!("{}<>", mark(class.internal()))
                    }
                    t => self.type_text(t),
                };
                format!("{outer}new {made}({list})")
            }
            OperationKind::Call { owner, name, descriptor, is_static, varargs, .. } => {
                if *is_static {
                    let call = Callee { class: owner.clone(), name, descriptor, varargs: *varargs, skip: 0 };
                    return format!(
                        "{}.{name}({})",
                        mark(owner.internal()),
                        self.arguments(&call, args, &operation.params)
                    );
                }
                let (receiver, params) = (args[0], &operation.params);
                let class = self.operation(receiver).result.class_name().unwrap_or(owner).clone();
                let target = self.receiver(receiver, params.first());
                let call = Callee { class, name, descriptor, varargs: *varargs, skip: 0 };
                format!("{target}.{name}({})", self.arguments(&call, &args[1..], &params[1..]))
            }
            OperationKind::ReadField { owner, name, is_static, .. } => {
                if *is_static {
                    format!("{}.{name}", mark(owner.internal()))
                } else {
                    self.field(args[0], operation, name)
                }
            }
            OperationKind::WriteField { owner, name, is_static, .. } => {
                let field = if *is_static {
                    format!("{}.{name}", mark(owner.internal()))
                } else {
                    self.field(args[0], operation, name)
                };
                let value = self.converted(args[args.len() - 1], &operation.params[operation.params.len() - 1]);
                format!("{field} = {value}")
            }
            OperationKind::NewArray { lengths } => {
                let mut element = &operation.result;
                let mut open = 0;
                while let Type::Array(e) = element {
                    element = e;
                    open += 1;
                }
                let given: String = lengths.iter().map(|l| format!("[{l}]")).collect();
                let empty = "[]".repeat(open - lengths.len().min(open));
                format!("new {}{given}{empty}", self.new_array_text(element))
            }
            OperationKind::ArrayLiteral { .. } => {
                let (array, element) = match &operation.result {
                    Type::Array(e) => (&operation.result, &**e),
                    other => (other, other),
                };
                let elements: Vec<String> = args.iter().map(|a| self.converted(*a, element)).collect();
                let list = format!("{{{}}}", elements.join(", "));
                if declared && has_arrays(array_element(array)) {
                    return list;
                }
                format!("new {} {list}", self.new_array_text(array))
            }
            OperationKind::StoreElement { index } => {
                let element = match operation.params.first() {
                    Some(Type::Array(e)) => (**e).clone(),
                    _ => Type::object(),
                };
                let value = self.converted(args[1], &element);
                format!("{}[{index}] = {value}", self.receiver(args[0], None))
            }
            OperationKind::LoadElement { index } => {
                format!("{}[{index}]", self.receiver(args[0], None))
            }
            OperationKind::Lambda(lambda) => self.lambda(lambda),
            OperationKind::Cast => {
                let inner = self.value(args[0]);
                self.cast(&operation.result, &inner)
            }
        }
    }

    /// The operation works on the raw type while javac knows the arguments, and would hold them against other operands.
    fn hides_arguments(&self, have: &Type, wanted: &Type) -> bool {
        let (Type::Class(h), Type::Class(w)) = (have, wanted) else {
            return false;
        };
        w.args.is_empty() && self.subtyping.as_super(h, &w.name).is_some_and(|seen| !seen.args.is_empty())
    }

    fn field(&mut self, receiver: Var, operation: &Operation, name: &str) -> String {
        let declared = self.operation(receiver).result.class_name().cloned();
        let wanted = operation.params.first().cloned();
        let text = match &wanted {
            // A subclass may hide the field.
            Some(w) if declared.as_ref() != w.class_name() => {
                let value = self.value(receiver);
                format!("({})", self.cast(w, &value))
            }
            _ => self.receiver(receiver, wanted.as_ref()),
        };
        format!("{text}.{name}")
    }

    fn lambda(&mut self, lambda: &Lambda) -> String {
        let count = MethodDescriptor::parse(&lambda.descriptor).map_or(0, |d| d.params.len());
        let name = |i: usize| match LAMBDA_PARAMETERS.get(i) {
            Some(n) => (*n).to_owned(),
            None => format!("x{i}"),
        };
        let names: Vec<String> = (0..count).map(name).collect();
        let head = if count == 1 { names[0].clone() } else { format!("({})", names.join(", ")) };
        match &lambda.body {
            LambdaBody::Nothing => format!("{head} -> {{ }}"),
            LambdaBody::Constant(c) => {
                self.check_constant(c);
                format!("{head} -> {}", literal(c))
            }
            LambdaBody::Parameter(n) => format!("{head} -> {}", name(usize::from(*n))),
            LambdaBody::Reference { owner, name, .. } if &**name == "<init>" => {
                format!("{}::new", mark(owner.internal()))
            }
            LambdaBody::Reference { owner, name, .. } => {
                format!("{}::{name}", mark(owner.internal()))
            }
        }
    }

    /// The value for a place of this type where nothing can be overloaded.
    pub fn converted(&mut self, var: Var, wanted: &Type) -> String {
        let value = self.value(var);
        match &value.ty {
            StaticType::Known(have) if have.is_reference() && !self.subtyping.fits_checked(have, wanted) => {
                self.cast(wanted, &value)
            }
            StaticType::Lambda if !self.takes_lambda(var, wanted) => {
                let own = self.operation(var).result.clone();
                self.cast(&own, &value)
            }
            _ => value.text,
        }
    }

    /// Whether javac finds the lambda's own type by looking at what is wanted.
    pub fn takes_lambda(&self, var: Var, wanted: &Type) -> bool {
        let Type::Class(own) = &self.operation(var).result else {
            return false;
        };
        let generic = |i: Arc<ClassInfo>| !crate::generic::type_params(&i).is_empty();
        let raw = own.args.is_empty() && self.subtyping.classes().class(&own.name).is_some_and(generic);
        wanted.class_name() == Some(&own.name) && !raw
    }

    pub fn cast(&mut self, to: &Type, value: &Expression) -> String {
        let generic = matches!(array_element(to), Type::Class(c) if !c.args.is_empty());
        if generic && matches!(value.ty, StaticType::Known(_)) {
            self.warnings.unchecked = true;
        }
        // `(Object) -1` would be a subtraction, `(T) a = b` and `(T) x -> y` bind otherwise than meant.
        let bare = value.text.starts_with('-') || value.text.starts_with('(');
        let text = if bare && to.is_reference() && value.ty != StaticType::Lambda {
            format!("({})", value.text)
        } else {
            value.text.clone()
        };
        // A `Bag<String>` cannot be cast to a `Bag<Object>`, nor `Class<Enum>` to `Class<? extends Enum<?>>`; anything can that has unknown arguments.
        let through = match (to, &value.ty) {
            (Type::Class(to), StaticType::Known(Type::Class(have)))
                if (is_class_of_generic(to) && have.name == to.name) || self.contradicts(have, to) =>
            {
                let any = ClassType { name: to.name.clone(), args: vec![TypeArg::Any; to.args.len()] };
                format!("({}) ", self.class_text(&any))
            }
            _ => String::new(),
        };
        format!("({}) {through}{text}", self.type_text(to))
    }

    /// Whether type arguments of the one rule those of the other out.
    fn contradicts(&self, have: &ClassType, to: &ClassType) -> bool {
        let up = self.subtyping.as_super(have, &to.name).map(|seen| (seen.args, to.args.clone()));
        let down = || self.subtyping.as_super(to, &have.name).map(|seen| (have.args.clone(), seen.args));
        let Some((have, to)) = up.or_else(down) else { return false };
        have.iter().zip(&to).any(|(have, to)| match (have, to) {
            (TypeArg::Exact(a), TypeArg::Exact(b)) => a != b,
            (TypeArg::Exact(a), TypeArg::Extends(b)) => !self.subtyping.fits(a, b),
            _ => false,
        })
    }

    /// A type as source spells it; takes note of raw ones.
    pub fn type_text(&mut self, t: &Type) -> String {
        match t {
            Type::Void => "void".to_owned(),
            Type::Primitive(p) => p.keyword().to_owned(),
            Type::Array(e) => format!("{}[]", self.type_text(e)),
            Type::Class(c) => self.class_text(c),
        }
    }

    /// What stands behind `new` for an array, or for its elements: without type arguments, unless they are `?`.
    fn new_array_text(&mut self, array: &Type) -> String {
        let element = array_element(array);
        if has_arrays(element) {
            return self.type_text(array);
        }
        if let Type::Class(c) = element {
            self.class_text(&ClassType { name: c.name.clone(), args: Vec::new() });
        }
        array.erased().map_or_else(String::new, |e| erased_name(&e))
    }

    fn class_text(&mut self, c: &ClassType) -> String {
        if c.args.is_empty() {
            let generic =
                self.subtyping.classes().class(&c.name).is_some_and(|i| !crate::generic::type_params(&i).is_empty());
            self.warnings.raw |= generic;
            return mark(c.name.internal());
        }
        let args: Vec<String> = c
            .args
            .iter()
            .map(|a| match a {
                TypeArg::Any => "?".to_owned(),
                TypeArg::Exact(t) => self.type_text(t),
                TypeArg::Extends(t) => format!("? extends {}", self.type_text(t)),
                TypeArg::Super(t) => format!("? super {}", self.type_text(t)),
            })
            .collect();
        format!("{}<{}>", mark(c.name.internal()), args.join(", "))
    }
}

/// Does Java know arrays of it as they are?
fn has_arrays(element: &Type) -> bool {
    !matches!(element, Type::Class(c) if c.args.iter().any(|arg| *arg != TypeArg::Any))
}

fn array_element(t: &Type) -> &Type {
    match t {
        Type::Array(e) => array_element(e),
        other => other,
    }
}

/// `Class<Foo<Bar>>`, with wildcards or without.
fn is_class_of_generic(t: &ClassType) -> bool {
    let is_generic = |t: &Type| matches!(array_element(t), Type::Class(c) if !c.args.is_empty());
    t.name.internal() == "java/lang/Class"
        && t.args.iter().any(|arg| match arg {
            TypeArg::Exact(of) | TypeArg::Extends(of) | TypeArg::Super(of) => is_generic(of),
            TypeArg::Any => false,
        })
}

/// The type of a literal, which may be narrower than what the sequence says about the value.
fn literal_type(c: &Constant) -> Type {
    let class = |name: &str, args: Vec<TypeArg>| Type::Class(ClassType { name: name.into(), args });
    match c {
        Constant::Class(t) => {
            let named = match t {
                FieldType::Primitive(p) => Type::class(p.box_class()),
                other => Type::from(other),
            };
            class("java/lang/Class", vec![TypeArg::Exact(named)])
        }
        Constant::Enum { class: name, .. } => class(name.internal(), Vec::new()),
        Constant::String(_) => Type::string(),
        other => primitive_of(other).map_or_else(Type::object, Type::Primitive),
    }
}
