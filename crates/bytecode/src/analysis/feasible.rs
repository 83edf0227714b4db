//! Which paths through a method are possible at all, by ranges of numbers and by what must be null or cannot be. Owns
//! the walk over the method; claims impossibility only where it holds for all inputs, and claims nothing for code it
//! cannot follow.

mod frame;
mod value;

use std::collections::BTreeSet;

use super::body::{Body, Step};
use super::cfg::{Block, Cfg};
use crate::instruction::{Instruction, decode, opcode as op};
use crate::names::{FieldType, MethodDescriptor};
use crate::problem::Problem;
use crate::raw::{RawClass, RawCode, RawMember};
use frame::{After, Frame, Unclear, of_type};
use value::{ANY, Kind, NOWHERE, Relation, Value};

/// Visits of the head of a loop after which bounds that still grow are given up.
const PATIENCE: u32 = 6;

/// A way out of a jump or switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    Jump,
    FallThrough,
    Key(i32),
    /// By default, or by a key that leads to the same place.
    Default,
}

/// What can happen in a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feasible {
    /// Pcs of first instructions of blocks that can be reached, with the first pc behind each; `None`: nothing is
    /// known.
    reached: Option<Vec<(u32, u32)>>,
    ways: BTreeSet<(u32, Way)>,
}

impl Feasible {
    pub fn of(raw: &RawClass<'_>, method: &RawMember<'_>, code: &RawCode<'_>) -> Result<Feasible, Problem> {
        let unknown = Feasible { reached: None, ways: BTreeSet::new() };
        let body = Body::read(raw, code)?;
        let Some(descriptor) = MethodDescriptor::parse(&method.descriptor.lossy()) else { return Ok(unknown) };
        if body.has_subroutines {
            return Ok(unknown);
        }
        let cfg = Cfg::build(code, &raw.pool)?;
        let instructions = decode(code.code, code.code_start)?;
        let mut walk = Walk {
            raw,
            body: &body,
            cfg: &cfg,
            instructions: &instructions,
            frames: vec![None; cfg.blocks.len()],
            visits: vec![0; cfg.blocks.len()],
            heads: cfg.back_edges().iter().map(|(_, to)| to.0 as usize).collect(),
            waiting: BTreeSet::new(),
            ways: BTreeSet::new(),
        };
        let entry = entry(method, &descriptor, usize::from(body.max_locals));
        Ok(match entry.and_then(|entry| walk.run(entry)) {
            Ok(()) => walk.finish(),
            Err(Unclear) => unknown,
        })
    }

    /// Can the instruction at this pc be executed?
    pub fn reaches(&self, pc: u32) -> bool {
        match &self.reached {
            Some(reached) => reached.iter().any(|&(from, behind)| (from..behind).contains(&pc)),
            None => true,
        }
    }

    /// Can the jump or switch at this pc have this outcome?
    pub fn takes(&self, pc: u32, way: Way) -> bool {
        self.reached.is_none() || self.ways.contains(&(pc, way))
    }
}

/// Parameters as their types have them; `this` is never null.
fn entry(method: &RawMember<'_>, descriptor: &MethodDescriptor, locals: usize) -> Result<Frame, Unclear> {
    let mut words = Vec::with_capacity(locals);
    if !method.access.is_static() {
        words.push(Value { kind: Kind::NonNull, local: NOWHERE });
    }
    for param in &descriptor.params {
        words.push(Value { kind: of_type(param), local: NOWHERE });
        words.extend(std::iter::repeat_n(ANY, usize::from(FieldType::width(param)) - 1));
    }
    if words.len() > locals {
        return Err(Unclear);
    }
    words.resize(locals, ANY);
    Ok(Frame { locals: words, stack: Vec::new() })
}

struct Walk<'w, 'a> {
    raw: &'w RawClass<'a>,
    body: &'w Body,
    cfg: &'w Cfg,
    instructions: &'w [Instruction<'a>],
    frames: Vec<Option<Frame>>,
    visits: Vec<u32>,
    /// Where loops begin.
    heads: BTreeSet<usize>,
    waiting: BTreeSet<usize>,
    ways: BTreeSet<(u32, Way)>,
}

impl Walk<'_, '_> {
    fn run(&mut self, entry: Frame) -> Result<(), Unclear> {
        self.merge(0, entry)?;
        while let Some(at) = self.waiting.pop_first() {
            self.visits[at] += 1;
            // Only blocks with a frame wait.
            let Some(frame) = self.frames[at].clone() else { continue };
            self.visit(at, frame)?;
        }
        Ok(())
    }

    fn finish(self) -> Feasible {
        let blocks = self.cfg.blocks.iter().zip(&self.frames).filter(|(_, frame)| frame.is_some());
        Feasible { reached: Some(blocks.map(|(b, _)| (b.start, b.end)).collect()), ways: self.ways }
    }

    fn visit(&mut self, at: usize, mut frame: Frame) -> Result<(), Unclear> {
        let cfg = self.cfg;
        let block = &cfg.blocks[at];
        let first = self.instructions.partition_point(|i| i.pc < block.start);
        let behind = self.instructions.partition_point(|i| i.pc < block.end);
        let (instructions, body) = (self.instructions, self.body);
        for (i, step) in instructions[first..behind].iter().zip(&body.steps[first..behind]) {
            if !block.handlers.is_empty() && frame.may_throw(i, &self.raw.pool) {
                self.catch(block, &frame)?;
            }
            if i.is_conditional() || i.switch().is_some() {
                return self.decide(i, frame);
            }
            if !i.falls_through() && !matches!(i.opcode, op::GOTO | op::GOTO_W) {
                return Ok(());
            }
            if self.step(&mut frame, i, step)? == After::Ends {
                return Ok(());
            }
        }
        for next in &block.successors {
            self.merge(next.0 as usize, frame.clone())?;
        }
        Ok(())
    }

