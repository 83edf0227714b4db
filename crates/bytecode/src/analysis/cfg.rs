//! Control flow of one method: basic blocks, edges, reachability, back edges. Owns the graph; says nothing about
//! values.

use crate::instruction::{Instruction, decode, opcode as op};
use crate::names::ClassName;
use crate::problem::Problem;
use crate::raw::{Pool, RawCode};

/// Index of a block in [`Cfg::blocks`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(pub u32);

/// Instructions that are entered only at the first and left only behind the last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The first instruction's pc and the first pc behind the block.
    pub start: u32,
    pub end: u32,
    /// The last instruction's pc.
    pub last: u32,
    /// Where control goes in the normal way, each block once: fall-through first, then jump targets in their order. A
    /// `ret` has none: the block behind its `jsr` is a successor of the `jsr`.
    pub successors: Vec<BlockId>,
    /// Handlers that cover the block, in the order they are tried, with the class they catch (`None`: anything).
    pub handlers: Vec<(BlockId, Option<ClassName>)>,
}

/// The graph of one method. Block 0 is the entry; blocks are in code order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cfg {
    pub blocks: Vec<Block>,
    /// Reached from the entry over normal and exception edges.
    reachable: Vec<bool>,
    back_edges: Vec<(BlockId, BlockId)>,
}

impl Cfg {
    pub fn build(code: &RawCode<'_>, pool: &Pool<'_>) -> Result<Cfg, Problem> {
        let instructions = decode(code.code, code.code_start)?;
        let length = code.code.len();
        let leaders = leaders(code, &instructions)?;
        let mut block_at = vec![None; length];
        let mut blocks: Vec<Block> = Vec::new();
        for i in &instructions {
            if leaders[i.pc as usize] {
                let block = Block { start: i.pc, end: 0, last: 0, successors: Vec::new(), handlers: Vec::new() };
                blocks.push(block);
            }
            // Pc 0 is a leader, so there is a block by now.
            let id = BlockId(blocks.len() as u32 - 1);
            block_at[i.pc as usize] = Some(id);
            if let Some(block) = blocks.last_mut() {
                block.last = i.pc;
                block.end = i.next_pc();
            }
        }
        for i in &instructions {
            let Some(id) = block_at[i.pc as usize] else { continue };
            let block = &mut blocks[id.0 as usize];
            if block.last != i.pc {
                continue;
            }
            let mut add = |pc: u32| {
                if let Some(successor) = block_at.get(pc as usize).copied().flatten()
                    && !block.successors.contains(&successor)
                {
                    block.successors.push(successor);
                }
            };
            if i.falls_through() {
                add(i.next_pc());
            }
            i.for_each_target(add);
        }
        for handler in &code.handlers {
            let Some(target) = block_at.get(usize::from(handler.handler_pc)).copied().flatten() else { continue };
            let catch = pool.optional_class(handler.catch_type)?.map(|t| ClassName::new(t.lossy()));
            // Starts and ends of protected ranges are leaders, so a block is covered wholly or not at all.
            for block in &mut blocks {
                if block.start >= u32::from(handler.start_pc) && block.start < u32::from(handler.end_pc) {
                    block.handlers.push((target, catch.clone()));
                }
            }
        }
        let mut cfg = Cfg { reachable: vec![false; blocks.len()], blocks, back_edges: Vec::new() };
        cfg.walk();
        Ok(cfg)
    }

    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.0 as usize]
    }

    /// The block an instruction is in.
    pub fn block_at(&self, pc: u32) -> Option<BlockId> {
        let index = self.blocks.partition_point(|b| b.start <= pc).checked_sub(1)?;
        (pc < self.blocks[index].end).then_some(BlockId(index as u32))
    }

    pub fn is_reachable(&self, id: BlockId) -> bool {
        self.reachable[id.0 as usize]
    }

    pub fn reachable_blocks(&self) -> impl Iterator<Item = BlockId> + '_ {
        (0..self.blocks.len() as u32).map(BlockId).filter(|id| self.is_reachable(*id))
    }

    /// Edges, exceptional ones included, that lead back to a block still being walked when walking depth-first from the
    /// entry: every cycle has at least one. Sorted.
    pub fn back_edges(&self) -> &[(BlockId, BlockId)] {
        &self.back_edges
    }

    /// Normal and exceptional successors.
    pub fn all_successors(&self, id: BlockId) -> impl Iterator<Item = BlockId> + '_ {
        let block = self.block(id);
        block.successors.iter().copied().chain(block.handlers.iter().map(|(handler, _)| *handler))
    }

    /// Depth-first from the entry, without recursion.
    fn walk(&mut self) {
        let mut on_path = vec![false; self.blocks.len()];
        let mut back = Vec::new();
        let edges: Vec<Vec<BlockId>> =
            (0..self.blocks.len() as u32).map(|i| self.all_successors(BlockId(i)).collect()).collect();
        let mut stack = vec![(BlockId(0), 0usize)];
        self.reachable[0] = true;
        on_path[0] = true;
        while let Some((id, next)) = stack.last_mut() {
            let Some(&successor) = edges[id.0 as usize].get(*next) else {
                on_path[id.0 as usize] = false;
                stack.pop();
                continue;
            };
            *next += 1;
            if on_path[successor.0 as usize] {
                back.push((*id, successor));
            } else if !self.reachable[successor.0 as usize] {
                self.reachable[successor.0 as usize] = true;
                on_path[successor.0 as usize] = true;
                stack.push((successor, 0));
            }
        }
        back.sort();
        back.dedup();
        self.back_edges = back;
    }
}

/// For each pc whether a block starts there. Handlers that do not start at instructions are a problem.
fn leaders(code: &RawCode<'_>, instructions: &[Instruction<'_>]) -> Result<Vec<bool>, Problem> {
    let length = code.code.len();
    let mut starts = vec![false; length];
    let mut leaders = vec![false; length];
    leaders[0] = true;
    for i in instructions {
        starts[i.pc as usize] = true;
        let mut ends = !i.falls_through() || i.opcode == op::JSR || i.opcode == op::JSR_W;
        i.for_each_target(|target| {
            leaders[target as usize] = true;
            ends = true;
        });
        if ends && let Some(next) = leaders.get_mut(i.next_pc() as usize) {
            *next = true;
        }
    }
    for handler in &code.handlers {
        let [start, end, target] = [handler.start_pc, handler.end_pc, handler.handler_pc].map(usize::from);
        let is_start = |pc: usize| starts.get(pc).copied().unwrap_or(false);
        if !is_start(start) || !is_start(target) || start >= end || (end != length && !is_start(end)) {
            return Err(Problem::malformed(code.code_start, "exception handlers that cover whole instructions"));
        }
        leaders[start] = true;
        leaders[target] = true;
        if let Some(behind) = leaders.get_mut(end) {
            *behind = true;
        }
    }
    Ok(leaders)
}
