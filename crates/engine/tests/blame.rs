//! Who is to blame: what a run shows counts as a bug of the class only if nobody else brought it about, and a test counts only if it leaves others alone.

mod fake;

use engine::catalog::{Catalog, Role};
use engine::library::{Member, Nullness};
use engine::options::Options;
use engine::oracle::legality::passes_unwelcome_null;
use engine::oracle::suspicion::{Suspicions, is_refusal};
use engine::search::{Proposal, Search};
use fake::{FakeLibrary, goals};
use testcase::cost::Cost;
use testcase::execution::{Contract, Execution, Frame, Observation, Outcome, Thrown, ThrownDetail, Violation};
use testcase::operation::{Lambda, LambdaBody, OpId, Operation, OperationKind};
use testcase::sequence::{Sequence, SequenceBuilder, Var};
use testcase::types::{ClassType, Type, TypeArg};
use testcase::value::Constant;

fn thrown(class: &str, method: &str) -> Thrown {
    let frame = Frame { class: "java/util/TreeMap".into(), method: method.into(), line: 1 };
    let detail = ThrownDetail { message: None, frames: vec![frame], cause: None, supers: Vec::new() };
    Thrown { class: class.into(), detail: Some(std::sync::Arc::new(detail)) }
}

fn call(name: &str, is_static: bool, params: Vec<Type>, result: Type) -> Operation {
    Operation {
        kind: OperationKind::Call {
            owner: "demo/Other".into(),
            name: name.into(),
            descriptor: "()V".into(),
            is_static,
            owner_is_interface: false,
            varargs: false,
        },
        params,
        result,
    }
}

/// A sequence in which each operation takes the value before it, as often as it has parameters.
fn chain(ops: &[(OpId, usize)]) -> Sequence {
    let mut builder = SequenceBuilder::with_capacity(ops.len());
    for (at, (op, params)) in ops.iter().enumerate() {
        let args = vec![Var(at.saturating_sub(1) as u16); *params];
        builder.push(*op, &args);
    }
    builder.finish()
}

fn seen(statement: u16, var: u16, class: &str) -> Observation {
    Observation {
        statement,
        var: Var(var),
        class: Some(class.into()),
        state: None,
        equals_class: None,
        equals_state: None,
        same_as: None,
        value: None,
        changed: None,
    }
}

fn nothing(dirtied_statics: bool) -> Execution {
    Execution { dirtied_statics, ..Execution::ended(Outcome::Normal) }
}

#[test]
fn refusals_are_no_bugs() {
    let mut catalog = Catalog::default();
    let object = catalog.constant(&FakeLibrary, Constant::Null, Type::object());
    let list = ClassType { name: "java/util/List".into(), args: vec![TypeArg::Exact(Type::object())] };
    let from = catalog.facts(object).result;
    let unchecked = catalog.cast(&FakeLibrary, from, &Type::Class(list));
    let checked = catalog.cast(&FakeLibrary, from, &Type::class("java/lang/String"));
    let check = |cast: OpId, class: &str, method: &str, expected: bool| {
        let sequence = chain(&[(object, 0), (cast, 1)]);
        let found = is_refusal(&catalog, sequence.statements(), &thrown(class, method));
        assert_eq!(found, expected, "{class} in {method}");
    };
    check(checked, "java/lang/ClassCastException", "compare", true);
    check(checked, "java/lang/ClassCastException", "compareTo", true);
    check(checked, "java/lang/ClassCastException", "put", false);
    check(unchecked, "java/lang/ClassCastException", "put", true);
    check(checked, "java/util/ConcurrentModificationException", "next", true);
    check(checked, "java/lang/UnsupportedOperationException", "add", true);
    check(checked, "java/lang/IllegalStateException", "compare", false);
    check(unchecked, "java/lang/NullPointerException", "put", false);
}

#[test]
fn null_is_an_excuse_unless_it_is_declared_welcome() {
    let mut catalog = Catalog::default();
    let null = catalog.constant(&FakeLibrary, Constant::Null, Type::object());
    let take = catalog.add(&FakeLibrary, call("take", true, vec![Type::object()], Type::Void), Role::Target);
    for (said, expected) in [
        (vec![], true),
        (vec![Nullness::Unknown], true),
        (vec![Nullness::Forbidden], true),
        (vec![Nullness::Welcome], false),
    ] {
        let member = Member {
            class: "demo/Other".into(),
            name: "take".into(),
            descriptor: "(Ljava/lang/Object;)V".into(),
            throws: Vec::new(),
            deprecated: false,
            hidden: false,
            nullness: said.clone(),
        };
        catalog.describe(take, Some(member), None, &[]);
        let sequence = chain(&[(null, 0), (take, 1)]);
        assert_eq!(passes_unwelcome_null(&catalog, sequence.statements()), expected, "{said:?}");
        // A null that nobody uses excuses nothing.
        assert!(!passes_unwelcome_null(&catalog, &sequence.statements()[..1]));
    }
}

