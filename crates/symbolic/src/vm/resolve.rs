//! Resolution: from names in a constant pool to classes, fields and constants, the first time an instruction runs. Owns
//! replacing the instruction by its resolved form; methods are in `invoke`.

use super::class::{ClassId, MethodId, PoolConstant};
use super::heap::{HEADER, Ref};
use super::insn::{Insn, Op};
use super::machine::Machine;
use super::stop::{Run, Stop, Unmodelled};
use super::symbols::Sym;
use super::unstable::Unstable;

impl Machine {
    pub(super) fn current_class(&self) -> ClassId {
        self.method_at(self.method).class
    }

    pub(super) fn constant(&self, class: ClassId, index: u16) -> Run<PoolConstant> {
        match self.class(class).pool.get(usize::from(index)) {
            Some(constant) => Ok(constant.clone()),
            None => Err(Stop::Malformed(format!("no constant {index}").into()).into()),
        }
    }

    /// The class a pool constant names.
    pub(super) fn pool_class(&mut self, class: ClassId, index: u16) -> Run<ClassId> {
        match self.constant(class, index)? {
            PoolConstant::Class(name) => self.resolve_class(name),
            _ => Err(Stop::Malformed(format!("constant {index} is no class").into()).into()),
        }
    }

    /// Owner, name and descriptor of a member reference.
    pub(super) fn pool_member(&self, index: u16) -> Run<(Sym, Sym, Sym)> {
        match self.constant(self.current_class(), index)? {
            PoolConstant::Member { class, name, descriptor } => Ok((class, name, descriptor)),
            _ => Err(Stop::Malformed(format!("constant {index} is no member").into()).into()),
        }
    }

    pub(super) fn ldc(&mut self, insn: Insn) -> Run<()> {
        let class = self.current_class();
        let resolved = match self.constant(class, insn.a as u16)? {
            PoolConstant::Int(v) => Insn::a(Op::ConstInt, v as u32),
            PoolConstant::Float(v) => Insn::a(Op::ConstWord, v),
            PoolConstant::Long(v) => Insn::long(v as u64),
            PoolConstant::Double(v) => Insn::long(v),
            PoolConstant::String(text) => {
                let string = self.literal(&text)?;
                if !self.heap.is_permanent(string) {
                    // The run itself made the string of this text: it is the one only until the run ends.
                    self.push(u64::from(string));
                    return Ok(());
                }
                Insn::a(Op::ConstRef, string)
            }
            PoolConstant::Class(name) => {
                let class = self.resolve_class(name)?;
                Insn::a(Op::ConstRef, self.mirror(class)?)
            }
            PoolConstant::Dynamic { bootstrap, name, descriptor } => {
                let what = self.bootstrap_name(class, bootstrap);
                let what = format!("{what} for constant {}{}", self.symbols.get(name), self.symbols.get(descriptor));
                return Err(Stop::Unmodelled(Unmodelled::Bootstrap(what.into())).into());
            }
            PoolConstant::Handle(_) => return Err(Stop::unmodelled("a method handle constant").into()),
            PoolConstant::MethodType(_) => return Err(Stop::unmodelled("a method type constant").into()),
            _ => return Err(Stop::Malformed("ldc of no constant".into()).into()),
        };
        self.requicken(resolved);
        Ok(())
    }

    /// The field an instruction names: where it is declared and the field.
    fn pool_field(&mut self, index: u16, is_static: bool) -> Run<(ClassId, super::class::Field)> {
        let (owner, name, descriptor) = self.pool_member(index)?;
        let owner = self.resolve_class(owner)?;
        let Some((declaring, field)) = self.find_field(owner, name, descriptor) else {
            let text = self.symbols.get(name).clone();
            return Err(self.throw("java/lang/NoSuchFieldError", Some(&text)));
        };
        if field.access.is_static() != is_static {
            return Err(self.throw("java/lang/IncompatibleClassChangeError", None));
        }
        Ok((declaring, field))
    }

    pub(super) fn resolve_static(&mut self, insn: Insn) -> Run<()> {
        let (declaring, field) = self.pool_field(insn.a as u16, true)?;
        let statics = self.class(declaring).statics;
        let wide = matches!(&**self.symbols.get(field.descriptor), "J" | "D");
        if insn.op == Op::GetStaticPool && self.is_salt(declaring, field.name) {
            let n = u8::from(wide);
            self.requicken(Insn { n, ..Insn::ab(Op::GetSalt, statics + HEADER + field.slot, statics + HEADER) });
            return Ok(());
        }
        let op = match (insn.op, wide) {
            (Op::GetStaticPool, false) => Op::GetStatic,
            (Op::GetStaticPool, true) => Op::GetStatic2,
            (_, false) => Op::PutStatic,
            (_, true) => Op::PutStatic2,
        };
        self.requicken(Insn::ab(op, statics + HEADER + field.slot, statics + HEADER));
        Ok(())
    }

