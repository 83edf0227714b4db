//! Copying code with insertions: new positions of every instruction, jumps and switches that follow, trampolines at the
//! end of the code or, in long methods, in islands between instructions. Owns positions only; tables and frames are
//! mapped by others from what it recorded. Knows nothing of probes.

use super::frames::ExtraFrame;
use crate::instruction::{Instruction, Operand, opcode as op};
use std::collections::BTreeSet;

const NOWHERE: u32 = u32::MAX;

/// In long methods trampolines are placed at the first opportunity this far behind their branch.
const ISLAND_DISTANCE: usize = 8_000;

/// How far the first, straightforward attempt had to be changed. The default is: nothing widened, trampolines at the
/// end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Stretch {
    /// Jumps (by pc) that need 32 bits: `goto_w`, `jsr_w`, or a conditional jump through a trampoline.
    wide: BTreeSet<u32>,
    /// Trampolines go into islands.
    islands: bool,
}

/// The new code cannot be laid out this way.
#[derive(Clone, Debug)]
pub(super) enum Misfit {
    /// Try again with this.
    Stretch(Stretch),
    /// No way to reach a target with 16 bits.
    TooFar,
    TooLarge(usize),
}

/// Where a jump goes.
#[derive(Clone, Copy)]
enum Target {
    Pc(u32),
    Trampoline(u32),
}

struct Fixup {
    /// Position of the offset to fill in.
    at: u32,
    /// Position of the jump's opcode, which the offset counts from.
    origin: u32,
    wide: bool,
    target: Target,
    /// The jump in the old code; `NOWHERE` for the jump of a trampoline.
    pc: u32,
}

/// A piece of code that ends in a jump to `target`.
#[derive(Clone, Debug)]
pub(super) struct Trampoline {
    /// Old pc it finally goes to.
    pub target: u32,
    /// Where it is in the new code.
    pub position: u32,
    body: std::ops::Range<u32>,
    /// Position of the branch that goes here.
    source: u32,
}

/// Where exceptions of a stretch of code go that nothing else catches. All are positions in the new code.
#[derive(Clone, Copy, Debug)]
pub(super) struct Landing {
    pub start: u32,
    pub end: u32,
    pub position: u32,
}

pub(super) struct Relocation<'a> {
    code: &'a [u8],
    pub out: Vec<u8>,
    /// By old pc: where jumps to it go, in front of what was inserted before the instruction.
    labels: Vec<u32>,
    /// By old pc: where the instruction itself is.
    positions: Vec<u32>,
    fixups: Vec<Fixup>,
    trampolines: Vec<Trampoline>,
    /// Trampolines from here on are not placed yet.
    unplaced: usize,
    bodies: Vec<u8>,
    landings: Vec<(Landing, Vec<u8>, ExtraFrame)>,
    /// New ranges of islands in the middle of the code.
    islands: Vec<(u32, u32)>,
    extra_frames: Vec<ExtraFrame>,
    stretch: Stretch,
}

