//! The body of a method being built: instructions, labels, handlers, stack depth. Owns the emitter and its checks.
//! Tracks how many slots are on the stack, not their types: the JVM's verifier has the last word on those.

mod control;
mod member;
mod value;

use super::frame::{Frame, Slot, write_table};
use super::op::{Condition, Op};
use super::{AssembleProblem, MAX_CODE, PoolBuilder, put_u16, put_u32};
use crate::access::Access;
use crate::names::MethodDescriptor;
use value::width_of;

/// A place in the code, to be bound once and jumped to from anywhere in the method that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label(usize);

#[derive(Debug)]
struct Place {
    at: Option<usize>,
    /// Slots on the stack where control falls into the bound label.
    fallen_into: Option<usize>,
    frame: Frame,
    /// A jump, switch or handler leads here, so a frame is due.
    target: bool,
}

#[derive(Clone, Copy, Debug)]
struct Fixup {
    /// Where the offset is stored and the instruction it counts from.
    store: usize,
    from: usize,
    label: Label,
    wide: bool,
}

#[derive(Clone, Copy, Debug)]
struct Handler {
    start: Label,
    end: Label,
    handler: Label,
    /// Pool index of the caught class, 0 for everything.
    catch: u16,
}

/// Emits one method's code. Types are given as descriptors (`"I"`, `"Ljava/lang/String;"`, `"[J"`), class operands as
/// internal names or, for arrays, descriptors.
#[derive(Debug)]
pub struct Code<'a> {
    pool: &'a mut PoolBuilder,
    method: &'a str,
    bytes: Vec<u8>,
    params: Vec<Slot>,
    param_slots: Vec<u16>,
    in_constructor: bool,
    places: Vec<Place>,
    fixups: Vec<Fixup>,
    handlers: Vec<Handler>,
    depth: usize,
    max_depth: usize,
    max_locals: usize,
    /// False behind `goto`, `athrow`, returns and switches until a label is bound.
    reachable: bool,
    problem: Option<AssembleProblem>,
}

