//! The loop over instructions. Owns moving values, jumps and returns; arithmetic, members, objects and calls are in the
//! files beside it.

use bytecode::instruction::opcode as op;

use super::heap::{HEADER, Ref};
use super::insn::{Insn, Op};
use super::machine::Machine;
use super::path::Check;
use super::stop::{Run, Stop, Trap};

impl Machine {
    /// Runs until the call that pushed the frame number `floor` ends.
    pub(super) fn run(&mut self, floor: usize) -> Run<()> {
        loop {
            let insn = self.code[self.pc];
            if insn.op == Op::Exit {
                return Ok(());
            }
            self.pc += 1;
            self.steps += 1;
            if self.steps > self.limits.steps {
                return Err(Stop::Steps.into());
            }
            match self.step(insn) {
                Ok(()) => {}
                Err(Trap::Throw(exception)) => self.unwind(exception, floor)?,
                Err(stop) => return Err(stop),
            }
        }
    }

    #[inline(always)]
    fn step(&mut self, insn: Insn) -> Run<()> {
        match insn.op {
            Op::Nop => {}
            Op::ConstInt => self.push(insn.a as i32 as i64 as u64),
            Op::ConstWord | Op::ConstRef => self.push(u64::from(insn.a)),
            Op::ConstLong => self.push2(insn.word()),
            Op::Load => {
                let at = self.base + insn.a as usize;
                self.push_with(self.stack[at], self.term_at(at));
            }
            Op::Load2 => {
                let at = self.base + insn.a as usize;
                self.push_with(self.stack[at], self.term_at(at));
                self.sp += 1;
            }
            Op::Store => {
                self.sp -= 1;
                self.move_slot(self.sp, self.base + insn.a as usize);
            }
            Op::Store2 => {
                self.sp -= 2;
                self.move_slot(self.sp, self.base + insn.a as usize);
            }
            Op::IntAdd => {
                let (a, b) = (self.stack[self.sp - 2] as i32, self.stack[self.sp - 1] as i32);
                self.binary(op::IADD, a.wrapping_add(b) as i64 as u64, 1, 1);
            }
            Op::IntSub => {
                let (a, b) = (self.stack[self.sp - 2] as i32, self.stack[self.sp - 1] as i32);
                self.binary(op::ISUB, a.wrapping_sub(b) as i64 as u64, 1, 1);
            }
            Op::Increment => {
                let at = self.base + insn.a as usize;
                let by = insn.b as i32;
                self.stack[at] = (self.stack[at] as i32).wrapping_add(by) as i64 as u64;
                if let Some(term) = self.term_at(at) {
                    let by = self.path.terms.int(by);
                    self.terms_stack[at] = Some(self.path.terms.iadd(term, by));
                }
            }
            Op::IfZero => {
                let a = self.pop() as i32;
                let taken = match insn.c as u8 {
                    op::IFEQ => a == 0,
                    op::IFNE => a != 0,
                    op::IFLT => a < 0,
                    op::IFGE => a >= 0,
                    op::IFGT => a > 0,
                    _ => a <= 0,
                };
                if let Some(term) = self.term_at(self.sp) {
                    let zero = self.path.terms.int(0);
                    self.branch(insn.c as u8 - op::IFEQ, term, zero, taken);
                }
                self.watch_branch(taken);
                if taken {
                    self.pc = insn.a as usize;
                }
            }
            Op::IfInt => {
                self.sp -= 2;
                let (a, b) = (self.stack[self.sp] as i32, self.stack[self.sp + 1] as i32);
                let taken = match insn.c as u8 {
                    op::IF_ICMPEQ => a == b,
                    op::IF_ICMPNE => a != b,
                    op::IF_ICMPLT => a < b,
                    op::IF_ICMPGE => a >= b,
                    op::IF_ICMPGT => a > b,
                    _ => a <= b,
                };
                if self.symbolic && (self.terms_stack[self.sp].is_some() || self.terms_stack[self.sp + 1].is_some()) {
                    let (x, y) = (self.int_term(self.sp), self.int_term(self.sp + 1));
                    self.branch(insn.c as u8 - op::IF_ICMPEQ, x, y, taken);
                }
                self.watch_branch(taken);
                if taken {
                    self.pc = insn.a as usize;
                }
            }
            Op::IfReference => {
                self.sp -= 2;
                let (a, b) = (self.sp, self.sp + 1);
                let equal = if self.symbolic && (self.terms_stack[a].is_some() || self.terms_stack[b].is_some()) {
                    self.equal_references(a, b)
                } else {
                    self.same_reference(self.stack[a], self.stack[b])
                };
                let taken = equal == (insn.c as u8 == op::IF_ACMPEQ);
                self.watch_branch(taken);
                if taken {
                    self.pc = insn.a as usize;
                }
            }
            Op::IfNull => {
                let null = self.pop() == 0;
                if let Some(term) = self.term_at(self.sp) {
                    self.null_condition(term, self.stack[self.sp], Check::Branch);
                }
                let taken = null == (insn.c as u8 == op::IFNULL);
                self.watch_branch(taken);
                if taken {
                    self.pc = insn.a as usize;
                }
            }
            Op::Goto => self.pc = insn.a as usize,
            Op::ArrayLoad => self.array_load()?,
            Op::ArrayLoad2 => {
                self.array_load()?;
                self.sp += 1;
            }
            Op::ArrayStore => self.array_store(insn, 1)?,
            Op::ArrayStore2 => self.array_store(insn, 2)?,
            Op::ReferenceStore => self.reference_store()?,
            Op::GetField => {
                self.dereference(self.sp - 1);
                let object = self.stack[self.sp - 1] as Ref;
                if object == 0 {
                    return Err(self.null_pointer());
                }
                let at = object + HEADER + insn.a;
                self.sp -= 1;
                self.push_with(self.heap.get(at), self.heap_term(at));
            }
            Op::GetField2 => {
                self.dereference(self.sp - 1);
                let object = self.stack[self.sp - 1] as Ref;
                if object == 0 {
                    return Err(self.null_pointer());
                }
                let at = object + HEADER + insn.a;
                self.sp -= 1;
                self.push_with(self.heap.get(at), self.heap_term(at));
                self.sp += 1;
            }
            Op::PutField => self.put_field(insn, 1)?,
            Op::PutField2 => self.put_field(insn, 2)?,
            Op::Return => self.leave(),
            Op::ReturnOne => {
                let from = self.sp - 1;
                self.move_slot(from, self.base);
                self.leave();
                self.sp += 1;
            }
            Op::ReturnTwo => {
                let from = self.sp - 2;
                self.move_slot(from, self.base);
                self.leave();
                self.sp += 2;
            }
            Op::InvokeVirtual => {
                let at = self.sp - usize::from(insn.c);
                let receiver = self.stack[at] as Ref;
                if self.symbolic && self.terms_stack[at].is_some() {
                    self.receiver_condition(at, insn);
                }
                if receiver == 0 {
                    return Err(self.null_pointer());
                }
                let class = self.heap.class_of(receiver) as usize;
                let Some(&method) = self.classes.get(class).and_then(|c| c.vtable.get(insn.b as usize)) else {
                    return Err(self.no_receiver(insn));
                };
                self.enter(method)?;
            }
            Op::InvokeSpecial => {
                self.ask_for_null(self.sp - usize::from(insn.c));
                if self.stack[self.sp - usize::from(insn.c)] == 0 {
                    return Err(self.null_pointer());
                }
                self.enter(insn.method())?;
            }
            Op::InvokeStatic => {
                if self.heap.get(insn.b) != super::class::init::DONE {
                    let class = self.method_at(insn.method()).class;
                    self.initialise(class)?;
                }
                if insn.c != 0 && self.symbolic && self.box_on_stack(insn.method(), usize::from(insn.c))? {
                    return Ok(());
                }
                self.enter(insn.method())?;
            }
            Op::InvokeInterface => self.invoke_interface(insn)?,
            Op::ArrayLength => {
                self.dereference(self.sp - 1);
                let array = self.stack[self.sp - 1] as Ref;
                if array == 0 {
                    return Err(self.null_pointer());
                }
                self.sp -= 1;
                let term = if self.symbolic { self.heap.length_term(array) } else { None };
                self.push_with(self.heap.length(array) as i64 as u64, term);
            }
            Op::Dup => {
                self.move_slot(self.sp - 1, self.sp);
                self.sp += 1;
            }
            Op::Pop => self.sp -= 1,
            Op::Pop2 => self.sp -= 2,
            Op::DupX1 => self.dup(1, 1),
            Op::DupX2 => self.dup(1, 2),
            Op::Dup2 => {
                self.move_slot(self.sp - 2, self.sp);
                self.move_slot(self.sp - 1, self.sp + 1);
                self.sp += 2;
            }
            Op::Dup2X1 => self.dup(2, 1),
            Op::Dup2X2 => self.dup(2, 2),
            Op::Swap => {
                self.stack.swap(self.sp - 1, self.sp - 2);
                if self.symbolic {
                    self.terms_stack.swap(self.sp - 1, self.sp - 2);
                }
            }
            Op::Arithmetic => self.arithmetic(insn.c as u8)?,
            Op::TableSwitch => {
                let key = self.pop() as i32;
                let table = &self.switches[insn.a as usize];
                let at = table.keys.first().and_then(|low| usize::try_from(i64::from(key) - i64::from(*low)).ok());
                let target = at.and_then(|at| table.targets.get(at)).copied();
                self.switch(insn.a, key, target);
            }
            Op::LookupSwitch => {
                let key = self.pop() as i32;
                let table = &self.switches[insn.a as usize];
                let target = table.keys.binary_search(&key).ok().map(|at| table.targets[at]);
                self.switch(insn.a, key, target);
            }
            Op::GetStatic | Op::GetStatic2 => {
                if self.heap.get(insn.b) != super::class::init::DONE {
                    self.initialise_statics(insn.b)?;
                }
                self.push_with(self.heap.get(insn.a), self.heap_term(insn.a));
                if insn.op == Op::GetStatic2 {
                    self.sp += 1;
                }
            }
            Op::PutStatic | Op::PutStatic2 => {
                if self.heap.get(insn.b) != super::class::init::DONE {
                    self.initialise_statics(insn.b)?;
                }
                self.sp -= if insn.op == Op::PutStatic2 { 2 } else { 1 };
                self.heap.set(insn.a, self.stack[self.sp]);
                if self.symbolic {
                    self.heap.set_term(insn.a, self.terms_stack[self.sp]);
                }
            }
            Op::New => {
                if self.heap.get(insn.b) != super::class::init::DONE {
                    self.initialise_statics(insn.b)?;
                }
                let object = self.allocate(super::class::ClassId(insn.a))?;
                self.push(u64::from(object));
            }
            Op::CheckCast => self.check_cast(insn)?,
            Op::InstanceOf => {
                let object = self.stack[self.sp - 1] as Ref;
                self.sp -= 1;
                let class = super::class::ClassId(insn.a);
                let term = self.term_at(self.sp).and_then(|term| self.instance_term(term, class));
                let is = object != 0 && self.is_subtype(self.class_of(object), class);
                self.push_with(u64::from(is), term);
            }
            Op::Jsr => {
                self.push(self.pc as u64);
                self.pc = insn.a as usize;
            }
            Op::Ret => self.pc = self.stack[self.base + insn.a as usize] as usize,
            Op::Throw => {
                self.dereference(self.sp - 1);
                let exception = self.stack[self.sp - 1] as Ref;
                return Err(if exception == 0 { self.null_pointer() } else { Trap::Throw(exception) });
            }
            Op::MonitorEnter => {
                self.ask_for_null(self.sp - 1);
                let object = self.stack[self.sp - 1] as Ref;
                if object == 0 {
                    return Err(self.null_pointer());
                }
                self.sp -= 1;
                self.monitors.push(object);
            }
            Op::MonitorExit => self.monitor_exit()?,
            Op::FellOff => return Err(Stop::Malformed("control leaves the code".into()).into()),
            Op::Exit => {}
            _ => self.rare(insn)?,
        }
        Ok(())
    }

