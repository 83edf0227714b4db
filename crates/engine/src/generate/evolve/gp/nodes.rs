//! The nodes of a method's control flow graph as genetic programming counts them: basic blocks, cut behind every call. Owns the cutting, and which nodes a run
//! went through, by the probes it hit; weighs nothing.

use bytecode::analysis::cfg::{Block, BlockId, Cfg};
use bytecode::instruction::{Instruction, decode, opcode as op};
use bytecode::instrument::{Probe, ProbeKind};
use bytecode::names::ClassName;
use bytecode::raw::{Pool, RawClass};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use testcase::execution::{Execution, Outcome, ProbeId};

use crate::goal::filter::filter;
use crate::target::PreparedClass;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The pc of its first instruction.
    pub start: u32,
    /// It ends in a call.
    pub call: bool,
    /// Where control may go from here, exceptions apart.
    pub successors: SmallVec<[u32; 2]>,
    /// Somebody wrote it: it is not what a compiler adds of its own.
    counts: bool,
    /// The node that follows without any probe between.
    flows: Option<u32>,
    /// The only node from which this one is reached.
    before: Option<u32>,
    /// Nothing in it can throw.
    quiet: bool,
    /// The exception that its block makes and throws at its end.
    thrown: Option<ClassName>,
}

/// All nodes of one method, the entry first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Nodes {
    pub nodes: Vec<Node>,
    /// Nodes that a hit of a probe proves.
    proofs: FxHashMap<ProbeId, SmallVec<[u32; 2]>>,
    handlers: Vec<ProbeId>,
}

impl Nodes {
    /// Of a method of a class under test; `None` if it has no code or is not measured.
    pub fn of(class: &PreparedClass, name: &str, descriptor: &str) -> Option<Nodes> {
        let index = class.info.methods.iter().position(|m| m.name == name && m.raw_descriptor == descriptor)?;
        let raw = RawClass::parse(&class.original).ok()?;
        let code = raw.code(raw.methods.get(index)?).ok()??;
        let instructions = decode(code.code, code.code_start).ok()?;
        let cfg = Cfg::build(&code, &raw.pool).ok()?;
        let filter = filter(&class.info, &class.original);
        let ignored = |pc: u32| filter.methods.get(index).is_some_and(|f| f.ignores(pc) || f.copies.contains_key(&pc));
        let mut cut = cut(&cfg, &instructions, &raw.pool, ignored);
        connect(&cfg, &instructions, &mut cut);
        let mut nodes = Nodes { nodes: cut.nodes, proofs: FxHashMap::default(), handlers: Vec::new() };
        let mut measured = false;
        for (at, probe) in class.probes.iter().enumerate().filter(|(_, p)| usize::from(p.method) == index) {
            measured = true;
            let id = ProbeId(class.first_probe + at as u32);
            if matches!(probe.kind, ProbeKind::Handler { .. }) {
                nodes.handlers.push(id);
            }
            let proven = proven(&nodes.nodes, &cut.firsts, &cfg, &instructions, probe);
            nodes.proofs.insert(id, proven);
        }
        measured.then_some(nodes)
    }

    /// Nodes of which only the successors are known.
    #[cfg(test)]
    pub fn of_successors(successors: &[&[u32]]) -> Nodes {
        let node = |to: &&[u32]| Node {
            start: 0,
            call: false,
            successors: SmallVec::from_slice(to),
            counts: true,
            flows: None,
            before: None,
            quiet: true,
            thrown: None,
        };
        Nodes { nodes: successors.iter().map(node).collect(), proofs: FxHashMap::default(), handlers: Vec::new() }
    }

