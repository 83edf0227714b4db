//! Control dependence: which decision must have which outcome for a block to be reached, and how far an execution was
//! from that. Owns the dependences of one method, exception edges included; knows nothing of values or of goals.

use std::collections::VecDeque;

use super::cfg::{BlockId, Cfg};
use super::dominance::PostDominators;

/// Control goes from the end of a block (or, by an exception, out of it) to another block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge {
    pub from: BlockId,
    pub to: BlockId,
}

/// For every block the edges it depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControlDependence {
    edges: Vec<Vec<Edge>>,
}

impl ControlDependence {
    pub fn of(cfg: &Cfg) -> ControlDependence {
        let post = PostDominators::of(cfg);
        let mut edges: Vec<Vec<Edge>> = vec![Vec::new(); cfg.blocks.len()];
        for from in cfg.reachable_blocks() {
            for to in cfg.all_successors(from) {
                // Everything from `to` up to where all paths out of `from` meet is reached because this edge is taken.
                let stop = post.nearest(from);
                let mut at = Some(to);
                while let Some(block) = at.filter(|b| Some(*b) != stop) {
                    let list = &mut edges[block.0 as usize];
                    if !list.contains(&Edge { from, to }) {
                        list.push(Edge { from, to });
                    }
                    at = post.nearest(block);
                }
            }
        }
        for list in &mut edges {
            list.sort();
        }
        ControlDependence { edges }
    }

    /// The edges of which one has to be taken for the block to be reached; none if the method always reaches it (or
    /// never).
    pub fn of_block(&self, block: BlockId) -> &[Edge] {
        &self.edges[block.0 as usize]
    }

    /// How far every block is from an edge.
    pub fn levels_to(&self, goal: Edge) -> Levels {
        let mut levels = Levels { toward: vec![None; self.edges.len()] };
        levels.toward[goal.from.0 as usize] = Some((0, goal));
        self.spread(&mut levels, goal.from, 1);
        levels
    }

    /// How far every block is from another one: 0 at the blocks that decide about it directly, and at itself.
    pub fn levels_to_block(&self, goal: BlockId) -> Levels {
        let mut levels = Levels { toward: vec![None; self.edges.len()] };
        levels.toward[goal.0 as usize] = Some((0, Edge { from: goal, to: goal }));
        self.spread(&mut levels, goal, 0);
        levels
    }

    fn spread(&self, levels: &mut Levels, from: BlockId, level: u32) {
        let mut queue: VecDeque<(Edge, u32)> = self.of_block(from).iter().map(|edge| (*edge, level)).collect();
        let mut farthest = level;
        while let Some((edge, level)) = queue.pop_front() {
            let place = &mut levels.toward[edge.from.0 as usize];
            if place.is_none() {
                *place = Some((level, edge));
                farthest = level + 1;
                queue.extend(self.of_block(edge.from).iter().map(|e| (*e, level + 1)));
            }
        }
        // A run that entered the method has come that far, even if an exception led out before the first decision.
        let entry = BlockId(0);
        levels.toward[0].get_or_insert((farthest, Edge { from: entry, to: entry }));
    }
}

/// Distances from the blocks of a method to one goal, in decisions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Levels {
    toward: Vec<Option<(u32, Edge)>>,
}

impl Levels {
    /// How many further decisions have to go right behind that of this block: 0 at the goal's own. None if the block
    /// decides nothing about the goal.
    pub fn at(&self, block: BlockId) -> Option<u32> {
        self.toward[block.0 as usize].map(|(level, _)| level)
    }

    /// The edge that leads from this block towards the goal.
    pub fn toward(&self, block: BlockId) -> Option<Edge> {
        self.toward[block.0 as usize].map(|(_, edge)| edge)
    }

    /// The approach level of an execution, by the blocks it went through: the lowest level among them, and the edge
    /// that should have been taken there. None if it never entered the method.
    pub fn approach(&self, executed: impl IntoIterator<Item = BlockId>) -> Option<(u32, Edge)> {
        executed.into_iter().filter_map(|block| self.toward[block.0 as usize]).min()
    }
}
