//! Trying a suite of which tests were taken out: edit the sources, compile, run. Owns the memory of the last run; judges nothing.

use std::collections::BTreeSet;

use engine::state::digest::Digester;
use testcase::observed::{Needs, TestMethod};

use crate::failure::Failure;
use crate::minimize::deliver::Edition;
use crate::minimize::restore::{Trial, Tried};
use crate::minimize::rewrite::Rewriter;
use crate::minimize::seen::{Place, Seen};
use crate::observe::source_tree::{SourceTree, is_compiled};
use crate::observe::{Observed, Stage, Suite};

pub struct SourceTrial<'a> {
    stage: &'a Stage<'a>,
    tree: &'a SourceTree,
    rewriter: Rewriter<'a>,
    /// As it was compiled before: resources may lie there, and tests in other languages.
    whole: Suite,
}

impl<'a> SourceTrial<'a> {
    /// `whole`: the suite that the sources belong to, as it was observed.
    pub fn new(
        stage: &'a Stage<'a>,
        whole: &Suite,
        tree: &'a SourceTree,
        observed: &Observed,
    ) -> Result<SourceTrial<'a>, Failure> {
        let runs = observed.digest.runs.iter();
        let places = runs.map(|r| Place { class: r.class.clone(), method: r.method.clone() }).collect();
        let rewriter = Rewriter::new(stage, whole, tree, places)?;
        Ok(SourceTrial { stage, tree, rewriter, whole: whole.clone() })
    }

    /// Those of `tests` that stand in the sources, and the others.
    pub fn removable(&self, tests: &BTreeSet<TestMethod>) -> (BTreeSet<TestMethod>, Vec<TestMethod>) {
        let (known, unknown): (BTreeSet<_>, BTreeSet<_>) = tests.iter().cloned().partition(|t| self.rewriter.knows(t));
        (known, unknown.into_iter().collect())
    }

    /// Helpers that nobody needs without these tests. They stay.
    pub fn idle(&self, removed: &BTreeSet<TestMethod>) -> Vec<String> {
        self.rewriter.idle(removed)
    }

    pub fn edition(&self, removed: &BTreeSet<TestMethod>) -> Edition {
        self.rewriter.without(removed)
    }
}

impl Trial for SourceTrial<'_> {
    fn run(&mut self, removed: &BTreeSet<TestMethod>) -> Result<Tried, Failure> {
        let mut files = self.edition(removed).apply(self.tree);
        files.retain(|path, _| is_compiled(path));
        match self.stage.compile(&files, "trial", &self.whole.compiled)? {
            Err(messages) => Ok(Tried::Refused(messages)),
            Ok(mut suite) => {
                let elsewhere = self.whole.classes.iter().filter(|class| !self.rewriter.owns(class));
                suite.classes.extend(elsewhere.cloned());
                suite.classes.sort();
                suite.classes.dedup();
                let observed = self.stage.observe(&suite, Needs::default(), &mut Digester::new(None))?;
                let seen = Seen::of(&observed.digest, &|p| observed.counts(p));
                Ok(if observed.report.cut_short { Tried::CutShort(seen) } else { Tried::Ran(seen) })
            }
        }
    }
}
