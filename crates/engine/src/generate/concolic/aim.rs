//! What is still to be covered, as places in code. Owns how far conditions are from uncovered branches: zero at the branch itself, more for each decision before it; and
//! which invokables lead to methods with something uncovered.

use bytecode::analysis::{Cfg, ControlDependence, Edge, Levels};
use bytecode::instruction::opcode as op;
use bytecode::instrument::ProbeKind;
use bytecode::raw::RawClass;
use rustc_hash::FxHashMap;
use symbolic::vm::{Check, Machine, MethodId, Site};
use testcase::execution::ProbeId;

use super::influence::Set;
use super::invokable::Invokable;
use super::tree::Open;
use crate::goal::Goals;
use crate::search::Search;

/// Nothing to be won.
pub const NOWHERE: u32 = 100;
/// Outside the classes under test.
const ELSEWHERE: u32 = 60;
/// A place of the classes under test, no better than others.
pub const SOMEWHERE: u32 = 40;

/// A way out of a branch that is a goal.
#[derive(Debug)]
struct Target {
    edge: Edge,
    probe: ProbeId,
}

/// A method under test.
#[derive(Debug)]
struct Code {
    cfg: Cfg,
    dependence: ControlDependence,
    targets: Vec<Target>,
    /// Branches by pc: where the jump goes, and whether it is taken if the machine's condition does not hold.
    branches: FxHashMap<u16, (Edge, Edge, bool)>,
    /// The ways to what is uncovered; made anew when something was covered.
    levels: Option<(u64, Vec<Levels>)>,
}

#[derive(Debug, Default)]
pub struct Aim {
    codes: FxHashMap<(String, String, String), usize>,
    list: Vec<Code>,
    known: FxHashMap<MethodId, Option<usize>>,
    /// Answers, and when they were given.
    answers: FxHashMap<(Site, bool), u32>,
    generation: u64,
}

impl Aim {
    pub fn of(search: &Search<'_>) -> Aim {
        let mut aim = Aim::default();
        for class in search.library.code() {
            let Ok(raw) = RawClass::parse(&class.original) else { continue };
            for (at, method) in class.info.methods.iter().enumerate() {
                let Some(Ok(Some(body))) = raw.methods.get(at).map(|m| raw.code(m)) else { continue };
                let Ok(cfg) = Cfg::build(&body, &raw.pool) else { continue };
                let mut code = Code {
                    dependence: ControlDependence::of(&cfg),
                    cfg,
                    targets: Vec::new(),
                    branches: FxHashMap::default(),
                    levels: None,
                };
                for (number, probe) in class.probes.iter().enumerate().filter(|(_, p)| usize::from(p.method) == at) {
                    let Some((fall, jump)) = code.ways(probe.pc) else { continue };
                    let edge = match probe.kind {
                        ProbeKind::BranchTaken => jump,
                        ProbeKind::BranchFallThrough => fall,
                        _ => continue,
                    };
                    code.targets.push(Target { edge, probe: ProbeId(class.first_probe + number as u32) });
                    let opcode = body.code.get(probe.pc as usize).copied().unwrap_or(0);
                    code.branches.insert(probe.pc as u16, (fall, jump, is_inverted(opcode)));
                }
                let name = class.info.name.internal().to_owned();
                aim.codes.insert((name, method.name.clone(), method.raw_descriptor.clone()), aim.list.len());
                aim.list.push(code);
            }
        }
        aim
    }

    /// How many decisions lie between the open side and something uncovered; the smaller the better.
    pub fn distance(&mut self, machine: &Machine, goals: &Goals, generation: u64, open: &Open) -> u32 {
        if std::mem::replace(&mut self.generation, generation) != generation {
            self.answers.clear();
        }
        if let Some(known) = self.answers.get(&(open.site, open.side)) {
            return *known;
        }
        let found = self.measure(machine, goals, generation, open);
        self.answers.insert((open.site, open.side), found);
        found
    }

    fn measure(&mut self, machine: &Machine, goals: &Goals, generation: u64, open: &Open) -> u32 {
        let codes = &self.codes;
        let known = *self.known.entry(open.site.method).or_insert_with(|| {
            let (class, name, descriptor) = machine.method_parts(open.site.method);
            codes.get(&(class.to_owned(), name.to_owned(), descriptor.to_owned())).copied()
        });
        let Some(code) = known.map(|at| &mut self.list[at]) else {
            return if open.site.check == Check::Pinned { NOWHERE } else { ELSEWHERE };
        };
        let Some(&(fall, jump, inverted)) = code.branches.get(&open.site.pc) else {
            return if open.site.check == Check::Pinned { NOWHERE } else { SOMEWHERE };
        };
        let edge = if open.side != inverted { jump } else { fall };
        let mut best = SOMEWHERE + 1;
        for levels in code.levels(goals, generation) {
            if let (Some(level), Some(toward)) = (levels.at(edge.from), levels.toward(edge.from)) {
                // A step back is no way forward.
                let right = toward == edge;
                best = best.min(if right { level.min(SOMEWHERE - 1) } else { SOMEWHERE });
            }
        }
        best
    }
}

impl Code {
    /// Both ways out of the branch at this place: on, and away.
    fn ways(&self, pc: u32) -> Option<(Edge, Edge)> {
        let from = self.cfg.block_at(pc)?;
        let successors = &self.cfg.block(from).successors;
        let (first, last) = (*successors.first()?, *successors.last()?);
        Some((Edge { from, to: first }, Edge { from, to: last }))
    }

    fn levels(&mut self, goals: &Goals, generation: u64) -> &[Levels] {
        let fresh = self.levels.as_ref().is_some_and(|(at, _)| *at == generation);
        if !fresh {
            let open = self.targets.iter().filter(|t| goals.of_probe(t.probe).iter().any(|&g| !goals.is_covered(g)));
            let levels = open.map(|t| self.dependence.levels_to(t.edge)).collect();
            self.levels = Some((generation, levels));
        }
        self.levels.as_ref().map_or(&[], |(_, levels)| levels)
    }
}

/// The machine writes conditions as equal, less or greater: the opposites are taken when they do not hold.
fn is_inverted(opcode: u8) -> bool {
    matches!(opcode, op::IFNE | op::IFGE | op::IFLE | op::IF_ICMPNE | op::IF_ICMPGE | op::IF_ICMPLE)
}

/// Invokables that lead to a method with something uncovered.
pub fn goals(search: &Search<'_>, invokables: &[Invokable]) -> Set {
    let mut found = Set::default();
    for (at, invokable) in invokables.iter().enumerate() {
        let also = &search.catalog.facts(invokable.op).also;
        let open = |m: &crate::goal::MethodId| {
            search.reaches[m.index()].iter().any(|&reached| search.goals.uncovered_in(reached) > 0)
        };
        if invokable.method.iter().chain(also).any(open) {
            found.insert(at);
        }
    }
    found
}

/// Invokables under test.
pub fn all(invokables: &[Invokable]) -> Set {
    let mut found = Set::default();
    for (at, _) in invokables.iter().enumerate().filter(|(_, i)| i.under_test && i.method.is_some()) {
        found.insert(at);
    }
    found
}
