//! The call that a view of paths begins with: a method on literals and on objects that need none to be made. Owns what arguments begin as and what else they can be; runs nothing.

use bytecode::access::Access;
use bytecode::class_info::MethodInfo;
use bytecode::names::{ClassName, FieldType, MethodDescriptor, Primitive};
use bytecode::world::{MethodRef, World};
use symbolic::trace::Choices;
use testcase::operation::{Operation, OperationKind, Operations};
use testcase::sequence::{Sequence, SequenceBuilder, Statement, Var};
use testcase::types::Type;
use testcase::value::Constant;

/// What a string parameter begins with: its length stays, its characters do not.
const TEXT: &str = "abc";
/// Classes that a parameter of a more general type is given objects of.
const IMPLEMENTORS: usize = 3;
/// Elements that arrays begin with, and that they can have.
const ELEMENTS: (usize, usize) = (1, 8);

/// A call and what it can choose from.
pub struct Call {
    pub sequence: Sequence,
    pub choices: Choices,
    /// What conditions say in terms of numbers, and what that means.
    pub meanings: Vec<(String, String)>,
}

impl Call {
    /// A sequence that calls the method; `None` if that takes more than can be made of nothing.
    pub fn of(world: &World, class: &ClassName, method: &MethodRef, operations: &mut Operations) -> Option<Call> {
        let info = method.info();
        if info.access.is_private() || info.access.is_abstract() || !info.has_code || info.name.starts_with('<') {
            return None;
        }
        let mut maker = Maker { world, operations, builder: SequenceBuilder::default(), elements: Vec::new() };
        let mut offered: Vec<Vec<Var>> = Vec::new();
        let mut params: Vec<Type> = Vec::new();
        if !info.access.is_static() {
            offered.push(vec![maker.object(class)?]);
            params.push(Type::class(class.internal()));
        }
        let receivers = offered.len();
        let descriptor = MethodDescriptor::parse(&info.raw_descriptor)?;
        for param in &descriptor.params {
            offered.push(maker.values(param));
            params.push(Type::from(param));
        }
        // What one argument can be, others of the same type can be as well.
        for (argument, param) in params.iter().enumerate().skip(receivers).filter(|(_, p)| p.is_reference()) {
            for other in (receivers..params.len()).filter(|other| *other != argument && params[*other] == *param) {
                let shared: Vec<Var> = offered[other].iter().take(1).copied().collect();
                offered[argument].extend(shared);
            }
        }
        let kind = OperationKind::Call {
            owner: class.clone(),
            name: info.name.as_str().into(),
            descriptor: info.raw_descriptor.as_str().into(),
            is_static: info.access.is_static(),
            owner_is_interface: false,
            varargs: false,
        };
        let result = descriptor.result.as_ref().map_or(Type::Void, Type::from);
        let op = maker.operations.intern(Operation { kind, params, result });
        let arguments: Vec<Var> = offered.iter().filter_map(|o| o.first().copied()).collect();
        let at = maker.builder.push(op, &arguments).index();
        let mut choices = Choices::default();
        choices.constants = true;
        for (array, elements) in std::mem::take(&mut maker.elements) {
            choices.elements(array, elements);
        }
        let sequence = maker.builder.finish();
        let mut meanings = Vec::new();
        for (argument, variables) in offered.into_iter().enumerate() {
            if variables.len() > 1 {
                for variable in &variables {
                    let value = value_or_name(operations, &sequence, *variable, argument, &arguments);
                    let (number, name) = (format!("v{at}({argument})"), format!("argument {}", argument - receivers));
                    meanings.push((format!("{number} == {}", variable.0), format!("{name} is {value}")));
                    meanings.push((format!("{number} != {}", variable.0), format!("{name} is not {value}")));
                }
                choices.argument(at, argument, variables);
            }
        }
        Some(Call { sequence, choices, meanings })
    }
}

/// What a variable is, or which other argument begins as it.
fn value_or_name(
    operations: &Operations,
    sequence: &Sequence,
    variable: Var,
    argument: usize,
    arguments: &[Var],
) -> String {
    let value = shown_value(operations, sequence.statements(), variable);
    let is_other = arguments.iter().enumerate().any(|(other, v)| *v == variable && other != argument);
    if is_other && !value.starts_with('"') { format!("another {value} (v{})", variable.0) } else { value }
}

/// The arguments of the last call, as they are written.
pub fn shown_arguments(operations: &Operations, sequence: &Sequence) -> Vec<String> {
    let statements = sequence.statements();
    let Some(call) = statements.last() else { return Vec::new() };
    let receivers = usize::from(operations.get(call.op).has_receiver());
    call.args.iter().skip(receivers).map(|v| shown_value(operations, statements, *v)).collect()
}

