//! The view `--purity`: what methods do to their parameters. Owns its columns.

use bytecode::analysis::emcdg::{Member, label};
use bytecode::analysis::purity::{MethodPurity, ParamPurity, Purity};
use bytecode::names::ClassName;
use bytecode::world::{MethodRef, World};
use serde_json::{Value, json};

use super::table::{EMPTY, cell, table};
use super::{Page, members};
use crate::failure::Failure;

pub fn pages(world: &World, classes: &[ClassName], purity: &mut Purity<'_>) -> Result<Vec<Page>, Failure> {
    classes.iter().map(|class| page(world, class, purity)).collect()
}

fn page(world: &World, class: &ClassName, purity: &mut Purity<'_>) -> Result<Page, Failure> {
    let (mut rows, mut json) = (Vec::new(), Vec::new());
    let mut relies = false;
    for method in members(world, class)?.into_iter().filter(|m| m.info().has_code) {
        // A test calls the methods of objects that it made of this very class.
        let exact = (!method.class.is_abstract()).then_some(class);
        let verdict = purity.verdict(&method, exact);
        let name = label(&Member::Method(method.clone()));
        rows.push(row(&method, &name, &verdict));
        relies |= verdict.params.iter().any(|p| p.effect != p.strict) || verdict.pure != verdict.strictly_pure;
        json.push(object(&name, &method.info().raw_descriptor, &method, &verdict));
    }
    let headings = ["Method", "Receiver", "Parameters", "Pure", "Globals"];
    let mut text =
        format!("{}: what its methods do to their parameters\n\n{}", class.binary(), table(&headings, &rows));
    if relies {
        text.push_str(
            "\n* if equals, hashCode, toString, compareTo and the like change nothing, whoever implements them\n",
        );
    }
    Ok(Page { text, json: Value::Array(json) })
}

fn split<'v>(method: &MethodRef, verdict: &'v MethodPurity) -> (Option<&'v ParamPurity>, &'v [ParamPurity]) {
    match (method.info().access.is_static(), verdict.params.split_first()) {
        (false, Some((receiver, params))) => (Some(receiver), params),
        _ => (None, &verdict.params),
    }
}

fn row(method: &MethodRef, name: &str, verdict: &MethodPurity) -> Vec<String> {
    let word = |p: &ParamPurity| format!("{}{}", p.effect.name(), if p.effect == p.strict { "" } else { "*" });
    let (receiver, params) = split(method, verdict);
    let pure = match (verdict.pure, verdict.strictly_pure) {
        (true, true) => "pure",
        (true, false) => "pure*",
        _ => EMPTY,
    };
    let globals = if verdict.changes_globals { "changed" } else { EMPTY };
    vec![
        name.to_string(),
        receiver.map_or(EMPTY.to_string(), word),
        cell(params.iter().map(word)),
        pure.to_string(),
        globals.to_string(),
    ]
}

fn object(name: &str, descriptor: &str, method: &MethodRef, verdict: &MethodPurity) -> Value {
    let param = |p: &ParamPurity| json!({ "effect": p.effect.name(), "without_conventions": p.strict.name() });
    let (receiver, params) = split(method, verdict);
    json!({
        "method": name,
        "descriptor": descriptor,
        "receiver": receiver.map(param),
        "parameters": params.iter().map(param).collect::<Vec<Value>>(),
        "pure": verdict.pure,
        "pure_without_conventions": verdict.strictly_pure,
        "changes_globals": verdict.changes_globals,
    })
}
