//! The evolution of tests for one method: a population of trees, what its runs went through, and the next generation. Owns selection and the three ways to
//! breed; what trees can be made of is `functions`' to say.

use testcase::execution::{Execution, Outcome};
use testcase::operation::OpId;
use testcase::sequence::Sequence;

use super::functions::FunctionSet;
use super::lessons::Lessons;
use super::nodes::Nodes;
use super::tree::{Place, Tree};
use super::weights::{Weights, unfeasible};
use crate::generate::scratch::Scratch;
use crate::goal::MethodId;
use crate::options::Gp;
use crate::record::guilty;
use crate::rng::Rng;
use crate::search::Search;

/// No tree becomes deeper than this.
const DEEPEST: usize = 17;
/// Places tried for a crossover, and trees for a place, before the parents are copied.
const ATTEMPTS: usize = 4;

/// How a run ended, as far as it matters here.
#[derive(Clone, Debug, PartialEq)]
enum Ran {
    /// The method under test was called, and these nodes were gone through.
    Feasible(Vec<u32>),
    /// This statement kept the run from getting there.
    Unfeasible(usize),
}

#[derive(Clone, Debug)]
struct Individual {
    tree: Tree,
    sequence: Sequence,
    /// `None` until it was run.
    ran: Option<Ran>,
    fitness: f32,
}

/// What is made trees of.
pub struct Material<'m, 's, 'l> {
    pub search: &'m mut Search<'l>,
    pub functions: &'m FunctionSet,
    pub lessons: &'m Lessons,
    pub scratch: &'s mut Scratch,
}

/// Nodes to go through, and which of them are left.
#[derive(Clone, Debug, Default)]
struct Aims {
    nodes: Nodes,
    remaining: Vec<bool>,
    left: usize,
}

impl Aims {
    fn new(nodes: Nodes) -> Aims {
        let remaining = nodes.counted();
        Aims { left: remaining.iter().filter(|r| **r).count(), nodes, remaining }
    }

    /// What a run went through.
    fn observe(&mut self, execution: &Execution) -> Vec<u32> {
        let hit = self.nodes.hit(execution);
        for &node in &hit {
            self.left -= usize::from(std::mem::replace(&mut self.remaining[node as usize], false));
        }
        hit
    }
}

/// What a method leads to and no test can call by itself.
#[derive(Clone, Debug, Default)]
pub struct Helpers {
    pub methods: Vec<MethodId>,
    /// Of all of them.
    pub nodes: Nodes,
}

pub struct Population {
    pub method: MethodId,
    root: OpId,
    aims: Aims,
    /// Helpers take turns with the method itself: when nothing of it is left, or a round is over.
    others: Aims,
    helpers: Vec<MethodId>,
    /// It is the helpers' turn.
    helping: bool,
    weights: Weights,
    individuals: Vec<Individual>,
    /// Individuals not run yet.
    waiting: usize,
    /// Generations made in this round; the first is 1.
    pub generation: u32,
    /// Generations made in all rounds.
    pub bred: u32,
    /// Rounds begun: a round ends at the limit of generations.
    pub rounds: u32,
    /// The generation of the first round that left no node of the method itself.
    pub completed: Option<u32>,
}

impl Population {
    pub fn new(method: MethodId, root: OpId, nodes: Nodes, helpers: Helpers, options: &Gp) -> Population {
        Population {
            method,
            root,
            weights: Weights::new(&nodes, options),
            aims: Aims::new(nodes),
            others: Aims::new(helpers.nodes),
            helpers: helpers.methods,
            helping: false,
            individuals: Vec::new(),
            waiting: 0,
            generation: 0,
            bred: 0,
            rounds: 1,
            completed: None,
        }
    }

