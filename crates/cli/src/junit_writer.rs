//! The bridge from verification to the JUnit writer. Owns the form of one suite (package, name, version, comments); the Java in it is not its business.

use testcase::assertion::TestCase;
use testcase::junit::write_suite;
use testcase::operation::Operations;
use testcase::subtyping::Subtyping;
use testcase::suite::{NamedTest, Suite};

use crate::verify::{Place, Rendered, RenderedFile, Writer};

pub struct JUnitWriter<'a> {
    /// Without tests.
    pub form: Suite,
    /// By the number of the test; missing ones have no comment.
    pub comments: Vec<Option<String>>,
    pub operations: &'a Operations,
    pub subtyping: &'a Subtyping<'a>,
}

impl Writer for JUnitWriter<'_> {
    fn render(&self, tests: &[(usize, &TestCase)]) -> Rendered {
        let named = |&(index, test): &(usize, &TestCase)| NamedTest {
            test: test.clone(),
            comment: self.comments.get(index).cloned().flatten(),
        };
        let suite = Suite {
            tests: tests.iter().map(named).collect(),
            ..self.form.clone()
        };
        let written = write_suite(&suite, self.operations, self.subtyping);
        let unplaced = Err("the writer left it out".to_string());
        let mut rendered = Rendered {
            files: Vec::new(),
            places: vec![unplaced; tests.len()],
        };
        for (position, refusal) in written.refused {
            rendered.places[position] = Err(refusal.to_string());
        }
        for (number, file) in written.files.into_iter().enumerate() {
            for test in file.tests {
                // Files have far fewer lines than that.
                let line = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
                rendered.places[test.test] = Ok(Place {
                    file: number,
                    lines: (line(test.lines.0), line(test.lines.1)),
                    class: file.class.clone(),
                    method: test.method,
                });
            }
            rendered.files.push(RenderedFile {
                path: file.name,
                text: file.text,
            });
        }
        rendered
    }
}
