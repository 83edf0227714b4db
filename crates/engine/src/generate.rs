//! Generators: small objects that propose sequences and learn from what came of them. Owns the trait; which techniques there are is the register's.

pub mod choice;
pub mod concolic;
mod effort;
pub mod evolve;
pub mod exhaustive;
pub mod figures;
mod kindred;
pub mod mio;
pub mod portfolio;
pub mod random;
pub mod redirect;
pub mod register;
mod relative;
pub mod scratch;
pub mod stuck;
pub mod symbolic_states;
pub mod variety;

use testcase::execution::Execution;
use testcase::executor::Watch;
use testcase::observed::Needs;
use testcase::sequence::Sequence;

pub use figures::{Evolved, Explored, Figures, Share};

use crate::rng::Rng;
use crate::search::{Delta, Proposal, Search};

/// What a generator answers when it is asked for proposals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// It can be asked again at once, whether or not it had something this time.
    Ready,
    /// It had nothing, and will have nothing before results of its proposals are back.
    Waiting,
    /// It had nothing and never will.
    Exhausted,
}

impl Turn {
    /// Of a generator that works in steps, each of which needs all results of the one before.
    pub fn of_steps(made: bool, waits: bool) -> Turn {
        if !made && waits { Turn::Waiting } else { Turn::Ready }
    }
}

/// Asked for proposals, told of results. All that it proposes is run, and the result comes back with the proposal's ticket.
pub trait Generator {
    /// Up to `n` sequences worth running, appended to `out`.
    fn propose(&mut self, search: &mut Search<'_>, rng: &mut Rng, n: usize, out: &mut Vec<Proposal>) -> Turn;
    /// What came of one of its own.
    fn observe(&mut self, search: &Search<'_>, proposal: &Proposal, execution: &Execution, delta: Delta);
    /// What came of somebody else's.
    fn overhear(&mut self, _: &Search<'_>, _: &Proposal, _: &Execution, _: Delta) {}
    /// What its own thinking cost since this was asked last: as many executions as would have taken the same time.
    fn effort(&mut self) -> u64 {
        0
    }
    /// What it has to see of the values of its proposals, besides what pruning needs.
    fn needs(&self) -> Needs {
        Needs::default()
    }
    /// The sites whose distances are to be measured from now on, if they are others than before. Asked after each proposing.
    fn watch(&mut self, _search: &Search<'_>) -> Option<Vec<Watch>> {
        None
    }
    /// What it did so far.
    fn figures(&self) -> Figures {
        Figures::default()
    }
    /// Tests it would deliver itself, whatever goals they cover.
    fn tests(&self, _: &Search<'_>) -> Vec<Sequence> {
        Vec::new()
    }
}
