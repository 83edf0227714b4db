//! Weights of control flow nodes and the fitness that follows from them. Owns the published formulas; knows neither trees nor runs.

use super::nodes::Nodes;
use crate::options::Gp;

/// What exits of a method count as among the successors of a node, in parts of the initial weight: they make it neither better nor worse.
const EXIT: f32 = 0.5;

#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    of: Vec<f32>,
}

impl Weights {
    pub fn new(nodes: &Nodes, options: &Gp) -> Weights {
        Weights { of: vec![options.weight; nodes.len()] }
    }

    /// After a generation of `tests` tests that hit each node so many times. Nodes often hit become dearer; nodes before cheap ones cheaper.
    pub fn reevaluate(&mut self, nodes: &Nodes, hits: &[u32], tests: usize, options: &Gp) {
        let half = options.weight / 2.0;
        let next: Vec<f32> = nodes
            .nodes
            .iter()
            .enumerate()
            .map(|(i, node)| {
                let often = hits[i] as f32 / tests.max(1) as f32 + 1.0;
                let path = match node.successors.len() {
                    0 => EXIT * options.weight / half,
                    n => node.successors.iter().map(|&s| self.of[s as usize]).sum::<f32>() / (n as f32 * half),
                };
                options.alpha * self.of[i] * often * path
            })
            .collect();
        let largest = next.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
        self.of = next.into_iter().map(|w| w * options.weight / largest).collect();
    }

    /// Of a test that got to the method under test: the mean weight of what it went through. Less is better.
    pub fn feasible(&self, hit: &[u32], options: &Gp) -> f32 {
        match hit.len() {
            0 => options.weight,
            n => hit.iter().map(|&h| self.of[h as usize]).sum::<f32>() / n as f32,
        }
    }

    pub fn of(&self, node: usize) -> f32 {
        self.of[node]
    }
}

/// Of a test in which a call before the method under test threw: the earlier, the worse.
pub fn unfeasible(length: usize, threw: usize, options: &Gp) -> f32 {
    let length = length.max(1) as f32;
    options.beta + (length - threw as f32) * 100.0 / length
}
