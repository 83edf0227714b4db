//! No sequence sees what another did to static state: random sequences in shuffled orders have the same results.

mod support;

use support::{Rig, full, jdks, sequence};
use testcase::execution::{Execution, Outcome};
use testcase::executor::{Detail, Request};
use testcase::operation::OpId;

const POLLUTER: &str = "subjects/Polluter";

/// A small generator of pseudo-random numbers (xorshift), so that failures repeat.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }
}

fn random_requests(rig: &mut Rig, random: &mut Random, count: usize) -> Vec<Request> {
    let new = rig.construct(POLLUTER, "(I)V");
    let numbers: Vec<OpId> = [-7, 0, 1, 2, 6, 40].into_iter().map(|n| rig.int(n)).collect();
    let with_number: Vec<OpId> =
        ["log", "cache", "scribble"].into_iter().map(|m| rig.call(POLLUTER, m, "(I)I")).collect();
    let alone: Vec<OpId> = ["mine", "others"].into_iter().map(|m| rig.call(POLLUTER, m, "()I")).collect();
    let property = rig.call(POLLUTER, "property", "(I)Ljava/lang/String;");
    let mut requests = Vec::with_capacity(count);
    for _ in 0..count {
        let mut statements: Vec<(OpId, Vec<u16>)> = Vec::new();
        for &number in &numbers {
            statements.push((number, Vec::new()));
        }
        let mut objects: Vec<u16> = Vec::new();
        for _ in 0..2 + random.below(8) {
            let at = statements.len() as u16;
            if objects.is_empty() || random.below(5) == 0 {
                statements.push((new, vec![random.below(numbers.len()) as u16]));
                objects.push(at);
                continue;
            }
            let object = objects[random.below(objects.len())];
            let number = random.below(numbers.len()) as u16;
            match random.below(6) {
                n @ 0..=2 => statements.push((with_number[n], vec![object, number])),
                n @ 3..=4 => statements.push((alone[n - 3], vec![object])),
                _ => statements.push((property, vec![object, number])),
            }
        }
        let borrowed: Vec<(OpId, &[u16])> = statements.iter().map(|(o, a)| (*o, a.as_slice())).collect();
        requests.push(Request { sequence: sequence(&borrowed), detail: full(), cost: 1, fault: None });
    }
    requests
}

/// What must not depend on the order.
fn essence(run: &Execution) -> Execution {
    let mut run = run.clone();
    // A class initialiser runs in whichever sequence comes first, so its probes and steps are that sequence's.
    run.probes.clear();
    run.operands.clear();
    run.steps = 0;
    run.dirtied_statics = false;
    run
}

#[test]
fn results_do_not_depend_on_the_order_of_sequences() {
    for jdk in jdks() {
        let mut random = Random(0x9E37_79B9_7F4A_7C15);
        let mut reference: Option<Vec<Execution>> = None;
        for order in 0..3 {
            let mut rig = Rig::new(&jdk, &format!("order{order}"), &[POLLUTER]);
            let requests = random_requests(&mut rig, &mut Random(42), 400);
            let mut places: Vec<usize> = (0..requests.len()).collect();
            if order > 0 {
                for i in (1..places.len()).rev() {
                    places.swap(i, random.below(i + 1));
                }
            }
            let mut results: Vec<Option<Execution>> = vec![None; requests.len()];
            for part in places.chunks(64) {
                let runs = rig.run(part.iter().map(|&i| requests[i].clone()).collect());
                for (&i, run) in part.iter().zip(&runs) {
                    assert_eq!(run.outcome, Outcome::Normal, "{run:?}");
                    results[i] = Some(essence(run));
                }
            }
            let results: Vec<Execution> = results.into_iter().map(Option::unwrap).collect();
            match &reference {
                None => reference = Some(results),
                Some(reference) => {
                    for (i, (expected, found)) in reference.iter().zip(&results).enumerate() {
                        assert_eq!(found, expected, "sequence {i}, order {order}, JDK {}", jdk.feature);
                    }
                }
            }
        }
    }
}

#[test]
fn changed_static_state_is_reported() {
    let jdk = jdks().remove(0);
    let mut rig = Rig::new(&jdk, "dirtied", &[POLLUTER]);
    let new = rig.construct(POLLUTER, "(I)V");
    let mine = rig.call(POLLUTER, "mine", "()I");
    let one = rig.int(1);
    let run = rig.run_one(sequence(&[(one, &[]), (new, &[0]), (mine, &[1])]));
    assert!(run.dirtied_statics, "{run:?}");
}

#[test]
fn clock_and_chance_begin_alike_for_every_sequence() {
    const GAMBLER: &str = "subjects/Gambler";
    for jdk in jdks() {
        let shown = |name: &str, before: usize, varied: bool| {
            let mut rig = Rig::new(&jdk, name, &[GAMBLER]);
            let says = rig.static_call(GAMBLER, "says", "()Ljava/lang/String;");
            let stack = rig.static_call(GAMBLER, "stack", "()Ljava/util/concurrent/ConcurrentSkipListSet;");
            let waits = rig.static_call(GAMBLER, "waits", "()I");
            let request = |varied| {
                let statements = sequence(&[(says, &[]), (stack, &[]), (waits, &[])]);
                Request { sequence: statements, detail: Detail { varied, ..full() }, cost: 1, fault: None }
            };
            let mut requests: Vec<Request> = (0..before).map(|_| request(false)).collect();
            requests.push(request(varied));
            let run = rig.run(requests).pop().unwrap();
            assert_eq!(run.outcome, Outcome::Normal, "{run:?}");
            run.observations.iter().map(|o| (o.value.clone(), o.state)).collect::<Vec<_>>()
        };
        let first = shown("chance1", 0, false);
        assert_eq!(shown("chance2", 3, false), first, "JDK {}", jdk.feature);
        let varied = shown("chance3", 1, true);
        for (number, (usual, other)) in first.iter().zip(&varied).enumerate() {
            assert_ne!(usual, other, "observation {number}, JDK {}", jdk.feature);
        }
    }
}
