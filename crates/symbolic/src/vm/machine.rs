//! The machine: everything a running program consists of. Owns registers, stack, frames and limits; instructions are in
//! `run` and the files beside it. Touches nothing outside: classes come from a source, everything else from the
//! program.

use std::sync::Arc;

use bytecode::world::ClassSource;
use rustc_hash::FxHashMap;

use super::class::{Body, Class, ClassId, Method, MethodId, Slot};
use super::decode;
use super::heap::{Heap, Ref};
use super::insn::{Insn, Op, SwitchTable};
use super::natives::Natives;
use super::path::Path;
use super::pattern::PatternSite;
use super::polymorphic::PolymorphicSite;
use super::stop::{Run, Stop, Trap, Unmodelled};
use super::symbols::{Sym, Symbols};
use crate::expr::Term;

/// How far a run may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Instructions.
    pub steps: u64,
    /// Frames.
    pub depth: usize,
    /// Words of heap.
    pub words: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { steps: 20_000_000, depth: 6_000, words: 32 << 20 }
    }
}

/// Calls of the machine to itself (initialisers, natives that call back) nest on our own stack.
const NESTING: usize = 120;
const STACK: usize = 1 << 16;
const LARGEST_STACK: usize = 1 << 22;

/// Mark of a frame that was called by the machine: its end is the end of that call.
const TO_EXIT: u32 = 1 << 31;

/// Where a caller goes on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub method: MethodId,
    pub pc: u32,
    pub base: u32,
}

/// Classes the machine itself refers to.
#[derive(Clone, Copy, Debug)]
pub(super) struct WellKnown {
    pub object: ClassId,
    pub cloneable: ClassId,
    pub serializable: ClassId,
    pub string: ClassId,
    pub class: ClassId,
    pub byte_array: ClassId,
    pub string_value: u32,
    pub string_coder: u32,
    pub mirror_slot: u32,
}

/// A Java machine with one thread.
pub struct Machine {
    pub(super) source: Arc<dyn ClassSource>,
    pub(super) platform_prefixes: Vec<&'static str>,
    pub(super) symbols: Symbols,
    pub(super) classes: Vec<Class>,
    pub(super) class_index: FxHashMap<Sym, Option<ClassId>>,
    pub(super) loading: Vec<Sym>,
    pub(super) methods: Vec<Method>,
    pub(super) code: Vec<Insn>,
    /// The class-file pc of every instruction.
    pub(super) pcs: Vec<u16>,
    pub(super) switches: Vec<SwitchTable>,
    pub(super) patterns: Vec<PatternSite>,
    pub(super) polymorphic: Vec<PolymorphicSite>,
    pub(super) well_known: WellKnown,
    pub(super) heap: Heap,
    pub(super) strings: FxHashMap<Arc<[u16]>, Ref>,
    /// Strings the current run has interned.
    pub(super) run_strings: FxHashMap<Arc<[u16]>, Ref>,
    /// Classes first initialised in the current run.
    pub(super) newly_initialised: Vec<ClassId>,
    /// Classes whose initialisers this machine cannot bring to an end, and why.
    pub(super) stillborn: FxHashMap<ClassId, Stop>,
    /// Instructions of initialisers, ever: these do not count as steps of a run.
    pub(super) initialising: u64,
    pub(super) lambdas: u32,
    /// Classes of lambdas that statements made.
    pub(super) functional: FxHashMap<testcase::operation::Lambda, ClassId>,
    pub(super) shapes: FxHashMap<ClassId, Arc<super::shape::Shape>>,

    pub(super) stack: Vec<u64>,
    pub(super) terms_stack: Vec<Option<Term>>,
    pub(super) frames: Vec<Frame>,
    pub(super) monitors: Vec<Ref>,
    pub(super) pc: usize,
    pub(super) sp: usize,
    pub(super) base: usize,
    pub(super) method: MethodId,
    pub(super) steps: u64,
    pub(super) nesting: usize,
    pub(super) limits: Limits,
    /// Whether terms are attached to values.
    pub(super) symbolic: bool,
    pub(super) path: Path,
    pub(super) watch: super::watch::Watch,
    pub(super) lookout: Option<Box<super::aim::Lookout>>,
    /// The term of the result of the native that just ran.
    pub(super) native_term: Option<Term>,
    pub(super) thread: Ref,
    /// The class loader of the application, once it was asked for.
    pub(super) loader: Option<Ref>,
    pub(super) natives: Natives,
    /// The modelled method being called.
    pub(super) native: Option<MethodId>,
    /// Whether it is being called now, and not code that it calls.
    pub(super) in_native: bool,
    /// Counts baselines.
    pub(super) epoch: u32,
    pub(super) stopped_in: Vec<MethodId>,
    /// What the run used that differs from JVM to JVM.
    pub(super) unstable: super::unstable::Unstable,
}

