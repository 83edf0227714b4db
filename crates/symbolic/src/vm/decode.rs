//! Translation of a method's code into the machine's instructions, when it is first called. Owns operands, jump
//! targets, exception and line tables; resolves nothing.

use std::sync::Arc;

use bytecode::instruction::{Instruction, Operand, decode, opcode as op};
use bytecode::raw::{RawClass, RawCode};

use super::class::{Body, Handler, MethodId};
use super::insn::{Insn, Op, SwitchTable};
use super::machine::Machine;
use super::stop::{Run, Stop};
use super::verify::verify;

/// Makes a method's code ready to run.
pub(super) fn translate(machine: &mut Machine, id: MethodId) -> Run<()> {
    let method = machine.method_at(id);
    let (class, index) = (method.class, usize::from(method.index));
    let bytes = machine.class(class).bytes.clone();
    let malformed = |what: String| Stop::Malformed(what.into());
    let raw = RawClass::parse(&bytes).map_err(|p| malformed(p.to_string()))?;
    let member = raw.methods.get(index).ok_or_else(|| malformed("no such method".to_owned()))?;
    let code = raw.code(member).map_err(|p| malformed(p.to_string()))?;
    let code = code.ok_or_else(|| malformed("no code".to_owned()))?;
    let instructions = decode(code.code, code.code_start).map_err(|p| malformed(p.to_string()))?;
    if code.max_locals < machine.method_at(id).arguments {
        return Err(malformed("arguments beyond the locals".to_owned()).into());
    }
    if machine.class(class).is_application {
        verify(machine, id, raw.version.0, &code, &instructions)?;
    }
    let start = machine.code.len() as u32;
    let place = Place { start, pcs: instructions.iter().map(|i| i.pc).collect() };
    for instruction in &instructions {
        let insn = insn_of(machine, instruction, &place)?;
        machine.code.push(insn);
        // Code is at most 65,535 bytes long.
        machine.pcs.push(instruction.pc as u16);
    }
    machine.code.push(Insn::new(Op::FellOff));
    machine.pcs.push(0);
    let handlers: Vec<Handler> = code
        .handlers
        .iter()
        .map(|h| {
            let target = place.exact(u32::from(h.handler_pc));
            target.map(|target| Handler {
                start: place.from(u32::from(h.start_pc)),
                end: place.from(u32::from(h.end_pc)),
                target,
                catch: h.catch_type,
            })
        })
        .collect::<Option<_>>()
        .ok_or_else(|| malformed("a handler in the middle of an instruction".to_owned()))?;
    let lines = lines(&raw, &code);
    let end = machine.code.len() as u32;
    let method = &mut machine.methods[id.0 as usize];
    method.max_stack = code.max_stack;
    method.max_locals = code.max_locals;
    method.handlers = handlers.into();
    method.lines = lines;
    method.end = end;
    method.body = Body::Ready(start);
    Ok(())
}

/// Where instructions go.
struct Place {
    start: u32,
    /// Sorted.
    pcs: Vec<u32>,
}

impl Place {
    fn exact(&self, pc: u32) -> Option<u32> {
        self.pcs.binary_search(&pc).ok().map(|at| self.start + at as u32)
    }

    /// The first instruction at or behind a pc.
    fn from(&self, pc: u32) -> u32 {
        self.start + self.pcs.partition_point(|p| *p < pc) as u32
    }

    fn target(&self, pc: u32) -> u32 {
        // The decoder has checked that jumps go to instructions.
        self.exact(pc).unwrap_or(self.start)
    }
}

fn lines(raw: &RawClass<'_>, code: &RawCode<'_>) -> Arc<[(u32, u16)]> {
    let mut lines = Vec::new();
    for attribute in code.attributes.iter(&raw.pool) {
        if attribute.name == "LineNumberTable" {
            for row in attribute.content.get(2..).unwrap_or_default().chunks_exact(4) {
                let number = |a: u8, b: u8| u16::from_be_bytes([a, b]);
                lines.push((u32::from(number(row[0], row[1])), number(row[2], row[3])));
            }
        }
    }
    // Several lines may begin at one pc; the last one counts.
    lines.sort_by_key(|(pc, _)| *pc);
    lines.into()
}

