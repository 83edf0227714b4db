//! Is what the report counts on disk? Owns the comparison at the end of a run; repairs nothing.

use std::collections::BTreeMap;
use std::path::Path;

use crate::out_dir::OutDir;
use crate::report::{ClassReport, Report};

/// What does not fit, in words; nothing if all is as reported.
pub fn mismatch(report: &Report, out: &OutDir) -> Option<String> {
    let mut owners: BTreeMap<String, &str> = BTreeMap::new();
    for class in &report.classes {
        for file in &class.files {
            // Upper and lower case are the same to some file systems.
            if let Some(other) = owners.insert(file.to_lowercase(), &class.class) {
                return Some(format!("{other} and {} wrote the same file, {file}", class.class));
            }
        }
        let trouble = counts(class, out).err();
        if trouble.is_some() {
            return trouble;
        }
    }
    None
}

fn counts(class: &ClassReport, out: &OutDir) -> Result<(), String> {
    let (mut passing, mut failing) = (0, 0);
    for file in &class.files {
        let text = out.read(Path::new(file)).map_err(|e| format!("{file} of {} is not there: {e}", class.class))?;
        let tests = text.lines().filter(|line| is_test(line)).count();
        if file.starts_with("failing") { failing += tests } else { passing += tests }
    }
    if (passing, failing) == (class.tests, class.findings.len()) {
        return Ok(());
    }
    Err(format!(
        "{} is reported to have {} tests and {} findings, and its files have {passing} and {failing}",
        class.class,
        class.tests,
        class.findings.len()
    ))
}

/// The annotation of a test, as the writer puts it: alone on its line, perhaps with its package.
fn is_test(line: &str) -> bool {
    let name = line.strip_prefix("    @").unwrap_or_default();
    name == "Test" || (name.ends_with(".Test") && !name.contains(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_told_from_what_looks_like_one() {
        assert!(is_test("    @Test") && is_test("    @org.junit.Test"));
        assert!(!is_test("        @Test") && !is_test("    @Tester") && !is_test("    // @Test") && !is_test("@Test"));
    }
}
