//! What statements of sequences need of the machine: members by name, constants, arrays, and what is reported about
//! exceptions. Owns the conversions between variables and arguments; frames and instructions are elsewhere.

use std::sync::Arc;

use bytecode::names::{ClassName, FieldType};
use testcase::value::{Constant, Value};

use super::class::{ClassId, Kind, MethodId, Slot as Width};
use super::heap::{HEADER, Ref};
use super::machine::Machine;
use super::observe;
use super::run::narrow;
use super::stop::{Run, Stop};
use super::synthetic::{box_of, class_operand, split};
use crate::executor::Slot;
use crate::expr::{InputId, Sort, Term};

impl Machine {
    /// A class that a statement names; initialised if members are used.
    fn named(&mut self, name: &str) -> Run<ClassId> {
        let name = self.symbols.intern(name);
        self.resolve_class(name)
    }

    /// The class of a descriptor.
    fn described(&mut self, descriptor: &str) -> Run<ClassId> {
        match descriptor.chars().next().filter(|_| descriptor.len() == 1) {
            Some(letter) => self.primitive_class(letter).ok_or_else(|| Stop::unmodelled(descriptor).into()),
            None => self.named(class_operand(descriptor)),
        }
    }

    pub(crate) fn constant_value(&mut self, constant: &Constant) -> Run<u64> {
        Ok(match constant {
            Constant::Null => 0,
            Constant::Boolean(v) => u64::from(*v),
            Constant::Byte(v) => *v as i64 as u64,
            Constant::Char(v) => u64::from(*v),
            Constant::Short(v) => *v as i64 as u64,
            Constant::Int(v) => *v as i64 as u64,
            Constant::Long(v) => *v as u64,
            Constant::Float(v) => u64::from(*v),
            Constant::Double(v) => *v,
            Constant::String(text) => u64::from(self.literal(text.units())?),
            Constant::Class(class) => {
                let class = self.described(&class.to_string())?;
                u64::from(self.mirror(class)?)
            }
            Constant::Enum { class, name } => {
                let owner = self.named(class.internal())?;
                self.initialise(owner)?;
                let (name, descriptor) = (self.symbols.intern(name), self.symbols.intern(&format!("L{class};")));
                match self.find_field(owner, name, descriptor) {
                    Some((declaring, field)) => self.heap.slot(self.class(declaring).statics, field.slot),
                    None => return Err(Stop::unmodelled("an enum constant that is not there").into()),
                }
            }
        })
    }

    /// Variables as the slots that a call takes: boxed, unboxed and widened as Java would.
    fn arguments_for(&mut self, descriptors: &[String], arguments: &[Slot]) -> Run<(Vec<u64>, Vec<Option<Term>>)> {
        let (mut values, mut terms) = (Vec::new(), Vec::new());
        for (descriptor, argument) in descriptors.iter().zip(arguments) {
            let fitted = self.fit(descriptor, *argument)?;
            values.push(fitted.bits);
            terms.push(fitted.term);
            if Width::of(descriptor).width() == 2 {
                values.push(0);
                terms.push(None);
            }
        }
        Ok((values, terms))
    }

