//! Source lines behind the ways of branches. Owns which lines of the classes under test a way of a branch leads over, and which were reached.

use bytecode::analysis::{BlockId, Cfg};
use bytecode::instrument::ProbeKind;
use bytecode::raw::RawClass;
use rustc_hash::{FxHashMap, FxHashSet};
use symbolic::vm::{Outcome, Way};

use crate::target::PreparedClass;

/// Lines of one method.
#[derive(Debug)]
struct Method {
    cfg: Cfg,
    /// Line of each instruction that begins one.
    lines: Vec<(u32, u16)>,
}

#[derive(Debug, Default)]
pub struct Lines {
    methods: FxHashMap<(String, String, String), Method>,
    reached: FxHashSet<(String, u16)>,
}

impl Lines {
    pub fn of(code: &[PreparedClass]) -> Lines {
        let mut found = Lines::default();
        for class in code {
            let Ok(raw) = RawClass::parse(&class.original) else { continue };
            for (at, method) in class.info.methods.iter().enumerate() {
                let Some(Ok(Some(body))) = raw.methods.get(at).map(|m| raw.code(m)) else { continue };
                let Ok(cfg) = Cfg::build(&body, &raw.pool) else { continue };
                let own = class.probes.iter().filter(|p| usize::from(p.method) == at && p.kind == ProbeKind::Line);
                let lines = own.filter_map(|p| p.line.map(|line| (p.pc, line))).collect();
                let name = class.info.name.internal().to_owned();
                found.methods.insert((name, method.name.clone(), method.raw_descriptor.clone()), Method { cfg, lines });
            }
        }
        found
    }

    /// Notes the lines that a way of a branch leads over; says whether one of them is new.
    pub fn cover(&mut self, class: &str, name: &str, descriptor: &str, outcome: Outcome) -> bool {
        let key = (class.to_owned(), name.to_owned(), descriptor.to_owned());
        let Some(method) = self.methods.get(&key) else { return false };
        let Some(mut block) = method.target(outcome) else { return false };
        let mut seen = vec![false; method.cfg.blocks.len()];
        let mut new = false;
        // As far as control goes without deciding anything.
        while !std::mem::replace(&mut seen[block.0 as usize], true) {
            let within = method.cfg.block(block);
            for (pc, line) in &method.lines {
                if within.start <= *pc && *pc < within.end {
                    new |= self.reached.insert((class.to_owned(), *line));
                }
            }
            match within.successors.as_slice() {
                [next] => block = *next,
                _ => break,
            }
        }
        new
    }
}

impl Method {
    fn target(&self, outcome: Outcome) -> Option<BlockId> {
        let from = self.cfg.block_at(u32::from(outcome.pc))?;
        let successors = &self.cfg.block(from).successors;
        match outcome.way {
            Way::Entry => self.cfg.block_at(0),
            // The next instruction comes first, the jump's target behind it.
            Way::NotTaken => successors.first().copied(),
            Way::Taken => successors.last().copied(),
            Way::Case(target) => self.cfg.block_at(u32::from(target)),
        }
    }
}
