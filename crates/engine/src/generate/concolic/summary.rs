//! What is known of the ways through methods, as constraint trees: one per method and per invokable, with the way that a callee took as one reference to a leaf of the
//! callee's own tree. Owns the trees and their sizes; can keep callees inline instead, to compare.

use rustc_hash::FxHashMap;
use symbolic::vm::{Call, MethodId, PathStep, Site};

/// A way through a method: a leaf of its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PathId(u32);

/// Whose tree it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Owner {
    Invokable(usize),
    Method(MethodId),
}

/// What lies on a way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Item {
    /// A condition, and whether it held.
    Condition(Site, bool),
    /// A callee was called and took this way.
    Call(MethodId, PathId),
}

#[derive(Clone, Debug, Default)]
struct Branches {
    /// Where each item leads.
    next: FxHashMap<Item, u32>,
}

/// All trees.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    inline: bool,
    nodes: Vec<Branches>,
    roots: FxHashMap<Owner, u32>,
    /// Leaves by the node they are.
    leaves: FxHashMap<u32, PathId>,
}

impl Summary {
    /// Empty trees; `inline` puts the conditions of callees into the trees of their callers.
    pub fn new(inline: bool) -> Summary {
        Summary { inline, ..Summary::default() }
    }

    /// Takes in a way through an invokable: the conditions of one call, which of them count, the number of the first, and the calls they were met in.
    pub fn take(
        &mut self,
        invokable: usize,
        steps: &[PathStep],
        counts: &[bool],
        first: usize,
        calls: &[Call],
    ) -> PathId {
        let root = self.root(Owner::Invokable(invokable));
        // Frames that are open: where they are in their trees.
        let mut frames: Vec<(Option<MethodId>, u32)> = vec![(None, root)];
        let mut calls = calls.iter().peekable();
        // What happens behind the last condition comes after it.
        for (at, step) in steps.iter().map(Some).chain([None]).enumerate() {
            while let Some(call) = calls.peek() {
                let (here, entered) = match call {
                    Call::Enter { method, at } => (*at, Some(*method)),
                    Call::Leave { at } => (*at, None),
                };
                if here > first + at {
                    break;
                }
                calls.next();
                match entered {
                    _ if self.inline => {}
                    // What is invoked is the method itself.
                    Some(method) if frames.len() == 1 && frames[0].1 == root => {
                        frames[0].1 = self.root(Owner::Method(method));
                    }
                    Some(method) => {
                        let root = self.root(Owner::Method(method));
                        frames.push((Some(method), root));
                    }
                    None => self.leave(&mut frames),
                }
            }
            if let Some(step) = step
                && counts[at]
                && let Some((_, node)) = frames.last_mut()
            {
                *node = self.follow(*node, Item::Condition(step.site, step.taken));
            }
        }
        // An exception leaves all of them.
        while frames.len() > 1 {
            self.leave(&mut frames);
        }
        self.leaf(frames[0].1)
    }

    fn leave(&mut self, frames: &mut Vec<(Option<MethodId>, u32)>) {
        if frames.len() < 2 {
            return;
        }
        let Some((Some(method), node)) = frames.pop() else { return };
        let leaf = self.leaf(node);
        // The callee whose only way has no condition that counts adds nothing.
        let is_plain = self.roots.get(&Owner::Method(method)) == Some(&node);
        if let Some((_, caller)) = frames.last_mut()
            && !is_plain
        {
            *caller = self.follow(*caller, Item::Call(method, leaf));
        }
    }

    fn root(&mut self, owner: Owner) -> u32 {
        let fresh = self.nodes.len() as u32;
        let root = *self.roots.entry(owner).or_insert(fresh);
        if root == fresh {
            self.nodes.push(Branches::default());
        }
        root
    }

    fn follow(&mut self, node: u32, item: Item) -> u32 {
        let fresh = self.nodes.len() as u32;
        let next = *self.nodes[node as usize].next.entry(item).or_insert(fresh);
        if next == fresh {
            self.nodes.push(Branches::default());
        }
        next
    }

    fn leaf(&mut self, node: u32) -> PathId {
        let fresh = PathId(self.leaves.len() as u32);
        *self.leaves.entry(node).or_insert(fresh)
    }

    /// Nodes of all trees: computations, calls and leaves.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// Ways known, of invokables and of methods.
    pub fn paths(&self) -> usize {
        self.leaves.len()
    }
}
