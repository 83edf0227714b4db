//! Code that hangs, exits, crashes, overflows, eats memory or leaves threads: each has its outcome, the guilty sequence is
//! named, its neighbours in the batch keep their results, and the search goes on.

mod support;

use std::time::Duration;

use exec::jdk::Jdk;
use exec::triage::Death;
use support::{Rig, full, jdks, plain, sequence};
use testcase::execution::{Execution, Outcome};
use testcase::executor::{Detail, Executor, Request};
use testcase::operation::{Lambda, LambdaBody, OpId, OperationKind};
use testcase::value::Value;

const HOSTILE: &str = "subjects/Hostile";

/// Runs `fine` three times, then the evil method, then `fine` three times, as one batch. Gives the evil one's result.
fn among_good_ones(rig: &mut Rig, evil: OpId, args: &[OpId]) -> Execution {
    let fine = rig.static_call(HOSTILE, "fine", "(I)I");
    let mut requests = Vec::new();
    for n in 0..7 {
        let number = rig.int(n);
        let mut request = if n == 3 {
            let mut statements: Vec<(OpId, Vec<u16>)> = args.iter().map(|a| (*a, Vec::new())).collect();
            statements.push((evil, (0..args.len() as u16).collect()));
            let borrowed: Vec<(OpId, &[u16])> = statements.iter().map(|(o, a)| (*o, a.as_slice())).collect();
            plain(sequence(&borrowed))
        } else {
            plain(sequence(&[(number, &[]), (fine, &[0])]))
        };
        request.detail = support::full();
        requests.push(request);
    }
    let mut results = rig.run(requests);
    assert_eq!(results.len(), 7);
    for n in [0, 1, 2, 4, 5, 6] {
        assert_eq!(results[n].outcome, Outcome::Normal, "neighbour {n}");
        let value = &results[n].observations.last().unwrap().value;
        assert_eq!(*value, Some(Value::Int(n as i32 + 1)), "neighbour {n}: {:?}", results[n]);
    }
    results.remove(3)
}

fn check(name: &str, descriptor: &str, args: &[i32], expected: impl Fn(&Outcome, &Rig, &Jdk) -> bool) {
    for jdk in jdks() {
        let mut rig = Rig::with(&jdk, name, &[HOSTILE], |config| {
            config.wall_limit = Duration::from_millis(700);
            config.worker.heap_mb = 128;
        });
        let evil = rig.static_call(HOSTILE, name, descriptor);
        let args: Vec<OpId> = args.iter().map(|a| rig.int(*a)).collect();
        let result = among_good_ones(&mut rig, evil, &args);
        assert!(
            expected(&result.outcome, &rig, &jdk),
            "{name} on {}: {result:?} {:?}",
            jdk.feature,
            rig.executor.stats()
        );
    }
}

fn deaths(rig: &Rig, death: Death) -> u64 {
    rig.executor.stats().deaths.get(&death).copied().unwrap_or(0)
}

fn unharmed(rig: &Rig) -> bool {
    rig.executor.stats().restarts == 0
}

#[test]
fn a_worker_that_is_replaced_leaves_one_that_knows_the_same() {
    for jdk in jdks() {
        let mut rig = Rig::with(&jdk, "renewed", &[HOSTILE], |_| ());
        let (fine, one) = (rig.static_call(HOSTILE, "fine", "(I)I"), rig.int(1));
        let first = rig.run_one(sequence(&[(one, &[]), (fine, &[0])]));
        let before = rig.executor.worker_pid();
        assert!(rig.executor.renew() && rig.executor.worker_pid().is_none());
        let second = rig.run_one(sequence(&[(one, &[]), (fine, &[0])]));
        assert_eq!((&first.outcome, &first.observations), (&second.outcome, &second.observations));
        assert!(rig.executor.worker_pid().is_some() && rig.executor.worker_pid() != before);
        assert_eq!(deaths(&rig, Death::Renewed), 1);
    }
}

#[test]
fn exit_is_refused() {
    check("exit", "(I)V", &[3], |o, rig, _| *o == Outcome::Exit { statement: 1, status: 3 } && unharmed(rig));
}

#[test]
fn halt_is_refused() {
    check("halt", "(I)V", &[-1], |o, rig, _| *o == Outcome::Exit { statement: 1, status: -1 } && unharmed(rig));
}

#[test]
fn a_halt_behind_our_back_is_a_death_with_its_status() {
    check("reflectiveHalt", "(I)V", &[9], |o, rig, _| {
        *o == Outcome::Killed { statement: Some(1), status: Some(9) } && deaths(rig, Death::Exited) == 1
    });
}

