//! Stack maps (`StackMapTable`): parsed, moved, extended by frames for trampolines, written. Owns the frame encoding.
//! Computes no types: a trampoline's frame is its target's frame, and where the old table has none the new one has
//! none.

use super::constants::{NewConstants, PoolFull};
use super::relocate::{Relocated, Trampoline};
use super::report::SkipReason;
use crate::problem::Problem;
use crate::raw::{Cursor, RawClass, RawMember, Text};
use std::ops::Range;

/// A verification type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum VType {
    /// The ones without data: top, int, float, double, long, null, uninitializedThis, by tag.
    Plain(u8),
    /// Pool index of the class.
    Object(u16),
    /// Old pc of the `new`.
    Uninitialized(u16),
    /// A parameter's class, which may have no constant yet: index into `Frames::parameters`.
    Parameter(u16),
}

pub(super) const TOP: VType = VType::Plain(0);
pub(super) const INTEGER: VType = VType::Plain(1);
pub(super) const FLOAT: VType = VType::Plain(2);
pub(super) const DOUBLE: VType = VType::Plain(3);
pub(super) const LONG: VType = VType::Plain(4);
pub(super) const NULL: VType = VType::Plain(5);
pub(super) const UNINITIALIZED_THIS: VType = VType::Plain(6);
const OBJECT_TAG: u8 = 7;
const UNINITIALIZED_TAG: u8 = 8;

const SAME: u8 = 0;
const SAME_LOCALS_1: u8 = 64;
const SAME_LOCALS_1_EXTENDED: u8 = 247;
const CHOP: u8 = 248;
const SAME_EXTENDED: u8 = 251;
const APPEND: u8 = 252;
const APPEND_3: u8 = 254;
const FULL: u8 = 255;

struct Frame {
    /// Old pc.
    pc: u32,
    /// The frame type as it was.
    kind: u8,
    /// All locals, as a range of `Frames::locals`.
    locals: Range<u32>,
    /// As a range of `Frames::stack`.
    stack: Range<u32>,
}

/// A frame where the old code has none. Its types may be old constants, old pcs of `new`, or constants appended to the
/// pool.
#[derive(Clone, Debug)]
pub(super) struct ExtraFrame {
    /// New position.
    pub position: u32,
    pub locals: Vec<VType>,
    pub stack: Vec<VType>,
}

/// The frames of one method, each with all its locals. Neighbours share what they have in common.
pub(super) struct Frames<'a> {
    initial: Range<u32>,
    frames: Vec<Frame>,
    locals: Vec<VType>,
    stack: Vec<VType>,
    /// Class operands of parameters.
    pub parameters: Vec<&'a [u8]>,
    /// Frames for inserted code, by new position.
    extra: Vec<(u32, Frame)>,
}

/// What the implicit first frame is made of.
pub(super) struct Entry<'a> {
    pub this_class: u16,
    pub is_static: bool,
    /// A constructor other than `Object`'s.
    pub is_constructor: bool,
    pub descriptor: Text<'a>,
}

impl<'a> Entry<'a> {
    pub fn of(class: &RawClass<'a>, member: &RawMember<'a>) -> Entry<'a> {
        Entry {
            this_class: class.this_class,
            is_static: member.access.is_static(),
            is_constructor: member.name == "<init>" && class.name() != "java/lang/Object",
            descriptor: member.descriptor,
        }
    }
}

/// More types than any method needs: hostile tables must not eat memory.
const MOST_TYPES: usize = 4_000_000;

