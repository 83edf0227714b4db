//! Which test frameworks a class path has and which its tests need. Owns this look at names in class files; loads nothing.

use std::collections::BTreeSet;

use bytecode::names::ClassName;
use bytecode::raw::{Constant, RawClass};

use super::SuiteProblem;
use crate::classpath::ClassPath;

const PLATFORM: u8 = 1;
const JUNIT4: u8 = 2;
const PLAIN: u8 = 4;

/// What the stand-in for JUnit has.
const STAND_IN: [&str; 7] = [
    "org/junit/Assert",
    "org/junit/Test",
    "org/junit/function/ThrowingRunnable",
    "org/junit/jupiter/api/Assertions",
    "org/junit/jupiter/api/DisplayName",
    "org/junit/jupiter/api/Test",
    "org/junit/jupiter/api/function/Executable",
];

/// How a suite is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frameworks {
    /// As the protocol has them.
    pub bits: u8,
    /// The stand-in for JUnit has to be on the class path.
    pub stand_in: bool,
}

impl Frameworks {
    pub fn find(classpath: &ClassPath, tests: &[ClassName]) -> Result<Frameworks, SuiteProblem> {
        let has = |name: &str| classpath.application_bytes(name).is_some();
        let jupiter = has("org/junit/platform/engine/TestEngine") && has("org/junit/jupiter/engine/JupiterTestEngine");
        let vintage = has("org/junit/vintage/engine/VintageTestEngine") && has("org/junit/platform/engine/TestEngine");
        let junit4 = has("org/junit/runner/Runner");
        let mut bits = 0;
        if has("org/junit/platform/engine/TestEngine") {
            bits |= PLATFORM;
        }
        if junit4 && !vintage {
            bits |= JUNIT4;
        }
        let mut plain = false;
        for test in tests {
            let used = uses(classpath, test);
            let newer = used.iter().find(|name| name.starts_with("org/junit/jupiter/"));
            let older = used.iter().find(|name| !name.starts_with("org/junit/jupiter/"));
            let missing = match (newer, older) {
                (Some(name), _) if !jupiter => name,
                (_, Some(name)) if !junit4 && !name.starts_with("org/junit/platform/") => name,
                _ => continue,
            };
            if bits & !PLATFORM == 0 && used.iter().all(|name| STAND_IN.contains(&name.as_str())) && !jupiter {
                plain = true;
            } else if missing.starts_with("org/junit/jupiter/") && has("org/junit/jupiter/api/Test") {
                return Err(SuiteProblem::NoEngine);
            } else {
                let missing = used.iter().find(|name| !has(name)).unwrap_or(missing).replace('/', ".");
                return Err(SuiteProblem::NoJUnit { test: test.clone(), missing });
            }
        }
        if plain {
            return Ok(Frameworks {
                bits: PLAIN,
                stand_in: !has("org/junit/jupiter/api/Test") || !has("org/junit/Test"),
            });
        }
        Ok(Frameworks { bits, stand_in: false })
    }
}

/// The classes of JUnit that a class names.
fn uses(classpath: &ClassPath, class: &ClassName) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    let Some(bytes) = classpath.application_bytes(class.internal()) else {
        return used;
    };
    // What cannot be read names nothing; the JVM will say so.
    let Ok(raw) = RawClass::parse(&bytes) else {
        return used;
    };
    for (_, constant) in raw.pool.iter() {
        let Constant::Utf8(text) = constant else {
            continue;
        };
        let text = text.lossy();
        for prefix in ["org/junit/", "junit/framework/"] {
            for (at, _) in text.match_indices(prefix) {
                let is_start = at == 0 || text[..at].ends_with('L');
                let name: String = text[at..].chars().take_while(|c| !";<>()[: ".contains(*c)).collect();
                // Strings may look like names; classes of JUnit begin with a capital letter somewhere.
                if is_start && name.rsplit('/').next().is_some_and(|last| last.starts_with(char::is_uppercase)) {
                    used.insert(name);
                }
            }
        }
    }
    used
}
