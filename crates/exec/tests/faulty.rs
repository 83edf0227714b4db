//! Workers that do not follow the protocol, played by shell scripts in place of `java`: each gives a clear problem or outcome,
//! none hangs.

mod support;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use exec::executor::{ExecutorConfig, JvmExecutor};
use exec::jdk::Jdk;
use support::{jdks, library, plain, scratch, sequence, target, worker_config};
use testcase::execution::{Execution, Outcome};
use testcase::executor::{Executor, ExecutorProblem};
use testcase::operation::{Operation, Operations};
use testcase::value::Constant;

/// `WELCOME`: version 4, an empty java.version, pid 1.
const WELCOME: &str = r"printf '\004\000\000\000\201\004\000\001' >&4";

/// Runs two sequences on a worker that is this script.
fn run(name: &str, script: &str) -> Result<Vec<Execution>, ExecutorProblem> {
    let real = jdks().remove(0);
    let home = scratch(&format!("faulty-{name}"));
    fs::create_dir_all(home.join("bin")).unwrap();
    let java = home.join("bin/java");
    fs::write(&java, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&java, fs::Permissions::from_mode(0o755)).unwrap();
    let mut config = ExecutorConfig::new(worker_config(&real, name));
    config.worker.jdk = Jdk { home, ..real.clone() };
    config.worker.sandboxed = false;
    config.wall_limit = Duration::from_millis(200);
    config.start_limit = Duration::from_millis(300);
    let library = library(&real);
    let mut executor = JvmExecutor::start(config, library.clone())?;
    executor.open_target(target(&library, &["subjects/Stack"]))?;
    let mut operations = Operations::default();
    let ops = [1, 2].map(|n| operations.intern(Operation::constant(Constant::Int(n), support::type_of("I"))));
    executor.run(&operations, ops.iter().map(|op| plain(sequence(&[(*op, &[])]))).collect())
}

fn refused(name: &str, script: &str, expected: &[&str]) {
    let problem = run(name, script).unwrap_err();
    for part in expected {
        assert!(problem.message.contains(part), "{problem:?}");
    }
    assert!(problem.hint.is_some());
}

#[test]
fn a_jvm_that_does_not_start_is_a_problem_with_its_own_words() {
    refused(
        "ends",
        "echo 'Error: could not create the Java Virtual Machine'; exit 1",
        &["bin/java", "could not create"],
    );
    refused("silent", "sleep 20", &["ends before it answers", "printed nothing"]);
}

#[test]
fn another_protocol_version_is_refused() {
    refused("version", r"printf '\004\000\000\000\201\011\000\001' >&4; sleep 20", &["version 9"]);
}

#[test]
fn nonsense_in_place_of_results_is_the_outcome_of_the_sequence_due() {
    // `RESULTS` of batch 1 with one result of outcome 42.
    let script = format!(r"{WELCOME}; printf '\005\000\000\000\206\001\001\052\000' >&4; sleep 20");
    let results = run("nonsense", &script).unwrap();
    assert!(matches!(&results[0].outcome, Outcome::Protocol { message } if message.contains("outcome")), "{results:?}");
    assert!(matches!(&results[1].outcome, Outcome::Protocol { message } if message.contains("batch 1")), "{results:?}");
}

#[test]
fn impossible_frames_end_the_worker() {
    let script = format!(r"{WELCOME}; printf '\377\377\377\377\206' >&4; sleep 20");
    refused("impossible", &script, &["died 3 times without running anything"]);
}

#[test]
fn a_worker_that_never_answers_is_given_up() {
    refused("mute", &format!("{WELCOME}; sleep 20"), &["died 3 times without running anything", "WallClock"]);
}