impl<'a> Frames<'a> {
    /// Parses the content of a `StackMapTable`, which lies at `range` of the class file `bytes`.
    pub fn parse(bytes: &'a [u8], range: Range<usize>, entry: &Entry<'a>) -> Result<Frames<'a>, Problem> {
        let mut f =
            Frames { initial: 0..0, frames: vec![], locals: vec![], stack: vec![], parameters: vec![], extra: vec![] };
        f.add_initial(entry, range.start)?;
        let mut cursor = Cursor::new(&bytes[..range.end], range.start);
        let mut locals = f.initial.clone();
        let mut pc = None;
        let count = cursor.u2("the number of frames")?;
        for _ in 0..count {
            let at = cursor.position();
            let kind = cursor.u1("a frame")?;
            let delta = match kind {
                0..=63 => u16::from(kind),
                64..=127 => u16::from(kind) - 64,
                SAME_LOCALS_1_EXTENDED..=FULL => cursor.u2("a frame")?,
                _ => return Err(Problem::malformed(at, "a known frame type")),
            };
            let here = pc.map_or(u32::from(delta), |p| p + 1 + u32::from(delta));
            pc = Some(here);
            let stack_start = f.stack.len() as u32;
            match kind {
                0..=63 | SAME_EXTENDED => {}
                64..=127 | SAME_LOCALS_1_EXTENDED => f.stack.push(vtype(&mut cursor)?),
                CHOP..SAME_EXTENDED => {
                    let gone = u32::from(SAME_EXTENDED - kind);
                    if locals.len() < gone as usize {
                        return Err(Problem::malformed(at, "a frame that drops locals there are"));
                    }
                    locals.end -= gone;
                }
                APPEND..=APPEND_3 => {
                    locals = f.own(locals);
                    for _ in 0..=kind - APPEND {
                        f.locals.push(vtype(&mut cursor)?);
                    }
                    locals.end = f.locals.len() as u32;
                }
                _ => {
                    let start = f.locals.len() as u32;
                    for _ in 0..cursor.u2("a frame")? {
                        f.locals.push(vtype(&mut cursor)?);
                    }
                    locals = start..f.locals.len() as u32;
                    for _ in 0..cursor.u2("a frame")? {
                        f.stack.push(vtype(&mut cursor)?);
                    }
                }
            }
            if f.locals.len() > MOST_TYPES {
                return Err(Problem::malformed(at, "frames of a reasonable size"));
            }
            let stack = stack_start..f.stack.len() as u32;
            f.frames.push(Frame { pc: here, kind, locals: locals.clone(), stack });
        }
        if cursor.remaining() != 0 {
            return Err(Problem::malformed(cursor.position(), "the stack map to end here"));
        }
        Ok(f)
    }

    /// The same locals at the end of the list, so that they can be appended to.
    fn own(&mut self, locals: Range<u32>) -> Range<u32> {
        if locals.end as usize == self.locals.len() {
            return locals;
        }
        let start = self.locals.len() as u32;
        self.locals.extend_from_within(locals.start as usize..locals.end as usize);
        start..self.locals.len() as u32
    }

    /// The frames of a method without a table: only the implicit one.
    pub fn none(entry: &Entry<'a>, at: usize) -> Result<Frames<'a>, Problem> {
        let mut f =
            Frames { initial: 0..0, frames: vec![], locals: vec![], stack: vec![], parameters: vec![], extra: vec![] };
        f.add_initial(entry, at)?;
        Ok(f)
    }

    /// Frames to be written beside the old ones, in the order of their positions.
    pub fn add(&mut self, extra: &[ExtraFrame]) {
        for e in extra {
            let (locals, stack) = (self.locals.len() as u32, self.stack.len() as u32);
            self.locals.extend_from_slice(&e.locals);
            self.stack.extend_from_slice(&e.stack);
            let (locals, stack) = (locals..self.locals.len() as u32, stack..self.stack.len() as u32);
            self.extra.push((e.position, Frame { pc: 0, kind: FULL, locals, stack }));
        }
    }

    /// Whether the frames agree that `this` is unfinished up to the instruction at `pc`, and finished behind.
    pub fn construct_at(&self, pc: u32) -> bool {
        self.frames.iter().all(|f| {
            let locals = self.locals_of(&f.locals);
            if f.pc <= pc { locals.first() == Some(&UNINITIALIZED_THIS) } else { !locals.contains(&UNINITIALIZED_THIS) }
        })
    }

    /// Locals at the entry of the method, all by constants: fit for an [`ExtraFrame`] of any frames of this method.
    pub fn entry_locals(&self, pool: &mut NewConstants) -> Result<Vec<VType>, PoolFull> {
        let named = |t: &VType| match t {
            VType::Parameter(n) => pool.class(self.parameters[usize::from(*n)]).map(VType::Object),
            other => Ok(*other),
        };
        self.initial().iter().map(named).collect()
    }

    /// Locals at the entry of the method.
    pub fn initial(&self) -> &[VType] {
        self.locals_of(&self.initial)
    }

    /// Locals and stack at a pc, if there is a frame.
    pub fn at(&self, pc: u32) -> Option<(&[VType], &[VType])> {
        let frame = &self.frames[self.frames.binary_search_by_key(&pc, |f| f.pc).ok()?];
        let stack = &self.stack[frame.stack.start as usize..frame.stack.end as usize];
        Some((self.locals_of(&frame.locals), stack))
    }

    fn add_initial(&mut self, entry: &Entry<'a>, at: usize) -> Result<(), Problem> {
        self.parameters_of(entry).ok_or(Problem::malformed(at, "a method descriptor"))
    }

    fn parameters_of(&mut self, entry: &Entry<'a>) -> Option<()> {
        if !entry.is_static {
            self.locals.push(if entry.is_constructor { UNINITIALIZED_THIS } else { VType::Object(entry.this_class) });
        }
        for one in parameters(entry.descriptor.bytes())? {
            let operand = match one[0] {
                b'L' => &one[1..one.len() - 1],
                b'[' => one,
                b'J' => {
                    self.locals.push(LONG);
                    continue;
                }
                b'D' => {
                    self.locals.push(DOUBLE);
                    continue;
                }
                b'F' => {
                    self.locals.push(FLOAT);
                    continue;
                }
                _ => {
                    self.locals.push(INTEGER);
                    continue;
                }
            };
            self.parameters.push(operand);
            // A descriptor has at most 65,535 bytes, so parameters are fewer.
            self.locals.push(VType::Parameter((self.parameters.len() - 1) as u16));
        }
        self.initial = 0..self.locals.len() as u32;
        Some(())
    }

    /// Writes the content of the new table.
    pub fn write(&self, moved: &Relocated, pool: &mut NewConstants) -> Result<Vec<u8>, SkipReason> {
        let mut writer = Writer {
            frames: self,
            moved,
            pool,
            out: vec![0, 0],
            count: 0,
            previous: None,
            locals: self.initial.clone(),
        };
        let mut trampolines = moved.trampolines.iter().peekable();
        let mut extra = self.extra.iter().peekable();
        for frame in &self.frames {
            let position = moved.label(frame.pc).ok_or(misplaced("a frame at an instruction"))?;
            let mut follows_predecessor = true;
            while let Some(t) = trampolines.next_if(|t| t.position < u32::from(position)) {
                follows_predecessor &= !writer.extra_before(&mut extra, t.position)?;
                follows_predecessor &= !writer.trampoline(t)?;
            }
            follows_predecessor &= !writer.extra_before(&mut extra, u32::from(position))?;
            // The old frame says it already.
            extra.next_if(|(at, _)| *at == u32::from(position));
            let kind = if follows_predecessor { frame.kind } else { writer.shortest(frame) };
            writer.frame(frame, position, kind)?;
        }
        for t in trampolines {
            writer.extra_before(&mut extra, t.position)?;
            writer.trampoline(t)?;
        }
        writer.extra_before(&mut extra, u32::MAX)?;
        let (mut out, count) = (writer.out, writer.count);
        out[..2].copy_from_slice(&count.to_be_bytes());
        Ok(out)
    }

    fn locals_of(&self, range: &Range<u32>) -> &[VType] {
        &self.locals[range.start as usize..range.end as usize]
    }
}

