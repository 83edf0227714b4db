//! What mutants do when they run.

use crate::support::{compile, feature, source};
use crate::{jdk, mutants_source, switchable};
use std::path::{Path, PathBuf};

/// Compiles subjects with the hooks, and writes their classes again with all mutants in them.
fn bench(home: &Path, subject: &str) -> (PathBuf, PathBuf, u32) {
    let name = format!("mutants-{}-{subject}", feature(home));
    let files = [
        source(&format!("subjects/{subject}.java")),
        source("testudo/runtime/Hooks.java"),
        source("testudo/runtime/Switch.java"),
        mutants_source(),
    ];
    let plain = compile(home, &name, &files.each_ref().map(String::as_str));
    let to = jdk::scratch(&format!("{name}-switchable"));
    let mut classes: Vec<PathBuf> = std::fs::read_dir(&plain).unwrap().map(|e| e.unwrap().path()).collect();
    classes.sort();
    let mut next = 1;
    for class in classes {
        let file = class.file_name().unwrap().to_str().unwrap().to_owned();
        if file.starts_with(subject) && file.ends_with(".class") {
            let (schemata, bytes) = switchable(&std::fs::read(&class).unwrap(), next);
            assert_eq!(schemata.left_out, [], "{file}");
            next = schemata.next;
            std::fs::write(to.join(file), bytes).unwrap();
        }
    }
    (plain, to, next)
}

#[test]
fn without_a_mutant_programs_behave_the_same() {
    for home in jdk::jdks() {
        for subject in ["Plain", "Modern"] {
            let (plain, to, next) = bench(&home, subject);
            assert!(next > 100, "{next}");
            let run = |path: &str| jdk::run(&home, "java", &["-ea", "-XX:TieredStopAtLevel=1", "-cp", path, subject]);
            let original = run(plain.to_str().unwrap());
            assert!(original.len() > 100, "{original}");
            assert_eq!(run(&format!("{}:{}", to.display(), plain.display())), original);
        }
    }
}

#[test]
fn every_mutant_does_what_it_says() {
    for home in jdk::jdks() {
        let (plain, to, next) = bench(&home, "Faults");
        let path = format!("{}:{}", to.display(), plain.display());
        let last = next.to_string();
        let output = jdk::run(&home, "java", &["-cp", &path, "testudo.runtime.Switch", "Faults", &last]);
        assert_eq!(output.trim(), EXPECTED.trim(), "\n{output}\n");
    }
}

const EXPECTED: &str = r#"
asserted 4
mutant 103 0
boundary not less
mutant 10 less
mutant 12 less
mutant 13 less
mutant 17 
boxed true
mutant 69 false
mutant 72 false
mutant 74 false
constant 100
mutant 83 101
mutant 85 200
mutant 89 0
construct a
mutant 107 
mutant 109 ArrayIndexOutOfBoundsException
mutant 111 ArrayIndexOutOfBoundsException
mutant 113 b
mutant 117 
divide 1.5
mutant 53 24.0
mutant 55 0.0
doWhile 4
mutant 19 5
mutant 21 2147483644
mutant 23 8
mutant 25 8
mutant 26 -2147483648
mutant 28 0
elements [one]
mutant 65 []
forEach 12
mutant 95 13
mutant 97 -6
mutant 99 6
mutant 101 0
increment 5
mutant 35 3
mutant 37 0
letter c
mutant 81 0
logged null
math 1
mutant 43 12
mutant 45 0
negative 5
mutant 39 -5
mutant 41 0
none []
nulls true
mutant 30 false
mutant 32 false
object class Faults
mutant 79 null
optional Optional[x]
mutant 67 Optional.empty
resource body closed
mutant 105 
shift 16777215
mutant 47 8388607
mutant 49 -5497558138880
mutant 51 0
voidCall 7s!2.5s!
mutant 57 8s!2.5s!
mutant 59 7s!1.0s!
mutant 61 s!
mutant 63 
write 4
mutant 91 3
mutant 93 0
yes true
mutant 77 false
"#;
