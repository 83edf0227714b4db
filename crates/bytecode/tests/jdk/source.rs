//! A class source over a JDK's image and a folder of compiled test classes. Owns nothing else.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;

use bytecode::jimage::Jimage;
use bytecode::names::ClassName;
use bytecode::world::{ClassSource, Scope};
use memmap2::Mmap;

pub struct Source {
    pub image: Jimage<Mmap>,
    pub application: BTreeMap<String, Vec<u8>>,
}

impl Source {
    pub fn open(home: &Path) -> Source {
        // The file belongs to an installed JDK; nothing writes it while the test runs.
        let map = unsafe { Mmap::map(&File::open(home.join("lib/modules")).unwrap()).unwrap() };
        Source { image: Jimage::open(map).unwrap(), application: BTreeMap::new() }
    }

    /// Compiles test classes under `tests/java/world` with that JDK and adds them. Tests run side by side: each has its
    /// own `tag`.
    pub fn compiled(home: &Path, tag: &str, files: &[&str]) -> Source {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/world");
        let name = home.file_name().unwrap().to_str().unwrap();
        let out = super::scratch(&format!("{tag}-{name}"));
        let mut args =
            vec!["-g".to_owned(), "-Xlint:-options".to_owned(), "-d".to_owned(), out.to_str().unwrap().to_owned()];
        args.extend(files.iter().map(|f| root.join(f).to_str().unwrap().to_owned()));
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        super::run(home, "javac", &args);
        let mut source = Source::open(home);
        let mut folders = vec![out.clone()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()) {
                if entry.is_dir() {
                    folders.push(entry);
                } else {
                    let name = entry.strip_prefix(&out).unwrap().with_extension("");
                    source.application.insert(name.to_str().unwrap().to_owned(), std::fs::read(entry).unwrap());
                }
            }
        }
        source
    }
}

impl ClassSource for Source {
    fn class_bytes(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        match self.application.get(name) {
            Some(bytes) => Some(Cow::Borrowed(bytes)),
            None => self.image.class_bytes(name).unwrap(),
        }
    }

    fn names(&self, scope: Scope) -> Vec<ClassName> {
        match scope {
            Scope::Application => self.application.keys().map(ClassName::new).collect(),
            Scope::Platform => self.image.exported_classes().unwrap(),
        }
    }

    fn internal_names(&self) -> Vec<ClassName> {
        let all = self.image.classes().map(|c| c.unwrap().1);
        all.filter(|name| !self.is_exported(name.package())).collect()
    }

    fn is_exported(&self, package: &str) -> bool {
        self.image.is_exported(package).unwrap().unwrap_or(true)
    }
}
