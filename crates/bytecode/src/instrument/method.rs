//! One method: taken apart, drafted until its layout fits, and put together again as a new `Code` attribute. Owns that
//! loop and the attribute's format; what is inserted is decided by the draft, and layout, frames and tables are done by
//! its neighbours.

use super::constants::NewConstants;
use super::frames::{Entry, Frames};
use super::hooks::Hooks;
use super::monitor::{self, Construction, Observed};
use super::plan::Plan;
use super::relocate::{Misfit, Relocated, Stretch};
use super::report::{MonitoredField, MonitoredMember, Probe, Site, SkipReason, Skipped};
use super::tables;
use crate::instruction::{Instruction, decode_with_targets};
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
    pub members: Vec<MonitoredMember>,
    pub fields: Vec<MonitoredField>,
    /// Index into `fields` by pool index of the field's name in the code.
    pub field_ids: FxHashMap<u16, u32>,
    pub unobserved: Vec<Skipped>,
    /// Small faults that instructions can be given, in the order of the code, if the plan asks for them.
    pub faults: Vec<crate::mutate::Site>,
}

/// A method under work.
pub(super) struct Method<'a, 'c> {
    pub index: u16,
    pub code: &'c RawCode<'a>,
    pub instructions: Vec<Instruction<'a>>,
    /// By pc: some instruction jumps here.
    pub is_target: Vec<bool>,
    /// `(pc, line)`, by pc.
    pub lines: Vec<(u32, u16)>,
    /// Handler entries by pc, with the first catch type (0: everything).
    pub handlers: Vec<(u32, u16)>,
    pub is_class_initializer: bool,
    pub construction: Construction,
    pub observed: Option<Observed<'a>>,
}

impl<'a, 'p> Pass<'a, 'p> {
    pub fn new(class: &'p RawClass<'a>, plan: &'p Plan, constants: NewConstants, hooks: Hooks<'p>) -> Pass<'a, 'p> {
        Pass {
            class,
            plan,
            constants,
            hooks,
            probes: Vec::new(),
            sites: Vec::new(),
            members: Vec::new(),
            fields: Vec::new(),
            field_ids: FxHashMap::default(),
            unobserved: Vec::new(),
            faults: Vec::new(),
        }
    }

    /// The content of the method's new `Code` attribute; `None` if the plan has nothing for it (and `always` is off).
    pub fn rewrite(
        &mut self,
        index: u16,
        member: &RawMember<'a>,
        code: &RawCode<'a>,
        always: bool,
    ) -> Result<Option<Vec<u8>>, SkipReason> {
        let mut method = Method::new(self.class, index, member, code)?;
        let marks = (self.probes.len(), self.sites.len(), self.members.len(), self.unobserved.len());
        if (self.plan.calls.is_some() || self.plan.writes) && member.name == "<init>" {
            method.construction = self.construction(&method, member);
        }
        method.observed = self.observed(&method, member);
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
                        let content = self.assemble(&method, member, moved, &d.handler_entries, d.extra_stack)?;
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
                    self.members.truncate(marks.2);
                    self.unobserved.truncate(marks.3);
                    return Err(reason);
                }
            }
        }
    }

    /// Puts the new `Code` attribute together.
    pub fn assemble(
        &mut self,
        method: &Method<'a, '_>,
        member: &RawMember<'a>,
        moved: Relocated,
        handler_entries: &[(u32, u32)],
        extra_stack: u16,
    ) -> Result<Vec<u8>, SkipReason> {
        let old = method.code;
        // In the order of their pcs, as the walk found them.
        let entry_of = |pc: u16| {
            let n = handler_entries.binary_search_by_key(&u32::from(pc), |(p, _)| *p).ok()?;
            Some(moved.trampolines[handler_entries[n].1 as usize].position)
        };
        let mut handlers = tables::move_handlers(&old.handlers, &moved, entry_of)?;
        for landing in &moved.landings {
            handlers.add(landing, &moved)?;
        }
        let max_stack = old.max_stack.checked_add(extra_stack).ok_or(SkipReason::StackTooDeep)?;
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
        let (mut count, mut has_frames) = (0u16, false);
        out.extend([0, 0]);
        for a in old.attributes.iter(&self.class.pool) {
            let start = a.range.start;
            let content = match a.name.bytes() {
                b"LineNumberTable" => tables::move_lines(a.content, start, &moved)?,
                b"LocalVariableTable" | b"LocalVariableTypeTable" => tables::move_variables(a.content, start, &moved)?,
                b"RuntimeVisibleTypeAnnotations" | b"RuntimeInvisibleTypeAnnotations" => {
                    tables::move_type_annotations(a.content, start, &moved, &handlers)?
                }
                b"StackMapTable" => {
                    has_frames = true;
                    let mut frames = Frames::parse(self.class.bytes, a.range, &Entry::of(self.class, member))?;
                    frames.add(&moved.extra_frames);
                    frames.write(&moved, &mut self.constants)?
                }
                // Unknown attributes may hold pcs, which would now be wrong.
                _ if moved.is_identity() => a.content.to_vec(),
                _ => continue,
            };
            out.extend(a.name_index.to_be_bytes());
            // Tables keep their length or gain a frame per trampoline: far below 4 GiB.
            out.extend((content.len() as u32).to_be_bytes());
            out.extend_from_slice(&content);
            count += 1;
        }
        if !has_frames && !moved.extra_frames.is_empty() {
            let mut frames = Frames::none(&Entry::of(self.class, member), old.code_start)?;
            frames.add(&moved.extra_frames);
            let content = frames.write(&moved, &mut self.constants)?;
            out.extend(self.constants.utf8(b"StackMapTable")?.to_be_bytes());
            out.extend((content.len() as u32).to_be_bytes());
            out.extend_from_slice(&content);
            count += 1;
        }
        out[count_at..count_at + 2].copy_from_slice(&count.to_be_bytes());
        Ok(out)
    }

    /// Where a constructor calls another one, checked against its frames.
    fn construction(&self, method: &Method<'a, '_>, member: &RawMember<'a>) -> Construction {
        let found = monitor::construction(self, &method.instructions);
        let (Construction::Calls(pc), Some(table)) =
            (found, method.code.attributes.find(&self.class.pool, "StackMapTable"))
        else {
            return found;
        };
        match Frames::parse(self.class.bytes, table.range, &Entry::of(self.class, member)) {
            Ok(frames) if frames.construct_at(pc) => found,
            _ => Construction::Unclear,
        }
    }
}

impl<'a, 'c> Method<'a, 'c> {
    pub fn new(
        class: &RawClass<'a>,
        index: u16,
        member: &RawMember<'a>,
        code: &'c RawCode<'a>,
    ) -> Result<Method<'a, 'c>, Problem> {
        let (instructions, is_target) = decode_with_targets(code.code, code.code_start)?;
        let mut lines = Vec::new();
        for a in code.attributes.iter(&class.pool).filter(|a| a.name == "LineNumberTable") {
            lines.extend(tables::line_rows(a.content, a.range.start)?.map(|(pc, line)| (u32::from(pc), line)));
        }
        lines.sort_by_key(|(pc, _)| *pc);
        let mut handlers: Vec<(u32, u16)> =
            code.handlers.iter().map(|h| (u32::from(h.handler_pc), h.catch_type)).collect();
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
            construction: Construction::None,
            observed: None,
        })
    }
}
