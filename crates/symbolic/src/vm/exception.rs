//! Exceptions the machine itself raises, with the messages a JVM gives them, and stack traces. Owns how they are made;
//! handlers are found in `machine`.

use bytecode::access::Access;

use super::class::{ClassId, MethodId};
use super::heap::Ref;
use super::machine::Machine;
use super::stop::{Run, Stop, Trap};

/// What raised an exception about null, if not the program.
pub(super) mod raised {
    /// An instruction: the message is made from the code.
    pub const BY_CODE: u64 = 1;
    /// A native method, which says nothing.
    pub const BY_NATIVE: u64 = 2;
    /// The model of a method that is not native: the position in its code is unknown.
    pub const BY_MODEL: u64 = 3;
}

/// As deep as a JVM's traces.
const DEEPEST_TRACE: usize = 1024;

impl Machine {
    /// Makes an exception of a JDK class and gives it as a trap.
    #[cold]
    pub(super) fn throw(&mut self, class: &str, message: Option<&str>) -> Trap {
        let native = self.native.filter(|id| self.in_native && self.method_at(*id).access.has(Access::NATIVE));
        let made = (|| {
            let class = self.known_class(class)?;
            let exception = match message {
                Some(text) => {
                    let units: Vec<u16> = text.encode_utf16().collect();
                    let text = self.new_string(&units)?;
                    self.construct(class, "(Ljava/lang/String;)V", &[u64::from(text)])
                }
                None => self.construct(class, "()V", &[]),
            }?;
            match native {
                Some(native) => self.add_native_frame(exception, native).map(|()| exception),
                None => Ok(exception),
            }
        })();
        match made {
            Ok(exception) => Trap::Throw(exception),
            Err(trap) => trap,
        }
    }

    #[cold]
    pub(super) fn null_pointer(&mut self) -> Trap {
        // The first word of a trace says what raised it.
        let mark = match self.native.filter(|_| self.in_native) {
            None => raised::BY_CODE,
            Some(native) if self.method_at(native).access.has(Access::NATIVE) => raised::BY_NATIVE,
            Some(_) => raised::BY_MODEL,
        };
        let trap = self.throw("java/lang/NullPointerException", None);
        if let Trap::Throw(exception) = trap
            && let Some(trace) = self.backtrace(exception)
        {
            self.heap.set_slot(trace, 0, mark);
        }
        trap
    }

    #[cold]
    pub(super) fn index_out_of_bounds(&mut self, index: i32, length: i32) -> Trap {
        let text = format!("Index {index} out of bounds for length {length}");
        self.throw("java/lang/ArrayIndexOutOfBoundsException", Some(&text))
    }

    #[cold]
    pub(super) fn class_cast(&mut self, from: ClassId, to: ClassId) -> Trap {
        let text = self.class_cast_message(from, to);
        self.throw("java/lang/ClassCastException", Some(&text))
    }

    fn class_cast_message(&self, from: ClassId, to: ClassId) -> String {
        let name = |class: ClassId| self.class_name(class).replace('/', ".");
        let home = |class: ClassId| {
            let mut class = self.class(class);
            while let super::class::Kind::Array { element } = class.kind {
                class = self.class(element);
            }
            if class.is_application {
                "unnamed module of loader 'app'"
            } else {
                "module java.base of loader 'bootstrap'"
            }
        };
        let (a, b) = (name(from), name(to));
        if home(from) == home(to) {
            format!("class {a} cannot be cast to class {b} ({a} and {b} are in {})", home(from))
        } else {
            format!("class {a} cannot be cast to class {b} ({a} is in {}; {b} is in {})", home(from), home(to))
        }
    }

    /// The trace a `Throwable` was filled with: a `long[]` of a mark, then method and instruction of each frame,
    /// innermost first.
    pub(super) fn backtrace(&mut self, throwable: Ref) -> Option<Ref> {
        let slot = self.throwable_slot("backtrace", "Ljava/lang/Object;").ok()?;
        Some(self.heap.slot(throwable, slot) as Ref).filter(|r| *r != 0)
    }

    pub(super) fn throwable_slot(&mut self, name: &str, descriptor: &str) -> Run<u32> {
        let class = self.known_class("java/lang/Throwable")?;
        self.field_slot(class, name, descriptor)
    }

