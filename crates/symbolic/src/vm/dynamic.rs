//! `invokedynamic`: call sites of the bootstrap methods that compilers use, linked to methods the machine writes. Owns
//! the choice by bootstrap method; what no compiler of Java makes is not modelled.

use bytecode::access::Access;

use super::class::{ClassId, Handle, MethodId, PoolConstant};
use super::insn::{Insn, Op};
use super::machine::Machine;
use super::stop::{Run, Stop, Unmodelled};
use super::symbols::Sym;
use super::synthetic::{Emitter, split};

/// A call site to be linked.
pub(super) struct CallSite {
    pub class: ClassId,
    pub name: Sym,
    pub descriptor: String,
    pub arguments: Vec<u16>,
}

impl Machine {
    pub(super) fn bootstrap_name(&self, class: ClassId, bootstrap: u16) -> String {
        let handle = self.class(class).bootstraps.get(usize::from(bootstrap)).and_then(|b| b.method);
        handle.map_or("no bootstrap method".to_owned(), |h| {
            format!("{}.{}", self.symbols.get(h.class), self.symbols.get(h.name))
        })
    }

    pub(super) fn invoke_dynamic(&mut self, insn: Insn) -> Run<()> {
        let class = self.current_class();
        let PoolConstant::Dynamic { bootstrap, name, descriptor } = self.constant(class, insn.a as u16)? else {
            return Err(Stop::Malformed("invokedynamic without a call site".into()).into());
        };
        let which = self.bootstrap_name(class, bootstrap);
        let arguments = self.class(class).bootstraps.get(usize::from(bootstrap)).map(|b| b.arguments.clone());
        let site = CallSite {
            class,
            name,
            descriptor: self.symbols.get(descriptor).to_string(),
            arguments: arguments.unwrap_or_default(),
        };
        let method = match which.as_str() {
            "java/lang/invoke/LambdaMetafactory.metafactory" => self.link_lambda(&site, false)?,
            "java/lang/invoke/LambdaMetafactory.altMetafactory" => self.link_lambda(&site, true)?,
            "java/lang/invoke/StringConcatFactory.makeConcatWithConstants" => self.link_concat(&site, true)?,
            "java/lang/invoke/StringConcatFactory.makeConcat" => self.link_concat(&site, false)?,
            "java/lang/runtime/ObjectMethods.bootstrap" => self.link_record(&site)?,
            "java/lang/runtime/SwitchBootstraps.typeSwitch" | "java/lang/runtime/SwitchBootstraps.enumSwitch" => {
                let number = self.link_pattern(&site)?;
                self.requicken(Insn::a(Op::PatternSwitch, number));
                return Ok(());
            }
            _ => return Err(Stop::Unmodelled(Unmodelled::Bootstrap(which.into())).into()),
        };
        let state = self.state_of(self.method_at(method).class);
        self.requicken(Insn::ab(Op::InvokeStatic, method.0, state));
        Ok(())
    }

    pub(super) fn site_handle(&self, site: &CallSite, argument: usize) -> Run<Handle> {
        let index = site.arguments.get(argument).copied().unwrap_or(0);
        match self.constant(site.class, index)? {
            PoolConstant::Handle(handle) => Ok(handle),
            _ => Err(Stop::Malformed("a bootstrap argument that is no method handle".into()).into()),
        }
    }

    /// The descriptor of a method type among the bootstrap arguments.
    pub(super) fn site_type(&self, site: &CallSite, argument: usize) -> Run<String> {
        let index = site.arguments.get(argument).copied().unwrap_or(0);
        match self.constant(site.class, index)? {
            PoolConstant::MethodType(descriptor) => Ok(self.symbols.get(descriptor).to_string()),
            _ => Err(Stop::Malformed("a bootstrap argument that is no method type".into()).into()),
        }
    }

    /// String concatenation: a recipe of texts and places, appended to a builder.
    fn link_concat(&mut self, site: &CallSite, with_recipe: bool) -> Run<MethodId> {
        const BUILDER: &str = "java/lang/StringBuilder";
        let (params, result) = split(&site.descriptor)?;
        if result != "Ljava/lang/String;" {
            return Err(Stop::Malformed("a concatenation that gives no string".into()).into());
        }
        let recipe: Vec<u16> = if with_recipe {
            match self.constant(site.class, site.arguments.first().copied().unwrap_or(0))? {
                PoolConstant::String(text) => text.to_vec(),
                _ => return Err(Stop::Malformed("a concatenation without a recipe".into()).into()),
            }
        } else {
            vec![1; params.len()]
        };
        let builder = self.known_class(BUILDER)?;
        let mut emitter = Emitter::default();
        emitter.push(Insn::ab(Op::New, builder.0, self.state_of(builder)));
        emitter.op(Op::Dup);
        let init = self.declared_method(builder, "<init>", "()V")?;
        emitter.invoke(self, init);
        let (mut next, mut local, mut constant) = (0, 0u32, 1);
        let mut text: Vec<u16> = Vec::new();
        for unit in recipe {
            match unit {
                1 => {
                    self.append_text(&mut emitter, builder, &mut text)?;
                    let Some(param) = params.get(next) else {
                        return Err(Stop::Malformed("a recipe with too many places".into()).into());
                    };
                    emitter.load(param, local);
                    self.append(&mut emitter, builder, param)?;
                    local += super::class::Slot::of(param).width();
                    next += 1;
                }
                2 => {
                    let index = site.arguments.get(constant).copied().unwrap_or(0);
                    constant += 1;
                    match self.constant(site.class, index)? {
                        PoolConstant::String(part) => text.extend_from_slice(&part),
                        PoolConstant::Int(v) => text.extend(v.to_string().encode_utf16()),
                        PoolConstant::Long(v) => text.extend(v.to_string().encode_utf16()),
                        _ => return Err(Stop::unmodelled("a constant in a concatenation").into()),
                    }
                }
                unit => text.push(unit),
            }
        }
        self.append_text(&mut emitter, builder, &mut text)?;
        let to_string = self.declared_method(builder, "toString", "()Ljava/lang/String;")?;
        emitter.invoke(self, to_string);
        emitter.op(Op::ReturnOne);
        self.add_method(site.class, "$concat", &site.descriptor, Access::STATIC, emitter)
    }

    pub(super) fn append_text(&mut self, emitter: &mut Emitter, builder: ClassId, text: &mut Vec<u16>) -> Run<()> {
        if text.is_empty() {
            return Ok(());
        }
        let literal = self.literal(text)?;
        text.clear();
        emitter.push(Insn::a(Op::ConstRef, literal));
        self.append(emitter, builder, "Ljava/lang/String;")
    }

    /// Appends the value on top, of that type, to the builder under it.
    pub(super) fn append(&mut self, emitter: &mut Emitter, builder: ClassId, descriptor: &str) -> Run<()> {
        let parameter = match descriptor {
            "Z" | "C" | "I" | "J" | "F" | "D" => descriptor,
            "B" | "S" => "I",
            "Ljava/lang/String;" => descriptor,
            _ => "Ljava/lang/Object;",
        };
        let method = self.declared_method(builder, "append", &format!("({parameter})Ljava/lang/StringBuilder;"))?;
        emitter.invoke(self, method);
        Ok(())
    }
}