    /// Only code that a verifier refuses can do this: call a method on something that does not have it.
    #[cold]
    fn no_receiver(&self, insn: Insn) -> Trap {
        let receiver = self.stack[self.sp - usize::from(insn.c)] as Ref;
        let (here, called) = (self.method_name(self.method), self.method_name(insn.method()));
        Stop::Malformed(format!("{here} calls {called} on something else ({receiver})").into()).into()
    }

    #[inline(always)]
    pub(super) fn move_slot(&mut self, from: usize, to: usize) {
        self.stack[to] = self.stack[from];
        if self.symbolic {
            self.terms_stack[to] = self.terms_stack[from];
        }
    }

    #[inline(always)]
    pub(super) fn heap_term(&self, at: u32) -> Option<crate::expr::Term> {
        if self.symbolic {
            self.heap.accesses.note(at, false);
            self.heap.term(at)
        } else {
            None
        }
    }

    /// Puts a copy of the top `count` slots below the `under` slots under them.
    fn dup(&mut self, count: usize, under: usize) {
        for i in 0..count + under {
            self.move_slot(self.sp - 1 - i, self.sp - 1 - i + count);
        }
        let bottom = self.sp - count - under;
        for i in 0..count {
            self.move_slot(self.sp + i, bottom + i);
        }
        self.sp += count;
    }