    /// Puts those of another method behind.
    pub fn append(&mut self, other: Nodes) {
        let first = self.nodes.len() as u32;
        self.nodes.extend(other.nodes.into_iter().map(|node| Node {
            successors: node.successors.iter().map(|n| n + first).collect(),
            flows: node.flows.map(|n| n + first),
            before: node.before.map(|n| n + first),
            ..node
        }));
        let proofs = other.proofs.into_iter();
        self.proofs.extend(proofs.map(|(probe, proven)| (probe, proven.iter().map(|n| n + first).collect())));
        self.handlers.extend(other.handlers);
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
    /// By node: it counts.
    pub fn counted(&self) -> Vec<bool> {
        self.nodes.iter().map(|node| node.counts).collect()
    }
    pub fn counts(&self, node: u32) -> bool {
        self.nodes[node as usize].counts
    }

    /// The nodes this run certainly went through, in order; of what comes behind a call that may have thrown, only what probes prove.
    pub fn hit(&self, execution: &Execution) -> Vec<u32> {
        let mut hit = vec![false; self.nodes.len()];
        let mut smooth = execution.outcome == Outcome::Normal;
        let escaped = match &execution.outcome {
            Outcome::Threw { exception, .. } => Some(&exception.class),
            _ => None,
        };
        let mut work: Vec<u32> = Vec::new();
        for probe in &execution.probes {
            smooth &= !self.handlers.contains(&probe.probe);
            work.extend(self.proofs.get(&probe.probe).into_iter().flatten());
        }
        while let Some(at) = work.pop() {
            if std::mem::replace(&mut hit[at as usize], true) {
                continue;
            }
            let node = &self.nodes[at as usize];
            work.extend(node.before);
            // What was made to be thrown, and left the method under test, was thrown.
            let threw = node.thrown.is_some() && node.thrown.as_ref() == escaped;
            if smooth || node.quiet || threw {
                work.extend(node.flows);
            }
        }
        (0..self.nodes.len() as u32).filter(|&n| hit[n as usize] && self.counts(n)).collect()
    }
}

struct Cut {
    nodes: Vec<Node>,
    /// The first node of each block; `None` if it cannot be reached.
    firsts: Vec<Option<u32>>,
}

fn cut(cfg: &Cfg, instructions: &[Instruction<'_>], pool: &Pool<'_>, ignored: impl Fn(u32) -> bool) -> Cut {
    let mut cut = Cut { nodes: Vec::new(), firsts: vec![None; cfg.blocks.len()] };
    let mut fresh = true;
    let mut block = None;
    for (n, instruction) in instructions.iter().enumerate() {
        let here = cfg.block_at(instruction.pc).filter(|b| cfg.is_reachable(*b));
        let Some(id) = here else { continue };
        if fresh || block != here {
            block = here;
            fresh = false;
            let at = cut.nodes.len() as u32;
            cut.firsts[id.0 as usize].get_or_insert(at);
            cut.nodes.push(Node {
                start: instruction.pc,
                call: false,
                successors: SmallVec::new(),
                counts: false,
                flows: None,
                before: None,
                quiet: true,
                thrown: thrown(instructions, pool, cfg.block(id)),
            });
        }
        // A node was made for the block at the latest just now.
        if let Some(node) = cut.nodes.last_mut() {
            node.counts |= !ignored(instruction.pc);
            node.quiet &= !can_throw(instruction.opcode);
            node.call = is_call(instruction.opcode) || (node.call && instruction.opcode == op::ATHROW);
            // What a call makes to be thrown at once is thrown by the same node: no probe could tell them apart.
            let thrown = instructions.get(n + 1).is_some_and(|i| i.opcode == op::ATHROW);
            fresh = node.call && !thrown;
        }
    }
    cut
}

fn connect(cfg: &Cfg, instructions: &[Instruction<'_>], cut: &mut Cut) {
    let mut before: Vec<SmallVec<[u32; 4]>> = vec![SmallVec::new(); cut.nodes.len()];
    let mut starts: Vec<(u32, BlockId)> = Vec::new();
    for (at, node) in cut.nodes.iter().enumerate() {
        // Every node lies in a block.
        if let Some(block) = cfg.block_at(node.start) {
            starts.push((at as u32, block));
        }
    }
    for (n, &(at, block)) in starts.iter().enumerate() {
        let next = starts.get(n + 1).filter(|(_, b)| *b == block).map(|(at, _)| *at);
        let mut successors: SmallVec<[u32; 2]> = SmallVec::new();
        match next {
            Some(next) => successors.push(next),
            None => {
                let of = cfg.block(block).successors.iter().filter_map(|b| cut.firsts[b.0 as usize]);
                successors.extend(of);
            }
        }
        let last = cfg.block(block).last;
        let decides =
            next.is_none() && instructions.iter().any(|i| i.pc == last && (i.is_conditional() || i.switch().is_some()));
        if !decides && let [only] = successors[..] {
            cut.nodes[at as usize].flows = Some(only);
        }
        let handlers = cfg.block(block).handlers.iter().filter_map(|(b, _)| cut.firsts[b.0 as usize]);
        for to in successors.iter().copied().chain(handlers) {
            if !before[to as usize].contains(&at) {
                before[to as usize].push(at);
            }
        }
        cut.nodes[at as usize].successors = successors;
    }
    for (at, from) in before.iter().enumerate() {
        // The entry is reached from outside as well.
        if let ([only], true) = (&from[..], at > 0) {
            cut.nodes[at].before = Some(*only);
        }
    }
}

fn proven(
    nodes: &[Node],
    firsts: &[Option<u32>],
    cfg: &Cfg,
    instructions: &[Instruction<'_>],
    probe: &Probe,
) -> SmallVec<[u32; 2]> {
    let around = |pc: u32| {
        let at = nodes.partition_point(|n| n.start <= pc).checked_sub(1)?;
        let same = cfg.block_at(nodes[at].start) == cfg.block_at(pc);
        same.then_some(at as u32)
    };
    let first = |pc: u32| cfg.block_at(pc).and_then(|b| firsts[b.0 as usize]);
    let instruction = instructions.iter().find(|i| i.pc == probe.pc);
    let mut proven: SmallVec<[u32; 2]> = SmallVec::new();
    match &probe.kind {
        ProbeKind::MethodEntry => proven.push(0),
        ProbeKind::BranchTaken => {
            proven.extend(around(probe.pc));
            proven.extend(instruction.and_then(|i| i.jump_target()).and_then(first));
        }
        ProbeKind::BranchFallThrough => {
            proven.extend(around(probe.pc));
            proven.extend(instruction.map(|i| i.next_pc()).and_then(first));
        }
        ProbeKind::SwitchCase { keys, default } => {
            proven.extend(around(probe.pc));
            let target = instruction.and_then(|i| i.switch()).and_then(|s| match keys.first() {
                Some(key) if !default => s.cases().find(|(k, _)| k == key).map(|(_, t)| t),
                _ => Some(s.default_target()),
            });
            proven.extend(target.and_then(first));
        }
        ProbeKind::Handler { .. } => proven.extend(first(probe.pc)),
        ProbeKind::Line | ProbeKind::Infection { .. } => proven.extend(around(probe.pc)),
    }
    proven
}

/// The class of the object that a block constructs last, if it ends by throwing it.
fn thrown(instructions: &[Instruction<'_>], pool: &Pool<'_>, block: &Block) -> Option<ClassName> {
    let last = instructions.iter().position(|i| i.pc == block.last)?;
    let made = instructions.get(last.checked_sub(1)?)?;
    if instructions[last].opcode != op::ATHROW || made.opcode != op::INVOKESPECIAL {
        return None;
    }
    let member = pool.member(made.constant()?).ok()?;
    Some(ClassName::new(member.owner.lossy()))
}

fn is_call(opcode: u8) -> bool {
    matches!(opcode, op::INVOKEVIRTUAL..=op::INVOKEDYNAMIC)
}

fn can_throw(opcode: u8) -> bool {
    !matches!(opcode, op::NOP..=op::SIPUSH | op::ILOAD..=op::ALOAD_3 | op::ISTORE..=op::ASTORE_3 | op::POP..=op::DMUL)
        && !matches!(opcode, op::FDIV | op::DDIV | op::FREM | op::DREM | op::INEG..=op::GOTO)
        && !matches!(opcode, op::IFNULL | op::IFNONNULL | op::GOTO_W)
}
