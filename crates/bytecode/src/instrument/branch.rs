//! Branches and switches: operands reported in front, a probe on each edge. Owns which probe and site belongs to which
//! edge.

use super::draft::Draft;
use super::hooks::{Call, Hook};
use super::insert::Place;
use super::method::Pass;
use super::report::{BranchProbes, ProbeKind, Relation, SiteBranch, SiteKind, SkipReason};
use crate::instruction::{Instruction, opcode as op};
use rustc_hash::FxHashMap;

impl<'a> Pass<'a, '_> {
    pub(super) fn branch(
        &mut self,
        draft: &mut Draft<'a>,
        place: Place,
        i: &Instruction<'a>,
        previous: Option<&Instruction<'a>>,
        feeding: Option<usize>,
    ) -> Result<(), SkipReason> {
        let mut site = None;
        match i.opcode {
            op::IFEQ..=op::IFLE => {
                site = feeding;
                if self.plan.operands && !previous.is_some_and(|p| self.is_plain_truth(p)) {
                    draft.relocation.out.push(op::DUP);
                    site = Some(self.site(&mut draft.relocation.out, place, SiteKind::IntZero)?);
                    self.call(draft, Hook::IntCompareZero, 2)?;
                }
            }
            op::IF_ICMPEQ..=op::IF_ICMPLE if self.plan.operands => {
                draft.relocation.out.push(op::DUP2);
                site = Some(self.site(&mut draft.relocation.out, place, SiteKind::Int)?);
                self.call(draft, Hook::IntCompare, 3)?;
            }
            _ => {}
        }
        let mut probes = None;
        if let (true, Some(target)) = (self.plan.edges, i.jump_target()) {
            let taken = self.probes.len() as u32;
            let body = self.probe(place, ProbeKind::BranchTaken)?;
            let t = draft.relocation.trampoline(target, &body);
            draft.relocation.copy_branch_via(i, t);
            self.probe_here(draft, place, ProbeKind::BranchFallThrough)?;
            probes = Some(BranchProbes { taken, fall_through: taken + 1 });
        } else {
            draft.relocation.copy(i);
        }
        if let (Some(site), Some(taken_if)) = (site, relation(i.opcode)) {
            // The first branch on a result is the one it feeds: an int result may be tested by its own site again.
            self.sites[site].branch = Some(SiteBranch { taken_if, probes });
            if let Some(source) = feeding {
                self.sites[source].branch = Some(SiteBranch { taken_if, probes });
            }
        }
        Ok(())
    }

    /// The value the instruction leaves is a truth value or the result of a comparison: zero says nothing about it.
    fn is_plain_truth(&mut self, i: &Instruction<'a>) -> bool {
        match i.opcode {
            op::LCMP..=op::DCMPG | op::INSTANCEOF => true,
            op::INVOKEVIRTUAL..=op::INVOKEINTERFACE => {
                match self.hooks.call(i.constant().unwrap_or(0), &self.class.pool) {
                    Call::Boolean => true,
                    Call::Reported(_, kind) => {
                        !matches!(kind, SiteKind::StringCompareTo | SiteKind::StringIndexOf | SiteKind::StringSwitch)
                    }
                    Call::Redirected(index) => self.plan.redirects[usize::from(index)].descriptor.ends_with(")Z"),
                    Call::Other => false,
                }
            }
            _ => false,
        }
    }

    pub(super) fn switch(
        &mut self,
        draft: &mut Draft<'a>,
        place: Place,
        i: &Instruction<'a>,
    ) -> Result<(), SkipReason> {
        let (true, Some(switch)) = (self.plan.edges, i.switch()) else {
            draft.relocation.copy(i);
            return Ok(());
        };
        let default = switch.default_target();
        let mut targets: Vec<(u32, Vec<i32>)> = vec![(default, Vec::new())];
        let mut of_target: FxHashMap<u32, u32> = FxHashMap::default();
        of_target.insert(default, 0);
        for (key, target) in switch.cases() {
            let n = *of_target.entry(target).or_insert_with(|| {
                targets.push((target, Vec::new()));
                (targets.len() - 1) as u32
            });
            if n != 0 || !switch.is_table() {
                targets[n as usize].1.push(key);
            }
        }
        let mut first = None;
        for (n, (target, keys)) in targets.into_iter().enumerate() {
            let body = self.probe(place, ProbeKind::SwitchCase { keys, default: n == 0 })?;
            let t = draft.relocation.trampoline(target, &body);
            first.get_or_insert(t);
        }
        // The trampolines were made one after the other.
        let first = first.unwrap_or(0);
        draft.relocation.copy_switch_via(i, |target| first + of_target[&target]);
        draft.note(3);
        Ok(())
    }
}

fn relation(opcode: u8) -> Option<Relation> {
    Some(match opcode {
        op::IFEQ | op::IF_ICMPEQ => Relation::Equal,
        op::IFNE | op::IF_ICMPNE => Relation::NotEqual,
        op::IFLT | op::IF_ICMPLT => Relation::Less,
        op::IFGE | op::IF_ICMPGE => Relation::GreaterOrEqual,
        op::IFGT | op::IF_ICMPGT => Relation::Greater,
        op::IFLE | op::IF_ICMPLE => Relation::LessOrEqual,
        _ => return None,
    })
}
