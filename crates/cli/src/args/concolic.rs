//! Options of the technique `concolic`. Owns names, defaults and help; what they mean is the engine's.

use clap::{Args, ValueEnum};
use engine::generate::concolic::settings;
use engine::generate::concolic::settings::Representation;

/// How `concolic` goes about it.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Options of --technique concolic")]
pub struct Concolic {
    /// Calls in a sequence at most
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u8).range(1..=60))]
    pub max_calls: u8,

    /// Ways through one call behind one state at most
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..))]
    pub paths_per_call: u16,

    /// What comes first: `aimed` (what may cover something), `breadth` (all short sequences), `exhaustive` (the same in memory that does not grow)
    #[arg(long, value_name = "ORDER", default_value = "aimed")]
    pub sequence_order: SequenceOrder,

    /// Which ways become tests: those with a new branch, line or path; branches and the edges of comparisons; branches and arithmetic that overflows
    #[arg(long, value_name = "WHAT", default_value = "branch")]
    pub criterion: Criterion,

    /// What an array access at an unknown index means: `simulation` (that element alone), `reasoning` (any element that fits)
    #[arg(long, value_name = "HOW", default_value = "simulation")]
    pub heap: Heap,

    /// Also sequences whose calls cannot all be linked
    #[arg(long)]
    pub no_dataflow_check: bool,

    /// Also other orders of calls that do not matter to each other
    #[arg(long)]
    pub no_partial_order: bool,

    /// Explore every sequence from its beginning; only with `--sequence-order exhaustive`
    #[arg(long)]
    pub no_grouping: bool,

    /// Go on where a call turned out not to matter
    #[arg(long)]
    pub no_influence_pruning: bool,

    /// Go on from states that were reached before
    #[arg(long)]
    pub no_state_merging: bool,

    /// Never pass null
    #[arg(long)]
    pub no_nulls: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SequenceOrder {
    Aimed,
    Breadth,
    Exhaustive,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Criterion {
    Branch,
    Line,
    Path,
    Boundary,
    Overflow,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Heap {
    Simulation,
    Reasoning,
}

impl Concolic {
    /// As the engine takes them.
    pub fn settings(&self) -> settings::Concolic {
        settings::Concolic {
            calls: usize::from(self.max_calls),
            paths: usize::from(self.paths_per_call),
            order: match self.sequence_order {
                SequenceOrder::Aimed => settings::Order::Aimed,
                SequenceOrder::Breadth => settings::Order::Breadth,
                SequenceOrder::Exhaustive => settings::Order::Exhaustive,
            },
            criterion: match self.criterion {
                Criterion::Branch => settings::Criterion::Branch,
                Criterion::Line => settings::Criterion::Line,
                Criterion::Path => settings::Criterion::Path,
                Criterion::Boundary => settings::Criterion::Boundary,
                Criterion::Overflow => settings::Criterion::Overflow,
            },
            heap: match self.heap {
                Heap::Simulation => Representation::Simulation,
                Heap::Reasoning => Representation::Reasoning,
            },
            dataflow: !self.no_dataflow_check,
            partial_order: !self.no_partial_order,
            grouping: !self.no_grouping,
            prune: !self.no_influence_pruning,
            merge: !self.no_state_merging,
            nulls: !self.no_nulls,
            ..settings::Concolic::default()
        }
    }
}
