//! Symbolic states as values: an object graph whose numbers are terms, and the condition on its inputs. Owns when two
//! of them are the same, and the exploration of all paths of a call from one to the next. Knows machines and terms; the
//! caller decides what to call.

mod compare;
mod condition;
mod paths;
mod space;
mod vocabulary;
mod zone;

pub use compare::Comparison;
pub use condition::{Asked, Asker, Condition, Stand};
pub use paths::{Arguments, End};
pub use space::{Counts, Explored, Found, Settings, Space, StateId, Tags, Visit};
pub use vocabulary::{Role, Vocabulary};
pub use zone::{Change, Found as ZoneFound, Place, Range, Zone};
