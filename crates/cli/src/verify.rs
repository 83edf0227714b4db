//! Verification before delivery: a test leaves the tool only in a form that javac accepted and that passed (or, for a failing
//! test, failed for the reason it states) in every round of several fresh JVMs. Owns the decisions; compiling, running and writing are
//! behind [`Bench`] and [`Writer`], and it never looks at the clock.

use std::collections::BTreeMap;

use bytecode::names::ClassName;
use testcase::assertion::{Expectation, TestCase};

use crate::failure::Failure;
use crate::report::DropReason;

pub mod culprit;
mod judge;
mod steady;

use culprit::{Fresh, TestName, is_half_initialised};
pub use judge::{in_words, is_failing};
use judge::{is_only_claim_wrong, judge};
use steady::steady;

/// Java source of a suite, and where each test sits in it.
#[derive(Clone, Debug, Default)]
pub struct Rendered {
    pub files: Vec<RenderedFile>,
    /// One per test handed in; `Err` says why it cannot be written.
    pub places: Vec<Result<Place, String>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenderedFile {
    /// `com/acme/FooTest.java`.
    pub path: String,
    pub text: String,
    /// Holds the tests that fail.
    pub failing: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Index in `files`.
    pub file: usize,
    /// First and last line of the test method.
    pub lines: (u32, u32),
    /// Binary name of the test class.
    pub class: String,
    pub method: String,
}

impl Place {
    fn name(&self) -> TestName {
        TestName { class: self.class.clone(), method: self.method.clone() }
    }
}

/// Turns tests into source.
pub trait Writer {
    /// Each test comes with its number among those handed to [`verify`].
    fn render(&self, tests: &[(usize, &TestCase)]) -> Rendered;
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// As in [`RenderedFile::path`].
    pub path: String,
    pub line: u32,
    pub message: String,
}

/// One run of one test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    /// Which of the JVMs it ran in, from 0. Those of each JVM come in the order in which they ran.
    pub jvm: usize,
    pub class: String,
    pub method: String,
    pub result: RanResult,
}

impl Ran {
    pub fn name(&self) -> TestName {
        TestName { class: self.class.clone(), method: self.method.clone() }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RanResult {
    Passed,
    /// Exception class (binary name), message, and the innermost frame in the code under test or the test.
    Failed {
        exception: String,
        message: String,
        frame: String,
    },
    TimedOut,
    /// Whatever it said, it reached outside; the words tell how: "writes files (java.io.FileWriter)".
    Reached(String),
}

/// What a bench saw of a suite.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Runs {
    pub runs: Vec<Ran>,
    /// JVMs that were started for it, each unlike the others.
    pub jvms: usize,
    /// A JVM ended in the middle; which test did it is not known.
    pub died: bool,
    /// What was changed, removed or added in the folders they ran in, in words; which test did it is not known.
    pub touched: Vec<String>,
}

/// Compiles and runs.
pub trait Bench {
    /// The errors; empty if all is well.
    fn compile(&mut self, files: &[RenderedFile]) -> Result<Vec<Diagnostic>, Failure>;
    /// Runs the classes compiled last, in several fresh JVMs and shuffled rounds. A test may be missing if the time was up before it.
    fn run(&mut self, classes: &[String]) -> Result<Runs, Failure>;
    /// A JVM of its own over the classes compiled last, in which tests run as they are named.
    fn fresh(&mut self) -> Result<Box<dyn Fresh + '_>, Failure>;
    /// Runs these tests in a JVM of its own, in folders with decoys, and says what they changed there.
    fn touched_by(&mut self, tests: &[TestName]) -> Result<Vec<String>, Failure>;
    /// No time for second attempts any more.
    fn hurry(&self) -> bool;
}

/// A test, and for one that fails what the code under test throws, if that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stated {
    pub test: TestCase,
    pub thrown: Option<ClassName>,
}

