//! Programs do the same with and without instrumentation, and the probes, operands and steps reported are the right
//! ones.

use crate::jdk;
use crate::support::{compile, everything, feature, instrument_folder, observing, source};
use bytecode::instrument::{CallPlan, Calls, Instrumented, Plan, ProbeKind};
use bytecode::raw::RawClass;
use std::path::PathBuf;

/// The subjects, compiled by one JDK and run by it.
struct Bench {
    home: PathBuf,
    /// All subjects, the harness and the hooks, as compiled.
    plain: PathBuf,
}

/// Output of an instrumented program, report of the hooks, and what the instrumenter told.
struct Run {
    output: String,
    report: String,
    classes: Vec<(String, Instrumented)>,
}

impl Bench {
    fn new(home: PathBuf) -> Bench {
        let files = [
            "Harness",
            "testudo/runtime/Hooks",
            "testudo/runtime/Monitor",
            "subjects/Plain",
            "subjects/Modern",
            "subjects/Stops",
            "subjects/Small",
            "subjects/Watched",
        ];
        let files: Vec<String> = files.iter().map(|f| source(&format!("{f}.java"))).collect();
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        let plain = compile(&home, &format!("behaviour-{}", feature(&home)), &files);
        Bench { home, plain }
    }

    fn execute(&self, class_path: &str, report: &str, subject: &str) -> String {
        jdk::run(&self.home, "java", &["-ea", "-XX:TieredStopAtLevel=1", "-cp", class_path, "Harness", report, subject])
    }

    fn plain(&self, subject: &str) -> String {
        let plain = self.plain.to_str().unwrap();
        self.execute(plain, &format!("{plain}/report"), subject)
    }

    /// Instruments the classes of a subject as if they were of a class-file version, and runs it.
    fn instrumented(&self, subject: &str, major: u16) -> Run {
        self.instrumented_by(&everything(), "instrumented", subject, major)
    }

    fn instrumented_by(&self, plan: &Plan, tag: &str, subject: &str, major: u16) -> Run {
        let name = format!("{tag}-{}-{subject}-{major}", feature(&self.home));
        let (from, to) = (jdk::scratch(&format!("{name}-from")), jdk::scratch(&name));
        for entry in std::fs::read_dir(&self.plain).unwrap() {
            let entry = entry.unwrap();
            if entry.file_name().to_str().unwrap().starts_with(subject) {
                let mut bytes = std::fs::read(entry.path()).unwrap();
                bytes[6..8].copy_from_slice(&major.to_be_bytes());
                std::fs::write(from.join(entry.file_name()), bytes).unwrap();
            }
        }
        let classes = instrument_folder(&from, &to, plan);
        assert!(classes.iter().all(|(_, c)| c.skipped.is_empty()));
        let report = to.join("report");
        let class_path = format!("{}:{}", to.display(), self.plain.display());
        let output = self.execute(&class_path, report.to_str().unwrap(), subject);
        Run { output, report: std::fs::read_to_string(&report).unwrap(), classes }
    }
}

#[test]
fn programs_behave_the_same_and_the_hooks_hear_of_it() {
    for home in jdk::jdks() {
        let bench = Bench::new(home);
        // 49: types inferred by the old verifier; 50: frames, with the old verifier behind; 52: frames only.
        for (subject, majors) in [("Plain", &[49, 50, 52][..]), ("Modern", &[52])] {
            let plain = bench.plain(subject);
            assert!(plain.len() > 100, "{plain}");
            for major in majors {
                let run = bench.instrumented(subject, *major);
                assert_eq!(run.output, plain, "version {major}");
                assert!(run.report.contains("saw 0"), "{}", run.report);
            }
        }
        observed_programs_behave_the_same(&bench);
        calls_writes_and_reads_are_told(&bench);
        redirected_calls_do_not_happen(&bench);
        probes_operands_and_steps_are_the_right_ones(&bench);
    }
}

