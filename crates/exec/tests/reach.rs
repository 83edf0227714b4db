//! Whatever reaches outside is marked, though it swallows what comes of it; what only looks like it is not. On every JDK.

mod support;

use support::{Rig, jdks, plain, sequence};
use testcase::execution::{Execution, Kinds};
use testcase::value::{Constant, Value};

const SUBJECT: &str = "subjects/Reaching";
const INSIDE: Kinds = Kinds(0);

/// Method, what it reaches, and the call that is named.
const WAYS: &[(&str, Kinds, &str)] = &[
    ("fileWriter", Kinds::FILES, "java.io.FileWriter"),
    ("fileOutputStream", Kinds::FILES, "java.io.FileOutputStream"),
    ("ownWriter", Kinds::FILES, "java.io.FileWriter"),
    ("printWriter", Kinds::FILES, "java.io.PrintWriter"),
    ("printStream", Kinds::FILES, "java.io.PrintStream"),
    ("formatter", Kinds::FILES, "java.util.Formatter"),
    ("randomAccess", Kinds::FILES, "java.io.RandomAccessFile"),
    ("channel", Kinds::FILES, "java.nio.channels.FileChannel.open"),
    ("byteChannel", Kinds::FILES, "java.nio.file.Files.newByteChannel"),
    ("writeBytes", Kinds::FILES, "java.nio.file.Files.write"),
    ("bufferedWriter", Kinds::FILES, "java.nio.file.Files.newBufferedWriter"),
    ("copy", Kinds::FILES, "java.nio.file.Files.copy"),
    ("createTemp", Kinds::FILES, "java.io.File.createTempFile"),
    ("delete", Kinds::FILES, "java.io.File.delete"),
    ("deleteOwn", Kinds::FILES, "java.io.File.delete"),
    ("deleteByReference", Kinds::FILES, "java.io.File.delete"),
    ("deleteByReflection", Kinds::FILES, "java.io.File.delete"),
    ("writerByReflection", Kinds::FILES, "java.io.FileWriter"),
    ("deleteByHandle", Kinds::FILES, "java.io.File.delete"),
    ("logFile", Kinds::FILES, "java.util.logging.FileHandler"),
    ("connect", Kinds::NETWORK, "java.net.Socket"),
    ("listen", Kinds::NETWORK, "java.net.ServerSocket"),
    ("datagram", Kinds::NETWORK, "java.net.DatagramSocket"),
    ("socketChannel", Kinds::NETWORK, "java.nio.channels.SocketChannel.open"),
    ("url", Kinds::NETWORK, "java.net.URL.openStream"),
    ("urlConnection", Kinds::NETWORK, "java.net.URLConnection.getInputStream"),
    ("resolve", Kinds::NETWORK, "java.net.InetAddress.getByName"),
    ("start", Kinds::PROGRAM, "java.lang.ProcessBuilder.start"),
    ("exec", Kinds::PROGRAM, "java.lang.Runtime.exec"),
    ("load", Kinds::OTHER, "java.lang.System.load"),
    ("environment", Kinds::LOOKS, "java.lang.System.getenv"),
    ("listFolder", Kinds::LOOKS, "java.io.File.list"),
    ("readThere", Kinds::LOOKS, "java.nio.file.Files.readAllBytes"),
    ("property", Kinds::STATE, "system properties"),
    ("propertyByReflection", Kinds::STATE, "system properties"),
    ("locale", Kinds::STATE, "the default locale"),
    ("handler", Kinds::STATE, "java.lang.Thread.setDefaultUncaughtExceptionHandler"),
    ("threadName", Kinds::STATE, "the main thread"),
    ("provider", Kinds::STATE, "java.security.Security.removeProvider"),
    ("logging", Kinds::STATE, "java.util.logging.LogManager.reset"),
    ("rootLogger", Kinds::STATE, "java.util.logging.Logger.setLevel"),
    ("box", Kinds::STATE, "a shared box or boolean"),
    ("closeOutput", Kinds::STATE, "java.lang.System.out, closed"),
    ("readInput", Kinds::LOOKS, "java.lang.System.in"),
    ("assertionStatus", Kinds::STATE, "java.lang.ClassLoader.setDefaultAssertionStatus"),
    ("logHandler", Kinds::STATE, "java.util.logging.Handler.setLevel"),
    ("cleaner", Kinds::OTHER, "java.lang.ref.Cleaner.register"),
    ("later", Kinds::OTHER, "java.util.concurrent.CompletableFuture.delayedExecutor"),
    ("desktop", Kinds::OTHER, "java.awt.Desktop.isDesktopSupported"),
    ("arguments", Kinds::LOOKS, "java.lang.management.RuntimeMXBean.getInputArguments"),
    ("insideNullUrl", INSIDE, ""),
    ("insideWriters", INSIDE, ""),
    ("insideMissingFile", INSIDE, ""),
    ("insideExists", INSIDE, ""),
    ("insideScanner", INSIDE, ""),
    ("insideReadOnly", INSIDE, ""),
    ("insideUrl", INSIDE, ""),
    ("insideResource", INSIDE, ""),
    ("insideAddress", INSIDE, ""),
    ("insideReflection", INSIDE, ""),
    ("insideProperty", INSIDE, ""),
    ("insideLogger", INSIDE, ""),
    ("insideBuffer", INSIDE, ""),
];

