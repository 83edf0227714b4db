//! A method's code made ready for being walked over many times: how each instruction moves words between stack and
//! locals, and the few instructions that do something to objects, with their names looked up. Owns this form; draws no
//! conclusions.

use std::sync::Arc;

use super::callees::{Call, CallKind};
use super::casts::class_operand;
use super::cfg::Cfg;
use super::fields::FieldAccess;
use crate::instruction::{Instruction, Operand, decode, opcode as op};
use crate::names::{ClassName, FieldType, MethodDescriptor, Primitive};
use crate::problem::Problem;
use crate::raw::{Constant, Cursor, MemberKind, MemberRef, RawClass, RawCode};

/// What one instruction does to the words of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Takes and gives words that are no objects.
    Plain {
        pop: u8,
        push: u8,
    },
    Load {
        local: u16,
        width: u8,
    },
    Store {
        local: u16,
        width: u8,
    },
    /// `dup` and its relatives, `swap`: the opcode.
    Shuffle(u8),
    /// Does something to objects: an index into [`Body::acts`]. The first pushed word is the result.
    Act {
        pop: u8,
        push: u8,
        act: u32,
    },
}

/// What an instruction does to objects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// A constant that is an object: true for strings, false for classes and for what is computed at run time.
    Constant {
        literal: bool,
    },
    New(ClassName),
    NewArray(FieldType),
    Read {
        field: FieldAccess,
        kind: FieldType,
    },
    Write {
        field: FieldAccess,
        kind: FieldType,
    },
    /// The element type, if the opcode knows it.
    ArrayLoad(Option<Primitive>),
    ArrayStore(Option<Primitive>),
    Cast(FieldType),
    Test(FieldType),
    Invoke(Invoke),
    Dynamic(Dynamic),
    Return,
    Throw,
}

/// A call as the code spells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invoke {
    pub call: Call,
    pub descriptor: Arc<MethodDescriptor>,
}

/// An `invokedynamic`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dynamic {
    /// The class that makes the call site: `java/lang/invoke/LambdaMetafactory` for lambdas.
    pub factory: ClassName,
    pub descriptor: Arc<MethodDescriptor>,
    /// Methods among the bootstrap arguments.
    pub handles: Vec<Call>,
    /// Classes among them: what a pattern switch tests for.
    pub classes: Vec<FieldType>,
}

/// Steps from `first` to before `behind`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    pub first: u32,
    pub behind: u32,
    pub successors: Vec<u32>,
    pub handlers: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    pub steps: Vec<Step>,
    pub acts: Vec<Act>,
    /// By act: it may be done again in the same run of the method.
    pub repeats: Vec<bool>,
    /// The blocks of the control-flow graph, in its order.
    pub stretches: Vec<Stretch>,
    pub max_locals: u16,
    pub max_stack: u16,
    /// Uses `jsr`, whose return paths are in no graph.
    pub has_subroutines: bool,
}

impl Body {
    pub fn read(raw: &RawClass<'_>, code: &RawCode<'_>) -> Result<Body, Problem> {
        let cfg = Cfg::build(code, &raw.pool)?;
        let instructions = decode(code.code, code.code_start)?;
        let mut reader = Reader { raw, acts: Vec::new() };
        let mut steps = Vec::with_capacity(instructions.len());
        for i in &instructions {
            steps.push(reader.step(i)?);
        }
        let at = |pc: u32| instructions.partition_point(|i| i.pc < pc) as u32;
        let stretches: Vec<Stretch> = cfg
            .blocks
            .iter()
            .map(|b| {
                let mut handlers: Vec<u32> = b.handlers.iter().map(|(h, _)| h.0).collect();
                handlers.dedup();
                let successors = b.successors.iter().map(|s| s.0).collect();
                Stretch { first: at(b.start), behind: at(b.end), successors, handlers }
            })
            .collect();
        let has_subroutines = instructions.iter().any(|i| matches!(i.opcode, op::JSR | op::JSR_W | op::RET));
        let (max_locals, max_stack) = (code.max_locals, code.max_stack);
        let repeats = repeats(&steps, &stretches, reader.acts.len());
        Ok(Body { steps, acts: reader.acts, repeats, stretches, max_locals, max_stack, has_subroutines })
    }
}

