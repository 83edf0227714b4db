//! Compiles the Java runtime and packs it into jars that the library embeds. Owns finding a javac at build time and the
//! jar bytes, which depend on the sources and the compiler alone. Never runs anything but javac, and needs no JUnit: the
//! adapters to it are compiled against stubs, which are not packed.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const WORKER_MANIFEST: &str = "Manifest-Version: 1.0\r\n\
    Main-Class: testudo.runtime.Worker\r\n\
    Add-Exports: java.base/jdk.internal.misc\r\n\
    Premain-Class: testudo.runtime.Agent\r\n\
    Can-Redefine-Classes: true\r\n\
    Can-Retransform-Classes: true\r\n\r\n";
const PLAIN_MANIFEST: &str = "Manifest-Version: 1.0\r\n\r\n";

fn main() -> Result<(), Box<dyn Error>> {
    let here = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    let runtime = here.join("../../runtime");
    println!("cargo::rerun-if-env-changed=JAVA_HOME");
    println!("cargo::rerun-if-env-changed=TESTUDO_JAVAC");
    println!("cargo::rerun-if-changed=build.rs");
    let javac = find_javac()?;
    let build = |sources: &str, classpath: &[&Path]| -> Result<PathBuf, Box<dyn Error>> {
        let folder = runtime.join(sources);
        println!("cargo::rerun-if-changed={}", folder.display());
        let classes = out.join(format!("{}-classes", sources.replace('/', "-")));
        if classes.exists() {
            fs::remove_dir_all(&classes)?;
        }
        fs::create_dir_all(&classes)?;
        let mut files = Vec::new();
        list(&folder, "java", &mut files)?;
        if files.is_empty() {
            return Err(format!("no Java sources below {}: is the checkout complete?", folder.display()).into());
        }
        compile(&javac, &classes, classpath, &files)?;
        Ok(classes)
    };
    let reaches = here.join("../bytecode/src/instrument/reach.txt");
    println!("cargo::rerun-if-changed={}", reaches.display());
    let worker = build("src", &[])?;
    let stubs = build("adapters/stubs", &[])?;
    let adapters = build("adapters/src", &[&stubs, &worker])?;
    let junit = build("junit/src", &[])?;
    for (classes, jar, manifest) in [
        (worker, "worker.jar", WORKER_MANIFEST),
        (junit, "junit.jar", PLAIN_MANIFEST),
        (adapters, "adapters.jar", PLAIN_MANIFEST),
    ] {
        let mut class_files = Vec::new();
        list(&classes, "class", &mut class_files)?;
        let mut entries = vec![("META-INF/MANIFEST.MF".to_owned(), manifest.as_bytes().to_vec())];
        for file in class_files {
            let name = file.strip_prefix(&classes)?.to_string_lossy().replace('\\', "/");
            entries.push((name, fs::read(&file)?));
        }
        if jar == "worker.jar" {
            // Calls by reflection are looked up in the table that instruments calls.
            entries.push(("testudo/runtime/reach.txt".to_owned(), fs::read(&reaches)?));
        }
        fs::write(out.join(jar), stored_zip(&entries))?;
    }
    Ok(())
}

/// `TESTUDO_JAVAC`, then `JAVA_HOME`, then `PATH`, then the usual folders.
fn find_javac() -> Result<PathBuf, Box<dyn Error>> {
    let exe = if cfg!(windows) { "javac.exe" } else { "javac" };
    let mut candidates: Vec<PathBuf> = std::env::var_os("TESTUDO_JAVAC").map(PathBuf::from).into_iter().collect();
    candidates.extend(std::env::var_os("JAVA_HOME").map(|home| Path::new(&home).join("bin").join(exe)));
    if let Some(path) = std::env::var_os("PATH") {
        candidates.extend(std::env::split_paths(&path).map(|folder| folder.join(exe)));
    }
    for parent in ["/usr/lib/jvm", "/usr/java", "/opt/java", "/Library/Java/JavaVirtualMachines"] {
        let Ok(homes) = fs::read_dir(parent) else {
            continue;
        };
        let mut homes: Vec<PathBuf> = homes.flatten().map(|e| e.path()).collect();
        homes.sort();
        candidates.extend(homes.iter().map(|h| h.join("bin").join(exe)));
        candidates.extend(homes.iter().map(|h| h.join("Contents/Home/bin").join(exe)));
    }
    candidates.into_iter().find(|c| c.is_file()).ok_or_else(|| {
        "no javac found: building needs a JDK (17 or later). Install one, or set JAVA_HOME to its folder.".into()
    })
}

fn list(folder: &Path, extension: &str, out: &mut Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .map_err(|e| format!("cannot list {}: {e}", folder.display()))?
        .map(|e| e.map(|e| e.path()))
        .collect::<Result<_, _>>()?;
    entries.sort();
    for entry in entries {
        if entry.is_dir() {
            list(&entry, extension, out)?;
        } else if entry.extension().is_some_and(|e| e == extension) {
            out.push(entry);
        }
    }
    Ok(())
}

fn compile(javac: &Path, classes: &Path, classpath: &[&Path], files: &[PathBuf]) -> Result<(), Box<dyn Error>> {
    let output = Command::new(javac)
        .args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"])
        .args(["-source", "8", "-target", "8", "-Xlint:-options", "-XDignore.symbol.file", "-encoding", "UTF-8"])
        .args(["-proc:none", "-g", "-cp"])
        .arg(std::env::join_paths(classpath)?)
        .arg("-d")
        .arg(classes)
        .args(files)
        .env_remove("JAVA_TOOL_OPTIONS")
        .env_remove("JDK_JAVAC_OPTIONS")
        .output()
        .map_err(|e| format!("cannot start {}: {e}", javac.display()))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!(
        "{} could not compile the Java runtime ({}):\n{}",
        javac.display(),
        output.status,
        String::from_utf8_lossy(&output.stderr)
    )
    .into())
}

/// A zip archive without compression, in the order given, all times zero (1980-01-01).
fn stored_zip(entries: &[(String, Vec<u8>)]) -> Vec<u8> {
    const DOS_DATE: u16 = (1 << 5) | 1;
    let mut out = Vec::new();
    let mut directory = Vec::new();
    for (name, data) in entries {
        let offset = out.len() as u32;
        let mut common = Vec::new();
        for half in [10u16, 0x800, 0, 0, DOS_DATE] {
            common.extend(half.to_le_bytes());
        }
        for word in [crc32(data), data.len() as u32, data.len() as u32] {
            common.extend(word.to_le_bytes());
        }
        common.extend((name.len() as u16).to_le_bytes());
        common.extend(0u16.to_le_bytes());
        out.extend(0x0403_4b50u32.to_le_bytes());
        out.extend(&common);
        out.extend(name.as_bytes());
        out.extend(data);
        directory.extend(0x0201_4b50u32.to_le_bytes());
        directory.extend(10u16.to_le_bytes());
        directory.extend(&common);
        directory.extend([0u8; 10]);
        directory.extend(offset.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let start = out.len() as u32;
    let count = entries.len() as u16;
    out.extend(&directory);
    out.extend(0x0605_4b50u32.to_le_bytes());
    for half in [0, 0, count, count] {
        out.extend(half.to_le_bytes());
    }
    out.extend((directory.len() as u32).to_le_bytes());
    out.extend(start.to_le_bytes());
    out.extend(0u16.to_le_bytes());
    out
}

fn crc32(data: &[u8]) -> u32 {
    let mut crc = !0u32;
    for &byte in data {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg());
        }
    }
    !crc
}
