//! Locals and stack of one point of a method, and what an instruction does to them. Owns the meaning of single
//! instructions for the lattice of `value`; the caller owns the path through the method.

use super::value::{ANY, Kind, NOWHERE, Relation, Value};
use crate::analysis::body::{Act, Body, Step};
use crate::analysis::callees::CallKind;
use crate::instruction::{Instruction, Operand, opcode as op};
use crate::names::{FieldType, Primitive};
use crate::raw::{Constant, Pool};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    pub locals: Vec<Value>,
    pub stack: Vec<Value>,
}

/// The code does not fit together as verified code would.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unclear;

/// What becomes of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    Goes,
    /// It always throws.
    Ends,
}

const LENGTH: Kind = Kind::Int(0, i32::MAX);
const TRUTH: Kind = Kind::Int(0, 1);

impl Frame {
    pub fn pop(&mut self) -> Result<Value, Unclear> {
        self.stack.pop().ok_or(Unclear)
    }

    fn push(&mut self, kind: Kind) {
        self.stack.push(Value { kind, local: NOWHERE });
    }

    fn push_words(&mut self, count: u8) {
        self.stack.extend(std::iter::repeat_n(ANY, usize::from(count)));
    }

    fn local(&mut self, local: u16) -> Result<&mut Value, Unclear> {
        self.locals.get_mut(usize::from(local)).ok_or(Unclear)
    }

    /// A local holds something else from now on.
    fn store(&mut self, local: u16, kind: Kind) -> Result<(), Unclear> {
        for word in self.stack.iter_mut().filter(|w| w.local == local) {
            word.local = NOWHERE;
        }
        *self.local(local)? = Value { kind, local: NOWHERE };
        Ok(())
    }

    /// More is known of a value: of the local it came from, too, and of its copies.
    pub fn learn(&mut self, value: Value, kind: Kind) -> Result<(), Unclear> {
        if value.local == NOWHERE {
            return Ok(());
        }
        self.local(value.local)?.kind = kind;
        for word in self.stack.iter_mut().filter(|w| w.local == value.local) {
            word.kind = kind;
        }
        Ok(())
    }

    /// It was used as an object without an exception.
    fn used(&mut self, value: Value) -> Result<After, Unclear> {
        if value.kind == Kind::Null {
            return Ok(After::Ends);
        }
        self.learn(value, Kind::NonNull)?;
        Ok(After::Goes)
    }

    /// The frame in which `left RELATION right` holds; `None` if it cannot.
    pub fn assume(&self, relation: Relation, left: Value, right: Value) -> Result<Option<Frame>, Unclear> {
        let (Some(less), Some(more)) =
            (left.kind.restrict(relation, right.kind), right.kind.restrict(relation.mirrored(), left.kind))
        else {
            return Ok(None);
        };
        let mut frame = self.clone();
        frame.learn(left, less)?;
        frame.learn(right, more)?;
        Ok(Some(frame))
    }

    /// The frame in which a reference is null, or is not.
    pub fn assume_null(&self, value: Value, null: bool) -> Result<Option<Frame>, Unclear> {
        let (ruled_out, known) = if null { (Kind::NonNull, Kind::Null) } else { (Kind::Null, Kind::NonNull) };
        if value.kind == ruled_out {
            return Ok(None);
        }
        let mut frame = self.clone();
        frame.learn(value, known)?;
        Ok(Some(frame))
    }

    /// May this instruction throw? Not what the JVM could do to any of them.
    pub fn may_throw(&self, i: &Instruction<'_>, pool: &Pool<'_>) -> bool {
        let safe = |below: usize| {
            let at = self.stack.len().checked_sub(1 + below);
            at.is_some_and(|at| self.stack[at].kind == Kind::NonNull)
        };
        match i.opcode {
            op::LDC | op::LDC_W | op::LDC2_W => matches!(
                i.constant().and_then(|c| pool.get(c)),
                Some(Constant::Class { .. } | Constant::Dynamic { .. } | Constant::MethodHandle { .. })
            ),
            op::GETFIELD | op::ARRAYLENGTH | op::MONITORENTER => !safe(0),
            op::IDIV | op::IREM => !self.stack.last().is_some_and(|divisor| {
                let (low, high) = divisor.kind.range();
                low > 0 || high < 0
            }),
            op::LDIV | op::LREM => true,
            op::IALOAD..=op::SALOAD | op::IASTORE..=op::SASTORE => true,
            op::GETSTATIC | op::PUTSTATIC | op::PUTFIELD | op::INVOKEVIRTUAL..=op::ANEWARRAY => true,
            op::ATHROW | op::CHECKCAST | op::INSTANCEOF | op::MULTIANEWARRAY => true,
            _ => false,
        }
    }

