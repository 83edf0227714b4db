//! The repository's Java fixtures, compiled for measuring. Owns where their sources are.

use std::path::PathBuf;

use crate::{Lab, Problem, files};

/// Class files of the subjects, compiled by the measurement's JDK at the level the sources are written for.
pub fn subjects(lab: &Lab) -> Result<PathBuf, Problem> {
    compile(lab, "subjects")
}

/// Class files of the classes whose search never ends by itself.
pub fn throughput(lab: &Lab) -> Result<PathBuf, Problem> {
    compile(lab, "throughput")
}

/// Class files of the seeded bugs, their twins and the contract they are held to.
pub fn bugs(lab: &Lab) -> Result<PathBuf, Problem> {
    compile(lab, "bugs")
}

/// Class files of the classes with a branch that random search does not hit.
pub fn stuck(lab: &Lab) -> Result<PathBuf, Problem> {
    compile(lab, "stuck")
}

/// Class files of small classes on which other generators were measured.
pub fn jtestcraft(lab: &Lab) -> Result<PathBuf, Problem> {
    compile(lab, "jtestcraft")
}

fn compile(lab: &Lab, set: &str) -> Result<PathBuf, Problem> {
    let sources = files::below(&lab.root.join("fixtures").join(set).join("src"), ".java")?;
    let out = lab.work.join(format!("{set}-classes"));
    let finished = lab.jdk().compile(&sources, &[], Some(8), &out)?;
    if finished.succeeded() {
        Ok(out)
    } else {
        Err(Problem::Failed { what: format!("compiling the {set}"), detail: finished.tail() })
    }
}