#[test]
fn what_we_bring_about_ourselves_is_not_held_against_a_class() {
    let mut catalog = Catalog::default();
    let make = Operation {
        kind: OperationKind::Construct {
            class: "demo/Other".into(),
            descriptor: "()V".into(),
            varargs: false,
            inner: false,
        },
        params: Vec::new(),
        result: Type::class("demo/Other"),
    };
    let make = catalog.add(&FakeLibrary, make, Role::Target);
    let lambda = |interface: &str| Operation {
        kind: OperationKind::Lambda(Lambda {
            interface: interface.into(),
            method: "apply".into(),
            descriptor: "()I".into(),
            exact: "()I".into(),
            body: LambdaBody::Constant(Constant::Int(1)),
        }),
        params: Vec::new(),
        result: Type::class(interface),
    };
    let comparator = catalog.add(&FakeLibrary, lambda("java/util/Comparator"), Role::Part);
    let supplier = catalog.add(&FakeLibrary, lambda("java/util/function/Supplier"), Role::Part);
    let member = |hidden: bool| Member {
        class: "demo/Other".into(),
        name: "m".into(),
        descriptor: "()V".into(),
        throws: Vec::new(),
        deprecated: false,
        hidden,
        nullness: Vec::new(),
    };
    let mut method = |name: &str, hidden: bool| {
        let op =
            catalog.add(&FakeLibrary, call(name, false, vec![Type::class("demo/Other")], Type::Void), Role::Target);
        catalog.describe(op, Some(member(hidden)), None, &[]);
        op
    };
    let (open, hidden) = (method("open", false), method("hidden", true));
    let check = |ops: &[(OpId, usize)], suspicious: bool| {
        let sequence = chain(ops);
        let statement = sequence.len() as u16 - 1;
        let violation = Violation { contract: Contract::EqualsReflexive, statement, vars: vec![Var(0)], thrown: None };
        let mut suspicions = Suspicions::default();
        suspicions.violations(&catalog, &Proposal::of_session(sequence, Cost::default()), &[violation]);
        assert_eq!(!suspicions.is_empty(), suspicious, "{ops:?}");
    };
    check(&[(make, 0)], true);
    check(&[(make, 0), (open, 1)], true);
    check(&[(make, 0), (hidden, 1)], false);
    check(&[(supplier, 0), (make, 0)], true);
    check(&[(comparator, 0), (make, 0)], false);
}

#[test]
fn changing_what_everybody_shares_disturbs() {
    let mut search = Search::new(&FakeLibrary, goals(), Vec::new(), Options::default());
    let other = || Type::class("demo/Other");
    let mut add = |operation: Operation| search.catalog.add(&FakeLibrary, operation, Role::Feed);
    let shared = add(call("shared", true, vec![], other()));
    let name = add(call("name", true, vec![], Type::class("java/lang/String")));
    let own = add(Operation {
        kind: OperationKind::Construct {
            class: "demo/Other".into(),
            descriptor: "()V".into(),
            varargs: false,
            inner: false,
        },
        params: vec![],
        result: other(),
    });
    let set = add(call("set", false, vec![other()], Type::Void));
    let get = add(call("get", false, vec![other()], Type::object()));
    let append = add(call("append", false, vec![other(), Type::class("java/lang/String")], Type::Void));
    let check = |ops: &[(OpId, usize)], dirtied: bool, expected: bool| {
        let execution = nothing(dirtied);
        assert_eq!(search.disturbs(&chain(ops), &execution), expected, "{ops:?}");
    };
    check(&[(shared, 0), (set, 1)], true, true);
    check(&[(shared, 0), (set, 1)], false, false);
    check(&[(own, 0), (set, 1)], true, false);
    check(&[(shared, 0), (get, 1)], true, false);
    // What a shared object hands out may be shared, too.
    check(&[(shared, 0), (get, 1), (set, 1)], true, true);
    check(&[(name, 0), (append, 2)], true, false);
}

#[test]
fn a_value_of_another_type_than_its_variable_is_not_used() {
    let mut search = Search::new(&FakeLibrary, goals(), Vec::new(), Options::default());
    let mut add = |operation: Operation| search.catalog.add(&FakeLibrary, operation, Role::Feed);
    let text = add(call("text", true, vec![], Type::class("java/lang/String")));
    let object = add(call("object", true, vec![], Type::object()));
    let other = add(call("other", true, vec![], Type::class("demo/Other")));
    let user = add(call("use", true, vec![Type::object()], Type::Void));
    let check = |ops: &[(OpId, usize)], class: &str, expected: bool| {
        let seen = seen(0, 0, class);
        let execution = Execution { observations: vec![seen], ..nothing(false) };
        assert_eq!(search.is_polluted(&chain(ops), &execution), expected, "{ops:?} {class}");
    };
    check(&[(text, 0), (user, 1)], "java/lang/String", false);
    check(&[(text, 0), (user, 1)], "java/util/ArrayList", true);
    check(&[(object, 0), (user, 1)], "java/util/ArrayList", false);
    // A lambda is no string, but may well be what an interface's name promises.
    check(&[(text, 0), (user, 1)], "made/up/Lambda", true);
    check(&[(other, 0), (user, 1)], "made/up/Lambda", false);
    check(&[(other, 0), (user, 1)], "java/util/ArrayList", true);
    // Nobody uses it, so that javac needs no cast.
    check(&[(text, 0)], "java/util/ArrayList", false);
}
