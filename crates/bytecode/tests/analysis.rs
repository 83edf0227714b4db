//! Facts and graphs of a compiled test class, on every JDK found, and of broken classes.

mod jdk;

use std::sync::Arc;

use bytecode::analysis::{CallKind, Cfg, ClassFacts, MethodFacts, Repeated};
use bytecode::class_info::ClassInfo;
use bytecode::instruction::decode;
use bytecode::names::ClassName;
use bytecode::raw::RawClass;
use bytecode::world::World;
use jdk::source::Source;

#[test]
fn facts_about_flow() {
    for home in jdk::jdks() {
        let world = &World::new(Arc::new(Source::compiled(&home, "flow", &["demo/Flow.java"])));
        constants(world);
        constants_of_callees_by_depth(world);
        casts_and_catches(world);
        fields(world);
        calls_and_handles(world);
        graphs(world);
    }
}

fn flow() -> ClassName {
    ClassName::new("demo/Flow")
}

fn facts(world: &World, method: &str) -> MethodFacts {
    let class = world.class(&flow()).unwrap();
    let index = class.methods.iter().position(|m| m.name == method).unwrap();
    world.facts(&flow()).unwrap().methods[index].clone()
}

fn text(units: &[Vec<u16>]) -> Vec<String> {
    units.iter().map(|u| String::from_utf16(u).unwrap()).collect()
}

fn constants(world: &World) {
    let found = facts(world, "constants").constants;
    assert_eq!(found.ints, [-300, 7, 40, 1_000_000]);
    assert_eq!(found.doubles, [1.0f64, 2.5].map(f64::to_bits));
    assert_eq!(found.floats, [0.5f32.to_bits()]);
    assert_eq!(found.longs, [-9]);
    assert_eq!(text(&found.strings), ["needle"]);
    assert_eq!(found.classes.iter().map(ToString::to_string).collect::<Vec<_>>(), ["[Ljava/lang/String;"]);
    let found = facts(world, "switches").constants;
    assert_eq!(found.switch_keys, [-5000, 10, 11, 14, 5000]);
    let values = found.values();
    assert_eq!(values.len(), 4 + 5, "{values:?}");
    let whole = world.facts(&flow()).unwrap().constants();
    assert!(whole.longs.contains(&(1 << 40)) && whole.ints.contains(&7) && whole.switch_keys.contains(&14));
}

fn constants_of_callees_by_depth(world: &World) {
    let at = |depth: usize| {
        let found = world.constants_reachable_from(&flow(), depth);
        (
            found.ints.contains(&123_456),
            found.ints.contains(&654_321),
            text(&found.strings).contains(&"suffix".to_owned()),
        )
    };
    assert_eq!(at(0), (false, false, false));
    // The lambda's body is a method of the class itself, so what it calls is one call away.
    assert_eq!(at(1), (true, false, true));
    assert_eq!(at(2), (true, true, true));
    assert_eq!(world.constants_reachable_from(&ClassName::new("no/Such"), 3), Default::default());
}

fn casts_and_catches(world: &World) {
    let found = facts(world, "casts").casts;
    let show = |list: &[bytecode::names::FieldType]| list.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(show(&found.casts), ["Ljava/lang/Comparable;", "[[I"]);
    assert_eq!(show(&found.tests), ["Ljava/lang/CharSequence;"]);
    let catches: Vec<&str> = found.catches.iter().map(ClassName::internal).collect();
    assert_eq!(catches, ["java/lang/ClassCastException", "java/lang/IllegalStateException"]);
    let news = facts(world, "calls").casts.news;
    assert_eq!(news, [ClassName::new("java/util/ArrayList")]);
}

fn fields(world: &World) {
    let found = facts(world, "fields").fields;
    let show = |list: &[bytecode::analysis::FieldAccess]| -> Vec<String> {
        list.iter()
            .map(|f| format!("{} {} {}", if f.is_static { "static" } else { "own" }, f.name, f.descriptor))
            .collect()
    };
    assert_eq!(show(&found.reads), ["own count I", "own table [I", "static total J"]);
    assert_eq!(show(&found.writes), ["static total J"]);
    assert!(found.stores_into_arrays);
    assert!(!facts(world, "loop").fields.stores_into_arrays);
}

fn calls_and_handles(world: &World) {
    let calls = facts(world, "calls").calls;
    let of = |kind: CallKind| -> Vec<String> {
        calls.iter().filter(|c| c.kind == kind).map(|c| format!("{}.{}", c.owner, c.name)).collect()
    };
    assert_eq!(of(CallKind::Handle), ["Ldemo/Flow;.lambda$calls$0", "Ldemo/Flow$Helper;.accept"]);
    assert_eq!(of(CallKind::Special), ["Ljava/util/ArrayList;.<init>"]);
    assert_eq!(of(CallKind::Virtual), ["[I.clone"]);
    assert!(of(CallKind::Interface).contains(&"Ljava/util/function/Function;.apply".to_owned()));
    let array = calls.iter().find(|c| c.name == "clone").unwrap();
    assert_eq!(array.class(), None);
}

fn graph(world: &World, method: &str) -> Cfg {
    let bytes = world.bytes(&flow()).unwrap();
    let raw = RawClass::parse(&bytes).unwrap();
    let method = raw.methods.iter().find(|m| m.name == method).unwrap();
    let code = raw.code(method).unwrap().unwrap();
    Cfg::build(&code, &raw.pool).unwrap()
}