    /// Whether a field says how sets and maps that cannot be changed are ordered.
    fn is_salt(&self, class: ClassId, field: Sym) -> bool {
        &**self.class_name(class) == "java/util/ImmutableCollections"
            && matches!(&**self.symbols.get(field), "SALT32L" | "REVERSE")
    }

    pub(super) fn get_salt(&mut self, insn: Insn) -> Run<()> {
        if self.heap.get(insn.b) != super::class::init::DONE {
            self.initialise_statics(insn.b)?;
        }
        self.unstable.add(Unstable::SALT);
        self.push(self.heap.get(insn.a));
        self.sp += usize::from(insn.n);
        Ok(())
    }

    pub(super) fn resolve_field(&mut self, insn: Insn) -> Run<()> {
        let (_, field) = self.pool_field(insn.a as u16, false)?;
        let descriptor = self.symbols.get(field.descriptor).clone();
        let wide = matches!(&*descriptor, "J" | "D");
        let op = match (insn.op, wide) {
            (Op::GetFieldPool, false) => Op::GetField,
            (Op::GetFieldPool, true) => Op::GetField2,
            (_, false) => Op::PutField,
            (_, true) => Op::PutField2,
        };
        let n = match descriptor.as_bytes().first() {
            Some(c @ (b'Z' | b'B' | b'C' | b'S')) => *c,
            _ => 0,
        };
        self.requicken(Insn { op, n, c: 0, a: field.slot, b: 0 });
        Ok(())
    }

    pub(super) fn resolve_new(&mut self, insn: Insn) -> Run<()> {
        let class = self.pool_class(self.current_class(), insn.a as u16)?;
        let access = self.class(class).access;
        if access.is_interface() || access.is_abstract() || self.class(class).statics == 0 {
            let name = self.class_name(class).replace('/', ".");
            return Err(self.throw("java/lang/InstantiationError", Some(&name)));
        }
        self.requicken(Insn::ab(Op::New, class.0, self.state_of(class)));
        Ok(())
    }

    /// An array of an array class; negative lengths throw.
    pub(super) fn new_array(&mut self, class: ClassId, length: i32) -> Run<Ref> {
        if length < 0 {
            let text = length.to_string();
            return Err(self.throw("java/lang/NegativeArraySizeException", Some(&text)));
        }
        self.allocate_array(class, length as u32)
    }

    pub(super) fn multi_new_array(&mut self, insn: Insn) -> Run<()> {
        let class = self.pool_class(self.current_class(), insn.a as u16)?;
        let count = usize::from(insn.n);
        let mut lengths = Vec::with_capacity(count);
        for i in 0..count {
            let at = self.sp - count + i;
            let length = self.stack[at] as i32;
            if let Some(term) = self.term_at(at) {
                let site = self.site(super::path::Check::NegativeSize);
                self.path.length(term, length, site);
            }
            lengths.push(length);
        }
        if let Some(length) = lengths.iter().find(|l| **l < 0) {
            let text = length.to_string();
            return Err(self.throw("java/lang/NegativeArraySizeException", Some(&text)));
        }
        let array = self.nested_array(class, &lengths)?;
        self.sp -= count;
        self.push(u64::from(array));
        Ok(())
    }

    /// An array whose elements are arrays of the further lengths.
    pub(super) fn nested_array(&mut self, class: ClassId, lengths: &[i32]) -> Run<Ref> {
        let super::class::Kind::Array { element } = self.class(class).kind else {
            return Err(Stop::Malformed("a new array of no array class".into()).into());
        };
        let Some((length, rest)) = lengths.split_first() else { return Ok(0) };
        let array = self.new_array(class, *length)?;
        if !rest.is_empty() {
            for i in 0..*length as u32 {
                let inner = self.nested_array(element, rest)?;
                self.heap.set_slot(array, i, u64::from(inner));
            }
        }
        Ok(array)
    }

    /// A method the machine needs, by names.
    pub(super) fn declared_method(&mut self, class: ClassId, name: &str, descriptor: &str) -> Run<MethodId> {
        let signature = (self.symbols.intern(name), self.symbols.intern(descriptor));
        self.find_method(class, signature).ok_or_else(|| {
            let class = self.class_name(class);
            Stop::unmodelled(format!("{class} has no {name}{descriptor}")).into()
        })
    }

    /// A static or other method of a JDK class, by names.
    pub fn known_method(&mut self, class: &str, name: &str, descriptor: &str) -> Run<MethodId> {
        let class = self.known_class(class)?;
        self.initialise(class)?;
        self.declared_method(class, name, descriptor)
    }
}
