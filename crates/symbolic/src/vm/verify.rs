//! Checks a method of the application before it first runs: whatever its code does, every instruction finds values of
//! the types it works on. Owns the types of locals and stack. Without this, code that no compiler makes could take a
//! number for a reference; the machine itself checks nothing of the kind while it runs. The JDK's own code is trusted.

mod effect;
mod types;

pub(super) use effect::simple as simple_effect;

use bytecode::instruction::{Instruction, opcode as op};
use bytecode::raw::RawCode;

use super::class::MethodId;
use super::machine::Machine;
use super::stop::{Run, Stop};
use super::synthetic::split;
use types::{State, Type};

/// The first release whose class files have no subroutines.
const WITHOUT_SUBROUTINES: u16 = 51;

fn refuse<T>(what: impl Into<String>) -> Run<T> {
    Err(Stop::Malformed(what.into().into()).into())
}

/// Refuses code that a JVM's verifier would refuse for what it does to values.
pub(super) fn verify(
    machine: &mut Machine,
    id: MethodId,
    version: u16,
    code: &RawCode<'_>,
    instructions: &[Instruction<'_>],
) -> Run<()> {
    let subroutines = |i: &Instruction<'_>| matches!(i.opcode, op::JSR | op::JSR_W | op::RET);
    if instructions.iter().any(subroutines) {
        // Old compilers wrote finally blocks like this; types are only known if every call of them is walked
        // separately.
        return if version < WITHOUT_SUBROUTINES { Ok(()) } else { refuse("a subroutine in a new class") };
    }
    let Some(first) = instructions.first() else { return refuse("no instructions") };
    let mut flow = Flow {
        method: id,
        pcs: instructions.iter().map(|i| i.pc).collect(),
        states: vec![None; instructions.len()],
        waiting: Vec::new(),
        is_waiting: vec![false; instructions.len()],
        largest: usize::from(code.max_stack),
    };
    let entry = entry(machine, id, usize::from(code.max_locals))?;
    flow.meet(machine, first.pc, &entry)?;
    while let Some(at) = flow.waiting.pop() {
        flow.is_waiting[at] = false;
        let instruction = &instructions[at];
        let Some(mut state) = flow.states[at].clone() else { continue };
        for handler in &code.handlers {
            let inside = u32::from(handler.start_pc) <= instruction.pc && instruction.pc < u32::from(handler.end_pc);
            if inside {
                let caught = caught(machine, id, handler.catch_type)?;
                let begin = State { locals: state.locals.clone(), stack: vec![caught] };
                flow.meet(machine, u32::from(handler.handler_pc), &begin)?;
            }
        }
        effect::apply(machine, id, instruction, &mut state)?;
        let mut targets = Vec::new();
        instruction.for_each_target(|target| targets.push(target));
        for target in targets {
            flow.meet(machine, target, &state)?;
        }
        if instruction.falls_through() {
            flow.meet(machine, instruction.next_pc(), &state)?;
        }
    }
    Ok(())
}

/// What is known at each instruction.
struct Flow {
    method: MethodId,
    pcs: Vec<u32>,
    states: Vec<Option<State>>,
    waiting: Vec<usize>,
    is_waiting: Vec<bool>,
    largest: usize,
}

impl Flow {
    fn meet(&mut self, machine: &mut Machine, pc: u32, state: &State) -> Run<()> {
        let Ok(at) = self.pcs.binary_search(&pc) else { return refuse("control leaves the code") };
        if state.stack.len() > self.largest {
            return refuse("more on the stack than there is room for");
        }
        let changed = match &mut self.states[at] {
            None => {
                self.states[at] = Some(state.clone());
                true
            }
            Some(known) => {
                let mut merged = std::mem::take(known);
                let changed = merged.merge(machine, state);
                self.states[at] = Some(merged);
                match changed {
                    Some(changed) => changed,
                    None => {
                        return refuse(format!("stacks of different depth in {}", machine.method_name(self.method)));
                    }
                }
            }
        };
        if changed && !self.is_waiting[at] {
            self.is_waiting[at] = true;
            self.waiting.push(at);
        }
        Ok(())
    }
}

fn entry(machine: &mut Machine, id: MethodId, locals: usize) -> Run<State> {
    let method = machine.method_at(id);
    let (class, is_static) = (method.class, method.is_static());
    let descriptor = machine.symbols.get(method.descriptor).clone();
    let mut state = State::default();
    if !is_static {
        state.locals.push(Type::Object(machine.class(class).name));
    }
    let (params, _) = split(&descriptor)?;
    for param in &params {
        state.locals.extend(Type::slots(machine, param));
    }
    if state.locals.len() > locals {
        return refuse("arguments beyond the locals");
    }
    state.locals.resize(locals, Type::Unusable);
    Ok(state)
}

/// The type a handler finds on the stack.
fn caught(machine: &mut Machine, id: MethodId, catch: u16) -> Run<Type> {
    let class = machine.method_at(id).class;
    let name = match catch {
        0 => machine.symbols.intern("java/lang/Throwable"),
        index => match machine.constant(class, index)? {
            super::class::PoolConstant::Class(name) => name,
            _ => return refuse("a handler of no class"),
        },
    };
    let throwable = machine.symbols.intern("java/lang/Throwable");
    if !types::is_assignable(machine, Type::Object(name), throwable) {
        return refuse("a handler of what cannot be thrown");
    }
    Ok(Type::Object(name))
}
