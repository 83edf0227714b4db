//! Classes of a JDK and of a folder, and the JDK's programs. Owns nothing else.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::process::Command;

use bytecode::jimage::Jimage;
use bytecode::names::ClassName;
use bytecode::world::{ClassSource, Scope};

pub struct Source {
    image: Jimage<Vec<u8>>,
    folder: PathBuf,
}

impl Source {
    pub fn open(home: &Path, folder: &Path) -> Source {
        let image = Jimage::open(std::fs::read(home.join("lib/modules")).unwrap()).unwrap();
        Source { image, folder: folder.to_path_buf() }
    }
}

impl ClassSource for Source {
    fn class_bytes(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        match std::fs::read(self.folder.join(format!("{name}.class"))) {
            Ok(bytes) => Some(Cow::Owned(bytes)),
            Err(_) => self.image.class_bytes(name).unwrap(),
        }
    }

    fn resource(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        std::fs::read(self.folder.join(path)).ok().map(Cow::Owned)
    }

    fn platform_resource(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        self.image.resource(path).unwrap()
    }

    fn knows_resources(&self) -> bool {
        true
    }

    fn names(&self, _: Scope) -> Vec<ClassName> {
        Vec::new()
    }
}

/// Homes of the JDKs on this machine.
pub fn jdks() -> Vec<PathBuf> {
    let named = std::env::var_os("JAVA_HOME").map(PathBuf::from);
    let mut homes: Vec<PathBuf> = named.into_iter().collect();
    if let Ok(installed) = std::fs::read_dir("/usr/lib/jvm") {
        homes.extend(installed.filter_map(|e| e.ok()).map(|e| e.path()));
    }
    homes.retain(|home| home.join("lib/modules").is_file() && home.join("bin/javac").is_file());
    homes.iter_mut().for_each(|home| *home = home.canonicalize().unwrap());
    homes.sort();
    homes.dedup();
    assert!(!homes.is_empty(), "these tests need a JDK: set JAVA_HOME");
    homes
}

/// Runs a program of a JDK and gives what it printed.
pub fn run(home: &Path, program: &str, arguments: &[&str]) -> String {
    let output = Command::new(home.join("bin").join(program)).args(arguments).output().unwrap();
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}
