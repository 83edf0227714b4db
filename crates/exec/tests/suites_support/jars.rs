//! Jars of Maven Central for tests of several crates, fetched once and kept with the build. Owns where they are; knows nothing of what is in them.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use exec::jdk::Jdk;

/// A jar of Maven Central, fetched once and kept with the build: by Maven, or by a JDK where there is no Maven.
pub fn jar(coordinates: &str) -> PathBuf {
    let parts: Vec<&str> = coordinates.split(':').collect();
    let [group, name, version] = parts[..] else { panic!("{coordinates}") };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("jars");
    let file = format!("{name}-{version}.jar");
    let path = folder.join(&file);
    // Tests run side by side: the first to need a jar fetches it, and a jar in use is never replaced; a test that fails here fails no other.
    let _alone = FETCHING.lock().unwrap_or_else(PoisonError::into_inner);
    if !path.exists() {
        let own = folder.join(format!("{}-{:?}", std::process::id(), std::thread::current().id()));
        std::fs::create_dir_all(&own).unwrap();
        let copied = Command::new("mvn")
            .args(["-q", "-B", "dependency:copy"])
            .arg(format!("-Dartifact={coordinates}"))
            .arg(format!("-DoutputDirectory={}", own.display()))
            .output();
        let output = copied.unwrap_or_else(|_| {
            let url = format!("https://repo1.maven.org/maven2/{}/{name}/{version}/{file}", group.replace('.', "/"));
            let source = own.join("Fetch.java");
            std::fs::write(&source, FETCH).unwrap();
            Command::new(Jdk::all()[0].java()).arg(&source).arg(url).arg(own.join(&file)).output().unwrap()
        });
        assert!(output.status.success(), "{output:?}");
        std::fs::rename(own.join(&file), &path).unwrap();
        std::fs::remove_dir_all(&own).unwrap();
    }
    path
}

static FETCHING: Mutex<()> = Mutex::new(());

const FETCH: &str = "class Fetch { public static void main(String[] a) throws Exception { \
    try (java.io.InputStream in = new java.net.URL(a[0]).openStream()) { java.nio.file.Files.copy(in, java.nio.file.Path.of(a[1])); } } }";
