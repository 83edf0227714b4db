//! `testudo inspect`: what is known about classes without running them. Owns the choice of views and how they are printed; the analyses
//! are in `bytecode`. A new view is a file beside these, an option, and a line here.

mod call;
mod dataflow;
mod emcdg;
mod kept;
mod purity;
mod symbolic;
mod table;

use bytecode::analysis::purity::Purity;
use bytecode::names::ClassName;
use bytecode::world::{MethodRef, World};
use serde_json::{Map, Value};

use crate::args::Inspect;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::project::Project;
use crate::screen;
use crate::solver::External;
use kept::Kept;

/// What one view has to say about one class.
struct Page {
    text: String,
    json: Value,
}

pub fn inspect(arguments: &Inspect) -> Result<ExitCode, Failure> {
    let (targets, method) = without_method(arguments)?;
    let project = Project::open(arguments.jdk.as_deref(), &targets, &arguments.classpath)?;
    for warning in &project.warnings {
        screen::tell(&format!("warning: {}", screen::lines(warning)));
    }
    let world = &*project.world;
    let classes: Vec<ClassName> = project.targets.iter().map(|t| t.class.clone()).collect();
    let mut pages: Vec<(&'static str, Vec<Page>)> = Vec::new();
    if arguments.dataflow {
        pages.push(("dataflow", dataflow::pages(world, &classes)?));
    }
    if arguments.purity || arguments.emcdg {
        let mut analysis = Purity::new(world);
        let kept = Kept::load(&project.jdk, &mut analysis, !arguments.no_cache);
        if arguments.purity {
            pages.push(("purity", purity::pages(world, &classes, &mut analysis)?));
        }
        if arguments.emcdg {
            pages.push(("emcdg", emcdg::pages(world, &classes, &mut analysis, arguments.dot)?));
        }
        kept.save(&analysis);
    }
    if arguments.symbolic {
        let external = arguments.solver.as_deref().map(External::start).transpose()?;
        let chain = external.map(|external| move || external.chain());
        let solver = chain.as_ref().map(|chain| chain as &dyn Fn() -> ::symbolic::solver::Chain);
        let asked = symbolic::Asked { method: method.as_deref(), solver };
        pages.push(("symbolic", symbolic::pages(world, &classes, &asked)?));
    }
    if arguments.json {
        screen::print(&screen::json(&format!("{}\n", json(&classes, pages))));
        return Ok(ExitCode::Success);
    }
    let mut first = true;
    for at in 0..classes.len() {
        for (_, list) in &pages {
            if !std::mem::take(&mut first) {
                screen::print("\n");
            }
            screen::print(&screen::layout(&list[at].text));
        }
    }
    Ok(ExitCode::Success)
}

/// The targets as other views know them, and the method that one of them names.
fn without_method(arguments: &Inspect) -> Result<(Vec<String>, Option<String>), Failure> {
    let mut method = None;
    let targets = arguments.targets.iter().map(|target| match target.split_once('#') {
        Some((class, name)) => {
            method = Some(name.to_owned());
            class.to_owned()
        }
        None => target.clone(),
    });
    let targets: Vec<String> = targets.collect();
    if method.is_some() && (!arguments.symbolic || targets.len() > 1) {
        return Err(Failure::Usage("CLASS#method is for --symbolic, with one target".to_owned()));
    }
    Ok((targets, method))
}

/// One object per class, with a member for every view.
fn json(classes: &[ClassName], pages: Vec<(&'static str, Vec<Page>)>) -> String {
    let mut all: Vec<Map<String, Value>> =
        classes.iter().map(|class| Map::from_iter([("class".to_string(), Value::String(class.binary()))])).collect();
    for (view, list) in pages {
        for (object, page) in all.iter_mut().zip(list) {
            object.insert(view.to_string(), page.json);
        }
    }
    let all = Value::Array(all.into_iter().map(Value::Object).collect());
    format!("{all:#}")
}

/// The members of a class that a reader knows: no class initialisers, nothing a compiler added.
fn members(world: &World, class: &ClassName) -> Result<Vec<MethodRef>, Failure> {
    let info = world.class(class).map_err(|p| Failure::Malformed { name: class.binary(), cause: p.to_string() })?;
    let all = (0..info.methods.len()).map(|index| MethodRef { class: info.clone(), index });
    Ok(all.filter(|m| !m.info().is_class_initializer() && !m.info().access.is_synthetic()).collect())
}
