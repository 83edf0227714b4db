//! Pattern switches: which label a value has. Owns what `SwitchBootstraps` does.

use super::class::{ClassId, PoolConstant};
use super::dynamic::CallSite;
use super::heap::Ref;
use super::insn::Insn;
use super::machine::Machine;
use super::stop::{Run, Stop};
use crate::expr::Term;

/// A label of a pattern switch.
#[derive(Clone, Debug)]
pub(super) enum Label {
    Class(ClassId),
    Text(Vec<u16>),
    Int(i32),
    /// A constant of an enum class.
    Enum(ClassId, Vec<u16>),
}

#[derive(Clone, Debug)]
pub(super) struct PatternSite {
    labels: Vec<Label>,
}

impl Machine {
    pub(super) fn link_pattern(&mut self, site: &CallSite) -> Run<u32> {
        let (params, result) = super::synthetic::split(&site.descriptor)?;
        let selector = match (params.as_slice(), result.as_str()) {
            ([selector, restart], "I") if restart == "I" && selector.len() > 1 => selector.clone(),
            _ => return Err(Stop::unmodelled("a pattern switch over a primitive").into()),
        };
        let is_enum_switch = self.is_enum_descriptor(&selector)?;
        let mut labels = Vec::with_capacity(site.arguments.len());
        for (i, &index) in site.arguments.iter().enumerate() {
            labels.push(match self.constant(site.class, index)? {
                PoolConstant::Class(name) => Label::Class(self.resolve_class(name)?),
                PoolConstant::Int(value) => Label::Int(value),
                PoolConstant::String(text) => match is_enum_switch {
                    Some(class) => Label::Enum(class, text.to_vec()),
                    None => Label::Text(text.to_vec()),
                },
                PoolConstant::Dynamic { .. } => self.enum_label(site, index)?,
                _ => return Err(Stop::unmodelled(format!("label {i} of a pattern switch")).into()),
            });
        }
        self.patterns.push(PatternSite { labels });
        Ok(self.patterns.len() as u32 - 1)
    }

    /// The enum class a descriptor names, if it is one.
    fn is_enum_descriptor(&mut self, descriptor: &str) -> Run<Option<ClassId>> {
        if !descriptor.starts_with('L') {
            return Ok(None);
        }
        let name = self.symbols.intern(super::synthetic::class_operand(descriptor));
        let class = self.resolve_class(name)?;
        Ok(self.class(class).access.is_enum().then_some(class))
    }

    /// `EnumDesc.of(ClassDesc.of("C"), "NAME")`, as compilers write a constant of an enum among other labels.
    fn enum_label(&mut self, site: &CallSite, index: u16) -> Run<Label> {
        let unknown = || Stop::unmodelled("a computed label of a pattern switch");
        let PoolConstant::Dynamic { bootstrap, .. } = self.constant(site.class, index)? else {
            return Err(unknown().into());
        };
        let arguments = self.class(site.class).bootstraps.get(usize::from(bootstrap)).map(|b| b.arguments.clone());
        let outer = CallSite { arguments: arguments.unwrap_or_default(), descriptor: String::new(), ..*site };
        let name = self.site_text(&outer, 2).ok_or_else(unknown)?;
        let inner = outer.arguments.get(1).copied().unwrap_or(0);
        let PoolConstant::Dynamic { bootstrap, .. } = self.constant(site.class, inner)? else {
            return Err(unknown().into());
        };
        let arguments = self.class(site.class).bootstraps.get(usize::from(bootstrap)).map(|b| b.arguments.clone());
        let class = CallSite { arguments: arguments.unwrap_or_default(), descriptor: String::new(), ..*site };
        let class = self.site_text(&class, 1).ok_or_else(unknown)?;
        let class = String::from_utf16_lossy(&class).replace('.', "/");
        let class = self.symbols.intern(&class);
        Ok(Label::Enum(self.resolve_class(class)?, name))
    }

    pub(super) fn pattern_switch(&mut self, insn: Insn) -> Run<()> {
        let restart = self.stack[self.sp - 1] as i32;
        let target = self.stack[self.sp - 2] as Ref;
        let term = self.term_at(self.sp - 2);
        self.ask_for_null(self.sp - 2);
        let labels = self.patterns[insn.a as usize].labels.clone();
        let chosen = if target == 0 {
            -1
        } else {
            let mut chosen = labels.len() as i32;
            for (i, label) in labels.iter().enumerate().skip(restart.max(0) as usize) {
                if self.has_label(target, term, label)? {
                    chosen = i as i32;
                    break;
                }
            }
            chosen
        };
        self.sp -= 2;
        self.push(chosen as i64 as u64);
        Ok(())
    }

    fn has_label(&mut self, target: Ref, term: Option<Term>, label: &Label) -> Run<bool> {
        let class = self.class_of(target);
        if let Some(term) = term.filter(|_| !matches!(label, Label::Class(_))) {
            self.pin_reference(term, u64::from(target));
        }
        Ok(match label {
            Label::Class(of) => self.class_label(term, target, *of),
            Label::Text(text) => class == self.well_known.string && self.is_text(target, text),
            Label::Int(value) => match &**self.class_name(class) {
                "java/lang/Integer" | "java/lang/Character" | "java/lang/Byte" | "java/lang/Short" => {
                    self.is_int(target, *value)
                }
                _ => false,
            },
            Label::Enum(of, name) => {
                if !self.is_subtype(class, *of) {
                    return Ok(false);
                }
                let enums = self.known_class("java/lang/Enum")?;
                let slot = self.field_slot(enums, "name", "Ljava/lang/String;")?;
                let constant = self.heap.slot(target, slot) as Ref;
                constant != 0 && self.string_units(constant) == *name
            }
        })
    }
}
