//! Broken class files: reader, decoder and instrumenter answer with a result or a problem, never with a panic.

use crate::jdk;
use crate::support::{class, everything, for_each_class, observing};
use bytecode::instruction::decode;
use bytecode::instrument::{Plan, instrument, reencode};
use bytecode::raw::{RawClass, RawMember};
use std::ops::Range;

/// A small generator of our own: the same mutations on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit.max(1)
    }
}

/// Changes some bytes; `code` is where methods' code lies, for changes that get past the reader.
fn mutate(bytes: &mut Vec<u8>, code: &[Range<usize>], random: &mut Random) {
    let interesting = [0, 1, 2, 0x7f, 0x80, 0xfe, 0xff];
    if !code.is_empty() && random.below(2) == 0 {
        for _ in 0..=random.below(4) {
            let range = &code[random.below(code.len())];
            let at = range.start + random.below(range.len());
            bytes[at] = if random.below(2) == 0 {
                interesting[random.below(interesting.len())]
            } else {
                random.below(256) as u8
            };
        }
        return;
    }
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len());
        match random.below(6) {
            0 => bytes[at] = interesting[random.below(interesting.len())],
            1 => bytes[at] ^= 1 << random.below(8),
            2 => bytes[at] = random.below(256) as u8,
            3 => bytes.truncate(at.max(10)),
            4 => {
                let end = (at + random.below(40)).min(bytes.len());
                bytes.drain(at..end);
                bytes.resize(bytes.len().max(10), 0);
            }
            _ => {
                let end = (at + random.below(40)).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                let to = random.below(bytes.len());
                bytes.splice(to..to, piece);
            }
        }
    }
}

#[test]
fn mutated_classes_never_panic() {
    let mut samples = Vec::new();
    for_each_class(&jdk::jdks()[0], 131, |_, bytes| {
        if bytes.len() < 20_000 {
            let class = RawClass::parse(bytes).unwrap();
            let code = |m: &RawMember<'_>| Some(m.attributes.find(&class.pool, "Code")?.range);
            samples.push((bytes.to_vec(), class.methods.iter().filter_map(code).collect::<Vec<_>>()));
        }
    });
    let both = Plan { calls: observing().calls, writes: true, reads: true, infections: true, ..everything() };
    let (mut random, plans) = (Random(0x5eed), [everything(), both]);
    let (mut refused, mut accepted, mut skipped) = (0, 0, 0);
    for round in 0..40_000 {
        let (mut bytes, code) = samples[round % samples.len()].clone();
        mutate(&mut bytes, &code, &mut random);
        if let Ok(class) = RawClass::parse(&bytes) {
            for m in &class.methods {
                if let Ok(Some(code)) = class.code(m) {
                    let _ = decode(code.code, code.code_start);
                }
            }
        }
        match instrument(&bytes, &plans[round % 2]) {
            Ok(result) => {
                accepted += 1;
                skipped += result.skipped.len();
                RawClass::parse(&result.bytes).unwrap();
            }
            Err(problem) => {
                refused += 1;
                assert!(problem.offset <= bytes.len(), "{problem}");
            }
        }
        if let Ok(result) = reencode(&bytes) {
            assert!(result.bytes == bytes, "round {round}");
        }
    }
    // The mutations must reach all depths for this to mean anything.
    println!("{refused} refused, {accepted} accepted, {skipped} methods skipped");
    assert!(refused > 1000 && accepted > 1000 && skipped > 100);
}

#[test]
fn every_truncation_of_a_class_is_refused() {
    let mut class = class(&jdk::jdks()[0], "java/util/Optional");
    instrument(&class, &everything()).unwrap();
    for length in 0..class.len() {
        let problem = instrument(&class[..length], &everything()).unwrap_err();
        assert!(problem.offset <= length, "{problem}");
    }
    class.push(0);
    let problem = instrument(&class, &everything()).unwrap_err();
    assert_eq!(problem.to_string(), format!("byte {}: 1 bytes follow the end of the class", class.len() - 1));
    class[7] = 70;
    let problem = instrument(&class, &everything()).unwrap_err();
    assert!(problem.to_string().starts_with("byte 4: class-file version 70.0 is not supported"), "{problem}");
}
