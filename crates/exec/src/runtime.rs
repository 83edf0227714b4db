//! The embedded Java runtime: the worker's jar, the stand-in JUnit API and the adapters to the real one. Owns their bytes and putting them on disk.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

static WORKER: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/worker.jar"));
static JUNIT: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/junit.jar"));
static ADAPTERS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/adapters.jar"));

/// The jars, unpacked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Runtime {
    pub worker: PathBuf,
    pub junit: PathBuf,
    /// For class paths that have JUnit.
    pub adapters: PathBuf,
}

impl Runtime {
    /// Writes the jars into that folder (made if missing) unless they are there already. Several processes may do so at once.
    pub fn install(folder: &Path) -> io::Result<Runtime> {
        fs::create_dir_all(folder)?;
        let folder = folder.canonicalize()?;
        Ok(Runtime {
            worker: put(&folder, "testudo-worker.jar", WORKER)?,
            junit: put(&folder, "testudo-junit.jar", JUNIT)?,
            adapters: put(&folder, "testudo-adapters.jar", ADAPTERS)?,
        })
    }
}

fn put(folder: &Path, name: &str, bytes: &[u8]) -> io::Result<PathBuf> {
    let path = folder.join(name);
    if fs::read(&path).is_ok_and(|there| there == bytes) {
        return Ok(path);
    }
    let draft = folder.join(format!("{name}.{}", std::process::id()));
    fs::write(&draft, bytes)?;
    fs::rename(&draft, &path)?;
    Ok(path)
}
