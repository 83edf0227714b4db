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
}

/// Of a test in which a call before the method under test threw: the earlier, the worse.
pub fn unfeasible(length: usize, threw: usize, options: &Gp) -> f32 {
    let length = length.max(1) as f32;
    options.beta + (length - threw as f32) * 100.0 / length
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A decision with a way that all of four tests took and a way that none took; both ways end.
    fn reevaluated() -> Weights {
        let nodes = Nodes::of_successors(&[&[1, 2], &[], &[]]);
        let options = Gp::default();
        let mut weights = Weights::new(&nodes, &options);
        weights.reevaluate(&nodes, &[4, 4, 0], 4, &options);
        weights
    }

    #[test]
    fn what_is_hit_often_becomes_dear_and_the_largest_weight_stays() {
        // By the formula 0.5 · 200 · 2 · 2, 0.5 · 200 · 2 · 1 and 0.5 · 200 · 1 · 1, then normalised to 200.
        assert_eq!(reevaluated().of, [200.0, 100.0, 50.0]);
    }

    #[test]
    fn who_goes_through_cheap_nodes_is_fitter_and_throwing_late_is_better_than_early() {
        let (weights, options) = (reevaluated(), Gp::default());
        assert_eq!(weights.feasible(&[0, 1], &options), 150.0);
        assert_eq!(weights.feasible(&[0, 2], &options), 125.0);
        assert_eq!(unfeasible(10, 2, &options), 230.0);
        assert_eq!(unfeasible(10, 8, &options), 170.0);
        assert!(unfeasible(10, 8, &options) < weights.feasible(&[0], &options));
    }
}
