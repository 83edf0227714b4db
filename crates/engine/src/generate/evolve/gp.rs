//! Genetic programming as eCrash does it: for every method under test a population of strongly typed call trees, judged by the control flow nodes of the
//! method that their runs go through. Owns the order in which populations advance; all of them do so side by side, so that a JVM is never idle.

pub mod functions;
pub mod lessons;
pub mod nodes;
pub mod population;
pub mod tree;
pub mod weights;

use std::collections::{BTreeMap, VecDeque};

use testcase::execution::Execution;
use testcase::operation::{OpId, OperationKind};

use self::functions::FunctionSet;
use self::lessons::Lessons;
use self::nodes::Nodes;
use self::population::{Helpers, Material, Population};
use crate::generate::scratch::Scratch;
use crate::generate::{Evolved, Figures, Generator, Turn};
use crate::goal::MethodId;
use crate::options;
use crate::proposal::{Pending, Wanted};
use crate::rng::Rng;
use crate::search::{Delta, Proposal, Search, is_unanswered};

/// Generations in which nobody has to be run are passed over, up to so many at a time.
const PASSED_OVER: u32 = 64;

pub struct Gp {
    options: options::Gp,
    functions: FunctionSet,
    populations: Vec<Population>,
    prepared: bool,
    /// Individuals to be run: population and individual.
    queue: VecDeque<(usize, usize)>,
    /// The same, of which results are on their way.
    flying: Pending<(usize, usize)>,
    lessons: Lessons,
    /// Tests run so far.
    evaluations: u64,
    scratch: Scratch,
}

impl Gp {
    pub fn new(options: options::Gp) -> Gp {
        Gp {
            options,
            functions: FunctionSet::default(),
            populations: Vec::new(),
            prepared: false,
            queue: VecDeque::new(),
            flying: Pending::default(),
            lessons: Lessons::default(),
            evaluations: 0,
            scratch: Scratch::default(),
        }
    }

    /// One per method that can be tested.
    pub fn populations(&self) -> &[Population] {
        &self.populations
    }
    pub fn functions(&self) -> &FunctionSet {
        &self.functions
    }

    /// Of every member under test one operation; where a generic class offers several, the most general one, which comes last.
    fn members(search: &Search<'_>) -> Vec<(MethodId, OpId)> {
        let mut members: BTreeMap<MethodId, OpId> = BTreeMap::new();
        for &op in &search.targets {
            let calls = matches!(
                search.catalog.operation(op).kind,
                OperationKind::Call { .. } | OperationKind::Construct { .. }
            );
            if let (true, Some(method)) = (calls, search.catalog.facts(op).method) {
                members.insert(method, op);
            }
        }
        members.into_iter().collect()
    }

    /// Only the methods that pass are given a population; of the function set all members are part.
    pub fn prepare(&mut self, search: &mut Search<'_>, wanted: impl Fn(&Search<'_>, MethodId) -> bool) {
        self.prepared = true;
        let members = Gp::members(search);
        let ops: Vec<OpId> = members.iter().map(|(_, op)| *op).collect();
        self.functions = FunctionSet::new(search, &ops, self.options.purity);
        for (method, op) in members {
            if !wanted(search, method) || !self.functions.prepare(search, op) {
                continue;
            }
            let described = search.goals.method(method);
            let class = search.library.code().iter().find(|c| c.info.name == described.class);
            if let Some(nodes) = class.and_then(|c| Nodes::of(c, &described.name, &described.descriptor)) {
                let helpers = if self.options.helpers { helpers(search, method) } else { Helpers::default() };
                self.populations.push(Population::new(method, op, nodes, helpers, &self.options));
            }
        }
    }

    fn advance(&mut self, search: &mut Search<'_>, rng: &mut Rng) {
        for (n, population) in self.populations.iter_mut().enumerate() {
            for _ in 0..PASSED_OVER {
                if !population.is_evaluated() || population.is_done(&self.options) {
                    break;
                }
                let mut material =
                    Material { search, functions: &self.functions, lessons: &self.lessons, scratch: &mut self.scratch };
                let asked = population.advance(&mut material, &self.options, rng);
                self.queue.extend(asked.into_iter().map(|i| (n, i)));
            }
        }
    }
}

/// What a method leads to and no test can call by itself.
fn helpers(search: &Search<'_>, method: MethodId) -> Helpers {
    let mut helpers = Helpers::default();
    for &other in search.reaches[method.index()].iter().filter(|other| **other != method) {
        let described = search.goals.method(other);
        let class = search.library.code().iter().find(|c| c.info.name == described.class);
        if described.callable || &*described.name == "<clinit>" {
            continue;
        }
        if let Some(nodes) = class.and_then(|c| Nodes::of(c, &described.name, &described.descriptor)) {
            helpers.nodes.append(nodes);
            helpers.methods.push(other);
        }
    }
    helpers
}

impl Generator for Gp {
    fn propose(&mut self, search: &mut Search<'_>, rng: &mut Rng, n: usize, out: &mut Vec<Proposal>) -> Turn {
        if !self.prepared {
            self.prepare(search, |_, _| true);
        }
        if self.queue.len() < n {
            self.advance(search, rng);
        }
        // Trees are made of calls, not of values seen before.
        let detail = Wanted { all_probes: true, no_values: true, ..Wanted::default() };
        let from = out.len();
        for next in self.queue.drain(..n.min(self.queue.len())) {
            let proposal = search.offer(self.populations[next.0].sequence(next.1).clone(), detail);
            self.flying.insert(proposal.ticket, next);
            out.push(proposal);
        }
        match self.populations.iter().all(|p| p.is_done(&self.options)) {
            true if out.len() == from => Turn::Exhausted,
            _ => Turn::of_steps(out.len() > from, !self.flying.is_empty()),
        }
    }

    fn observe(&mut self, search: &Search<'_>, proposal: &Proposal, execution: &Execution, _: Delta) {
        let Some((population, individual)) = self.flying.take(proposal.ticket) else { return };
        self.evaluations += 1;
        if !is_unanswered(execution) {
            self.lessons.learn(&search.catalog, &proposal.sequence, execution);
        }
        self.populations[population].observe(individual, execution);
    }

    fn figures(&self) -> Figures {
        let generations = self.populations.iter().map(|p| u64::from(p.bred)).sum();
        let first = self.options.population * self.populations.len();
        let bred = self.evaluations.saturating_sub(first as u64);
        let evolved = Some(Evolved { generations, evaluations: self.evaluations, bred });
        Figures { evolved, ..Figures::default() }
    }
}