#[test]
fn endless_loops_reach_the_step_limit() {
    check("loop", "()V", &[], |o, rig, _| *o == Outcome::StepLimit { statement: 0 } && unharmed(rig));
}

#[test]
fn loops_that_catch_everything_end_too() {
    check("loopCatchingAll", "()V", &[], |o, _, _| {
        matches!(o, Outcome::StepLimit { statement: 0 } | Outcome::WallClock { statement: Some(0) })
    });
}

#[test]
fn endless_loops_in_the_jdk_reach_the_wall_clock() {
    check("loopInTheJdk", "()V", &[], |o, rig, _| {
        *o == Outcome::WallClock { statement: Some(0) } && deaths(rig, Death::WallClock) == 1
    });
}

#[test]
fn time_spent_in_the_jdk_counts_as_steps_where_the_clock_may_tell() {
    for (timed, jdk) in [false, true].into_iter().zip(jdks().into_iter().cycle()) {
        let mut rig = Rig::with(&jdk, "power", &[HOSTILE], |config| config.worker.timed = timed);
        let power = rig.static_call(HOSTILE, "powerInTheJdk", "(I)I");
        let steps = [10, 300_000].map(|exponent| {
            let exponent = rig.int(exponent);
            among_good_ones(&mut rig, power, &[exponent]).steps
        });
        assert!(steps[0] < 100 && (steps[1] > 800_000) == timed, "{timed}: {steps:?}");
    }
}

#[test]
fn what_takes_too_long_is_stopped_without_the_loss_of_the_worker_unless_patience_is_asked_for() {
    for jdk in jdks() {
        let mut rig = Rig::with(&jdk, "patience", &[HOSTILE], |config| {
            config.worker.patience = Some(Duration::from_millis(200));
            config.wall_limit = Duration::from_millis(1_500);
        });
        let loops = rig.static_call(HOSTILE, "powersInTheJdk", "()V");
        let waits = rig.static_call(HOSTILE, "waitInVain", "()Z");
        let fine = rig.static_call(HOSTILE, "fine", "(I)I");
        let one = rig.int(1);
        let impatient = |statements: &[(OpId, &[u16])]| {
            let mut request = plain(sequence(statements));
            request.detail.impatient = true;
            request
        };
        let good = || impatient(&[(one, &[]), (fine, &[0])]);
        for evil in [loops, waits] {
            // Whatever would come behind it does not run, and is not to blame.
            let results = rig.run(vec![good(), impatient(&[(evil, &[]), (one, &[]), (fine, &[1])]), good()]);
            let outcomes: Vec<&Outcome> = results.iter().map(|r| &r.outcome).collect();
            assert_eq!(outcomes, [&Outcome::Normal, &Outcome::StepLimit { statement: 0 }, &Outcome::Normal]);
        }
        let interrupted = rig.static_call(HOSTILE, "isInterrupted", "()Z");
        let after = rig.run_one(sequence(&[(interrupted, &[])]));
        assert_eq!(after.observations.last().unwrap().value, Some(Value::Boolean(false)), "{after:?}");
        assert!(unharmed(&rig), "{:?}", rig.executor.stats());
        let patient = rig.run_one(sequence(&[(waits, &[])]));
        assert_eq!(patient.outcome, Outcome::WallClock { statement: Some(0) });
    }
}

#[test]
fn endless_loops_in_the_jdk_that_call_back_reach_the_step_limit() {
    for jdk in jdks() {
        let mut rig = Rig::new(&jdk, "scan", &[HOSTILE]);
        let lambda = Lambda {
            interface: "java/lang/Readable".into(),
            method: "read".into(),
            descriptor: "(Ljava/nio/CharBuffer;)I".into(),
            exact: "(Ljava/nio/CharBuffer;)I".into(),
            body: LambdaBody::Nothing,
        };
        let source = rig.other(OperationKind::Lambda(lambda), &[], "Ljava/lang/Readable;");
        let scan = rig.static_call(HOSTILE, "scan", "(Ljava/lang/Readable;)Ljava/lang/String;");
        let result = rig.run_one(sequence(&[(source, &[]), (scan, &[0])]));
        assert_eq!(result.outcome, Outcome::StepLimit { statement: 1 });
        assert!(unharmed(&rig), "{:?}", rig.executor.stats());
    }
}

#[test]
fn deep_recursion_is_a_stack_overflow() {
    check("recurse", "(I)I", &[0], |o, rig, _| *o == Outcome::StackOverflow { statement: 1 } && unharmed(rig));
}

