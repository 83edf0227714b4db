//! A JDK installation as a set of tools: java, javac, jimage. Owns where they are; never decides what to run.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::{Problem, command, files};

pub struct Jdk {
    pub home: PathBuf,
    /// The first word of `java -version`'s quoted version, such as `17.0.9`.
    pub version: String,
}

const QUICK: Duration = Duration::from_secs(60);
const SLOW: Duration = Duration::from_secs(600);

impl Jdk {
    pub fn at(home: &Path) -> Result<Jdk, Problem> {
        let home = files::absolute(home)?;
        let output = Command::new(home.join("bin/java")).arg("-version").output();
        let output =
            output.map_err(|cause| Problem::Start { program: format!("{}/bin/java", home.display()), cause })?;
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let version = text.split('"').nth(1).unwrap_or("unknown").to_string();
        Ok(Jdk { home, version })
    }

    /// `JAVA_HOME`, else the JDK that the `javac` on the path belongs to.
    pub fn on_path() -> Result<Jdk, Problem> {
        if let Some(home) = std::env::var_os("JAVA_HOME") {
            return Jdk::at(Path::new(&home));
        }
        let folders = std::env::var_os("PATH").unwrap_or_default();
        let javac = std::env::split_paths(&folders).map(|folder| folder.join("javac")).find(|path| path.exists());
        let home = javac
            .and_then(|path| path.canonicalize().ok())
            .and_then(|path| Some(path.parent()?.parent()?.to_path_buf()));
        home.map_or_else(
            || {
                Err(Problem::Failed {
                    what: "looking for a JDK".to_string(),
                    detail: "set JAVA_HOME or use --jdk".to_string(),
                })
            },
            |home| Jdk::at(&home),
        )
    }

    pub fn feature(&self) -> u32 {
        let digits = self.version.split(|c: char| !c.is_ascii_digit()).next();
        digits.and_then(|digits| digits.parse().ok()).unwrap_or(0)
    }

    pub fn java(&self) -> Command {
        Command::new(self.home.join("bin/java"))
    }

    /// Compiles sources at a Java level (`None`: the JDK's own) and returns what javac said.
    pub fn compile(
        &self,
        sources: &[PathBuf],
        class_path: &[PathBuf],
        level: Option<u32>,
        out: &Path,
    ) -> Result<command::Finished, Problem> {
        files::renew(out)?;
        let list = out.with_extension("sources");
        let lines: Vec<String> = sources.iter().map(|path| format!("\"{}\"", path.display())).collect();
        files::write(&list, &lines.join("\n"))?;
        let mut javac = Command::new(self.home.join("bin/javac"));
        javac.args(["-g", "-nowarn", "-proc:none", "-Xlint:-options", "-Xmaxerrs", "1000", "-J-Xmx2g"]);
        // A suite is compiled before the second compiler of the JVM would pay.
        javac.args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"]);
        if let Some(level) = level {
            javac.args(["--release", &level.to_string()]);
        }
        if !class_path.is_empty() {
            javac.arg("-cp").arg(files::join(class_path));
        }
        javac.arg("-d").arg(out).arg(format!("@{}", list.display()));
        command::run(&mut javac, &out.with_extension("javac"), SLOW)
    }

    /// Writes the class files of a JDK class and its nested classes to a folder.
    pub fn extract(&self, class: &str, out: &Path) -> Result<(), Problem> {
        let path = class.replace('.', "/");
        let mut jimage = Command::new(self.home.join("bin/jimage"));
        jimage.arg("extract").arg("--dir").arg(out);
        jimage.arg("--include").arg(format!("regex:/java\\.base/{path}(\\$.*)?\\.class"));
        jimage.arg(self.home.join("lib/modules"));
        command::must("jimage extract", &mut jimage, &out.with_extension("jimage"), QUICK).map(|_| ())
    }
}
