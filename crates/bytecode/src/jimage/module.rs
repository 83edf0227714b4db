//! What a module exports, from its `module-info`. Owns the `Module` attribute as far as exports go.

use std::collections::BTreeSet;

use crate::problem::Problem;
use crate::raw::{Constant, Cursor, RawClass};

/// Packages a module exports to all modules, in internal form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exports {
    pub packages: BTreeSet<String>,
}

impl Exports {
    /// Reads a `module-info` class file.
    pub fn read(bytes: &[u8]) -> Result<Exports, Problem> {
        let raw = RawClass::parse(bytes)?;
        let attribute = raw
            .attributes
            .find(&raw.pool, "Module")
            .ok_or(Problem::malformed(raw.attributes.range().start, "a Module attribute"))?;
        let mut cursor = Cursor::new(&bytes[..attribute.range.end], attribute.range.start);
        cursor.take(6, "the module's name, flags and version")?;
        let requires = cursor.u2("required modules")?;
        cursor.take(usize::from(requires) * 6, "required modules")?;
        let exports = cursor.u2("exported packages")?;
        let mut packages = BTreeSet::new();
        for _ in 0..exports {
            let package = cursor.u2("an exported package")?;
            cursor.u2("an export's flags")?;
            let to = cursor.u2("whom a package is exported to")?;
            cursor.take(usize::from(to) * 2, "whom a package is exported to")?;
            if to == 0 {
                let Some(Constant::Package { name }) = raw.pool.get(package) else {
                    return Err(Problem::malformed(cursor.position(), "a package"));
                };
                packages.insert(raw.pool.text(name)?.lossy().into_owned());
            }
        }
        Ok(Exports { packages })
    }
}