fn observed_programs_behave_the_same(bench: &Bench) {
    let with_search = Plan { redirects: observing().redirects, ..everything() };
    let both = Plan { calls: observing().calls, writes: true, reads: true, ..with_search };
    for (subject, majors) in [("Plain", &[49, 50, 52][..]), ("Modern", &[52]), ("Watched", &[49, 50, 52])] {
        let plain = bench.plain(subject);
        let runs = majors.iter().map(|major| ("observed", observing(), *major)).chain([("both", both.clone(), 52)]);
        for (tag, plan, major) in runs {
            let run = bench.instrumented_by(&plan, tag, subject, major);
            assert_eq!(run.output, plain, "{subject} {tag}, version {major}");
            assert!(run.report.contains("event left "), "{}", run.report);
            assert!(run.classes.iter().all(|(_, c)| c.unobserved.is_empty() && c.thinned.is_empty()));
        }
    }
}

/// The events, with names for numbers.
fn events(run: &Run) -> String {
    let members: Vec<_> = run.classes.iter().flat_map(|(_, c)| &c.members).collect();
    let fields: Vec<_> = run.classes.iter().flat_map(|(_, c)| &c.fields).collect();
    let mut lines = Vec::new();
    for line in run.report.lines().filter_map(|l| l.strip_prefix("event ")) {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |at: usize| words.get(at)?.parse::<usize>().ok();
        let rest = |from: usize| words.get(from..).map_or(String::new(), |w| w.join(" "));
        lines.push(match (words[0], number(1), number(2)) {
            ("entering" | "entered" | "left" | "threw" | "constructing" | "constructed", Some(id), _) => {
                let m = members[id];
                let kind = if m.is_static { " static" } else { "" };
                format!("{}{kind} {}.{} {}", words[0], m.class, m.name, rest(2)).trim_end().to_owned()
            }
            ("read", None, Some(id)) if words.len() == 3 => {
                let f = fields[id];
                format!("read {} {}.{}:{}", words[1], f.class, f.name, f.descriptor)
            }
            _ => line.to_owned(),
        });
    }
    lines.join("\n") + "\n"
}

