//! The protocol's codecs against garbage: whatever a worker sends, decoding ends with a problem or a value.

use exec::protocol::reader::Reader;
use exec::protocol::response::{self, ClassTable, Results};
use exec::protocol::writer::Writer;
use exec::protocol::{WireProblem, helper};

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 8
    }
}

/// A message with two rich results: every optional part is present.
fn sample() -> Vec<u8> {
    let mut w = Writer::default();
    w.v(7);
    w.v(2);
    // Threw at statement 3, with details.
    w.u8(1);
    w.v(3);
    thrown(&mut w, 1, Some("a/Oops"));
    w.u8(0xbf);
    w.u8(1);
    w.v(1234);
    w.v(2);
    for (statement, probe) in [(0, 5), (3, 70_000)] {
        w.v(statement);
        w.v(probe);
    }
    w.v(1);
    w.v(9);
    w.u8(5);
    w.z(-3);
    w.u8(9);
    w.utf16(&[0x41, 0xd800]);
    w.v(1);
    w.v(3);
    w.v(2);
    w.u8(0xbf);
    w.v(2);
    w.u64(1);
    w.u64(2);
    w.v(4);
    w.u8(13);
    w.str("[[I");
    w.v(2);
    w.u8(0);
    w.u8(14);
    w.str("[I");
    w.v(1 << 20);
    w.v(0);
    w.v(1);
    w.u8(15);
    w.v(3);
    w.v(1);
    w.v(0);
    w.u8(0);
    w.str("a/Rules");
    w.str("holds");
    w.v(1);
    w.v(1);
    thrown(&mut w, 1, None);
    w.v(1);
    w.v(300);
    w.u64(2.5f64.to_bits());
    // Wrote a file, at statement 2.
    w.u8(1);
    w.v(3);
    w.str("java.io.FileWriter");
    // Normal, nothing else.
    w.u8(0);
    w.u8(0);
    w.u8(0);
    w.v(0);
    w.bytes().to_vec()
}

fn thrown(w: &mut Writer, class: u64, name: Option<&str>) {
    w.v(class);
    if let Some(name) = name {
        w.str(name);
        w.u8(1);
        w.u8(1);
        w.str("message é\u{1F600}");
        w.v(1);
        w.v(class);
        w.str("run");
        w.z(-1);
        w.v(0);
        w.v(1);
        w.v(2);
        w.str("java/lang/Throwable");
    } else {
        w.u8(0);
    }
}

fn decode(payload: &[u8]) -> Result<usize, WireProblem> {
    let mut classes = ClassTable::default();
    let mut results = Results::new(payload)?;
    let mut count = 0;
    while let Some(result) = results.next(&mut classes) {
        result?;
        count += 1;
    }
    Ok(count)
}

#[test]
fn the_sample_is_understood() {
    assert_eq!(decode(&sample()), Ok(2));
}

#[test]
fn every_cut_is_a_problem() {
    let whole = sample();
    for length in 0..whole.len() {
        assert!(decode(&whole[..length]).is_err(), "cut at {length}");
    }
    let mut longer = whole;
    longer.push(0);
    assert_eq!(decode(&longer), Err(WireProblem::LeftOver { count: 1 }));
}

#[test]
fn garbage_never_panics() {
    let whole = sample();
    let mut random = Random(99);
    for _ in 0..200_000 {
        let mut bytes = whole.clone();
        for _ in 0..1 + random.next() % 4 {
            let at = random.next() as usize % bytes.len();
            bytes[at] = random.next() as u8;
        }
        let _ = decode(&bytes);
    }
    for _ in 0..50_000 {
        let bytes: Vec<u8> = (0..random.next() % 60).map(|_| random.next() as u8).collect();
        let _ = decode(&bytes);
        let _ = response::welcome(&bytes);
        let _ = response::text(&bytes);
        let _ = response::dispatched(&bytes);
        let _ = helper::compiled(&bytes);
        let _ = helper::ran(&bytes);
    }
}

#[test]
fn numbers_and_texts_round_trip() {
    let mut random = Random(3);
    for round in 0..10_000 {
        let number = random.next() >> (round % 56);
        let signed = if round % 2 == 0 { number as i64 } else { -(number as i64) };
        let units: Vec<u16> = (0..random.next() % 20).map(|_| (random.next() >> (round % 16)) as u16).collect();
        let mut w = Writer::default();
        w.v(number);
        w.z(signed);
        w.utf16(&units);
        w.str("é\u{1F600}\0a");
        w.v(u64::MAX);
        w.z(i64::MIN);
        let mut r = Reader::new(w.bytes());
        assert_eq!(r.v("number"), Ok(number));
        assert_eq!(r.z("signed"), Ok(signed));
        assert_eq!(r.java_string("text").unwrap().units(), units);
        assert_eq!(r.str("text").unwrap(), "é\u{1F600}\0a");
        assert_eq!(r.v("largest"), Ok(u64::MAX));
        assert_eq!(r.z("smallest"), Ok(i64::MIN));
        assert_eq!(r.finish(), Ok(()));
    }
}

#[test]
fn another_version_is_told_apart() {
    let mut w = Writer::default();
    w.v(5);
    w.str("future fields");
    assert_eq!(response::welcome(w.bytes()), Err(WireProblem::Version { found: 5 }));
}
