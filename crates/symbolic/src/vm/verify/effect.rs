//! What each instruction takes from the stack and leaves there. Owns the table; control flow belongs to the caller.

use bytecode::instruction::{Instruction, Operand, opcode as op};

use super::super::class::{MethodId, PoolConstant};
use super::super::machine::Machine;
use super::super::stop::Run;
use super::super::symbols::Sym;
use super::super::synthetic::split;
use super::refuse;
use super::types::{State, Type, is_assignable};

/// Changes a state as an instruction does; refuses values of other types.
pub fn apply(machine: &mut Machine, method: MethodId, i: &Instruction<'_>, state: &mut State) -> Run<()> {
    let mut step = Step { machine, method, state };
    step.apply(i)
}

struct Step<'s> {
    machine: &'s mut Machine,
    method: MethodId,
    state: &'s mut State,
}

/// Letters of what simple instructions take and leave.
pub fn simple(opcode: u8) -> Option<(&'static str, &'static str)> {
    Some(match opcode {
        op::NOP | op::GOTO | op::GOTO_W => ("", ""),
        op::ICONST_M1..=op::ICONST_5 | op::BIPUSH | op::SIPUSH => ("", "I"),
        op::LCONST_0 | op::LCONST_1 => ("", "J"),
        op::FCONST_0..=op::FCONST_2 => ("", "F"),
        op::DCONST_0 | op::DCONST_1 => ("", "D"),
        op::INEG | op::I2B | op::I2C | op::I2S => ("I", "I"),
        op::LNEG => ("J", "J"),
        op::FNEG => ("F", "F"),
        op::DNEG => ("D", "D"),
        op::LSHL | op::LSHR | op::LUSHR => ("JI", "J"),
        op::ISHL | op::ISHR | op::IUSHR | op::IAND | op::IOR | op::IXOR => ("II", "I"),
        op::LAND | op::LOR | op::LXOR => ("JJ", "J"),
        // Rows of four: int, long, float, double.
        op::IADD..=op::DREM => match (opcode - op::IADD) % 4 {
            0 => ("II", "I"),
            1 => ("JJ", "J"),
            2 => ("FF", "F"),
            _ => ("DD", "D"),
        },
        op::I2L => ("I", "J"),
        op::I2F => ("I", "F"),
        op::I2D => ("I", "D"),
        op::L2I => ("J", "I"),
        op::L2F => ("J", "F"),
        op::L2D => ("J", "D"),
        op::F2I => ("F", "I"),
        op::F2L => ("F", "J"),
        op::F2D => ("F", "D"),
        op::D2I => ("D", "I"),
        op::D2L => ("D", "J"),
        op::D2F => ("D", "F"),
        op::LCMP => ("JJ", "I"),
        op::FCMPL | op::FCMPG => ("FF", "I"),
        op::DCMPL | op::DCMPG => ("DD", "I"),
        op::IFEQ..=op::IFLE | op::TABLESWITCH | op::LOOKUPSWITCH => ("I", ""),
        op::IF_ICMPEQ..=op::IF_ICMPLE => ("II", ""),
        op::IF_ACMPEQ | op::IF_ACMPNE => ("AA", ""),
        op::IFNULL | op::IFNONNULL | op::MONITORENTER | op::MONITOREXIT => ("A", ""),
        op::POP => ("1", ""),
        _ => return None,
    })
}

