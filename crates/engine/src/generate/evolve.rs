//! Evolution of tests. Owns nothing but the choice of a style.

pub mod change;
pub mod gp;
pub mod local;
pub mod many;
pub mod neighbour;
pub mod population;

use super::Generator;
use crate::options::{Options, Style};

/// The generator of the style asked for.
pub fn style(options: &Options) -> Box<dyn Generator> {
    match options.evolve.style {
        Style::ManyObjective => Box::new(many::ManyObjective::new(options.evolve)),
        Style::Gp => Box::new(gp::Gp::new(options.gp)),
    }
}
