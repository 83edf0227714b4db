//! Near relatives of values that a sequence has already: made by the same calls, with one number or text changed. Objects that agree in all but one respect
//! meet by accident only if each is drawn by itself. Owns what is copied and changed; when it is wanted is `random`'s part.

use smallvec::SmallVec;
use testcase::operation::OperationKind;
use testcase::sequence::{SliceMode, Statement, Var};

use super::random::kind_of;
use super::scratch::Scratch;
use crate::catalog::TypeId;
use crate::rng::Rng;
use crate::search::Search;

/// Most statements copied.
const LONGEST: usize = 16;

/// Puts behind the scratch a value of this type that differs in one constant from one that is there; `None` if none is there, or it is made without constants.
pub fn relative(scratch: &mut Scratch, search: &mut Search<'_>, wanted: TypeId, rng: &mut Rng) -> Option<Var> {
    let like = scratch.reuse(&search.catalog, wanted, false, rng)?;
    let cut = scratch.sequence().slice(like.index(), SliceMode::Effects);
    let (copied, made) = (&cut.sequence, cut.var(like)?);
    if copied.len() > LONGEST || scratch.len() + copied.len() >= search.options.max_length {
        return None;
    }
    // A constant may serve several uses; only one of these is to differ.
    let mut uses: SmallVec<[(usize, usize); 16]> = SmallVec::new();
    for (at, statement) in copied.statements().iter().enumerate() {
        let is_open = |v: &Var| {
            let facts = search.catalog.facts(copied.statements()[v.index()].op);
            facts.constant && !facts.null && kind_of(search, facts.result).is_some()
        };
        uses.extend((0..statement.args.len()).filter(|&i| is_open(&statement.args[i])).map(|i| (at, i)));
    }
    let &(at, arg) = rng.pick(&uses)?;
    let constant = copied.statements()[copied.statements()[at].args[arg].index()].op;
    let (_, boxed) = kind_of(search, search.catalog.facts(constant).result)?;
    let OperationKind::Constant(value) = search.catalog.operation(constant).kind.clone() else {
        return None;
    };
    let changed = search.constants.near(&mut search.catalog, search.library, &value, boxed, rng)?;
    let mut places: SmallVec<[Var; LONGEST]> = SmallVec::new();
    for (i, statement) in copied.statements().iter().enumerate() {
        let mut args: SmallVec<[Var; 4]> = statement.args.iter().map(|a| places[a.index()]).collect();
        if i == at {
            args[arg] = scratch.push_leaf(&search.catalog, changed);
        }
        let place = match args.is_empty() {
            true => scratch.push_leaf(&search.catalog, statement.op),
            false => scratch.push(&search.catalog, Statement { op: statement.op, args }),
        };
        places.push(place);
    }
    places.get(made.index()).copied()
}