    /// Nodes of the method itself that no test went through yet.
    pub fn left(&self) -> usize {
        self.own().left
    }
    /// Nodes of the method itself that count.
    pub fn counted(&self) -> usize {
        self.own().nodes.counted().iter().filter(|counts| **counts).count()
    }
    fn own(&self) -> &Aims {
        if self.helping { &self.others } else { &self.aims }
    }
    /// All results of this generation are there.
    pub fn is_evaluated(&self) -> bool {
        self.waiting == 0
    }
    pub fn is_done(&self, options: &Gp) -> bool {
        let over = self.generation >= options.generations && self.is_evaluated() && !options.restart;
        (self.aims.left == 0 && self.others.left == 0) || over
    }
    pub fn sequence(&self, individual: usize) -> &Sequence {
        &self.individuals[individual].sequence
    }

    /// Makes the next generation. Gives who has to be run.
    pub fn advance(&mut self, material: &mut Material<'_, '_, '_>, options: &Gp, rng: &mut Rng) -> Vec<usize> {
        let goals = &material.search.goals;
        // Others may have gone through the helpers as well.
        if self.helpers.iter().all(|method| goals.uncovered_in(*method) == 0) {
            let of_helpers = if self.helping { &mut self.aims } else { &mut self.others };
            of_helpers.left = 0;
        }
        let over = self.generation >= options.generations;
        if (over || self.aims.left == 0) && self.others.left > 0 {
            std::mem::swap(&mut self.aims, &mut self.others);
            self.helping = !self.helping;
            self.begin(options);
        } else if over {
            self.begin(options);
        }
        if self.aims.left == 0 {
            return Vec::new();
        }
        self.rounds += u32::from(over);
        self.generation += 1;
        self.bred += 1;
        let next = if self.individuals.is_empty() {
            (0..options.population).filter_map(|_| self.fresh(material, rng)).collect()
        } else {
            self.judge(options);
            self.breed(material, options, rng)
        };
        self.individuals = next;
        let asked: Vec<usize> = (0..self.individuals.len()).filter(|&i| self.individuals[i].ran.is_none()).collect();
        self.waiting = asked.len();
        asked
    }

    /// From nothing.
    fn begin(&mut self, options: &Gp) {
        self.individuals.clear();
        self.weights = Weights::new(&self.aims.nodes, options);
        self.generation = 0;
    }

    fn fresh(&self, material: &mut Material<'_, '_, '_>, rng: &mut Rng) -> Option<Individual> {
        (0..ATTEMPTS).find_map(|_| {
            let tree = material.functions.tree(material.search, material.lessons, self.root, rng)?;
            self.individual(material, tree)
        })
    }

    fn individual(&self, material: &mut Material<'_, '_, '_>, tree: Tree) -> Option<Individual> {
        let catalog = &material.search.catalog;
        if tree.depth(catalog) > DEEPEST {
            return None;
        }
        let sequence = tree.sequence(catalog, material.scratch);
        let fits = sequence.len() <= material.search.options.max_length;
        fits.then_some(Individual { tree, sequence, ran: None, fitness: 0.0 })
    }

    /// What came of an individual.
    pub fn observe(&mut self, individual: usize, execution: &Execution) {
        let length = self.individuals[individual].sequence.len();
        let last = length.saturating_sub(1);
        let threw = match &execution.outcome {
            Outcome::Normal => last,
            Outcome::Threw { statement, .. } => usize::from(*statement),
            other => guilty(other).unwrap_or(0),
        };
        // Whatever was gone through on the way counts as well.
        let hit = self.aims.observe(execution);
        if self.others.left > 0 {
            self.others.observe(execution);
        }
        let ran = if threw < last { Ran::Unfeasible(threw) } else { Ran::Feasible(hit) };
        self.individuals[individual].ran = Some(ran);
        self.waiting -= 1;
        if self.left() == 0 && self.completed.is_none() && self.rounds == 1 {
            self.completed = Some(self.generation);
        }
    }