impl<'a> Relocation<'a> {
    pub fn new(code: &'a [u8], stretch: Stretch) -> Relocation<'a> {
        Relocation {
            code,
            out: Vec::with_capacity(code.len() * 3),
            labels: vec![NOWHERE; code.len() + 1],
            positions: vec![NOWHERE; code.len() + 1],
            fixups: Vec::new(),
            trampolines: Vec::new(),
            unplaced: 0,
            bodies: Vec::new(),
            landings: Vec::new(),
            islands: Vec::new(),
            extra_frames: Vec::new(),
            stretch,
        }
    }

    fn here(&self) -> u32 {
        // Far below 4 GiB: the old code is at most 64 KiB and insertions are a few bytes each.
        self.out.len() as u32
    }

    /// From here on output belongs to this instruction: what is inserted now also runs after a jump to it.
    pub fn begin(&mut self, instruction: &Instruction<'a>) {
        self.labels[instruction.pc as usize] = self.here();
    }

    /// Jumps among inserted code come here, where the old code had no frame of its own.
    pub fn frame_here(&mut self, mut frame: ExtraFrame) {
        frame.position = self.here();
        self.extra_frames.push(frame);
    }

    /// Copies an instruction; its jumps keep their targets.
    pub fn copy(&mut self, instruction: &Instruction<'a>) {
        let origin = self.here();
        self.positions[instruction.pc as usize] = origin;
        let pc = instruction.pc as usize;
        match instruction.operand {
            Operand::Jump(target) if self.stretch.wide.contains(&instruction.pc) => match instruction.opcode {
                op::GOTO | op::JSR => {
                    let wide = if instruction.opcode == op::GOTO { op::GOTO_W } else { op::JSR_W };
                    self.jump(wide, instruction.pc, Target::Pc(target));
                }
                opcode => {
                    let t = self.trampoline(target, &[]);
                    self.jump(opcode, instruction.pc, Target::Trampoline(t));
                }
            },
            Operand::Jump(target) => self.jump(instruction.opcode, instruction.pc, Target::Pc(target)),
            Operand::Switch(_) => self.copy_switch(instruction, Target::Pc),
            _ => self.out.extend_from_slice(&self.code[pc..pc + instruction.length as usize]),
        }
        self.offer_island(instruction);
    }

    /// Puts other bytes, without jumps, in the place of an instruction.
    pub fn replace(&mut self, instruction: &Instruction<'a>, bytes: &[u8]) {
        self.positions[instruction.pc as usize] = self.here();
        self.out.extend_from_slice(bytes);
    }

    /// Copies a conditional jump so that it goes through a trampoline.
    pub fn copy_branch_via(&mut self, instruction: &Instruction<'a>, trampoline: u32) {
        self.positions[instruction.pc as usize] = self.here();
        self.jump(instruction.opcode, instruction.pc, Target::Trampoline(trampoline));
    }

    /// Copies a switch so that each of its targets is reached through the trampoline `via` names.
    pub fn copy_switch_via(&mut self, instruction: &Instruction<'a>, via: impl Fn(u32) -> u32) {
        self.positions[instruction.pc as usize] = self.here();
        self.copy_switch(instruction, |target| Target::Trampoline(via(target)));
        self.offer_island(instruction);
    }

    /// A new trampoline for a branch that is copied next.
    pub fn trampoline(&mut self, target: u32, body: &[u8]) -> u32 {
        let start = self.bodies.len() as u32;
        self.bodies.extend_from_slice(body);
        let body = start..self.bodies.len() as u32;
        self.trampolines.push(Trampoline { target, position: NOWHERE, body, source: self.here() });
        (self.trampolines.len() - 1) as u32
    }

    /// What is thrown from here on, and not caught, gets to a piece of code, without jumps, behind everything else.
    /// `frame` is that code's.
    pub fn land_from_here(&mut self, code: Vec<u8>, frame: ExtraFrame) {
        let landing = Landing { start: self.here(), end: NOWHERE, position: NOWHERE };
        self.landings.push((landing, code, frame));
    }

    /// What is thrown from here on goes to its old handlers.
    pub fn land_no_more(&mut self) {
        let end = self.here();
        if let Some((landing, ..)) = self.landings.last_mut() {
            landing.end = end;
        }
    }

    fn jump(&mut self, opcode: u8, pc: u32, target: Target) {
        let origin = self.here();
        let wide = matches!(opcode, op::GOTO_W | op::JSR_W);
        self.out.push(opcode);
        self.fixups.push(Fixup { at: origin + 1, origin, wide, target, pc });
        self.out.extend_from_slice(if wide { &[0; 4] } else { &[0; 2] });
    }

    fn copy_switch(&mut self, instruction: &Instruction<'a>, to: impl Fn(u32) -> Target) {
        let Operand::Switch(switch) = instruction.operand else {
            return;
        };
        let origin = self.here();
        let pc = instruction.pc as usize;
        self.out.push(instruction.opcode);
        let padding = 3 - (origin as usize & 3);
        if padding == 3 - (pc & 3) {
            self.out.extend_from_slice(&self.code[pc + 1..pc + 1 + padding]);
        } else {
            self.out.extend_from_slice(&[0; 3][..padding]);
        }
        let mut entry = |out: &mut Vec<u8>, target| {
            self.fixups.push(Fixup {
                at: out.len() as u32,
                origin,
                wide: true,
                target: to(target),
                pc: instruction.pc,
            });
            out.extend_from_slice(&[0; 4]);
        };
        entry(&mut self.out, switch.default_target());
        // Bounds or number of pairs stay as they were.
        let header = (pc & !3) + 8;
        let header_length = if switch.is_table() { 8 } else { 4 };
        self.out.extend_from_slice(&self.code[header..header + header_length]);
        for (key, target) in switch.cases() {
            if !switch.is_table() {
                self.out.extend_from_slice(&key.to_be_bytes());
            }
            entry(&mut self.out, target);
        }
    }

    fn offer_island(&mut self, behind: &Instruction<'a>) {
        if !self.stretch.islands || behind.falls_through() || behind.next_pc() as usize == self.code.len() {
            return;
        }
        if let Some(oldest) = self.trampolines.get(self.unplaced)
            && self.out.len() - oldest.source as usize > ISLAND_DISTANCE
        {
            let start = self.here();
            self.place_trampolines();
            self.islands.push((start, self.here()));
        }
    }

    fn place_trampolines(&mut self) {
        for n in self.unplaced..self.trampolines.len() {
            let position = self.here();
            let t = &mut self.trampolines[n];
            t.position = position;
            self.out.extend_from_slice(&self.bodies[t.body.start as usize..t.body.end as usize]);
            let target = t.target;
            let label = self.labels[target as usize];
            let near = label != NOWHERE && self.out.len() - (label as usize) < 0x8000;
            self.jump(if near { op::GOTO } else { op::GOTO_W }, NOWHERE, Target::Pc(target));
        }
        self.unplaced = self.trampolines.len();
    }

    /// Places what is left and fills in all jumps.
    pub fn finish(mut self) -> Result<Relocated, Misfit> {
        self.labels[self.code.len()] = self.here();
        self.positions[self.code.len()] = self.here();
        self.place_trampolines();
        let mut landings = Vec::with_capacity(self.landings.len());
        for (mut landing, code, frame) in std::mem::take(&mut self.landings) {
            landing.position = self.here();
            landing.end = landing.end.min(self.labels[self.code.len()]);
            self.frame_here(frame);
            self.out.extend(code);
            landings.push(landing);
        }
        if self.out.len() > 0xffff {
            return Err(Misfit::TooLarge(self.out.len()));
        }
        let mut stretch = None;
        for f in &self.fixups {
            let target = match f.target {
                Target::Pc(pc) => self.labels[pc as usize],
                Target::Trampoline(t) => self.trampolines[t as usize].position,
            };
            let offset = target.wrapping_sub(f.origin) as i32;
            let at = f.at as usize;
            if f.wide {
                self.out[at..at + 4].copy_from_slice(&offset.to_be_bytes());
            } else if let Ok(short) = i16::try_from(offset) {
                self.out[at..at + 2].copy_from_slice(&short.to_be_bytes());
            } else {
                let next: &mut Stretch = stretch.get_or_insert_with(|| self.stretch.clone());
                match f.target {
                    Target::Trampoline(_) => next.islands = true,
                    Target::Pc(_) => _ = next.wide.insert(f.pc),
                }
            }
        }
        match stretch {
            Some(stretch) if stretch == self.stretch => Err(Misfit::TooFar),
            Some(stretch) => Err(Misfit::Stretch(stretch)),
            None => Ok(Relocated {
                code: self.out,
                old_length: self.code.len(),
                labels: self.labels,
                positions: self.positions,
                trampolines: self.trampolines,
                landings,
                islands: self.islands,
                extra_frames: self.extra_frames,
            }),
        }
    }
}

/// The new code and where everything went.
pub(super) struct Relocated {
    pub code: Vec<u8>,
    old_length: usize,
    labels: Vec<u32>,
    positions: Vec<u32>,
    pub trampolines: Vec<Trampoline>,
    pub landings: Vec<Landing>,
    /// New ranges of trampolines in the middle of the code: no exception range may cover them.
    pub islands: Vec<(u32, u32)>,
    /// Frames for targets of inserted jumps, by position.
    pub extra_frames: Vec<ExtraFrame>,
}

impl Relocated {
    /// Nothing moved: every old pc is still right.
    pub fn is_identity(&self) -> bool {
        self.code.len() == self.old_length
            && self.positions.iter().enumerate().all(|(n, p)| *p == NOWHERE || *p as usize == n)
    }

