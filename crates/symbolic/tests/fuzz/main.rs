//! Mutated class files on the machine: whatever the reader accepts ends with a result, an exception or a reason, within the limits, and never with a panic. `TESTUDO_FUZZ_SEEDS` asks for
//! more than the few hundred files of an ordinary run.

#[path = "../machine/source.rs"]
mod source;

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytecode::names::ClassName;
use bytecode::raw::RawClass;
use bytecode::world::{ClassSource, Scope};
use source::{Source, jdks, run};
use symbolic::vm::{Limits, Machine, Stop, Trap};

/// A source in which one class is another than it was.
struct Mutated {
    under: Arc<Source>,
    name: String,
    bytes: Vec<u8>,
}

impl ClassSource for Mutated {
    fn class_bytes(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        if name == self.name { Some(Cow::Borrowed(&self.bytes)) } else { self.under.class_bytes(name) }
    }

    fn names(&self, _: Scope) -> Vec<ClassName> {
        Vec::new()
    }
}

/// Numbers without rhyme or reason, the same for the same seed.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }
}

fn mutate(bytes: &[u8], chance: &mut Chance) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + chance.below(3) {
        let at = 10 + chance.below(bytes.len() - 10);
        match chance.below(4) {
            0 => bytes[at] ^= 1 << chance.below(8),
            1 => bytes[at] = chance.next() as u8,
            2 => bytes[at] = bytes[at].wrapping_add(1),
            _ => {
                let from = chance.below(bytes.len());
                bytes[at] = bytes[from];
            }
        }
    }
    bytes
}

fn classes_in(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    all.sort();
    let name = |path: &PathBuf| path.file_stem().unwrap().to_str().unwrap().to_owned();
    all.iter().filter(|p| p.extension().is_some()).map(|p| (name(p), std::fs::read(p).unwrap())).collect()
}

#[test]
fn whatever_the_reader_accepts_does_no_harm() {
    let seeds: u64 = std::env::var("TESTUDO_FUZZ_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(100);
    for home in jdks() {
        let java = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/Behaviour.java");
        let jdk = home.file_name().unwrap().to_str().unwrap();
        let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz-{jdk}"));
        run(&home, "javac", &["-d", out.to_str().unwrap(), java.to_str().unwrap()]);
        let classes = classes_in(&out);
        let under = Arc::new(Source::open(&home, &out));
        let limits = Limits { steps: 200_000, depth: 400, words: 1 << 20 };
        let (mut read, mut results, mut refused) = (0u32, 0u32, 0u32);
        for seed in 1..=seeds {
            let mut chance = Chance(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            // Every other time the class whose methods are called.
            let wanted = if seed % 2 == 0 { classes.iter().position(|(n, _)| n == "Behaviour") } else { None };
            let (name, bytes) = &classes[wanted.unwrap_or_else(|| chance.below(classes.len()))];
            let bytes = mutate(bytes, &mut chance);
            if RawClass::parse(&bytes).is_err() {
                continue;
            }
            read += 1;
            let source = Mutated { under: under.clone(), name: name.clone(), bytes };
            let mut machine = Machine::boot(Arc::new(source), limits).unwrap();
            let Ok(Some(class)) = machine.find_class("Behaviour") else {
                refused += 1;
                continue;
            };
            for (_, method) in machine.static_methods(class) {
                if !machine.method_name(method).contains("()") || chance.below(4) > 0 {
                    continue;
                }
                match machine.initialise(class).and_then(|()| machine.call(method, &[])) {
                    Ok(_) => results += 1,
                    Err(Trap::Stop(stop)) => refused += u32::from(matches!(*stop, Stop::Malformed(_))),
                    Err(Trap::Throw(_)) => {}
                }
                machine.settle();
            }
        }
        println!("{jdk}: {read} of {seeds} files read; {results} calls gave a result, {refused} were refused");
        assert!(u64::from(read) * 2 > seeds && results > 2 * read && refused > 0);
    }
}
