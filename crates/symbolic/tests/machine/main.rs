//! The machine against the JVM of the same JDK: compiled Java methods must give the same texts on both, or stop for
//! want of a model. Also snapshots and conditions.

mod source;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use source::{Source, jdks, run};
use symbolic::vm::{Limits, Machine};

/// Resource bundles beside the classes.
const BUNDLES: [(&str, &str); 3] = [
    ("words.properties", "yes=1\nno=0\n"),
    ("words_en.properties", "yes=y\\u00e9s\nmaybe = perhaps\n"),
    ("words_de.properties", "yes=ja\n"),
];

/// The folder of the compiled methods; each test has its own.
fn compiled(home: &Path, test: &str) -> PathBuf {
    let java = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/Behaviour.java");
    let name = home.file_name().unwrap().to_str().unwrap();
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}-{name}"));
    run(home, "javac", &["-d", out.to_str().unwrap(), java.to_str().unwrap()]);
    for (name, text) in BUNDLES {
        std::fs::write(out.join(name), text).unwrap();
    }
    out
}

fn boot(home: &Path, classes: &Path) -> Machine {
    Machine::boot(Arc::new(Source::open(home, classes)), Limits::default()).unwrap()
}

#[test]
fn methods_give_what_a_jvm_gives() {
    for home in jdks() {
        let classes = compiled(&home, "methods");
        let american = ["-Duser.language=en", "-Duser.country=US"];
        let printed = run(&home, "java", &[american[0], american[1], "-cp", classes.to_str().unwrap(), "Main"]);
        let expected: BTreeMap<&str, &str> = printed.lines().filter_map(|l| l.split_once(": ")).collect();
        assert!(expected.len() > 40);
        let mut machine = boot(&home, &classes);
        let class = machine.find_class("Behaviour").unwrap().unwrap();
        let methods: BTreeMap<_, _> = machine.static_methods(class).into_iter().collect();
        for (name, expected) in expected {
            let ran = machine.initialise(class).and_then(|()| machine.call(methods[name], &[]));
            match ran {
                Ok(text) => assert_eq!(machine.string_text(text as u32), expected, "{name} on {}", home.display()),
                Err(trap) => panic!("{name} on {}: {}", home.display(), machine.describe(&trap)),
            }
            machine.settle();
        }
    }
}

#[test]
fn a_snapshot_resumes() {
    let home = &jdks()[0];
    let classes = compiled(home, "snapshot");
    let mut machine = boot(home, &classes);
    let class = machine.find_class("Behaviour").unwrap().unwrap();
    let methods: BTreeMap<_, _> = machine.static_methods(class).into_iter().collect();
    // Once to initialise what it needs: snapshots belong to a baseline.
    machine.call(methods["t03"], &[]).unwrap();
    machine.settle();
    let made = machine.call(methods["t03"], &[]).unwrap() as u32;
    let text = machine.string_text(made);
    let snapshot = machine.snapshot();
    machine.rewind();
    machine.call(methods["t07"], &[]).unwrap();
    machine.resume(&snapshot).unwrap();
    assert_eq!(machine.string_text(made), text);
    machine.settle();
    let before = machine.snapshot();
    assert_eq!(before.words(), 0);
}
