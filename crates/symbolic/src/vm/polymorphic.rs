//! Calls of `VarHandle` and `MethodHandle` methods, whose types are those of the call. Owns what the access modes do to
//! a variable; of method handles only those of fields are modelled.

use super::class::{ClassId, Field, Slot};
use super::heap::{HEADER, Ref};
use super::insn::{Insn, Op};
use super::machine::Machine;
use super::run::narrow;
use super::stop::{Run, Stop};
use super::synthetic::split;

/// A call of an access mode.
#[derive(Clone, Debug)]
pub(super) struct PolymorphicSite {
    mode: Mode,
    /// Parameter descriptors, without the handle.
    params: Vec<String>,
    result: String,
    /// Slots of all parameters, handle included.
    width: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Get,
    Set,
    CompareAndSet,
    CompareAndExchange,
    GetAndSet,
    GetAndAdd,
    GetAndOr,
    GetAndAnd,
    GetAndXor,
    /// A method handle's `invoke` or `invokeExact`.
    Handle,
}

impl Mode {
    /// Values it is called with.
    fn operands(self) -> usize {
        match self {
            Mode::Get | Mode::Handle => 0,
            Mode::CompareAndSet | Mode::CompareAndExchange => 2,
            _ => 1,
        }
    }
}

/// What a method handle does.
pub(super) mod handle {
    pub const GETTER: u64 = 1;
    pub const SETTER: u64 = 2;
}

/// What a handle's variable is.
pub(super) mod variable {
    pub const FIELD: u64 = 1;
    pub const STATIC: u64 = 2;
    pub const ELEMENT: u64 = 3;
    /// Several bytes of a byte array; little endian, and big endian.
    pub const BYTES: u64 = 4;
    pub const BYTES_BIG: u64 = 5;
}

fn mode_of(name: &str) -> Option<Mode> {
    Some(match name {
        "get" | "getVolatile" | "getOpaque" | "getAcquire" => Mode::Get,
        "set" | "setVolatile" | "setOpaque" | "setRelease" => Mode::Set,
        "compareAndSet" => Mode::CompareAndSet,
        n if n.starts_with("weakCompareAndSet") => Mode::CompareAndSet,
        n if n.starts_with("compareAndExchange") => Mode::CompareAndExchange,
        n if n.starts_with("getAndSet") => Mode::GetAndSet,
        n if n.starts_with("getAndAdd") => Mode::GetAndAdd,
        n if n.starts_with("getAndBitwiseOr") => Mode::GetAndOr,
        n if n.starts_with("getAndBitwiseAnd") => Mode::GetAndAnd,
        n if n.starts_with("getAndBitwiseXor") => Mode::GetAndXor,
        _ => return None,
    })
}

impl Machine {
    /// Replaces the instruction if it calls a method whose types are those of the call.
    pub(super) fn resolve_polymorphic(&mut self, insn: Insn) -> Run<bool> {
        let (owner, name, descriptor) = self.pool_member(insn.a as u16)?;
        let owner = self.symbols.get(owner).clone();
        let name = self.symbols.get(name).clone();
        if &*owner == "java/lang/invoke/MethodHandle" && matches!(&*name, "invoke" | "invokeExact") {
            return self.link_polymorphic(Mode::Handle, &self.symbols.get(descriptor).clone());
        }
        if &*owner != "java/lang/invoke/VarHandle" {
            return Ok(false);
        }
        let Some(mode) = mode_of(&name) else { return Ok(false) };
        self.link_polymorphic(mode, &self.symbols.get(descriptor).clone())
    }

    fn link_polymorphic(&mut self, mode: Mode, descriptor: &str) -> Run<bool> {
        let (params, result) = split(descriptor)?;
        let width = 1 + params.iter().map(|p| Slot::of(p).width() as usize).sum::<usize>();
        self.polymorphic.push(PolymorphicSite { mode, params, result, width });
        self.requicken(Insn::a(Op::InvokePolymorphic, self.polymorphic.len() as u32 - 1));
        Ok(true)
    }