/// A test that was seen to do what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// Index of the test handed in.
    pub index: usize,
    /// As delivered: perhaps without its value assertions.
    pub test: TestCase,
    pub class: String,
    pub method: String,
    /// Index in the files of the verdict, and the lines there.
    pub file: usize,
    pub lines: (u32, u32),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DroppedTest {
    pub index: usize,
    pub name: String,
    pub reason: DropReason,
    pub detail: String,
}

#[derive(Clone, Debug, Default)]
pub struct Verdict {
    pub files: Vec<RenderedFile>,
    pub verified: Vec<Verified>,
    pub dropped: Vec<DroppedTest>,
    /// Indices of tests that lost their value assertions to be kept, and why.
    pub weakened: Vec<(usize, String)>,
    /// Delivered tests that the time allowed to be seen in some of the JVMs only.
    pub hurried: usize,
}

/// A test on its way.
struct Candidate {
    index: usize,
    test: TestCase,
    thrown: Option<ClassName>,
    weakened: Option<String>,
}

/// Repeats render, compile, run until everything left does what it says. Each turn weakens or drops at least one test, so it ends.
pub fn verify(tests: Vec<Stated>, writer: &dyn Writer, bench: &mut dyn Bench) -> Result<Verdict, Failure> {
    let mut verdict = Verdict::default();
    let candidates = tests
        .into_iter()
        .enumerate()
        .map(|(index, Stated { test, thrown })| Candidate { index, test, thrown, weakened: None })
        .collect();
    let (kept, rendered) = settle(candidates, &mut verdict, writer, bench)?;
    verdict.files = if kept.is_empty() { Vec::new() } else { rendered.files };
    for (candidate, place) in kept.into_iter().zip(rendered.places.into_iter().filter_map(Result::ok)) {
        verdict.weakened.extend(candidate.weakened.map(|why| (candidate.index, why)));
        let Place { file, lines, class, method } = place;
        verdict.verified.push(Verified { index: candidate.index, test: candidate.test, class, method, file, lines });
    }
    verdict.dropped.sort_by_key(|d| d.index);
    Ok(verdict)
}

