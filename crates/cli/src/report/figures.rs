//! What techniques told of their work, as the report has it. Owns the translation; what the figures mean is the
//! techniques' business.

use engine::generate::{Evolved, Figures};

use super::{ClassReport, EvolvedReport};
use crate::from_tests;

impl ClassReport {
    /// Takes over everything that the techniques have to say.
    pub fn tell(&mut self, figures: Figures) {
        self.explored = figures.explored.map(from_tests::explored);
        self.evolved = figures.evolved.map(|Evolved { generations, evaluations, bred }| EvolvedReport {
            generations,
            evaluations,
            bred,
        });
        self.solver = figures.solved.filter(|solved| solved.tries > 0).as_ref().map(Into::into);
        self.shares = figures.shares.into_iter().map(Into::into).collect();
        self.notes.extend(figures.notes);
    }
}
