//! Purity summaries of the JDK's methods, kept from one run to the next. Owns the file; a run without it, or with a broken one, only takes longer.

use std::fs;
use std::path::PathBuf;
use std::time::UNIX_EPOCH;

use bytecode::analysis::purity::Purity;
use exec::jdk::{Jdk, Platform};

/// Where the summaries for one JDK are.
pub struct Kept {
    file: Option<PathBuf>,
    /// How many summaries came from the file.
    taken: usize,
}

impl Kept {
    /// Fills an analysis that was not asked anything yet.
    pub fn load(jdk: &Jdk, purity: &mut Purity<'_>, wanted: bool) -> Kept {
        let file = wanted.then(|| place(jdk)).flatten();
        let text = file.as_ref().and_then(|file| fs::read_to_string(file).ok());
        let taken = text.map_or(0, |text| purity.remember(&text));
        Kept { file, taken }
    }

    /// Writes what is known now, if that is more. The file is whole or not there.
    pub fn save(self, purity: &Purity<'_>) {
        let Some(file) = self.file.filter(|_| purity.analysed() > self.taken) else { return };
        let Some(folder) = file.parent() else { return };
        // Whoever cannot write here has to do without.
        let _ =
            fs::create_dir_all(folder).and_then(|()| tempfile::NamedTempFile::new_in(folder)).and_then(|temporary| {
                fs::write(temporary.path(), purity.to_text())?;
                temporary.persist(&file).map_err(|e| e.error)
            });
    }
}

/// A name that another JDK, an update of this one, or another version of this tool does not have.
fn place(jdk: &Jdk) -> Option<PathBuf> {
    let classes = match &jdk.platform {
        Platform::Image(path) | Platform::Jar(path) => path,
    };
    let metadata = fs::metadata(classes).ok()?;
    let modified = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    let home = std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    let caches = std::env::var_os("XDG_CACHE_HOME").filter(|dir| !dir.is_empty()).map(PathBuf::from).or(home)?;
    let (size, seconds, version) = (metadata.len(), modified.as_secs(), env!("CARGO_PKG_VERSION"));
    Some(caches.join("testudo").join(format!("purity-{}-{size}-{seconds}-{version}.txt", jdk.version)))
}
