//! When two objects count as the same, and what follows for tests: techniques of state equivalence, redundant tests, comparison of suites. Owns the names of
//! the techniques; each part lives in a file below. Never runs anything.

pub mod assess;
pub mod classifier;
pub mod digest;
pub mod executions;
pub mod histories;
pub mod rebuild;
pub mod redundancy;

#[cfg(test)]
mod model;

use std::fmt;
use std::str::FromStr;

use testcase::observed::Needs;

/// What decides whether two objects are in equivalent states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Technique {
    /// All calls since an object was made.
    WholeSeq,
    /// The calls since an object was made that wrote something reachable from it.
    ModifyingSeq,
    /// Everything reachable from the object.
    #[default]
    WholeState,
    /// What `equals` reads of the object.
    MonitorEquals,
    /// `equals` itself.
    PairwiseEquals,
}

impl Technique {
    pub const ALL: [Technique; 5] = [
        Technique::WholeSeq,
        Technique::ModifyingSeq,
        Technique::WholeState,
        Technique::MonitorEquals,
        Technique::PairwiseEquals,
    ];

    /// As it is written on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Technique::WholeSeq => "whole-seq",
            Technique::ModifyingSeq => "modifying-seq",
            Technique::WholeState => "whole-state",
            Technique::MonitorEquals => "monitor-equals",
            Technique::PairwiseEquals => "pairwise-equals",
        }
    }

    /// What has to be observed for it. States are always among it: they stand in for whatever else is not known.
    pub fn needs(self) -> Needs {
        classifier::for_technique(self).needs()
    }
}

impl fmt::Display for Technique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no state technique named \"{name}\"; there are: {}", Technique::ALL.map(Technique::name).join(", "))]
pub struct UnknownStateTechnique {
    pub name: String,
}

impl FromStr for Technique {
    type Err = UnknownStateTechnique;

    fn from_str(name: &str) -> Result<Technique, UnknownStateTechnique> {
        let found = Technique::ALL.into_iter().find(|t| t.name() == name);
        found.ok_or_else(|| UnknownStateTechnique { name: name.to_owned() })
    }
}

/// One technique for receivers, one for arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Techniques {
    pub receiver: Technique,
    pub arguments: Technique,
}

impl Techniques {
    /// The same for both.
    pub fn both(technique: Technique) -> Techniques {
        Techniques { receiver: technique, arguments: technique }
    }

    pub fn needs(self) -> Needs {
        self.receiver.needs().and(self.arguments.needs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for technique in Technique::ALL {
            assert_eq!(technique.name().parse(), Ok(technique));
        }
        let problem = "wholestate".parse::<Technique>().unwrap_err();
        assert_eq!(
            problem.to_string(),
            "there is no state technique named \"wholestate\"; there are: whole-seq, modifying-seq, whole-state, monitor-equals, pairwise-equals"
        );
    }

    #[test]
    fn a_pair_needs_what_each_needs() {
        let needs = Techniques { receiver: Technique::ModifyingSeq, arguments: Technique::MonitorEquals }.needs();
        assert_eq!(needs, Needs { states: true, writes: true, equals_reads: true, equals_classes: false });
    }
}
