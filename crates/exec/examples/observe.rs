//! Observes a suite from the command line and prints figures: for measuring what observation costs. Owns nothing; expects well-formed arguments.
//!
//! `observe JDK_HOME CLASSPATH TESTS_ENTRY TARGET_PREFIX NEEDS [TEST_PREFIX]`: the class path as Java writes it; tests are the classes of one
//! of its entries, targets those of all others, below a package prefix each. `NEEDS` are letters: s(tates) w(rites) r(eads of equals)
//! c(lasses of equal objects). With `FLAGS` in the environment, the JVM gets these and no sandbox, so that profilers reach it; with `FAILURES`,
//! tests that did not pass are listed.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytecode::names::ClassName;
use exec::classpath::{ClassPath, PlatformClasses};
use exec::jdk::Jdk;
use exec::runtime::Runtime;
use exec::suite::{SuiteConfig, observe};
use testcase::observed::{Needs, ObservedValue};

#[expect(clippy::disallowed_methods, reason = "it measures")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [home, path, tests, prefix, needs, rest @ ..] = &args[..] else {
        return Err("observe JDK_HOME CLASSPATH TESTS_ENTRY TARGET_PREFIX NEEDS [TEST_PREFIX]".into());
    };
    let jdk = Jdk::at(&PathBuf::from(home))?;
    let scratch = std::env::temp_dir().join(format!("testudo-observe-{}", std::process::id()));
    let entries: Vec<PathBuf> = std::env::split_paths(path).collect();
    let platform = Arc::new(PlatformClasses::open(&jdk)?);
    let (classpath, _) = ClassPath::open(&entries, &jdk, platform);
    let tests = PathBuf::from(tests);
    let mut config = SuiteConfig::new(jdk, Runtime::install(&scratch)?, scratch.clone());
    let test_prefix = rest.first().map_or("", String::as_str);
    let below = |names: Vec<ClassName>, prefix: &str| -> Vec<ClassName> {
        names.into_iter().filter(|name| name.internal().starts_with(prefix)).collect()
    };
    config.tests = below(classpath.names_in(&tests), test_prefix);
    for entry in entries.iter().filter(|entry| **entry != tests) {
        config.targets.extend(below(classpath.names_in(entry), prefix));
    }
    config.classpath = entries;
    config.needs = Needs {
        states: needs.contains('s'),
        writes: needs.contains('w'),
        equals_reads: needs.contains('r'),
        equals_classes: needs.contains('c'),
    };
    config.total_limit = Duration::from_secs(1200);
    config.test_limit = Duration::from_secs(60);
    if let Ok(flags) = std::env::var("FLAGS") {
        config.flags = flags.split_whitespace().map(Into::into).collect();
        config.sandboxed = false;
    }
    let start = Instant::now();
    let report = observe(&config)?;
    let seconds = start.elapsed().as_secs_f64();
    let mut outcomes: BTreeMap<String, u32> = BTreeMap::new();
    let mut fallbacks: BTreeMap<String, u32> = BTreeMap::new();
    let (mut calls, mut assertions, mut unrecorded) = (0, 0, 0);
    for run in &report.suite.runs {
        let outcome = format!("{:?}", run.outcome);
        *outcomes.entry(outcome.split([' ', '(']).next().unwrap_or_default().to_owned()).or_default() += 1;
        calls += run.calls.len();
        assertions += run.assertions.len();
        unrecorded += run.unrecorded;
        for value in run.calls.iter().flat_map(|call| &call.receiver) {
            if let ObservedValue::Object(object) = value {
                *fallbacks.entry(format!("{:?}", object.fallback)).or_default() += 1;
            }
        }
    }
    let micros: u64 = report.suite.runs.iter().map(|run| run.micros).sum();
    println!(
        "{} runs in {seconds:.1} s, in tests {:.1} s, {} restarts",
        report.suite.runs.len(),
        micros as f64 / 1e6,
        report.restarts
    );
    println!("{outcomes:?}, {calls} calls, {assertions} assertions, {unrecorded} unrecorded, {} probes", report.probes);
    println!("receivers: {fallbacks:?}");
    let mut slowest: Vec<_> = report.suite.runs.iter().collect();
    slowest.sort_by_key(|run| std::cmp::Reverse(run.micros));
    for run in slowest.iter().take(8) {
        println!("{:>9} µs {:>7} calls {}.{}", run.micros, run.calls.len(), run.method.class.binary(), run.method.name);
    }
    for note in report.suite.notes.iter().take(20) {
        println!("note: {note}");
    }
    if std::env::var_os("FAILURES").is_some() {
        for run in &report.suite.runs {
            if !matches!(run.outcome, testcase::observed::TestOutcome::Passed) {
                println!("{}.{} {:?}", run.method.class.binary(), run.method.name, run.outcome);
            }
        }
    }
    let _ = std::fs::remove_dir_all(&scratch);
    Ok(())
}
