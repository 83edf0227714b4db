//! What is in the locals and on the stack between two instructions: the types of the last frame, carried along. Owns
//! the effect of every instruction on them. Merges nothing: where code comes together the class has a frame, and that
//! is taken.

use super::super::constants::{NewConstants, PoolFull};
use super::super::frames::{
    DOUBLE, Entry, ExtraFrame, FLOAT, Frames, INTEGER, LONG, NULL, TOP, UNINITIALIZED_THIS, VType, parameters,
};
use super::super::method::Method;
use super::super::report::SkipReason;
use crate::instruction::{Instruction, Operand, opcode as op};
use crate::mutate::{Change, Returned, Site};
use crate::raw::{Constant, RawClass, RawMember};
use std::borrow::Cow;

/// Class files from here on have frames.
const FRAMES_SINCE: u16 = 50;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Type<'a> {
    /// As in a frame of the class.
    Frame(VType),
    /// A class by its name, or an array class by its descriptor.
    Class(Cow<'a, [u8]>),
}

impl Type<'_> {
    fn is_wide(&self) -> bool {
        matches!(self, Type::Frame(t) if *t == LONG || *t == DOUBLE)
    }
}

/// A walk through the code, one instruction after the other.
pub(super) struct Walk<'a, 'c> {
    class: &'c RawClass<'a>,
    /// `None`: not needed.
    frames: Option<Frames<'a>>,
    /// By slot; the second slot of a wide value is `TOP`.
    locals: Vec<Type<'a>>,
    stack: Vec<Type<'a>>,
    /// The `new`s passed so far: pc and class constant.
    news: Vec<(u32, u16)>,
    /// False behind a jump, until the next frame.
    known: bool,
}

/// The types at a place.
pub(super) struct Known<'w, 'a> {
    locals: &'w [Type<'a>],
    stack: &'w [Type<'a>],
}

impl<'a> Known<'_, 'a> {
    /// As a frame; classes without a constant get one.
    pub fn frame(&self, constants: &mut NewConstants) -> Result<ExtraFrame, PoolFull> {
        let mut resolve = |t: &Type<'a>| {
            Ok::<VType, PoolFull>(match t {
                Type::Frame(t) => *t,
                Type::Class(name) => VType::Object(constants.class(name)?),
            })
        };
        let mut locals = Vec::with_capacity(self.locals.len());
        let mut n = 0;
        while let Some(t) = self.locals.get(n) {
            locals.push(resolve(t)?);
            n += if t.is_wide() { 2 } else { 1 };
        }
        while locals.last() == Some(&TOP) {
            locals.pop();
        }
        let stack = self.stack.iter().map(resolve).collect::<Result<_, _>>()?;
        Ok(ExtraFrame { position: 0, locals, stack })
    }
}

fn lost() -> SkipReason {
    SkipReason::StackMap { expected: "code that frames and instructions explain" }
}

impl<'a, 'c> Walk<'a, 'c> {
    /// At the entry of a method. Types are followed only if one of the sites needs frames and the class has them.
    pub fn start(
        class: &'c RawClass<'a>,
        member: &RawMember<'a>,
        method: &Method<'a, '_>,
        sites: &[Site],
    ) -> Result<Walk<'a, 'c>, SkipReason> {
        let mut walk =
            Walk { class, frames: None, locals: Vec::new(), stack: Vec::new(), news: Vec::new(), known: true };
        let jumps = |s: &Site| matches!(s.change, Change::Removal | Change::Return(Returned::Null));
        if class.version.0 < FRAMES_SINCE || !sites.iter().any(jumps) {
            return Ok(walk);
        }
        let entry = Entry::of(class, member);
        let frames = match method.code.attributes.find(&class.pool, "StackMapTable") {
            Some(table) => Frames::parse(class.bytes, table.range, &entry)?,
            // The first version with frames can do without them: then the old verifier finds the types.
            None if class.version.0 == FRAMES_SINCE => return Ok(walk),
            None => Frames::none(&entry, method.code.code_start)?,
        };
        walk.locals = slots(frames.initial());
        walk.frames = Some(frames);
        Ok(walk)
    }

    /// The types here; `None` if they are not needed.
    pub fn now(&self) -> Option<Known<'_, 'a>> {
        self.frames.as_ref().map(|_| Known { locals: &self.locals, stack: &self.stack })
    }