fn vtype(cursor: &mut Cursor<'_>) -> Result<VType, Problem> {
    let at = cursor.position();
    Ok(match cursor.u1("a verification type")? {
        tag @ 0..=6 => VType::Plain(tag),
        OBJECT_TAG => VType::Object(cursor.u2("a verification type")?),
        UNINITIALIZED_TAG => VType::Uninitialized(cursor.u2("a verification type")?),
        _ => return Err(Problem::malformed(at, "a known verification type")),
    })
}

fn misplaced(expected: &'static str) -> SkipReason {
    SkipReason::StackMap { expected }
}

struct Writer<'f, 'a> {
    frames: &'f Frames<'a>,
    moved: &'f Relocated,
    pool: &'f mut NewConstants,
    out: Vec<u8>,
    count: u16,
    /// Position and locals of the frame written last.
    previous: Option<u16>,
    locals: Range<u32>,
}

impl<'f> Writer<'f, '_> {
    /// The frames for inserted code in front of a position. Says whether it wrote any.
    fn extra_before(
        &mut self,
        extra: &mut std::iter::Peekable<std::slice::Iter<'f, (u32, Frame)>>,
        position: u32,
    ) -> Result<bool, SkipReason> {
        let mut wrote = false;
        while let Some((at, frame)) = extra.next_if(|(at, _)| *at < position) {
            let kind = self.shortest(frame);
            // Code is at most 65,535 bytes, so positions fit.
            self.frame(frame, *at as u16, kind)?;
            wrote = true;
        }
        Ok(wrote)
    }

    /// The frame of a trampoline, if its target has one. Says whether it wrote one.
    fn trampoline(&mut self, trampoline: &Trampoline) -> Result<bool, SkipReason> {
        let frames = &self.frames.frames;
        // Frames are in the order of their pcs: each adds at least one to the pc before.
        let Ok(n) = frames.binary_search_by_key(&trampoline.target, |f| f.pc) else {
            return Ok(false);
        };
        let kind = self.shortest(&frames[n]);
        // Code is at most 65,535 bytes, so positions fit.
        self.frame(&frames[n], trampoline.position as u16, kind)?;
        Ok(true)
    }

    /// The shortest frame type that encodes `frame` after the frame written last.
    fn shortest(&self, frame: &Frame) -> u8 {
        let before = self.frames.locals_of(&self.locals);
        let now = self.frames.locals_of(&frame.locals);
        let same = before == now;
        if frame.stack.len() == 1 && same {
            return SAME_LOCALS_1;
        }
        if !frame.stack.is_empty() {
            return FULL;
        }
        if same {
            return SAME;
        }
        match now.len() as isize - before.len() as isize {
            more @ 1..=3 if now.starts_with(before) => APPEND + more as u8 - 1,
            less @ -3..=-1 if before.starts_with(now) => SAME_EXTENDED.wrapping_add_signed(less as i8),
            _ => FULL,
        }
    }

    /// Writes a frame of a given type; the types that hold the distance themselves are extended if it has become too
    /// long.
    fn frame(&mut self, frame: &Frame, position: u16, kind: u8) -> Result<(), SkipReason> {
        let delta = match self.previous {
            None => position,
            Some(p) => position.checked_sub(p).and_then(|d| d.checked_sub(1)).ok_or(misplaced("frames in order"))?,
        };
        let frames = self.frames;
        let locals = frames.locals_of(&frame.locals);
        let stack = &frames.stack[frame.stack.start as usize..frame.stack.end as usize];
        let short = u8::try_from(delta).ok().filter(|d| *d < 64);
        match (kind, short) {
            (0..SAME_LOCALS_1, Some(d)) => self.out.push(SAME + d),
            (SAME_LOCALS_1..128, Some(d)) => self.out.push(SAME_LOCALS_1 + d),
            _ => {
                self.out.push(match kind {
                    0..SAME_LOCALS_1 => SAME_EXTENDED,
                    SAME_LOCALS_1..128 => SAME_LOCALS_1_EXTENDED,
                    kind => kind,
                });
                self.out.extend(delta.to_be_bytes());
            }
        }
        match kind {
            SAME_LOCALS_1..128 | SAME_LOCALS_1_EXTENDED => self.types(stack)?,
            APPEND..=APPEND_3 => {
                let new = usize::from(kind - APPEND) + 1;
                self.types(&locals[locals.len() - new..])?;
            }
            FULL => {
                // Each list was read from a table with the same 16-bit counts, or is the method's parameters.
                self.out.extend((locals.len() as u16).to_be_bytes());
                self.types(locals)?;
                self.out.extend((stack.len() as u16).to_be_bytes());
                self.types(stack)?;
            }
            _ => {}
        }
        self.count = self.count.checked_add(1).ok_or(misplaced("fewer than 65,536 frames"))?;
        self.previous = Some(position);
        self.locals = frame.locals.clone();
        Ok(())
    }

    fn types(&mut self, types: &[VType]) -> Result<(), SkipReason> {
        for t in types {
            match *t {
                VType::Plain(tag) => self.out.push(tag),
                VType::Object(class) => self.with_data(OBJECT_TAG, class),
                VType::Uninitialized(pc) => {
                    let at =
                        self.moved.position(u32::from(pc)).ok_or(misplaced("an uninitialized type at its `new`"))?;
                    self.with_data(UNINITIALIZED_TAG, at);
                }
                VType::Parameter(n) => {
                    let class = self.pool.class(self.frames.parameters[usize::from(n)])?;
                    self.with_data(OBJECT_TAG, class);
                }
            }
        }
        Ok(())
    }

    fn with_data(&mut self, tag: u8, data: u16) {
        self.out.push(tag);
        self.out.extend(data.to_be_bytes());
    }
}

/// The parameters of a method descriptor, each as written.
pub(super) fn parameters(descriptor: &[u8]) -> Option<Vec<&[u8]>> {
    let mut rest = descriptor.strip_prefix(b"(")?;
    let mut parameters = Vec::new();
    while *rest.first()? != b')' {
        let dimensions = rest.iter().take_while(|b| **b == b'[').count();
        let length = match *rest.get(dimensions)? {
            b'L' => rest.iter().position(|b| *b == b';')? + 1,
            _ => dimensions + 1,
        };
        let (one, tail) = rest.split_at(length);
        parameters.push(one);
        rest = tail;
    }
    Some(parameters)
}
