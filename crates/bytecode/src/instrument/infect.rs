//! Probes for weak mutants: what an instruction works on is shown to `Infection` beside the hooks, which marks the
//! probe if a small fault of the instruction would have made a difference there. Owns which faults need more than being
//! reached; which faults there are is `mutate`'s to say. Never changes what the code does.

use super::constants::PoolFull;
use super::draft::Draft;
use super::insert::Place;
use super::method::Pass;
use super::report::ProbeKind;
use crate::instruction::{Instruction, opcode as op};
use crate::mutate::{Change, Returned};

/// What is shown: how it is copied, to which method, and how many probes that marks.
struct Shown {
    copy: &'static [u8],
    method: &'static str,
    descriptor: &'static str,
    probes: usize,
    boundary: bool,
}

const TOP: &[u8] = &[op::DUP];
const BOTH: &[u8] = &[op::DUP2];

const fn shown(copy: &'static [u8], method: &'static str, descriptor: &'static str) -> Option<Shown> {
    Some(Shown { copy, method, descriptor, probes: 1, boundary: false })
}

impl<'a> Pass<'a, '_> {
    /// In front of an instruction.
    pub(super) fn infect(&mut self, draft: &mut Draft<'a>, place: Place, i: &Instruction<'a>) -> Result<(), PoolFull> {
        let fault = self.faults.binary_search_by_key(&(place.method, place.pc), |fault| (fault.method, fault.pc));
        let Some(fault) = fault.ok().map(|at| &self.faults[at]).filter(|fault| !fault.initialiser) else {
            return Ok(());
        };
        let Some(shown) = of(&fault.change, i.opcode) else { return Ok(()) };
        let kind = ProbeKind::Infection { boundary: shown.boundary };
        let first = self.number(place, kind.clone());
        for _ in 1..shown.probes {
            self.number(place, kind.clone());
        }
        let out = &mut draft.relocation.out;
        out.extend_from_slice(shown.copy);
        self.push(out, first)?;
        let owner = format!("{}/Infection", self.plan.hooks.package());
        let method = self.constants.method(owner.as_bytes(), shown.method.as_bytes(), shown.descriptor.as_bytes())?;
        let [a, b] = method.to_be_bytes();
        out.extend([op::INVOKESTATIC, a, b]);
        draft.note(3);
        Ok(())
    }
}

/// What to show of an instruction; nothing if its faults show whenever it is reached.
fn of(change: &Change, opcode: u8) -> Option<Shown> {
    match change {
        Change::Condition => {
            let (copy, method, descriptor): (_, _, _) = match opcode {
                op::IFLT..=op::IFLE => (TOP, "zero", "(II)V"),
                op::IF_ICMPLT..=op::IF_ICMPLE => (BOTH, "equal", "(III)V"),
                _ => return None,
            };
            Some(Shown { copy, method, descriptor, probes: 1, boundary: true })
        }
        Change::Arithmetic => match opcode {
            op::IADD | op::ISUB | op::INEG | op::ISHL..=op::LUSHR => shown(TOP, "nonzero", "(II)V"),
            op::LADD | op::LSUB | op::LNEG | op::LAND | op::LOR | op::LXOR => shown(BOTH, "nonzero", "(JI)V"),
            op::FADD | op::FSUB => shown(TOP, "nonzero", "(FI)V"),
            op::DADD | op::DSUB => shown(BOTH, "nonzero", "(DI)V"),
            op::IMUL | op::IDIV | op::IREM => shown(TOP, "beyondOne", "(II)V"),
            op::LMUL | op::LDIV | op::LREM => shown(BOTH, "beyondOne", "(JI)V"),
            op::FMUL | op::FDIV | op::FREM => shown(TOP, "beyondOne", "(FI)V"),
            op::DMUL | op::DDIV | op::DREM => shown(BOTH, "beyondOne", "(DI)V"),
            op::IAND | op::IOR | op::IXOR => shown(BOTH, "unequal", "(III)V"),
            _ => None,
        },
        Change::Return(returned) => match (returned, opcode) {
            (Returned::Truth { boxed: false }, op::IRETURN) => {
                Some(Shown { copy: TOP, method: "truth", descriptor: "(II)V", probes: 2, boundary: false })
            }
            (Returned::Only { value: true, boxed: false }, op::IRETURN) => shown(TOP, "zero", "(II)V"),
            (_, op::IRETURN) => shown(TOP, "nonzero", "(II)V"),
            (_, op::LRETURN) => shown(BOTH, "nonzero", "(JI)V"),
            (_, op::FRETURN) => shown(TOP, "nonzero", "(FI)V"),
            (_, op::DRETURN) => shown(BOTH, "nonzero", "(DI)V"),
            (_, op::ARETURN) => shown(TOP, "filled", "(Ljava/lang/Object;I)V"),
            _ => None,
        },
        Change::Increment | Change::Constant(_) | Change::Removal => None,
    }
}
