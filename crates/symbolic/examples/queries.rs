//! Solves every `.smt2` file of a folder and prints times per kind of query; never a part of the product.
//! `queries FOLDER` compares with FOLDER/expected.csv where that exists.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use symbolic::expr::Terms;
use symbolic::solver::{Answer, BitBlaster, Chain, Limit, Query, Solver};

#[expect(clippy::disallowed_methods, reason = "a program that measures")]
fn main() {
    let folder = std::env::args().nth(1).expect("a folder of .smt2 files");
    let only = std::env::args().nth(2).filter(|name| !name.starts_with("--")).unwrap_or_default();
    let folder = Path::new(&folder);
    let plain = std::env::args().any(|argument| argument == "--plain");
    let expected: BTreeMap<String, String> = std::fs::read_to_string(folder.join("expected.csv"))
        .unwrap_or_default()
        .lines()
        .filter_map(|line| line.split_once(','))
        .map(|(file, answer)| (file.to_string(), answer.trim().to_string()))
        .collect();
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder can be read")
        .map(|entry| entry.expect("the folder can be read").file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".smt2") && name.contains(&only))
        .collect();
    files.sort();
    let mut times: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for file in files {
        let text = std::fs::read_to_string(folder.join(&file)).expect("the file can be read");
        let mut terms = Terms::new();
        let queries = terms.read_script(&text).unwrap_or_else(|error| panic!("{file}: {error}"));
        for query in queries {
            let (start, before) = (Instant::now(), processor_time());
            let stop = || start.elapsed().as_secs() >= 20;
            let limit = Limit { conflicts: u32::MAX, stop: Some(&stop) };
            let mut solver: Box<dyn Solver> =
                if plain { Box::new(BitBlaster::default()) } else { Box::new(Chain::default()) };
            let answer = solver.check(&mut terms, &Query::new(query.conditions), limit);
            let milliseconds = match (before, processor_time()) {
                (Some(before), Some(after)) => (after - before) as f64 / 1e6,
                _ => start.elapsed().as_secs_f64() * 1000.0,
            };
            let name = match &answer {
                Answer::Sat(_) => "sat",
                Answer::Unsat => "unsat",
                Answer::Unknown(_) => "unknown",
            };
            let right = expected.get(&file).is_none_or(|expected| expected == name);
            if !right {
                println!("{file}: {answer:?}, expected {:?}, {milliseconds:.1} ms", expected.get(&file));
            } else if milliseconds > 200.0 || !only.is_empty() {
                println!("{file}: {name} {milliseconds:.1} ms");
            }
            let kind = file.trim_end_matches(".smt2").split_once('_').map_or("all", |(_, kind)| kind);
            times.entry(kind.to_string()).or_default().push(milliseconds);
        }
    }
    for (kind, mut times) in times {
        times.sort_by(f64::total_cmp);
        let at = |share: f64| times[((times.len() - 1) as f64 * share).round() as usize];
        println!(
            "{kind}: {} queries, median {:.1} ms, p95 {:.1} ms, most {:.1} ms",
            times.len(),
            at(0.5),
            at(0.95),
            at(1.0)
        );
    }
}

/// Nanoseconds that this thread was running, where the system tells: on a busy machine the only time worth comparing.
fn processor_time() -> Option<u64> {
    std::fs::read_to_string("/proc/thread-self/schedstat").ok()?.split(' ').next()?.parse().ok()
}