fn graphs(world: &World) {
    let cfg = graph(world, "loop");
    assert_eq!(cfg.reachable_blocks().count(), cfg.blocks.len());
    assert_eq!(cfg.back_edges().len(), 1);
    let (from, to) = cfg.back_edges()[0];
    assert!(cfg.block(from).start > cfg.block(to).start);
    // Entry, test, body, `continue`, rest of the body, increment, return.
    assert_eq!(cfg.blocks.len(), 7);
    let shape: Vec<Vec<u32>> = cfg.blocks.iter().map(|b| b.successors.iter().map(|s| s.0).collect()).collect();
    assert_eq!(shape, [vec![1], vec![2, 6], vec![3, 4], vec![5], vec![5], vec![1], vec![]]);

    let cfg = graph(world, "casts");
    let covered = &cfg.blocks[0].handlers;
    let catches: Vec<Option<&str>> = covered.iter().map(|(_, c)| c.as_ref().map(ClassName::internal)).collect();
    assert_eq!(catches, [Some("java/lang/ClassCastException"), Some("java/lang/IllegalStateException"), None]);
    assert_eq!(covered[0].0, covered[1].0);
    assert!(cfg.is_reachable(covered[2].0));
    assert!(cfg.all_successors(bytecode::analysis::BlockId(0)).any(|b| b == covered[2].0));

    let cfg = graph(world, "switches");
    let first = &cfg.blocks[0];
    // Case 10, cases 11 and 14 together, default.
    assert_eq!(first.successors.len(), 3);
}

#[test]
fn unreachable_blocks_and_self_loops_are_seen() {
    use bytecode::access::Access;
    use bytecode::assemble::{ClassBuilder, Condition};
    let mut class = ClassBuilder::new("a/B", Access::PUBLIC);
    class.method(Access::STATIC, "m", "(I)V", |code| {
        let (again, dead, end) = (code.label(), code.label(), code.label());
        code.bind(again);
        code.load("I", 0);
        code.jump_if(Condition::Ne, again);
        code.goto(end);
        code.bind(dead);
        code.goto(dead);
        code.bind(end);
        code.return_void();
    });
    let bytes = class.finish().unwrap();
    let raw = RawClass::parse(&bytes).unwrap();
    let cfg = Cfg::build(&raw.code(&raw.methods[0]).unwrap().unwrap(), &raw.pool).unwrap();
    let reachable: Vec<u32> = cfg.reachable_blocks().map(|b| b.0).collect();
    assert_eq!(reachable, [0, 1, 3]);
    let back: Vec<(u32, u32)> = cfg.back_edges().iter().map(|(a, b)| (a.0, b.0)).collect();
    assert_eq!(back, [(0, 0)]);
}

/// Small deterministic generator: the test must fail the same way twice.
struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below as u64) as usize
    }
}

#[test]
fn broken_classes_give_problems_and_no_panic() {
    let home = &jdk::jdks()[0];
    let source = Source::compiled(home, "broken", &["demo/Flow.java", "demo/Shapes.java", "other/Outsider.java"]);
    let classes: Vec<&Vec<u8>> = source.application.values().collect();
    let mut random = Random(0x5EED);
    let (mut whole, mut partly, mut refused) = (0, 0, 0);
    for _ in 0..20_000 {
        let mut bytes = classes[random.next(classes.len())].clone();
        for _ in 0..=random.next(4) {
            let at = random.next(bytes.len());
            match random.next(8) {
                0 => bytes.truncate(at.max(1)),
                1 => bytes[at] = 0xFF,
                2 => bytes[at] = 0,
                _ => bytes[at] = random.next(256) as u8,
            }
        }
        match ClassInfo::read(&bytes) {
            Ok((_, problems)) if problems.is_empty() => whole += 1,
            Ok(_) => partly += 1,
            Err(_) => refused += 1,
        }
        let _ = ClassFacts::read(&bytes);
        if let Ok(raw) = RawClass::parse(&bytes) {
            for method in &raw.methods {
                if let Ok(Some(code)) = raw.code(method) {
                    let _ = Cfg::build(&code, &raw.pool);
                }
            }
        }
    }
    assert!(whole > 100 && partly > 100 && refused > 100, "{whole} {partly} {refused}");
}

/// Per method: conditional branches, those in closing code, and those that are copies.
#[test]
fn code_that_compilers_repeat() {
    for home in jdk::jdks() {
        let source = Source::compiled(&home, "repeats", &["demo/Repeats.java"]);
        let bytes = &source.application["demo/Repeats"];
        let raw = RawClass::parse(bytes).unwrap();
        let count = |name: &str| {
            let method = raw.methods.iter().find(|m| m.name == name).unwrap();
            let code = raw.code(method).unwrap().unwrap();
            let instructions = decode(code.code, code.code_start).unwrap();
            let found = Repeated::find(&instructions, &code.handlers, &raw.pool);
            let branches: Vec<u32> = instructions.iter().filter(|i| i.is_conditional()).map(|i| i.pc).collect();
            let closing = branches.iter().filter(|pc| found.closing.iter().any(|(a, b)| (*a..*b).contains(*pc)));
            let copies = branches.iter().filter_map(|pc| found.copies.get(pc));
            assert!(copies.clone().all(|original| branches.contains(original)));
            (branches.len(), closing.count(), copies.count(), found.closing.len())
        };
        // `if` in front, then the block four times: returned, fell through, caught, threw.
        assert_eq!(count("finallyTwice"), (5, 0, 3, 0));
        // Two of the source, and the question whether there is something to close: after success and after an
        // exception.
        assert_eq!(count("resource"), (4, 2, 0, 2));
        assert_eq!(count("twoResources"), (1, 0, 0, 4));
        assert_eq!(count("handWritten"), (1, 0, 0, 0));
        assert_eq!(count("locked"), (1, 0, 0, 0));
    }
}
