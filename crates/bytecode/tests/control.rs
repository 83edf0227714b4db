//! Dominance, control dependence and approach levels of small compiled methods, on every JDK found.

mod jdk;

use std::sync::Arc;

use bytecode::analysis::{BlockId, Cfg, ControlDependence, Dominators, Edge, PostDominators};
use bytecode::instruction::{Instructions, opcode as op};
use bytecode::names::ClassName;
use bytecode::raw::RawClass;
use bytecode::world::World;
use jdk::source::Source;

/// A method, and the blocks in which `mark(n)` is called, by n.
struct Method {
    cfg: Cfg,
    marks: Vec<BlockId>,
    control: ControlDependence,
}

impl Method {
    fn read(world: &World, name: &str) -> Method {
        let bytes = world.bytes(&ClassName::new("demo/Decisions")).unwrap();
        let raw = RawClass::parse(&bytes).unwrap();
        let method = raw.methods.iter().find(|m| m.name == name).unwrap();
        let code = raw.code(method).unwrap().unwrap();
        let cfg = Cfg::build(&code, &raw.pool).unwrap();
        let (mut marks, mut last) = (Vec::new(), None);
        for i in Instructions::new(code.code, code.code_start).map(Result::unwrap) {
            if i.opcode == op::INVOKESTATIC && raw.pool.member(i.constant().unwrap()).unwrap().name == "mark" {
                marks.resize(marks.len().max(last.unwrap() + 1), BlockId(u32::MAX));
                marks[last.unwrap()] = cfg.block_at(i.pc).unwrap();
            }
            last = i.opcode.checked_sub(op::ICONST_0).map(usize::from);
        }
        let control = ControlDependence::of(&cfg);
        Method { cfg, marks, control }
    }

    /// The line numbers do not matter, so a decision is named by the nearest mark at or behind the block it leads to.
    fn dependences(&self) -> String {
        let mut lines = Vec::new();
        for (n, &block) in self.marks.iter().enumerate() {
            let edges: Vec<String> =
                self.control.of_block(block).iter().map(|e| format!("{}>{}", e.from.0, e.to.0)).collect();
            lines.push(format!("{n}@{}: {}", block.0, edges.join(" ")).trim_end().to_owned());
        }
        lines.join(", ")
    }
}

#[test]
fn decisions() {
    for home in jdk::jdks() {
        let world = &World::new(Arc::new(Source::compiled(&home, "decisions", &["demo/Decisions.java"])));
        marks_depend_on_the_right_edges(world);
        dominators_and_post_dominators(world);
        approach_levels(world);
    }
}

fn marks_depend_on_the_right_edges(world: &World) {
    let check = |method: &str, expected: &str| {
        assert_eq!(Method::read(world, method).dependences(), expected, "{method}");
    };
    check("nested", "0@0:, 1@1: 0>1, 2@2: 1>2, 3@3: 1>3, 4@4: 0>1, 5@5:");
    // The test of a loop decides about the next round, too.
    check("loop", "0@1: 0>1, 1@3: 1>3, 2@4:");
    check("early", "0@2: 0>2, 1@4: 2>4");
    check("choice", "0@1: 0>1, 1@2: 0>2, 2@3:");
    check("endless", "0@1: 0>1");
    // By an exception the handler is reached from the block that it covers.
    check("caught", "0@0:, 1@0:, 2@2: 0>2, 3@3:");
}

fn dominators_and_post_dominators(world: &World) {
    let method = Method::read(world, "nested");
    let (before, after) = (Dominators::of(&method.cfg), PostDominators::of(&method.cfg));
    let m = &method.marks;
    for (a, b, dominates, post) in [
        (0, 2, true, false),
        (1, 4, true, false),
        (2, 4, false, false),
        (4, 2, false, true),
        (5, 0, false, true),
        (4, 0, false, false),
        (3, 3, true, true),
    ] {
        assert_eq!(before.dominates(m[a], m[b]), dominates, "{a} {b}");
        assert_eq!(after.post_dominates(m[a], m[b]), post, "{a} {b}");
    }
}

fn approach_levels(world: &World) {
    let method = Method::read(world, "nested");
    let m = &method.marks;
    let goal = Edge { from: m[1], to: m[2] };
    let levels = method.control.levels_to(goal);
    assert_eq!(levels.approach([m[0], m[5]]), Some((1, Edge { from: m[0], to: m[1] })));
    assert_eq!(levels.approach([m[0], m[1], m[3], m[4], m[5]]), Some((0, goal)));
    assert_eq!(levels.approach([]), None);
    assert_eq!(levels.at(m[4]), None);
    let deep = method.control.levels_to_block(m[2]);
    assert_eq!(deep.at(m[2]), Some(0));
    assert_eq!(deep.toward(m[1]), Some(goal));
    assert_eq!(deep.approach([m[0], m[5]]), Some((1, Edge { from: m[0], to: m[1] })));
    // A run that came in has an approach level, even if nothing was decided yet.
    let last = Method::read(world, "caught");
    let levels = last.control.levels_to_block(last.marks[3]);
    assert_eq!(levels.approach([BlockId(0)]).map(|(level, _)| level), Some(0));
}
