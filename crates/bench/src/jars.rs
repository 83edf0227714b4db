//! Jars from Maven Central, fetched once by `mvn` and kept. The only part that uses the network.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::{Problem, command};

const JUNIT: Artifact = Artifact::new("org.junit.platform", "junit-platform-console-standalone", "1.11.4", "");
const AGENT: Artifact = Artifact::new("org.jacoco", "org.jacoco.agent", "0.8.14", "runtime");
const REPORTER: Artifact = Artifact::new("org.jacoco", "org.jacoco.cli", "0.8.14", "nodeps");
const LIMIT: Duration = Duration::from_secs(300);

/// Coordinates of one jar; an empty classifier for none.
#[derive(Clone, Copy)]
pub struct Artifact {
    pub group: &'static str,
    pub name: &'static str,
    pub version: &'static str,
    classifier: &'static str,
}

impl Artifact {
    pub const fn new(
        group: &'static str,
        name: &'static str,
        version: &'static str,
        classifier: &'static str,
    ) -> Artifact {
        Artifact { group, name, version, classifier }
    }

    /// The same release's jar of another kind, such as `tests`.
    pub const fn classified(&self, classifier: &'static str) -> Artifact {
        Artifact { classifier, ..*self }
    }

    fn file(&self) -> String {
        let classifier = if self.classifier.is_empty() { String::new() } else { format!("-{}", self.classifier) };
        format!("{}-{}{classifier}.jar", self.name, self.version)
    }

    fn coordinates(&self) -> String {
        let classifier = if self.classifier.is_empty() { String::new() } else { format!(":jar:{}", self.classifier) };
        format!("{}:{}:{}{classifier}", self.group, self.name, self.version)
    }
}

pub struct Jars {
    folder: PathBuf,
}

impl Jars {
    pub fn new(folder: PathBuf) -> Jars {
        Jars { folder }
    }

    /// Where fetched jars are kept.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The console launcher with all of JUnit 5 in it.
    pub fn junit(&self) -> Result<PathBuf, Problem> {
        self.fetch(&JUNIT)
    }

    pub fn jacoco_agent(&self) -> Result<PathBuf, Problem> {
        self.fetch(&AGENT)
    }

    pub fn jacoco_reporter(&self) -> Result<PathBuf, Problem> {
        self.fetch(&REPORTER)
    }

    pub fn fetch(&self, artifact: &Artifact) -> Result<PathBuf, Problem> {
        self.fetch_named(&artifact.coordinates(), &artifact.file())
    }

    /// A jar by its coordinates, `group:name:version`.
    pub fn fetch_plain(&self, coordinates: &str) -> Result<PathBuf, Problem> {
        let mut parts = coordinates.split(':').skip(1);
        let (name, version) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        self.fetch_named(coordinates, &format!("{name}-{version}.jar"))
    }

    fn fetch_named(&self, coordinates: &str, file: &str) -> Result<PathBuf, Problem> {
        let path = self.folder.join(file);
        if path.exists() {
            return Ok(path);
        }
        let mut mvn = Command::new("mvn");
        mvn.args(["-q", "-B", "dependency:copy"]);
        mvn.arg(format!("-Dartifact={coordinates}"));
        mvn.arg(format!("-DoutputDirectory={}", self.folder.display()));
        command::must(&format!("fetching {coordinates}"), &mut mvn, &self.folder.join("mvn"), LIMIT)?;
        Ok(path)
    }
}