    /// A variable as a value of a type.
    pub(crate) fn fit(&mut self, descriptor: &str, value: Slot) -> Run<Slot> {
        let to = descriptor.as_bytes().first().copied().unwrap_or(b'L');
        let to = if to == b'[' { b'L' } else { to };
        if to == value.letter {
            return Ok(value);
        }
        let unfit = || Stop::unmodelled("an argument of another type");
        if to == b'L' {
            let (class, valued) = box_of(&char::from(value.letter).to_string());
            let method = self.known_method(class, "valueOf", &valued)?;
            if let Some(term) = value.term.filter(|_| self.symbolic && value.letter != b'Z') {
                let class = self.method_at(method).class;
                self.initialise(class)?;
                let object = self.boxed_term(class, value.bits, term)?;
                return Ok(Slot { bits: u64::from(object), letter: b'L', term: None });
            }
            let arguments = [value.bits, 0];
            let width = Width::of(&char::from(value.letter).to_string()).width() as usize;
            let boxed = self.call_with(method, &arguments[..width], &[value.term])?;
            return Ok(Slot { bits: boxed.0, letter: b'L', term: None });
        }
        if value.letter == b'L' {
            self.pin_slot(value);
            if value.bits == 0 {
                return Err(self.null_pointer());
            }
            let object = value.bits as Ref;
            let class = self.class_of(object);
            let super::shape::Look::Box(letter) = self.shape_of(class).look else { return Err(unfit().into()) };
            let unboxed = Slot { bits: self.heap.slot(object, 0), letter, term: self.heap_term(object + HEADER) };
            return self.fit(descriptor, unboxed);
        }
        let float = |bits: u64| f32::from_bits(bits as u32);
        let terms = &mut self.path.terms;
        let term = value.term.map(|t| match (value.letter, to) {
            (_, b'I' | b'S') => t,
            (b'J', b'F') => terms.l2f(t),
            (b'J', _) => terms.l2d(t),
            (b'F', _) => terms.f2d(t),
            (_, b'J') => terms.i2l(t),
            (_, b'F') => terms.i2f(t),
            _ => terms.i2d(t),
        });
        let bits = match (value.letter, to) {
            (b'Z' | b'B' | b'C' | b'S', b'I' | b'S') | (b'B' | b'C' | b'S' | b'I', b'J') => value.bits,
            (b'B' | b'C' | b'S' | b'I', b'F') => u64::from((value.bits as i32 as f32).to_bits()),
            (b'B' | b'C' | b'S' | b'I', b'D') => f64::from(value.bits as i32).to_bits(),
            (b'J', b'F') => u64::from((value.bits as i64 as f32).to_bits()),
            (b'J', b'D') => (value.bits as i64 as f64).to_bits(),
            (b'F', b'D') => f64::from(float(value.bits)).to_bits(),
            _ => return Err(unfit().into()),
        };
        Ok(Slot { bits, letter: to, term })
    }

    /// A new string whose length and some of whose characters are inputs: those of 8 bits where all characters are
    /// Latin-1, else of 16.
    pub(crate) fn string_of_inputs(&mut self, units: &[u16], characters: &[Term], length: Option<Term>) -> Run<Ref> {
        let string = self.new_string(units)?;
        let bytes = self.heap.slot(string, self.well_known.string_value) as Ref;
        let latin = self.heap.slot(string, self.well_known.string_coder) == 0;
        if let Some(length) = length {
            let terms = &mut self.path.terms;
            let length = terms.zero_extend(length, Sort::INT);
            let bytes_each = terms.int(if latin { 1 } else { 2 });
            let length = terms.imul(length, bytes_each);
            self.heap.set_length_term(bytes, length, !latin);
        }
        for (i, &character) in characters.iter().enumerate() {
            let width = if latin { 1 } else { 2 };
            for byte in 0..width {
                let terms = &mut self.path.terms;
                let part = terms.extract(character, 8 * byte as u8, 8);
                let term = terms.sign_extend(part, Sort::INT);
                self.heap.set_term(bytes + HEADER + (i * width + byte) as u32, Some(term));
            }
        }
        Ok(string)
    }

    /// All constants of an enum, by name, as it declares them. None if it is no enum.
    pub(crate) fn enum_constants(&mut self, class: &str) -> Run<Vec<(Arc<str>, Ref)>> {
        let class = self.named(class)?;
        self.initialise(class)?;
        let declared = self.class(class);
        let constants = declared.fields.iter().filter(|f| f.access.is_static() && f.access.is_enum());
        let value = |slot: u32| self.heap.slot(declared.statics, slot) as Ref;
        Ok(constants.map(|f| (self.symbols.get(f.name).clone(), value(f.slot))).collect())
    }