fn insn_of(machine: &mut Machine, i: &Instruction<'_>, place: &Place) -> Run<Insn> {
    let constant = || u32::from(i.constant().unwrap_or(0));
    let local = || match i.operand {
        Operand::Local(local) => u32::from(local),
        _ => 0,
    };
    let jump = || i.jump_target().map_or(place.start, |t| place.target(t));
    let with = |op: Op| Insn { c: u16::from(i.opcode), ..Insn::new(op) };
    Ok(match i.opcode {
        op::NOP => Insn::new(Op::Nop),
        op::ACONST_NULL => Insn::a(Op::ConstRef, 0),
        op::ICONST_M1..=op::ICONST_5 => Insn::a(Op::ConstInt, (i32::from(i.opcode) - i32::from(op::ICONST_0)) as u32),
        op::LCONST_0 | op::LCONST_1 => Insn::long(u64::from(i.opcode - op::LCONST_0)),
        op::FCONST_0..=op::FCONST_2 => Insn::a(Op::ConstWord, f32::from(i.opcode - op::FCONST_0).to_bits()),
        op::DCONST_0 | op::DCONST_1 => Insn::long(f64::from(i.opcode - op::DCONST_0).to_bits()),
        op::BIPUSH | op::SIPUSH => match i.operand {
            Operand::Int(value) => Insn::a(Op::ConstInt, value as u32),
            _ => Insn::new(Op::Nop),
        },
        op::LDC | op::LDC_W | op::LDC2_W => Insn::a(Op::LdcPool, constant()),
        op::ILOAD | op::FLOAD | op::ALOAD => Insn::a(Op::Load, local()),
        op::LLOAD | op::DLOAD => Insn::a(Op::Load2, local()),
        // Short forms come in rows of four per type: int, long, float, double, reference.
        op::ILOAD_0..=op::ALOAD_3 => {
            let wide = matches!((i.opcode - op::ILOAD_0) / 4, 1 | 3);
            Insn::a(if wide { Op::Load2 } else { Op::Load }, local())
        }
        op::ISTORE | op::FSTORE | op::ASTORE => Insn::a(Op::Store, local()),
        op::LSTORE | op::DSTORE => Insn::a(Op::Store2, local()),
        op::ISTORE_0..=op::ASTORE_3 => {
            let wide = matches!((i.opcode - op::ISTORE_0) / 4, 1 | 3);
            Insn::a(if wide { Op::Store2 } else { Op::Store }, local())
        }
        op::LALOAD | op::DALOAD => Insn::new(Op::ArrayLoad2),
        op::IALOAD..=op::SALOAD => Insn::new(Op::ArrayLoad),
        op::LASTORE | op::DASTORE => with(Op::ArrayStore2),
        op::AASTORE => Insn::new(Op::ReferenceStore),
        op::IASTORE..=op::SASTORE => with(Op::ArrayStore),
        op::POP => Insn::new(Op::Pop),
        op::POP2 => Insn::new(Op::Pop2),
        op::DUP => Insn::new(Op::Dup),
        op::DUP_X1 => Insn::new(Op::DupX1),
        op::DUP_X2 => Insn::new(Op::DupX2),
        op::DUP2 => Insn::new(Op::Dup2),
        op::DUP2_X1 => Insn::new(Op::Dup2X1),
        op::DUP2_X2 => Insn::new(Op::Dup2X2),
        op::SWAP => Insn::new(Op::Swap),
        op::IADD => Insn::new(Op::IntAdd),
        op::ISUB => Insn::new(Op::IntSub),
        op::IINC => match i.operand {
            Operand::Increment { local, by } => Insn::ab(Op::Increment, u32::from(local), i32::from(by) as u32),
            _ => Insn::new(Op::Nop),
        },
        op::LADD..=op::LXOR | op::I2L..=op::DCMPG => with(Op::Arithmetic),
        op::IFEQ..=op::IFLE => Insn { a: jump(), ..with(Op::IfZero) },
        op::IF_ICMPEQ..=op::IF_ICMPLE => Insn { a: jump(), ..with(Op::IfInt) },
        op::IF_ACMPEQ | op::IF_ACMPNE => Insn { a: jump(), ..with(Op::IfReference) },
        op::IFNULL | op::IFNONNULL => Insn { a: jump(), ..with(Op::IfNull) },
        op::GOTO | op::GOTO_W => Insn::a(Op::Goto, jump()),
        op::JSR | op::JSR_W => Insn::a(Op::Jsr, jump()),
        op::RET => Insn::a(Op::Ret, local()),
        op::TABLESWITCH | op::LOOKUPSWITCH => {
            let Some(switch) = i.switch() else { return Ok(Insn::new(Op::FellOff)) };
            let (keys, targets): (Vec<i32>, Vec<u32>) = switch.cases().map(|(k, t)| (k, place.target(t))).unzip();
            let table = SwitchTable {
                default: place.target(switch.default_target()),
                keys: keys.into(),
                targets: targets.into(),
            };
            machine.switches.push(table);
            let op = if switch.is_table() { Op::TableSwitch } else { Op::LookupSwitch };
            Insn::a(op, machine.switches.len() as u32 - 1)
        }
        op::IRETURN | op::FRETURN | op::ARETURN => Insn::new(Op::ReturnOne),
        op::LRETURN | op::DRETURN => Insn::new(Op::ReturnTwo),
        op::RETURN => Insn::new(Op::Return),
        op::GETSTATIC => Insn::a(Op::GetStaticPool, constant()),
        op::PUTSTATIC => Insn::a(Op::PutStaticPool, constant()),
        op::GETFIELD => Insn::a(Op::GetFieldPool, constant()),
        op::PUTFIELD => Insn::a(Op::PutFieldPool, constant()),
        op::INVOKEVIRTUAL => Insn::a(Op::InvokeVirtualPool, constant()),
        op::INVOKESPECIAL => Insn::a(Op::InvokeSpecialPool, constant()),
        op::INVOKESTATIC => Insn::a(Op::InvokeStaticPool, constant()),
        op::INVOKEINTERFACE => Insn::a(Op::InvokeInterfacePool, constant()),
        op::INVOKEDYNAMIC => Insn::a(Op::InvokeDynamicPool, constant()),
        op::NEW => Insn::a(Op::NewPool, constant()),
        op::NEWARRAY => {
            let code = match i.operand {
                Operand::ArrayType(code) => usize::from(code),
                _ => 0,
            };
            // The codes 4 to 11 mean Z C F D B S I J.
            let letter = code.checked_sub(4).and_then(|c| "ZCFDBSIJ".chars().nth(c));
            let Some(element) = letter.and_then(|l| machine.primitive_class(l)) else {
                return Err(Stop::Malformed("an array of an unknown type".into()).into());
            };
            Insn::a(Op::NewArray, machine.array_class(element).0)
        }
        op::ANEWARRAY => Insn::a(Op::NewReferenceArrayPool, constant()),
        op::MULTIANEWARRAY => {
            let n = match i.operand {
                Operand::MultiNewArray { dimensions, .. } => dimensions,
                _ => 0,
            };
            Insn { n, ..Insn::a(Op::MultiNewArrayPool, constant()) }
        }
        op::ARRAYLENGTH => Insn::new(Op::ArrayLength),
        op::ATHROW => Insn::new(Op::Throw),
        op::CHECKCAST => Insn::a(Op::CheckCastPool, constant()),
        op::INSTANCEOF => Insn::a(Op::InstanceOfPool, constant()),
        op::MONITORENTER => Insn::new(Op::MonitorEnter),
        op::MONITOREXIT => Insn::new(Op::MonitorExit),
        _ => return Err(Stop::Malformed("an unknown instruction".into()).into()),
    })
}
