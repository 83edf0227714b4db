//! Candidate sequences and their exploration on small classes, with exact expectations. No JVM is needed to run them, only a compiler.

mod lab;
mod source;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use engine::generate::concolic::settings::{Concolic, Criterion, Order};
use engine::options::Options;
use lab::{Lab, Report};

fn lab() -> &'static Lab {
    static LAB: OnceLock<Lab> = OnceLock::new();
    LAB.get_or_init(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
        let mut sources: Vec<PathBuf> = Vec::new();
        for folder in ["jtestcraft/src/jtestcraft"] {
            let files = std::fs::read_dir(root.join(folder)).unwrap().map(|e| e.unwrap().path());
            sources.extend(files.filter(|f| f.extension().is_some_and(|e| e == "java")));
        }
        sources.sort();
        let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("concolic-classes");
        source::compile(&out, &sources);
        Lab::new(&out)
    })
}

fn run(class: &str, settings: Concolic) -> Report {
    let options = Options { technique: "concolic".to_owned(), contracts: false, concolic: settings, ..Options::default() };
    lab().run(class, options, 100_000)
}

fn exhaustive(calls: usize) -> Concolic {
    Concolic { calls, order: Order::Exhaustive, criterion: Criterion::Path, ..Concolic::default() }
}

#[test]
fn show() {
    for (class, n) in [("Bmi", 1), ("Clamp", 1), ("Gcd", 1), ("Buffer", 2), ("Coinbox", 6), ("Monitor", 4), ("Orders", 5)] {
        let report = run(&format!("jtestcraft/{class}"), exhaustive(n));
        println!("{class} {n}: {report:#?}");
        let report = run(&format!("jtestcraft/{class}"), Concolic::default());
        println!("{class} aimed: {report:#?}");
    }
}
