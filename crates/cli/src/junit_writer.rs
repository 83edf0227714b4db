//! The bridge from verification to the JUnit writer. Owns the form of one suite (package, name, version, comments); the Java in it is not its business.

use testcase::assertion::TestCase;
use testcase::junit::write_suite;
use testcase::operation::Operations;
use testcase::subtyping::Subtyping;
use testcase::suite::{NamedTest, Suite};

use crate::verify::{Place, Rendered, RenderedFile, Writer, is_failing};

pub struct JUnitWriter<'a> {
    /// Without tests; those that fail go to a class of their own beside it.
    pub form: Suite,
    /// Its simple name.
    pub failing: String,
    /// By the number of the test; missing ones have no comment.
    pub comments: Vec<Option<String>>,
    pub operations: &'a Operations,
    pub subtyping: &'a Subtyping<'a>,
}

impl Writer for JUnitWriter<'_> {
    fn render(&self, tests: &[(usize, &TestCase)]) -> Rendered {
        let unplaced = Err("the writer left it out".to_string());
        let mut rendered = Rendered { files: Vec::new(), places: vec![unplaced; tests.len()] };
        let failing_form = Suite { class_name: self.failing.clone(), ..self.form.clone() };
        for (form, failing) in [(&self.form, false), (&failing_form, true)] {
            let positions: Vec<usize> = (0..tests.len()).filter(|&i| is_failing(tests[i].1) == failing).collect();
            self.render_form(form, failing, tests, &positions, &mut rendered);
        }
        rendered
    }
}

impl JUnitWriter<'_> {
    fn render_form(
        &self,
        form: &Suite,
        failing: bool,
        tests: &[(usize, &TestCase)],
        positions: &[usize],
        rendered: &mut Rendered,
    ) {
        let named = |&position: &usize| {
            let (index, test) = tests[position];
            NamedTest { test: test.clone(), comment: self.comments.get(index).cloned().flatten() }
        };
        let suite = Suite { tests: positions.iter().map(named).collect(), ..form.clone() };
        let written = write_suite(&suite, self.operations, self.subtyping);
        for (number, refusal) in written.refused {
            rendered.places[positions[number]] = Err(refusal.to_string());
        }
        for file in written.files {
            for test in file.tests {
                // Files have far fewer lines than that.
                let line = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
                rendered.places[positions[test.test]] = Ok(Place {
                    file: rendered.files.len(),
                    lines: (line(test.lines.0), line(test.lines.1)),
                    class: file.class.clone(),
                    method: test.method,
                });
            }
            rendered.files.push(RenderedFile { path: file.name, text: file.text, failing });
        }
    }
}