    pub(crate) fn array_length(&self, array: u64) -> usize {
        if array == 0 { 0 } else { self.heap.length(array as Ref) as usize }
    }

    /// The length of an array is what an input says. Its elements beyond the present length are unknown.
    pub(crate) fn set_length_input(&mut self, array: u64, input: InputId) {
        let term = self.path.terms.input_term(input);
        let length = self.path.terms.zero_extend(term, Sort::INT);
        self.heap.set_length_term(array as Ref, length, true);
    }

    pub(crate) fn construct_for(&mut self, class: &str, descriptor: &str, arguments: &[Slot]) -> Run<Ref> {
        let class = self.named(class)?;
        self.initialise(class)?;
        let (params, _) = split(descriptor)?;
        let (values, terms) = self.arguments_for(&params, arguments)?;
        let object = self.allocate(class)?;
        let constructor = self.declared_method(class, "<init>", descriptor)?;
        let mut all = vec![u64::from(object)];
        all.extend(values);
        let mut all_terms = vec![None];
        all_terms.extend(terms);
        self.call_with(constructor, &all, &all_terms)?;
        Ok(object)
    }

    pub(crate) fn call_for(
        &mut self,
        owner: &str,
        name: &str,
        descriptor: &str,
        is_static: bool,
        arguments: &[Slot],
    ) -> Run<(u64, Option<Term>)> {
        let owner = self.named(owner)?;
        let mut method = self.declared_method(owner, name, descriptor)?;
        let (mut params, result) = split(descriptor)?;
        if is_static {
            let declaring = self.method_at(method).class;
            self.initialise(declaring)?;
        } else {
            params.insert(0, "Ljava/lang/Object;".to_owned());
        }
        let (values, terms) = self.arguments_for(&params, arguments)?;
        if !is_static {
            let receiver = values.first().map_or(0, |v| *v as Ref);
            if let Some(slot) = arguments.first() {
                self.receiver_of_statement(*slot, method);
            }
            if receiver == 0 {
                return Err(self.null_pointer());
            }
            method = self.select_for(receiver, method)?;
        }
        let (value, term) = self.call_with(method, &values, &terms)?;
        if result == "V" { Ok((0, None)) } else { Ok((value, term)) }
    }

    pub(super) fn field_place(&mut self, owner: &str, name: &str, descriptor: &str, object: Option<Slot>) -> Run<u32> {
        let owner = self.named(owner)?;
        let (n, d) = (self.symbols.intern(name), self.symbols.intern(descriptor));
        let Some((declaring, field)) = self.find_field(owner, n, d) else {
            return Err(Stop::unmodelled("a field that is not there").into());
        };
        if let Some(object) = object {
            self.pin_slot(object);
        }
        match object {
            None => {
                self.initialise(declaring)?;
                Ok(self.class(declaring).statics + HEADER + field.slot)
            }
            Some(object) if object.bits == 0 => Err(self.null_pointer()),
            Some(object) => Ok(object.bits as u32 + HEADER + field.slot),
        }
    }

    pub(crate) fn read_for(
        &mut self,
        owner: &str,
        name: &str,
        descriptor: &str,
        is_static: bool,
        arguments: &[Slot],
    ) -> Run<(u64, Option<Term>)> {
        let object = if is_static { None } else { arguments.first().copied() };
        let at = self.field_place(owner, name, descriptor, object)?;
        Ok((self.heap.get(at), self.heap_term(at)))
    }

    pub(crate) fn write_for(
        &mut self,
        owner: &str,
        name: &str,
        descriptor: &str,
        is_static: bool,
        arguments: &[Slot],
    ) -> Run<()> {
        let (object, value) = match (is_static, arguments) {
            (true, [value]) => (None, *value),
            (false, [object, value]) => (Some(*object), *value),
            _ => return Err(Stop::unmodelled("a field written without a value").into()),
        };
        let at = self.field_place(owner, name, descriptor, object)?;
        let value = self.fit(descriptor, value)?;
        self.heap.set(at, narrow(value.letter, value.bits));
        self.heap.set_term(at, value.term);
        Ok(())
    }