/// The candidates that do what they say, together, and their source.
fn settle(
    mut alive: Vec<Candidate>,
    verdict: &mut Verdict,
    writer: &dyn Writer,
    bench: &mut dyn Bench,
) -> Result<(Vec<Candidate>, Rendered), Failure> {
    loop {
        let rendered = compile_until_accepted(&mut alive, verdict, writer, bench)?;
        if alive.is_empty() {
            return Ok((alive, rendered));
        }
        let places: Vec<&Place> = rendered.places.iter().flatten().collect();
        // Tests of one file need not be neighbours.
        let mut classes: Vec<String> = Vec::new();
        for place in &places {
            if !classes.contains(&place.class) {
                classes.push(place.class.clone());
            }
        }
        let seen = bench.run(&classes)?;
        if seen.died {
            alive = find_killers(alive, &places, verdict, writer, bench)?;
            continue;
        }
        let told = seen.runs.iter().any(|run| matches!(run.result, RanResult::Reached(_)));
        if !seen.touched.is_empty() && !told {
            let names: Vec<TestName> = places.iter().map(|p| p.name()).collect();
            let detail = culprit::traces_in_words(&seen.touched);
            let guilty = if bench.hurry() { names } else { culprit::by_traces(&names, &mut |t| bench.touched_by(t))? };
            let mut places = places.iter();
            alive.retain(|candidate| {
                let place = places.next().filter(|p| guilty.contains(&p.name()));
                let Some(place) = place else { return true };
                verdict.dropped.push(dropped(candidate, Some(place), DropReason::ReachesOutside, detail.clone()));
                false
            });
            continue;
        }
        if let Some(poison) = find_poison(&alive, &places, &seen.runs, bench)? {
            let mut places = places.iter();
            alive.retain(|candidate| {
                let place = places.next().filter(|p| poison.contains(&p.name()));
                let Some(place) = place else { return true };
                let detail = "a class cannot be initialised any more after it".to_string();
                verdict.dropped.push(dropped(candidate, Some(place), DropReason::Disturbs, detail));
                false
            });
            continue;
        }
        let mut results: BTreeMap<(&str, &str), Vec<&Ran>> = BTreeMap::new();
        for ran in &seen.runs {
            results.entry((&ran.class, &ran.method)).or_default().push(ran);
        }
        let give_up = bench.hurry();
        let mut clean = true;
        let mut hurried = 0;
        let mut unseen = Vec::new();
        let mut next = Vec::with_capacity(alive.len());
        for (mut candidate, place) in alive.into_iter().zip(&places) {
            let of_test = results.get(&(place.class.as_str(), place.method.as_str())).map_or(&[][..], Vec::as_slice);
            match judge(&candidate.test, candidate.thrown.as_ref(), &place.class, of_test) {
                Ok(()) => {
                    hurried += usize::from((0..seen.jvms).any(|jvm| !of_test.iter().any(|r| r.jvm == jvm)));
                    next.push(candidate);
                }
                Err((reason, detail)) => {
                    clean = false;
                    let worth_it =
                        matches!(reason, DropReason::Flaky | DropReason::Failed | DropReason::EnvironmentDependent);
                    // Without time for another turn only what will pass with hardly a doubt may stay; it is run alone, and once.
                    let may_stay = !give_up || is_only_claim_wrong(&candidate.test, &place.class, of_test);
                    if worth_it && may_stay && weaken(&mut candidate.test) {
                        candidate.weakened = Some(steady(&detail));
                        unseen.push(candidate.index);
                        next.push(candidate);
                    } else {
                        verdict.dropped.push(dropped(&candidate, Some(place), reason, detail));
                    }
                }
            }
        }
        alive = next;
        if clean {
            verdict.hurried = hurried;
            return Ok((alive, rendered));
        }
        if give_up {
            // No time to see them once more without the others; each did what it says, and is written as it was.
            let again = render_writable(&mut alive, verdict, writer);
            let mut rendered = match again.files.iter().all(|file| rendered.files.contains(file)) {
                true => again,
                false => compile_until_accepted(&mut alive, verdict, writer, bench)?,
            };
            if drop_failing(&mut alive, &unseen, &rendered, verdict, bench)? {
                rendered = compile_until_accepted(&mut alive, verdict, writer, bench)?;
            }
            verdict.hurried = hurried + alive.iter().filter(|c| unseen.contains(&c.index)).count();
            return Ok((alive, rendered));
        }
    }
}

/// Runs those of the tests, by index, that nobody has seen in the form in which they are written now, once. Those that do not pass go; says whether there were any.
fn drop_failing(
    alive: &mut Vec<Candidate>,
    unseen: &[usize],
    rendered: &Rendered,
    verdict: &mut Verdict,
    bench: &mut dyn Bench,
) -> Result<bool, Failure> {
    let is_unseen = |candidate: &Candidate| unseen.contains(&candidate.index);
    let of_unseen = alive.iter().zip(rendered.places.iter().flatten()).filter(|(c, _)| is_unseen(c));
    let names: Vec<TestName> = of_unseen.map(|(_, place)| place.name()).collect();
    if names.is_empty() {
        return Ok(false);
    }
    let mut results = bench.fresh()?.run(&names)?.into_iter();
    let (before, mut places) = (alive.len(), rendered.places.iter().flatten());
    alive.retain(|candidate| {
        let place = places.next();
        if !is_unseen(candidate) {
            return true;
        }
        let (reason, detail) = match results.next() {
            Some(RanResult::Passed) => return true,
            Some(failed) => (DropReason::Failed, in_words(&failed)),
            None => (DropReason::NotVerified, "the time was up".to_string()),
        };
        verdict.dropped.push(dropped(candidate, place, reason, detail));
        false
    });
    Ok(alive.len() < before)
}

