//! Class bytes from folders, jars and the JDK's own image. Owns looking up and listing; never reads what a class contains.

mod jar;
mod manifest;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytecode::jimage::{Jimage, JimageProblem};
use bytecode::names::ClassName;
use bytecode::world::{ClassSource, Scope};
use memmap2::Mmap;

use crate::jdk::{Jdk, Platform};
pub use jar::{Jar, JarProblem};
pub use manifest::Closed;

/// Something wrong with a class path or the JDK's classes.
#[derive(Debug, thiserror::Error)]
pub enum ClassPathProblem {
    #[error("{path} on the class path does not exist: check the spelling, or build the project first")]
    Missing { path: PathBuf },
    #[error("{path} on the class path cannot be read: {cause}")]
    Unreadable { path: PathBuf, cause: io::Error },
    #[error("{path} on the class path is no usable jar: {cause}. Build or download it again")]
    BadJar { path: PathBuf, cause: JarProblem },
    #[error("{path} on the class path is neither a folder nor a jar")]
    NeitherFolderNorJar { path: PathBuf },
    #[error("the JDK's classes in {path} cannot be read: {cause}. Reinstall the JDK, or name another with --jdk")]
    PlatformUnreadable { path: PathBuf, cause: io::Error },
    #[error("the JDK's classes in {path} cannot be read: {cause}. Reinstall the JDK, or name another with --jdk")]
    BadImage { path: PathBuf, cause: JimageProblem },
}

/// The JDK's own classes; to be shared between class paths.
#[derive(Debug)]
pub struct PlatformClasses(PlatformStore);

#[derive(Debug)]
enum PlatformStore {
    Image(Jimage<Mmap>),
    Jar(Jar),
}

impl PlatformClasses {
    pub fn open(jdk: &Jdk) -> Result<PlatformClasses, ClassPathProblem> {
        let store = match &jdk.platform {
            Platform::Image(path) => {
                let unreadable = |cause| ClassPathProblem::PlatformUnreadable { path: path.clone(), cause };
                let file = fs::File::open(path).map_err(unreadable)?;
                // SAFETY: an installed JDK's image is not changed while it is in use; its own JVM maps it in the same way.
                let bytes = unsafe { Mmap::map(&file) }.map_err(unreadable)?;
                let image = Jimage::open(bytes);
                PlatformStore::Image(image.map_err(|cause| ClassPathProblem::BadImage { path: path.clone(), cause })?)
            }
            Platform::Jar(path) => PlatformStore::Jar(open_jar(path, jdk.feature)?),
        };
        Ok(PlatformClasses(store))
    }

    pub fn class_bytes(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        match &self.0 {
            PlatformStore::Image(image) => image.class_bytes(name).ok().flatten(),
            PlatformStore::Jar(jar) => jar.class_bytes(name),
        }
    }

    fn resource(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        match &self.0 {
            PlatformStore::Image(image) => image.resource(path).ok().flatten(),
            PlatformStore::Jar(jar) => jar.resource(path),
        }
    }

    /// The JDK has classes in this package (internal form).
    pub fn has_package(&self, package: &str) -> bool {
        match &self.0 {
            PlatformStore::Image(image) => matches!(image.module_of(package), Ok(Some(_))),
            PlatformStore::Jar(jar) => jar.has_package(package),
        }
    }

    /// Whether code outside may use the package; true for packages that are not the JDK's.
    fn is_exported(&self, package: &str) -> bool {
        match &self.0 {
            PlatformStore::Image(image) => image.is_exported(package).ok().flatten().unwrap_or(true),
            // Before modules everything was open.
            PlatformStore::Jar(_) => true,
        }
    }

    fn names(&self) -> Vec<ClassName> {
        match &self.0 {
            PlatformStore::Image(image) => image.exported_classes().unwrap_or_default(),
            PlatformStore::Jar(jar) => {
                let public = |name: &ClassName| name.internal().starts_with("java");
                jar.names().filter(public).collect()
            }
        }
    }
}

impl PlatformClasses {
    /// Those that `names` leaves out.
    fn internal_names(&self) -> Vec<ClassName> {
        let all: Vec<ClassName> = match &self.0 {
            PlatformStore::Image(image) => image.classes().flatten().map(|(_, name)| name).collect(),
            PlatformStore::Jar(jar) => jar.names().collect(),
        };
        let named: BTreeSet<ClassName> = self.names().into_iter().collect();
        all.into_iter().filter(|name| !named.contains(name)).collect()
    }
}

/// Folders and jars, searched in order, behind the platform's own classes.
#[derive(Debug)]
pub struct ClassPath {
    entries: Vec<Entry>,
    platform: Arc<PlatformClasses>,
}

#[derive(Debug)]
enum Entry {
    Folder(PathBuf),
    Jar(Jar),
}

impl ClassPath {
    /// Entries that cannot be used are left out and told.
    pub fn open(paths: &[PathBuf], jdk: &Jdk, platform: Arc<PlatformClasses>) -> (ClassPath, Vec<ClassPathProblem>) {
        let mut entries = Vec::new();
        let mut problems = Vec::new();
        for path in paths {
            match open_entry(path, jdk.feature) {
                Ok(entry) => entries.push(entry),
                Err(problem) => problems.push(problem),
            }
        }
        (ClassPath { entries, platform }, problems)
    }

    pub fn platform(&self) -> &Arc<PlatformClasses> {
        &self.platform
    }

    /// The usable entries, in order.
    pub fn paths(&self) -> Vec<PathBuf> {
        let path = |entry: &Entry| match entry {
            Entry::Folder(path) => path.clone(),
            Entry::Jar(jar) => jar.path().to_owned(),
        };
        self.entries.iter().map(path).collect()
    }

