//! One method: decides what is inserted where, following the plan, and puts the new `Code` attribute together. Owns probe and site
//! numbering; layout, frames and tables are done by its neighbours.

use super::constants::{NewConstants, PoolFull};
use super::frames::{Entry, Frames};
use super::hooks::{Call, Hook, Hooks};
use super::plan::Plan;
use super::relocate::{Misfit, Relocated, Relocation, Stretch};
use super::report::{
    BranchProbes, Probe, ProbeKind, Relation, Site, SiteBranch, SiteKind, SkipReason,
};
use super::tables;
use crate::instruction::{Instruction, decode, opcode as op};
use crate::names::ClassName;
use crate::problem::Problem;
use crate::raw::{RawClass, RawCode, RawMember};
use rustc_hash::FxHashMap;

/// What is shared by the methods of one class.
pub(super) struct Pass<'a, 'p> {
    pub class: &'p RawClass<'a>,
    pub plan: &'p Plan,
    pub constants: NewConstants,
    pub hooks: Hooks<'p>,
    pub probes: Vec<Probe>,
    pub sites: Vec<Site>,
}

/// A method under work.
struct Method<'a> {
    index: u16,
    code: RawCode<'a>,
    instructions: Vec<Instruction<'a>>,
    /// By pc: some instruction jumps here.
    is_target: Vec<bool>,
    /// `(pc, line)`, by pc.
    lines: Vec<(u32, u16)>,
    /// Handler entries by pc, with the first catch type (0: everything).
    handlers: Vec<(u32, u16)>,
    is_class_initializer: bool,
}

/// The new code of a method before its tables are made.
struct Draft<'a> {
    relocation: Relocation<'a>,
    /// Handlers that are entered through a trampoline: pc and trampoline.
    handler_entries: Vec<(u32, u32)>,
    extra_stack: u16,
    edited: bool,
}

