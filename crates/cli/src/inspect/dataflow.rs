//! The view `--dataflow`: what methods define and use, need and give. Owns its columns.

use std::collections::BTreeSet;

use bytecode::analysis::dataflow::{DataFlow, Field, Flow, Follow};
use bytecode::analysis::emcdg::{Member, label, type_name};
use bytecode::names::{ClassName, FieldType};
use bytecode::world::World;
use serde_json::{Value, json};

use super::table::{cell, table};
use super::{Page, members};
use crate::failure::Failure;

const HEADINGS: [&str; 9] =
    ["Invokable", "Defines", "Uses", "Stores into", "Loads from", "Asks for", "Arguments", "Return", "Opaque"];

pub fn pages(world: &World, classes: &[ClassName]) -> Result<Vec<Page>, Failure> {
    // Of classes of the JDK everything they call is of the JDK.
    let all_platform = classes.iter().all(|c| !world.is_application(c));
    let follow = if all_platform { Follow::Everything } else { Follow::Application };
    let mut facts = DataFlow::new(world, follow);
    classes.iter().map(|class| page(world, class, &mut facts)).collect()
}

fn page(world: &World, class: &ClassName, facts: &mut DataFlow<'_>) -> Result<Page, Failure> {
    let (mut rows, mut json) = (Vec::new(), Vec::new());
    for method in members(world, class)? {
        let flow = facts.whole(&method);
        let name = label(&Member::Method(method.clone()));
        rows.push(row(class, &name, &flow));
        json.push(object(&name, &method.info().raw_descriptor, &flow));
    }
    let text = format!(
        "{}: what its methods, and all they call, define and use\n\n{}",
        class.binary(),
        table(&HEADINGS, &rows)
    );
    Ok(Page { text, json: Value::Array(json) })
}

fn row(class: &ClassName, name: &str, flow: &Flow) -> Vec<String> {
    let fields = |list: &BTreeSet<Field>| {
        // Fields of the class itself first, by their bare names.
        let own = list.iter().filter(|f| f.class == *class).map(|f| f.name.clone());
        let others = list.iter().filter(|f| f.class != *class).map(|f| f.to_string().replace('$', "."));
        cell(own.chain(others).collect::<Vec<String>>())
    };
    let types = |list: &mut dyn Iterator<Item = &FieldType>| cell(list.map(type_name).collect::<Vec<String>>());
    let opaque: BTreeSet<&ClassName> = flow.opaque_defines.iter().chain(&flow.opaque_uses).collect();
    vec![
        name.to_string(),
        fields(&flow.defines),
        fields(&flow.uses),
        types(&mut flow.stores.iter()),
        types(&mut flow.loads.iter()),
        types(&mut flow.casts.union(&flow.tests)),
        types(&mut flow.requires.iter()),
        types(&mut flow.returns.iter()),
        cell(opaque.iter().map(|c| c.simple_binary().replace('$', "."))),
    ]
}

fn object(name: &str, descriptor: &str, flow: &Flow) -> Value {
    let fields = |list: &BTreeSet<Field>, is_static: bool| -> Vec<String> {
        let wanted = list.iter().filter(|f| f.is_static == is_static);
        wanted.map(|f| format!("{}.{}", f.class.binary(), f.name)).collect()
    };
    let types = |list: &BTreeSet<FieldType>| list.iter().map(ToString::to_string).collect::<Vec<String>>();
    let classes = |list: &BTreeSet<ClassName>| list.iter().map(ClassName::binary).collect::<Vec<String>>();
    json!({
        "invokable": name,
        "descriptor": descriptor,
        "defines": fields(&flow.defines, false),
        "uses": fields(&flow.uses, false),
        "defines_static": fields(&flow.defines, true),
        "uses_static": fields(&flow.uses, true),
        "stores": types(&flow.stores),
        "loads": types(&flow.loads),
        "casts": types(&flow.casts),
        "tests": types(&flow.tests),
        "opaque_defines": classes(&flow.opaque_defines),
        "opaque_uses": classes(&flow.opaque_uses),
        "requires": flow.requires.iter().map(ToString::to_string).collect::<Vec<String>>(),
        "returns": flow.returns.as_ref().map(ToString::to_string),
    })
}
