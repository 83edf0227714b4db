//! The demo: a bundled example, compiled with the JDK at hand, tested like anything else, and one of its tests shown. Owns the example's files and the
//! choice of what to show.

use std::fs;
use std::path::Path;
use std::time::Duration;

use exec::jdk::Jdk;

use crate::args::Demo;
use crate::command;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::project::Project;
use crate::report::{ClassReport, summary};
use crate::run::now;
use crate::screen;

const CLASS: &str = "kitchen.Quantity";
const SOURCES: [(&str, &str); 2] = [
    ("kitchen/Quantity.java", include_str!("../../../fixtures/demo/src/kitchen/Quantity.java")),
    ("kitchen/Unit.java", include_str!("../../../fixtures/demo/src/kitchen/Unit.java")),
];
/// A count, not a time: the demo shows the same on a slow machine as on a fast one.
const EXECUTIONS: u64 = 40_000;
/// Whatever happens, nobody waits longer.
const PATIENCE: Duration = Duration::from_secs(60);

pub fn demo(arguments: &Demo, interrupt: &Interrupt) -> Result<ExitCode, Failure> {
    let mut common = arguments.common.clone();
    if common.budget.is_none() && common.max_executions.is_none() {
        common.max_executions = Some(EXECUTIONS);
        common.budget = Some(PATIENCE);
    }
    let common = &common;
    command::check_technique(common)?;
    let started = now();
    let jdk = Jdk::find(common.jdk.as_deref()).map_err(|p| Failure::NoJdk { message: p.to_string(), hint: None })?;
    let folder = tempfile::Builder::new()
        .prefix("testudo-demo-")
        .tempdir()
        .map_err(|e| Failure::writing(std::env::temp_dir(), &e))?;
    let classes = compile(&jdk, folder.path())?;
    let project = Project::open(Some(&jdk.home), &[CLASS.to_string()], &[classes.display().to_string()])?;
    screen::print(&format!("Writing a suite for {CLASS}, {} lines of Java.\n\n", SOURCES[0].1.lines().count()));
    let ended = command::run(&project, common, started, interrupt)?;
    screen::print(&summary::table(&ended.report));
    if let Some(class) = ended.report.classes.first() {
        show(class, &common.out);
    }
    screen::print(&format!("\n{}\n", command::closing_line(&ended, common)));
    match ended.failure {
        Some(failure) => Err(failure),
        None => Ok(ended.code),
    }
}

/// With the JDK's own javac: the example is far too small for a warm one to pay.
fn compile(jdk: &Jdk, folder: &Path) -> Result<std::path::PathBuf, Failure> {
    let fail = |e: std::io::Error| Failure::writing(folder, &e);
    let classes = folder.join("classes");
    fs::create_dir_all(&classes).map_err(fail)?;
    let mut javac = std::process::Command::new(jdk.home.join("bin").join("javac"));
    javac.args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-g", "-d"]).arg(&classes);
    for (name, text) in SOURCES {
        let path = folder.join("src").join(name);
        fs::create_dir_all(path.parent().unwrap_or(folder)).map_err(fail)?;
        fs::write(&path, text).map_err(fail)?;
        javac.arg(path);
    }
    let output = javac.output().map_err(|e| Failure::NoJdk {
        message: format!("javac of {} cannot be started: {e}", jdk.home.display()),
        hint: Some("name another JDK with --jdk".to_string()),
    })?;
    if output.status.success() {
        return Ok(classes);
    }
    let message = format!("javac refused the example: {}", String::from_utf8_lossy(&output.stderr));
    Err(Failure::WorkerFailed { message, hint: Some("name another JDK with --jdk".to_string()) })
}

/// One of the passing tests, and the failing one with what it found.
fn show(class: &ClassReport, out: &Path) {
    let read = |prefix: &str| {
        let file = class.files.iter().find(|f| f.starts_with(prefix))?;
        fs::read_to_string(out.join(file)).ok()
    };
    if let Some(method) = read("tests/").as_deref().and_then(best_method) {
        screen::print(&format!("\nOne of the {} tests:\n\n{method}\n", class.tests));
    }
    for finding in class.findings.iter().take(1) {
        screen::print(&format!("\nAnd a bug it found: {}\n\n", finding.description));
        if let Some(method) = read("failing/").as_deref().and_then(best_method) {
            screen::print(&format!("{method}\n"));
        }
    }
}

/// The test method that shows most: several lines with assertions, but not a long one.
fn best_method(source: &str) -> Option<String> {
    let mut best: Option<(usize, String)> = None;
    for part in source.split("    @Test\n").skip(1) {
        let Some(end) = part.find("\n    }\n") else {
            continue;
        };
        let method = format!("    @Test\n{}\n    }}", &part[..end]);
        let lines = method.lines().count();
        let asserts = method.matches("assert").count();
        let score = lines.min(9) + 2 * asserts.min(3) - lines.saturating_sub(10).min(lines.min(9));
        if best.as_ref().is_none_or(|(s, _)| score > *s) {
            best = Some((score, method));
        }
    }
    best.map(|(_, method)| method)
}

#[cfg(test)]
mod tests {
    use super::best_method;

    #[test]
    fn a_telling_method_is_chosen_and_cut_out_whole() {
        let source = "class T {\n    @Test\n    void a() {\n        x();\n    }\n\n    @Test\n    void b() {\n        Foo f = new Foo();\n        assertEquals(1, f.x());\n    }\n}\n";
        let expected = "    @Test\n    void b() {\n        Foo f = new Foo();\n        assertEquals(1, f.x());\n    }";
        assert_eq!(best_method(source).as_deref(), Some(expected));
        assert_eq!(best_method("class T {}"), None);
    }
}
