//! The repository's Java fixtures, compiled for measuring. Owns where their sources are.

use std::path::PathBuf;

use crate::{Lab, Problem, files};

/// Class files of the subjects, compiled by the measurement's JDK at the level the sources are written for.
pub fn subjects(lab: &Lab) -> Result<PathBuf, Problem> {
    let sources = files::below(&lab.root.join("fixtures/subjects/src"), ".java")?;
    let out = lab.work.join("subjects");
    let finished = lab.jdk().compile(&sources, &[], Some(8), &out)?;
    if finished.succeeded() {
        Ok(out)
    } else {
        Err(Problem::Failed { what: "compiling the subjects".to_string(), detail: finished.tail() })
    }
}
