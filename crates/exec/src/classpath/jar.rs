//! One jar: an index over its central directory, multi-release versions resolved. Owns unzipping; keeps the file in memory,
//! so that a jar replaced on disk does no harm.

use std::borrow::Cow;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use bytecode::names::ClassName;
use rawzip::{CompressionMethod, ZipArchive, ZipArchiveEntryWayfinder, ZipSliceArchive};
use rustc_hash::FxHashMap;

use super::class_name_of;
use super::manifest::{Closed, Closings};

/// Classes above this size do not exist: it is the largest array a JVM could define one from, and guards against zip bombs.
const MAX_CLASS: u64 = 64 << 20;

/// Why a file is no jar.
#[derive(Debug, thiserror::Error)]
pub enum JarProblem {
    #[error("{0}")]
    Zip(#[from] rawzip::Error),
}

#[derive(Debug)]
pub struct Jar {
    path: PathBuf,
    archive: ZipSliceArchive<Vec<u8>>,
    classes: FxHashMap<ClassName, Place>,
    /// What is neither a class nor for one release only.
    others: FxHashMap<Box<str>, Place>,
    manifest: Option<Place>,
    /// It brings signatures.
    signed: bool,
    /// Read when first asked for.
    closings: OnceLock<Closings>,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    wayfinder: ZipArchiveEntryWayfinder,
    method: CompressionMethod,
    /// The release the entry is for; 0 for the plain one.
    release: u16,
}

impl Jar {
    /// `feature` is the newest release whose versioned classes count, if the jar is a multi-release one.
    pub fn open(path: &Path, bytes: Vec<u8>, feature: u16) -> Result<Jar, JarProblem> {
        let archive = ZipArchive::from_slice(bytes)?;
        let mut classes: FxHashMap<ClassName, Place> = FxHashMap::default();
        let mut others: FxHashMap<Box<str>, Place> = FxHashMap::default();
        let mut manifest = None;
        let mut signed = false;
        let mut entries = archive.entries();
        while let Some(entry) = entries.next_entry()? {
            let raw = entry.file_path();
            let Ok(name) = std::str::from_utf8(raw.as_ref()) else {
                continue;
            };
            let mut place = Place { wayfinder: entry.wayfinder(), method: entry.compression_method(), release: 0 };
            if name == "META-INF/MANIFEST.MF" {
                manifest = Some(place);
                continue;
            }
            signed |= is_signature(name);
            let mut plain = name;
            if let Some((release, rest)) = name.strip_prefix("META-INF/versions/").and_then(|r| r.split_once('/')) {
                let Ok(release) = release.parse() else {
                    continue;
                };
                (place.release, plain) = (release, rest);
            }
            let Some(class) = class_name_of(plain) else {
                if place.release == 0 && !name.ends_with('/') {
                    others.entry(name.into()).or_insert(place);
                }
                continue;
            };
            if place.release > feature {
                continue;
            }
            // The first of two equal names counts, as in the JVM's own zip reader; a newer release beats an older one.
            let known = classes.entry(class).or_insert(place);
            if known.release < place.release {
                *known = place;
            }
        }
        let path_of_jar = path.to_owned();
        let mut jar = Jar { path: path_of_jar, archive, classes, others, manifest, signed, closings: OnceLock::new() };
        if jar.classes.values().any(|p| p.release > 0) && !manifest.is_some_and(|p| jar.is_multi_release(p)) {
            return Jar::open(path, jar.archive.into_inner(), 0);
        }
        jar.classes.shrink_to_fit();
        Ok(jar)
    }

    fn is_multi_release(&self, manifest: Place) -> bool {
        let text = self.read(manifest).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let mut lines = text.lines().filter_map(|line| line.split_once(':'));
        lines.any(|(key, value)| key.eq_ignore_ascii_case("Multi-Release") && value.trim().eq_ignore_ascii_case("true"))
    }

    /// Why no class from elsewhere can join this package, if the jar has classes in it and sees to that.
    pub fn closed(&self, package: &str) -> Option<Closed> {
        let closings = self.closings.get_or_init(|| {
            let text = self.manifest.and_then(|m| self.read(m)).unwrap_or_default();
            Closings::read(&String::from_utf8_lossy(&text), self.signed)
        });
        closings.of(package).filter(|_| self.has_package(package))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn class_bytes(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        self.read(*self.classes.get(name)?)
    }

    pub fn resource(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        self.read(*self.others.get(path)?)
    }

    /// The jar lists this class, readable or not.
    pub fn lists(&self, name: &str) -> bool {
        self.classes.contains_key(name)
    }

    /// In no particular order.
    pub fn names(&self) -> impl Iterator<Item = ClassName> + '_ {
        self.classes.keys().cloned()
    }

    pub fn has_package(&self, package: &str) -> bool {
        self.classes.keys().any(|name| name.package() == package)
    }

    /// Nothing if the entry is damaged: checksum and size are verified.
    fn read(&self, place: Place) -> Option<Cow<'_, [u8]>> {
        let entry = self.archive.get_entry(place.wayfinder).ok()?;
        let size = place.wayfinder.uncompressed_size_hint();
        if size > MAX_CLASS {
            return None;
        }
        let mut out = Vec::with_capacity(size as usize);
        match place.method {
            CompressionMethod::STORE => {
                entry.verifying_reader(entry.data()).read_to_end(&mut out).ok()?;
            }
            CompressionMethod::DEFLATE => {
                let inflate = flate2::bufread::DeflateDecoder::new(entry.data());
                entry.verifying_reader(inflate).take(MAX_CLASS).read_to_end(&mut out).ok()?;
            }
            _ => return None,
        }
        Some(Cow::Owned(out))
    }
}

/// `META-INF/NAME.SF`, in any case.
fn is_signature(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    name.strip_prefix("META-INF/").and_then(|n| n.strip_suffix(".SF")).is_some_and(|n| !n.contains('/'))
}
