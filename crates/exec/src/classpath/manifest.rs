//! What a jar's manifest says about its packages: which are sealed, which have signed classes. Owns reading manifests; verifies no signature.

use std::collections::BTreeSet;

/// Why no class from elsewhere can join a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Closed {
    /// Its classes are signed: the JVM wants the same signers for all classes of a package.
    Signed,
    /// Its manifest seals it: all classes of it come from one jar.
    Sealed,
}

/// The packages of one jar that are closed. Names in internal form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Closings {
    signed: BTreeSet<String>,
    sealed: BTreeSet<String>,
    /// Packages that are sealed unless they are among `open`.
    all_sealed: bool,
    open: BTreeSet<String>,
}

impl Closings {
    /// `signed`: the jar brings signatures, so that classes with digests are signed.
    pub fn read(manifest: &str, signed: bool) -> Closings {
        let mut closings = Closings::default();
        for (number, section) in sections(manifest).iter().enumerate() {
            let value = |key: &str| section.iter().find(|(k, _)| k.eq_ignore_ascii_case(key)).map(|(_, v)| v.trim());
            let sealed = value("Sealed").map(|v| v.eq_ignore_ascii_case("true"));
            if number == 0 {
                closings.all_sealed = sealed == Some(true);
                continue;
            }
            let Some(name) = value("Name") else { continue };
            if let (Some(package), Some(sealed)) = (name.strip_suffix('/'), sealed) {
                let list = if sealed { &mut closings.sealed } else { &mut closings.open };
                list.insert(package.to_owned());
            }
            let has_digest = section.iter().any(|(key, _)| key.to_ascii_lowercase().ends_with("-digest"));
            if signed && has_digest && name.ends_with(".class") {
                closings.signed.insert(name.rsplit_once('/').map_or("", |(package, _)| package).to_owned());
            }
        }
        closings
    }

    /// For a package that the jar has classes in.
    pub fn of(&self, package: &str) -> Option<Closed> {
        if self.signed.contains(package) {
            return Some(Closed::Signed);
        }
        let sealed = self.sealed.contains(package) || (self.all_sealed && !self.open.contains(package));
        sealed.then_some(Closed::Sealed)
    }
}

/// The main section, perhaps empty, and the others, as keys and values; values that go on in the next line are joined.
fn sections(manifest: &str) -> Vec<Vec<(String, String)>> {
    let mut sections: Vec<Vec<(String, String)>> = vec![Vec::new()];
    let mut ended = false;
    for line in manifest.lines() {
        if line.is_empty() {
            ended = true;
            continue;
        }
        if ended {
            sections.push(Vec::new());
            ended = false;
        }
        // There is always one.
        let Some(section) = sections.last_mut() else { continue };
        if let (Some(more), Some((_, value))) = (line.strip_prefix(' '), section.last_mut()) {
            value.push_str(more);
        } else if let Some((key, value)) = line.split_once(':') {
            section.push((key.to_owned(), value.strip_prefix(' ').unwrap_or(value).to_owned()));
        }
    }
    sections
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sealed_and_signed_packages_are_told_apart() {
        let manifest = "Manifest-Version: 1.0\r\nsealed: TRUE\r\n\r\nName: p/open/\r\nSealed: false\r\n\r\nName: p/sig\r\n ned/A.class\r\nSHA-256-Digest: x=\r\n\r\nName: p/text.txt\r\nSHA-256-Digest: y=\r\n";
        let check = |signed: bool, package: &str, expected: Option<Closed>| {
            assert_eq!(Closings::read(manifest, signed).of(package), expected, "{package}");
        };
        check(true, "p/signed", Some(Closed::Signed));
        check(false, "p/signed", Some(Closed::Sealed));
        check(true, "p/open", None);
        check(true, "p", Some(Closed::Sealed));
        let plain =
            Closings::read("Manifest-Version: 1.0\n\n\nName: q/\nSealed: true\n\nName: A.class\nMD5-Digest: z\n", true);
        assert_eq!([plain.of("q"), plain.of(""), plain.of("p")], [Some(Closed::Sealed), Some(Closed::Signed), None]);
        assert_eq!(Closings::read("", true).of("p"), None);
    }
}
