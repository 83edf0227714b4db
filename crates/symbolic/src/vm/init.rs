//! Initialisation of classes: when it is due, constants, superclasses, static initialisers, failures. Owns the order of
//! these, and which classes need no initialiser in this machine.

use super::class::{ClassId, PoolConstant, init};
use super::heap::{HEADER, Ref};
use super::machine::Machine;
use super::stop::{Run, Stop, Trap, Unmodelled};
use super::unstable::Unstable;

/// Classes whose static initialisers set up what the machine models itself.
const WITHOUT_INITIALISER: &[&str] = &[
    "java/lang/invoke/MethodHandles",
    "java/lang/invoke/MethodHandles$Lookup",
    "java/lang/invoke/MethodHandle",
    "java/lang/invoke/VarHandle",
    "java/lang/invoke/MethodHandleImpl",
    "java/lang/invoke/MethodHandleNatives",
    "java/lang/invoke/MethodHandleStatics",
    "java/lang/invoke/LambdaForm",
    "java/lang/invoke/Invokers",
    "jdk/internal/loader/NativeLibraries",
    // It reads a file; zones are modelled.
    "sun/util/calendar/ZoneInfoFile",
    "java/lang/ref/Reference",
    "java/lang/ref/Finalizer",
];

/// Its tables of large numbers take a while.
const MANY_STEPS: u64 = 400_000_000;

impl Machine {
    /// Where a class keeps its initialisation state.
    pub(super) fn state_of(&self, class: ClassId) -> u32 {
        self.class(class).statics + HEADER
    }

    /// Initialises the class whose state is at that place.
    #[cold]
    pub(super) fn initialise_statics(&mut self, state: u32) -> Run<()> {
        let class = ClassId(self.heap.length(state - HEADER) as u32);
        self.initialise(class)
    }

    /// Initialises a class if that is due.
    pub fn initialise(&mut self, class: ClassId) -> Run<()> {
        if self.class(class).statics == 0 {
            return Ok(());
        }
        let state = self.state_of(class);
        match self.heap.get(state) {
            init::DONE | init::RUNNING => return Ok(()),
            init::FAILED => {
                let text = format!("Could not initialize class {}", self.class_name(class).replace('/', "."));
                return Err(self.throw("java/lang/NoClassDefFoundError", Some(&text)));
            }
            _ => {}
        }
        if let Some(stop) = self.stillborn.get(&class).cloned() {
            self.note_stop();
            return Err(stop.into());
        }
        self.heap.set(state, init::RUNNING);
        // In the order of beginning: a class may begin while one that refers to it is not done, and finds it as it is
        // then.
        let place = self.newly_initialised.len();
        self.newly_initialised.push(class);
        let before = std::mem::take(&mut self.unstable);
        let ran = self.initialise_now(class);
        if !self.unstable.is_empty() && self.class(class).is_application {
            self.note_unstable_class()?;
        }
        self.unstable.add(before);
        match ran {
            Ok(()) => {
                self.heap.set(state, init::DONE);
                Ok(())
            }
            Err(Trap::Throw(exception)) => {
                self.newly_initialised.truncate(place);
                self.heap.set(state, init::FAILED);
                Err(self.initialiser_failed(exception))
            }
            Err(Trap::Stop(stop)) => {
                // It would be the same the next time. How deep the stack is and how full the heap may differ.
                let is_depth = matches!(*stop, Stop::Unmodelled(Unmodelled::Nesting));
                if matches!(*stop, Stop::Unmodelled(_) | Stop::Steps) && !is_depth {
                    self.stillborn.insert(class, (*stop).clone());
                }
                Err(Trap::Stop(stop))
            }
        }
    }