impl<'a> Code<'a> {
    pub(super) fn new(
        pool: &'a mut PoolBuilder,
        class: &str,
        method: &'a str,
        descriptor: &str,
        access: u16,
    ) -> Code<'a> {
        let mut params = Vec::new();
        let mut param_slots = Vec::new();
        let mut next = 0usize;
        if access & Access::STATIC == 0 {
            params.push(Slot::Object(class.to_owned()));
            next = 1;
        }
        let mut problem = None;
        match MethodDescriptor::parse(descriptor) {
            Some(parsed) => {
                for param in &parsed.params {
                    param_slots.push(next as u16);
                    next += usize::from(param.width());
                    params.push(Slot::of(param));
                }
            }
            None => {
                problem = Some(AssembleProblem::BadDescriptor {
                    method: method.to_owned(),
                    descriptor: descriptor.to_owned(),
                });
            }
        }
        Code {
            pool,
            method,
            bytes: Vec::new(),
            params,
            param_slots,
            in_constructor: method == "<init>",
            places: Vec::new(),
            fixups: Vec::new(),
            handlers: Vec::new(),
            depth: 0,
            max_depth: 0,
            max_locals: next,
            reachable: true,
            problem,
        }
    }

    /// Bytes emitted so far: the position of the next instruction.
    pub fn position(&self) -> usize {
        self.bytes.len()
    }

    /// Whether control can come to the next instruction.
    pub fn reachable(&self) -> bool {
        self.reachable
    }

    /// Local-variable slot of the parameter with this index (the receiver not counted).
    /// An index the method does not have gives the first free slot.
    pub fn param_slot(&self, index: usize) -> u16 {
        self.param_slots.get(index).copied().unwrap_or(self.max_locals as u16)
    }

    /// A label where the stack is empty and the locals are the parameters.
    pub fn label(&mut self) -> Label {
        self.label_with(Frame::default())
    }

    /// A label with more local variables or values on the stack.
    pub fn label_with(&mut self, frame: Frame) -> Label {
        self.places.push(Place { at: None, fallen_into: None, frame, target: false });
        Label(self.places.len() - 1)
    }

    /// The label of an exception handler: the exception is the only value on the stack.
    pub fn handler_label(&mut self, caught: &str) -> Label {
        self.label_with(Frame { locals: Vec::new(), stack: vec![Slot::Object(caught.to_owned())] })
    }

    /// Puts the label here.
    pub fn bind(&mut self, label: Label) {
        let at = self.bytes.len();
        let expected = self.places[label.0].frame.stack_width();
        if self.reachable && self.places[label.0].target {
            self.expect_depth(expected);
        }
        let place = &mut self.places[label.0];
        if place.at.is_some() {
            let method = self.method.to_owned();
            self.keep(AssembleProblem::LabelBoundTwice { method, at });
            return;
        }
        place.at = Some(at);
        place.fallen_into = self.reachable.then_some(self.depth);
        if !self.reachable {
            self.depth = expected;
            self.max_depth = self.max_depth.max(expected);
            self.reachable = true;
        }
    }

    fn target(&mut self, label: Label) {
        let expected = self.places[label.0].frame.stack_width();
        let place = &mut self.places[label.0];
        place.target = true;
        // Behind a backward jump it is too late to see what fell into the label, so that was written down.
        if let (Some(at), Some(found)) = (place.at, place.fallen_into.filter(|depth| *depth != expected)) {
            let method = self.method.to_owned();
            self.keep(AssembleProblem::StackDepth { method, at, expected, found });
        }
        self.expect_depth(expected);
    }

    pub fn op(&mut self, op: Op) {
        self.bytes.push(op.opcode());
        self.effect(op.pops(), op.pushes());
    }

    pub fn dup(&mut self) {
        self.op(Op::Dup);
    }

    /// Drops one value of that type.
    pub fn pop(&mut self, descriptor: &str) {
        self.op(if width_of(descriptor) == 2 { Op::Pop2 } else { Op::Pop });
    }

    fn op_u16(&mut self, opcode: u8, operand: u16) {
        self.bytes.push(opcode);
        put_u16(&mut self.bytes, operand);
    }

    fn effect(&mut self, pops: usize, pushes: usize) {
        if !self.reachable {
            let (method, at) = (self.method.to_owned(), self.bytes.len());
            self.keep(AssembleProblem::StackDepth { method, at, expected: pops, found: 0 });
        }
        match self.depth.checked_sub(pops) {
            Some(rest) => self.depth = rest + pushes,
            None => {
                self.expect_depth(pops);
                self.depth = pushes;
            }
        }
        self.max_depth = self.max_depth.max(self.depth);
    }

    fn expect_depth(&mut self, expected: usize) {
        if self.depth != expected {
            let (method, at, found) = (self.method.to_owned(), self.bytes.len(), self.depth);
            self.keep(AssembleProblem::StackDepth { method, at, expected, found });
        }
    }

    fn bad_descriptor(&mut self, descriptor: &str) {
        let method = self.method.to_owned();
        self.keep(AssembleProblem::BadDescriptor { method, descriptor: descriptor.to_owned() });
    }

    fn bad_switch(&mut self) {
        let method = self.method.to_owned();
        self.keep(AssembleProblem::BadSwitch { method });
    }

    fn too_many(&mut self, what: &'static str, count: usize, limit: usize) {
        let method = self.method.to_owned();
        self.keep(AssembleProblem::TooMany { method, what, count, limit });
    }

    fn keep(&mut self, problem: AssembleProblem) {
        self.problem.get_or_insert(problem);
    }

    /// The body of the `Code` attribute.
    pub(super) fn finish(mut self) -> Result<Vec<u8>, AssembleProblem> {
        let length = self.bytes.len();
        if self.reachable {
            let method = self.method.to_owned();
            self.keep(AssembleProblem::FallsOffEnd { method, at: length });
        }
        if length > MAX_CODE {
            let method = self.method.to_owned();
            self.keep(AssembleProblem::CodeTooLong { method, length });
        }
        for (what, count) in [("the operand stack", self.max_depth), ("the local variables", self.max_locals)] {
            if count > 65_535 {
                self.too_many(what, count, 65_535);
            }
        }
        if self.handlers.len() > 65_535 {
            self.too_many("the exception table", self.handlers.len(), 65_535);
        }
        self.resolve_jumps();
        if let Some(problem) = self.problem {
            return Err(problem);
        }
        let mut out = Vec::with_capacity(length + 64);
        put_u16(&mut out, self.max_depth as u16);
        put_u16(&mut out, self.max_locals as u16);
        put_u32(&mut out, length as u32);
        out.extend_from_slice(&self.bytes);
        put_u16(&mut out, self.handlers.len() as u16);
        for handler in &self.handlers {
            for label in [handler.start, handler.end, handler.handler] {
                // An unbound label was a problem in `resolve_jumps`, so 0 is never written.
                put_u16(&mut out, self.places[label.0].at.unwrap_or(0) as u16);
            }
            put_u16(&mut out, handler.catch);
        }
        let mut frames: Vec<(usize, &Frame)> =
            self.places.iter().filter(|p| p.target).filter_map(|p| p.at.map(|at| (at, &p.frame))).collect();
        frames.sort_by_key(|(at, _)| *at);
        frames.dedup_by_key(|(at, _)| *at);
        if frames.is_empty() {
            put_u16(&mut out, 0);
        } else {
            let table = write_table(&frames, &self.params, !self.in_constructor, self.pool);
            put_u16(&mut out, 1);
            put_u16(&mut out, self.pool.utf8("StackMapTable"));
            put_u32(&mut out, table.len() as u32);
            out.extend_from_slice(&table);
        }
        Ok(out)
    }

    fn resolve_jumps(&mut self) {
        let unbound = |method: &str| AssembleProblem::UnboundLabel { method: method.to_owned() };
        for fixup in std::mem::take(&mut self.fixups) {
            let Some(at) = self.places[fixup.label.0].at else {
                self.keep(unbound(self.method));
                continue;
            };
            let distance = at as i64 - fixup.from as i64;
            if fixup.wide {
                self.bytes[fixup.store..fixup.store + 4].copy_from_slice(&(distance as i32).to_be_bytes());
            } else if let Ok(short) = i16::try_from(distance) {
                self.bytes[fixup.store..fixup.store + 2].copy_from_slice(&short.to_be_bytes());
            } else {
                let method = self.method.to_owned();
                self.keep(AssembleProblem::JumpTooFar { method, at: fixup.from, distance });
            }
        }
        let handlers = &self.handlers;
        if handlers.iter().any(|h| [h.start, h.end, h.handler].iter().any(|l| self.places[l.0].at.is_none())) {
            self.keep(unbound(self.method));
        }
    }
}
