//! Finished suites of many classes in one JVM, for real. Owns the folder in which their classes are gathered and the time all this may take; who has to go is
//! decided elsewhere.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use exec::compiler::Sources;
use exec::runner::{Order, RunReport, RunnerProblem, Surroundings, Tests, run_tests};

use crate::failure::Failure;
use crate::jvm_bench::{COUNTED_HASHES, FreshJvm, TEST_LIMIT, ended, exact, result};
use crate::run::now;
use crate::together::{Bench, Joint, Settled, settle};
use crate::verify::RanResult;
use crate::verify::culprit::{Fresh, TestName};
use crate::workshop::Workshop;

/// Where the clock does not steer, nothing waits longer for all suites together.
const LONGEST: Duration = Duration::from_secs(1800);

impl Workshop<'_> {
    /// Where the compiled classes of all suites are gathered.
    pub fn gathered(&self) -> PathBuf {
        self.scratch("together")
    }
}

impl Joint for Workshop<'_> {
    fn settle(&self, tests: &[TestName], deadline: Option<Instant>) -> Result<Settled, Failure> {
        let deadline = deadline.unwrap_or_else(|| now() + LONGEST);
        let mut bench =
            JointBench { workshop: self, deadline, serial: 0, attempt: Duration::from_secs(1), touched: Vec::new() };
        settle(tests, self.common.seed, &mut bench)
    }

    fn compiles(&self, files: &[(PathBuf, String)]) -> Result<bool, Failure> {
        let output = self.scratch("together-again");
        std::fs::create_dir_all(&output).map_err(|e| Failure::writing(&output, &e))?;
        // javac wants a public class in a file of its name, wherever that is.
        let name = |path: &Path| path.components().skip(1).collect::<PathBuf>().display().to_string();
        let files = files.iter().map(|(path, text)| (name(path), text.clone())).collect();
        let classpath = self.test_classpath.clone();
        Ok(self.compiler.compile(&Sources { files, classpath, output, release: None }, LONGEST)?.ok)
    }
}

struct JointBench<'w> {
    workshop: &'w Workshop<'w>,
    deadline: Instant,
    serial: u32,
    /// What another attempt would take, as far as is known.
    attempt: Duration,
    touched: Vec<String>,
}

impl JointBench<'_> {
    fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(now())
    }

    fn tests(&self, order: Order, surroundings: Surroundings) -> Tests {
        let mut classpath = vec![self.workshop.gathered()];
        classpath.extend(self.workshop.test_classpath.iter().cloned());
        Tests {
            order,
            classpath,
            surroundings,
            test_limit: TEST_LIMIT,
            total_limit: self.left(),
            hash_mode: (surroundings == Surroundings::Other).then_some(COUNTED_HASHES),
            heap_mb: self.workshop.heaps().of(surroundings),
            sandboxed: !self.workshop.common.expert.no_sandbox,
            watch_reads: true,
        }
    }
}

impl Bench for JointBench<'_> {
    fn run(&mut self, orders: &[Vec<TestName>]) -> Result<Vec<Vec<RanResult>>, Failure> {
        let started = now();
        self.serial += 1;
        let (workshop, serial) = (self.workshop, self.serial);
        let surroundings = [Surroundings::Usual, Surroundings::Other].into_iter().cycle();
        let tests: Vec<Tests> = orders.iter().zip(surroundings).map(|(o, s)| self.tests(exact(o), s)).collect();
        let reports: Vec<RunReport> = std::thread::scope(|scope| {
            let run = |(number, tests): (usize, &Tests)| {
                let folder = workshop.scratch(&format!("together-{number}"));
                run_tests(&workshop.project.jdk, &workshop.runtime.worker, &folder, serial, tests)
            };
            let handles: Vec<_> = tests.iter().enumerate().map(|one| scope.spawn(move || run(one))).collect();
            // The closure does not panic: it only talks to a child process.
            handles.into_iter().map(|h| h.join().unwrap_or_default()).collect()
        });
        self.attempt = started.elapsed();
        let mut all = Vec::with_capacity(reports.len());
        self.touched.clear();
        for report in reports {
            self.touched.extend(report.touched);
            if matches!(report.problem, Some(RunnerProblem::TooLong(_))) {
                self.deadline = self.deadline.min(now());
            }
            ended(report.problem)?;
            all.push(report.runs.into_iter().map(result).collect());
        }
        Ok(all)
    }

    fn touched(&self) -> Vec<String> {
        self.touched.clone()
    }

    fn touched_by(&mut self, tests: &[TestName]) -> Result<Vec<String>, Failure> {
        self.serial += 1;
        let tests = self.tests(exact(tests), Surroundings::Other);
        let folder = self.workshop.scratch("together-traces");
        let (jdk, jar) = (&self.workshop.project.jdk, &self.workshop.runtime.worker);
        let report = run_tests(jdk, jar, &folder, self.serial, &tests);
        ended(report.problem)?;
        Ok(report.touched)
    }

    fn fresh(&mut self) -> Result<Box<dyn Fresh + '_>, Failure> {
        self.serial += 1;
        let tests = self.tests(exact(&[]), Surroundings::Usual);
        let folder = self.workshop.scratch("together-fresh");
        let (jdk, runtime) = (&self.workshop.project.jdk, &self.workshop.runtime);
        Ok(Box::new(FreshJvm::start(jdk, runtime, &folder, self.serial, &tests)?))
    }

    fn hurry(&self) -> bool {
        self.left() < self.attempt * 2
    }
}
