//! Sequences on real JVMs: results, observations, every kind of operation. Owns the expectations for well-behaved code.

mod support;

use support::{Rig, full, jdks, plain, sequence};
use testcase::execution::Outcome;
use testcase::executor::Executor;
use testcase::operation::OpId;
use testcase::sequence::Var;
use testcase::value::{Constant, Value};

const STACK: &str = "subjects/Stack";

#[test]
fn a_sequence_runs_and_is_observed() {
    for jdk in jdks() {
        let mut rig = Rig::new(&jdk, "runs", &[STACK]);
        let new = rig.construct(STACK, "()V");
        let five = rig.int(5);
        let push = rig.call(STACK, "push", "(I)V");
        let pop = rig.call(STACK, "pop", "()I");
        let run = rig.run_one(sequence(&[(new, &[]), (five, &[]), (push, &[0, 1]), (pop, &[0])]));
        assert_eq!(run.outcome, Outcome::Normal);
        assert!(!run.probes.is_empty() && run.steps > 0, "{run:?}");
        let popped = run.observations.iter().rfind(|o| o.var.0 == 3).unwrap();
        assert_eq!((popped.value.clone(), popped.class.clone()), (Some(Value::Int(5)), None), "{run:?}");
        let run = rig.run_one(sequence(&[(new, &[]), (pop, &[0])]));
        let Outcome::Threw { statement: 1, exception } = &run.outcome else { panic!("{run:?}") };
        assert_eq!(exception.class.internal(), "java/lang/IllegalStateException");
        let detail = exception.detail.as_ref().unwrap();
        assert_eq!(detail.message.as_deref(), Some("empty"));
        assert_eq!(&*detail.frames[0].method, "pop");
    }
}

#[test]
fn objects_that_come_back_are_told() {
    for jdk in jdks() {
        let mut rig = Rig::new(&jdk, "same", &[]);
        let new = rig.construct("java/util/ArrayList", "()V");
        let given = rig.static_call("java/util/Objects", "requireNonNull", "(Ljava/lang/Object;)Ljava/lang/Object;");
        let empty = rig.any_call("java/util/List", "of", "()Ljava/util/List;", true, true);
        let text = rig.constant(Constant::String("a".into()), "Ljava/lang/String;");
        let steps: [(OpId, &[u16]); 6] =
            [(new, &[]), (new, &[]), (given, &[1]), (text, &[]), (given, &[3]), (empty, &[])];
        let run = rig.run_one(sequence(&steps));
        let birth = |var: u16| run.observations.iter().find(|o| o.var == Var(var)).unwrap().same_as;
        // Two lists are equal, but not the same. Texts are told by what they say.
        assert_eq!([0, 1, 2, 3, 4, 5].map(birth), [None, None, Some(Var(1)), None, None, None], "JDK {}", jdk.feature);
    }
}

#[test]
fn two_batches_may_be_in_flight() {
    for jdk in jdks() {
        let mut rig = Rig::new(&jdk, "flight", &[STACK]);
        let new = rig.construct(STACK, "()V");
        let size = rig.call(STACK, "size", "()I");
        let push = rig.call(STACK, "push", "(I)V");
        let one = rig.int(1);
        let request = |n: usize| {
            let mut statements: Vec<(_, &[u16])> = vec![(new, &[]), (one, &[])];
            statements.extend((0..n).map(|_| (push, &[0u16, 1][..])));
            statements.push((size, &[0]));
            let mut request = plain(sequence(&statements));
            request.detail = full();
            request
        };
        rig.executor.submit(&rig.operations, (0..50).map(request).collect()).unwrap();
        rig.executor.submit(&rig.operations, (50..120).map(request).collect()).unwrap();
        let mut results = rig.executor.collect().unwrap();
        assert_eq!(results.len(), 50);
        results.extend(rig.executor.collect().unwrap());
        assert_eq!(results.len(), 120);
        for (n, run) in results.iter().enumerate() {
            let last = run.observations.last().unwrap();
            assert_eq!(last.value, Some(Value::Int(n as i32)), "{run:?}");
        }
        assert_eq!(rig.executor.stats().executions, 120);
        assert_eq!(rig.executor.stats().restarts, 0);
    }
}
