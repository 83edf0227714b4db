//! Terms: what a value is as a function of the inputs. Owns their arena, their simplification, their meaning and their
//! SMT-LIB form. Does not know effects of instructions, paths or solving.

mod apply;
mod build;
mod eval;
mod infix;
mod input_set;
mod jvm;
mod model;
mod node;
mod print;
mod read;
mod sharing;
mod sort;
mod terms;

pub use apply::{apply, canonical};
pub use eval::Evaluator;
pub use model::{ArrayValue, Model, Value};
pub use node::{Node, Op, Rounding};
pub use read::{ReadError, ScriptQuery};
pub use sort::{Element, Sort};
pub use terms::{InputId, Term, Terms};
