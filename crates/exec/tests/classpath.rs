//! Class paths: folders, jars, multi-release jars, the JDK's image; and what is said about those that cannot be used.

mod support;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use bytecode::names::ClassName;
use bytecode::world::{ClassSource, Scope};
use exec::classpath::{ClassPath, ClassPathProblem, PlatformClasses};
use exec::jdk::Jdk;
use support::{jdks, scratch, subjects};

fn open(paths: &[PathBuf], jdk: &Jdk) -> (ClassPath, Vec<ClassPathProblem>) {
    ClassPath::open(paths, jdk, Arc::new(PlatformClasses::open(jdk).unwrap()))
}

fn jar(jdk: &Jdk, args: &[&str], folder: &Path) {
    let output = Command::new(jdk.home.join("bin/jar")).args(args).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn folders_and_jars_give_the_same_classes() {
    let jdk = jdks().remove(0);
    let folder = scratch("jars");
    let (deflated, stored) = (folder.join("deflated.jar"), folder.join("stored.jar"));
    jar(&jdk, &["cf", deflated.to_str().unwrap(), "."], subjects());
    jar(&jdk, &["cf0", stored.to_str().unwrap(), "."], subjects());
    let (reference, problems) = open(&[subjects().to_owned()], &jdk);
    assert!(problems.is_empty());
    let names = reference.names(Scope::Application);
    assert!(names.contains(&ClassName::new("subjects/Kinds$Inner")), "{names:?}");
    for path in [deflated, stored] {
        let (jar, problems) = open(std::slice::from_ref(&path), &jdk);
        assert!(problems.is_empty(), "{problems:?}");
        assert_eq!(jar.names(Scope::Application), names);
        assert_eq!(jar.names_in(&path), names);
        for name in &names {
            assert_eq!(jar.class_bytes(name.internal()), reference.class_bytes(name.internal()), "{name}");
        }
        assert_eq!(jar.class_bytes("subjects/Nothing"), None);
    }
}

#[test]
fn links_in_circles_end_and_no_name_leads_out_of_a_folder() {
    let jdk = jdks().remove(0);
    let folder = scratch("circles");
    let inner = folder.join("classes/a");
    fs::create_dir_all(&inner).unwrap();
    fs::write(inner.join("B.class"), [1]).unwrap();
    fs::write(folder.join("Secret.class"), [2]).unwrap();
    for (name, to) in [("up", ".."), ("me", ".")] {
        let link = inner.join(name);
        if !link.exists() {
            std::os::unix::fs::symlink(to, link).unwrap();
        }
    }
    let (path, problems) = open(&[folder.join("classes")], &jdk);
    assert!(problems.is_empty(), "{problems:?}");
    assert_eq!(path.names(Scope::Application), [ClassName::new("a/B")]);
    assert_eq!(path.class_bytes("a/B").as_deref(), Some(&[1][..]));
    for name in ["../Secret", "a/../../Secret", "/etc/x", ""] {
        assert_eq!(path.application_bytes(name), None, "{name}");
    }
}

fn stored_zip(entries: &[(&str, &str)]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut archive = rawzip::ZipArchiveWriter::new(&mut out);
    for (name, content) in entries {
        let (mut entry, config) = archive.new_file(name).start().unwrap();
        let mut writer = config.wrap(&mut entry);
        writer.write_all(content.as_bytes()).unwrap();
        let (_, descriptor) = writer.finish().unwrap();
        entry.finish(descriptor).unwrap();
    }
    archive.finish().unwrap();
    out
}

#[test]
fn multi_release_jars_give_the_newest_release_not_above_the_jdk() {
    let jdk = jdks().remove(0);
    let folder = scratch("multi");
    let entries = [
        ("a/A.class", "old"),
        ("META-INF/versions/9/a/A.class", "nine"),
        ("META-INF/versions/17/a/A.class", "seventeen"),
        ("META-INF/versions/9999/a/A.class", "future"),
        ("META-INF/versions/17/a/New.class", "new"),
        ("module-info.class", "module"),
        ("a/package-info.class", "package"),
    ];
    for (line, expected) in [("Multi-Release: true", "seventeen"), ("X: y", "old")] {
        let manifest = format!("Manifest-Version: 1.0\r\n{line}\r\n\r\n");
        let path = folder.join("multi.jar");
        fs::write(&path, stored_zip(&[&[("META-INF/MANIFEST.MF", manifest.as_str())], &entries[..]].concat())).unwrap();
        let (classpath, problems) = open(&[path], &jdk);
        assert!(problems.is_empty(), "{problems:?}");
        let bytes = classpath.class_bytes("a/A").unwrap();
        assert_eq!(String::from_utf8_lossy(&bytes), expected, "{line}");
        let names: Vec<String> = classpath.names(Scope::Application).iter().map(|n| n.internal().to_owned()).collect();
        let both: &[&str] = if expected == "old" { &["a/A"] } else { &["a/A", "a/New"] };
        assert_eq!(names, both, "{line}");
    }
}

#[test]
fn unusable_entries_are_named_and_left_out() {
    let jdk = jdks().remove(0);
    let folder = scratch("broken");
    let (broken, missing) = (folder.join("broken.jar"), folder.join("missing.jar"));
    fs::write(&broken, "this is no jar").unwrap();
    let (classpath, problems) = open(&[broken.clone(), missing.clone(), subjects().to_owned()], &jdk);
    assert_eq!(classpath.paths(), [subjects()]);
    assert!(classpath.class_bytes("subjects/Stack").is_some());
    let texts: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert!(matches!(&problems[0], ClassPathProblem::BadJar { path, .. } if *path == broken), "{texts:?}");
    assert!(matches!(&problems[1], ClassPathProblem::Missing { path } if *path == missing), "{texts:?}");
    assert!(texts[0].contains("broken.jar") && texts[1].contains("missing.jar"), "{texts:?}");
}

#[test]
fn damaged_jars_never_panic() {
    let jdk = jdks().remove(0);
    let folder = scratch("damaged");
    let path = folder.join("whole.jar");
    jar(&jdk, &["cf", path.to_str().unwrap(), "."], subjects());
    let whole = fs::read(&path).unwrap();
    let platform = Arc::new(PlatformClasses::open(&jdk).unwrap());
    let mut seed = 7u64;
    for round in 0..300 {
        let mut bytes = whole.clone();
        for _ in 0..1 + round % 8 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let at = (seed >> 33) as usize % bytes.len();
            if round % 5 == 0 {
                bytes.truncate(at.max(1));
            } else {
                bytes[at] = (seed >> 20) as u8;
            }
        }
        fs::write(&path, &bytes).unwrap();
        let (classpath, _) = ClassPath::open(std::slice::from_ref(&path), &jdk, platform.clone());
        for name in classpath.names(Scope::Application) {
            classpath.class_bytes(name.internal());
        }
    }
}

#[test]
fn the_platform_is_there_on_every_jdk() {
    for jdk in jdks() {
        let (classpath, _) = open(&[], &jdk);
        let bytes = classpath.class_bytes("java/util/TreeMap").unwrap();
        assert_eq!(bytes[..4], [0xCA, 0xFE, 0xBA, 0xBE]);
        assert!(classpath.platform().has_package("java/util") && !classpath.platform().has_package("subjects"));
        let names = classpath.names(Scope::Platform);
        assert!(names.len() > 4000, "{}", names.len());
        assert!(names.iter().all(|n| !n.internal().starts_with("jdk/internal/misc")));
    }
}
