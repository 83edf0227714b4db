//! Generators: small objects that propose sequences and learn from what came of them. Owns the trait and the register of names; a new technique
//! is one file below and one line here.

pub mod choice;
pub mod random;
pub mod scratch;

use testcase::execution::Execution;

use crate::rng::Rng;
use crate::search::{Delta, Proposal, Search};

/// Asked for proposals, told of results.
pub trait Generator {
    /// Up to `n` sequences worth running, appended to `out`.
    fn propose(&mut self, search: &mut Search<'_>, rng: &mut Rng, n: usize, out: &mut Vec<Proposal>);
    /// What came of one of them.
    fn observe(&mut self, search: &Search<'_>, proposal: &Proposal, execution: &Execution, delta: Delta);
    /// Nothing more will come.
    fn exhausted(&self) -> bool;
}

/// Names of all generators.
pub const NAMES: [&str; 1] = ["random"];

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no technique named \"{name}\"; there are: {}", NAMES.join(", "))]
pub struct UnknownTechnique {
    pub name: String,
}

pub fn generator_by_name(name: &str) -> Result<Box<dyn Generator>, UnknownTechnique> {
    match name {
        "random" => Ok(Box::new(random::Random::default())),
        _ => Err(UnknownTechnique { name: name.to_owned() }),
    }
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
        assert_eq!(problem.to_string(), "there is no technique named \"randon\"; there are: random");
    }
}
