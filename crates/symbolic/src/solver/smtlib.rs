//! Other solvers as a back end, spoken to in SMT-LIB. Owns the script and the reading of answers; starting the program
//! is the caller's matter.

use super::{Answer, Limit, Query, Solver, Why};
use crate::expr::{Evaluator, Model, Terms};

/// Any SMT-LIB solver. The callback gets a whole script and gives back all that the solver printed.
pub struct SmtLib<F> {
    run: F,
    evaluator: Evaluator,
}

impl<F: FnMut(&str) -> Result<String, String>> SmtLib<F> {
    pub fn new(run: F) -> SmtLib<F> {
        SmtLib { run, evaluator: Evaluator::default() }
    }
}

impl<F: FnMut(&str) -> Result<String, String>> Solver for SmtLib<F> {
    fn check(&mut self, terms: &mut Terms, query: &Query, _limit: Limit<'_>) -> Answer {
        let mut inputs: Vec<_> =
            query.conditions.iter().flat_map(|condition| terms.inputs_of(*condition).to_vec()).collect();
        inputs.sort_unstable();
        inputs.dedup();
        let mut script = terms.script(&query.conditions);
        for input in &inputs {
            script.push_str(&format!("(get-value ({}))\n", terms.symbol(*input)));
        }
        let output = match (self.run)(&script) {
            Ok(output) => output,
            Err(trouble) => return Answer::Unknown(Why::Elsewhere(trouble)),
        };
        let (verdict, values) = output.trim_start().split_once('\n').unwrap_or((output.trim(), ""));
        match verdict.trim() {
            "unsat" => return Answer::Unsat,
            "sat" => {}
            other => return Answer::Unknown(Why::Elsewhere(other.chars().take(200).collect())),
        }
        let mut model = Model::default();
        match terms.read_values(values) {
            Ok(found) => {
                for (input, term) in inputs.iter().zip(found) {
                    model.set(*input, terms.eval(term, &Model::default()));
                }
            }
            Err(error) => return Answer::Unknown(Why::Elsewhere(error.to_string())),
        }
        self.evaluator.forget();
        let holds = query.conditions.iter().all(|condition| self.evaluator.holds(terms, &model, *condition));
        if holds { Answer::Sat(model) } else { Answer::Unknown(Why::WrongModel) }
    }
}
