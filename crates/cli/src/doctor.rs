//! What this machine offers: JDKs, and the layers of the sandbox, each tried. Owns how that is told, and the refusal to run where a layer is missing.

use exec::jdk::Jdk;
use exec::sandbox::{Layer, layers};

use crate::exit_code::ExitCode;
use crate::failure::Failure;

/// Prints what there is. Success only if a JDK was found and every layer holds.
pub fn doctor() -> ExitCode {
    let jdks = Jdk::all();
    let found = if jdks.is_empty() { " none".to_owned() } else { String::new() };
    println!("JDKs:{found}");
    for jdk in &jdks {
        println!("  {:>3}  {}", jdk.feature, jdk.home.display());
    }
    let layers = layers();
    println!("\nSandbox:\n{}", table(&layers));
    if jdks.is_empty() {
        ExitCode::NoJdk
    } else if layers.iter().any(|layer| layer.missing.is_some()) {
        ExitCode::SandboxMissing
    } else {
        ExitCode::Success
    }
}

fn table(layers: &[Layer]) -> String {
    let width = layers.iter().map(|layer| layer.name.len()).max().unwrap_or(0);
    let line = |layer: &Layer| match &layer.missing {
        None => format!("  holds    {:width$}  stops {}\n", layer.name, layer.stops),
        Some(why) => format!("  MISSING  {:width$}  would stop {}: {why}\n", layer.name, layer.stops),
    };
    layers.iter().map(line).collect()
}

/// Every layer holds, or the run ends before it begins.
pub fn require_sandbox() -> Result<(), Failure> {
    let missing: Vec<String> =
        layers().into_iter().filter_map(|layer| Some(format!("{} ({})", layer.name, layer.missing?))).collect();
    if missing.is_empty() { Ok(()) } else { Err(Failure::SandboxMissing { missing: missing.join(", ") }) }
}

/// For the user, if a layer is missing.
pub fn warning(layers: &[Layer]) -> Option<String> {
    let missing: Vec<String> = layers
        .iter()
        .filter_map(|layer| Some(format!("{} ({}: {})", layer.stops, layer.name, layer.missing.as_ref()?)))
        .collect();
    (!missing.is_empty()).then(|| {
        format!(
            "this system does not stop code under test from: {}. Run in a container if the code is not trusted; \
             `testudo doctor` shows all layers",
            missing.join("; ")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_told_from_what_holds() {
        let layer = |name, missing: Option<&str>| Layer { name, stops: "harm", missing: missing.map(str::to_owned) };
        let text = table(&[layer("files", None), layer("watch", Some("too old"))]);
        assert_eq!(text, "  holds    files  stops harm\n  MISSING  watch  would stop harm: too old\n");
        assert_eq!(warning(&[layer("files", None)]), None);
        let said = warning(&[layer("files", None), layer("watch", Some("too old"))]).unwrap();
        assert!(said.contains("harm (watch: too old)") && !said.contains("files"), "{said}");
    }
}
