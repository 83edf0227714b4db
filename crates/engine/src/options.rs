//! What a caller may set about a search. Owns defaults only.

use crate::generate::concolic::settings::Concolic;
use crate::pool::Prune;
use crate::state::Techniques;
pub use symbolic::state::Comparison;
use testcase::observed::Needs;

#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    pub seed: u64,
    /// Name of a row of `generate::register`.
    pub technique: String,
    pub prune: Prune,
    /// Most statements in a sequence.
    pub max_length: usize,
    /// Probability of null for a reference argument.
    pub null_ratio: f32,
    /// Probability of repeating the last call.
    pub repeat_ratio: f32,
    /// Go on from sequences that just succeeded.
    pub extend: bool,
    /// Go on behind statements that threw.
    pub past_exceptions: bool,
    /// Values kept per type.
    pub pool_per_type: usize,
    /// Check contracts and report what breaks them.
    pub contracts: bool,
    /// Stop when everything is covered, after at least this many executions. `None`: use the whole budget.
    pub stop_when_covered: Option<u64>,
    /// Solve for the other sides of branches that stay open.
    pub solver: bool,
    /// Most assertions in a test.
    pub max_assertions: usize,
    pub exhaustive: Exhaustive,
    pub concolic: Concolic,
    pub symbolic_states: SymbolicStates,
    pub evolve: Evolve,
    pub gp: Gp,
}

impl Options {
    /// What has to be observed for telling states apart.
    pub fn needs(&self) -> Needs {
        self.prune.needs().and(self.exhaustive.techniques.needs())
    }
}

/// Settings of the generator `exhaustive`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exhaustive {
    /// Which states count as reached before, and which arguments as used before.
    pub techniques: Techniques,
    /// How many calls beyond the states to begin with.
    pub iterations: u32,
    /// No states are added beyond this many.
    pub max_states: usize,
    /// Most argument lists per method.
    pub max_lists: usize,
    /// Deliver a test for every method execution, in place of the tests that cover the goals.
    pub keep_all: bool,
}

impl Default for Exhaustive {
    fn default() -> Self {
        Exhaustive {
            techniques: Techniques::default(),
            iterations: 3,
            max_states: 10_000,
            max_lists: 32,
            keep_all: false,
        }
    }
}

/// Settings of the generator `symbolic-states`. Iterations, the number of states and what is delivered are as for `exhaustive`.
#[derive(Clone, Debug, PartialEq)]
pub struct SymbolicStates {
    /// Which states count as reached before.
    pub comparison: Comparison,
    /// How many of the calls of an iteration are tried, from 0 to 1.
    pub share: f32,
    /// In each iteration, first what may lead to something uncovered.
    pub favour_uncovered: bool,
    /// Parameters, counted from 0, whose numbers are constants and not left open.
    pub concrete: Vec<usize>,
    /// Most paths of one call.
    pub max_paths: usize,
    /// Most ways per method to its arguments.
    pub max_lists: usize,
}

impl Default for SymbolicStates {
    fn default() -> Self {
        SymbolicStates {
            comparison: Comparison::default(),
            share: 1.0,
            favour_uncovered: false,
            concrete: Vec::new(),
            max_paths: 256,
            max_lists: 8,
        }
    }
}

impl SymbolicStates {
    /// Nothing within the bounds can be missed with these settings.
    pub fn is_complete(&self) -> bool {
        self.share >= 1.0 && self.concrete.is_empty() && self.comparison != Comparison::Structure
    }
}

/// How tests are bred.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Sequences, by their distances to all goals that are a decision away.
    #[default]
    ManyObjective,
    /// Trees, by the weights of the control flow nodes they go through, method by method.
    Gp,
}

/// Settings of the generator `evolve`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evolve {
    pub style: Style,
    /// Tests in a population, and new ones in a generation.
    pub population: usize,
    /// Of so many tests at a time the best is chosen as a parent.
    pub tournament: usize,
    /// How often two parents are crossed, and a child of theirs is changed besides.
    pub crossover: f32,
    pub mutation: f32,
    /// Most statements of a test that is bred.
    pub max_length: usize,
    /// After so many executions in a row that cover nothing new, evolution begins.
    pub patience: u64,
    /// Move the literals of the nearest tests one by one.
    pub local_search: bool,
    /// Small faults that would make a difference are goals, too; the classes have to be instrumented for it.
    pub weak_mutants: bool,
}

impl Default for Evolve {
    fn default() -> Self {
        Evolve {
            style: Style::default(),
            population: 50,
            tournament: 3,
            crossover: 0.5,
            mutation: 0.75,
            max_length: 40,
            patience: 1_000,
            local_search: true,
            weak_mutants: false,
        }
    }
}

/// Settings of genetic programming; the defaults are the published ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gp {
    /// Tests in a population; there is one population per method.
    pub population: usize,
    /// After so many generations a population is given up.
    pub generations: u32,
    /// Begin with another population then, in place of leaving it at that.
    pub restart: bool,
    /// How a new test comes about, as parts of the sum of the three: by copying one, by exchanging parts of two, by growing a part of one anew.
    pub reproduction: f32,
    pub crossover: f32,
    pub mutation: f32,
    /// Of so many tests at a time the best is chosen.
    pub tournament: usize,
    /// By how much all weights decrease with each generation.
    pub alpha: f32,
    /// What a test costs that does not get to the method under test.
    pub beta: f32,
    /// What a node weighs at first, and at most.
    pub weight: f32,
    /// Leave out of the function set what calls do not change.
    pub purity: bool,
    /// When all of a method was gone through, go on for what it leads to and no test can call by itself.
    pub helpers: bool,
}

impl Default for Gp {
    fn default() -> Self {
        Gp {
            population: 10,
            generations: 200,
            restart: true,
            reproduction: 0.33,
            crossover: 0.33,
            mutation: 0.34,
            tournament: 2,
            alpha: 0.5,
            beta: 150.0,
            weight: 200.0,
            purity: true,
            helpers: true,
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Options {
            seed: 1,
            technique: "random".to_owned(),
            prune: Prune::default(),
            max_length: 100,
            null_ratio: 0.05,
            repeat_ratio: 0.1,
            extend: true,
            past_exceptions: false,
            pool_per_type: 400,
            contracts: true,
            stop_when_covered: Some(20_000),
            solver: true,
            max_assertions: 4,
            exhaustive: Exhaustive::default(),
            concolic: Concolic::default(),
            symbolic_states: SymbolicStates::default(),
            evolve: Evolve::default(),
            gp: Gp::default(),
        }
    }
}