#[test]
fn memory_eaters_run_out_of_memory() {
    check("allocate", "()Ljava/lang/Object;", &[], |o, rig, _| {
        *o == Outcome::OutOfMemory { statement: 0 } && unharmed(rig)
    });
}

#[test]
fn waiting_for_ever_reaches_the_wall_clock() {
    check("lockForever", "()V", &[], |o, rig, _| {
        *o == Outcome::WallClock { statement: Some(0) } && deaths(rig, Death::WallClock) == 1
    });
}

#[test]
fn sleeping_for_ever_costs_steps() {
    check("sleepForever", "()V", &[], |o, rig, _| *o == Outcome::StepLimit { statement: 0 } && unharmed(rig));
}

#[test]
fn threads_left_are_noticed_and_the_worker_replaced() {
    check("leaveThread", "()V", &[], |o, rig, _| {
        *o == Outcome::ThreadsLeft { threads: 1 } && deaths(rig, Death::ThreadsLeft) == 1
    });
}

#[test]
fn threads_that_wait_in_a_pool_are_ended_and_nobody_is_harmed() {
    check("leavePool", "()I", &[], |o, rig, _| *o == Outcome::Normal && unharmed(rig));
}

#[test]
fn a_pool_that_is_shared_can_be_used_again_and_again() {
    for jdk in jdks() {
        let mut rig = Rig::with(&jdk, "shareAPool", &[HOSTILE], |_| ());
        let share = rig.static_call(HOSTILE, "shareAPool", "()I");
        for _ in 0..50 {
            let result = rig.run_one(sequence(&[(share, &[])]));
            assert_eq!(result.outcome, Outcome::Normal);
        }
        assert!(unharmed(&rig), "{:?}", rig.executor.stats());
    }
}

#[test]
fn second_looks_take_their_time_once_threads_were_started() {
    for jdk in jdks() {
        let mut rig = Rig::with(&jdk, "setSoon", &[HOSTILE], |_| ());
        let set = rig.static_call(HOSTILE, "setSoon", "()V");
        let is_set = rig.static_call(HOSTILE, "isSet", "()Z");
        // A busy machine may let the timer's thread wait longer than we do.
        let seen = (0..20).any(|_| {
            let detail = Detail { varied: true, ..full() };
            let request = Request { sequence: sequence(&[(set, &[]), (is_set, &[])]), detail, cost: 1, fault: None };
            let result = rig.run(vec![request]).remove(0);
            result.observations.last().unwrap().value == Some(Value::Boolean(true))
        });
        assert!(seen && unharmed(&rig), "{:?}", rig.executor.stats());
    }
}

#[test]
fn an_initialiser_cut_short_spoils_the_worker_which_is_replaced() {
    check("initialiseForever", "()I", &[], |o, rig, _| {
        *o == Outcome::StepLimit { statement: 0 } && deaths(rig, Death::Spoilt) == 1
    });
}

#[test]
fn native_crashes_are_told_from_kills() {
    check("crash", "()V", &[], |o, rig, _| {
        *o == Outcome::Crashed { statement: Some(0), signal: Some(11) } && deaths(rig, Death::Crashed) == 1
    });
}

#[test]
fn a_thread_run_by_itself_does_nothing() {
    check("runOwnThread", "()V", &[], |o, rig, _| *o == Outcome::Normal && unharmed(rig));
}

#[test]
fn an_interruption_ends_with_its_sequence() {
    for jdk in jdks() {
        let mut rig = Rig::new(&jdk, "interrupted", &[HOSTILE]);
        let interrupt = rig.static_call(HOSTILE, "interruptOwnThread", "()V");
        let ask = rig.static_call(HOSTILE, "isInterrupted", "()Z");
        assert_eq!(rig.run_one(sequence(&[(interrupt, &[])])).outcome, Outcome::Normal);
        let after = rig.run_one(sequence(&[(ask, &[])]));
        assert_eq!(after.observations.last().unwrap().value, Some(Value::Boolean(false)), "{after:?}");
    }
}

#[test]
fn threads_of_the_jdk_may_load_classes_too() {
    let classes = ["", "$Parallel", "$Even", "$Odd"].map(|part| format!("{HOSTILE}{part}"));
    for jdk in jdks() {
        let mut rig = Rig::new(&jdk, "parallel", &classes.each_ref().map(String::as_str));
        let sum = rig.static_call(HOSTILE, "sumInParallel", "()I");
        let result = among_good_ones(&mut rig, sum, &[]);
        assert_eq!(result.outcome, Outcome::Normal, "{:?}", rig.executor.stats());
        assert_eq!(result.observations.last().unwrap().value, Some(Value::Int(64)));
        assert!(unharmed(&rig));
    }
}