    /// Gives everybody a fitness by the weights of this generation, and then nodes new weights by what everybody hit.
    fn judge(&mut self, options: &Gp) {
        let mut hits = vec![0; self.aims.nodes.len()];
        for individual in &mut self.individuals {
            individual.fitness = match &individual.ran {
                Some(Ran::Feasible(hit)) => {
                    for &node in hit {
                        hits[node as usize] += 1;
                    }
                    self.weights.feasible(hit, options)
                }
                Some(Ran::Unfeasible(at)) => unfeasible(individual.sequence.len(), *at, options),
                None => f32::INFINITY,
            };
        }
        self.weights.reevaluate(&self.aims.nodes, &hits, self.individuals.len(), options);
    }

    fn breed(&self, material: &mut Material<'_, '_, '_>, options: &Gp, rng: &mut Rng) -> Vec<Individual> {
        let mut next = Vec::with_capacity(options.population);
        let all = options.reproduction + options.crossover + options.mutation;
        while next.len() < options.population {
            let roll = rng.unit() * all;
            let parent = self.select(options, rng);
            if roll < options.reproduction {
                next.push(parent.clone());
            } else if roll < options.reproduction + options.crossover {
                let other = self.select(options, rng);
                let (a, b) = self.cross(material, parent, other, rng);
                next.push(a);
                if next.len() < options.population {
                    next.push(b);
                }
            } else {
                next.push(self.mutate(material, parent, rng));
            }
        }
        next
    }

    /// The best of a few.
    fn select(&self, options: &Gp, rng: &mut Rng) -> &Individual {
        let mut best = &self.individuals[rng.below(self.individuals.len())];
        for _ in 1..options.tournament {
            let other = &self.individuals[rng.below(self.individuals.len())];
            if other.fitness < best.fitness {
                best = other;
            }
        }
        best
    }

    /// Two trees with subtrees exchanged that give what the other's place wants; copies if there are no such.
    fn cross(
        &self,
        material: &mut Material<'_, '_, '_>,
        one: &Individual,
        other: &Individual,
        rng: &mut Rng,
    ) -> (Individual, Individual) {
        let catalog = &material.search.catalog;
        let (ours, theirs) = (one.tree.places(catalog), other.tree.places(catalog));
        for _ in 0..ATTEMPTS {
            let Some(&here) = rng.pick(&ours) else { break };
            let catalog = &material.search.catalog;
            let fits = |tree: &Tree, from: &Place, to: &Place| {
                let gene = tree.0[from.at];
                catalog.fits(gene.gives(catalog), to.wanted) && !(to.object && catalog.facts(gene.op).null)
            };
            let matching: Vec<Place> = theirs
                .iter()
                .copied()
                .filter(|there| fits(&one.tree, &here, there) && fits(&other.tree, there, &here))
                .collect();
            let Some(&there) = rng.pick(&matching) else { continue };
            let a = one.tree.graft(here, &other.tree.0[there.at..there.end]);
            let b = other.tree.graft(there, &one.tree.0[here.at..here.end]);
            let (a, b) = (self.child(material, one, a), self.child(material, other, b));
            return (a, b);
        }
        (one.clone(), other.clone())
    }

    fn mutate(&self, material: &mut Material<'_, '_, '_>, one: &Individual, rng: &mut Rng) -> Individual {
        let places = one.tree.places(&material.search.catalog);
        let Some(&place) = rng.pick(&places) else { return one.clone() };
        let grown = material.functions.subtree(material.search, material.lessons, &one.tree, place, rng);
        match grown {
            Some(part) => self.child(material, one, one.tree.graft(place, &part)),
            None => one.clone(),
        }
    }

    /// The tree as an individual; what is no other tree was run before; what is too large is not had.
    fn child(&self, material: &mut Material<'_, '_, '_>, parent: &Individual, tree: Tree) -> Individual {
        if tree == parent.tree {
            return parent.clone();
        }
        self.individual(material, tree).unwrap_or_else(|| parent.clone())
    }
}