fn calls_writes_and_reads_are_told(bench: &Bench) {
    let run = bench.instrumented_by(&observing(), "told", "Watched", 52);
    let expected = include_str!("watched.txt");
    let told = events(&run);
    assert!(told == expected, "told:\n{told}");
    // Other choices of members.
    let count = |which: Calls| {
        let plan = Plan { calls: Some(CallPlan { which, first_member: 0 }), ..Plan::nothing(observing().hooks) };
        let run = bench.instrumented_by(&plan, "chosen", "Watched", 52);
        assert_eq!(run.output, bench.plain("Watched"));
        let names = run.classes.into_iter().flat_map(|(_, c)| c.members).map(|m| m.name);
        names.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(count(Calls::OfHeirs), "clone sum widen locked caught");
    assert_eq!(count(Calls::OfFunctions), "main");
}

fn redirected_calls_do_not_happen(bench: &Bench) {
    let run = bench.instrumented("Stops", 52);
    assert_eq!(run.output, "base 8\nstill here null\n");
    let calls =
        ["exit 3", "exit 6", "runtime exit 4", "runtime halt 5", "runtime halt 9", "set stops yes", "sleep 600000"];
    for call in calls {
        assert!(run.report.contains(&format!("saw {call}\n")), "{call} in {}", run.report);
    }
}

/// One line per probe that was hit, and one per value seen.
fn describe(run: &Run, class: &str) -> String {
    let index = run.classes.iter().position(|(n, _)| n == class).unwrap();
    let before = |count: fn(&Instrumented) -> usize| run.classes[..index].iter().map(|(_, c)| count(c)).sum::<usize>();
    let (first_probe, first_site) = (before(|c| c.probes.len()), before(|c| c.sites.len()));
    let result = &run.classes[index].1;
    let parsed = RawClass::parse(&result.bytes).unwrap();
    let name = |method: u16| parsed.methods[usize::from(method)].name.to_string();
    let mut lines = Vec::new();
    for line in run.report.lines() {
        if let Some(id) = line.strip_prefix("hit ") {
            let Some(p) = result.probes.get(id.parse::<usize>().unwrap() - first_probe) else {
                continue;
            };
            let kind = match &p.kind {
                ProbeKind::MethodEntry => "entry".to_owned(),
                ProbeKind::BranchTaken => "taken".to_owned(),
                ProbeKind::BranchFallThrough => "not taken".to_owned(),
                ProbeKind::SwitchCase { keys, default } => {
                    format!("case {keys:?}{}", if *default { " default" } else { "" })
                }
                ProbeKind::Handler { catch_type } => {
                    format!("handler {}", catch_type.as_ref().unwrap())
                }
                ProbeKind::Line | ProbeKind::Infection { .. } => continue,
            };
            lines.push(format!("{} {} {kind}", name(p.method), p.line.unwrap()));
        } else if let Some((site, values)) = line.strip_prefix("saw ").and_then(|l| l.split_once(' '))
            && let Ok(site) = site.parse::<usize>()
        {
            let s = &result.sites[site - first_site];
            let branch = s.branch.map_or(String::new(), |b| {
                let probes = b.probes.unwrap();
                let kinds = [probes.taken, probes.fall_through].map(|n| &result.probes[n as usize].kind);
                assert_eq!(kinds, [&ProbeKind::BranchTaken, &ProbeKind::BranchFallThrough]);
                format!(" jumps if {:?}", b.taken_if)
            });
            lines.push(format!("{} {} {:?} saw {values}{branch}", name(s.method), s.line.unwrap(), s.kind));
        } else {
            lines.push(line.to_owned());
        }
    }
    lines.join("\n")
}

fn probes_operands_and_steps_are_the_right_ones(bench: &Bench) {
    let run = bench.instrumented("Small", 52);
    assert_eq!(run.output, "1 10 30 -1 6 false false 21\n");
    assert_eq!(run.output, bench.plain("Small"));
    let described = describe(&run, "Small");
    assert_eq!(described, EXPECTED.trim(), "\n{described}\n");
    let lines = |method: &str| -> Vec<u16> {
        let result = &run.classes[0].1;
        let class = RawClass::parse(&result.bytes).unwrap();
        let hits: Vec<usize> = run.report.lines().filter_map(|l| l.strip_prefix("hit ")?.parse().ok()).collect();
        let of_method = hits.iter().map(|n| &result.probes[*n]).filter(|p| p.kind == ProbeKind::Line);
        of_method.filter(|p| class.methods[usize::from(p.method)].name == method).map(|p| p.line.unwrap()).collect()
    };
    assert_eq!(lines("branch"), [10, 11]);
    assert_eq!(lines("caught"), [30, 31, 32]);
    assert_eq!(lines("never"), []);
}

const EXPECTED: &str = "
branch 10 entry
branch 10 not taken
table 17 entry
table 17 case [] default
table 17 case [1, 2]
caught 30 entry
caught 31 handler java/lang/NumberFormatException
loop 37 entry
loop 38 taken
loop 38 not taken
text 45 entry
text 45 not taken
text 45 taken
longer 49 entry
longer 49 not taken
longer 49 taken
main 57 entry
<clinit> 6 entry
steps 13
branch 10 Int saw 11 10 jumps if LessOrEqual
table 17 Switch saw 2 switch
table 17 Switch saw 3 switch
loop 38 Int saw 0 4 jumps if GreaterOrEqual
loop 38 Int saw 1 4 jumps if GreaterOrEqual
loop 38 Int saw 2 4 jumps if GreaterOrEqual
loop 38 Int saw 3 4 jumps if GreaterOrEqual
loop 38 Int saw 4 4 jumps if GreaterOrEqual
text 45 StringStartsWith saw abd ab jumps if Equal
text 45 StringEquals saw abd abc jumps if Equal
longer 49 Long saw 4 5 jumps if GreaterOrEqual
longer 49 DoubleGreater saw 3.5 2.5 jumps if GreaterOrEqual
saw init 0 end
saw init 0 start
";