/// A run that comes back to a stretch has jumped from there, or from behind it, to there, or to before it.
fn repeats(steps: &[Step], stretches: &[Stretch], acts: usize) -> Vec<bool> {
    let mut looping = vec![false; stretches.len()];
    for (from, stretch) in stretches.iter().enumerate() {
        for &to in stretch.successors.iter().chain(&stretch.handlers) {
            if let Some(range) = looping.get_mut(to as usize..=from) {
                range.fill(true);
            }
        }
    }
    let mut repeats = vec![false; acts];
    for (stretch, looping) in stretches.iter().zip(looping) {
        for step in &steps[stretch.first as usize..stretch.behind as usize] {
            if let Step::Act { act, .. } = step {
                repeats[*act as usize] = looping;
            }
        }
    }
    repeats
}

struct Reader<'r, 'a> {
    raw: &'r RawClass<'a>,
    acts: Vec<Act>,
}

impl Reader<'_, '_> {
    fn act(&mut self, pop: u16, push: u16, act: Act) -> Step {
        self.acts.push(act);
        // A method takes at most 255 words, an array at most 255 dimensions, a result at most 2 words.
        Step::Act { pop: pop.min(255) as u8, push: push as u8, act: self.acts.len() as u32 - 1 }
    }

    fn step(&mut self, i: &Instruction<'_>) -> Result<Step, Problem> {
        let pool = &self.raw.pool;
        let constant = i.constant().unwrap_or(0);
        Ok(match i.opcode {
            op::LDC | op::LDC_W | op::LDC2_W => match pool.get(constant) {
                Some(Constant::Integer(_) | Constant::Float(_)) => Step::Plain { pop: 0, push: 1 },
                Some(Constant::Long(_) | Constant::Double(_)) => Step::Plain { pop: 0, push: 2 },
                Some(Constant::Dynamic { .. }) => {
                    let kind = FieldType::parse(&pool.dynamic(constant)?.descriptor.lossy());
                    match kind {
                        Some(FieldType::Primitive(p)) => Step::Plain { pop: 0, push: p.width() as u8 },
                        _ => self.act(0, 1, Act::Constant { literal: false }),
                    }
                }
                Some(Constant::String { .. }) => self.act(0, 1, Act::Constant { literal: true }),
                _ => self.act(0, 1, Act::Constant { literal: false }),
            },
            op::ILOAD..=op::ALOAD
            | op::ILOAD_0..=op::ALOAD_3
            | op::ISTORE..=op::ASTORE
            | op::ISTORE_0..=op::ASTORE_3 => {
                let Operand::Local(local) = i.operand else { return Ok(Step::Plain { pop: 0, push: 0 }) };
                let (load, kind) = match i.opcode {
                    op::ILOAD..=op::ALOAD => (true, i.opcode - op::ILOAD),
                    op::ILOAD_0..=op::ALOAD_3 => (true, (i.opcode - op::ILOAD_0) / 4),
                    op::ISTORE..=op::ASTORE => (false, i.opcode - op::ISTORE),
                    _ => (false, (i.opcode - op::ISTORE_0) / 4),
                };
                // In the order of the opcodes: int, long, float, double, reference.
                let width = if matches!(kind, 1 | 3) { 2 } else { 1 };
                if load { Step::Load { local, width } } else { Step::Store { local, width } }
            }
            op::POP => Step::Plain { pop: 1, push: 0 },
            op::POP2 => Step::Plain { pop: 2, push: 0 },
            op::DUP..=op::SWAP => Step::Shuffle(i.opcode),
            op::AALOAD => self.act(2, 1, Act::ArrayLoad(None)),
            op::IALOAD..=op::SALOAD => {
                let element = element(i.opcode - op::IALOAD);
                self.act(2, element.map_or(1, Primitive::width), Act::ArrayLoad(element))
            }
            op::AASTORE => self.act(3, 0, Act::ArrayStore(None)),
            op::IASTORE..=op::SASTORE => {
                let element = element(i.opcode - op::IASTORE);
                self.act(2 + element.map_or(1, Primitive::width), 0, Act::ArrayStore(element))
            }
            op::GETSTATIC..=op::PUTFIELD => self.field(i.opcode, constant)?,
            op::INVOKEVIRTUAL..=op::INVOKEINTERFACE => self.invoke(i.opcode, constant)?,
            op::INVOKEDYNAMIC => self.dynamic(constant)?,
            op::NEW => {
                let class = ClassName::new(pool.class(constant)?.lossy());
                self.act(0, 1, Act::New(class))
            }
            op::NEWARRAY => {
                let code = if let Operand::ArrayType(code) = i.operand { code } else { 10 };
                self.act(1, 1, Act::NewArray(FieldType::Array(Box::new(FieldType::Primitive(primitive(code))))))
            }
            op::ANEWARRAY => {
                let element = class_operand(pool.class(constant)?);
                let array = FieldType::Array(Box::new(element.unwrap_or_else(object)));
                self.act(1, 1, Act::NewArray(array))
            }
            op::MULTIANEWARRAY => {
                let dimensions = if let Operand::MultiNewArray { dimensions, .. } = i.operand { dimensions } else { 1 };
                let array = class_operand(pool.class(constant)?).unwrap_or_else(object);
                self.act(u16::from(dimensions), 1, Act::NewArray(array))
            }
            op::CHECKCAST => {
                let to = class_operand(pool.class(constant)?).unwrap_or_else(object);
                self.act(1, 1, Act::Cast(to))
            }
            op::INSTANCEOF => {
                let to = class_operand(pool.class(constant)?).unwrap_or_else(object);
                self.act(1, 1, Act::Test(to))
            }
            op::ARETURN => self.act(1, 0, Act::Return),
            op::ATHROW => self.act(1, 0, Act::Throw),
            opcode => {
                let (pop, push) = plain(opcode);
                Step::Plain { pop, push }
            }
        })
    }

