//! Prints how long the purity analysis of a JDK takes, and how many methods it calls pure:
//! `purity_speed JDK_HOME [CLASS...]`. With classes, prints the verdicts on their methods instead. Owns the measuring
//! only.

use std::borrow::Cow;
use std::fs::File;
use std::sync::Arc;
use std::time::Instant;

use bytecode::analysis::{Effect, Purity};
use bytecode::jimage::Jimage;
use bytecode::names::ClassName;
use bytecode::world::{ClassSource, MethodRef, Scope, World};
use memmap2::Mmap;

struct Jdk {
    image: Jimage<Mmap>,
}

impl ClassSource for Jdk {
    fn class_bytes(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        self.image.class_bytes(name).ok().flatten()
    }
    fn names(&self, scope: Scope) -> Vec<ClassName> {
        match scope {
            Scope::Platform => self.image.classes().flatten().map(|(_, name)| name).collect(),
            Scope::Application => Vec::new(),
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "measuring is what this program is for")]
fn timed<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    println!("{:8.1} ms  {what}", start.elapsed().as_secs_f64() * 1e3);
    result
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let home = arguments.next().ok_or("usage: purity_speed JDK_HOME [CLASS...]")?;
    // The file belongs to an installed JDK; nothing writes it meanwhile.
    let map = unsafe { Mmap::map(&File::open(format!("{home}/lib/modules"))?)? };
    let image = Jimage::open(map)?;
    let base: Vec<ClassName> =
        image.classes().flatten().filter(|(module, _)| *module == "java.base").map(|(_, name)| name).collect();
    let world = World::new(Arc::new(Jdk { image }));
    let mut purity = timed("index of subclasses", || Purity::new(&world));
    let named: Vec<ClassName> = arguments.map(|a| ClassName::from_binary(&a)).collect();
    let classes = if named.is_empty() { &base } else { &named };
    let mut methods = Vec::new();
    for name in classes {
        let class = world.class(name)?;
        for index in 0..class.methods.len() {
            let method = MethodRef { class: class.clone(), index };
            if method.info().has_code && !method.info().is_class_initializer() {
                methods.push(method);
            }
        }
    }
    let verdicts = timed("all verdicts", || methods.iter().map(|m| purity.verdict(m, None)).collect::<Vec<_>>());
    let pure = verdicts.iter().filter(|v| v.pure).count();
    let strictly = verdicts.iter().filter(|v| v.strictly_pure).count();
    let analysed = purity.analysed();
    println!("{} methods, {pure} pure, {strictly} without conventions, {analysed} analysed", methods.len());
    let params = || verdicts.iter().flat_map(|v| &v.params);
    for effect in [Effect::Safe, Effect::ReadOnly, Effect::ReadWrite] {
        println!("{:>8} parameters {}", params().filter(|p| p.effect == effect).count(), effect.name());
    }
    if !named.is_empty() {
        for (method, verdict) in methods.iter().zip(&verdicts) {
            let params: Vec<String> = verdict
                .params
                .iter()
                .map(|p| format!("{}{}", p.effect.name(), if p.effect == p.strict { "" } else { "*" }))
                .collect();
            println!("{method:?}: {} [{}]", if verdict.pure { "pure" } else { "-" }, params.join(", "));
        }
    }
    Ok(())
}
