//! From instrumented code to the ways to its goals. Owns the mapping of edges between blocks to probes and of comparisons to slots.

use std::collections::{BTreeMap, BTreeSet};

use bytecode::analysis::{BlockId, Cfg, ControlDependence, Edge, Levels};
use bytecode::instruction::{Instruction, decode};
use bytecode::instrument::{Probe, ProbeKind, Relation, SiteKind};
use bytecode::raw::RawClass;
use smallvec::SmallVec;
use testcase::execution::SiteId;
use testcase::executor::{Outcomes, Watch};

use super::{Decision, Guide, Step, Way, strings};
use crate::goal::Goals;
use crate::target::PreparedClass;

/// Keys of one switch that are watched.
const MOST_KEYS: usize = 256;

pub(super) fn guide(classes: &[PreparedClass], goals: &Goals) -> Guide {
    let mut guide = Guide { ways: vec![None; goals.len()], ..Guide::default() };
    for class in classes {
        guide.probes = guide.probes.max(class.first_probe + class.probes.len() as u32);
        let Ok(raw) = RawClass::parse(&class.original) else { continue };
        let mut from = 0;
        while let Some(first) = class.probes.get(from) {
            let of_method = class.probes[from..].iter().take_while(|p| p.method == first.method).count();
            let range = from..from + of_method;
            from = range.end;
            method(&mut guide, class, &raw, range, goals);
        }
    }
    for way in guide.ways.iter_mut().flatten() {
        way.steps.sort_by_key(|s| (s.level, s.decision, s.edge));
        way.steps.dedup_by_key(|s| (s.decision, s.edge));
    }
    guide
}

/// What an edge of a decision is called and measured by.
#[derive(Clone, Debug, Default)]
struct EdgeFacts {
    decision: u32,
    probe: u32,
    slots: SmallVec<[u32; 1]>,
}

fn method(
    guide: &mut Guide,
    class: &PreparedClass,
    raw: &RawClass<'_>,
    range: std::ops::Range<usize>,
    goals: &Goals,
) -> Option<()> {
    let probes = &class.probes[range.clone()];
    let number = |at: usize| class.first_probe + (range.start + at) as u32;
    let index = probes.first()?.method;
    let code = raw.code(raw.methods.get(usize::from(index))?).ok()??;
    let cfg = Cfg::build(&code, &raw.pool).ok()?;
    let control = ControlDependence::of(&cfg);
    let instructions = decode(code.code, code.code_start).ok()?;
    let at_pc = |pc: u32| instructions.binary_search_by_key(&pc, |i| i.pc).ok().map(|n| &instructions[n]);
    let entry = probes.iter().position(|p| p.kind == ProbeKind::MethodEntry).map(number);
    let (mut slots, boundaries) = slots_of(guide, class, index, raw, &instructions);
    let mut decisions: BTreeMap<u32, u32> = BTreeMap::new();
    // Edges by the blocks they join.
    let mut edges: BTreeMap<Edge, Vec<EdgeFacts>> = BTreeMap::new();
    // Of each probe that is one: its edge.
    let mut edge_of: BTreeMap<usize, Edge> = BTreeMap::new();
    let mut at = 0;
    while at < probes.len() {
        let pc = probes[at].pc;
        if !is_edge(&probes[at]) {
            at += 1;
            continue;
        }
        let n = probes[at..].iter().take_while(|p| p.pc == pc && is_edge(p)).count();
        let decision = guide.decisions.len() as u32;
        guide.decisions.push(Decision { first_probe: number(at), edges: n as u32 });
        decisions.insert(pc, decision);
        if let (Some(from), Some(instruction)) = (cfg.block_at(pc), at_pc(pc)) {
            for (i, probe) in probes.iter().enumerate().skip(at).take(n) {
                let Some(to) = target(probe, instruction).and_then(|pc| cfg.block_at(pc)) else { continue };
                let edge = Edge { from, to };
                let measured = slots.remove(&(pc, (i - at) as u32)).unwrap_or_default();
                edges.entry(edge).or_default().push(EdgeFacts { decision, probe: number(i), slots: measured });
                edge_of.insert(i, edge);
            }
        }
        at += n;
    }
    for (i, probe) in probes.iter().enumerate() {
        let linked = goals.of_probe(testcase::execution::ProbeId(number(i)));
        let Some(block) = cfg.block_at(probe.pc).filter(|_| !linked.is_empty()) else { continue };
        let (levels, own) = match edge_of.get(&i) {
            Some(edge) => (control.levels_to(*edge), true),
            None => (control.levels_to_block(block), false),
        };
        let mut steps = steps(&cfg, &levels, &edges, own.then(|| number(i)));
        // On a boundary it is the comparison's turn once it is reached: how near its operands are.
        let boundary = boundaries.get(&probe.pc).filter(|_| probe.kind == ProbeKind::Infection { boundary: true });
        let boundary = boundary.zip(decisions.get(&probe.pc));
        if let Some((&slot, &decision)) = boundary {
            steps.iter_mut().for_each(|step| step.level += 1);
            let slots = SmallVec::from_slice(&[slot]);
            steps.push(Step { level: 0, decision, edge: number(i), slots });
        }
        for goal in linked {
            let way = guide.ways[goal.index()].get_or_insert_with(Way::default);
            way.goal.push(number(i));
            way.entries.extend(entry.filter(|e| !way.entries.contains(e)));
            let parent_level = u32::from(own || boundary.is_some());
            way.parents.extend(steps.iter().filter(|s| s.level == parent_level).map(|s| s.edge));
            way.steps.extend(steps.iter().cloned());
        }
    }
    Some(())
}

fn is_edge(probe: &Probe) -> bool {
    matches!(probe.kind, ProbeKind::BranchTaken | ProbeKind::BranchFallThrough | ProbeKind::SwitchCase { .. })
}

