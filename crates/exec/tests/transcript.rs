//! A recorded run is answered again without a JVM, and only if the same is asked.

mod support;

use exec::transcript::{Recorder, Replay};
use support::{Rig, jdks, plain, sequence};
use testcase::executor::Executor;

#[test]
fn a_recording_replays() {
    let jdk = jdks().remove(0);
    let mut rig = Rig::new(&jdk, "transcript", &["subjects/Stack"]);
    let new = rig.construct("subjects/Stack", "()V");
    let pop = rig.call("subjects/Stack", "pop", "()I");
    let (good, bad) = (sequence(&[(new, &[])]), sequence(&[(new, &[]), (pop, &[0])]));
    let operations = rig.operations;
    let mut recorder = Recorder::new(rig.executor);
    let first = recorder.run(&operations, vec![plain(good.clone()), plain(bad.clone())]).unwrap();
    let second = recorder.run(&operations, vec![plain(bad.clone())]).unwrap();
    let depth = recorder.depth();
    let transcript = recorder.finish();

    let mut replay = Replay::new(transcript.clone(), depth);
    assert_eq!(replay.run(&operations, vec![plain(good.clone()), plain(bad.clone())]).unwrap(), first);
    assert_eq!(replay.run(&operations, vec![plain(bad)]).unwrap(), second);
    assert!(replay.run(&operations, vec![plain(good.clone())]).unwrap_err().message.contains("never recorded"));
    let mut replay = Replay::new(transcript, depth);
    assert!(replay.run(&operations, vec![plain(good)]).unwrap_err().message.contains("other sequences"));
}