    pub(crate) fn array_for(&mut self, descriptor: &str, lengths: &[i32]) -> Run<Ref> {
        let class = self.described(descriptor)?;
        self.nested_array(class, lengths)
    }

    /// The place of an element and the descriptor of its type.
    fn element_place(&mut self, array: Ref, index: u32) -> Run<(u32, String)> {
        if array == 0 {
            return Err(self.null_pointer());
        }
        let length = self.heap.length(array);
        if index >= length as u32 {
            return Err(self.index_out_of_bounds(index as i32, length));
        }
        let descriptor = self.class_name_of(array).get(1..).unwrap_or_default().to_owned();
        Ok((array + HEADER + index, descriptor))
    }

    pub(crate) fn store_for(&mut self, array: Ref, index: u32, value: Slot) -> Run<()> {
        let (at, descriptor) = self.element_place(array, index)?;
        let value = self.fit(&descriptor, value)?;
        if value.letter == b'L'
            && value.bits != 0
            && let Kind::Array { element } = self.class(self.class_of(array)).kind
            && !self.is_subtype(self.class_of(value.bits as Ref), element)
        {
            let name = self.class_name_of(value.bits as Ref).replace('/', ".");
            return Err(self.throw("java/lang/ArrayStoreException", Some(&name)));
        }
        self.heap.set(at, narrow(value.letter, value.bits));
        self.heap.set_term(at, value.term);
        Ok(())
    }

    pub(crate) fn load_for(&mut self, array: Ref, index: u32) -> Run<(u64, Option<Term>)> {
        let (at, _) = self.element_place(array, index)?;
        Ok((self.heap.get(at), self.heap_term(at)))
    }

    pub(crate) fn cast_for(&mut self, value: Slot, descriptor: &str) -> Run<()> {
        self.pin_slot(value);
        if value.letter != b'L' || value.bits == 0 || descriptor.len() == 1 {
            return Ok(());
        }
        let (class, to) = (self.class_of(value.bits as Ref), self.described(descriptor)?);
        if self.is_subtype(class, to) { Ok(()) } else { Err(self.class_cast(class, to)) }
    }

    // What is reported about values and exceptions.

    pub(crate) fn telling(&mut self, object: Ref, whole: bool) -> Option<Value> {
        self.telling_value(object, whole)
    }

    pub(crate) fn primitive(letter: u8, bits: u64) -> Value {
        observe::primitive_value(letter, bits)
    }

    pub(crate) fn run_time_class(&self, object: Ref) -> ClassName {
        ClassName::new(self.visible_name(self.class_of(object)))
    }

    pub(crate) fn class_and_name(&self, method: MethodId) -> (String, String) {
        let method = self.method_at(method);
        (self.class_name(method.class).to_string(), self.symbols.get(method.name).to_string())
    }

    pub(crate) fn cause(&mut self, exception: Ref) -> Option<Ref> {
        let cause =
            self.call_virtual(exception, "java/lang/Throwable", "getCause", "()Ljava/lang/Throwable;", &[]).ok()?;
        (cause != 0).then_some(cause as Ref)
    }

    /// Superclasses of an exception's class, nearest first, up to `Throwable`.
    pub(crate) fn superclasses(&self, exception: Ref) -> Vec<String> {
        let mut names = Vec::new();
        let mut at = self.class(self.class_of(exception)).superclass;
        while let Some(class) = at.filter(|c| *c != self.well_known.object) {
            names.push(self.class_name(class).to_string());
            at = self.class(class).superclass;
        }
        names
    }

    /// The erased type of a class, for messages and values.
    pub fn type_of(&self, class: ClassId) -> Option<FieldType> {
        self.field_type(class)
    }
}
