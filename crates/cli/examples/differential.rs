//! Compares the symbolic machine with a JVM on random sequences: `differential JDK SEQUENCES SEED PATH[:PATH...] [CLASS...]`, over all classes of the first path or those whose
//! names contain one of the texts. Prints differences, what was not modelled and where, and a line of totals. Owns the printing only.

#[path = "../tests/differential/bench.rs"]
mod bench;
#[path = "../tests/differential/lab.rs"]
mod lab;

use std::path::{Path, PathBuf};

use bench::Report;
use exec::jdk::Jdk;
use lab::Lab;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let usage = "usage: differential JDK SEQUENCES SEED PATH[:PATH...] [CLASS...]";
    let jdk = Jdk::at(Path::new(&arguments.next().ok_or(usage)?))?;
    let sequences: u64 = arguments.next().ok_or(usage)?.parse()?;
    let seed: u64 = arguments.next().ok_or(usage)?.parse()?;
    let paths: Vec<PathBuf> = arguments.next().ok_or(usage)?.split(':').map(PathBuf::from).collect();
    let wanted: Vec<String> = arguments.collect();
    let scratch = tempfile::tempdir()?;
    let mut lab = Lab::new(&jdk, &paths, scratch.path());
    let mut total = Report::default();
    let mut classes = 0;
    for name in lab.names() {
        if !wanted.is_empty() && !wanted.iter().any(|w| name.internal().contains(w.as_str())) {
            continue;
        }
        let report = match lab.compare(&name, sequences, seed) {
            Ok(Some(report)) if report.sequences > 0 => report,
            Ok(_) => continue,
            Err(problem) => {
                println!("{name}: not compared: {problem}");
                continue;
            }
        };
        classes += 1;
        if report.wrong_count > 0 || report.stopped() * 10 > report.sequences {
            println!(
                "{name}: {} sequences, {} not modelled, {} wrong",
                report.sequences,
                report.stopped(),
                report.wrong_count
            );
        }
        for wrong in report.wrong.iter().take(3) {
            println!("  {}", wrong.chars().take(1_500).collect::<String>());
        }
        if std::env::var_os("TESTUDO_SHOW_UNSTABLE").is_some() {
            for unstable in report.unstable_shown.iter().take(3) {
                println!("  unstable: {}", unstable.chars().take(1_500).collect::<String>());
            }
        }
        total.add(report);
    }
    println!("reasons:");
    for (reason, count) in total.reasons() {
        let place = total.places.get(reason).map_or("", |p| p.as_str());
        println!("{count:8} {reason}    {place}");
    }
    println!("unstable by: {:?}", total.unstable);
    println!(
        "Java {}: {classes} classes, {} sequences, {} wrong, {} not modelled ({:.2} %), {} unstable, {} by history; {} values, {} states, {} states not looked at, {} probes, {} operands, {} distances, {} checked, {} contracts broken",
        jdk.feature,
        total.sequences,
        total.wrong_count,
        total.stopped(),
        100.0 * total.stopped() as f64 / total.sequences.max(1) as f64,
        total.unstable_count(),
        total.of_history,
        total.values,
        total.states,
        total.unknown_states,
        total.probes,
        total.operands,
        total.distances,
        total.checked,
        total.violations
    );
    Ok(())
}