fn shown_value(operations: &Operations, statements: &[Statement], variable: Var) -> String {
    let Some(statement) = statements.get(variable.index()) else { return String::new() };
    match &operations.get(statement.op).kind {
        OperationKind::Constant(constant) => super::symbolic::shown(constant),
        OperationKind::Construct { class, .. } => format!("new {}()", class.binary().rsplit('.').next().unwrap_or("")),
        OperationKind::ArrayLiteral { .. } => {
            let elements = statement.args.iter().map(|v| shown_value(operations, statements, *v));
            format!("{{{}}}", elements.collect::<Vec<_>>().join(", "))
        }
        _ => format!("v{}", variable.0),
    }
}

struct Maker<'a> {
    world: &'a World,
    operations: &'a mut Operations,
    builder: SequenceBuilder,
    /// Arrays, and what they can hold.
    elements: Vec<(usize, Vec<Var>)>,
}

impl Maker<'_> {
    fn constant(&mut self, constant: Constant, ty: Type) -> Var {
        let op = self.operations.intern(Operation::constant(constant, ty));
        self.builder.push(op, &[])
    }

    /// An object whose constructor takes nothing.
    fn object(&mut self, class: &ClassName) -> Option<Var> {
        let info = self.world.class(class).ok()?;
        let is_plain = |m: &&MethodInfo| m.name == "<init>" && m.raw_descriptor == "()V";
        let constructor = info.methods.iter().find(is_plain)?;
        if constructor.access.is_private() || info.access.has(Access::ABSTRACT) {
            return None;
        }
        let kind =
            OperationKind::Construct { class: class.clone(), descriptor: "()V".into(), varargs: false, inner: false };
        let result = Type::class(class.internal());
        let op = self.operations.intern(Operation { kind, params: Vec::new(), result });
        Some(self.builder.push(op, &[]))
    }

    /// What a parameter begins as, and what else it can be.
    fn values(&mut self, param: &FieldType) -> Vec<Var> {
        let ty = Type::from(param);
        let mut values = Vec::new();
        match param {
            FieldType::Primitive(primitive) => return vec![self.constant(zero(*primitive), ty)],
            FieldType::Class(class) if class.internal() == "java/lang/String" => {
                values.push(self.constant(Constant::String(TEXT.into()), ty.clone()));
            }
            FieldType::Class(class) => values.extend(self.objects(class)),
            FieldType::Array(_) => values.extend(self.array(&ty)),
        }
        values.push(self.constant(Constant::Null, ty));
        values
    }

    /// An enum's constant, or objects of the class and of those below it.
    fn objects(&mut self, class: &ClassName) -> Vec<Var> {
        let info = self.world.class(class).ok();
        let constant = info.filter(|i| i.access.is_enum()).and_then(|info| {
            let field = info.fields.iter().find(|f| f.access.is_enum())?;
            Some(Constant::Enum { class: class.clone(), name: field.name.as_str().into() })
        });
        if let Some(constant) = constant {
            return vec![self.constant(constant, Type::class(class.internal()))];
        }
        let mut made: Vec<Var> = self.object(class).into_iter().collect();
        if class.internal() != "java/lang/Object" {
            let below = self.world.implementors(class, bytecode::world::Scope::Application);
            for other in below.iter().filter(|c| *c != class).take(IMPLEMENTORS) {
                made.extend(self.object(other));
            }
        }
        made
    }

    fn array(&mut self, ty: &Type) -> Option<Var> {
        let Type::Array(element) = ty else { return None };
        let literal = match &**element {
            Type::Primitive(primitive) => zero(*primitive),
            Type::Class(c) if c.name.internal() == "java/lang/String" => Constant::String(TEXT.into()),
            _ => return None,
        };
        let (begin, most) = ELEMENTS;
        let elements: Vec<Var> = (0..most).map(|_| self.constant(literal.clone(), (**element).clone())).collect();
        let kind = OperationKind::ArrayLiteral { length: begin as u32 };
        let params = vec![(**element).clone(); begin];
        let op = self.operations.intern(Operation { kind, params, result: ty.clone() });
        let array = self.builder.push(op, &elements[..begin]);
        self.elements.push((array.index(), elements));
        Some(array)
    }
}

fn zero(primitive: Primitive) -> Constant {
    match primitive {
        Primitive::Boolean => Constant::Boolean(false),
        Primitive::Byte => Constant::Byte(0),
        Primitive::Char => Constant::Char(0),
        Primitive::Short => Constant::Short(0),
        Primitive::Int => Constant::Int(0),
        Primitive::Long => Constant::Long(0),
        Primitive::Float => Constant::Float(0),
        Primitive::Double => Constant::Double(0),
    }
}
