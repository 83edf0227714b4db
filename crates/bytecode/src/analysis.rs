//! What the code of a class does, found in one cheap pass over its instructions: constants, casts, calls, fields; and
//! control flow on demand. Owns facts about single methods; whatever follows calls into other classes goes through the
//! `World`.

pub mod body;
pub mod callees;
pub mod casts;
pub mod cfg;
pub mod constants;
pub mod control;
pub mod dataflow;
pub mod dominance;
pub mod emcdg;
pub mod feasible;
pub mod fields;
pub mod purity;
pub mod repeated;
pub mod targets;
pub mod walk;

pub use callees::{Call, CallKind};
pub use casts::Casts;
pub use cfg::{Block, BlockId, Cfg};
pub use constants::Constants;
pub use control::{ControlDependence, Edge, Levels};
pub use dataflow::{DataFlow, Flow, Follow, Influence};
pub use dominance::{Dominators, PostDominators};
pub use emcdg::Emcdg;
pub use feasible::{Feasible, Way};
pub use fields::{FieldAccess, FieldUse};
pub use purity::{Effect, MethodPurity, ParamPurity, Purity};
pub use repeated::Repeated;

use crate::instruction::Instructions;
use crate::problem::Problem;
use crate::raw::{RawClass, RawCode};
use callees::Bootstraps;

/// Facts about every method of a class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassFacts {
    /// In the order of the class file, so in that of `ClassInfo::methods`. Methods without code have empty facts.
    pub methods: Vec<MethodFacts>,
    /// The `ConstantValue`s of fields.
    pub field_constants: Constants,
}

/// Facts about one method. Everything is sorted, each item once; calls are in order of first appearance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MethodFacts {
    pub constants: Constants,
    pub casts: Casts,
    pub calls: Vec<Call>,
    pub fields: FieldUse,
}

impl ClassFacts {
    pub fn read(bytes: &[u8]) -> Result<ClassFacts, Problem> {
        ClassFacts::from_raw(&RawClass::parse(bytes)?)
    }

    /// The same for a class that is parsed already.
    pub fn from_raw(raw: &RawClass<'_>) -> Result<ClassFacts, Problem> {
        let bootstraps = Bootstraps::read(raw)?;
        let mut methods = Vec::with_capacity(raw.methods.len());
        for method in &raw.methods {
            methods.push(match raw.code(method)? {
                Some(code) => MethodFacts::read(raw, &code, &bootstraps)?,
                None => MethodFacts::default(),
            });
        }
        Ok(ClassFacts { methods, field_constants: Constants::of_fields(raw)? })
    }

    /// The constants of all methods and fields of the class.
    pub fn constants(&self) -> Constants {
        let mut all = self.field_constants.clone();
        for method in &self.methods {
            all.append(&method.constants);
        }
        all.finish();
        all
    }
}

impl MethodFacts {
    fn read(raw: &RawClass<'_>, code: &RawCode<'_>, bootstraps: &Bootstraps<'_>) -> Result<MethodFacts, Problem> {
        let mut facts = MethodFacts::default();
        let mut calls = callees::Collector::default();
        for instruction in Instructions::new(code.code, code.code_start) {
            let instruction = instruction?;
            facts.constants.see(&instruction, &raw.pool)?;
            facts.casts.see(&instruction, &raw.pool)?;
            facts.fields.see(&instruction, &raw.pool)?;
            calls.see(&instruction, &raw.pool, bootstraps)?;
        }
        for handler in &code.handlers {
            facts.casts.see_handler(handler, &raw.pool)?;
        }
        facts.calls = calls.finish();
        facts.constants.finish();
        facts.casts.finish();
        facts.fields.finish();
        Ok(facts)
    }
}
