//! What single tests do to mutants, and what follows for the mutants once it is known which tests are delivered. Owns that conclusion; runs nothing.

use testcase::assertion::TestCase;

use super::analyse::{Analysis, By, Fate};
use super::prepare::Faulty;

/// What one test does to mutants, as far as was looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Witness {
    /// Numbers of the sites it reaches.
    pub sites: Vec<u32>,
    /// Mutants it notices, by index, with the assertions any of which does so; none is needed if none is listed.
    pub kills: Vec<(u32, Vec<u16>)>,
}

impl Witness {
    /// The same for what became of the test: it does what it did, but may have lost assertions.
    pub fn of_what_is_left(&self, test: &TestCase, left: &TestCase) -> Witness {
        let kept = |a: &u16| left.assertions.contains(&test.assertions[usize::from(*a)]);
        let kills = self.kills.iter().filter(|(_, needs)| needs.is_empty() || needs.iter().any(kept));
        Witness { sites: self.sites.clone(), kills: kills.cloned().collect() }
    }
}

/// What each of so many tests does, with all its assertions.
pub fn witnesses(analysis: &Analysis, tests: usize) -> Vec<Witness> {
    let sites = |t: usize| analysis.reached[t].iter().map(|(_, site)| *site).collect();
    let mut all: Vec<Witness> = (0..tests).map(|t| Witness { sites: sites(t), kills: Vec::new() }).collect();
    for (mutant, kills) in analysis.kills.iter().enumerate() {
        for kill in kills {
            let needs = match &kill.by {
                By::Statement(_) => Vec::new(),
                By::Assertions(assertions) => assertions.clone(),
            };
            all[kill.test as usize].kills.push((mutant as u32, needs));
        }
    }
    all
}

/// What became of the mutants, by what these tests do to them. Not every test may have been run against every mutant: one that only a test that is
/// missing here was seen to notice counts as alive.
pub fn fates<'a>(faulty: &Faulty, analysis: &Analysis, tests: impl Iterator<Item = &'a Witness>) -> Vec<Fate> {
    let mut killed = vec![false; faulty.mutants.len()];
    let mut reached = vec![false; faulty.numbers as usize];
    for witness in tests {
        for (mutant, _) in &witness.kills {
            killed[*mutant as usize] = true;
        }
        for site in &witness.sites {
            reached[*site as usize] = true;
        }
    }
    let fate = |i: usize| match analysis.fates[i] {
        _ if killed[i] => Fate::Killed,
        Fate::Unmeasured => Fate::Unmeasured,
        Fate::Killed | Fate::Survived | Fate::Unreached if reached[faulty.mutants[i].site as usize] => Fate::Survived,
        Fate::Killed | Fate::Survived | Fate::Unreached => Fate::Unreached,
    };
    (0..faulty.mutants.len()).map(fate).collect()
}