impl<'a> Pass<'a, '_> {
    /// The content of the method's new `Code` attribute; `None` if the plan has nothing for it (and `always` is off).
    pub fn rewrite(
        &mut self,
        index: u16,
        member: &RawMember<'a>,
        code: RawCode<'a>,
        always: bool,
    ) -> Result<Option<Vec<u8>>, SkipReason> {
        let method = Method::new(self.class, index, member, code)?;
        let marks = (self.probes.len(), self.sites.len());
        let mut stretch = Stretch::default();
        loop {
            self.probes.truncate(marks.0);
            self.sites.truncate(marks.1);
            let draft = self.draft(&method, stretch);
            let finished = draft.and_then(|d| {
                if !d.edited && !always {
                    return Ok(None);
                }
                match d.relocation.finish() {
                    Ok(moved) => {
                        let content = self.assemble(
                            &method,
                            member,
                            moved,
                            &d.handler_entries,
                            d.extra_stack,
                        )?;
                        Ok(Some(Ok(content)))
                    }
                    Err(Misfit::Stretch(more)) => Ok(Some(Err(more))),
                    Err(Misfit::TooFar) => Err(SkipReason::BranchTooFar),
                    Err(Misfit::TooLarge(size)) => Err(SkipReason::CodeTooLarge { size }),
                }
            });
            match finished {
                Ok(Some(Ok(content))) => return Ok(Some(content)),
                Ok(Some(Err(more))) => stretch = more,
                Ok(None) => return Ok(None),
                Err(reason) => {
                    self.probes.truncate(marks.0);
                    self.sites.truncate(marks.1);
                    return Err(reason);
                }
            }
        }
    }

    fn draft(&mut self, method: &Method<'a>, stretch: Stretch) -> Result<Draft<'a>, SkipReason> {
        let mut draft = Draft {
            relocation: Relocation::new(method.code.code, stretch),
            handler_entries: Vec::new(),
            extra_stack: 0,
            edited: false,
        };
        self.enter(method, &mut draft)?;
        let mut lines = method.lines.iter().peekable();
        let mut handlers = method.handlers.iter().peekable();
        let mut line = None;
        let mut previous: Option<&Instruction<'a>> = None;
        // The site the instruction before made, whose result is now on top of the stack.
        let mut result_of = None;
        for i in &method.instructions {
            draft.relocation.begin(i);
            let mut starts_line = false;
            while let Some((pc, number)) = lines.next_if(|(pc, _)| *pc <= i.pc) {
                line = Some(*number);
                starts_line |= *pc == i.pc;
            }
            let place = Place {
                method: method.index,
                pc: i.pc,
                line,
            };
            let is_target = method.is_target[i.pc as usize];
            if let Some((_, catch_type)) = handlers.next_if(|(pc, _)| *pc == i.pc)
                && self.plan.edges
            {
                let also_reached_otherwise =
                    is_target || previous.is_none_or(Instruction::falls_through);
                self.handler_probe(&mut draft, place, *catch_type, also_reached_otherwise)?;
            }
            if starts_line && self.plan.lines {
                self.probe_here(&mut draft, place, ProbeKind::Line)?;
            }
            if self.plan.steps && jumps_backward(i) {
                self.call(&mut draft, Hook::Step, 0)?;
            }
            let direct = if is_target { None } else { previous };
            let feeding = if is_target { None } else { result_of };
            result_of = self.instruction(&mut draft, method, place, i, direct, feeding)?;
            previous = Some(i);
        }
        Ok(draft)
    }

    /// What runs once per call, in front of everything jumps can reach.
    fn enter(&mut self, method: &Method<'a>, draft: &mut Draft<'a>) -> Result<(), PoolFull> {
        if self.plan.init_hooks && method.is_class_initializer {
            self.push(&mut draft.relocation.out, self.plan.class_index)?;
            self.call(draft, Hook::InitStart, 1)?;
        }
        if self.plan.edges {
            let line = method
                .lines
                .iter()
                .take_while(|(pc, _)| *pc == 0)
                .last()
                .map(|(_, line)| *line);
            self.probe_here(
                draft,
                Place {
                    method: method.index,
                    pc: 0,
                    line,
                },
                ProbeKind::MethodEntry,
            )?;
        }
        if self.plan.steps {
            self.call(draft, Hook::Step, 0)?;
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
        let catch_type = self
            .class
            .pool
            .optional_class(catch_type)?
            .map(|name| ClassName::new(name.lossy()));
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

    /// The instruction itself with what belongs right before and after it. Gives the site whose result it leaves on the stack.
    fn instruction(
        &mut self,
        draft: &mut Draft<'a>,
        method: &Method<'a>,
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
                    let [a, b] = self
                        .hooks
                        .redirect(index, &mut self.constants)?
                        .to_be_bytes();
                    draft.relocation.replace(i, &[op::INVOKESTATIC, a, b]);
                    draft.note(0);
                } else if let Call::Reported(hook, kind) = call
                    && i.opcode == op::INVOKEVIRTUAL
                    && self.plan.operands
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

    fn branch(
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
            probes = Some(BranchProbes {
                taken,
                fall_through: taken + 1,
            });
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

    /// The value the instruction leaves is a truth value or the result of a comparison: zero tells nothing about it.
    fn is_plain_truth(&mut self, i: &Instruction<'a>) -> bool {
        match i.opcode {
            op::LCMP..=op::DCMPG | op::INSTANCEOF => true,
            op::INVOKEVIRTUAL..=op::INVOKEINTERFACE => {
                match self.hooks.call(i.constant().unwrap_or(0), &self.class.pool) {
                    Call::Boolean => true,
                    Call::Reported(_, kind) => {
                        !matches!(kind, SiteKind::StringCompareTo | SiteKind::StringIndexOf)
                    }
                    Call::Other | Call::Redirected(_) => false,
                }
            }
            _ => false,
        }
    }

    fn switch(
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
            let body = self.probe(
                place,
                ProbeKind::SwitchCase {
                    keys,
                    default: n == 0,
                },
            )?;
            let t = draft.relocation.trampoline(target, &body);
            first.get_or_insert(t);
        }
        // The trampolines were made one after the other.
        let first = first.unwrap_or(0);
        draft
            .relocation
            .copy_switch_via(i, |target| first + of_target[&target]);
        draft.note(3);
        Ok(())
    }

    /// A new probe and the code that sets it.
    fn probe(&mut self, place: Place, kind: ProbeKind) -> Result<Vec<u8>, PoolFull> {
        let mut bytes = Vec::with_capacity(8);
        self.write_probe(&mut bytes, place, kind)?;
        Ok(bytes)
    }

    fn probe_here(
        &mut self,
        draft: &mut Draft<'a>,
        place: Place,
        kind: ProbeKind,
    ) -> Result<(), PoolFull> {
        self.write_probe(&mut draft.relocation.out, place, kind)?;
        draft.note(3);
        Ok(())
    }

    fn write_probe(
        &mut self,
        out: &mut Vec<u8>,
        place: Place,
        kind: ProbeKind,
    ) -> Result<(), PoolFull> {
        let id = self.plan.first_probe.wrapping_add(self.probes.len() as u32);
        let Place { method, pc, line } = place;
        self.probes.push(Probe {
            method,
            pc,
            line,
            kind,
        });
        let [a, b] = self
            .hooks
            .member(Hook::Hit, &mut self.constants)?
            .to_be_bytes();
        out.extend([op::GETSTATIC, a, b]);
        self.push(out, id)?;
        out.extend([op::ICONST_1, op::BASTORE]);
        Ok(())
    }

    /// A new site; the code that pushes its id goes to `out`.
    fn site(&mut self, out: &mut Vec<u8>, place: Place, kind: SiteKind) -> Result<usize, PoolFull> {
        let id = self.plan.first_site.wrapping_add(self.sites.len() as u32);
        let Place { method, pc, line } = place;
        self.sites.push(Site {
            method,
            pc,
            line,
            kind,
            branch: None,
        });
        self.push(out, id)?;
        Ok(self.sites.len() - 1)
    }

    fn call(&mut self, draft: &mut Draft<'a>, hook: Hook, stack: u16) -> Result<(), PoolFull> {
        let [a, b] = self.hooks.member(hook, &mut self.constants)?.to_be_bytes();
        draft.relocation.out.extend([op::INVOKESTATIC, a, b]);
        draft.note(stack);
        Ok(())
    }

    /// The shortest code that pushes an id.
    fn push(&mut self, out: &mut Vec<u8>, id: u32) -> Result<(), PoolFull> {
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

    /// Puts the new `Code` attribute together.
    fn assemble(
        &mut self,
        method: &Method<'a>,
        member: &RawMember<'a>,
        moved: Relocated,
        handler_entries: &[(u32, u32)],
        extra_stack: u16,
    ) -> Result<Vec<u8>, SkipReason> {
        let old = &method.code;
        let entry_of = |pc: u16| {
            let n = handler_entries.iter().find(|(p, _)| *p == u32::from(pc))?.1;
            Some(moved.trampolines[n as usize].position)
        };
        let handlers = tables::move_handlers(&old.handlers, &moved, entry_of)?;
        let max_stack = old
            .max_stack
            .checked_add(extra_stack)
            .ok_or(SkipReason::StackTooDeep)?;
        let mut out = Vec::with_capacity(moved.code.len() * 2 + 32);
        // The layout has checked that the code is shorter than 64 KiB.
        out.extend(max_stack.to_be_bytes());
        out.extend(old.max_locals.to_be_bytes());
        out.extend((moved.code.len() as u32).to_be_bytes());
        out.extend_from_slice(&moved.code);
        out.extend((handlers.rows.len() as u16).to_be_bytes());
        for h in &handlers.rows {
            for field in [h.start_pc, h.end_pc, h.handler_pc, h.catch_type] {
                out.extend(field.to_be_bytes());
            }
        }
        let count_at = out.len();
        let mut count = 0u16;
        out.extend([0, 0]);
        for a in old.attributes.iter(&self.class.pool) {
            let start = a.range.start;
            let content = match a.name.bytes() {
                b"LineNumberTable" => tables::move_lines(a.content, start, &moved)?,
                b"LocalVariableTable" | b"LocalVariableTypeTable" => {
                    tables::move_variables(a.content, start, &moved)?
                }
                b"RuntimeVisibleTypeAnnotations" | b"RuntimeInvisibleTypeAnnotations" => {
                    tables::move_type_annotations(a.content, start, &moved, &handlers)?
                }
                b"StackMapTable" => {
                    let entry = Entry {
                        this_class: self.class.this_class,
                        is_static: member.access.is_static(),
                        is_constructor: member.name == "<init>"
                            && self.class.name() != "java/lang/Object",
                        descriptor: member.descriptor,
                    };
                    Frames::parse(self.class.bytes, a.range, &entry)?
                        .write(&moved, &mut self.constants)?
                }
                // What we do not know may hold pcs, which would now be wrong.
                _ if moved.is_identity() => a.content.to_vec(),
                _ => continue,
            };
            out.extend(a.name_index.to_be_bytes());
            // Tables keep their length or gain a frame per trampoline: far below 4 GiB.
            out.extend((content.len() as u32).to_be_bytes());
            out.extend_from_slice(&content);
            count += 1;
        }
        out[count_at..count_at + 2].copy_from_slice(&count.to_be_bytes());
        Ok(out)
    }
}

/// Where a probe or site is in the old code.
#[derive(Clone, Copy)]
struct Place {
    method: u16,
    pc: u32,
    line: Option<u16>,
}

impl Draft<'_> {
    /// Something was inserted that needs this many stack slots more.
    fn note(&mut self, stack: u16) {
        self.edited = true;
        self.extra_stack = self.extra_stack.max(stack);
    }
}

impl<'a> Method<'a> {
    fn new(
        class: &RawClass<'a>,
        index: u16,
        member: &RawMember<'a>,
        code: RawCode<'a>,
    ) -> Result<Method<'a>, Problem> {
        let instructions = decode(code.code, code.code_start)?;
        let mut is_target = vec![false; code.code.len()];
        for i in &instructions {
            i.for_each_target(|t| is_target[t as usize] = true);
        }
        let mut lines = Vec::new();
        for a in code
            .attributes
            .iter(&class.pool)
            .filter(|a| a.name == "LineNumberTable")
        {
            lines.extend(
                tables::line_rows(a.content, a.range.start)?
                    .map(|(pc, line)| (u32::from(pc), line)),
            );
        }
        lines.sort_by_key(|(pc, _)| *pc);
        let mut handlers: Vec<(u32, u16)> = code
            .handlers
            .iter()
            .map(|h| (u32::from(h.handler_pc), h.catch_type))
            .collect();
        handlers.sort_by_key(|(pc, _)| *pc);
        handlers.dedup_by_key(|(pc, _)| *pc);
        let is_class_initializer = member.name == "<clinit>";
        Ok(Method {
            index,
            code,
            instructions,
            is_target,
            lines,
            handlers,
            is_class_initializer,
        })
    }
}

fn jumps_backward(i: &Instruction<'_>) -> bool {
    let mut backward = false;
    i.for_each_target(|t| backward |= t <= i.pc);
    backward
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