    pub(super) fn invoke_polymorphic(&mut self, insn: Insn) -> Run<()> {
        let site = self.polymorphic[insn.a as usize].clone();
        let start = self.sp - site.width;
        if self.symbolic {
            self.pin_references(start, site.width);
        }
        let handle = self.stack[start] as Ref;
        if handle == 0 {
            return Err(self.null_pointer());
        }
        if site.mode == Mode::Handle {
            return self.invoke_handle(&site, start, handle);
        }
        let mut at = start + 1;
        let mut places = Vec::with_capacity(site.params.len());
        for param in &site.params {
            places.push(at);
            at += Slot::of(param).width() as usize;
        }
        let (address, letter, taken) = self.variable(handle, &places)?;
        let kind = Slot::of(&char::from(letter.0.to_ascii_uppercase()).to_string());
        let values = site.params.iter().skip(taken);
        let fits = |d: &String| Slot::of(d) == kind;
        let gives = matches!(site.mode, Mode::Set | Mode::CompareAndSet) || site.result == "V" || fits(&site.result);
        if taken > places.len() || !values.clone().all(fits) || !gives || values.count() != site.mode.operands() {
            return Err(Stop::unmodelled("a variable handle used with other types").into());
        }
        let rest = &places[taken..];
        let operand = |machine: &Machine, i: usize| rest.get(i).map_or(0, |at| machine.stack[*at]);
        if letter.1 {
            return self.bytes_variable(&site, start, address, letter, operand(self, 0));
        }
        if matches!(site.mode, Mode::CompareAndSet | Mode::CompareAndExchange) {
            self.pin_held(address);
        }
        let old = self.heap.get(address);
        let old_term = self.heap_term(address);
        let first = operand(self, 0);
        let second = operand(self, 1);
        // Floats compare by bits, as hardware does.
        let write = match site.mode {
            Mode::Get | Mode::Handle => None,
            Mode::Set | Mode::GetAndSet => Some((first, rest.first())),
            Mode::CompareAndSet | Mode::CompareAndExchange => (old == first).then_some((second, rest.get(1))),
            Mode::GetAndAdd => Some((add(letter.0, old, first), None)),
            Mode::GetAndOr => Some((old | first, None)),
            Mode::GetAndAnd => Some((old & first, None)),
            Mode::GetAndXor => Some((old ^ first, None)),
        };
        if let Some((value, place)) = write {
            self.heap.set(address, narrow(letter.0, value));
            if self.symbolic {
                let term = place.and_then(|at| self.terms_stack[*at]);
                self.heap.set_term(address, term);
            }
        }
        self.sp = start;
        match site.mode {
            Mode::Set => {}
            Mode::CompareAndSet => self.push(u64::from(old == first)),
            _ => match Slot::of(&site.result).width() {
                0 => {}
                1 => self.push_with(old, old_term),
                _ => {
                    self.push_with(old, old_term);
                    self.sp += 1;
                }
            },
        }
        Ok(())
    }

    /// A handle that reads or writes a field.
    pub(super) fn field_handle(&mut self, owner: ClassId, field: &Field, kind: u64) -> Run<Ref> {
        let class = self.known_class("java/lang/invoke/MethodHandle")?;
        let made = self.allocate(class)?;
        let letter = self.symbols.get(field.descriptor).as_bytes().first().copied().unwrap_or(0);
        let is_static = u64::from(field.access.is_static());
        let parts = [
            ("$kind", kind),
            ("$owner", u64::from(owner.0)),
            ("$slot", u64::from(field.slot) << 1 | is_static),
            ("$type", u64::from(letter)),
        ];
        for (name, value) in parts {
            let slot = self.field_slot(class, name, "J")?;
            self.heap.set_slot(made, slot, value);
        }
        Ok(made)
    }

    /// Calls a method handle with what is on the stack behind it.
    fn invoke_handle(&mut self, site: &PolymorphicSite, start: usize, made: Ref) -> Run<()> {
        let class = self.known_class("java/lang/invoke/MethodHandle")?;
        let mut part = |name: &str| -> Run<u64> {
            let slot = self.field_slot(class, name, "J")?;
            Ok(self.heap.slot(made, slot))
        };
        let (kind, owner, place, letter) = (part("$kind")?, part("$owner")?, part("$slot")?, part("$type")? as u8);
        if !matches!(kind, handle::GETTER | handle::SETTER) {
            return Err(Stop::unmodelled("MethodHandle.invoke").into());
        }
        let owner = ClassId(owner as u32);
        let (slot, is_static) = ((place >> 1) as u32, place & 1 == 1);
        let (object, value_at) = if is_static {
            self.initialise(owner)?;
            (self.class(owner).statics, start + 1)
        } else {
            let object = self.stack[start + 1] as Ref;
            if object == 0 {
                return Err(self.null_pointer());
            }
            if !self.is_subtype(self.class_of(object), owner) {
                return Err(self.class_cast(self.class_of(object), owner));
            }
            (object, start + 2)
        };
        let address = object + HEADER + slot;
        if kind == handle::SETTER {
            self.heap.set(address, narrow(letter, self.stack[value_at]));
            self.heap.set_term(address, self.term_at(value_at));
            self.sp = start;
            return Ok(());
        }
        let width = Slot::of(&site.result).width();
        if width != Slot::of(&char::from(letter).to_string()).width() {
            return Err(Stop::unmodelled("a method handle called with other types").into());
        }
        self.sp = start;
        self.push_with(self.heap.get(address), self.heap_term(address));
        if width == 2 {
            self.sp += 1;
        }
        Ok(())
    }