    fn field(&mut self, opcode: u8, constant: u16) -> Result<Step, Problem> {
        let member = self.raw.pool.member(constant)?;
        let is_static = matches!(opcode, op::GETSTATIC | op::PUTSTATIC);
        let descriptor = member.descriptor.lossy().into_owned();
        let kind = FieldType::parse(&descriptor).unwrap_or_else(object);
        let (base, width) = (u16::from(!is_static), kind.width());
        let field = FieldAccess {
            owner: ClassName::new(member.owner.lossy()),
            name: member.name.lossy().into_owned(),
            descriptor,
            is_static,
        };
        Ok(match opcode {
            op::GETSTATIC | op::GETFIELD => self.act(base, width, Act::Read { field, kind }),
            _ => self.act(base + width, 0, Act::Write { field, kind }),
        })
    }

    fn invoke(&mut self, opcode: u8, constant: u16) -> Result<Step, Problem> {
        let member = self.raw.pool.member(constant)?;
        let kind = match opcode {
            op::INVOKEVIRTUAL => CallKind::Virtual,
            op::INVOKESPECIAL => CallKind::Special,
            op::INVOKESTATIC => CallKind::Static,
            _ => CallKind::Interface,
        };
        let descriptor = self.descriptor(&member.descriptor.lossy())?;
        let receiver = u16::from(kind != CallKind::Static);
        let pop = descriptor.params_width().saturating_add(receiver);
        let push = descriptor.result.as_ref().map_or(0, FieldType::width);
        let call = call(member, kind);
        Ok(self.act(pop, push, Act::Invoke(Invoke { call, descriptor })))
    }

    fn dynamic(&mut self, constant: u16) -> Result<Step, Problem> {
        let site = self.raw.pool.dynamic(constant)?;
        let descriptor = self.descriptor(&site.descriptor.lossy())?;
        let (factory, handles, classes) = self.bootstrap(site.bootstrap)?;
        let (pop, push) = (descriptor.params_width(), descriptor.result.as_ref().map_or(0, FieldType::width));
        Ok(self.act(pop, push, Act::Dynamic(Dynamic { factory, descriptor, handles, classes })))
    }

    fn descriptor(&self, text: &str) -> Result<Arc<MethodDescriptor>, Problem> {
        let parsed = MethodDescriptor::parse(text);
        parsed.map(Arc::new).ok_or(Problem::malformed(0, "a method descriptor"))
    }

