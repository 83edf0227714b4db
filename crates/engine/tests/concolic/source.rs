//! Java fixtures compiled, and the classes of a JDK beside them. Owns nothing else.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, OnceLock};

use bytecode::jimage::Jimage;
use bytecode::names::ClassName;
use bytecode::world::{ClassSource, Scope, World};

/// A folder of classes, and the JDK's.
pub struct Source {
    image: Arc<Jimage<Vec<u8>>>,
    folder: PathBuf,
    names: Vec<ClassName>,
}

impl Source {
    pub fn open(folder: &Path) -> Source {
        static IMAGE: OnceLock<Arc<Jimage<Vec<u8>>>> = OnceLock::new();
        let image = IMAGE.get_or_init(|| {
            let bytes = std::fs::read(home().join("lib/modules")).unwrap();
            Arc::new(Jimage::open(bytes).unwrap())
        });
        let mut names = Vec::new();
        collect(folder, folder, &mut names);
        names.sort();
        Source { image: image.clone(), folder: folder.to_path_buf(), names }
    }
}

fn collect(root: &Path, folder: &Path, names: &mut Vec<ClassName>) {
    for entry in std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()) {
        if entry.is_dir() {
            collect(root, &entry, names);
        } else if entry.extension().is_some_and(|e| e == "class") {
            let name = entry.strip_prefix(root).unwrap().with_extension("");
            names.push(ClassName::new(name.to_str().unwrap()));
        }
    }
}

impl ClassSource for Source {
    fn class_bytes(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        match std::fs::read(self.folder.join(format!("{name}.class"))) {
            Ok(bytes) => Some(Cow::Owned(bytes)),
            Err(_) => self.image.class_bytes(name).unwrap(),
        }
    }

    fn names(&self, scope: Scope) -> Vec<ClassName> {
        if scope == Scope::Application { self.names.clone() } else { Vec::new() }
    }
}

/// A JDK with a compiler: the one named, or the first installed.
pub fn home() -> PathBuf {
    let named = std::env::var_os("JAVA_HOME").map(PathBuf::from);
    let installed = std::fs::read_dir("/usr/lib/jvm").into_iter().flatten().filter_map(|e| e.ok()).map(|e| e.path());
    let mut homes: Vec<PathBuf> = installed.collect();
    homes.sort();
    named
        .into_iter()
        .chain(homes)
        .find(|home| home.join("lib/modules").is_file() && home.join("bin/javac").is_file())
        .expect("these tests need a JDK: set JAVA_HOME")
}

/// The classes of Java sources, compiled into a folder of this name.
pub fn compile(out: &Path, sources: &[PathBuf]) {
    let mut command = Command::new(home().join("bin/javac"));
    command.arg("-g").arg("-nowarn").arg("-d").arg(out).args(sources);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

pub fn world(folder: &Path) -> World {
    World::new(Arc::new(Source::open(folder)))
}