impl Step<'_> {
    fn pop(&mut self) -> Run<Type> {
        match self.state.stack.pop() {
            Some(top) => Ok(top),
            None => refuse("nothing on the stack"),
        }
    }

    fn pop_exactly(&mut self, wanted: Type) -> Run<()> {
        if wanted.is_wide() && self.pop()? != Type::Second {
            return refuse("half a number");
        }
        if self.pop()? == wanted { Ok(()) } else { refuse("a value of another type") }
    }

    fn pop_reference(&mut self) -> Run<Type> {
        let top = self.pop()?;
        if top.is_reference() { Ok(top) } else { refuse("no reference where one is needed") }
    }

    fn pop_assignable(&mut self, to: Sym) -> Run<()> {
        let top = self.pop_reference()?;
        if is_assignable(self.machine, top, to) { Ok(()) } else { refuse("a reference to another class") }
    }

    fn pop_descriptor(&mut self, descriptor: &str) -> Run<()> {
        match Type::of(self.machine, descriptor) {
            Type::Object(name) => self.pop_assignable(name),
            other => self.pop_exactly(other),
        }
    }

    fn push(&mut self, pushed: Type) {
        self.state.stack.push(pushed);
        if pushed.is_wide() {
            self.state.stack.push(Type::Second);
        }
    }

    fn push_descriptor(&mut self, descriptor: &str) {
        if descriptor != "V" {
            let pushed = Type::of(self.machine, descriptor);
            self.push(pushed);
        }
    }

    fn push_class(&mut self, name: &str) {
        let name = self.machine.symbols.intern(name);
        self.push(Type::Object(name));
    }

    fn constant(&self, i: &Instruction<'_>) -> Run<PoolConstant> {
        let class = self.machine.method_at(self.method).class;
        self.machine.constant(class, i.constant().unwrap_or(0))
    }

    fn class_constant(&self, i: &Instruction<'_>) -> Run<Sym> {
        match self.constant(i)? {
            PoolConstant::Class(name) => Ok(name),
            _ => refuse("no class where one is needed"),
        }
    }

    fn apply(&mut self, i: &Instruction<'_>) -> Run<()> {
        if let Some((taken, left)) = simple(i.opcode) {
            for letter in taken.bytes().rev() {
                match letter {
                    b'A' => self.pop_reference().map(|_| ())?,
                    b'1' => self.narrow(1)?,
                    b'I' => self.pop_exactly(Type::Int)?,
                    b'J' => self.pop_exactly(Type::Long)?,
                    b'F' => self.pop_exactly(Type::Float)?,
                    _ => self.pop_exactly(Type::Double)?,
                }
            }
            self.state.stack.truncate(self.state.stack.len() - usize::from(taken == "1"));
            if !left.is_empty() {
                self.push_descriptor(left);
            }
            return Ok(());
        }
        match i.opcode {
            op::ACONST_NULL => self.push(Type::Null),
            op::LDC | op::LDC_W | op::LDC2_W => self.load_constant(i)?,
            op::ILOAD..=op::ALOAD_3 => self.load(i)?,
            op::ISTORE..=op::ASTORE_3 => self.store(i)?,
            op::IALOAD..=op::SALOAD => self.load_element(i.opcode)?,
            op::IASTORE..=op::SASTORE => self.store_element(i.opcode)?,
            op::POP2 => {
                self.whole(2)?;
                self.state.stack.truncate(self.state.stack.len() - 2);
            }
            op::DUP => self.dup(1, 0)?,
            op::DUP_X1 => self.dup(1, 1)?,
            op::DUP_X2 => self.dup(1, 2)?,
            op::DUP2 => self.dup(2, 0)?,
            op::DUP2_X1 => self.dup(2, 1)?,
            op::DUP2_X2 => self.dup(2, 2)?,
            op::SWAP => {
                self.narrow(1)?;
                self.narrow(2)?;
                let top = self.state.stack.len();
                self.state.stack.swap(top - 1, top - 2);
            }
            op::IINC => {
                if let Operand::Increment { local, .. } = i.operand
                    && self.state.locals.get(usize::from(local)) != Some(&Type::Int)
                {
                    return refuse("an increment of no int");
                }
            }
            op::IRETURN..=op::RETURN => self.give(i.opcode)?,
            op::GETSTATIC | op::PUTSTATIC | op::GETFIELD | op::PUTFIELD => self.field(i)?,
            op::INVOKEVIRTUAL..=op::INVOKEINTERFACE => self.call(i)?,
            op::INVOKEDYNAMIC => match self.constant(i)? {
                PoolConstant::Dynamic { descriptor, .. } => self.exchange(descriptor, None)?,
                _ => return refuse("no call site"),
            },
            op::NEW => {
                let name = self.class_constant(i)?;
                self.push(Type::Object(name));
            }
            op::NEWARRAY => {
                self.pop_exactly(Type::Int)?;
                let code = match i.operand {
                    Operand::ArrayType(code) => usize::from(code),
                    _ => 0,
                };
                // The codes 4 to 11 mean these.
                let Some(letter) = code.checked_sub(4).and_then(|c| "ZCFDBSIJ".chars().nth(c)) else {
                    return refuse("an array of an unknown type");
                };
                self.push_class(&format!("[{letter}"));
            }
            op::ANEWARRAY => {
                self.pop_exactly(Type::Int)?;
                let element = self.class_constant(i)?;
                let element = self.machine.symbols.get(element).clone();
                let name = if element.starts_with('[') { format!("[{element}") } else { format!("[L{element};") };
                self.push_class(&name);
            }
            op::MULTIANEWARRAY => {
                let dimensions = match i.operand {
                    Operand::MultiNewArray { dimensions, .. } => usize::from(dimensions),
                    _ => 0,
                };
                let class = self.class_constant(i)?;
                let name = self.machine.symbols.get(class).clone();
                if dimensions == 0 || name.bytes().take_while(|b| *b == b'[').count() < dimensions {
                    return refuse("an array of too many dimensions");
                }
                for _ in 0..dimensions {
                    self.pop_exactly(Type::Int)?;
                }
                self.push(Type::Object(class));
            }
            op::ARRAYLENGTH => {
                self.pop_array()?;
                self.push(Type::Int);
            }
            op::ATHROW => {
                let throwable = self.machine.symbols.intern("java/lang/Throwable");
                self.pop_assignable(throwable)?;
            }
            op::CHECKCAST => {
                self.pop_reference()?;
                let name = self.class_constant(i)?;
                self.push(Type::Object(name));
            }
            op::INSTANCEOF => {
                self.pop_reference()?;
                self.class_constant(i)?;
                self.push(Type::Int);
            }
            _ => return refuse("an unknown instruction"),
        }
        Ok(())
    }

    /// The slot at a depth is a value of its own.
    fn narrow(&self, depth: usize) -> Run<()> {
        let at = self.state.stack.len().checked_sub(depth).and_then(|at| self.state.stack.get(at));
        match at {
            Some(found) if *found != Type::Second && !found.is_wide() => Ok(()),
            _ => refuse("half a number"),
        }
    }

    /// Checks that the given number of slots on top holds whole values.
    fn whole(&self, count: usize) -> Run<()> {
        let bottom = self.state.stack.len().checked_sub(count).and_then(|at| self.state.stack.get(at));
        match bottom {
            Some(found) if *found != Type::Second => Ok(()),
            _ => refuse("half a number"),
        }
    }

    fn dup(&mut self, count: usize, under: usize) -> Run<()> {
        self.whole(count)?;
        self.whole(count + under)?;
        let top = self.state.stack.len();
        let copied: Vec<Type> = self.state.stack[top - count..].to_vec();
        let at = top - count - under;
        self.state.stack.splice(at..at, copied);
        Ok(())
    }

    fn load_constant(&mut self, i: &Instruction<'_>) -> Run<()> {
        let wide = i.opcode == op::LDC2_W;
        let pushed = match self.constant(i)? {
            PoolConstant::Int(_) => Type::Int,
            PoolConstant::Float(_) => Type::Float,
            PoolConstant::Long(_) => Type::Long,
            PoolConstant::Double(_) => Type::Double,
            PoolConstant::String(_) => Type::Object(self.machine.symbols.intern("java/lang/String")),
            PoolConstant::Class(_) => Type::Object(self.machine.symbols.intern("java/lang/Class")),
            PoolConstant::Handle(_) => Type::Object(self.machine.symbols.intern("java/lang/invoke/MethodHandle")),
            PoolConstant::MethodType(_) => Type::Object(self.machine.symbols.intern("java/lang/invoke/MethodType")),
            PoolConstant::Dynamic { descriptor, .. } => {
                let descriptor = self.machine.symbols.get(descriptor).clone();
                Type::of(self.machine, &descriptor)
            }
            _ => return refuse("ldc of no constant"),
        };
        if pushed.is_wide() != wide {
            return refuse("a constant of another width");
        }
        self.push(pushed);
        Ok(())
    }

    fn local(i: &Instruction<'_>) -> usize {
        match i.operand {
            Operand::Local(local) => usize::from(local),
            _ => usize::MAX,
        }
    }

    /// Which of int, long, float, double and reference an instruction of such a family means: 0 to 4.
    fn family(opcode: u8, long: u8, short: u8) -> u8 {
        if opcode < short { opcode - long } else { (opcode - short) / 4 }
    }

    fn load(&mut self, i: &Instruction<'_>) -> Run<()> {
        let at = Self::local(i);
        let found = self.state.locals.get(at).copied().unwrap_or(Type::Unusable);
        let fits = match Self::family(i.opcode, op::ILOAD, op::ILOAD_0) {
            0 => found == Type::Int,
            1 => found == Type::Long,
            2 => found == Type::Float,
            3 => found == Type::Double,
            _ => found.is_reference(),
        };
        let second = !found.is_wide() || self.state.locals.get(at + 1) == Some(&Type::Second);
        if !fits || !second {
            return refuse("a local of another type");
        }
        self.push(found);
        Ok(())
    }

    fn store(&mut self, i: &Instruction<'_>) -> Run<()> {
        let at = Self::local(i);
        let stored = match Self::family(i.opcode, op::ISTORE, op::ISTORE_0) {
            0 => Type::Int,
            1 => Type::Long,
            2 => Type::Float,
            3 => Type::Double,
            _ => self.pop_reference()?,
        };
        if !stored.is_reference() {
            self.pop_exactly(stored)?;
        }
        let end = at.saturating_add(usize::from(stored.is_wide()));
        if end >= self.state.locals.len() {
            return refuse("a local beyond the last");
        }
        // Half of a two-slot value is useless.
        if self.state.locals[at] == Type::Second && at > 0 {
            self.state.locals[at - 1] = Type::Unusable;
        }
        if self.state.locals[end].is_wide() && end + 1 < self.state.locals.len() {
            self.state.locals[end + 1] = Type::Unusable;
        }
        self.state.locals[at] = stored;
        if stored.is_wide() {
            self.state.locals[end] = Type::Second;
        }
        Ok(())
    }

    fn pop_array(&mut self) -> Run<Option<String>> {
        match self.pop_reference()? {
            Type::Object(name) => {
                let name = self.machine.symbols.get(name).clone();
                match name.strip_prefix('[') {
                    Some(element) => Ok(Some(element.to_owned())),
                    None => refuse("no array where one is needed"),
                }
            }
            _ => Ok(None),
        }
    }

    /// Elements of what the instruction of a family works on: int, long, float, double, reference, byte, char, short.
    fn fits_element(kind: u8, element: &str) -> bool {
        match kind {
            0 => element == "I",
            1 => element == "J",
            2 => element == "F",
            3 => element == "D",
            4 => element.starts_with(['L', '[']),
            5 => matches!(element, "B" | "Z"),
            6 => element == "C",
            _ => element == "S",
        }
    }

    fn element_type(kind: u8) -> Type {
        match kind {
            1 => Type::Long,
            2 => Type::Float,
            3 => Type::Double,
            _ => Type::Int,
        }
    }

    fn load_element(&mut self, opcode: u8) -> Run<()> {
        let kind = opcode - op::IALOAD;
        self.pop_exactly(Type::Int)?;
        let element = self.pop_array()?;
        if let Some(element) = &element
            && !Self::fits_element(kind, element)
        {
            return refuse("elements of another type");
        }
        match (kind, element) {
            (4, Some(element)) => self.push_descriptor(&element),
            (4, None) => self.push(Type::Null),
            _ => self.push(Self::element_type(kind)),
        }
        Ok(())
    }

    fn store_element(&mut self, opcode: u8) -> Run<()> {
        let kind = opcode - op::IASTORE;
        if kind == 4 {
            self.pop_reference()?;
        } else {
            self.pop_exactly(Self::element_type(kind))?;
        }
        self.pop_exactly(Type::Int)?;
        match self.pop_array()? {
            Some(element) if !Self::fits_element(kind, &element) => refuse("elements of another type"),
            _ => Ok(()),
        }
    }

    fn give(&mut self, opcode: u8) -> Run<()> {
        let descriptor = self.machine.symbols.get(self.machine.method_at(self.method).descriptor).clone();
        let (_, result) = split(&descriptor)?;
        let fits = match opcode {
            op::RETURN => result == "V",
            op::IRETURN => matches!(result.as_str(), "Z" | "B" | "C" | "S" | "I"),
            op::LRETURN => result == "J",
            op::FRETURN => result == "F",
            op::DRETURN => result == "D",
            _ => result.len() > 1,
        };
        if !fits {
            return refuse("a result of another type");
        }
        if result == "V" { Ok(()) } else { self.pop_descriptor(&result) }
    }

    fn field(&mut self, i: &Instruction<'_>) -> Run<()> {
        let PoolConstant::Member { class, descriptor, .. } = self.constant(i)? else { return refuse("no field") };
        let descriptor = self.machine.symbols.get(descriptor).clone();
        if bytecode::names::FieldType::parse(&descriptor).is_none() {
            return refuse("a field of no type");
        }
        if matches!(i.opcode, op::PUTSTATIC | op::PUTFIELD) {
            self.pop_descriptor(&descriptor)?;
        }
        if matches!(i.opcode, op::GETFIELD | op::PUTFIELD) {
            self.receiver(class)?;
        }
        if matches!(i.opcode, op::GETSTATIC | op::GETFIELD) {
            self.push_descriptor(&descriptor);
        }
        Ok(())
    }

    /// The object whose member is used: of that very class, not only of an assignable one.
    fn receiver(&mut self, class: Sym) -> Run<()> {
        let top = self.pop_reference()?;
        if let (Type::Object(_), Ok(Some(owner))) = (top, self.machine.find_class_sym(class))
            && self.machine.class(owner).is_interface()
        {
            // Interfaces have no fields of objects, and their methods are looked for when called.
            return Ok(());
        }
        if is_assignable(self.machine, top, class) { Ok(()) } else { refuse("a member of another class") }
    }

    fn call(&mut self, i: &Instruction<'_>) -> Run<()> {
        let PoolConstant::Member { class, name, descriptor } = self.constant(i)? else { return refuse("no method") };
        let text = self.machine.symbols.get(name).clone();
        if text.starts_with('<') && (&*text != "<init>" || i.opcode != op::INVOKESPECIAL) {
            return refuse("a call of an initialiser");
        }
        self.exchange(descriptor, (i.opcode != op::INVOKESTATIC).then_some(class))
    }

    /// Takes arguments and receiver, leaves the result.
    fn exchange(&mut self, descriptor: Sym, receiver: Option<Sym>) -> Run<()> {
        let descriptor = self.machine.symbols.get(descriptor).clone();
        let (params, result) = split(&descriptor)?;
        for param in params.iter().rev() {
            self.pop_descriptor(param)?;
        }
        if let Some(class) = receiver {
            self.receiver(class)?;
        }
        self.push_descriptor(&result);
        Ok(())
    }
}
