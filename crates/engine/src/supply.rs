//! Where values of a type can come from besides the pool: constants, lambdas, arrays, and operations that make them. Owns the answer per
//! type, found once at its first need; never chooses among them.

use smallvec::SmallVec;
use testcase::operation::{OpId, Operation, OperationKind};
use testcase::types::Type;
use testcase::value::Constant;

use crate::catalog::{Catalog, Role, TypeId};
use crate::constants::Kind;
use crate::goal::Goals;
use crate::library::{Library, Offer};

/// Ways to a value of one type.
#[derive(Clone, Debug, Default)]
pub struct Supply {
    /// Constants that fit.
    pub kinds: SmallVec<[Kind; 2]>,
    /// Operations that need nothing.
    pub leaves: Vec<OpId>,
    /// Operations that need inputs themselves.
    pub makers: Vec<OpId>,
    /// Operations that make something else of a value that is there.
    pub changers: Vec<OpId>,
    /// For arrays: literals of length 0, 1, 2 and 3.
    pub literals: Vec<OpId>,
    /// Typed null; `None` for primitives.
    pub null: Option<OpId>,
}

/// Most operations taken from the library for one type.
const MAX_PROVIDERS: usize = 32;
const LITERAL_LENGTHS: [u32; 4] = [1, 2, 3, 0];

#[derive(Debug, Default)]
pub struct Supplies {
    by_type: Vec<Option<Box<Supply>>>,
}

impl Supplies {
    /// What is known; `None` if nobody asked `prepare` for it yet.
    #[inline]
    pub fn get(&self, wanted: TypeId) -> Option<&Supply> {
        self.by_type.get(wanted.index()).and_then(|s| s.as_deref())
    }

    /// Finds the ways to a type, if not done before. New operations join the catalogue as feeders.
    pub fn prepare(&mut self, catalog: &mut Catalog, goals: &Goals, library: &dyn Library, wanted: TypeId) {
        if self.get(wanted).is_some() {
            return;
        }
        let ty = catalog.ty(wanted).clone();
        let supply = find(catalog, goals, library, &ty);
        if self.by_type.len() < catalog.type_count() {
            self.by_type.resize(catalog.type_count(), None);
        }
        self.by_type[wanted.index()] = Some(Box::new(supply));
    }
}

fn find(catalog: &mut Catalog, goals: &Goals, library: &dyn Library, ty: &Type) -> Supply {
    let mut supply = Supply::default();
    match ty {
        Type::Void => return supply,
        Type::Primitive(p) => {
            supply.kinds.push(Kind::of(*p));
            return supply;
        }
        Type::Array(element) => {
            for length in LITERAL_LENGTHS {
                let literal = Operation {
                    kind: OperationKind::ArrayLiteral { length },
                    params: vec![(**element).clone(); length as usize],
                    result: ty.clone(),
                };
                supply.literals.push(catalog.add(library, literal, Role::Part));
            }
        }
        Type::Class(_) => {
            supply.kinds = Kind::all()
                .filter(|k| {
                    let boxed = k.boxed();
                    boxed == *ty || library.fits(&boxed, ty)
                })
                .collect();
        }
    }
    supply.null = Some(catalog.constant(library, Constant::Null, ty.clone()));
    let existing: Vec<OpId> = catalog
        .operations()
        .iter()
        .filter(|(op, o)| {
            catalog.facts(*op).role == Role::Target && o.result.is_reference() && library.fits(&o.result, ty)
        })
        .map(|(op, _)| op)
        .collect();
    let is_plain = supply.kinds.iter().any(|k| k.boxed() == *ty);
    let offers = if is_plain { Vec::new() } else { library.providers(ty) };
    let mut take = |offers: Vec<Offer>| -> Vec<OpId> {
        let taken = offers.into_iter().take(MAX_PROVIDERS).map(|offer| {
            let calls = matches!(
                offer.operation.kind,
                OperationKind::Construct { .. }
                    | OperationKind::Call { .. }
                    | OperationKind::ReadField { .. }
                    | OperationKind::LoadElement { .. }
            );
            let op = catalog.add(library, offer.operation, if calls { Role::Feed } else { Role::Part });
            if catalog.facts(op).role != Role::Target {
                let method = offer.member.as_ref().and_then(|m| goals.find_method(&m.class, &m.name, &m.descriptor));
                catalog.describe(op, offer.member, method, &[]);
            }
            op
        });
        taken.collect()
    };
    let offered = take(offers);
    supply.changers = if is_plain { Vec::new() } else { take(library.changers(ty)) };
    for op in existing.into_iter().chain(offered) {
        let list = if catalog.facts(op).params.is_empty() { &mut supply.leaves } else { &mut supply.makers };
        if !list.contains(&op) {
            list.push(op);
        }
    }
    supply
}
