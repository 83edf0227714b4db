//! The bytes that are inserted: probes, site ids, hook calls. Owns numbering of probes and sites and the shortest way
//! to push an id.

use super::constants::PoolFull;
use super::draft::Draft;
use super::hooks::Hook;
use super::method::Pass;
use super::report::{Probe, ProbeKind, Site, SiteKind};
use crate::instruction::opcode as op;

/// Where a probe or site is in the old code.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub method: u16,
    pub pc: u32,
    pub line: Option<u16>,
}

impl<'a> Pass<'a, '_> {
    /// A new probe and the code that sets it.
    pub(super) fn probe(&mut self, place: Place, kind: ProbeKind) -> Result<Vec<u8>, PoolFull> {
        let mut bytes = Vec::with_capacity(8);
        self.write_probe(&mut bytes, place, kind)?;
        Ok(bytes)
    }

    pub(super) fn probe_here(&mut self, draft: &mut Draft<'a>, place: Place, kind: ProbeKind) -> Result<(), PoolFull> {
        self.write_probe(&mut draft.relocation.out, place, kind)?;
        draft.note(3);
        Ok(())
    }

    fn write_probe(&mut self, out: &mut Vec<u8>, place: Place, kind: ProbeKind) -> Result<(), PoolFull> {
        let id = self.number(place, kind);
        let [a, b] = self.hooks.member(Hook::Hit, &mut self.constants)?.to_be_bytes();
        out.extend([op::GETSTATIC, a, b]);
        self.push(out, id)?;
        out.extend([op::ICONST_1, op::BASTORE]);
        Ok(())
    }

    /// The id of a new probe that is set elsewhere.
    pub(super) fn number(&mut self, place: Place, kind: ProbeKind) -> u32 {
        let id = self.plan.first_probe.wrapping_add(self.probes.len() as u32);
        let Place { method, pc, line } = place;
        self.probes.push(Probe { method, pc, line, kind });
        id
    }

    /// A new site; the code that pushes its id goes to `out`.
    pub(super) fn site(&mut self, out: &mut Vec<u8>, place: Place, kind: SiteKind) -> Result<usize, PoolFull> {
        let id = self.plan.first_site.wrapping_add(self.sites.len() as u32);
        let Place { method, pc, line } = place;
        self.sites.push(Site { method, pc, line, kind, branch: None });
        self.push(out, id)?;
        Ok(self.sites.len() - 1)
    }

    pub(super) fn call(&mut self, draft: &mut Draft<'a>, hook: Hook, stack: u16) -> Result<(), PoolFull> {
        let [a, b] = self.hooks.member(hook, &mut self.constants)?.to_be_bytes();
        draft.relocation.out.extend([op::INVOKESTATIC, a, b]);
        draft.note(stack);
        Ok(())
    }

    /// The shortest code that pushes an id.
    pub(super) fn push(&mut self, out: &mut Vec<u8>, id: u32) -> Result<(), PoolFull> {
        match id {
            0..=5 => out.push(op::ICONST_0 + id as u8),
            6..=0x7f => out.extend([op::BIPUSH, id as u8]),
            0x80..=0x7fff => {
                let [a, b] = (id as u16).to_be_bytes();
                out.extend([op::SIPUSH, a, b]);
            }
            _ => match self.constants.integer(id as i32)?.to_be_bytes() {
                [0, index] => out.extend([op::LDC, index]),
                [a, b] => out.extend([op::LDC_W, a, b]),
            },
        }
        Ok(())
    }
}
