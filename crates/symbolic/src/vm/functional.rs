//! Lambdas that statements make: objects of a functional interface with a body that the sequence chose. Owns their
//! classes, one per lambda.

use bytecode::access::Access;
use testcase::operation::{Lambda, LambdaBody};
use testcase::value::Constant;

use super::class::{ClassId, Kind, Slot, init};
use super::heap::Ref;
use super::insn::{Insn, Op};
use super::load;
use super::machine::Machine;
use super::stop::{Run, Stop};
use super::synthetic::{Emitter, is_primitive, split};

impl Machine {
    /// A new object of the lambda's class.
    pub(crate) fn lambda_for(&mut self, lambda: &Lambda) -> Run<Ref> {
        let class = match self.functional.get(lambda) {
            Some(&class) => class,
            None => {
                let class = self.functional_class(lambda)?;
                self.functional.insert(lambda.clone(), class);
                class
            }
        };
        self.allocate(class)
    }

    fn functional_class(&mut self, lambda: &Lambda) -> Run<ClassId> {
        let interface = self.symbols.intern(lambda.interface.internal());
        let interface = self.resolve_class(interface)?;
        self.lambdas += 1;
        let name = self.symbols.intern(&format!("testudo/generated/Testudo$Lambda{}", self.lambdas));
        let id = ClassId(self.classes.len() as u32);
        let object = self.well_known.object;
        let mut class = load::empty(name, Kind::Object, Access(Access::PUBLIC | Access::FINAL | Access::SYNTHETIC));
        class.superclass = Some(object);
        class.interfaces = vec![interface];
        class.supertypes = vec![id, object];
        class.supertypes.extend_from_slice(&self.class(interface).supertypes);
        class.supertypes.sort_unstable();
        class.supertypes.dedup();
        class.vtable = self.class(object).vtable.clone();
        class.virtual_slots = self.class(object).virtual_slots.clone();
        class.is_application = true;
        class.statics = self.permanent(object, id.0, 1)?;
        self.heap.set_permanent(class.statics, 0, init::DONE);
        self.class_index.insert(name, Some(id));
        self.classes.push(class);
        let emitter = self.functional_body(lambda)?;
        let method = self.add_method(id, &lambda.method, &lambda.descriptor, Access::PUBLIC, emitter)?;
        let signature = (self.symbols.intern(&lambda.method), self.symbols.intern(&lambda.descriptor));
        self.classes[id.0 as usize].declared.insert(signature, method);
        Ok(id)
    }

    fn functional_body(&mut self, lambda: &Lambda) -> Run<Emitter> {
        let (params, result) = split(&lambda.descriptor)?;
        let mut locals = Vec::new();
        let mut next = 1;
        for param in &params {
            locals.push(next);
            next += Slot::of(param).width();
        }
        let mut emitter = Emitter::default();
        let (exact, _) = split(&lambda.exact)?;
        for ((param, local), exact) in params.iter().zip(&locals).zip(&exact) {
            if param != exact && !is_primitive(param) && !is_primitive(exact) {
                emitter.load(param, *local);
                emitter.convert(self, param, exact)?;
                emitter.op(Op::Pop);
            }
        }
        match &lambda.body {
            LambdaBody::Nothing => match Slot::of(&result) {
                Slot::Void => {}
                Slot::Long | Slot::Double => emitter.push(Insn::long(0)),
                _ => emitter.push(Insn::a(Op::ConstInt, 0)),
            },
            LambdaBody::Constant(constant) => {
                if result != "V" {
                    let from = self.push_constant(&mut emitter, constant)?;
                    if let Some(from) = from {
                        emitter.convert(self, &from, &result)?;
                    }
                }
            }
            LambdaBody::Parameter(index) => {
                let index = usize::from(*index);
                let (Some(param), Some(&local)) = (params.get(index), locals.get(index)) else {
                    return Err(Stop::unmodelled("a lambda that gives a parameter it does not have").into());
                };
                if result != "V" {
                    emitter.load(param, local);
                    emitter.convert(self, param, &result)?;
                }
            }
            LambdaBody::Reference { owner, name, descriptor, is_static, .. } => {
                let (mut wanted, given) = split(descriptor)?;
                if !is_static {
                    wanted.insert(0, format!("L{owner};"));
                }
                if wanted.len() != params.len() {
                    return Err(Stop::unmodelled("a method reference that does not fit").into());
                }
                for ((param, local), want) in params.iter().zip(&locals).zip(&wanted) {
                    emitter.load(param, *local);
                    emitter.convert(self, param, want)?;
                }
                let owner = self.symbols.intern(owner.internal());
                let owner = self.resolve_class(owner)?;
                let method = self.declared_method(owner, name, descriptor)?;
                emitter.invoke(self, method);
                emitter.convert(self, &given, &result)?;
            }
        }
        emitter.result(&result);
        Ok(emitter)
    }

    /// Pushes a constant and gives its type; none for null.
    fn push_constant(&mut self, emitter: &mut Emitter, constant: &Constant) -> Run<Option<String>> {
        let descriptor = match constant {
            Constant::Null => {
                emitter.push(Insn::a(Op::ConstRef, 0));
                return Ok(None);
            }
            Constant::Enum { class, name } => {
                let descriptor = format!("L{class};");
                let owner = self.symbols.intern(class.internal());
                let owner = self.resolve_class(owner)?;
                let (n, d) = (self.symbols.intern(name), self.symbols.intern(&descriptor));
                let Some((declaring, field)) = self.find_field(owner, n, d) else {
                    return Err(Stop::unmodelled("an enum constant that is not there").into());
                };
                let state = self.state_of(declaring);
                emitter.push(Insn::ab(Op::GetStatic, state + field.slot, state));
                return Ok(Some(descriptor));
            }
            Constant::Boolean(_) => "Z",
            Constant::Byte(_) => "B",
            Constant::Char(_) => "C",
            Constant::Short(_) => "S",
            Constant::Int(_) => "I",
            Constant::Long(_) => "J",
            Constant::Float(_) => "F",
            Constant::Double(_) => "D",
            Constant::String(_) => "Ljava/lang/String;",
            Constant::Class(_) => "Ljava/lang/Class;",
        };
        let bits = self.constant_value(constant)?;
        emitter.push(match descriptor {
            "J" | "D" => Insn::long(bits),
            "F" => Insn::a(Op::ConstWord, bits as u32),
            "Ljava/lang/String;" | "Ljava/lang/Class;" => Insn::a(Op::ConstRef, bits as u32),
            _ => Insn::a(Op::ConstInt, bits as u32),
        });
        Ok(Some(descriptor.to_owned()))
    }
}
