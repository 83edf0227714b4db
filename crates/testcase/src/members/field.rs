//! Fields as operations: reads, writes, enum constants. Owns which fields can be read and written from a package.

use std::sync::Arc;

use bytecode::access::Access;
use bytecode::class_info::{ClassInfo, FieldInfo};

use super::{Collector, member_ref};
use crate::classes::{is_accessible, is_erasure_accessible, is_member_accessible, is_type_accessible};
use crate::operation::{Operation, OperationKind};
use crate::substitution::Substitution;
use crate::types::{ClassType, Type};
use crate::value::Constant;

impl Collector<'_, '_> {
    pub(super) fn field(&mut self, declaring: &ClassInfo, seen_as: &ClassType, field: &FieldInfo) {
        let is_static = field.access.is_static();
        if field.access.is_synthetic() || !is_member_accessible(self.package, &declaring.name, field.access) {
            return;
        }
        let member = member_ref(declaring, &field.name, &field.field_type.to_string(), &[], field.deprecated);
        let name: Arc<str> = Arc::from(&*field.name);
        if is_static && field.access.has(Access::ENUM) {
            if self.options.statics && declaring.name == self.class.name {
                let constant = Constant::Enum { class: declaring.name.clone(), name };
                self.out.push((Operation::constant(constant, Type::Class(self.class.clone())), member));
            }
            return;
        }
        let wanted = self.options.fields && (!is_static || self.options.statics);
        let classes = self.subtyping.classes();
        if !wanted || !is_erasure_accessible(classes, self.package, &field.field_type) {
            return;
        }
        let substitution =
            if is_static { Some(Substitution::default()) } else { self.class_substitution(declaring, seen_as) };
        let erased = Type::from(&field.field_type);
        let (read, written) = match (&field.signature, substitution) {
            (Some(sig), Some(s)) => (s.result(sig).unwrap_or_else(|| erased.clone()), s.parameter(sig)),
            _ => (erased.clone(), Some(erased.clone())),
        };
        let owner =
            if is_accessible(classes, self.package, &declaring.name) { &declaring.name } else { &self.class.name };
        let receiver: Vec<Type> = if is_static { Vec::new() } else { vec![Type::Class(self.class.clone())] };
        if !(is_static && field.access.is_final() && field.constant.is_some()) {
            let kind = OperationKind::ReadField {
                owner: owner.clone(),
                name: name.clone(),
                field_type: field.field_type.clone(),
                is_static,
            };
            let result = self.nameable_result(read);
            self.out.push((Operation { kind, params: receiver.clone(), result }, member.clone()));
        }
        if let (false, Some(written)) = (field.access.is_final(), written) {
            if !is_type_accessible(classes, self.package, &written) {
                return;
            }
            let kind = OperationKind::WriteField {
                owner: owner.clone(),
                name,
                field_type: field.field_type.clone(),
                is_static,
            };
            let params = receiver.into_iter().chain([written]).collect();
            self.out.push((Operation { kind, params, result: Type::Void }, member));
        }
    }
}
