//! A plugin for javac on the class path is never run, however much it asks for it: compiling runs no code of the class path.

mod support;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use exec::compiler::{Compiler, Sources};
use exec::jdk::Jdk;
use exec::runtime::Runtime;
use support::{jdks, scratch};

const PLUGIN: &str = "package plug;
import com.sun.source.util.*;
public class Loud implements Plugin {
    static { if (true) throw new Error(\"the plugin is loaded\"); }
    public String getName() { return \"Loud\"; }
    public void init(JavacTask task, String... arguments) {}
    public boolean autoStart() { return true; }
}
";

fn plugin(jdk: &Jdk, folder: &Path) {
    let source = folder.join("Loud.java");
    fs::write(&source, PLUGIN).unwrap();
    let classes = folder.join("classes");
    let done = Command::new(jdk.home.join("bin/javac")).arg("-d").arg(&classes).arg(&source).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    for service in ["com.sun.source.util.Plugin", "javax.annotation.processing.Processor"] {
        let services = classes.join("META-INF/services");
        fs::create_dir_all(&services).unwrap();
        fs::write(services.join(service), "plug.Loud\n").unwrap();
    }
}

#[test]
fn plugins_and_processors_of_the_class_path_are_not_run() {
    for jdk in jdks() {
        let folder = scratch(&format!("plugin-{}", jdk.feature));
        plugin(&jdk, &folder);
        let classes = folder.join("classes");
        // By itself javac runs it: the test can fail.
        let source = folder.join("A.java");
        fs::write(&source, "class A {}").unwrap();
        let plain = Command::new(jdk.home.join("bin/javac"))
            .args(["-proc:none", "-cp"])
            .arg(&classes)
            .arg("-d")
            .arg(folder.join("plain"))
            .arg(&source)
            .output()
            .unwrap();
        assert!(String::from_utf8_lossy(&plain.stderr).contains("the plugin is loaded"), "on {}", jdk.feature);
        let runtime = Runtime::install(&folder).unwrap();
        let readable = [classes.clone()];
        let mut compiler = Compiler::start(&jdk, &runtime.worker, &folder, &readable).unwrap();
        let output = folder.join("out");
        fs::create_dir(&output).unwrap();
        let sources = Sources {
            files: vec![("A.java".to_owned(), "class A {}".to_owned())],
            classpath: vec![classes],
            output: output.clone(),
            release: None,
        };
        let compiled = compiler.compile(&sources, Duration::from_secs(60)).unwrap();
        assert!(compiled.ok && output.join("A.class").is_file(), "on {}: {:?}", jdk.feature, compiled.diagnostics);
    }
}