    fn switch(&mut self, table: u32, key: i32, target: Option<u32>) {
        if let Some(term) = self.term_at(self.sp) {
            self.switch_condition(table, term, key);
        }
        let target = target.unwrap_or(self.switches[table as usize].default);
        self.watch_switch(target);
        self.pc = target as usize;
    }

    /// Instructions that resolve something first, or are rare.
    #[inline(never)]
    fn rare(&mut self, insn: Insn) -> Run<()> {
        match insn.op {
            Op::LdcPool => self.ldc(insn),
            Op::GetStaticPool | Op::PutStaticPool => self.resolve_static(insn),
            Op::GetSalt => self.get_salt(insn),
            Op::GetFieldPool | Op::PutFieldPool => self.resolve_field(insn),
            Op::InvokeVirtualPool => self.resolve_virtual(insn),
            Op::InvokeSpecialPool => self.resolve_special(insn),
            Op::InvokeStaticPool => self.resolve_invoke_static(insn),
            Op::InvokeInterfacePool => self.resolve_interface(insn),
            Op::InvokeDynamicPool => self.invoke_dynamic(insn),
            Op::InvokePolymorphic => self.invoke_polymorphic(insn),
            Op::PatternSwitch => self.pattern_switch(insn),
            Op::NewPool => self.resolve_new(insn),
            Op::NewReferenceArrayPool => {
                let element = self.pool_class(self.current_class(), insn.a as u16)?;
                let class = self.array_class(element);
                self.requicken(Insn { op: Op::NewArray, a: class.0, ..insn });
                Ok(())
            }
            Op::NewArray => {
                let at = self.sp - 1;
                let length = self.stack[at] as i32;
                if let Some(term) = self.term_at(at) {
                    self.length_condition(term, length);
                }
                let array = self.new_array(super::class::ClassId(insn.a), length)?;
                self.sp = at;
                self.push(u64::from(array));
                Ok(())
            }
            Op::MultiNewArrayPool => self.multi_new_array(insn),
            Op::CheckCastPool | Op::InstanceOfPool => {
                if self.stack[self.sp - 1] == 0 && self.term_at(self.sp - 1).is_none() {
                    // Null needs no class.
                    if insn.op == Op::InstanceOfPool {
                        self.sp -= 1;
                        self.push(0);
                    }
                    return Ok(());
                }
                let class = self.pool_class(self.current_class(), insn.a as u16)?;
                let op = if insn.op == Op::CheckCastPool { Op::CheckCast } else { Op::InstanceOf };
                self.requicken(Insn { op, a: class.0, ..insn });
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Puts the resolved form in the place of the instruction being executed and executes it next.
    pub(super) fn requicken(&mut self, insn: Insn) {
        self.pc -= 1;
        self.steps -= 1;
        self.code[self.pc] = insn;
    }

    #[inline(always)]
    fn array_load(&mut self) -> Run<()> {
        let index = self.sp - 1;
        self.dereference(index - 1);
        let (array, term) = (self.stack[index - 1] as Ref, self.term_at(index));
        if let Some(term) = term.filter(|_| array != 0) {
            let (value, length) = (self.stack[index] as i32, self.heap.length(array));
            let found = self.load_at_term(array, term, value);
            if value as u32 >= length as u32 {
                return Err(self.index_out_of_bounds(value, length));
            }
            self.sp -= 2;
            self.push_with(self.heap.get(array + HEADER + value as u32), found);
            return Ok(());
        }
        let at = self.element()?;
        self.push_with(self.heap.get(at), self.heap_term(at));
        Ok(())
    }

    /// The place of the element that array and index on the stack mean; takes both from the stack.
    fn element(&mut self) -> Run<u32> {
        let array = self.stack[self.sp - 2] as Ref;
        if array == 0 {
            return Err(self.null_pointer());
        }
        let index = self.stack[self.sp - 1] as i32;
        let length = self.heap.length(array);
        if self.symbolic {
            let known = self.heap.length_term(array);
            match self.terms_stack[self.sp - 1] {
                Some(term) => self.index_condition(array, term, index),
                None if known.is_some() => self.inside_condition(array, None, index),
                None => {}
            }
        }
        if index as u32 >= length as u32 {
            return Err(self.index_out_of_bounds(index, length));
        }
        self.sp -= 2;
        Ok(array + HEADER + index as u32)
    }

    fn array_store(&mut self, insn: Insn, width: usize) -> Run<()> {
        let value_at = self.sp - width;
        self.dereference(value_at - 2);
        let mut value = self.stack[value_at];
        let mut term = self.term_at(value_at);
        self.sp = value_at;
        let array = self.stack[self.sp - 2] as Ref;
        let by_choice = self.term_at(self.sp - 1).filter(|_| array != 0 && self.stores_by_choice(array));
        if let Some(index) = by_choice {
            self.inside_condition(array, Some(index), self.stack[self.sp - 1] as i32);
            self.terms_stack[self.sp - 1] = None;
        }
        let at = self.element()?;
        match insn.c as u8 {
            op::BASTORE => {
                if self.heap.class_of(array) == self.well_known.byte_array.0 {
                    value = value as i8 as i64 as u64;
                    term = term.map(|t| self.path.terms.i2b(t));
                } else {
                    value &= 1;
                    term = term.map(|t| {
                        let one = self.path.terms.int(1);
                        self.path.terms.iand(t, one)
                    });
                }
            }
            op::CASTORE => {
                value = u64::from(value as u16);
                term = term.map(|t| self.path.terms.i2c(t));
            }
            op::SASTORE => {
                value = value as i16 as i64 as u64;
                term = term.map(|t| self.path.terms.i2s(t));
            }
            _ => {}
        }
        if let Some(index) = by_choice {
            self.store_choice(array, index, at, value, term);
            return Ok(());
        }
        self.heap.set(at, value);
        if self.symbolic {
            self.heap.set_term(at, term);
        }
        Ok(())
    }

    fn reference_store(&mut self) -> Run<()> {
        self.dereference(self.sp - 3);
        let value = self.stack[self.sp - 1];
        let term = self.term_at(self.sp - 1);
        let array = self.stack[self.sp - 3] as Ref;
        self.sp -= 1;
        let at = self.element()?;
        if let super::class::Kind::Array { element } = self.class(self.class_of(array)).kind {
            if let Some(term) = term {
                self.fitting_condition(term, value, element, Check::Store);
            }
            let class = self.class_of(value as Ref);
            if value != 0 && !self.is_subtype(class, element) {
                let name = self.class_name(class).replace('/', ".");
                return Err(self.throw("java/lang/ArrayStoreException", Some(&name)));
            }
        }
        self.heap.set(at, value);
        if self.symbolic {
            self.heap.set_term(at, term);
        }
        Ok(())
    }

    fn put_field(&mut self, insn: Insn, width: usize) -> Run<()> {
        let value_at = self.sp - width;
        self.dereference(value_at - 1);
        let object = self.stack[value_at - 1] as Ref;
        if object == 0 {
            return Err(self.null_pointer());
        }
        let at = object + HEADER + insn.a;
        self.heap.set(at, narrow(insn.n, self.stack[value_at]));
        if self.symbolic {
            let term = self.terms_stack[value_at].map(|t| self.path.narrowed(insn.n, t));
            self.heap.set_term(at, term);
        }
        self.sp = value_at - 1;
        Ok(())
    }

    fn check_cast(&mut self, insn: Insn) -> Run<()> {
        let object = self.stack[self.sp - 1] as Ref;
        if let Some(term) = self.term_at(self.sp - 1) {
            self.fitting_condition(term, u64::from(object), super::class::ClassId(insn.a), Check::Cast);
        }
        if object != 0 {
            let (class, to) = (self.class_of(object), super::class::ClassId(insn.a));
            if !self.is_subtype(class, to) {
                return Err(self.class_cast(class, to));
            }
        }
        Ok(())
    }

    fn monitor_exit(&mut self) -> Run<()> {
        self.dereference(self.sp - 1);
        let object = self.stack[self.sp - 1] as Ref;
        if object == 0 {
            return Err(self.null_pointer());
        }
        match self.monitors.iter().rposition(|m| *m == object) {
            Some(at) => {
                self.monitors.remove(at);
                self.sp -= 1;
                Ok(())
            }
            None => {
                let text = "current thread is not owner";
                Err(self.throw("java/lang/IllegalMonitorStateException", Some(text)))
            }
        }
    }

    /// The implicit conditions of an array access that takes the index as it is.
    fn index_condition(&mut self, array: Ref, index: crate::expr::Term, value: i32) {
        self.inside_condition(array, Some(index), value);
        if (value as u32) < self.heap.length(array) as u32 {
            let site = self.site(Check::Bounds);
            self.path.pin(index, value, site);
        }
    }

    fn length_condition(&mut self, length: crate::expr::Term, value: i32) {
        let site = self.site(Check::NegativeSize);
        self.path.length(length, value, site);
    }
}

/// What a field of a small type keeps of an `int`: `n` is the descriptor's first letter for those, else 0.
#[inline(always)]
pub(super) fn narrow(n: u8, value: u64) -> u64 {
    match n {
        b'Z' => value & 1,
        b'B' => value as i8 as i64 as u64,
        b'C' => u64::from(value as u16),
        b'S' => value as i16 as i64 as u64,
        _ => value,
    }
}