/// One test may leave a class for good in a state in which nobody can use it: the others are not to blame for what they saw then. `None` if nobody did so,
/// or there is no time to find out who.
fn find_poison(
    alive: &[Candidate],
    places: &[&Place],
    runs: &[Ran],
    bench: &mut dyn Bench,
) -> Result<Option<Vec<TestName>>, Failure> {
    let passing = |ran: &Ran| {
        let mut found = alive.iter().zip(places).filter(|(_, p)| p.class == ran.class && p.method == ran.method);
        found.any(|(c, _)| !is_failing(&c.test))
    };
    let Some(at) = runs.iter().position(|r| is_half_initialised(&r.result) && passing(r)) else {
        return Ok(None);
    };
    let victim = runs[at].name();
    if bench.hurry() {
        return Ok(None);
    }
    let mut before: Vec<TestName> =
        runs[..at].iter().filter(|r| r.jvm == runs[at].jvm && r.name() != victim).map(Ran::name).collect();
    before.dedup();
    let guilty = culprit::by_halving(&before, &victim, &mut |tests| bench.fresh()?.run(tests))?;
    Ok(guilty.map(|name| vec![name]))
}

/// Halves the suite until the tests that end the JVM stand alone.
fn find_killers(
    mut alive: Vec<Candidate>,
    places: &[&Place],
    verdict: &mut Verdict,
    writer: &dyn Writer,
    bench: &mut dyn Bench,
) -> Result<Vec<Candidate>, Failure> {
    const WHY: &str = "the JVM ended while it ran";
    const NO_TIME: &str = "the JVM ended, and there was no time to find out which test did it";
    let before = alive.len();
    let second = alive.split_off(before.div_ceil(2));
    if second.is_empty() || bench.hurry() {
        // Alone, it is the one; among others, nobody knows.
        let (reason, why) = if before == 1 { (DropReason::Failed, WHY) } else { (DropReason::NotVerified, NO_TIME) };
        for (candidate, place) in alive.iter().chain(&second).zip(places) {
            verdict.dropped.push(dropped(candidate, Some(place), reason, why.to_string()));
        }
        return Ok(Vec::new());
    }
    let (mut kept, _) = settle(alive, verdict, writer, bench)?;
    let (rest, _) = settle(second, verdict, writer, bench)?;
    if kept.len() + rest.len() == before {
        // Only together do they end it: half of them has to go.
        for candidate in &rest {
            verdict.dropped.push(dropped(candidate, None, DropReason::Failed, WHY.to_string()));
        }
        return Ok(kept);
    }
    kept.extend(rest);
    Ok(kept)
}

fn dropped(candidate: &Candidate, place: Option<&Place>, reason: DropReason, detail: String) -> DroppedTest {
    let name = match place {
        Some(place) => format!("{}.{}", place.class, place.method),
        None => format!("test {}", candidate.index + 1),
    };
    DroppedTest { index: candidate.index, name, reason, detail: steady(&detail) }
}

/// Leaves in `alive` only what javac accepts together; the places returned are all `Ok` and in the order of `alive`.
fn compile_until_accepted(
    alive: &mut Vec<Candidate>,
    verdict: &mut Verdict,
    writer: &dyn Writer,
    bench: &mut dyn Bench,
) -> Result<Rendered, Failure> {
    loop {
        let rendered = render_writable(alive, verdict, writer);
        if alive.is_empty() {
            return Ok(rendered);
        }
        let errors = bench.compile(&rendered.files)?;
        if errors.is_empty() {
            return Ok(rendered);
        }
        let blamed = blame(&rendered, &errors);
        if blamed.is_empty() {
            // The error is outside every test (an import, the class itself): find out test by test.
            keep_singly_accepted(alive, verdict, writer, bench, &errors)?;
            continue;
        }
        let give_up = bench.hurry();
        let mut position = 0;
        alive.retain_mut(|candidate| {
            let place = rendered.places[position].as_ref();
            let error = blamed.get(&position);
            position += 1;
            let (Some(error), Ok(place)) = (error, place) else {
                return true;
            };
            if !give_up && weaken(&mut candidate.test) {
                candidate.weakened = Some(error.clone());
                return true;
            }
            verdict.dropped.push(dropped(candidate, Some(place), DropReason::DidNotCompile, error.clone()));
            false
        });
    }
}