    fn step(&self, frame: &mut Frame, i: &Instruction<'_>, step: &Step) -> Result<After, Unclear> {
        if matches!(i.opcode, op::GOTO | op::GOTO_W) {
            return Ok(After::Goes);
        }
        frame.take(i, step, self.body, &self.raw.pool)
    }

    fn catch(&mut self, block: &Block, frame: &Frame) -> Result<(), Unclear> {
        for (handler, _) in &block.handlers {
            let caught = Value { kind: Kind::NonNull, local: NOWHERE };
            self.merge(handler.0 as usize, Frame { locals: frame.locals.clone(), stack: vec![caught] })?;
        }
        Ok(())
    }

    /// The ways out of a jump or switch that are possible, each with what is known on it.
    fn decide(&mut self, i: &Instruction<'_>, mut frame: Frame) -> Result<(), Unclear> {
        if let Some(switch) = i.switch() {
            let key = frame.pop()?;
            let mut left = Some(key.kind.range());
            for (case, target) in switch.cases() {
                let value = Value { kind: Kind::constant(case), local: NOWHERE };
                if let Some(taken) = frame.assume(Relation::Eq, key, value)? {
                    self.go(i.pc, Way::Key(case), target, taken)?;
                    if target == switch.default_target() {
                        self.ways.insert((i.pc, Way::Default));
                    }
                }
                left = left
                    .and_then(|(low, high)| Kind::Int(low, high).restrict(Relation::Ne, value.kind))
                    .map(Kind::range);
            }
            if let Some((low, high)) = left {
                let mut taken = frame.clone();
                taken.learn(key, Kind::Int(low, high))?;
                self.go(i.pc, Way::Default, switch.default_target(), taken)?;
            }
            return Ok(());
        }
        let Some(target) = i.jump_target() else { return Err(Unclear) };
        let (taken, fallen) = match i.opcode {
            op::IFNULL | op::IFNONNULL => {
                let value = frame.pop()?;
                let null = i.opcode == op::IFNULL;
                (frame.assume_null(value, null)?, frame.assume_null(value, !null)?)
            }
            op::IF_ACMPEQ | op::IF_ACMPNE => {
                let (b, a) = (frame.pop()?, frame.pop()?);
                let same = match (a.kind, b.kind) {
                    (Kind::Null, _) => frame.assume_null(b, true)?,
                    (_, Kind::Null) => frame.assume_null(a, true)?,
                    _ => Some(frame.clone()),
                };
                let differ = match (a.kind, b.kind) {
                    (Kind::Null, _) => frame.assume_null(b, false)?,
                    (_, Kind::Null) => frame.assume_null(a, false)?,
                    _ => Some(frame.clone()),
                };
                if i.opcode == op::IF_ACMPEQ { (same, differ) } else { (differ, same) }
            }
            opcode => {
                let zero = Value { kind: Kind::constant(0), local: NOWHERE };
                let (relation, b) = match opcode {
                    op::IFEQ..=op::IFLE => (opcode - op::IFEQ, zero),
                    _ => (opcode - op::IF_ICMPEQ, frame.pop()?),
                };
                let a = frame.pop()?;
                let relation = Relation::ALL[usize::from(relation)];
                (frame.assume(relation, a, b)?, frame.assume(relation.negated(), a, b)?)
            }
        };
        if let Some(taken) = taken {
            self.go(i.pc, Way::Jump, target, taken)?;
        }
        if let Some(fallen) = fallen {
            self.go(i.pc, Way::FallThrough, i.next_pc(), fallen)?;
        }
        Ok(())
    }

    fn go(&mut self, pc: u32, way: Way, target: u32, frame: Frame) -> Result<(), Unclear> {
        self.ways.insert((pc, way));
        let block = self.cfg.block_at(target).ok_or(Unclear)?;
        self.merge(block.0 as usize, frame)
    }

    fn merge(&mut self, at: usize, new: Frame) -> Result<(), Unclear> {
        let patient = self.visits[at] < PATIENCE || !self.heads.contains(&at);
        let Some(old) = &mut self.frames[at] else {
            self.frames[at] = Some(new);
            self.waiting.insert(at);
            return Ok(());
        };
        if old.stack.len() != new.stack.len() || old.locals.len() != new.locals.len() {
            return Err(Unclear);
        }
        let mut changed = false;
        let words = old.locals.iter_mut().chain(&mut old.stack);
        for (a, b) in words.zip(new.locals.iter().chain(&new.stack)) {
            let joined = Value {
                kind: widened(a.kind, a.kind.join(b.kind), patient),
                local: if a.local == b.local { a.local } else { NOWHERE },
            };
            changed |= joined != *a;
            *a = joined;
        }
        if changed {
            self.waiting.insert(at);
        }
        Ok(())
    }
}

/// Bounds that keep growing are given up, so that the walk ends.
fn widened(old: Kind, joined: Kind, patient: bool) -> Kind {
    match (old, joined) {
        (Kind::Int(a, b), Kind::Int(c, d)) if !patient => {
            Kind::Int(if c < a { i32::MIN } else { c }, if d > b { i32::MAX } else { d })
        }
        _ => joined,
    }
}