/// The pc behind an edge.
fn target(probe: &Probe, instruction: &Instruction<'_>) -> Option<u32> {
    match &probe.kind {
        ProbeKind::BranchTaken => instruction.jump_target(),
        ProbeKind::BranchFallThrough => Some(instruction.next_pc()),
        ProbeKind::SwitchCase { default: true, .. } => instruction.switch().map(|s| s.default_target()),
        ProbeKind::SwitchCase { keys, .. } => {
            let key = keys.first()?;
            instruction.switch()?.cases().find(|(k, _)| k == key).map(|(_, target)| target)
        }
        ProbeKind::MethodEntry | ProbeKind::Handler { .. } | ProbeKind::Line | ProbeKind::Infection { .. } => None,
    }
}

/// The edges on the way, level by level. Of the goal's own decision only its own edge counts, where two lead to the same block.
fn steps(cfg: &Cfg, levels: &Levels, edges: &BTreeMap<Edge, Vec<EdgeFacts>>, own: Option<u32>) -> Vec<Step> {
    let mut steps = Vec::new();
    for block in (0..cfg.blocks.len() as u32).map(BlockId) {
        let (Some(level), Some(edge)) = (levels.at(block), levels.toward(block)) else { continue };
        for facts in edges.get(&edge).into_iter().flatten() {
            if level == 0 && own.is_some_and(|own| own != facts.probe) {
                continue;
            }
            steps.push(Step { level, decision: facts.decision, edge: facts.probe, slots: facts.slots.clone() });
        }
    }
    steps
}

/// Slots by pc of the branch or switch and number of the edge.
type Slots = BTreeMap<(u32, u32), SmallVec<[u32; 1]>>;

/// New slots for the comparisons of a method; and, by pc, those for the operands of branches being equal, where that is a goal.
fn slots_of(
    guide: &mut Guide,
    class: &PreparedClass,
    method: u16,
    raw: &RawClass<'_>,
    instructions: &[Instruction<'_>],
) -> (Slots, BTreeMap<u32, u32>) {
    let mut slots = Slots::new();
    let at_boundary = |p: &&Probe| p.method == method && matches!(p.kind, ProbeKind::Infection { boundary: true });
    let boundary_pcs: BTreeSet<u32> = class.probes.iter().filter(at_boundary).map(|p| p.pc).collect();
    let mut boundaries = BTreeMap::new();
    let cases = |pc: u32| {
        let here = class.probes.iter().filter(move |p| (p.method, p.pc) == (method, pc));
        here.filter_map(|p| match &p.kind {
            ProbeKind::SwitchCase { keys, .. } => Some(keys.as_slice()),
            _ => None,
        })
    };
    let over_strings = strings::switches(raw, instructions);
    let watch = |guide: &mut Guide, site: usize, outcomes: Outcomes| {
        let first_slot = guide.slots;
        guide.slots += outcomes.slots();
        let site = SiteId(class.first_site + site as u32);
        guide.watches.push(Watch { site, first_slot, outcomes });
        first_slot
    };
    let mut of_branch: BTreeMap<u32, usize> = BTreeMap::new();
    for (i, site) in class.sites.iter().enumerate().filter(|(_, s)| s.method == method) {
        match (&site.kind, &site.branch) {
            (SiteKind::Switch, _) => {
                if over_strings.iter().any(|s| s.hash_switch == site.pc || s.index_switch == Some(site.pc)) {
                    continue;
                }
                let all: Vec<i32> = cases(site.pc).flatten().copied().take(MOST_KEYS).collect();
                if all.is_empty() {
                    continue;
                }
                let mut next = watch(guide, i, Outcomes::Keys(all.clone()));
                let end = next + all.len() as u32;
                for (edge, keys) in cases(site.pc).enumerate() {
                    let here = (next + keys.len() as u32).min(end);
                    if here > next {
                        slots.entry((site.pc, edge as u32)).or_default().extend(next..here);
                    }
                    next = here;
                }
            }
            (SiteKind::StringSwitch, _) => {
                let Some(found) = over_strings.iter().find(|s| s.hash_pc == site.pc) else { continue };
                let texts = found.cases.iter().map(|c| c.text.clone()).collect();
                let first = watch(guide, i, Outcomes::Strings(texts));
                for (n, case) in found.cases.iter().enumerate() {
                    let slot = first + n as u32;
                    let of_hash = cases(found.hash_switch).position(|keys| keys.contains(&case.hash));
                    let of_index = found.index_switch.zip(case.index).and_then(|(pc, index)| {
                        cases(pc).position(|keys| keys.contains(&index)).map(|edge| (pc, edge))
                    });
                    for (pc, edge) in of_hash.map(|e| (found.hash_switch, e)).into_iter().chain(of_index) {
                        slots.entry((pc, edge as u32)).or_default().push(slot);
                    }
                }
            }
            (kind, Some(branch)) => {
                let Some(probes) = branch.probes else { continue };
                // A graded comparison tells more than its result.
                let pc = class.probes[probes.taken as usize].pc;
                if !of_branch.contains_key(&pc) || *kind != SiteKind::IntZero {
                    of_branch.insert(pc, i);
                }
            }
            _ => {}
        }
    }
    for (pc, i) in of_branch {
        let Some(branch) = class.sites[i].branch else { continue };
        let first = watch(guide, i, Outcomes::Branch(branch.taken_if));
        slots.insert((pc, 0), SmallVec::from_slice(&[first]));
        slots.insert((pc, 1), SmallVec::from_slice(&[first + 1]));
        if boundary_pcs.contains(&pc) {
            boundaries.insert(pc, watch(guide, i, Outcomes::Branch(Relation::Equal)));
        }
    }
    (slots, boundaries)
}