    /// Before an instruction: a frame states the types anew.
    pub fn reach(&mut self, i: &Instruction<'a>) -> Result<(), SkipReason> {
        let Some(frames) = &self.frames else { return Ok(()) };
        if let Some((locals, stack)) = frames.at(i.pc) {
            self.locals = slots(locals);
            self.stack = stack.iter().map(|t| Type::Frame(*t)).collect();
            self.known = true;
        }
        if self.known { Ok(()) } else { Err(lost()) }
    }

    /// Behind an instruction.
    pub fn pass(&mut self, i: &Instruction<'a>) -> Result<(), SkipReason> {
        if self.frames.is_some() {
            self.step(i).ok_or_else(lost)?;
            self.known = i.falls_through();
        }
        Ok(())
    }

    fn push(&mut self, t: VType) {
        self.stack.push(Type::Frame(t));
    }

    fn drop(&mut self, n: usize) -> Option<()> {
        self.stack.truncate(self.stack.len().checked_sub(n)?);
        Some(())
    }

    /// Takes `n` and leaves one.
    fn fold(&mut self, n: usize, t: VType) -> Option<()> {
        self.drop(n)?;
        self.push(t);
        Some(())
    }

    fn store(&mut self, local: u16, t: Type<'a>) {
        let n = usize::from(local);
        let wide = t.is_wide();
        let end = n + 1 + usize::from(wide);
        if self.locals.len() < end {
            self.locals.resize(end, Type::Frame(TOP));
        }
        // The first half of a wide value that loses its second.
        if n > 0 && self.locals[n - 1].is_wide() {
            self.locals[n - 1] = Type::Frame(TOP);
        }
        self.locals[n] = t;
        if wide {
            self.locals[n + 1] = Type::Frame(TOP);
        }
    }

