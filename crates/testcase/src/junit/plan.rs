//! How each statement appears in the source: in place of its use, as a line of its own, or not at all. Owns that decision, and keeps
//! the order of evaluation; writes nothing.

use bytecode::class_info::FieldInfo;

use crate::assertion::{Assertion, Expectation, TestCase};
use crate::operation::{Operation, OperationKind, Operations};
use crate::sequence::Var;
use crate::types::Type;
use crate::value::Constant;

use super::arguments::is_generic_method;
use crate::subtyping::Subtyping;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Has no effect and no use.
    Dropped,
    /// Written where its value is used.
    Inline,
    /// `Type name = …;`
    Assigned,
    /// A line of its own whose value nobody wants.
    Bare,
}

/// Uses of one value.
#[derive(Clone, Copy, Debug, Default)]
struct Uses {
    arguments: usize,
    assertions: usize,
    /// The last statement that takes it, with the position.
    user: Option<(usize, usize)>,
}

/// The forms of all statements of a test.
pub fn plan(test: &TestCase, operations: &Operations, subtyping: &Subtyping<'_>) -> Vec<Form> {
    let statements = test.sequence.statements();
    let throwing = match test.expectation {
        Expectation::Throws { .. } | Expectation::BadException { .. } => statements.len().checked_sub(1),
        Expectation::Passes | Expectation::Breaks { .. } => None,
    };
    let mut uses = vec![Uses::default(); statements.len()];
    for var in asserted_vars(test) {
        if let Some(u) = uses.get_mut(var.index()) {
            u.assertions += 1;
        }
    }
    for (number, statement) in statements.iter().enumerate() {
        for (position, arg) in statement.args.iter().enumerate() {
            if let Some(u) = uses.get_mut(arg.index()) {
                u.arguments += 1;
                u.user = Some((number, position));
            }
        }
    }
    let tail = tail_in_assertions(test, operations, subtyping, &uses);
    let mut forms = vec![Form::Bare; statements.len()];
    // The next statement with a line of its own, and the leftmost argument of it that holds a call already.
    let mut next: Option<(usize, usize)> = None;
    for number in (0..statements.len()).rev() {
        let operation = operations.get(statements[number].op);
        let used = uses[number];
        let total = used.arguments + used.assertions;
        let until = used.user.map_or(number, |(user, _)| user);
        let mut between = statements.iter().take(until).skip(number + 1).map(|s| operations.get(s.op));
        let waits = can_wait(operation, subtyping)
            && (initialises_nothing(operation) || between.all(|o| can_wait(o, subtyping)));
        forms[number] = match &operation.kind {
            _ if throwing == Some(number) => Form::Bare,
            _ if tail.contains(&number) => Form::Inline,
            _ if total == 0 && has_no_effect(operation) => {
                for arg in &statements[number].args {
                    if let Some(u) = uses.get_mut(arg.index()) {
                        u.arguments -= 1;
                    }
                }
                Form::Dropped
            }
            OperationKind::Constant(c) if total > 1 && has_identity(c, operation) => Form::Assigned,
            OperationKind::Constant(_) => Form::Inline,
            _ if waits && used.arguments == 1 && used.assertions == 0 => {
                let indexed = used.user.is_some_and(|(user, position)| {
                    position == 0 && is_array_access(operations.get(statements[user].op))
                });
                if indexed { Form::Assigned } else { Form::Inline }
            }
            // `list.add(new Item(3))`, `assertEquals(2, new Counter(1).next())`
            _ if is_short_maker(operation) && is_next_to_its_use(used, next, throwing) => {
                let mut given = statements[number].args.iter().map(|a| operations.get(statements[a.index()].op));
                let suits = match used.user.map(|(user, at)| (user, operations.get(statements[user].op), at)) {
                    // Where a cast may be needed nothing else says what it should be.
                    Some((_, _, 0)) if is_inferred(operation, subtyping) => false,
                    Some((user, call, 0)) if leads(call) => {
                        call.has_receiver() && tail.contains(&user) && given.all(Operation::is_constant)
                    }
                    _ => true,
                };
                if suits { Form::Inline } else { Form::Assigned }
            }
            _ if total > 0 || !is_statement(operation) => Form::Assigned,
            _ => Form::Bare,
        };
        match forms[number] {
            Form::Assigned | Form::Bare if !operation.is_constant() => next = Some((number, usize::MAX)),
            Form::Inline if !waits => {
                next = match (used.user, tail.contains(&number)) {
                    (Some((user, position)), false) => Some((user, position)),
                    _ => Some((number, usize::MAX)),
                };
            }
            _ => {}
        }
    }
    forms
}

/// Variables that assertions, or the check of a contract, name.
pub fn asserted_vars(test: &TestCase) -> Vec<Var> {
    let mut vars = Vec::new();
    for assertion in &test.assertions {
        match assertion {
            Assertion::Equals { var, .. }
            | Assertion::NotNull { var }
            | Assertion::ArrayEquals { var, .. }
            | Assertion::InstanceOf { var, .. } => vars.push(*var),
            Assertion::Same { left, right, .. } => vars.extend([*left, *right]),
        }
    }
    if let Expectation::Breaks { vars: broken, .. } = &test.expectation {
        // A contract names its values several times over.
        vars.extend(broken.iter().flat_map(|v| [*v, *v]));
    }
    vars
}