    /// The class that makes the call site, and the methods and classes among the arguments.
    fn bootstrap(&self, index: u16) -> Result<(ClassName, Vec<Call>, Vec<FieldType>), Problem> {
        let raw = self.raw;
        let missing = Problem::malformed(0, "a bootstrap method");
        let attribute = raw.attributes.find(&raw.pool, "BootstrapMethods").ok_or(missing.clone())?;
        let mut cursor = Cursor::new(&raw.bytes[..attribute.range.end], attribute.range.start);
        let count = cursor.u2("bootstrap methods")?;
        for at in 0..count {
            let factory = cursor.u2("a bootstrap method")?;
            let arguments = cursor.u2("bootstrap arguments")?;
            if at != index {
                cursor.take(usize::from(arguments) * 2, "bootstrap arguments")?;
                continue;
            }
            let (mut handles, mut classes) = (Vec::new(), Vec::new());
            for _ in 0..arguments {
                let argument = cursor.u2("a bootstrap argument")?;
                match raw.pool.get(argument) {
                    Some(Constant::MethodHandle { .. }) => {
                        let member = raw.pool.method_handle(argument)?.1;
                        if member.kind != MemberKind::Field {
                            handles.push(call(member, CallKind::Handle));
                        }
                    }
                    Some(Constant::Class { .. }) => classes.extend(class_operand(raw.pool.class(argument)?)),
                    _ => {}
                }
            }
            let owner = raw.pool.method_handle(factory)?.1.owner;
            return Ok((ClassName::new(owner.lossy()), handles, classes));
        }
        Err(missing)
    }
}

fn call(member: MemberRef<'_>, kind: CallKind) -> Call {
    Call {
        owner: class_operand(member.owner).unwrap_or_else(object),
        name: member.name.lossy().into_owned(),
        descriptor: member.descriptor.lossy().into_owned(),
        kind,
        on_interface: member.kind == MemberKind::InterfaceMethod,
    }
}

fn object() -> FieldType {
    FieldType::Class(ClassName::new("java/lang/Object"))
}

/// The element type of an array instruction, counted from the one for `int`. Bytes and booleans share theirs.
fn element(offset: u8) -> Option<Primitive> {
    Some(match offset {
        0 => Primitive::Int,
        1 => Primitive::Long,
        2 => Primitive::Float,
        3 => Primitive::Double,
        5 => Primitive::Byte,
        6 => Primitive::Char,
        7 => Primitive::Short,
        _ => return None,
    })
}

/// The element type `newarray` means.
fn primitive(code: u8) -> Primitive {
    match code {
        4 => Primitive::Boolean,
        5 => Primitive::Char,
        6 => Primitive::Float,
        7 => Primitive::Double,
        8 => Primitive::Byte,
        9 => Primitive::Short,
        11 => Primitive::Long,
        _ => Primitive::Int,
    }
}

/// Words taken and given by the instructions that touch no object.
fn plain(opcode: u8) -> (u8, u8) {
    match opcode {
        op::ACONST_NULL..=op::ICONST_5 | op::FCONST_0..=op::FCONST_2 | op::BIPUSH | op::SIPUSH => (0, 1),
        op::LCONST_0 | op::LCONST_1 | op::DCONST_0 | op::DCONST_1 => (0, 2),
        op::IADD..=op::DREM | op::IAND..=op::LXOR => {
            if is_wide(opcode) {
                (4, 2)
            } else {
                (2, 1)
            }
        }
        op::INEG..=op::DNEG => {
            if is_wide(opcode) {
                (2, 2)
            } else {
                (1, 1)
            }
        }
        op::ISHL | op::ISHR | op::IUSHR => (2, 1),
        op::LSHL | op::LSHR | op::LUSHR => (3, 2),
        op::I2L | op::I2D | op::F2L | op::F2D => (1, 2),
        op::L2I | op::L2F | op::D2I | op::D2F => (2, 1),
        op::L2D | op::D2L => (2, 2),
        op::I2F | op::F2I | op::I2B | op::I2C | op::I2S | op::ARRAYLENGTH => (1, 1),
        op::LCMP | op::DCMPL | op::DCMPG => (4, 1),
        op::FCMPL | op::FCMPG => (2, 1),
        op::IF_ICMPEQ..=op::IF_ACMPNE => (2, 0),
        op::IFEQ..=op::IFLE | op::IFNULL | op::IFNONNULL | op::TABLESWITCH | op::LOOKUPSWITCH => (1, 0),
        op::IRETURN | op::FRETURN | op::MONITORENTER | op::MONITOREXIT => (1, 0),
        op::LRETURN | op::DRETURN => (2, 0),
        op::JSR | op::JSR_W => (0, 1),
        _ => (0, 0),
    }
}

/// Arithmetic comes in the order int, long, float, double; `and`, `or`, `xor` as int, long.
fn is_wide(opcode: u8) -> bool {
    (opcode - op::IADD) % 2 == 1
}
