//! Measures purity analysis on libraries: `purity_check EXECUTIONS JAR|- CLASS...`, or with `**` all public classes of the jar. Prints how far its
//! claims agree with what random calls are seen to do. Owns the printing only.

#[path = "../tests/purity/watch.rs"]
mod watching;

use std::path::PathBuf;

use bytecode::analysis::Purity;
use bytecode::names::ClassName;
use bytecode::world::Scope;
use exec::jdk::Jdk;

use watching::{Lab, Tally, watch};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let usage = "usage: purity_check EXECUTIONS JAR|- CLASS...";
    let executions: u64 = arguments.next().ok_or(usage)?.parse()?;
    let jar = arguments.next().ok_or(usage)?;
    let paths: Vec<PathBuf> = if jar == "-" { Vec::new() } else { vec![PathBuf::from(jar)] };
    let jdk = Jdk::find(None)?;
    let mut lab = Lab::new(&jdk, &paths);
    let world = lab.world.clone();
    let mut classes: Vec<ClassName> = arguments.map(|name| ClassName::from_binary(&name)).collect();
    if classes.first().is_some_and(|c| c.internal() == "**") {
        let usable = |name: &&ClassName| {
            let class = world.class(name);
            class.is_ok_and(|c| c.nesting.is_none() && c.access.is_public() && !c.is_interface() && !c.is_abstract())
        };
        classes = world.names(Scope::Application).iter().filter(usable).cloned().collect();
    }
    let mut purity = Purity::new(&world);
    let mut tally = Tally::default();
    for class in &classes {
        if let Err(why) = watch(&mut lab, class, executions, &mut purity, &mut tally) {
            eprintln!("{}: {why}", class.binary());
        }
    }
    println!("{} classes, {} calls", classes.len(), tally.calls);
    for (words, conventions) in [("with conventions", true), ("without conventions", false)] {
        let (both, claimed, seen, all) = tally.agreement(10, conventions);
        println!(
            "{words}: {all} methods, {claimed} claimed to change no argument, {seen} seen to change none, {both} both"
        );
    }
    println!("{} parameters changed against a claim {:#?}", tally.wrong.len(), tally.wrong);
    println!("{} by other threads {:#?}", tally.restless.len(), tally.restless);
    println!("{} only against conventions {:#?}", tally.unconventional.len(), tally.unconventional);
    Ok(())
}
