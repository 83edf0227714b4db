//! Generators: small objects that propose sequences and learn from what came of them. Owns the trait and the register of names; a new technique
//! is one file below and one line here.

pub mod choice;
pub mod concolic;
mod effort;
pub mod evolve;
pub mod exhaustive;
mod kindred;
pub mod portfolio;
pub mod random;
pub mod redirect;
mod relative;
pub mod scratch;
pub mod stuck;
pub mod symbolic_states;
pub mod variety;

use testcase::execution::Execution;
use testcase::executor::{Detail, Watch};
use testcase::observed::Needs;
use testcase::sequence::Sequence;

use portfolio::Portfolio;
pub use portfolio::Share;

use crate::options::Options;
use crate::rng::Rng;
use crate::search::{Delta, Proposal, Search};

/// Asked for proposals, told of results.
pub trait Generator {
    /// Up to `n` sequences worth running, appended to `out`.
    fn propose(&mut self, search: &mut Search<'_>, rng: &mut Rng, n: usize, out: &mut Vec<Proposal>);
    /// What came of one of them.
    fn observe(&mut self, search: &Search<'_>, proposal: &Proposal, execution: &Execution, delta: Delta);
    /// So many sequences are on their way, in place of what it proposed last: some of its own may have given way to others.
    fn submitted(&mut self, _count: usize) {}
    /// What its own thinking cost since this was asked last: as many executions as would have taken the same time.
    fn effort(&mut self) -> u64 {
        0
    }
    /// Nothing more will come.
    fn exhausted(&self) -> bool;
    /// What it has to see of the values of its proposals, besides what pruning needs.
    fn needs(&self) -> Needs {
        Needs::default()
    }
    /// What else has to be told of one of its proposals.
    fn detail(&self, _sequence: &Sequence, _detail: &mut Detail) {}
    /// The sites whose distances are to be measured from now on, if they are others than before.
    fn watch(&mut self, _search: &Search<'_>) -> Option<Vec<Watch>> {
        None
    }
    /// How far it got, if it breeds tests.
    fn evolved(&self) -> Option<Evolved> {
        None
    }
    /// Does every proposal matter, so that none may give its place to something else?
    fn is_systematic(&self) -> bool {
        false
    }
    /// How far it got, if it explores states.
    fn explored(&self) -> Option<Explored> {
        None
    }
    /// What it solved, if it solves for branches that stay open.
    fn solved(&self) -> Option<&stuck::Solved> {
        None
    }
    /// What its members did, if it is made of others.
    fn shares(&self) -> Vec<Share> {
        Vec::new()
    }
    /// What the user should know of its work.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }
    /// Tests it would deliver itself, whatever goals they cover.
    fn tests(&self, _: &Search<'_>) -> Vec<Sequence> {
        Vec::new()
    }
}

/// What a generator that explores states has seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Explored {
    /// Iterations that are complete.
    pub iterations: u32,
    /// Different states of objects under test.
    pub states: usize,
    /// Different method executions, those of existing tests not included.
    pub executions: usize,
    /// No new states were left, or all iterations asked for are done and no state was refused.
    pub complete: bool,
}

/// What a generator that breeds tests has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Evolved {
    /// Times that the population was renewed.
    pub generations: u64,
    /// Tests whose distances to goals were measured.
    pub evaluations: u64,
    /// Those of them that were made from others.
    pub bred: u64,
}

/// Names of all generators.
pub const NAMES: [&str; 7] = ["portfolio", "random", "evolve", "redirect", "exhaustive", "symbolic-states", "concolic"];

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no technique named \"{name}\"; there are: {}", NAMES.join(", "))]
pub struct UnknownTechnique {
    pub name: String,
}

/// The generator of this name, with default options.
pub fn generator_by_name(name: &str) -> Result<Box<dyn Generator>, UnknownTechnique> {
    generator_for(&Options { technique: name.to_owned(), ..Options::default() })
}

/// The generator that the options name.
pub fn generator_for(options: &Options) -> Result<Box<dyn Generator>, UnknownTechnique> {
    match options.technique.as_str() {
        "portfolio" => Ok(Box::new(portfolio(options))),
        "random" => Ok(Box::new(random::Random::new(options.solver))),
        "exhaustive" => Ok(Box::new(exhaustive::Exhaustive::new(options))),
        "symbolic-states" => Ok(Box::new(symbolic_states::SymbolicStates::new(options))),
        "evolve" => Ok(evolve::style(options)),
        "redirect" => Ok(Box::new(redirect::Redirect::new(Some(random::Random::new(options.solver))))),
        "concolic" => Ok(Box::new(concolic::Concolic::new(options))),
        name => Err(UnknownTechnique { name: name.to_owned() }),
    }
}

/// All that can share a search; the first begins, and the others go on from what it found. Those that explore states systematically are for who asks for them.
fn portfolio(options: &Options) -> Portfolio {
    // Evolution begins with random testing, asks the solver about stuck branches and goes on gaining for longest; the others are for what it cannot do.
    Portfolio::new(vec![
        ("evolve", 3.0, evolve::style(options)),
        ("random", 0.25, Box::new(random::Random::new(false))),
        ("variety", 1.5, Box::new(variety::Variety::default())),
        ("redirect", 0.25, Box::new(redirect::Redirect::new(None))),
        ("concolic", 0.25, Box::new(concolic::Concolic::new(options))),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_to_generators_and_wrong_ones_list_the_right_ones() {
        for name in NAMES {
            assert!(generator_by_name(name).is_ok());
        }
        let problem = generator_by_name("randon").err().unwrap();
        assert_eq!(
            problem.to_string(),
            "there is no technique named \"randon\"; there are: portfolio, random, evolve, redirect, exhaustive, symbolic-states, concolic"
        );
    }
}
