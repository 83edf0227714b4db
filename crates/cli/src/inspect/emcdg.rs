//! The view `--emcdg`: the method call dependence graph and the function set, with and without what purity rules out. Owns its columns.

use bytecode::analysis::emcdg::{Emcdg, Function, Item, label, type_name};
use bytecode::analysis::purity::Purity;
use bytecode::names::ClassName;
use bytecode::world::World;
use serde_json::{Value, json};

use super::Page;
use super::table::{EMPTY, cell, table};
use crate::failure::Failure;

pub fn pages(world: &World, classes: &[ClassName], purity: &mut Purity<'_>, dot: bool) -> Result<Vec<Page>, Failure> {
    classes.iter().map(|class| page(world, class, purity, dot)).collect()
}

fn page(world: &World, class: &ClassName, purity: &mut Purity<'_>, dot: bool) -> Result<Page, Failure> {
    let whole =
        Emcdg::build(world, class).map_err(|p| Failure::Malformed { name: class.binary(), cause: p.to_string() })?;
    let purified = whole.purified(purity);
    let (all, kept) = (whole.functions(), purified.functions());
    let text = if dot {
        purified.dot()
    } else {
        let mut text = format!(
            "{}: function set {} → {} entries, graph {} → {} edges without what is only read\n\n",
            class.binary(),
            all.len(),
            kept.len(),
            whole.edges(),
            purified.edges()
        );
        let rows: Vec<Vec<String>> = all.iter().map(|f| row(&whole, f, kept.contains(f))).collect();
        text.push_str(&table(&["Member", "Gives", "Needs", "Purified"], &rows));
        text
    };
    let json = json!({
        "types": whole.types.iter().map(ToString::to_string).collect::<Vec<String>>(),
        "entries": all.len(),
        "entries_purified": kept.len(),
        "edges": whole.edges(),
        "edges_purified": purified.edges(),
        "functions": all.iter().map(|f| object(&whole, f, kept.contains(f))).collect::<Vec<Value>>(),
    });
    Ok(Page { text, json })
}

fn item(graph: &Emcdg, (data_type, item): (usize, Item)) -> String {
    format!("{} [{item}]", type_name(&graph.types[data_type]))
}

fn row(graph: &Emcdg, function: &Function, kept: bool) -> Vec<String> {
    vec![
        label(&graph.members[function.member]),
        item(graph, function.gives),
        cell(function.needs.iter().map(|n| item(graph, *n))),
        if kept { EMPTY } else { "excluded" }.to_string(),
    ]
}

fn object(graph: &Emcdg, function: &Function, kept: bool) -> Value {
    json!({
        "member": label(&graph.members[function.member]),
        "gives": item(graph, function.gives),
        "needs": function.needs.iter().map(|n| item(graph, *n)).collect::<Vec<String>>(),
        "kept": kept,
    })
}