#[test]
fn setting_up_may_take_longer_than_a_sequence() {
    let jdk = jdks().remove(0);
    let mut rig = Rig::with(&jdk, "impatient", &[HOSTILE], |config| config.wall_limit = Duration::from_millis(30));
    let fine = rig.static_call(HOSTILE, "fine", "(I)I");
    for n in 0..3 {
        let number = rig.int(n);
        assert_eq!(rig.run(vec![plain(sequence(&[(number, &[]), (fine, &[0])]))])[0].outcome, Outcome::Normal);
    }
    assert!(unharmed(&rig), "{:?}", rig.executor.stats());
}

#[test]
fn printing_and_reading_do_not_disturb_the_protocol() {
    check("print", "()V", &[], |o, rig, _| *o == Outcome::Normal && unharmed(rig));
    check("read", "()I", &[], |o, rig, _| *o == Outcome::Normal && unharmed(rig));
}

#[test]
fn a_worker_killed_from_outside_is_replaced() {
    for jdk in jdks() {
        let mut rig = Rig::new(&jdk, "killed", &[HOSTILE]);
        let fine = rig.static_call(HOSTILE, "fine", "(I)I");
        let one = rig.int(1);
        let request = || plain(sequence(&[(one, &[]), (fine, &[0])]));
        assert_eq!(rig.run(vec![request()])[0].outcome, Outcome::Normal);
        let pid = rig.executor.worker_pid().unwrap() as i32;
        // SAFETY: a signal to a child of this process.
        assert_eq!(unsafe { libc::kill(pid, libc::SIGKILL) }, 0);
        let results = rig.run((0..100).map(|_| request()).collect());
        assert!(results.iter().all(|r| r.outcome == Outcome::Normal));
        assert_eq!(rig.executor.stats().restarts, 1);
        assert_ne!(rig.executor.worker_pid(), Some(pid as u32));
    }
}

#[test]
fn a_guilty_sequence_is_never_sent_again_and_a_guilty_operation_not_after_three_times() {
    let jdk = jdks().remove(0);
    let mut rig = Rig::new(&jdk, "quarantine", &[HOSTILE]);
    let halt = rig.static_call(HOSTILE, "reflectiveHalt", "(I)V");
    let numbers: Vec<OpId> = (0..5).map(|n| rig.int(n)).collect();
    let request = |n: usize| plain(sequence(&[(numbers[n], &[]), (halt, &[0])]));
    let outcomes: Vec<Outcome> = rig
        .run(vec![request(0), request(0), request(1), request(2), request(3)])
        .into_iter()
        .map(|r| r.outcome)
        .collect();
    let killed = |status| Outcome::Killed { statement: Some(1), status: Some(status) };
    assert_eq!(outcomes, [killed(0), Outcome::Quarantined, killed(1), killed(2), Outcome::Quarantined]);
    assert_eq!(rig.run(vec![request(4)])[0].outcome, Outcome::Quarantined);
    assert_eq!(rig.executor.quarantined_operations().get(&halt).unwrap(), "ended the JVM, 3 times");
    assert_eq!(rig.executor.stats().restarts, 3);
}

#[test]
fn the_deadline_ends_everything_at_once() {
    let jdk = jdks().remove(0);
    let mut rig = Rig::with(&jdk, "deadline", &[HOSTILE], |c| c.wall_limit = Duration::from_secs(60));
    let wait = rig.static_call(HOSTILE, "lockForever", "()V");
    let fine = rig.static_call(HOSTILE, "fine", "(I)I");
    let one = rig.int(1);
    let good = || plain(sequence(&[(one, &[]), (fine, &[0])]));
    assert_eq!(rig.run(vec![good()])[0].outcome, Outcome::Normal);
    #[expect(clippy::disallowed_methods, reason = "a deadline is a point in time")]
    let start = std::time::Instant::now();
    rig.executor.set_deadline(Some(start + Duration::from_millis(200)));
    let results = rig.run(vec![plain(sequence(&[(wait, &[])])), good()]);
    assert!(start.elapsed() < Duration::from_secs(3));
    assert!(results.iter().all(|r| r.outcome == Outcome::Killed { statement: None, status: None }));
    rig.executor.set_deadline(None);
    assert_eq!(rig.run(vec![good()])[0].outcome, Outcome::Normal);
}
