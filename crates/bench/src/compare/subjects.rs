//! The subjects of a comparison, as `bench/subjects.toml` has them. Owns the file's form and the rule by which classes of libraries are picked; knows no tool.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::pit::spaced;
use crate::{Lab, Problem, files, jacoco, test_jars};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    set: Vec<Set>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Set {
    name: String,
    /// A folder of sources below `fixtures`, the Java level they are written for, and the classes wanted of them.
    fixtures: Option<String>,
    level: Option<u32>,
    #[serde(default)]
    classes: Vec<String>,
    /// The rule for libraries.
    branches: Option<usize>,
    count: Option<usize>,
    #[serde(default)]
    library: Vec<Library>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Library {
    group: String,
    name: String,
    version: String,
    /// For readers.
    #[serde(rename = "kind")]
    _kind: String,
    /// Coordinates of further jars.
    #[serde(default)]
    needs: Vec<String>,
}

/// A class to write tests for.
pub struct Subject {
    pub set: String,
    pub class: String,
    /// Folder of its class files.
    pub classes: PathBuf,
    pub needs: Vec<PathBuf>,
}

/// The subjects of the sets asked for that have one of the wanted names.
pub fn read(lab: &Lab, file: &Path, sets: &[String], work: &Path) -> Result<Vec<Subject>, Problem> {
    let text = files::read(file)?;
    let parsed = parse(&text)
        .map_err(|cause| Problem::Failed { what: file.display().to_string(), detail: cause.to_string() })?;
    let mut subjects = Vec::new();
    for set in parsed.set.iter().filter(|set| sets.is_empty() || sets.contains(&set.name)) {
        if let Some(folder) = &set.fixtures {
            let classes = compiled(lab, set, folder, work)?;
            subjects.extend(set.classes.iter().map(|class| Subject {
                set: set.name.clone(),
                class: class.clone(),
                classes: classes.clone(),
                needs: Vec::new(),
            }));
        }
        for library in &set.library {
            subjects.extend(picked(lab, set, library, work)?);
        }
    }
    subjects.retain(|subject| lab.wants(&subject.class));
    if subjects.is_empty() {
        return Err(Problem::NothingSelected(format!("{} in {}", lab.only.join(", "), sets.join(", "))));
    }
    Ok(subjects)
}

fn parse(text: &str) -> Result<File, toml::de::Error> {
    toml::from_str(text)
}

fn compiled(lab: &Lab, set: &Set, folder: &str, work: &Path) -> Result<PathBuf, Problem> {
    let sources = files::below(&lab.root.join("fixtures").join(folder), ".java")?;
    let classes = work.join(format!("{}-classes", set.name));
    let finished = lab.jdk().compile(&sources, &[], set.level, &classes)?;
    if finished.succeeded() {
        return Ok(classes);
    }
    Err(Problem::Failed { what: format!("compiling fixtures/{folder}"), detail: finished.tail() })
}

fn picked(lab: &Lab, set: &Set, library: &Library, work: &Path) -> Result<Vec<Subject>, Problem> {
    let jar = lab.jars.fetch_plain(&format!("{}:{}:{}", library.group, library.name, library.version))?;
    let classes = work.join(format!("{}-classes", library.name));
    test_jars::unpack(lab, &jar, &classes)?;
    let needs = library.needs.iter().map(|jar| lab.jars.fetch_plain(jar)).collect::<Result<Vec<_>, _>>()?;
    // A record of nothing tells how many branches there are.
    let record = work.join(format!("{}.exec", library.name));
    files::write(&record, "")?;
    let rows = jacoco::rows(&lab.jars, lab.jdk(), &record, std::slice::from_ref(&jar))?;
    let least = set.branches.unwrap_or(0);
    let mut large: Vec<String> = rows
        .iter()
        .filter(|row| row.coverage.branches.total >= least)
        .map(|row| row.class.clone())
        // JaCoCo writes nested classes with a dot; only those of the top level have a file of that name.
        .filter(|class| classes.join(class.replace('.', "/")).with_extension("class").exists())
        .collect();
    large.sort();
    let subject = |class| Subject { set: set.name.clone(), class, classes: classes.clone(), needs: needs.clone() };
    Ok(spaced(&large, set.count.unwrap_or(large.len())).into_iter().map(subject).collect())
}

#[test]
fn the_committed_subjects_are_understood() {
    let file = parse(include_str!("../../../../bench/subjects.toml")).unwrap();
    let names: Vec<&str> = file.set.iter().map(|set| set.name.as_str()).collect();
    assert_eq!(names, ["papers", "containers", "modern", "libraries"]);
    let libraries = &file.set[3];
    assert!(libraries.library.len() >= 8 && libraries.library.len() * libraries.count.unwrap() >= 60);
    assert!(file.set.iter().all(|set| set.library.is_empty() || set.branches.is_some() && set.count.is_some()));
}
