//! Files and folders with errors that name them. Owns no knowledge of what is in them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Problem;

fn at<T>(path: &Path, result: std::io::Result<T>) -> Result<T, Problem> {
    result.map_err(|cause| Problem::File { path: path.to_path_buf(), cause })
}

pub fn absolute(path: &Path) -> Result<PathBuf, Problem> {
    at(path, std::path::absolute(path))
}

pub fn create(folder: &Path) -> Result<(), Problem> {
    at(folder, fs::create_dir_all(folder))
}

/// Makes an empty folder, throwing away what was in it.
pub fn renew(folder: &Path) -> Result<(), Problem> {
    if folder.exists() {
        at(folder, fs::remove_dir_all(folder))?;
    }
    create(folder)
}

/// Removes a folder with all that is in it.
pub fn remove(folder: &Path) -> Result<(), Problem> {
    at(folder, fs::remove_dir_all(folder))
}

pub fn read(path: &Path) -> Result<String, Problem> {
    at(path, fs::read_to_string(path))
}

pub fn bytes(path: &Path) -> Result<Vec<u8>, Problem> {
    at(path, fs::read(path))
}

pub fn write(path: &Path, text: &str) -> Result<(), Problem> {
    if let Some(folder) = path.parent() {
        create(folder)?;
    }
    at(path, fs::write(path, text))
}

pub fn open_for_writing(path: &Path) -> Result<fs::File, Problem> {
    at(path, fs::File::create(path))
}

/// All files below a folder (none if there is no such folder) whose name ends as given, in order.
pub fn below(folder: &Path, ending: &str) -> Result<Vec<PathBuf>, Problem> {
    let mut found = Vec::new();
    if folder.exists() {
        collect(folder, ending, &mut found)?;
    }
    found.sort();
    Ok(found)
}

/// The files of a folder itself (none if there is no such folder), in order.
pub fn in_folder(folder: &Path) -> Result<Vec<PathBuf>, Problem> {
    let mut found = below(folder, "")?;
    found.retain(|path| path.parent() == Some(folder));
    Ok(found)
}

/// What a folder itself holds, folders included, in order.
pub fn entries(folder: &Path) -> Result<Vec<PathBuf>, Problem> {
    let mut found = Vec::new();
    for entry in at(folder, fs::read_dir(folder))? {
        found.push(at(folder, entry)?.path());
    }
    found.sort();
    Ok(found)
}

fn collect(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) -> Result<(), Problem> {
    for entry in at(folder, fs::read_dir(folder))? {
        let path = at(folder, entry)?.path();
        if path.is_dir() {
            collect(&path, ending, found)?;
        } else if path.to_string_lossy().ends_with(ending) {
            found.push(path);
        }
    }
    Ok(())
}

/// Paths as the JVM wants a class path.
pub fn join(paths: &[PathBuf]) -> String {
    let texts: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    texts.join(":")
}
