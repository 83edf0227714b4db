//! The walk over a method's instructions that decides what is inserted where, following the plan. Owns the order of
//! insertions; branches and the bytes inserted belong to its neighbours.

use super::hooks::{Call, Hook, Hooks};
use super::insert::Place;
use super::method::{Method, Pass};
use super::monitor::Construction;
use super::relocate::{Relocation, Stretch};
use super::report::{ProbeKind, SiteKind, SkipReason};
use crate::instruction::{Instruction, opcode as op};
use crate::names::ClassName;

/// The new code of a method before its tables are made.
pub(super) struct Draft<'a> {
    pub relocation: Relocation<'a>,
    /// Handlers that are entered through a trampoline: pc and trampoline.
    pub handler_entries: Vec<(u32, u32)>,
    pub extra_stack: u16,
    pub edited: bool,
    /// A switch follows the current instruction, and is reached from nowhere else.
    before_switch: bool,
}

impl Draft<'_> {
    /// Something was inserted that needs this many stack slots more.
    pub fn note(&mut self, stack: u16) {
        self.edited = true;
        self.extra_stack = self.extra_stack.max(stack);
    }
}

impl<'a> Pass<'a, '_> {
    pub(super) fn draft(&mut self, method: &Method<'a, '_>, stretch: Stretch) -> Result<Draft<'a>, SkipReason> {
        let mut draft = Draft {
            relocation: Relocation::new(method.code.code, stretch),
            handler_entries: Vec::new(),
            extra_stack: 0,
            edited: false,
            before_switch: false,
        };
        self.enter(method, &mut draft)?;
        let mut lines = method.lines.iter().peekable();
        let mut handlers = method.handlers.iter().peekable();
        let mut line = None;
        let mut previous: Option<&Instruction<'a>> = None;
        // The site the instruction before made, whose result is now on top of the stack.
        let mut result_of = None;
        for (n, i) in method.instructions.iter().enumerate() {
            draft.before_switch = method.instructions.get(n + 1).is_some_and(|next| {
                matches!(next.opcode, op::TABLESWITCH | op::LOOKUPSWITCH) && !method.is_target[next.pc as usize]
            });
            draft.relocation.begin(i);
            let mut starts_line = false;
            while let Some((pc, number)) = lines.next_if(|(pc, _)| *pc <= i.pc) {
                line = Some(*number);
                starts_line |= *pc == i.pc;
            }
            let place = Place { method: method.index, pc: i.pc, line };
            let is_target = method.is_target[i.pc as usize];
            if let Some((_, catch_type)) = handlers.next_if(|(pc, _)| *pc == i.pc)
                && self.plan.edges
            {
                let also_reached_otherwise = is_target || previous.is_none_or(Instruction::falls_through);
                self.handler_probe(&mut draft, place, *catch_type, also_reached_otherwise)?;
            }
            if starts_line && self.plan.lines {
                self.probe_here(&mut draft, place, ProbeKind::Line)?;
            }
            if self.plan.steps && jumps_backward(i) {
                self.call(&mut draft, Hook::Step, 0)?;
            }
            self.observe(&mut draft, method, i)?;
            if self.plan.reaches.is_some() {
                self.reach(&mut draft, i)?;
            }
            if self.plan.infections {
                self.infect(&mut draft, place, i)?;
            }
            let direct = if is_target { None } else { previous };
            let feeding = if is_target { None } else { result_of };
            result_of = self.instruction(&mut draft, method, place, i, direct, feeding)?;
            if let Some(observed) = &method.observed
                && method.construction == Construction::Calls(i.pc)
            {
                self.constructed(observed, &mut draft)?;
            }
            previous = Some(i);
        }
        Ok(draft)
    }

    /// Code that runs once per call, before everything that jumps can reach.
    fn enter(&mut self, method: &Method<'a, '_>, draft: &mut Draft<'a>) -> Result<(), SkipReason> {
        if self.plan.init_hooks && method.is_class_initializer {
            self.push(&mut draft.relocation.out, self.plan.class_index)?;
            self.call(draft, Hook::InitStart, 1)?;
        }
        if let Some(observed) = &method.observed {
            self.enter_call(observed, draft)?;
        }
        if self.plan.edges {
            let line = method.lines.iter().take_while(|(pc, _)| *pc == 0).last().map(|(_, line)| *line);
            self.probe_here(draft, Place { method: method.index, pc: 0, line }, ProbeKind::MethodEntry)?;
        }
        if self.plan.steps {
            self.call(draft, Hook::Step, 0)?;
        }
        Ok(())
    }

    fn reach(&mut self, draft: &mut Draft<'a>, i: &Instruction<'a>) -> Result<(), SkipReason> {
        let constant = i.constant().unwrap_or(0);
        match i.opcode {
            // A constructor's receiver cannot be looked at yet; rules do not ask for it.
            op::INVOKEVIRTUAL | op::INVOKEINTERFACE | op::INVOKESPECIAL => self.mark(draft, constant, true)?,
            op::INVOKESTATIC => self.mark(draft, constant, false)?,
            op::INVOKEDYNAMIC => self.mark_handles(draft, constant)?,
            _ => {}
        }
        Ok(())
    }

    fn handler_probe(
        &mut self,
        draft: &mut Draft<'a>,
        place: Place,
        catch_type: u16,
        also_reached_otherwise: bool,
    ) -> Result<(), SkipReason> {
        let catch_type = self.class.pool.optional_class(catch_type)?.map(|name| ClassName::new(name.lossy()));
        let kind = ProbeKind::Handler { catch_type };
        if also_reached_otherwise {
            let body = self.probe(place, kind)?;
            let t = draft.relocation.trampoline(place.pc, &body);
            draft.handler_entries.push((place.pc, t));
            draft.note(3);
        } else {
            self.probe_here(draft, place, kind)?;
        }
        Ok(())
    }

    /// The instruction itself with what belongs right before and after it. Gives the site whose result it leaves on the
    /// stack.
    fn instruction(
        &mut self,
        draft: &mut Draft<'a>,
        method: &Method<'a, '_>,
        place: Place,
        i: &Instruction<'a>,
        previous: Option<&Instruction<'a>>,
        feeding: Option<usize>,
    ) -> Result<Option<usize>, SkipReason> {
        match i.opcode {
            op::IFEQ..=op::IF_ACMPNE | op::IFNULL | op::IFNONNULL => {
                self.branch(draft, place, i, previous, feeding)?;
            }
            op::TABLESWITCH | op::LOOKUPSWITCH => {
                if self.plan.operands {
                    draft.relocation.out.push(op::DUP);
                    self.site(&mut draft.relocation.out, place, SiteKind::Switch)?;
                    self.call(draft, Hook::Switch, 2)?;
                }
                self.switch(draft, place, i)?;
            }
            op::LCMP..=op::DCMPG if self.plan.operands => {
                let (hook, kind) = match i.opcode {
                    op::LCMP => (Hook::LongCompare, SiteKind::Long),
                    op::FCMPL => (Hook::FloatCompareLess, SiteKind::FloatLess),
                    op::FCMPG => (Hook::FloatCompareGreater, SiteKind::FloatGreater),
                    op::DCMPL => (Hook::DoubleCompareLess, SiteKind::DoubleLess),
                    _ => (Hook::DoubleCompareGreater, SiteKind::DoubleGreater),
                };
                return self.stand_in(draft, place, i, hook, kind).map(Some);
            }
            op::INVOKEVIRTUAL | op::INVOKESTATIC | op::INVOKEINTERFACE => {
                let call = self.hooks.call(i.constant().unwrap_or(0), &self.class.pool);
                if let Some(index) = self.hooks.redirect_of(call, i.opcode) {
                    let [a, b] = self.hooks.redirect(index, &mut self.constants)?.to_be_bytes();
                    draft.relocation.replace(i, &[op::INVOKESTATIC, a, b]);
                    draft.note(0);
                } else if let Call::Reported(hook, kind) = call
                    && Hooks::is_reported_by(hook, i.opcode)
                    && self.plan.operands
                    && (kind != SiteKind::StringSwitch || draft.before_switch)
                {
                    return self.stand_in(draft, place, i, hook, kind).map(Some);
                } else {
                    draft.relocation.copy(i);
                }
            }
            op::IRETURN..=op::RETURN if self.plan.init_hooks && method.is_class_initializer => {
                self.push(&mut draft.relocation.out, self.plan.class_index)?;
                self.call(draft, Hook::InitEnd, 1)?;
                draft.relocation.copy(i);
            }
            _ => draft.relocation.copy(i),
        }
        Ok(None)
    }

    /// Calls a hook in the place of an instruction, with the site as the last argument.
    fn stand_in(
        &mut self,
        draft: &mut Draft<'a>,
        place: Place,
        i: &Instruction<'a>,
        hook: Hook,
        kind: SiteKind,
    ) -> Result<usize, SkipReason> {
        let mut bytes = Vec::with_capacity(6);
        let site = self.site(&mut bytes, place, kind)?;
        bytes.push(op::INVOKESTATIC);
        bytes.extend(self.hooks.member(hook, &mut self.constants)?.to_be_bytes());
        draft.relocation.replace(i, &bytes);
        draft.note(1);
        Ok(site)
    }
}

fn jumps_backward(i: &Instruction<'_>) -> bool {
    let mut backward = false;
    i.for_each_target(|t| backward |= t <= i.pc);
    backward
}