    /// Class bytes from the class path alone.
    pub fn application_bytes(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        // Code under test may ask for any name; none leads out of a folder.
        if name.is_empty() || name.split('/').any(|part| part.is_empty() || part == "..") {
            return None;
        }
        self.entries.iter().find_map(|entry| match entry {
            Entry::Folder(folder) => fs::read(folder.join(format!("{name}.class"))).ok().map(Cow::Owned),
            Entry::Jar(jar) => jar.class_bytes(name),
        })
    }

    /// Why no class from elsewhere can join this package (internal form), and the jar that sees to that.
    pub fn closed(&self, package: &str) -> Option<(Closed, &Path)> {
        self.entries.iter().find_map(|entry| match entry {
            Entry::Folder(_) => None,
            Entry::Jar(jar) => jar.closed(package).map(|closed| (closed, jar.path())),
        })
    }

    /// For a class that is there and cannot be read: the file to blame, and why. The first entry that has it decides.
    pub fn damaged(&self, name: &str) -> Option<(PathBuf, String)> {
        for entry in &self.entries {
            match entry {
                Entry::Folder(folder) => {
                    let path = folder.join(format!("{name}.class"));
                    if fs::symlink_metadata(&path).is_ok() {
                        return fs::read(&path).err().map(|e| (path, e.to_string()));
                    }
                }
                Entry::Jar(jar) if jar.lists(name) => {
                    let damaged = jar.class_bytes(name).is_none();
                    return damaged.then(|| (jar.path().to_owned(), format!("its entry {name}.class is damaged")));
                }
                Entry::Jar(_) => {}
            }
        }
        None
    }

    /// Names of the classes in one entry (a jar or folder on this path), sorted.
    pub fn names_in(&self, path: &Path) -> Vec<ClassName> {
        let mut names: Vec<ClassName> = Vec::new();
        for entry in &self.entries {
            match entry {
                Entry::Folder(folder) if folder == path => {
                    list_folder(folder, folder, &mut BTreeSet::new(), &mut names);
                }
                Entry::Jar(jar) if jar.path() == path => names.extend(jar.names()),
                _ => {}
            }
        }
        names.sort();
        names.dedup();
        names
    }
}

impl ClassSource for ClassPath {
    fn class_bytes(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        // The platform wins, as it does in the JVM, where class loaders ask their parents first.
        self.platform.class_bytes(name).or_else(|| self.application_bytes(name))
    }

    fn resource(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        if path.is_empty() || path.split('/').any(|part| part.is_empty() || part == "..") {
            return None;
        }
        self.entries.iter().find_map(|entry| match entry {
            Entry::Folder(folder) => fs::read(folder.join(path)).ok().map(Cow::Owned),
            Entry::Jar(jar) => jar.resource(path),
        })
    }

    fn platform_resource(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        self.platform.resource(path)
    }

    fn knows_resources(&self) -> bool {
        true
    }

    fn names(&self, scope: Scope) -> Vec<ClassName> {
        match scope {
            Scope::Platform => self.platform.names(),
            Scope::Application => {
                let mut names: Vec<ClassName> = self.paths().iter().flat_map(|path| self.names_in(path)).collect();
                names.sort();
                names.dedup();
                names
            }
        }
    }

    fn internal_names(&self) -> Vec<ClassName> {
        self.platform.internal_names()
    }

    fn is_exported(&self, package: &str) -> bool {
        self.platform.is_exported(package)
    }
}

fn open_entry(path: &Path, feature: u16) -> Result<Entry, ClassPathProblem> {
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            return Err(ClassPathProblem::Missing { path: path.to_owned() });
        }
        Err(cause) => {
            return Err(ClassPathProblem::Unreadable { path: path.to_owned(), cause });
        }
    };
    if metadata.is_dir() {
        // Whether it can be listed is asked now, so that a locked folder is not taken for an empty one.
        fs::read_dir(path).map_err(|cause| ClassPathProblem::Unreadable { path: path.to_owned(), cause })?;
        Ok(Entry::Folder(path.to_owned()))
    } else if metadata.is_file() {
        open_jar(path, feature).map(Entry::Jar)
    } else {
        Err(ClassPathProblem::NeitherFolderNorJar { path: path.to_owned() })
    }
}

fn open_jar(path: &Path, feature: u16) -> Result<Jar, ClassPathProblem> {
    let bytes = fs::read(path).map_err(|cause| ClassPathProblem::Unreadable { path: path.to_owned(), cause })?;
    Jar::open(path, bytes, feature).map_err(|cause| ClassPathProblem::BadJar { path: path.to_owned(), cause })
}

/// `walked` are the folders seen so far by their real names: links may lead in circles.
fn list_folder(root: &Path, folder: &Path, walked: &mut BTreeSet<PathBuf>, out: &mut Vec<ClassName>) {
    if !fs::canonicalize(folder).is_ok_and(|real| walked.insert(real)) {
        return;
    }
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            list_folder(root, &path, walked, out);
        } else if let Some(name) = path.strip_prefix(root).ok().and_then(Path::to_str).and_then(class_name_of) {
            out.push(name);
        }
    }
}

/// `a/B.class` → `a/B`; nothing for descriptors of modules and packages and for what is no class.
fn class_name_of(path: &str) -> Option<ClassName> {
    let name = path.strip_suffix(".class")?;
    let simple = name.rsplit_once('/').map_or(name, |(_, simple)| simple);
    (!matches!(simple, "module-info" | "package-info" | "") && !name.starts_with("META-INF/"))
        .then(|| ClassName::new(name))
}
