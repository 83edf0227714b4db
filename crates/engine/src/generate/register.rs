//! The register of techniques: one row for each, with its name, what it does in one line, the options that are its own,
//! and how it is built. The command line, the list in README and the table in the book are made from it. Owns which
//! techniques there are and nothing of how they work.

use super::Generator;
use super::concolic::Concolic;
use super::evolve;
use super::exhaustive::Exhaustive;
use super::mio::Mio;
use super::portfolio::{Member, Portfolio};
use super::random::Random;
use super::redirect::Redirect;
use super::stuck::Stuck;
use super::symbolic_states::SymbolicStates;
use super::variety::Variety;
use crate::options::{Options, Style};

/// A row of the register.
#[derive(Clone, Copy, Debug)]
pub struct Technique {
    pub name: &'static str,
    /// What it does, in one line.
    pub help: &'static str,
    /// Options of the command line that matter to nobody else.
    pub options: &'static [&'static str],
    /// Whether small faults that would make a difference are goals of its searches.
    pub weak_mutants: fn(&Options) -> bool,
    pub build: fn(&Options) -> Box<dyn Generator>,
}

const EVOLVE: &[&str] = &["style", "population", "generations", "no-purity", "no-local-search", "no-weak-mutants"];
const EXHAUSTIVE: &[&str] = &["iterations", "max-states", "state-technique", "keep-all"];
const SYMBOLIC_STATES: &[&str] = &[
    "compare-states",
    "call-share",
    "favour-uncovered",
    "concrete-parameters",
    "max-paths",
    "iterations",
    "max-states",
    "keep-all",
];
const CONCOLIC: &[&str] = &[
    "max-calls",
    "paths-per-call",
    "sequence-order",
    "criterion",
    "heap",
    "no-dataflow-check",
    "no-partial-order",
    "no-grouping",
    "no-influence-pruning",
    "no-state-merging",
    "no-nulls",
];

/// All techniques; the first is the default.
pub const TECHNIQUES: &[Technique] = &[
    Technique {
        name: "portfolio",
        help: "several techniques on one search",
        options: &[],
        weak_mutants: is_many_objective,
        build: portfolio,
    },
    Technique {
        name: "random",
        help: "directed random testing",
        options: &[],
        weak_mutants: never,
        build: |options| aided("random", Box::new(Random::default()), options),
    },
    Technique {
        name: "evolve",
        help: "tests bred towards what is not covered",
        options: EVOLVE,
        weak_mutants: is_many_objective,
        build: |options| match options.evolve.style {
            Style::ManyObjective => aided("evolve", evolve::style(options), options),
            Style::Gp => evolve::style(options),
        },
    },
    Technique {
        name: "mio",
        help: "tests improved for every goal by itself",
        options: &[],
        weak_mutants: never,
        build: |options| aided("mio", Box::new(Mio::default()), options),
    },
    Technique {
        name: "redirect",
        help: "tests turned at conditions",
        options: &[],
        weak_mutants: never,
        build: |options| aided("redirect", Box::new(Redirect::new(Some(Random::default()))), options),
    },
    Technique {
        name: "exhaustive",
        help: "every method in every state",
        options: EXHAUSTIVE,
        weak_mutants: never,
        build: |options| Box::new(Exhaustive::new(options)),
    },
    Technique {
        name: "symbolic-states",
        help: "every path from every state",
        options: SYMBOLIC_STATES,
        weak_mutants: never,
        build: |options| Box::new(SymbolicStates::new(options)),
    },
    Technique {
        name: "concolic",
        help: "arguments from a solver",
        options: CONCOLIC,
        weak_mutants: never,
        build: |options| Box::new(Concolic::new(options)),
    },
];

fn is_many_objective(options: &Options) -> bool {
    options.evolve.style == Style::ManyObjective
}

fn never(_: &Options) -> bool {
    false
}

/// All that can share a search; the first begins, and the others go on from what it found. Those that explore states
/// systematically are for who asks for them.
fn portfolio(options: &Options) -> Box<dyn Generator> {
    // Evolution begins with random testing and goes on gaining for longest; the others are for what it cannot do.
    let mut members = vec![
        Member::in_turn("evolve", 3.0, evolve::style(options)),
        Member::in_turn("random", 0.25, Box::new(Random::default())),
        Member::in_turn("variety", 1.5, Box::new(Variety::default())),
        Member::in_turn("redirect", 0.25, Box::new(Redirect::new(None))),
        Member::in_turn("concolic", 0.25, Box::new(Concolic::new(options))),
    ];
    // Trees know nothing of solving, as published.
    if options.solver && is_many_objective(options) {
        members.push(Member::beside("stuck", Box::new(Stuck::default())));
    }
    Box::new(Portfolio::new(members))
}

/// A technique alone, but for the solver, which is asked about branches that stay open unless the options say
/// otherwise.
fn aided(name: &'static str, generator: Box<dyn Generator>, options: &Options) -> Box<dyn Generator> {
    if !options.solver {
        return generator;
    }
    let stuck = Member::beside("stuck", Box::new(Stuck::default()));
    Box::new(Portfolio::new(vec![Member::in_turn(name, 1.0, generator), stuck]))
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no technique named \"{name}\"; there are: {}", names())]
pub struct UnknownTechnique {
    pub name: String,
}

fn names() -> String {
    TECHNIQUES.iter().map(|t| t.name).collect::<Vec<_>>().join(", ")
}

/// The row of this name.
pub fn technique(name: &str) -> Result<&'static Technique, UnknownTechnique> {
    TECHNIQUES.iter().find(|t| t.name == name).ok_or_else(|| UnknownTechnique { name: name.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_to_generators_and_wrong_ones_list_the_right_ones() {
        for row in TECHNIQUES {
            assert!(technique(row.name).is_ok_and(|found| found.help == row.help));
        }
        let problem = technique("randon").err().unwrap();
        assert_eq!(
            problem.to_string(),
            "there is no technique named \"randon\"; there are: portfolio, random, evolve, mio, redirect, exhaustive, symbolic-states, concolic"
        );
    }
}