    fn step(&mut self, i: &Instruction<'a>) -> Option<()> {
        match i.opcode {
            op::NOP | op::IINC | op::GOTO | op::GOTO_W | op::RETURN => {}
            op::ACONST_NULL => self.push(NULL),
            op::ICONST_M1..=op::ICONST_5 | op::BIPUSH | op::SIPUSH => self.push(INTEGER),
            op::LCONST_0 | op::LCONST_1 => self.push(LONG),
            op::FCONST_0..=op::FCONST_2 => self.push(FLOAT),
            op::DCONST_0 | op::DCONST_1 => self.push(DOUBLE),
            op::LDC..=op::LDC2_W => self.constant(i.constant()?)?,
            op::ILOAD | op::ILOAD_0..=op::ILOAD_3 => self.push(INTEGER),
            op::LLOAD | op::LLOAD_0..=op::LLOAD_3 => self.push(LONG),
            op::FLOAD | op::FLOAD_0..=op::FLOAD_3 => self.push(FLOAT),
            op::DLOAD | op::DLOAD_0..=op::DLOAD_3 => self.push(DOUBLE),
            op::ALOAD | op::ALOAD_0..=op::ALOAD_3 => {
                let t = self.locals.get(usize::from(local(i)?))?.clone();
                self.stack.push(t);
            }
            op::IALOAD | op::BALOAD..=op::SALOAD => self.fold(2, INTEGER)?,
            op::LALOAD => self.fold(2, LONG)?,
            op::FALOAD => self.fold(2, FLOAT)?,
            op::DALOAD => self.fold(2, DOUBLE)?,
            op::AALOAD => {
                self.stack.pop()?;
                let array = self.stack.pop()?;
                let element = self.element(array)?;
                self.stack.push(element);
            }
            op::ISTORE..=op::ASTORE | op::ISTORE_0..=op::ASTORE_3 => {
                let t = self.stack.pop()?;
                self.store(local(i)?, t);
            }
            op::IASTORE..=op::SASTORE => self.drop(3)?,
            op::POP..=op::SWAP => self.shuffle(i.opcode)?,
            op::INEG..=op::DNEG => {}
            op::ISHL..=op::LUSHR => self.drop(1)?,
            op::IADD..=op::LXOR => self.drop(1)?,
            op::I2L | op::F2L | op::D2L => self.fold(1, LONG)?,
            op::I2F | op::L2F | op::D2F => self.fold(1, FLOAT)?,
            op::I2D | op::L2D | op::F2D => self.fold(1, DOUBLE)?,
            op::L2I | op::F2I | op::D2I | op::I2B..=op::I2S => self.fold(1, INTEGER)?,
            op::LCMP..=op::DCMPG => self.fold(2, INTEGER)?,
            op::IFEQ..=op::IFLE | op::IFNULL | op::IFNONNULL | op::TABLESWITCH | op::LOOKUPSWITCH => self.drop(1)?,
            op::IF_ICMPEQ..=op::IF_ACMPNE => self.drop(2)?,
            op::IRETURN..=op::ARETURN | op::ATHROW | op::MONITORENTER | op::MONITOREXIT => self.drop(1)?,
            op::GETSTATIC | op::GETFIELD => {
                self.drop(usize::from(i.opcode == op::GETFIELD))?;
                let field = self.class.pool.member(i.constant()?).ok()?;
                self.result(field.descriptor.bytes());
            }
            op::PUTSTATIC => self.drop(1)?,
            op::PUTFIELD => self.drop(2)?,
            op::INVOKEVIRTUAL..=op::INVOKEDYNAMIC => self.call(i)?,
            op::NEW => {
                self.news.push((i.pc, i.constant()?));
                self.push(VType::Uninitialized(u16::try_from(i.pc).ok()?));
            }
            op::NEWARRAY => {
                let Operand::ArrayType(element) = i.operand else { return None };
                let array: &'static [u8] = match element {
                    4 => b"[Z",
                    5 => b"[C",
                    6 => b"[F",
                    7 => b"[D",
                    8 => b"[B",
                    9 => b"[S",
                    10 => b"[I",
                    11 => b"[J",
                    _ => return None,
                };
                self.drop(1)?;
                self.stack.push(Type::Class(Cow::Borrowed(array)));
            }
            op::ANEWARRAY => {
                let element = self.class.pool.class(i.constant()?).ok()?;
                self.drop(1)?;
                self.stack.push(Type::Class(Cow::Owned(array_of(element.bytes()))));
            }
            op::ARRAYLENGTH | op::INSTANCEOF => self.fold(1, INTEGER)?,
            op::CHECKCAST => {
                self.drop(1)?;
                self.push(VType::Object(i.constant()?));
            }
            op::MULTIANEWARRAY => {
                let Operand::MultiNewArray { constant, dimensions } = i.operand else { return None };
                self.drop(usize::from(dimensions))?;
                self.push(VType::Object(constant));
            }
            // `jsr` and `ret` are older than frames.
            _ => return None,
        }
        Some(())
    }

    fn constant(&mut self, index: u16) -> Option<()> {
        let class: &'static [u8] = match self.class.pool.get(index)? {
            Constant::Integer(_) => b"I",
            Constant::Float(_) => b"F",
            Constant::Long(_) => b"J",
            Constant::Double(_) => b"D",
            Constant::String { .. } => b"Ljava/lang/String;",
            Constant::Class { .. } => b"Ljava/lang/Class;",
            Constant::MethodType { .. } => b"Ljava/lang/invoke/MethodType;",
            Constant::MethodHandle { .. } => b"Ljava/lang/invoke/MethodHandle;",
            Constant::Dynamic { .. } => {
                let dynamic = self.class.pool.dynamic(index).ok()?;
                self.result(dynamic.descriptor.bytes());
                return Some(());
            }
            _ => return None,
        };
        self.result(class);
        Some(())
    }

    /// Pushes a value of a descriptor's type; nothing for `V`.
    fn result(&mut self, descriptor: &'a [u8]) {
        match descriptor.first() {
            Some(b'V') | None => {}
            Some(b'J') => self.push(LONG),
            Some(b'F') => self.push(FLOAT),
            Some(b'D') => self.push(DOUBLE),
            Some(b'L' | b'[') => self.stack.push(Type::Class(Cow::Borrowed(class_of(descriptor)))),
            Some(_) => self.push(INTEGER),
        }
    }

    fn call(&mut self, i: &Instruction<'a>) -> Option<()> {
        let pool = &self.class.pool;
        let (name, descriptor) = if i.opcode == op::INVOKEDYNAMIC {
            let called = pool.dynamic(i.constant()?).ok()?;
            (called.name, called.descriptor.bytes())
        } else {
            let called = pool.member(i.constant()?).ok()?;
            (called.name, called.descriptor.bytes())
        };
        self.drop(parameters(descriptor)?.len())?;
        if !matches!(i.opcode, op::INVOKESTATIC | op::INVOKEDYNAMIC) {
            let receiver = self.stack.pop()?;
            if name == "<init>" {
                self.initialised(&receiver)?;
            }
        }
        let end = descriptor.iter().position(|b| *b == b')')?;
        self.result(&descriptor[end + 1..]);
        Some(())
    }

    /// A constructor ran: everything that was this new object has its class now.
    fn initialised(&mut self, object: &Type<'a>) -> Option<()> {
        let class = match object {
            Type::Frame(t) if *t == UNINITIALIZED_THIS => VType::Object(self.class.this_class),
            Type::Frame(VType::Uninitialized(pc)) => {
                let pc = u32::from(*pc);
                VType::Object(self.news.iter().find(|(at, _)| *at == pc)?.1)
            }
            _ => return None,
        };
        for t in self.locals.iter_mut().chain(&mut self.stack).filter(|t| *t == object) {
            *t = Type::Frame(class);
        }
        Some(())
    }

    fn element(&self, array: Type<'a>) -> Option<Type<'a>> {
        let name: Cow<'a, [u8]> = match array {
            Type::Frame(t) if t == NULL => return Some(Type::Frame(NULL)),
            Type::Frame(VType::Object(class)) => Cow::Borrowed(self.class.pool.class(class).ok()?.bytes()),
            Type::Frame(VType::Parameter(n)) => Cow::Borrowed(*self.frames.as_ref()?.parameters.get(usize::from(n))?),
            Type::Frame(_) => return None,
            Type::Class(name) => name,
        };
        Some(Type::Class(match name {
            Cow::Borrowed(name) => Cow::Borrowed(class_of(name.strip_prefix(b"[")?)),
            Cow::Owned(name) => Cow::Owned(class_of(name.strip_prefix(b"[")?).to_vec()),
        }))
    }

    fn shuffle(&mut self, opcode: u8) -> Option<()> {
        let a = self.stack.pop()?;
        if opcode == op::POP || opcode == op::POP2 && a.is_wide() {
            return Some(());
        }
        match opcode {
            op::POP2 => {
                self.stack.pop()?;
            }
            op::DUP => self.stack.extend([a.clone(), a]),
            op::SWAP => {
                let b = self.stack.pop()?;
                self.stack.extend([a, b]);
            }
            op::DUP_X1 => {
                let b = self.stack.pop()?;
                self.stack.extend([a.clone(), b, a]);
            }
            op::DUP_X2 => {
                let b = self.stack.pop()?;
                if b.is_wide() {
                    self.stack.extend([a.clone(), b, a]);
                } else {
                    let c = self.stack.pop()?;
                    self.stack.extend([a.clone(), c, b, a]);
                }
            }
            // The double forms move one wide value or two others.
            _ => {
                let mut top = vec![a];
                if !top[0].is_wide() {
                    top.insert(0, self.stack.pop()?);
                }
                let mut under = Vec::new();
                let depth = usize::from(opcode - op::DUP2);
                let mut width = 0;
                while width < depth {
                    let t = self.stack.pop()?;
                    width += if t.is_wide() { 2 } else { 1 };
                    under.insert(0, t);
                }
                self.stack.extend(top.iter().cloned());
                self.stack.extend(under);
                self.stack.extend(top);
            }
        }
        Some(())
    }
}

/// Types of a frame by slot.
fn slots<'a>(types: &[VType]) -> Vec<Type<'a>> {
    let mut slots = Vec::with_capacity(types.len() + 4);
    for t in types {
        slots.push(Type::Frame(*t));
        if *t == LONG || *t == DOUBLE {
            slots.push(Type::Frame(TOP));
        }
    }
    slots
}

/// The name a class constant would have: `Lp/C;` is `p/C`, an array stays.
fn class_of(descriptor: &[u8]) -> &[u8] {
    match descriptor {
        [b'L', name @ .., b';'] => name,
        array => array,
    }
}

fn array_of(element: &[u8]) -> Vec<u8> {
    if element.starts_with(b"[") { [b"[", element].concat() } else { [b"[L", element, b";"].concat() }
}

fn local(i: &Instruction<'_>) -> Option<u16> {
    match i.operand {
        Operand::Local(n) => Some(n),
        _ => None,
    }
}
