//! What a method may do without being wrong: refuse arguments and states it was not made for, and what it says of nulls. Owns these rules; whether something is
//! a finding is `contracts`' part.

use bytecode::names::ClassName;
use testcase::execution::{Execution, Frame, Thrown};
use testcase::sequence::{Sequence, Statement, Var};
use testcase::value::Value;

use crate::catalog::Catalog;
use crate::library::{Member, Nullness};
use crate::search::Search;

/// Did the called method itself refuse what it was given: by a check that exists for that, or by an exception it makes itself?
pub fn is_own_check(search: &Search<'_>, called: &Member, thrown: &Thrown) -> bool {
    let frames = thrown.detail.as_ref().map_or(&[][..], |d| &d.frames);
    let helpers = frames.iter().take_while(|f| is_helper(f)).count();
    let Some(thrower) = frames.get(helpers) else {
        return false;
    };
    let same = thrower.class == called.class
        || search.library.is_subclass(&called.class, &thrower.class)
        || search.library.is_subclass(&thrower.class, &called.class);
    same && *thrower.method == *called.name
        && (helpers > 0 || search.library.makes(&thrower.class, &thrower.method, &thrown.class))
}

/// Methods that check arguments for others.
fn is_helper(frame: &Frame) -> bool {
    let class = frame.class.internal();
    let simple = class.rsplit('/').next().unwrap_or(class);
    match simple {
        "Objects" => frame.method.starts_with("require") || frame.method.starts_with("check"),
        "Intrinsics" => class.starts_with("kotlin/"),
        "Preconditions" | "Validate" | "Verify" | "Assert" | "Args" => true,
        _ => false,
    }
}

/// Does the sequence bring in a null that nobody said was welcome?
pub fn passes_unwelcome_null(catalog: &Catalog, statements: &[Statement]) -> bool {
    let is_null = |v: &Var| {
        let facts = catalog.facts(statements[v.index()].op);
        facts.null && facts.constant
    };
    // Arrays and lambdas that hold nulls are not spoken of by any annotation of a parameter.
    let holds_null = |s: &Statement| catalog.facts(s.op).null && !catalog.facts(s.op).constant;
    statements.iter().any(|s| {
        holds_null(s)
            || s.args.iter().enumerate().any(|(at, v)| is_null(v) && catalog.nullness(s.op, at) != Nullness::Welcome)
    })
}

/// Is a null of any origin among the arguments, other than where it is welcome? Calls give nulls back, too.
pub fn uses_unwelcome_null(search: &Search<'_>, sequence: &Sequence, execution: &Execution) -> bool {
    let made_null = |var: Var| {
        execution
            .observations
            .iter()
            .any(|o| o.var == var && usize::from(o.statement) == var.index() && o.value == Some(Value::Null))
    };
    // An array that some call gave back may be full of nulls, which nobody's annotation speaks of.
    let holds_null = |var: Var| {
        let seen = execution.observations.iter().filter(|o| o.var == var).filter_map(|o| o.value.as_ref());
        seen.into_iter().any(is_array_with_null)
    };
    let unwelcome =
        |op, at: usize, v: Var| holds_null(v) || made_null(v) && search.catalog.nullness(op, at) != Nullness::Welcome;
    passes_unwelcome_null(&search.catalog, sequence.statements())
        || sequence.statements().iter().any(|s| s.args.iter().enumerate().any(|(at, &v)| unwelcome(s.op, at, v)))
}

fn is_array_with_null(value: &Value) -> bool {
    match value {
        Value::Array { elements, .. } => elements.iter().any(|e| *e == Value::Null || is_array_with_null(e)),
        _ => false,
    }
}

/// Does the sequence pass null anywhere?
pub fn passes_null(catalog: &Catalog, sequence: &Sequence) -> bool {
    sequence.statements().iter().any(|s| catalog.facts(s.op).null)
}

/// Exceptions by which methods say that a call was not right, rather than that they are broken.
pub fn is_protest(class: &ClassName) -> bool {
    matches!(
        class.internal(),
        "java/lang/IllegalArgumentException"
            | "java/lang/IllegalStateException"
            | "java/lang/IndexOutOfBoundsException"
            | "java/util/NoSuchElementException"
            | "java/lang/NullPointerException"
    )
}
