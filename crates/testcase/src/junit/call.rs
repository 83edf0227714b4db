//! Argument lists: each argument with the cast it needs so that javac calls the method meant, variable-arity ones spread out.
//! Owns the text of the list; which overloads compete is worked out in `arguments`.

use bytecode::names::{ClassName, MethodDescriptor};

use super::arguments::{Rival, StaticType, rivals};
use super::expression::Expression;
use super::method::Writer;
use super::plan::Form;
use crate::operation::OperationKind;
use crate::sequence::Var;
use crate::types::Type;
use crate::value::Constant;

/// What is called, as far as overloading matters.
pub struct Callee<'a> {
    /// The class whose methods compete: the static type of the receiver.
    pub class: ClassName,
    pub name: &'a str,
    pub descriptor: &'a str,
    pub varargs: bool,
    /// Parameters of the descriptor that are no arguments in source.
    pub skip: usize,
}

impl Writer<'_, '_> {
    /// The argument list of a call, with casts where javac would otherwise choose another method.
    pub fn arguments(&mut self, callee: &Callee<'_>, args: &[Var], params: &[Type]) -> String {
        let erased = MethodDescriptor::parse(callee.descriptor).map(|d| d.params).unwrap_or_default();
        let rivals = rivals(self.subtyping, &callee.class, callee.name, &erased);
        if let Some(list) = callee.varargs.then(|| self.spread(args, params, &rivals)).flatten() {
            return list;
        }
        let values: Vec<Expression> = args.iter().map(|a| self.value(*a)).collect();
        let types: Vec<StaticType> = values.iter().map(|v| v.ty.clone()).collect();
        let own = erased.get(callee.skip..).unwrap_or_default();
        // Constructors of inner classes have the outer instance in front.
        let shifted =
            |r: &Rival| Rival { params: r.params.get(callee.skip..).unwrap_or_default().to_vec(), varargs: r.varargs };
        let applicable: Vec<Rival> = rivals.iter().map(shifted).filter(|r| r.accepts(&types, self.subtyping)).collect();
        let mut list = Vec::new();
        for (i, (value, wanted)) in values.iter().zip(params).enumerate() {
            let contested = applicable.iter().any(|r| r.params.get(i) != own.get(i));
            let exact = matches!(&value.ty, StaticType::Known(t) if t.erased().as_ref() == own.get(i));
            let spread_null = callee.varargs && i + 1 == params.len() && value.ty == StaticType::Null;
            let unchecked = match &value.ty {
                StaticType::Known(have) => have.is_reference() && !self.subtyping.fits_checked(have, wanted),
                StaticType::Lambda => !self.takes_lambda(args[i], wanted),
                StaticType::Null => false,
            };
            let text = if value.ty == StaticType::Lambda && (contested || unchecked) {
                let t = self.operation(args[i]).result.clone();
                let t = if self.takes_lambda(args[i], wanted) { wanted.clone() } else { t };
                self.cast(&t, value)
            } else if (contested && !exact) || spread_null || unchecked {
                self.cast(wanted, value)
            } else {
                value.text.clone()
            };
            list.push(text);
        }
        list.join(", ")
    }

    /// The elements of a literal array in the last place as arguments of their own, if that calls the same method.
    fn spread(&mut self, args: &[Var], params: &[Type], rivals: &[Rival]) -> Option<String> {
        let (last, fixed) = args.split_last()?;
        let statement = &self.test.sequence.statements()[last.index()];
        let OperationKind::ArrayLiteral { .. } = self.operation(*last).kind else {
            return None;
        };
        let elements = statement.args.clone();
        let total = fixed.len() + elements.len();
        if self.forms[last.index()] != Form::Inline || rivals.iter().any(|r| r.may_accept_spread(total)) {
            return None;
        }
        let (Type::Array(element), array) = (params.last()?, &self.operation(*last).result) else {
            return None;
        };
        if *array != Type::array((**element).clone()) {
            return None;
        }
        // A single null or array would be taken for the whole array.
        let alone = elements.len() == 1
            && (matches!(self.operation(elements[0]).kind, OperationKind::Constant(Constant::Null))
                || matches!(self.operation(elements[0]).result, Type::Array(_)));
        if alone {
            return None;
        }
        let element = (**element).clone();
        let mut list: Vec<String> = fixed.iter().zip(params).map(|(a, p)| self.converted(*a, p)).collect();
        list.extend(elements.iter().map(|a| self.converted(*a, &element)));
        Some(list.join(", "))
    }
}
