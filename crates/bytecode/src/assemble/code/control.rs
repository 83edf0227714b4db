//! Jumps, switches, returns and handlers. Owns their instructions; labels and the distances between them are the
//! emitter's.

use super::value::kind_of;
use super::{Code, Condition, Fixup, Handler, Label};
use crate::assemble::put_u32;
use crate::instruction::opcode as op;

impl Code<'_> {
    pub fn goto(&mut self, label: Label) {
        self.effect(0, 0);
        self.jump(op::GOTO, label);
        self.reachable = false;
    }

    pub fn jump_if(&mut self, condition: Condition, label: Label) {
        self.effect(condition.pops(), 0);
        self.jump(condition.opcode(), label);
    }

    fn jump(&mut self, opcode: u8, label: Label) {
        let from = self.bytes.len();
        self.target(label);
        self.bytes.extend([opcode, 0, 0]);
        self.fixups.push(Fixup { store: from + 1, from, label, wide: false });
    }

    /// Cases `low`, `low + 1`, …; anything else goes to `default`.
    pub fn table_switch(&mut self, low: i32, cases: &[Label], default: Label) {
        let from = self.start_switch(op::TABLESWITCH, default);
        let high = i64::from(low) + cases.len() as i64 - 1;
        if cases.is_empty() || high > i64::from(i32::MAX) {
            self.bad_switch();
        }
        self.bytes.extend(low.to_be_bytes());
        self.bytes.extend((high as i32).to_be_bytes());
        for &case in cases {
            self.wide_offset(from, case);
        }
        self.reachable = false;
    }

    /// Keys in ascending order.
    pub fn lookup_switch(&mut self, cases: &[(i32, Label)], default: Label) {
        let from = self.start_switch(op::LOOKUPSWITCH, default);
        if !cases.is_sorted_by(|a, b| a.0 < b.0) {
            self.bad_switch();
        }
        put_u32(&mut self.bytes, cases.len() as u32);
        for &(key, label) in cases {
            self.bytes.extend(key.to_be_bytes());
            self.wide_offset(from, label);
        }
        self.reachable = false;
    }

    fn start_switch(&mut self, opcode: u8, default: Label) -> usize {
        self.effect(1, 0);
        let from = self.bytes.len();
        self.bytes.push(opcode);
        while !self.bytes.len().is_multiple_of(4) {
            self.bytes.push(0);
        }
        self.wide_offset(from, default);
        from
    }

    fn wide_offset(&mut self, from: usize, label: Label) {
        self.target(label);
        self.fixups.push(Fixup { store: self.bytes.len(), from, label, wide: true });
        put_u32(&mut self.bytes, 0);
    }

    pub fn return_void(&mut self) {
        self.leave(op::RETURN, 0);
    }

    /// Returns the value of that type on top of the stack; `"V"` returns nothing.
    pub fn return_value(&mut self, descriptor: &str) {
        if descriptor == "V" {
            return self.return_void();
        }
        let kind = kind_of(descriptor);
        self.leave(op::IRETURN + kind as u8, kind.width());
    }

    pub fn throw(&mut self) {
        self.leave(op::ATHROW, 1);
    }

    fn leave(&mut self, opcode: u8, pops: usize) {
        self.bytes.push(opcode);
        self.effect(pops, 0);
        self.reachable = false;
    }

    /// What is thrown between `start` and `end` and is a `catch` (`None`: anything) continues at `handler` (made by
    /// [`Code::handler_label`]). Handlers are searched in the order given.
    pub fn handle(&mut self, start: Label, end: Label, catch: Option<&str>, handler: Label) {
        let catch = catch.map_or(0, |class| self.pool.class(class));
        self.places[handler.0].target = true;
        self.handlers.push(Handler { start, end, handler, catch });
    }
}