impl std::fmt::Debug for Machine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Machine").field("classes", &self.classes.len()).field("heap", &self.heap.len()).finish()
    }
}

impl Machine {
    /// A machine without any class. `boot` makes it usable.
    pub(super) fn bare(source: Arc<dyn ClassSource>, limits: Limits) -> Machine {
        let none = ClassId(0);
        let well_known = WellKnown {
            object: none,
            cloneable: none,
            serializable: none,
            string: none,
            class: none,
            byte_array: none,
            string_value: 0,
            string_coder: 0,
            mirror_slot: 0,
        };
        Machine {
            source,
            platform_prefixes: vec!["java/", "javax/", "jdk/", "sun/", "com/sun/"],
            symbols: Symbols::default(),
            classes: Vec::new(),
            class_index: FxHashMap::default(),
            loading: Vec::new(),
            methods: Vec::new(),
            // Instruction 0 ends calls of the machine to itself.
            code: vec![Insn::new(Op::Exit)],
            pcs: vec![0],
            switches: Vec::new(),
            patterns: Vec::new(),
            polymorphic: Vec::new(),
            well_known,
            heap: Heap::default(),
            strings: FxHashMap::default(),
            run_strings: FxHashMap::default(),
            newly_initialised: Vec::new(),
            stillborn: FxHashMap::default(),
            initialising: 0,
            lambdas: 0,
            functional: FxHashMap::default(),
            shapes: FxHashMap::default(),
            stack: vec![0; STACK],
            terms_stack: Vec::new(),
            frames: Vec::new(),
            monitors: Vec::new(),
            pc: 0,
            sp: 0,
            base: 0,
            method: MethodId(0),
            steps: 0,
            nesting: 0,
            limits,
            symbolic: false,
            path: Path::default(),
            watch: super::watch::Watch::default(),
            lookout: None,
            native_term: None,
            thread: 0,
            loader: None,
            natives: Natives::default(),
            native: None,
            in_native: false,
            epoch: 0,
            stopped_in: Vec::new(),
            unstable: super::unstable::Unstable::default(),
        }
    }

    #[inline]
    pub(super) fn class(&self, id: ClassId) -> &Class {
        &self.classes[id.0 as usize]
    }

    #[inline]
    pub(super) fn method_at(&self, id: MethodId) -> &Method {
        &self.methods[id.0 as usize]
    }

    pub(super) fn class_of(&self, object: Ref) -> ClassId {
        ClassId(self.heap.class_of(object))
    }

    /// The internal name of a class.
    pub fn class_name(&self, id: ClassId) -> &Arc<str> {
        self.symbols.get(self.class(id).name)
    }

    pub(super) fn class_name_of(&self, object: Ref) -> &Arc<str> {
        self.class_name(self.class_of(object))
    }

    /// A new object of a class, fields zero. The class must be initialised and no array.
    pub fn allocate(&mut self, class: ClassId) -> Run<Ref> {
        let words = self.class(class).instance_words as usize;
        self.reserve(words)?;
        Ok(self.heap.allocate(class.0, 0, words))
    }

    /// A new array of an array class. The length must not be negative.
    pub fn allocate_array(&mut self, class: ClassId, length: u32) -> Run<Ref> {
        self.reserve(length as usize)?;
        Ok(self.heap.allocate(class.0, length, length as usize))
    }

    fn reserve(&self, words: usize) -> Run<()> {
        if self.heap.used() + words + 1 > self.limits.words {
            return Err(Stop::Memory.into());
        }
        Ok(())
    }

    /// A permanent object.
    pub(super) fn permanent(&mut self, class: ClassId, length: u32, words: u32) -> Run<Ref> {
        self.heap
            .allocate_permanent(class.0, length, words as usize)
            .ok_or_else(|| Stop::unmodelled("too many classes and literals").into())
    }

    // Registers and stack.