    pub fn old_length(&self) -> u32 {
        // Code is at most 65,535 bytes.
        self.old_length as u32
    }

    /// Where jumps to an old pc go; `None` if no instruction starts there. The end of the old code has a label too.
    pub fn label(&self, pc: u32) -> Option<u16> {
        self.labels.get(pc as usize).filter(|l| **l != NOWHERE).map(|l| *l as u16)
    }

    /// Where the instruction that was at `pc` is.
    pub fn position(&self, pc: u32) -> Option<u16> {
        self.positions.get(pc as usize).filter(|l| **l != NOWHERE).map(|l| *l as u16)
    }

    /// The islands that lie between two positions.
    pub fn islands_within(&self, start: u16, end: u16) -> impl Iterator<Item = (u16, u16)> {
        // Positions are below 65,536 once the code has been laid out.
        let islands = self.islands.iter().map(|(from, to)| (*from as u16, *to as u16));
        islands.filter(move |(from, to)| start <= *from && *to <= end)
    }

    /// For debug tables, which may point anywhere: the label of `pc`, or the byte that now is where `pc` was in the
    /// middle of an instruction or behind the code.
    pub fn near(&self, pc: u32) -> u16 {
        if let Some(label) = self.label(pc) {
            return label;
        }
        let upto = (pc as usize).min(self.old_length);
        // The first instruction is at 0, so there is always one at or before `pc`.
        let start = (0..=upto).rev().find(|n| self.positions[*n] != NOWHERE).unwrap_or(0);
        let position = self.positions[start].saturating_add(pc - start as u32);
        position.min(u32::from(u16::MAX)) as u16
    }
}
