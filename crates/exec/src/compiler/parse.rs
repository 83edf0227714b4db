//! The question where classes and members are in Java sources, put to the compiler's JVM. Owns that exchange; what the answer means is decided in
//! [`crate::sources`].

use std::time::Duration;

use super::{Compiler, CompilerProblem, now};
use crate::process::Event;
use crate::protocol::sources::{ParseError, ParsedFile, parse, parsed};
use crate::protocol::{WireProblem, kind, response};

impl Compiler {
    /// Parses sources (name and text) without compiling them. `limit` counts from now. After a problem the compiler is of no further use.
    pub(crate) fn parse<'t>(
        &mut self,
        files: impl ExactSizeIterator<Item = (&'t str, &'t str)>,
        limit: Duration,
    ) -> Result<Vec<Result<ParsedFile, Vec<ParseError>>>, CompilerProblem> {
        let until = now() + limit;
        self.writer.clear();
        parse(&mut self.writer, files);
        // If the JVM is gone, its end is the next event.
        self.process.send(self.writer.take());
        if self.warming.take().is_some() {
            self.answer(until, limit)?;
        }
        match self.process.next(until.saturating_duration_since(now())) {
            Some(Event::Frame { kind: kind::PARSED, payload }) => Ok(parsed(&payload)?),
            Some(Event::Frame { kind: kind::FAILED, payload }) => {
                Err(CompilerProblem::Failed { message: response::text(&payload)? })
            }
            Some(Event::Frame { kind, .. }) => Err(WireProblem::Unexpected { found: kind, expected: "PARSED" }.into()),
            Some(Event::Ended(_)) => Err(CompilerProblem::Ended { output: self.process.output_tail() }),
            None => Err(CompilerProblem::TooLong(limit)),
        }
    }
}