fn problem(run: &Execution, kinds: Kinds, call: &str) -> bool {
    let named = run.reach.by.as_deref().unwrap_or_default();
    if kinds.is_empty() { !run.reach.is_empty() } else { !run.reach.kinds.has(kinds) || named != call }
}

#[test]
fn every_way_to_reach_outside_is_marked_and_nothing_else() {
    for jdk in jdks() {
        let mut problems = Vec::new();
        // Together as a search runs them, and closely as tests are looked at.
        for closely in [false, true] {
            // What nobody can put back costs the worker, and is not sent twice.
            let mut rig = Rig::new(&jdk, "reach", &[SUBJECT]);
            for (name, kinds, call) in WAYS {
                let op = rig.static_call(SUBJECT, name, "()I");
                let sequence = sequence(&[(op, &[])]);
                let run = if closely { rig.run_one(sequence) } else { rig.run(vec![plain(sequence)]).remove(0) };
                if problem(&run, *kinds, call) {
                    problems.push(format!("{name}: {:?} {:?}", run.reach, run.outcome));
                }
            }
        }
        assert!(problems.is_empty(), "on {}:\n{}", jdk.feature, problems.join("\n"));
    }
}

#[test]
fn calls_that_a_test_makes_itself_are_marked_with_their_statement() {
    for jdk in jdks() {
        let mut rig = Rig::new(&jdk, "reach-own", &[SUBJECT]);
        let name = rig.constant(Constant::String("/nonexistent/a".into()), "Ljava/lang/String;");
        let file = rig.construct("java/io/File", "(Ljava/lang/String;)V");
        let mkdir = rig.call("java/io/File", "mkdir", "()Z");
        let exists = rig.call("java/io/File", "exists", "()Z");
        let inside = rig.run_one(sequence(&[(name, &[]), (file, &[0]), (exists, &[1])]));
        assert!(inside.reach.is_empty(), "{inside:?}");
        let run = rig.run_one(sequence(&[(name, &[]), (file, &[0]), (mkdir, &[1]), (exists, &[1])]));
        assert_eq!((run.reach.kinds, run.reach.statement), (Kinds::FILES, Some(2)), "{run:?}");
    }
}

#[test]
fn what_was_changed_is_put_back_before_the_next_sequence() {
    for jdk in jdks() {
        let mut rig = Rig::new(&jdk, "reach-back", &[SUBJECT]);
        let key = rig.constant(Constant::String("subjects.a".into()), "Ljava/lang/String;");
        let get = rig.static_call("java/lang/System", "getProperty", "(Ljava/lang/String;)Ljava/lang/String;");
        let put = rig.static_call(SUBJECT, "property", "()I");
        let changed = plain(sequence(&[(put, &[])]));
        assert!(!rig.run(vec![changed]).remove(0).reach.is_empty());
        let after = rig.run_one(sequence(&[(key, &[]), (get, &[0])]));
        assert!(after.reach.is_empty(), "{after:?}");
        assert_eq!(after.observations.last().and_then(|o| o.value.clone()), Some(Value::Null), "{after:?}");
    }
}

#[test]
fn the_runtime_cannot_be_named_by_code_under_test() {
    for jdk in jdks() {
        let mut rig = Rig::new(&jdk, "reach-hooks", &[SUBJECT]);
        let op = rig.static_call(SUBJECT, "hooksByName", "()I");
        let run = rig.run_one(sequence(&[(op, &[])]));
        let refused = run.observations.last().and_then(|o| o.value.clone());
        assert_eq!(refused, Some(Value::Int(11)), "{run:?}");
    }
}