    /// Any instruction but jumps, switches and returns.
    pub fn take(&mut self, i: &Instruction<'_>, step: &Step, body: &Body, pool: &Pool<'_>) -> Result<After, Unclear> {
        match i.opcode {
            op::ACONST_NULL => self.push(Kind::Null),
            op::ICONST_M1..=op::ICONST_5 => self.push(Kind::constant(i32::from(i.opcode) - i32::from(op::ICONST_0))),
            op::BIPUSH | op::SIPUSH => {
                let Operand::Int(value) = i.operand else { return Err(Unclear) };
                self.push(Kind::constant(value));
            }
            op::LDC | op::LDC_W => match i.constant().and_then(|c| pool.get(c)) {
                Some(Constant::Integer(value)) => self.push(Kind::constant(value)),
                Some(Constant::String { .. } | Constant::Class { .. }) => self.push(Kind::NonNull),
                _ => self.push(Kind::Any),
            },
            op::IINC => {
                let Operand::Increment { local, by } = i.operand else { return Err(Unclear) };
                let (low, high) = self.local(local)?.kind.range();
                self.store(local, Kind::fitting(i64::from(low) + i64::from(by), i64::from(high) + i64::from(by)))?;
            }
            op::IADD | op::ISUB | op::IMUL | op::IAND => {
                let (b, a) = (self.pop()?.kind.range(), self.pop()?.kind.range());
                self.push(arithmetic(i.opcode, a, b));
            }
            op::I2B => self.narrow(i32::from(i8::MIN), i32::from(i8::MAX))?,
            op::I2S => self.narrow(i32::from(i16::MIN), i32::from(i16::MAX))?,
            op::I2C => self.narrow(0, i32::from(u16::MAX))?,
            op::LCMP..=op::DCMPG => {
                self.generic(step, body)?;
                self.pop()?;
                self.push(Kind::Int(-1, 1));
            }
            op::ARRAYLENGTH => {
                let array = self.pop()?;
                self.push(LENGTH);
                return self.used(array);
            }
            op::MONITORENTER => {
                let object = self.pop()?;
                return self.used(object);
            }
            op::CHECKCAST => {}
            op::INSTANCEOF => {
                let object = self.pop()?;
                self.push(if object.kind == Kind::Null { Kind::constant(0) } else { TRUTH });
            }
            _ => return self.generic(step, body),
        }
        Ok(After::Goes)
    }

    fn narrow(&mut self, low: i32, high: i32) -> Result<(), Unclear> {
        let (a, b) = self.pop()?.kind.range();
        self.push(if a >= low && b <= high { Kind::Int(a, b) } else { Kind::Int(low, high) });
        Ok(())
    }

    /// By what the body says of the words it moves.
    fn generic(&mut self, step: &Step, body: &Body) -> Result<After, Unclear> {
        match *step {
            Step::Plain { pop, push } => {
                self.drop_words(pop)?;
                self.push_words(push);
            }
            Step::Load { local, width: 1 } => {
                let kind = self.local(local)?.kind;
                self.stack.push(Value { kind, local });
            }
            Step::Load { width, .. } => self.push_words(width),
            Step::Store { local, width: 1 } => {
                let value = self.pop()?;
                self.store(local, value.kind)?;
            }
            Step::Store { local, width } => {
                self.drop_words(width)?;
                for half in 0..u16::from(width) {
                    self.store(local + half, Kind::Any)?;
                }
            }
            Step::Shuffle(opcode) => self.shuffle(opcode)?,
            Step::Act { pop, push, act } => {
                let act = &body.acts[act as usize];
                let from = self.stack.len().checked_sub(usize::from(pop)).ok_or(Unclear)?;
                let object = match act {
                    Act::Read { field, .. } | Act::Write { field, .. } => (!field.is_static).then_some(from),
                    Act::ArrayLoad(_) | Act::ArrayStore(_) => Some(from),
                    Act::Invoke(invoke) => (invoke.call.kind != CallKind::Static).then_some(from),
                    _ => None,
                };
                let object = object.map(|at| self.stack.get(at).copied().ok_or(Unclear)).transpose()?;
                self.stack.truncate(from);
                self.push_words(push);
                if push == 1
                    && let Some(top) = self.stack.last_mut()
                {
                    top.kind = result(act);
                }
                if let Some(object) = object {
                    return self.used(object);
                }
            }
        }
        Ok(After::Goes)
    }