    #[inline]
    pub(super) fn push(&mut self, value: u64) {
        self.stack[self.sp] = value;
        if self.symbolic {
            self.terms_stack[self.sp] = None;
        }
        self.sp += 1;
    }

    #[inline]
    pub(super) fn push2(&mut self, value: u64) {
        self.push(value);
        self.sp += 1;
    }

    #[inline]
    pub(super) fn push_with(&mut self, value: u64, term: Option<Term>) {
        self.stack[self.sp] = value;
        if self.symbolic {
            self.terms_stack[self.sp] = term;
        }
        self.sp += 1;
    }

    #[inline]
    pub(super) fn pop(&mut self) -> u64 {
        self.sp -= 1;
        self.stack[self.sp]
    }

    /// The term of a stack slot.
    #[inline]
    pub(super) fn term_at(&self, at: usize) -> Option<Term> {
        if self.symbolic { self.terms_stack[at] } else { None }
    }

    /// Limits of later runs.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
        self.stillborn.clear();
    }

    /// Turns terms on or off for what follows.
    pub fn set_symbolic(&mut self, symbolic: bool) {
        self.symbolic = symbolic;
        if symbolic {
            self.terms_stack.resize(self.stack.len(), None);
        }
    }

    fn need_stack(&mut self, top: usize) -> Run<()> {
        if top > self.stack.len() {
            if top > LARGEST_STACK {
                return Err(Stop::Depth.into());
            }
            self.stack.resize(top.next_power_of_two(), 0);
            if self.symbolic {
                self.terms_stack.resize(self.stack.len(), None);
            }
        }
        Ok(())
    }

    /// Calls a method whose arguments are on the stack: code gets a frame, a modelled method runs at once.
    pub(super) fn enter(&mut self, id: MethodId) -> Run<()> {
        let method = &self.methods[id.0 as usize];
        match method.body {
            Body::Ready(entry) => {
                let base = self.sp - usize::from(method.arguments);
                let locals = base + usize::from(method.max_locals);
                let top = locals + usize::from(method.max_stack) + 2;
                let synchronized = method.access.has(bytecode::access::Access::SYNCHRONIZED);
                if self.frames.len() >= self.limits.depth {
                    return Err(Stop::Depth.into());
                }
                if top > self.stack.len() {
                    self.need_stack(top)?;
                }
                self.frames.push(Frame { method: self.method, pc: self.pc as u32, base: self.base as u32 });
                self.base = base;
                self.sp = locals;
                self.method = id;
                self.pc = entry as usize;
                self.watch_enter();
                if synchronized {
                    self.lock_method(id, base)?;
                }
                Ok(())
            }
            Body::Native(native) => {
                let (count, result) = (usize::from(method.arguments), method.result);
                let at = self.sp - count;
                if self.symbolic {
                    self.pin_references(at, count);
                }
                self.native_term = None;
                self.native = Some(id);
                let outer = std::mem::replace(&mut self.in_native, true);
                let value = self.natives.get(native)(self, at);
                self.in_native = outer;
                if self.symbolic && self.native_term.is_none() {
                    self.pin_arguments(id, at);
                }
                let value = value?;
                self.sp = at;
                match result {
                    Slot::Void => {}
                    Slot::Long | Slot::Double => {
                        self.push_with(value, self.native_term);
                        self.sp += 1;
                    }
                    _ => self.push_with(value, self.native_term),
                }
                Ok(())
            }
            Body::Code => {
                decode::translate(self, id)?;
                self.enter(id)
            }
            Body::Abstract => {
                let name = self.method_name(id);
                Err(self.throw("java/lang/AbstractMethodError", Some(&name)))
            }
            Body::Missing => {
                self.note_stop();
                Err(Stop::Unmodelled(Unmodelled::Native(self.method_name(id).into())).into())
            }
        }
    }

    fn lock_method(&mut self, id: MethodId, base: usize) -> Run<()> {
        let method = self.method_at(id);
        let object = if method.is_static() { self.mirror(method.class)? } else { self.stack[base] as Ref };
        self.monitors.push(object);
        Ok(())
    }

    /// Static methods a class declares, by name.
    pub fn static_methods(&self, class: ClassId) -> Vec<(String, MethodId)> {
        let methods = self.class(class).methods.iter().filter(|m| self.method_at(**m).is_static());
        methods.map(|m| (self.symbols.get(self.method_at(*m).name).to_string(), *m)).collect()
    }

    /// Instructions executed since the machine was last rewound, without those of initialisers.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Instructions of initialisers since this machine was made.
    pub fn initialising(&self) -> u64 {
        self.initialising
    }

    /// `Class.method(descriptor)` for messages.
    pub fn method_name(&self, id: MethodId) -> String {
        let method = self.method_at(id);
        let class = self.class_name(method.class);
        format!("{class}.{}{}", self.symbols.get(method.name), self.symbols.get(method.descriptor))
    }

    /// Class, name and descriptor of a method.
    pub fn method_place(&self, id: MethodId) -> (Arc<str>, Arc<str>, Arc<str>) {
        let method = self.method_at(id);
        let text = |symbol| self.symbols.get(symbol).clone();
        (self.class_name(method.class).clone(), text(method.name), text(method.descriptor))
    }

    /// Runs a method to its end and gives its result. Longs and doubles take two of the arguments, the second unused.
    pub fn call(&mut self, method: MethodId, arguments: &[u64]) -> Run<u64> {
        self.call_with(method, arguments, &[]).map(|(value, _)| value)
    }

    /// Like [`Machine::call`], with terms of the arguments (none for those missing) and of the result.
    pub fn call_with(
        &mut self,
        method: MethodId,
        arguments: &[u64],
        terms: &[Option<Term>],
    ) -> Run<(u64, Option<Term>)> {
        if self.nesting >= NESTING {
            return Err(Stop::Unmodelled(Unmodelled::Nesting).into());
        }
        let (pc, sp, base, current) = (self.pc, self.sp, self.base, self.method);
        let (floor, locked) = (self.frames.len(), self.monitors.len());
        self.need_stack(sp + arguments.len() + 8)?;
        for (i, &argument) in arguments.iter().enumerate() {
            self.push_with(argument, terms.get(i).copied().flatten());
        }
        self.nesting += 1;
        let in_native = std::mem::replace(&mut self.in_native, false);
        let mut ran = self.enter(method);
        if ran.is_ok()
            && let Some(frame) = self.frames.get_mut(floor)
        {
            frame.pc |= TO_EXIT;
            ran = self.run(floor);
        }
        let ran = ran.map(|()| (self.stack[sp], self.term_at(sp)));
        if ran.is_err() {
            self.frames.truncate(floor);
            self.monitors.truncate(locked);
        }
        self.nesting -= 1;
        self.in_native = in_native;
        (self.pc, self.sp, self.base, self.method) = (pc, sp, base, current);
        ran
    }

    /// Where control is, for the innermost frame first: method and instruction.
    pub(super) fn trace(&self) -> Vec<(MethodId, u32)> {
        let mut trace = Vec::with_capacity(self.frames.len() + 1);
        let mut at = (self.method, self.pc.saturating_sub(1) as u32);
        for frame in self.frames.iter().rev() {
            trace.push(at);
            at = (frame.method, (frame.pc & !TO_EXIT).saturating_sub(1));
        }
        trace
    }

    /// Finds where a thrown exception continues: at a handler of a frame above the floor, or nowhere.
    pub(super) fn unwind(&mut self, exception: Ref, floor: usize) -> Run<()> {
        let class = self.class_of(exception);
        while self.frames.len() > floor {
            let at = self.pc as u32 - 1;
            let method = &self.methods[self.method.0 as usize];
            let owner = method.class;
            let handlers = method.handlers.clone();
            let locals = self.base + usize::from(method.max_locals);
            for handler in handlers.iter().filter(|h| h.start <= at && at < h.end) {
                if handler.catch != 0 {
                    let catch = self.pool_class(owner, handler.catch)?;
                    if !self.is_subtype(class, catch) {
                        continue;
                    }
                }
                self.sp = locals;
                self.push(u64::from(exception));
                self.pc = handler.target as usize;
                return Ok(());
            }
            self.leave();
        }
        Err(Trap::Throw(exception))
    }

    /// Removes the innermost frame.
    #[inline]
    pub(super) fn leave(&mut self) {
        if self.methods[self.method.0 as usize].access.has(bytecode::access::Access::SYNCHRONIZED) {
            self.monitors.pop();
        }
        self.watch_leave();
        self.sp = self.base;
        // A frame was pushed when the method was entered.
        if let Some(frame) = self.frames.pop() {
            self.method = frame.method;
            self.pc = if frame.pc & TO_EXIT != 0 { 0 } else { frame.pc as usize };
            self.base = frame.base as usize;
        }
    }
}