/// Renders, after dropping what cannot be written.
fn render_writable(alive: &mut Vec<Candidate>, verdict: &mut Verdict, writer: &dyn Writer) -> Rendered {
    loop {
        let rendered = writer.render(&alive.iter().map(|c| (c.index, &c.test)).collect::<Vec<_>>());
        debug_assert_eq!(rendered.places.len(), alive.len());
        if rendered.places.iter().all(Result::is_ok) {
            return rendered;
        }
        let mut places = rendered.places.iter();
        alive.retain(|candidate| match places.next() {
            Some(Err(why)) => {
                verdict.dropped.push(dropped(candidate, None, DropReason::NotWritable, why.clone()));
                false
            }
            _ => true,
        });
    }
}

/// Which tests (by position) the errors are in, with the first message of each.
fn blame(rendered: &Rendered, errors: &[Diagnostic]) -> BTreeMap<usize, String> {
    let mut blamed = BTreeMap::new();
    for error in errors {
        let Some(file) = rendered.files.iter().position(|f| f.path == error.path) else {
            continue;
        };
        let hit = rendered.places.iter().position(|place| {
            place.as_ref().is_ok_and(|p| p.file == file && (p.lines.0..=p.lines.1).contains(&error.line))
        });
        if let Some(position) = hit {
            blamed.entry(position).or_insert_with(|| quoted(error, &rendered.files[file].text));
        }
    }
    blamed
}

/// The message with the line it is about.
fn quoted(error: &Diagnostic, text: &str) -> String {
    let line = text.lines().nth((error.line as usize).saturating_sub(1)).unwrap_or_default();
    format!("{}, in: {}", error.message, line.trim())
}

fn keep_singly_accepted(
    alive: &mut Vec<Candidate>,
    verdict: &mut Verdict,
    writer: &dyn Writer,
    bench: &mut dyn Bench,
    errors: &[Diagnostic],
) -> Result<(), Failure> {
    let before = alive.len();
    let mut kept = Vec::with_capacity(before);
    for candidate in std::mem::take(alive) {
        let rendered = writer.render(&[(candidate.index, &candidate.test)]);
        let own = bench.compile(&rendered.files)?;
        match own.first() {
            None => kept.push(candidate),
            Some(error) => {
                verdict.dropped.push(dropped(&candidate, None, DropReason::DidNotCompile, error.message.clone()));
            }
        }
    }
    if kept.len() == before {
        // Each compiles alone, but not together: only the first half is tried on, so that this ends.
        let message = errors.first().map_or_else(String::new, |e| e.message.clone());
        for candidate in kept.drain(before / 2..) {
            verdict.dropped.push(dropped(&candidate, None, DropReason::DidNotCompile, message.clone()));
        }
    }
    *alive = kept;
    Ok(())
}

/// Takes away what a test claims about values, keeping what it does. False if there is nothing to take.
fn weaken(test: &mut TestCase) -> bool {
    let had = !test.assertions.is_empty();
    match &mut test.expectation {
        Expectation::Throws { message, .. } => {
            let had_message = message.take().is_some();
            test.assertions.clear();
            had || had_message
        }
        Expectation::Passes => {
            test.assertions.clear();
            had
        }
        // What a failing test claims is its whole point.
        Expectation::Breaks { .. } | Expectation::BadException { .. } => false,
    }
}

#[cfg(test)]
mod tests;