    fn drop_words(&mut self, count: u8) -> Result<(), Unclear> {
        let left = self.stack.len().checked_sub(usize::from(count)).ok_or(Unclear)?;
        self.stack.truncate(left);
        Ok(())
    }

    fn shuffle(&mut self, opcode: u8) -> Result<(), Unclear> {
        let (taken, order): (usize, &[usize]) = match opcode {
            op::DUP => (1, &[0, 0]),
            op::DUP_X1 => (2, &[1, 0, 1]),
            op::DUP_X2 => (3, &[2, 0, 1, 2]),
            op::DUP2 => (2, &[0, 1, 0, 1]),
            op::DUP2_X1 => (3, &[1, 2, 0, 1, 2]),
            op::DUP2_X2 => (4, &[2, 3, 0, 1, 2, 3]),
            _ => (2, &[1, 0]),
        };
        let from = self.stack.len().checked_sub(taken).ok_or(Unclear)?;
        let old: Vec<Value> = self.stack.drain(from..).collect();
        self.stack.extend(order.iter().map(|n| old[*n]));
        Ok(())
    }
}

fn arithmetic(opcode: u8, (a, b): (i32, i32), (c, d): (i32, i32)) -> Kind {
    let [a, b, c, d] = [a, b, c, d].map(i64::from);
    match opcode {
        op::IADD => Kind::fitting(a + c, b + d),
        op::ISUB => Kind::fitting(a - d, b - c),
        op::IMUL => {
            let corners = [a * c, a * d, b * c, b * d];
            let low = corners.iter().min().copied().unwrap_or(i64::MIN);
            Kind::fitting(low, corners.iter().max().copied().unwrap_or(i64::MAX))
        }
        // With a number that is not negative, `and` gives one from zero to it.
        _ if a >= 0 && c >= 0 => Kind::fitting(0, b.min(d)),
        _ if a >= 0 => Kind::fitting(0, b),
        _ if c >= 0 => Kind::fitting(0, d),
        _ => Kind::Any,
    }
}

/// What is known of a result by its origin and type alone.
fn result(act: &Act) -> Kind {
    match act {
        Act::New(_) | Act::NewArray(_) | Act::Constant { literal: true } => Kind::NonNull,
        Act::Dynamic(site) => match site.factory.internal() {
            "java/lang/invoke/LambdaMetafactory" | "java/lang/invoke/StringConcatFactory" => Kind::NonNull,
            _ => Kind::Any,
        },
        Act::Read { kind, .. } => of_type(kind),
        Act::ArrayLoad(Some(element)) => of_type(&FieldType::Primitive(*element)),
        Act::Invoke(invoke) => {
            let class = match &invoke.call.owner {
                FieldType::Class(name) => name.internal(),
                _ => "",
            };
            match (class, &*invoke.call.name) {
                ("java/lang/String" | "java/lang/StringBuilder" | "java/lang/StringBuffer", "length") => LENGTH,
                ("java/lang/String", "toCharArray" | "trim" | "substring" | "concat" | "replace" | "format")
                | ("java/lang/StringBuilder", "toString" | "append") => Kind::NonNull,
                (
                    "java/lang/Integer"
                    | "java/lang/Long"
                    | "java/lang/Short"
                    | "java/lang/Byte"
                    | "java/lang/Boolean"
                    | "java/lang/Character"
                    | "java/lang/Float"
                    | "java/lang/Double",
                    "valueOf",
                ) => Kind::NonNull,
                _ => invoke.descriptor.result.as_ref().map_or(Kind::Any, of_type),
            }
        }
        _ => Kind::Any,
    }
}

/// What a type alone says of a word.
pub fn of_type(kind: &FieldType) -> Kind {
    match kind {
        FieldType::Primitive(Primitive::Boolean) => TRUTH,
        FieldType::Primitive(Primitive::Byte) => Kind::Int(i32::from(i8::MIN), i32::from(i8::MAX)),
        FieldType::Primitive(Primitive::Short) => Kind::Int(i32::from(i16::MIN), i32::from(i16::MAX)),
        FieldType::Primitive(Primitive::Char) => Kind::Int(0, i32::from(u16::MAX)),
        _ => Kind::Any,
    }
}
