//! Test suites that libraries publish on Maven Central, with everything their tests need. Owns which libraries, and what their suites ask of the machine; runs none.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::jars::Artifact;
use crate::{Lab, Problem, command, files};

const LIMIT: Duration = Duration::from_secs(600);

/// A library whose tests are published as classes and as sources.
pub struct Library {
    pub artifact: Artifact,
    /// All its classes.
    pub targets: &'static str,
    /// Test classes left out: those that need JVM options to look into the JDK's own classes, and those that take most of the time of all (loops over all
    /// locales and time zones, long sleeps).
    pub without: &'static [&'static str],
}

pub const LIBRARIES: [Library; 5] = [
    Library {
        artifact: Artifact::new("org.apache.commons", "commons-collections4", "4.5.0", ""),
        targets: "org.apache.commons.collections4.**",
        without: &[],
    },
    Library {
        artifact: Artifact::new("commons-cli", "commons-cli", "1.9.0", ""),
        targets: "org.apache.commons.cli.**",
        without: &[],
    },
    Library {
        artifact: Artifact::new("commons-codec", "commons-codec", "1.17.1", ""),
        targets: "org.apache.commons.codec.**",
        without: &[],
    },
    Library {
        artifact: Artifact::new("org.apache.commons", "commons-text", "1.12.0", ""),
        targets: "org.apache.commons.text.**",
        without: &[],
    },
    Library {
        artifact: Artifact::new("org.apache.commons", "commons-lang3", "3.17.0", ""),
        targets: "org.apache.commons.lang3.**",
        without: &[
            "org.apache.commons.lang3.builder.CompareToBuilderTest",
            "org.apache.commons.lang3.builder.HashCodeBuilderAndEqualsBuilderTest",
            "org.apache.commons.lang3.builder.ToStringBuilderTest",
            "org.apache.commons.lang3.concurrent.locks.LockingVisitorsTest",
            "org.apache.commons.lang3.time.FastDateParserTest",
            "org.apache.commons.lang3.time.FastDateParser_TimeZoneStrategyTest",
            "org.apache.commons.lang3.time.Java15BugFastDateParserTest",
        ],
    },
];

/// A library and its suite, unpacked.
pub struct TestJars {
    pub classes: PathBuf,
    pub tests: PathBuf,
    pub sources: PathBuf,
    /// What the tests need besides, JUnit included.
    pub needs: Vec<PathBuf>,
    /// Where the tests expect to run: their resources lie where the library's build has them.
    pub folder: PathBuf,
}

impl TestJars {
    pub fn class_path(&self) -> Vec<PathBuf> {
        let mut path = vec![self.classes.clone()];
        path.extend(self.needs.iter().cloned());
        path
    }
}

impl TestJars {
    /// Only the tests of one package; the others stay on the class path, for these may need them.
    pub fn restricted(mut self, package: &str, work: &Path) -> Result<TestJars, Problem> {
        let path = package.replace('.', "/");
        let restrict = |from: &Path, name: &str| {
            let to = work.join(name);
            for file in files::in_folder(&from.join(&path))? {
                let target = to.join(file.strip_prefix(from).unwrap_or(&file));
                files::create(target.parent().unwrap_or(&to))?;
                std::fs::copy(&file, &target).map_err(|cause| Problem::File { path: file, cause })?;
            }
            Ok::<PathBuf, Problem>(to)
        };
        let (tests, sources) = (restrict(&self.tests, "package-tests")?, restrict(&self.sources, "package-sources")?);
        self.needs.push(std::mem::replace(&mut self.tests, tests));
        self.sources = sources;
        Ok(self)
    }
}

/// What JUnit's console launcher brings itself, in one version.
const OWN: [&str; 4] = ["junit-jupiter", "junit-platform", "opentest4j", "apiguardian"];

