//! The JDK's `lib/modules` file (jimage): finding a class by name, all classes, which packages modules export. Owns the
//! format; reads bytes that the caller has mapped, and answers a broken image with a problem.

mod compressed;
mod location;
mod module;

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::names::ClassName;
use crate::problem::Problem;
use location::{Location, Strings};

pub use module::Exports;

/// What is wrong with an image.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JimageProblem {
    #[error("not a jimage file (it does not start with CAFEDADA in either byte order)")]
    NotAnImage,
    #[error("jimage version {major}.{minor} is not supported (1.x is)")]
    Version { major: u16, minor: u16 },
    #[error("byte {offset}: the image ends in the middle of {expected}")]
    Truncated { offset: usize, expected: &'static str },
    #[error("byte {offset}: expected {expected}")]
    Malformed { offset: usize, expected: &'static str },
    #[error(
        "{resource} is compressed with `{decompressor}`, which is not supported: use a JDK whose image was made without --compress, or with zip"
    )]
    Decompressor { resource: String, decompressor: String },
    #[error("{resource} cannot be read: {problem}")]
    Class { resource: String, problem: Problem },
}

/// An opened image over bytes that are owned, mapped or borrowed.
#[derive(Debug)]
pub struct Jimage<B> {
    bytes: B,
    layout: Layout,
}

/// Where the tables are.
#[derive(Clone, Copy, Debug)]
struct Layout {
    big_endian: bool,
    table_length: usize,
    redirects: usize,
    offsets: usize,
    locations: usize,
    locations_end: usize,
    strings_end: usize,
}

const MAGIC: u32 = 0xCAFE_DADA;
const HEADER: usize = 28;
const HASH_MULTIPLIER: u32 = 0x0100_0193;

impl<B: AsRef<[u8]>> Jimage<B> {
    pub fn open(bytes: B) -> Result<Jimage<B>, JimageProblem> {
        let layout = Layout::read(bytes.as_ref())?;
        Ok(Jimage { bytes, layout })
    }

    /// The class file of an internal name, through the package's module.
    pub fn class_bytes(&self, name: &str) -> Result<Option<Cow<'_, [u8]>>, JimageProblem> {
        self.resource(&[name, ".class"].concat())
    }

    /// A file in a package that has classes, through the package's module.
    pub fn resource(&self, path: &str) -> Result<Option<Cow<'_, [u8]>>, JimageProblem> {
        let package = path.rsplit_once('/').map_or("", |(package, _)| package);
        match self.module_of(package)? {
            Some(module) => self.find(&["/", module, "/", path].concat()),
            None => Ok(None),
        }
    }

    /// A resource by its full path, such as `/java.base/java/lang/String.class`.
    pub fn find(&self, path: &str) -> Result<Option<Cow<'_, [u8]>>, JimageProblem> {
        let Some(location) = self.locate(path)? else { return Ok(None) };
        let content = self.raw_content(&location)?;
        if location.compressed_size == 0 {
            return Ok(Some(Cow::Borrowed(content)));
        }
        compressed::decompress(content, location.size, self.layout, self.strings(), path)
            .map(|bytes| Some(Cow::Owned(bytes)))
    }

    /// The module that has classes in a package (internal form).
    pub fn module_of(&self, package: &str) -> Result<Option<&str>, JimageProblem> {
        let path = "/packages/".to_owned() + &package.replace('/', ".");
        let Some(location) = self.locate(&path)? else { return Ok(None) };
        let content = self.raw_content(&location)?;
        // Pairs: whether the package is empty in that module, and where the module's name is.
        let mut pairs = content.chunks_exact(8).map(|pair| (self.layout.u32(pair, 0), self.layout.u32(pair, 4)));
        match pairs.find(|(empty, _)| *empty == Some(0)) {
            Some((_, Some(name))) => Ok(Some(self.strings().get(u64::from(name))?)),
            _ => Ok(None),
        }
    }

    /// Every class with its module, `module-info`s left out, in the order of the image's table.
    pub fn classes(&self) -> impl Iterator<Item = Result<(&str, ClassName), JimageProblem>> + '_ {
        (0..self.layout.table_length).filter_map(|i| {
            self.location(i)
                .and_then(|location| {
                    let parts = location.parts(self.strings())?;
                    let special = matches!(parts.module, "" | "modules" | "packages") || parts.base == "module-info";
                    if parts.extension != "class" || special {
                        return Ok(None);
                    }
                    Ok(Some((parts.module, parts.class_name())))
                })
                .transpose()
        })
    }

    /// The modules of the image, sorted.
    pub fn modules(&self) -> Result<BTreeSet<&str>, JimageProblem> {
        let mut modules = BTreeSet::new();
        for i in 0..self.layout.table_length {
            let parts = self.location(i)?.parts(self.strings())?;
            if parts.base == "module-info" && parts.extension == "class" && parts.parent.is_empty() {
                modules.insert(parts.module);
            }
        }
        Ok(modules)
    }

    /// What a module says about its packages; `None` if there is no such module.
    pub fn exports(&self, module: &str) -> Result<Option<Exports>, JimageProblem> {
        let path = format!("/{module}/module-info.class");
        let Some(bytes) = self.find(&path)? else { return Ok(None) };
        Exports::read(&bytes).map(Some).map_err(|problem| JimageProblem::Class { resource: path, problem })
    }

    /// Whether a package (internal form) of the image is exported to all modules; `None` if it is not in the image.
    pub fn is_exported(&self, package: &str) -> Result<Option<bool>, JimageProblem> {
        let Some(module) = self.module_of(package)? else { return Ok(None) };
        Ok(self.exports(module)?.map(|exports| exports.packages.contains(package)))
    }

    /// All classes in packages exported to all modules, sorted.
    pub fn exported_classes(&self) -> Result<Vec<ClassName>, JimageProblem> {
        let mut exported: BTreeSet<(&str, String)> = BTreeSet::new();
        for module in self.modules()? {
            if let Some(exports) = self.exports(module)? {
                exported.extend(exports.packages.into_iter().map(|package| (module, package)));
            }
        }
        let packages: rustc_hash::FxHashSet<(&str, &str)> = exported.iter().map(|(m, p)| (*m, p.as_str())).collect();
        let mut names = Vec::new();
        for class in self.classes() {
            let (module, name) = class?;
            if packages.contains(&(module, name.package())) {
                names.push(name);
            }
        }
        names.sort();
        Ok(names)
    }

    /// The location of a full path.
    fn locate(&self, path: &str) -> Result<Option<Location>, JimageProblem> {
        let length = self.layout.table_length as u32;
        if length == 0 {
            return Ok(None);
        }
        let slot = hash(HASH_MULTIPLIER, path) % length;
        let at = self.layout.redirects + slot as usize * 4;
        let redirect = self.layout.u32(self.bytes(), at).unwrap_or(0) as i32;
        let index = match redirect {
            0 => return Ok(None),
            1.. => hash(redirect as u32, path) % length,
            _ => (-1 - redirect) as u32,
        };
        if index >= length {
            return Err(JimageProblem::Malformed { offset: at, expected: "a redirect inside the table" });
        }
        let location = self.location(index as usize)?;
        Ok(location.is_at(path.as_bytes(), self.strings()).then_some(location))
    }

    fn location(&self, index: usize) -> Result<Location, JimageProblem> {
        let at = self.layout.offsets + index * 4;
        let truncated = JimageProblem::Truncated { offset: at, expected: "the table of locations" };
        let offset = self.layout.u32(self.bytes(), at).ok_or(truncated)? as usize;
        let start = self.layout.locations + offset;
        let table = self.bytes().get(start..self.layout.locations_end);
        Location::read(table.unwrap_or_default(), start)
    }

    /// What is stored, compressed or not.
    fn raw_content(&self, location: &Location) -> Result<&[u8], JimageProblem> {
        let start = (self.layout.strings_end as u64).checked_add(location.offset);
        let size = if location.compressed_size == 0 { location.size } else { location.compressed_size };
        let range = start
            .and_then(|start| Some((usize::try_from(start).ok()?, usize::try_from(start.checked_add(size)?).ok()?)));
        range
            .and_then(|(start, end)| self.bytes().get(start..end))
            .ok_or(JimageProblem::Truncated { offset: self.layout.strings_end, expected: "a resource" })
    }

    fn strings(&self) -> Strings<'_> {
        // `Layout::read` has checked that the tables are inside the image.
        Strings {
            bytes: &self.bytes()[self.layout.locations_end..self.layout.strings_end],
            start: self.layout.locations_end,
        }
    }

    fn bytes(&self) -> &[u8] {
        self.bytes.as_ref()
    }
}

