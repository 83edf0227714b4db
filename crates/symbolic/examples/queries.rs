//! Solves every `.smt2` file of a folder and prints times per kind of query (the file's name after its number); never a
//! part of the product. `queries FOLDER [PART OF NAME] [--plain] [--solver z3|cvc5|bitwuzla|PROGRAM]…`: by the chain,
//! by the back end alone with `--plain`, and by every solver named. Compares with FOLDER/expected.csv where that
//! exists. Times are the processor's, so that a busy machine matters less.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use symbolic::expr::Terms;
use symbolic::solver::{Answer, BitBlaster, Chain, Limit, Query, SmtLib, Solver};

/// Seconds of processor time that a query may take.
const PATIENCE: u32 = 1;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().expect("a folder of .smt2 files");
    let (mut part, mut solvers) = (String::new(), Vec::new());
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--plain" => solvers.push("plain".to_string()),
            "--solver" => solvers.push(arguments.next().expect("the name of a solver")),
            _ => part = argument,
        }
    }
    solvers.insert(0, "chain".to_string());
    let folder = Path::new(&folder);
    let expected = expected_answers(folder);
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .expect("the folder can be read")
        .map(|entry| entry.expect("the folder can be read").file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".smt2") && name.contains(&part))
        .collect();
    files.sort();
    for solver in solvers {
        let mut times: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        let (mut solved, mut wrong, mut all) = (0, 0, 0);
        for file in &files {
            let text = std::fs::read_to_string(folder.join(file)).expect("the file can be read");
            let kind = file.trim_end_matches(".smt2").split_once('_').map_or("all", |(_, kind)| kind);
            for (answer, milliseconds) in solve(&solver, &text) {
                all += 1;
                let name = match &answer {
                    Answer::Sat(_) => "sat",
                    Answer::Unsat => "unsat",
                    Answer::Unknown(_) => "unknown",
                };
                solved += usize::from(name != "unknown");
                let right = expected.get(file).is_none_or(|expected| expected == name);
                wrong += usize::from(!right && name != "unknown");
                if !right || milliseconds > 1000.0 || !part.is_empty() {
                    println!(
                        "{solver}: {file}: {name}, {milliseconds:.1} ms{}",
                        if right { "" } else { ", not as expected" }
                    );
                }
                times.entry(kind.to_string()).or_default().push(milliseconds);
            }
        }
        println!("{solver}: {solved} of {all} solved, {wrong} wrong");
        for (kind, mut times) in times {
            times.sort_by(f64::total_cmp);
            let at = |share: f64| times[((times.len() - 1) as f64 * share).round() as usize];
            println!(
                "{solver}: {kind}: {} queries, median {:.2} ms, p95 {:.1} ms, most {:.1} ms",
                times.len(),
                at(0.5),
                at(0.95),
                at(1.0)
            );
        }
    }
}

fn expected_answers(folder: &Path) -> BTreeMap<String, String> {
    let table = std::fs::read_to_string(folder.join("expected.csv")).unwrap_or_default();
    let rows = table.lines().filter_map(|line| line.split_once(','));
    rows.map(|(file, answer)| (file.to_string(), answer.trim().to_string())).collect()
}

/// The answers to all questions of a script, and the milliseconds they took.
fn solve(solver: &str, text: &str) -> Vec<(Answer, f64)> {
    let mut terms = Terms::new();
    let queries = terms.read_script(text).unwrap_or_else(|error| panic!("{error}"));
    let asked = queries.into_iter().map(|query| {
        let mut solver: Box<dyn Solver> = match solver {
            "chain" => Box::new(Chain::default()),
            "plain" => Box::new(BitBlaster::default()),
            program => {
                let program = program.to_string();
                Box::new(SmtLib::new(move |script: &str| run(&program, script)))
            }
        };
        let before = processor_milliseconds();
        let stop = || processor_milliseconds() - before >= f64::from(PATIENCE) * 1000.0;
        let limit = Limit { stop: Some(&stop), ..Limit::ORDINARY };
        let answer = solver.check(&mut terms, &Query::new(query.conditions), limit);
        (answer, processor_milliseconds() - before)
    });
    asked.collect()
}

fn run(program: &str, script: &str) -> Result<String, String> {
    let arguments: &[&str] = match program {
        "z3" => &["-in"],
        "cvc5" => &["--lang=smt2", "--fp-exp"],
        _ => &[],
    };
    // The shell limits the processor time; what is killed has printed nothing.
    let mut child = Command::new("sh")
        .args(["-c", &format!("ulimit -t {PATIENCE}; exec \"$0\" \"$@\""), program])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("{program}: {error}"))?;
    let mut input = child.stdin.take().ok_or("no input")?;
    input.write_all(script.as_bytes()).map_err(|error| format!("{program}: {error}"))?;
    drop(input);
    let output = child.wait_with_output().map_err(|error| format!("{program}: {error}"))?;
    String::from_utf8(output.stdout).map_err(|error| error.to_string())
}

/// Processor time of this process and of those it has waited for.
fn processor_milliseconds() -> f64 {
    [libc::RUSAGE_SELF, libc::RUSAGE_CHILDREN]
        .iter()
        .map(|who| {
            // SAFETY: `getrusage` writes one `rusage`, for which all zeros are a value.
            let usage = unsafe {
                let mut usage: libc::rusage = std::mem::zeroed();
                libc::getrusage(*who, &mut usage);
                usage
            };
            let milliseconds = |time: libc::timeval| time.tv_sec as f64 * 1e3 + time.tv_usec as f64 / 1e3;
            milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime)
        })
        .sum()
}