pub fn fetch(lab: &Lab, library: &Library, work: &Path) -> Result<TestJars, Problem> {
    let artifact = &library.artifact;
    let unpacked = |artifact: &Artifact, name: &str| {
        let folder = work.join(name);
        unpack(lab, &lab.jars.fetch(artifact)?, &folder)?;
        Ok::<PathBuf, Problem>(folder)
    };
    let classes = unpacked(artifact, "classes")?;
    let tests = unpacked(&artifact.classified("tests"), "tests")?;
    let sources = unpacked(&artifact.classified("test-sources"), "sources")?;
    for class in library.without {
        let path = class.replace('.', "/");
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
        remove(&tests.join(folder), &format!("{name}.class"), &format!("{name}$"))?;
        remove(&sources.join(folder), &format!("{name}.java"), &format!("{name}.java"))?;
    }
    let mut needs = vec![lab.jars.junit()?];
    for jar in dependencies(lab, artifact)? {
        let name = jar.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // A dependency may itself need an older release of the library.
        let other_release = name.starts_with(&format!("{}-", artifact.name));
        if !other_release && !OWN.iter().any(|own| name.starts_with(own)) {
            needs.push(jar);
        }
    }
    let folder = work.join("folder");
    copy_data(&tests, &folder.join("src/test/resources"))?;
    Ok(TestJars { classes, tests, sources, needs, folder })
}

/// Unpacks a jar into an empty folder.
pub fn unpack(lab: &Lab, jar: &Path, folder: &Path) -> Result<(), Problem> {
    files::renew(folder)?;
    let mut tool = Command::new(lab.jdk().home.join("bin/jar"));
    tool.arg("xf").arg(jar).current_dir(folder);
    command::must(&format!("unpacking {}", jar.display()), &mut tool, &folder.with_extension("jar"), LIMIT).map(|_| ())
}

/// Removes the files of a folder that have this name or begin so.
fn remove(folder: &Path, name: &str, prefix: &str) -> Result<(), Problem> {
    for path in files::below(folder, "")? {
        let own = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if own == name || own.starts_with(prefix) {
            std::fs::remove_file(&path).map_err(|cause| Problem::File { path, cause })?;
        }
    }
    Ok(())
}

/// Copies what is no class file, so that tests find their data by path.
pub fn copy_data(from: &Path, to: &Path) -> Result<(), Problem> {
    files::create(to)?;
    for path in files::below(from, "")? {
        if path.extension().is_some_and(|ending| ending == "class") {
            continue;
        }
        let target = to.join(path.strip_prefix(from).unwrap_or(&path));
        files::create(target.parent().unwrap_or(to))?;
        std::fs::copy(&path, &target).map_err(|cause| Problem::File { path, cause })?;
    }
    Ok(())
}

/// The jars of the test scope of a published library, as its own description has them.
fn dependencies(lab: &Lab, artifact: &Artifact) -> Result<Vec<PathBuf>, Problem> {
    let name = format!("{}-{}", artifact.name, artifact.version);
    let pom = lab.jars.folder().join(format!("{name}.pom"));
    if !pom.exists() {
        let mut mvn = Command::new("mvn");
        mvn.args(["-q", "-B", "dependency:copy"]);
        mvn.arg(format!("-Dartifact={}:{}:{}:pom", artifact.group, artifact.name, artifact.version));
        mvn.arg(format!("-DoutputDirectory={}", lab.jars.folder().display()));
        command::must(&format!("fetching {name}.pom"), &mut mvn, &lab.jars.folder().join("mvn"), LIMIT)?;
    }
    resolve(lab, &name, &pom, "test")
}

/// All jars that a project description needs in a scope, fetched once.
pub fn resolve(lab: &Lab, name: &str, pom: &Path, scope: &str) -> Result<Vec<PathBuf>, Problem> {
    let folder = lab.jars.folder().join(format!("{name}-{scope}"));
    let complete = folder.join("complete");
    if !complete.exists() {
        files::renew(&folder)?;
        let mut mvn = Command::new("mvn");
        mvn.args(["-q", "-B", "-f"]).arg(pom).arg("dependency:copy-dependencies");
        mvn.arg(format!("-DincludeScope={scope}")).arg(format!("-DoutputDirectory={}", folder.display()));
        command::must(&format!("fetching what {name} needs"), &mut mvn, &lab.jars.folder().join("mvn"), LIMIT)?;
        files::write(&complete, "")?;
    }
    files::below(&folder, ".jar")
}