    fn initialise_now(&mut self, class: ClassId) -> Run<()> {
        if !self.class(class).is_interface() {
            if let Some(up) = self.class(class).superclass {
                self.initialise(up)?;
            }
            self.initialise_interfaces(class)?;
        }
        self.set_constants(class)?;
        if WITHOUT_INITIALISER.contains(&&**self.class_name(class)) {
            return Ok(());
        }
        let signature = (self.symbols.intern("<clinit>"), self.symbols.intern("()V"));
        let Some(&initialiser) = self.class(class).declared.get(&signature) else { return Ok(()) };
        if !self.method_at(initialiser).is_static() {
            return Ok(());
        }
        // Steps are counted for the code that is run, not for its preparation: initialisers have as many again, those
        // of the JDK more than enough.
        let (steps, limit) = (self.steps, self.limits.steps);
        let own = if self.class(class).is_application { limit } else { limit.max(MANY_STEPS) };
        self.limits.steps = steps.saturating_add(own);
        let ran = self.call(initialiser, &[]);
        self.initialising += self.steps - steps;
        (self.steps, self.limits.steps) = (steps, limit);
        ran.map(|_| ())
    }

    /// Interfaces are initialised with a class only if they have code that objects may run.
    fn initialise_interfaces(&mut self, class: ClassId) -> Run<()> {
        for interface in self.class(class).interfaces.clone() {
            self.initialise_interfaces(interface)?;
            let has_default = self.class(interface).methods.iter().any(|m| {
                let access = self.method_at(*m).access;
                !access.is_abstract() && !access.is_static()
            });
            if has_default {
                self.initialise(interface)?;
            }
        }
        Ok(())
    }

    /// The initial state of the class differs from JVM to JVM, and so does everything that later runs show of it.
    fn note_unstable_class(&mut self) -> Run<()> {
        let slot = self.unstable_slot()?;
        let known = self.heap.slot(self.thread, slot);
        self.heap.set_permanent(self.thread, slot, known | self.unstable.bits());
        Ok(())
    }

    fn unstable_slot(&mut self) -> Run<u32> {
        let thread = self.known_class("java/lang/Thread")?;
        self.field_slot(thread, "$unstable", "J")
    }

    /// What the run, or initialisers before it, used that differs from JVM to JVM.
    pub fn unstable(&mut self) -> Unstable {
        let mut all = self.unstable;
        if let Ok(slot) = self.unstable_slot() {
            all.add(Unstable::of_bits(self.heap.slot(self.thread, slot)));
        }
        all
    }

    fn set_constants(&mut self, class: ClassId) -> Run<()> {
        let statics = self.class(class).statics;
        for field in self.class(class).fields.clone() {
            if field.constant == 0 || !field.access.is_static() {
                continue;
            }
            let constant = self.class(class).pool.get(usize::from(field.constant)).cloned();
            let descriptor = self.symbols.get(field.descriptor).clone();
            let value = match (constant, &*descriptor) {
                (Some(PoolConstant::Int(v)), "Z" | "B" | "C" | "S" | "I") => v as i64 as u64,
                (Some(PoolConstant::Float(v)), "F") => u64::from(v),
                (Some(PoolConstant::Long(v)), "J") => v as u64,
                (Some(PoolConstant::Double(v)), "D") => v,
                (Some(PoolConstant::String(text)), "Ljava/lang/String;") => u64::from(self.literal(&text)?),
                _ => return Err(Stop::Malformed("a constant of another type than its field".into()).into()),
            };
            self.heap.set_slot(statics, field.slot, value);
        }
        Ok(())
    }

    fn initialiser_failed(&mut self, exception: Ref) -> Trap {
        let wrapped = (|| {
            let error = self.known_class("java/lang/Error")?;
            if self.is_subtype(self.class_of(exception), error) {
                return Ok(exception);
            }
            let class = self.known_class("java/lang/ExceptionInInitializerError")?;
            let wrapper = self.construct(class, "(Ljava/lang/Throwable;)V", &[u64::from(exception)])?;
            Ok(wrapper)
        })();
        match wrapped {
            Ok(exception) => Trap::Throw(exception),
            Err(trap) => trap,
        }
    }

    /// A new object by one of its constructors.
    pub(super) fn construct(&mut self, class: ClassId, descriptor: &str, arguments: &[u64]) -> Run<Ref> {
        self.initialise(class)?;
        let object = self.allocate(class)?;
        let constructor = self.declared_method(class, "<init>", descriptor)?;
        let mut all = vec![u64::from(object)];
        all.extend_from_slice(arguments);
        self.call(constructor, &all)?;
        Ok(object)
    }
}
