//! Dominators of a graph. Owns the trees, forwards and backwards; knows nothing of code beyond blocks and edges.

use super::cfg::{BlockId, Cfg};

/// Which node lies on every path from the root to a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dominators {
    /// The nearest strict dominator; the root's is itself, nodes that the root does not reach have none.
    nearest: Vec<Option<u32>>,
    root: u32,
}

impl Dominators {
    /// Of the blocks that the entry reaches, over normal and exception edges.
    pub fn of(cfg: &Cfg) -> Dominators {
        let edges: Vec<Vec<u32>> = (0..cfg.blocks.len()).map(|at| successors(cfg, at)).collect();
        Dominators::from_edges(&edges, 0)
    }

    /// Of any graph: each node's successors, and where to begin.
    pub fn from_edges(successors: &[Vec<u32>], root: u32) -> Dominators {
        let order = postorder(successors, root);
        let mut number = vec![u32::MAX; successors.len()];
        for (at, &node) in order.iter().enumerate() {
            number[node as usize] = at as u32;
        }
        let mut predecessors: Vec<Vec<u32>> = vec![Vec::new(); successors.len()];
        for &node in &order {
            for &to in &successors[node as usize] {
                predecessors[to as usize].push(node);
            }
        }
        let mut nearest: Vec<Option<u32>> = vec![None; successors.len()];
        nearest[root as usize] = Some(root);
        let mut changed = true;
        while changed {
            changed = false;
            for &node in order.iter().rev().filter(|n| **n != root) {
                let mut meet: Option<u32> = None;
                for &from in predecessors[node as usize].iter().filter(|p| nearest[**p as usize].is_some()) {
                    meet = Some(match meet {
                        None => from,
                        Some(other) => common(&nearest, &number, from, other),
                    });
                }
                if nearest[node as usize] != meet {
                    nearest[node as usize] = meet;
                    changed = true;
                }
            }
        }
        Dominators { nearest, root }
    }

    /// The nearest node, other than itself, on every path to it. None for the root and for nodes it does not reach.
    pub fn nearest(&self, node: u32) -> Option<u32> {
        self.nearest[node as usize].filter(|_| node != self.root)
    }

    pub fn is_reached(&self, node: u32) -> bool {
        self.nearest[node as usize].is_some()
    }

    /// Whether every path from the root to `node` goes through `by`. A node dominates itself.
    pub fn dominates(&self, by: BlockId, node: BlockId) -> bool {
        let mut at = Some(node.0).filter(|n| self.is_reached(*n));
        while let Some(current) = at {
            if current == by.0 {
                return true;
            }
            at = self.nearest(current);
        }
        false
    }
}

/// Which block lies on every path from a block to the end of the method. The end is a node of its own, behind all
/// blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostDominators {
    tree: Dominators,
}

impl PostDominators {
    /// Paths end where the method returns or throws what it does not catch. An endless loop is taken to end at its last
    /// block, so that every block has a path.
    pub fn of(cfg: &Cfg) -> PostDominators {
        let count = cfg.blocks.len();
        let end = count as u32;
        let mut backwards: Vec<Vec<u32>> = vec![Vec::new(); count + 1];
        for from in cfg.reachable_blocks() {
            // A return, or a throw, which no handler in the method need catch.
            if cfg.block(from).successors.is_empty() {
                backwards[count].push(from.0);
            }
            for to in successors(cfg, from.0 as usize) {
                backwards[to as usize].push(from.0);
            }
        }
        loop {
            let tree = Dominators::from_edges(&backwards, end);
            match cfg.reachable_blocks().filter(|b| !tree.is_reached(b.0)).last() {
                None => return PostDominators { tree },
                Some(endless) => backwards[count].push(endless.0),
            }
        }
    }

    /// The nearest block on every path from this one to the end; none if that is the end itself.
    pub fn nearest(&self, block: BlockId) -> Option<BlockId> {
        let end = self.tree.root;
        self.tree.nearest(block.0).filter(|n| *n != end).map(BlockId)
    }

    /// Whether every path from `block` to the end goes through `by`. A block post-dominates itself.
    pub fn post_dominates(&self, by: BlockId, block: BlockId) -> bool {
        self.tree.dominates(by, block)
    }
}

fn successors(cfg: &Cfg, at: usize) -> Vec<u32> {
    let mut list: Vec<u32> = Vec::new();
    for to in cfg.all_successors(BlockId(at as u32)) {
        if !list.contains(&to.0) {
            list.push(to.0);
        }
    }
    list
}

/// Nodes that the root reaches, each after those it leads to.
fn postorder(successors: &[Vec<u32>], root: u32) -> Vec<u32> {
    let mut order = Vec::new();
    let mut seen = vec![false; successors.len()];
    seen[root as usize] = true;
    let mut stack = vec![(root, 0usize)];
    while let Some((node, next)) = stack.last_mut() {
        match successors[*node as usize].get(*next) {
            Some(&to) => {
                *next += 1;
                if !seen[to as usize] {
                    seen[to as usize] = true;
                    stack.push((to, 0));
                }
            }
            None => {
                order.push(*node);
                stack.pop();
            }
        }
    }
    order
}

/// The nearest node that dominates both, both having been given a dominator.
fn common(nearest: &[Option<u32>], number: &[u32], mut a: u32, mut b: u32) -> u32 {
    let up = |n: u32| nearest[n as usize].unwrap_or(n);
    while a != b {
        while number[a as usize] < number[b as usize] {
            a = up(a);
        }
        while number[b as usize] < number[a as usize] {
            b = up(b);
        }
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `0>1 1>2`: the nearest dominator of each node from node 0, `-` for none.
    fn check(edges: &str, expected: &str) {
        let pairs: Vec<(u32, u32)> = edges
            .split(' ')
            .map(|e| e.split_once('>').map(|(a, b)| (a.parse().unwrap(), b.parse().unwrap())).unwrap())
            .collect();
        let count = pairs.iter().map(|(a, b)| a.max(b) + 1).max().unwrap();
        let mut graph = vec![Vec::new(); count as usize];
        for (a, b) in pairs {
            graph[a as usize].push(b);
        }
        let tree = Dominators::from_edges(&graph, 0);
        let found: Vec<String> =
            (0..count).map(|n| tree.nearest(n).map_or("-".to_owned(), |d| d.to_string())).collect();
        assert_eq!(found.join(" "), expected, "{edges}");
    }

    #[test]
    fn nearest_dominators() {
        check("0>1 0>2 1>3 2>3", "- 0 0 0");
        check("0>1 1>2 2>1 2>3 4>3", "- 0 1 2 -");
        check("0>1 0>2 1>2 2>1 1>3 2>4 3>5 4>5", "- 0 0 1 2 0");
    }

    #[test]
    fn a_graph_that_no_structured_program_has() {
        check("0>1 0>2 1>3 2>4 3>4 4>3 4>5 3>5", "- 0 0 0 0 0");
    }
}
