//! What a caller may set about a search. Owns defaults only.

use crate::pool::Prune;
use crate::state::Techniques;
use testcase::observed::Needs;

#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    pub seed: u64,
    /// Name of the generator, see `generate::generator_by_name`.
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
    /// Most assertions in a test.
    pub max_assertions: usize,
    pub exhaustive: Exhaustive,
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
            max_assertions: 4,
            exhaustive: Exhaustive::default(),
        }
    }
}