impl Layout {
    fn read(bytes: &[u8]) -> Result<Layout, JimageProblem> {
        let magic = bytes.first_chunk::<4>().ok_or(JimageProblem::NotAnImage)?;
        let big_endian = match (u32::from_be_bytes(*magic), u32::from_le_bytes(*magic)) {
            (MAGIC, _) => true,
            (_, MAGIC) => false,
            _ => return Err(JimageProblem::NotAnImage),
        };
        let mut layout = Layout {
            big_endian,
            table_length: 0,
            redirects: HEADER,
            offsets: 0,
            locations: 0,
            locations_end: 0,
            strings_end: 0,
        };
        let word = |index: usize| {
            let truncated = JimageProblem::Truncated { offset: index * 4, expected: "the header" };
            layout.u32(bytes, index * 4).ok_or(truncated)
        };
        let version = word(1)?;
        let (major, minor) = ((version >> 16) as u16, version as u16);
        if major != 1 {
            return Err(JimageProblem::Version { major, minor });
        }
        let [table, locations, strings] = [word(4)? as usize, word(5)? as usize, word(6)? as usize];
        // Sums of a few 32-bit numbers: no overflow where addresses have 64 bits, a checked one elsewhere.
        let sum = |a: usize, b: usize| {
            a.checked_add(b).ok_or(JimageProblem::Malformed { offset: 16, expected: "smaller tables" })
        };
        let table_bytes =
            table.checked_mul(4).ok_or(JimageProblem::Malformed { offset: 16, expected: "a smaller table" })?;
        layout.table_length = table;
        layout.offsets = sum(layout.redirects, table_bytes)?;
        layout.locations = sum(layout.offsets, table_bytes)?;
        layout.locations_end = sum(layout.locations, locations)?;
        layout.strings_end = sum(layout.locations_end, strings)?;
        if layout.strings_end > bytes.len() {
            return Err(JimageProblem::Truncated { offset: bytes.len(), expected: "the tables" });
        }
        Ok(layout)
    }

    fn u32(self, bytes: &[u8], at: usize) -> Option<u32> {
        let word = *bytes.get(at..)?.first_chunk::<4>()?;
        Some(if self.big_endian { u32::from_be_bytes(word) } else { u32::from_le_bytes(word) })
    }

    fn u64(self, bytes: &[u8], at: usize) -> Option<u64> {
        let word = *bytes.get(at..)?.first_chunk::<8>()?;
        Some(if self.big_endian { u64::from_be_bytes(word) } else { u64::from_le_bytes(word) })
    }
}

fn hash(seed: u32, path: &str) -> u32 {
    path.bytes().fold(seed, |h, b| h.wrapping_mul(HASH_MULTIPLIER) ^ u32::from(b)) & 0x7FFF_FFFF
}