    /// Slot of an instance field of a class of the JDK.
    pub(super) fn field_slot(&mut self, class: ClassId, name: &str, descriptor: &str) -> Run<u32> {
        let (n, d) = (self.symbols.intern(name), self.symbols.intern(descriptor));
        match self.find_field(class, n, d) {
            Some((_, field)) => Ok(field.slot),
            None => Err(Stop::unmodelled(format!("{} has no field {name}", self.class_name(class))).into()),
        }
    }

    /// `Throwable.fillInStackTrace`: records where control is, without the frames of the exception's own construction.
    pub(super) fn fill_in_stack_trace(&mut self, throwable: Ref) -> Run<()> {
        let trace = self.trace();
        let class = self.class_of(throwable);
        let mut from = 0;
        let init = self.symbols.intern("<init>");
        let fill = self.symbols.intern("fillInStackTrace");
        while let Some((method, _)) = trace.get(from) {
            let method = self.method_at(*method);
            let own = method.name == fill || method.name == init && self.is_subtype(class, method.class);
            if !own {
                break;
            }
            from += 1;
        }
        // Those of hidden classes, such as lambdas, are not shown.
        let is_shown = |(method, _): &&(MethodId, u32)| !self.class(self.method_at(*method).class).is_hidden;
        let frames: Vec<_> = trace[from..].iter().filter(is_shown).take(DEEPEST_TRACE).copied().collect();
        let long = self.primitive_class('J').unwrap_or(ClassId(0));
        let array_class = self.array_class(long);
        let array = self.allocate_array(array_class, frames.len() as u32 + 1)?;
        for (i, (method, at)) in frames.iter().enumerate() {
            self.heap.set_slot(array, i as u32 + 1, u64::from(method.0) << 32 | u64::from(*at));
        }
        let slot = self.throwable_slot("backtrace", "Ljava/lang/Object;")?;
        let depth = self.throwable_slot("depth", "I")?;
        self.heap.set_slot(throwable, slot, u64::from(array));
        self.heap.set_slot(throwable, depth, frames.len() as u64);
        Ok(())
    }

    /// Puts the native method that raises an exception in front of those that called it: it has no frame of its own
    /// here.
    fn add_native_frame(&mut self, throwable: Ref, native: MethodId) -> Run<()> {
        let Some(trace) = self.backtrace(throwable) else { return Ok(()) };
        let (class, length) = (self.class_of(trace), self.heap.length(trace) as u32);
        let count = length.min(DEEPEST_TRACE as u32);
        let longer = self.allocate_array(class, count + 1)?;
        self.heap.set_slot(longer, 1, u64::from(native.0) << 32);
        for i in 1..count {
            self.heap.set_slot(longer, i + 1, self.heap.slot(trace, i));
        }
        let slot = self.throwable_slot("backtrace", "Ljava/lang/Object;")?;
        let depth = self.throwable_slot("depth", "I")?;
        self.heap.set_slot(throwable, slot, u64::from(longer));
        self.heap.set_slot(throwable, depth, u64::from(count));
        Ok(())
    }

    /// Frames of a throwable, innermost first: method and line (-1 if unknown).
    pub fn stack_trace(&mut self, throwable: Ref) -> Vec<(MethodId, i32)> {
        let Some(trace) = self.backtrace(throwable) else { return Vec::new() };
        let count = self.heap.length(trace) as u32;
        (1..count)
            .map(|i| {
                let word = self.heap.slot(trace, i);
                let method = MethodId((word >> 32) as u32);
                (method, self.line_of(method, word as u32))
            })
            .collect()
    }

    /// What `getMessage` gives, or why that cannot be found out. What a JVM says about null it makes from the code,
    /// which is not always known.
    pub(crate) fn told_message(&mut self, exception: Ref) -> Result<Option<String>, Box<Stop>> {
        match self.call_virtual(exception, "java/lang/Throwable", "getMessage", "()Ljava/lang/String;", &[]) {
            Ok(text) => Ok((text != 0).then(|| self.string_text(text as Ref))),
            Err(Trap::Stop(_)) if &**self.class_name_of(exception) == "java/lang/NullPointerException" => Ok(None),
            Err(Trap::Stop(stop)) => Err(stop),
            Err(Trap::Throw(_)) => Ok(None),
        }
    }

    pub(super) fn line_of(&self, method: MethodId, at: u32) -> i32 {
        let method = self.method_at(method);
        if method.access.has(Access::NATIVE) {
            return -2;
        }
        let pc = self.pcs.get(at as usize).copied().unwrap_or(0);
        let known = method.lines.partition_point(|(start, _)| *start <= u32::from(pc));
        if known == 0 { -1 } else { i32::from(method.lines[known - 1].1) }
    }
}