    /// The address of a handle's variable, the first letter of its type (and whether it is a view of bytes), and how
    /// many parameters say which variable it is.
    fn variable(&mut self, handle: Ref, places: &[usize]) -> Run<(u32, (u8, bool), usize)> {
        let class = self.known_class("java/lang/invoke/VarHandle")?;
        let mut part = |name: &str| -> Run<u64> {
            let slot = self.field_slot(class, name, "J")?;
            Ok(self.heap.slot(handle, slot))
        };
        let (kind, owner, slot, letter) = (part("$kind")?, part("$owner")?, part("$slot")?, part("$type")? as u8);
        let argument = |machine: &Machine, i: usize| places.get(i).map_or(0, |at| machine.stack[*at]);
        match kind {
            variable::STATIC => {
                let owner = ClassId(owner as u32);
                self.initialise(owner)?;
                Ok((self.class(owner).statics + HEADER + slot as u32, (letter, false), 0))
            }
            variable::FIELD => {
                let object = argument(self, 0) as Ref;
                if object == 0 {
                    return Err(self.null_pointer());
                }
                if !self.is_subtype(self.class_of(object), ClassId(owner as u32)) {
                    return Err(self.class_cast(self.class_of(object), ClassId(owner as u32)));
                }
                Ok((object + HEADER + slot as u32, (letter, false), 1))
            }
            variable::ELEMENT | variable::BYTES | variable::BYTES_BIG => {
                let array = argument(self, 0) as Ref;
                if array == 0 {
                    return Err(self.null_pointer());
                }
                let index = argument(self, 1) as i32;
                let length = self.heap.length(array);
                let views = kind != variable::ELEMENT;
                let last = if views { index.saturating_add(bytes_of(letter) - 1) } else { index };
                if index < 0 || last >= length {
                    return Err(self.index_out_of_bounds(index, length));
                }
                let letter = if kind == variable::BYTES_BIG { letter.to_ascii_lowercase() } else { letter };
                Ok((array + HEADER + index as u32, (letter, views), 2))
            }
            _ => Err(Stop::unmodelled("a variable handle of an unknown kind").into()),
        }
    }

    /// Reads or writes several bytes of a byte array as one value. A small letter means big endian.
    fn bytes_variable(
        &mut self,
        site: &PolymorphicSite,
        start: usize,
        address: u32,
        letter: (u8, bool),
        value: u64,
    ) -> Run<()> {
        let big = letter.0.is_ascii_lowercase();
        let letter = letter.0.to_ascii_uppercase();
        let count = bytes_of(letter) as u32;
        let place = |i: u32| address + if big { count - 1 - i } else { i };
        match site.mode {
            Mode::Get => {
                let mut bits = 0u64;
                for i in 0..count {
                    bits |= (self.heap.get(place(i)) & 0xff) << (8 * i);
                }
                self.sp = start;
                match letter {
                    b'S' => self.push(bits as i16 as i64 as u64),
                    b'C' => self.push(bits),
                    b'I' => self.push(bits as i32 as i64 as u64),
                    b'F' => self.push(bits),
                    _ => self.push2(bits),
                }
            }
            Mode::Set => {
                for i in 0..count {
                    let byte = (value >> (8 * i)) as u8 as i8;
                    self.heap.set(place(i), byte as i64 as u64);
                    self.heap.set_term(place(i), None);
                }
                self.sp = start;
            }
            _ => return Err(Stop::unmodelled("an atomic change of several bytes").into()),
        }
        Ok(())
    }
}

fn bytes_of(letter: u8) -> i32 {
    match letter.to_ascii_uppercase() {
        b'S' | b'C' => 2,
        b'I' | b'F' => 4,
        b'J' | b'D' => 8,
        _ => 1,
    }
}

fn add(letter: u8, a: u64, b: u64) -> u64 {
    match letter {
        b'J' => a.wrapping_add(b),
        b'F' => u64::from((f32::from_bits(a as u32) + f32::from_bits(b as u32)).to_bits()),
        b'D' => (f64::from_bits(a) + f64::from_bits(b)).to_bits(),
        _ => (a as i32).wrapping_add(b as i32) as i64 as u64,
    }
}
