//! What the analysis calls impossible, against what small methods say of themselves, on every JDK found.

mod jdk;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use bytecode::analysis::{Feasible, Way};
use bytecode::instruction::decode;
use bytecode::names::ClassName;
use bytecode::raw::RawClass;
use bytecode::world::World;
use jdk::source::Source;

type Lines = BTreeMap<u16, BTreeSet<String>>;

#[test]
fn exactly_what_cannot_happen_is_called_impossible() {
    let text = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/world/demo/Impossible.java");
    let text = std::fs::read_to_string(text).unwrap();
    let said: Lines = text
        .lines()
        .zip(1..)
        .filter_map(|(line, n)| Some((n, line.split_once("//~ ")?.1.split(' ').map(str::to_owned).collect())))
        .collect();
    for home in jdk::jdks() {
        let world = World::new(Arc::new(Source::compiled(&home, "impossible", &["demo/Impossible.java"])));
        let bytes = world.bytes(&ClassName::new("demo/Impossible")).unwrap();
        assert_eq!(impossible(&bytes), said, "{}", home.display());
    }
}

/// Ways that cannot be taken by their lines; lines none of whose code can be reached.
fn impossible(bytes: &[u8]) -> Lines {
    let raw = RawClass::parse(bytes).unwrap();
    let mut lines = Lines::new();
    for method in &raw.methods {
        let Some(code) = raw.code(method).unwrap() else { continue };
        let feasible = Feasible::of(&raw, method, &code).unwrap();
        let instructions = decode(code.code, code.code_start).unwrap();
        let table = code.attributes.find(&raw.pool, "LineNumberTable").unwrap();
        let rows = raw.bytes[table.range.clone()][2..].chunks(4);
        let rows: Vec<(u16, u16)> =
            rows.map(|r| (u16::from_be_bytes([r[0], r[1]]), u16::from_be_bytes([r[2], r[3]]))).collect();
        let line_at = |pc: u32| rows.iter().filter(|(from, _)| u32::from(*from) <= pc).max().map_or(0, |(_, l)| *l);
        let reached: BTreeSet<u16> =
            instructions.iter().filter(|i| feasible.reaches(i.pc)).map(|i| line_at(i.pc)).collect();
        for i in &instructions {
            let line = line_at(i.pc);
            if !reached.contains(&line) {
                lines.entry(line).or_default().insert("line".to_owned());
            }
            if !feasible.reaches(i.pc) {
                continue;
            }
            let mut ways: Vec<(Way, String)> = Vec::new();
            if i.is_conditional() {
                ways = vec![(Way::Jump, "jump".to_owned()), (Way::FallThrough, "fall".to_owned())];
            } else if let Some(switch) = i.switch() {
                ways = switch.cases().map(|(key, _)| (Way::Key(key), key.to_string())).collect();
                ways.push((Way::Default, "default".to_owned()));
            }
            let not = ways.into_iter().filter(|(way, _)| !feasible.takes(i.pc, *way)).map(|(_, name)| name);
            for name in not {
                lines.entry(line).or_default().insert(name);
            }
        }
    }
    lines
}