/// Last calls whose value goes to one assertion each, in the same order: they are written inside the assertions.
fn tail_in_assertions(
    test: &TestCase,
    operations: &Operations,
    subtyping: &Subtyping<'_>,
    uses: &[Uses],
) -> Vec<usize> {
    let mut tail = Vec::new();
    if test.expectation != Expectation::Passes {
        return tail;
    }
    let mut limit = test.assertions.len();
    for (number, statement) in test.sequence.statements().iter().enumerate().rev() {
        let operation = operations.get(statement.op);
        if has_no_effect(operation) {
            continue;
        }
        let suits = match &operation.kind {
            OperationKind::Call { owner, name, descriptor, .. } => {
                !is_generic_method(subtyping, owner, name, descriptor)
            }
            OperationKind::ReadField { .. } | OperationKind::LoadElement { .. } => true,
            _ => false,
        };
        let asserted = test.assertions[..limit].iter().rposition(|a| match a {
            Assertion::Equals { var, .. } | Assertion::NotNull { var } => var.index() == number,
            Assertion::Same { left, right, .. } => right.index() == number && left.index() < number,
            Assertion::ArrayEquals { .. } | Assertion::InstanceOf { .. } => false,
        });
        let Some(place) = asserted.filter(|_| suits && uses[number].arguments == 0 && uses[number].assertions == 1)
        else {
            break;
        };
        // An array looked at before the call would be looked at too early.
        if test.assertions[..place].iter().any(|a| matches!(a, Assertion::ArrayEquals { .. })) {
            break;
        }
        tail.push(number);
        limit = place;
    }
    tail
}

/// Making it, and when, cannot be observed.
fn has_no_effect(operation: &Operation) -> bool {
    matches!(
        operation.kind,
        OperationKind::Constant(_)
            | OperationKind::Lambda(_)
            | OperationKind::ArrayLiteral { .. }
            | OperationKind::NewArray { .. }
            | OperationKind::Cast
    )
}

/// It is the same whenever it is asked for: what has no effect, and fields that nobody writes again. Not those whose type the test cannot name as it is: a variable
/// of its own says what javac should take it for.
fn can_wait(operation: &Operation, subtyping: &Subtyping<'_>) -> bool {
    match &operation.kind {
        OperationKind::ReadField { owner, name, is_static: true, .. } => {
            let class = subtyping.classes().class(owner);
            let is_plain = |f: &FieldInfo| f.signature.is_none() && Type::from(&f.field_type) == operation.result;
            let suits = |f: &FieldInfo| *f.name == **name && f.access.is_final() && is_plain(f);
            class.is_some_and(|c| c.fields.iter().any(suits))
        }
        _ => has_no_effect(operation),
    }
}

/// Nobody can tell when it is asked for: reading a field of a class outside the JDK may be what initialises that.
fn initialises_nothing(operation: &Operation) -> bool {
    match &operation.kind {
        OperationKind::ReadField { owner, .. } => owner.internal().starts_with("java/"),
        _ => true,
    }
}

/// Its first argument is indexed, which reads badly, or not at all, on an array just made.
fn is_array_access(operation: &Operation) -> bool {
    matches!(operation.kind, OperationKind::StoreElement { .. } | OperationKind::LoadElement { .. })
}

/// Whether Java accepts it as a statement when its value is not used.
pub fn is_statement(operation: &Operation) -> bool {
    matches!(
        operation.kind,
        OperationKind::Construct { .. }
            | OperationKind::Call { .. }
            | OperationKind::WriteField { .. }
            | OperationKind::StoreElement { .. }
    )
}

/// A box outside the cached range: written twice it would be two objects.
fn has_identity(constant: &Constant, operation: &Operation) -> bool {
    let cached = match constant {
        Constant::Short(v) => i8::try_from(*v).is_ok(),
        Constant::Int(v) => i8::try_from(*v).is_ok(),
        Constant::Long(v) => i8::try_from(*v).is_ok(),
        Constant::Char(v) => *v < 128,
        Constant::Float(_) | Constant::Double(_) => false,
        _ => true,
    };
    operation.result.is_reference() && !cached
}

/// Used once, by the very next line, with nothing evaluated in between, and not where an exception is expected: that must not come from here.
fn is_next_to_its_use(uses: Uses, next: Option<(usize, usize)>, throwing: Option<usize>) -> bool {
    let (Some((user, position)), Some((line, leftmost))) = (uses.user, next) else {
        return false;
    };
    let once = uses.arguments == 1 && uses.assertions == 0;
    once && user == line && position < leftmost && throwing != Some(user)
}

/// A constructor or a factory that is given little.
fn is_short_maker(operation: &Operation) -> bool {
    let makes = match &operation.kind {
        OperationKind::Construct { inner, .. } => !inner,
        OperationKind::Call { is_static, .. } => *is_static,
        _ => false,
    };
    makes && operation.params.len() <= 2
}

/// Its type depends on where it is used.
fn is_inferred(operation: &Operation, subtyping: &Subtyping<'_>) -> bool {
    match &operation.kind {
        OperationKind::Call { owner, name, descriptor, .. } => is_generic_method(subtyping, owner, name, descriptor),
        _ => false,
    }
}

/// Its first operand stands before a dot or a bracket.
fn leads(call: &Operation) -> bool {
    call.has_receiver() || is_array_access(call) || matches!(call.kind, OperationKind::Construct { inner: true, .. })
}
