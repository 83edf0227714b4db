//! What user code may not do, tried for real on every JDK: files outside, network, programs. Allowed: scratch files, threads.

mod support;

use std::net::TcpListener;
use std::path::Path;

use exec::sandbox::{Kind, layers};
use support::{Rig, jdks, scratch, sequence};
use testcase::execution::{Execution, Outcome};
use testcase::operation::OpId;
use testcase::value::{Constant, Value};

const HOSTILE: &str = "subjects/Hostile";

fn run(rig: &mut Rig, name: &str, descriptor: &str, arg: Option<OpId>) -> Execution {
    let op = rig.static_call(HOSTILE, name, descriptor);
    match arg {
        Some(arg) => rig.run_one(sequence(&[(arg, &[]), (op, &[0])])),
        None => rig.run_one(sequence(&[(op, &[])])),
    }
}

fn exception(run: &Execution) -> String {
    match &run.outcome {
        Outcome::Threw { exception, .. } => exception.class.internal().to_owned(),
        other => format!("{other:?}"),
    }
}

fn result(run: &Execution) -> Option<Value> {
    run.observations.last().and_then(|o| o.value.clone())
}

fn text(rig: &mut Rig, text: &str) -> Option<OpId> {
    Some(rig.constant(Constant::String(text.into()), "Ljava/lang/String;"))
}

#[test]
fn user_code_is_locked_in() {
    // Containers often have no namespaces; all that is tried here is stopped by another layer, too.
    let missing: Vec<_> = layers().into_iter().filter(|l| l.missing.is_some() && l.name != "view").collect();
    assert!(missing.is_empty(), "this machine's kernel offers less: {missing:?}");
    let secret_folder = scratch("secrets");
    let secret = secret_folder.join("secret.txt");
    std::fs::write(&secret, "secret").unwrap();
    let target = secret_folder.join("written.txt");
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = i32::from(listener.local_addr().unwrap().port());
    for jdk in jdks() {
        let mut rig = Rig::new(&jdk, "sandbox", &[HOSTILE]);
        let on = |run: &Execution| format!("on {}: {run:?}", jdk.feature);

        let path = text(&mut rig, &secret.to_string_lossy());
        let read = run(&mut rig, "readOutside", "(Ljava/lang/String;)I", path);
        assert_eq!(exception(&read), "java/io/FileNotFoundException", "{}", on(&read));
        let path = text(&mut rig, "/etc/passwd");
        let read = run(&mut rig, "readOutside", "(Ljava/lang/String;)I", path);
        assert_eq!(exception(&read), "java/io/FileNotFoundException", "{}", on(&read));
        let path = text(&mut rig, &target.to_string_lossy());
        let written = run(&mut rig, "writeOutside", "(Ljava/lang/String;)V", path);
        assert_eq!(exception(&written), "java/io/FileNotFoundException", "{}", on(&written));
        assert!(!target.exists());
        let path = text(&mut rig, &secret.to_string_lossy());
        let written = run(&mut rig, "writeOutside", "(Ljava/lang/String;)V", path);
        assert_eq!(exception(&written), "java/io/FileNotFoundException", "{}", on(&written));
        assert_eq!(std::fs::read_to_string(&secret).unwrap(), "secret");
        let path = text(&mut rig, &secret_folder.to_string_lossy());
        let listed = run(&mut rig, "list", "(Ljava/lang/String;)I", path);
        assert_eq!(result(&listed), Some(Value::Int(-1)), "{}", on(&listed));

        let port = Some(rig.int(port));
        for (name, descriptor, arg) in [("connect", "(I)V", port), ("serve", "()V", None), ("datagram", "()V", None)] {
            let tried = run(&mut rig, name, descriptor, arg);
            assert!(exception(&tried).starts_with("java/net/"), "{name} {}", on(&tried));
        }
        let started = run(&mut rig, "startProgram", "()I", None);
        assert_eq!(exception(&started), "java/io/IOException", "{}", on(&started));

        for (name, expected) in [("scratchFile", 42), ("tempFile", 1), ("threads", 50)] {
            let allowed = run(&mut rig, name, "()I", None);
            assert_eq!(result(&allowed), Some(Value::Int(expected)), "{name} {}", on(&allowed));
        }
        assert_eq!(rig.executor.stats().restarts, 0);
        let attempts = rig.executor.attempts();
        let tried = |kind, call: &str, path: Option<&Path>| {
            attempts.iter().any(|a| a.kind == kind && a.call == call && (path.is_none() || a.path.as_deref() == path))
        };
        assert!(tried(Kind::Files, "openat", Some(&target)), "{attempts:?}");
        assert!(tried(Kind::Network, "socket", None), "{attempts:?}");
        assert!(attempts.iter().any(|a| a.kind == Kind::Program), "{attempts:?}");
        assert!(!tried(Kind::Other, "a system call that no JVM makes", None), "{attempts:?}");
    }
}

#[test]
fn no_batch_finds_the_files_of_another() {
    for jdk in jdks() {
        let mut rig = Rig::new(&jdk, "files", &[HOSTILE]);
        let path = text(&mut rig, "left");
        let written = run(&mut rig, "writeOutside", "(Ljava/lang/String;)V", path);
        assert_eq!(written.outcome, Outcome::Normal);
        let read = run(&mut rig, "readOutside", "(Ljava/lang/String;)I", path);
        assert_eq!(exception(&read), "java/io/FileNotFoundException", "on {}: {read:?}", jdk.feature);
    }
}

#[test]
fn what_reaches_nothing_is_not_noted() {
    for jdk in jdks() {
        let mut rig = Rig::new(&jdk, "harmless", &[HOSTILE]);
        let arg = Some(rig.int(1));
        run(&mut rig, "fine", "(I)I", arg);
        // The JVM's own, while it starts.
        let before = rig.executor.attempts();
        run(&mut rig, "fine", "(I)I", arg);
        run(&mut rig, "threads", "()I", None);
        assert_eq!(rig.executor.attempts(), before, "on {}", jdk.feature);
    }
}
