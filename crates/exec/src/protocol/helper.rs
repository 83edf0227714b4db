//! Messages of the helper JVMs (compiler and test runner). Owns their encoding and plain result types.

use testcase::execution::{Kinds, Reach};

use super::WireProblem;
use super::kind;
use super::reader::Reader;
use super::writer::Writer;

/// What javac said about one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub is_error: bool,
    pub file: String,
    /// 0 when it concerns no line.
    pub line: u32,
    pub message: String,
}

/// How one test method ended in one round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestRun {
    /// From 0.
    pub round: u32,
    /// In internal form.
    pub class: String,
    pub method: String,
    pub outcome: TestOutcome,
    pub microseconds: u64,
    /// What it reached outside, as far as an uninstrumented JVM tells.
    pub reach: Reach,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TestOutcome {
    Passed,
    Failed { exception: String, message: String, frame: String },
    TimedOut { frame: String },
}

pub fn compile(out: &mut Writer, sources: &[(String, String)], classpath: &[String], folder: &str, release: u32) {
    out.begin(kind::COMPILE);
    out.len(sources.len());
    for (name, source) in sources {
        out.str(name);
        out.str(source);
    }
    out.len(classpath.len());
    for entry in classpath {
        out.str(entry);
    }
    out.str(folder);
    out.v(u64::from(release));
    out.end();
}

pub fn compiled(payload: &[u8]) -> Result<(bool, Vec<Diagnostic>), WireProblem> {
    let mut r = Reader::new(payload);
    let ok = r.u8("verdict")? != 0;
    let n = r.count("number of diagnostics")?;
    let mut diagnostics = Vec::with_capacity(n);
    for _ in 0..n {
        diagnostics.push(Diagnostic {
            is_error: r.u8("kind of diagnostic")? == 0,
            file: r.str("file")?,
            line: r.number("line")?,
            message: r.str("message")?,
        });
    }
    r.finish()?;
    Ok((ok, diagnostics))
}

pub fn run(out: &mut Writer, classes: &[String], rounds: u32, seed: u64, limit_ms: u64) {
    out.begin(kind::RUN);
    out.len(classes.len());
    for class in classes {
        out.str(class);
    }
    out.v(u64::from(rounds));
    out.v(seed);
    out.v(limit_ms);
    out.end();
}

/// Runs these tests (class, method) one after the other, as often as they are named; `stop` ends the run at the first that does not pass.
pub fn run_in_order(out: &mut Writer, tests: &[(String, String)], stop: bool, limit_ms: u64) {
    out.begin(kind::RUN_IN_ORDER);
    out.len(tests.len());
    for (class, method) in tests {
        out.str(class);
        out.str(method);
    }
    out.u8(u8::from(stop));
    out.v(limit_ms);
    out.end();
}

pub fn ran(payload: &[u8]) -> Result<TestRun, WireProblem> {
    let mut r = Reader::new(payload);
    let round = r.number("round")?;
    let (class, method) = (r.str("class")?, r.str("method")?);
    let tag = r.u8("outcome")?;
    let outcome = if tag == 0 {
        TestOutcome::Passed
    } else {
        let (exception, message, frame) = (r.str("exception")?, r.str("message")?, r.str("frame")?);
        match tag {
            1 => TestOutcome::Failed { exception, message, frame },
            2 => TestOutcome::TimedOut { frame },
            other => return r.impossible("outcome", u64::from(other)),
        }
    };
    let microseconds = r.v("microseconds")?;
    let reach = Reach::told(r.u8("kinds of reach")?, None, &r.str("what reached outside")?);
    r.finish()?;
    Ok(TestRun { round, class, method, outcome, microseconds, reach })
}

/// What reached outside between tests and after the last.
pub fn done(payload: &[u8]) -> Result<Kinds, WireProblem> {
    let mut r = Reader::new(payload);
    let kinds = Kinds(r.u8("kinds of reach")?);
    r.finish()?;
    Ok(kinds)
}
