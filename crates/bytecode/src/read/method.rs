//! Methods: signatures, parameter names and annotations brought in line with the descriptor, although compilers leave
//! the parameters they invent out of some of them. Owns that alignment and nothing of the code.

use super::{Common, Reader, annotation, class_names};
use crate::access::Access;
use crate::class_info::{Annotation, ClassInfo, MethodInfo, NestingKind};
use crate::names::{ClassName, FieldType, MethodDescriptor};
use crate::problem::Problem;
use crate::raw::{RawAttribute, RawMember};
use crate::signature::{MethodSignature, TypeSig};

const MANDATED: u16 = 0x8000;

/// What a method's attributes say, before it is combined.
#[derive(Default)]
struct Found<'a> {
    common: Common<'a>,
    throws: Vec<ClassName>,
    /// Name and flags of each parameter (`MethodParameters`).
    parameters: Option<Vec<(Option<String>, u16)>>,
    visible: Vec<Vec<Annotation>>,
    invisible: Vec<Vec<Annotation>>,
    /// Annotations of parameters' types, with the number of the parameter.
    type_annotations: Vec<(usize, Annotation)>,
    has_code: bool,
    lines: Option<(u16, u16)>,
    locals: Vec<Option<String>>,
}

impl<'a> Reader<'_, 'a> {
    pub(super) fn method(&mut self, class: &ClassInfo, raw: &RawMember<'a>) -> Result<MethodInfo, Problem> {
        let raw_descriptor = raw.descriptor.lossy();
        let at = raw.attributes.range().start;
        let descriptor =
            MethodDescriptor::parse(&raw_descriptor).ok_or(Problem::malformed(at, "a method descriptor"))?;
        let mut found = Found::default();
        for attribute in raw.attributes.iter(self.pool) {
            self.method_attribute(raw, &descriptor, &attribute, &mut found);
        }
        let signature = self.signature(found.common.signature, "a method signature", MethodSignature::parse);
        let is_constructor = raw.name == "<init>";
        let alignment =
            Alignment { class, is_constructor, params: &descriptor.params, flags: flags(&found, &descriptor) };
        let signature = signature.and_then(|s| alignment.signature(s, &descriptor));
        let mut param_annotations = alignment.annotations(found.visible);
        for (i, list) in alignment.annotations(found.invisible).into_iter().enumerate() {
            if param_annotations.is_empty() {
                param_annotations.resize_with(descriptor.params.len(), Vec::new);
            }
            param_annotations[i].extend(list);
        }
        // Parameters that compilers add in front are not counted there, and nothing says how many they are.
        let is_counted = !is_constructor || !class.is_inner() && !class.is_enum();
        for (i, annotation) in found.type_annotations.into_iter().filter(|_| is_counted) {
            if param_annotations.is_empty() {
                param_annotations.resize_with(descriptor.params.len(), Vec::new);
            }
            if let Some(list) = param_annotations.get_mut(i)
                && !list.contains(&annotation)
            {
                list.push(annotation);
            }
        }
        Ok(MethodInfo {
            name: raw.name.lossy().into_owned(),
            access: raw.access,
            param_names: param_names(found.parameters, found.locals, descriptor.params.len()),
            raw_descriptor: raw_descriptor.into_owned(),
            descriptor,
            signature,
            throws: found.throws,
            annotations: found.common.annotations,
            param_annotations,
            deprecated: found.common.deprecated,
            has_code: found.has_code,
            lines: found.lines,
        })
    }

    fn method_attribute(
        &mut self,
        raw: &RawMember<'a>,
        descriptor: &MethodDescriptor,
        attribute: &RawAttribute<'a>,
        found: &mut Found<'a>,
    ) {
        match attribute.name.bytes() {
            b"Code" => {
                found.has_code = true;
                let result = self.code(raw, descriptor, found);
                self.keep(result);
            }
            b"Exceptions" => {
                let result = class_names(&mut self.cursor(attribute), self.pool);
                found.throws = self.keep(result).unwrap_or_default();
            }
            b"MethodParameters" => {
                let result = self.method_parameters(attribute);
                found.parameters = self.keep(result);
            }
            b"RuntimeVisibleParameterAnnotations" => {
                let result = annotation::per_parameter(&mut self.cursor(attribute), self.pool);
                found.visible = self.keep(result).unwrap_or_default();
            }
            b"RuntimeInvisibleParameterAnnotations" => {
                let result = annotation::per_parameter(&mut self.cursor(attribute), self.pool);
                found.invisible = self.keep(result).unwrap_or_default();
            }
            b"RuntimeVisibleTypeAnnotations" | b"RuntimeInvisibleTypeAnnotations" => {
                let result = annotation::of_parameters(&mut self.cursor(attribute), self.pool);
                found.type_annotations.extend(self.keep(result).unwrap_or_default());
            }
            _ => self.common(attribute, &mut found.common),
        }
    }

    fn method_parameters(&self, attribute: &RawAttribute<'a>) -> Result<Vec<(Option<String>, u16)>, Problem> {
        let mut cursor = self.cursor(attribute);
        let count = cursor.u1("method parameters")?;
        let mut parameters = Vec::with_capacity(usize::from(count));
        for _ in 0..count {
            let name = match cursor.u2("a parameter's name")? {
                0 => None,
                index => Some(self.pool.text(index)?.lossy().into_owned()),
            };
            parameters.push((name, cursor.u2("a parameter's flags")?));
        }
        Ok(parameters)
    }

    /// Lines and, as a last resort, parameter names.
    fn code(
        &mut self,
        raw: &RawMember<'a>,
        descriptor: &MethodDescriptor,
        found: &mut Found<'a>,
    ) -> Result<(), Problem> {
        let Some(code) = self.raw.code(raw)? else { return Ok(()) };
        for attribute in code.attributes.iter(self.pool) {
            match attribute.name.bytes() {
                b"LineNumberTable" => {
                    let mut cursor = self.cursor(&attribute);
                    let count = cursor.u2("line numbers")?;
                    for _ in 0..count {
                        cursor.u2("a line's start")?;
                        let line = cursor.u2("a line number")?;
                        let (first, last) = found.lines.unwrap_or((line, line));
                        found.lines = Some((first.min(line), last.max(line)));
                    }
                }
                b"LocalVariableTable" if !descriptor.params.is_empty() => {
                    self.local_names(&attribute, raw.access, descriptor, found)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn local_names(
        &mut self,
        attribute: &RawAttribute<'a>,
        access: Access,
        descriptor: &MethodDescriptor,
        found: &mut Found<'a>,
    ) -> Result<(), Problem> {
        found.locals.resize(descriptor.params.len(), None);
        let mut cursor = self.cursor(attribute);
        let count = cursor.u2("local variables")?;
        for _ in 0..count {
            let start = cursor.u2("a local variable's start")?;
            cursor.u2("a local variable's length")?;
            let name = cursor.u2("a local variable's name")?;
            cursor.u2("a local variable's descriptor")?;
            let slot = cursor.u2("a local variable's slot")?;
            if start != 0 {
                continue;
            }
            let mut next = u16::from(!access.is_static());
            for (i, param) in descriptor.params.iter().enumerate() {
                if next == slot {
                    found.locals[i] = Some(self.pool.text(name)?.lossy().into_owned());
                }
                next = next.saturating_add(param.width());
            }
        }
        Ok(())
    }
}

/// Flags of every descriptor parameter, if `MethodParameters` knows them all.
fn flags(found: &Found<'_>, descriptor: &MethodDescriptor) -> Option<Vec<u16>> {
    let parameters = found.parameters.as_ref().filter(|p| p.len() == descriptor.params.len())?;
    Some(parameters.iter().map(|(_, flags)| *flags).collect())
}

fn param_names(
    parameters: Option<Vec<(Option<String>, u16)>>,
    locals: Vec<Option<String>>,
    count: usize,
) -> Vec<String> {
    // `MethodParameters` may have flags only, without names.
    let mut names = locals;
    if let Some(parameters) = parameters.filter(|p| p.len() == count) {
        names.resize(count, None);
        for (name, (better, _)) in names.iter_mut().zip(parameters) {
            *name = better.or(name.take());
        }
    }
    if names.iter().all(Option::is_none) {
        return Vec::new();
    }
    names.into_iter().enumerate().map(|(i, name)| name.unwrap_or_else(|| format!("arg{i}"))).collect()
}

/// Where the parameters of the source lie among those of the descriptor.
struct Alignment<'a> {
    class: &'a ClassInfo,
    is_constructor: bool,
    params: &'a [FieldType],
    flags: Option<Vec<u16>>,
}

impl Alignment<'_> {
    /// The signature with the invented parameters put in, or nothing if it cannot belong to the descriptor.
    fn signature(&self, mut signature: MethodSignature, descriptor: &MethodDescriptor) -> Option<MethodSignature> {
        match (&signature.result, &descriptor.result) {
            (None, None) => {}
            (Some(s), Some(d)) if s.may_erase_to(d) => {}
            _ => return None,
        }
        let places =
            self.places(signature.params.len(), |place, i| signature.params[i].may_erase_to(&self.params[place]))?;
        if places.len() < self.params.len() {
            let mut params: Vec<TypeSig> = self.params.iter().map(TypeSig::of).collect();
            for (place, param) in places.into_iter().zip(signature.params) {
                params[place] = param;
            }
            signature.params = params;
        }
        Some(signature)
    }

    /// One list per descriptor parameter, or empty if there are none or they cannot be placed.
    fn annotations(&self, lists: Vec<Vec<Annotation>>) -> Vec<Vec<Annotation>> {
        if lists.iter().all(Vec::is_empty) {
            return Vec::new();
        }
        let Some(places) = self.places(lists.len(), |_, _| true) else { return Vec::new() };
        let mut aligned = vec![Vec::new(); self.params.len()];
        for (place, list) in places.into_iter().zip(lists) {
            aligned[place] = list;
        }
        aligned
    }

    /// For each of `count` source parameters its index in the descriptor, all of which must `fit`.
    fn places(&self, count: usize, fit: impl Fn(usize, usize) -> bool) -> Option<Vec<usize>> {
        let fits = |places: &[usize]| places.iter().enumerate().all(|(i, place)| fit(*place, i));
        if count == self.params.len() {
            let all: Vec<usize> = (0..count).collect();
            return fits(&all).then_some(all);
        }
        if !self.is_constructor || count > self.params.len() {
            return None;
        }
        if let Some(flags) = &self.flags {
            let explicit: Vec<usize> =
                (0..flags.len()).filter(|&i| flags[i] & (Access::SYNTHETIC | MANDATED) == 0).collect();
            if explicit.len() == count {
                return fits(&explicit).then_some(explicit);
            }
        }
        self.leads().into_iter().find_map(|lead| {
            let places: Vec<usize> = (lead..lead + count).collect();
            (lead + count <= self.params.len() && fits(&places)).then_some(places)
        })
    }

    /// How many invented parameters come first, likeliest first. Enums take name and ordinal, inner classes the outer
    /// instance; captured variables come last.
    fn leads(&self) -> Vec<usize> {
        let kind = self.class.nesting.as_ref().map(|n| n.kind);
        if self.class.access.is_enum() {
            vec![2]
        } else if self.class.is_inner() {
            vec![1]
        } else if matches!(kind, Some(NestingKind::Local | NestingKind::Anonymous)) {
            let outer = kind.is_some() && self.starts_with_outer();
            if outer { vec![1, 0] } else { vec![0] }
        } else {
            Vec::new()
        }
    }

    fn starts_with_outer(&self) -> bool {
        let outer = self.class.nesting.as_ref().and_then(|n| n.outer.as_ref());
        matches!((self.params.first(), outer), (Some(FieldType::Class(first)), Some(outer)) if first == outer)
    }
}
