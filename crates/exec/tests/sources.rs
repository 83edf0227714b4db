//! Members of Java sources: where they are, and the text without some of them.

mod support;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bytecode::names::ClassName;
use exec::compiler::Compiler;
use exec::jdk::Jdk;
use exec::runtime::Runtime;
use exec::sources::{ClassKind, MemberKind, SourceFile, SyntaxError, parse, remove};
use support::{jdks, scratch};

const LIMIT: Duration = Duration::from_secs(60);

fn compiler(jdk: &Jdk, name: &str) -> Compiler {
    let folder = scratch(&format!("sources-{name}-{}", jdk.feature));
    let runtime = Runtime::install(&folder).unwrap();
    Compiler::start(jdk, &runtime.worker, &folder, &[]).unwrap()
}

fn sample(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/sources");
    std::fs::read_to_string(folder.join(name)).unwrap()
}

fn parse_all(compiler: &mut Compiler, texts: &[&str]) -> Vec<Result<SourceFile, Vec<SyntaxError>>> {
    let files: Vec<(String, String)> =
        texts.iter().enumerate().map(|(n, t)| (format!("T{n}.java"), (*t).to_owned())).collect();
    parse(compiler, &files, LIMIT).unwrap()
}

/// `class.name(types)` of a member.
fn label(file: &SourceFile, member: usize) -> String {
    let m = &file.members[member];
    let class = m.class.map_or("", |c| file.classes[c].name.internal());
    let types: Vec<&str> = m.parameters.iter().map(|p| p.written.as_str()).collect();
    let kind = match m.kind {
        MemberKind::Method => "",
        MemberKind::Constructor => "constructor ",
        MemberKind::Class => "class ",
        MemberKind::Other => "other ",
    };
    format!("{kind}{class}.{}({})", m.name, types.join(", "))
}

/// Indices of the members of these names.
fn named(file: &SourceFile, names: &[&str]) -> BTreeSet<usize> {
    let found: BTreeSet<usize> =
        (0..file.members.len()).filter(|m| names.contains(&file.members[*m].name.as_str())).collect();
    assert!(found.len() >= names.len(), "{names:?}");
    found
}

/// Text, names of the members removed, and the text expected.
const EDITS: &[(&str, &[&str], &str)] = &[
    // The blank line goes with it: in the middle, first, last, alone.
    (
        "class A {\n    int x;\n\n    void a() {}\n\n    void b() {}\n}\n",
        &["a"],
        "class A {\n    int x;\n\n    void b() {}\n}\n",
    ),
    ("class A {\n    void a() {}\n\n    void b() {}\n}\n", &["a"], "class A {\n    void b() {}\n}\n"),
    ("class A {\n\n    void a() {}\n\n    void b() {}\n}\n", &["a"], "class A {\n\n    void b() {}\n}\n"),
    ("class A {\n    void a() {}\n\n    void b() {}\n}\n", &["b"], "class A {\n    void a() {}\n}\n"),
    ("class A {\n    void a() {}\n\n    void b() {}\n\n}\n", &["b"], "class A {\n    void a() {}\n\n}\n"),
    ("class A {\n\n    void a() {}\n\n}\n", &["a"], "class A {\n}\n"),
    (
        "class A {\n    void a() {}\n\n    void b() {}\n    void c() {}\n}\n",
        &["b"],
        "class A {\n    void a() {}\n\n    void c() {}\n}\n",
    ),
    // Several together.
    (
        "class A {\n  void a() {}\n\n  void b() {}\n\n  void c() {}\n\n  void d() {}\n}",
        &["b", "c"],
        "class A {\n  void a() {}\n\n  void d() {}\n}",
    ),
    ("class A {\n  void a() {}\n\n  void b() {}\n\n  void c() {}\n}", &["a", "b", "c"], "class A {\n}"),
    // Line ends and indentation stay as they are.
    ("class A {\r\n\tvoid a() {}\r\n\r\n\tvoid b() {}\r\n}\r\n", &["a"], "class A {\r\n\tvoid b() {}\r\n}\r\n"),
    ("class A {\r\rvoid a() {}\r\rvoid b() {}\r}", &["b"], "class A {\r\rvoid a() {}\r}"),
    ("\u{feff}class Ä {\n  void ä() {} // 😀\n  void b() {}\n}", &["b"], "\u{feff}class Ä {\n  void ä() {} // 😀\n}"),
    // Several on one line.
    ("class A { void a() {} void b() {} }", &["a"], "class A { void b() {} }"),
    ("class A { void a() {} void b() {} }", &["b"], "class A { void a() {} }"),
    ("class A { void a() {} void b() {} }", &["a", "b"], "class A { }"),
    ("class A {\n  void a() {} void b() {}\n}", &["a"], "class A {\n  void b() {}\n}"),
    ("class A {\n  void a() {} void b() {} // b\n}", &["b"], "class A {\n  void a() {}\n}"),
    ("class A {\n  void a() {} /* b */ void b() {}\n}", &["a"], "class A {\n  /* b */ void b() {}\n}"),
    ("class A { void a() {\n  } }", &["a"], "class A { }"),
    // Comments: its own go, those of others stay.
    (
        "class A {\n  /** A. */\n  void a() {} // a\n\n  /** B. */\n  void b() {}\n}",
        &["a"],
        "class A {\n  /** B. */\n  void b() {}\n}",
    ),
    ("class A {\n  // 1\n  // 2\n  void a() {}\n}", &["a"], "class A {\n}"),
    (
        "class A {\n  // Apart.\n\n  // Of a.\n  void a() {}\n  void b() {}\n}",
        &["a"],
        "class A {\n  // Apart.\n\n  void b() {}\n}",
    ),
    ("class A {\n  /** A. */\n\n  void a() {}\n  int x;\n}", &["a"], "class A {\n  int x;\n}"),
    ("class A { // of the class\n  void a() {}\n}", &["a"], "class A { // of the class\n}"),
    ("class A {\n  int x; // of x\n  void a() {}\n}", &["a"], "class A {\n  int x; // of x\n}"),
    (
        "class A {\n  // region one\n  void a() {}\n  // endregion\n  void b() {}\n}",
        &["a"],
        "class A {\n  // region one\n  // endregion\n  void b() {}\n}",
    ),
    ("class A {\n  void a() {};\n  int x;\n}", &["a"], "class A {\n  int x;\n}"),
    // Other kinds of classes, and classes themselves.
    ("enum E {\n  X, // x\n  Y;\n\n  void a() {}\n}", &["a"], "enum E {\n  X, // x\n  Y;\n}"),
    ("record R(int x) {\n  void a() {}\n}", &["a"], "record R(int x) {\n}"),
    ("interface I {\n  int N = 1;\n\n  default void a() {}\n}", &["a"], "interface I {\n  int N = 1;\n}"),
    (
        "class A {\n  /** B. */\n  class B {\n    void a() {}\n  }\n\n  void b() {}\n}",
        &["B", "a"],
        "class A {\n  void b() {}\n}",
    ),
    (
        "class A {\n  String s = \"\"\"\n    void a() {}\n    \"\"\";\n\n  void a() {}\n}",
        &["a"],
        "class A {\n  String s = \"\"\"\n    void a() {}\n    \"\"\";\n}",
    ),
];

#[test]
fn removing_members_takes_what_belongs_to_them_and_no_more() {
    let mut compiler = compiler(&jdks()[0], "edits");
    let texts: Vec<&str> = EDITS.iter().map(|(text, ..)| *text).collect();
    let files = parse_all(&mut compiler, &texts);
    for ((text, names, expected), file) in EDITS.iter().zip(files) {
        let file = file.unwrap();
        assert_eq!(remove(text, &file, &BTreeSet::new()), *text);
        let edited = remove(text, &file, &named(&file, names));
        assert_eq!(edited, *expected, "\nwithout {names:?}:\n{text}\n");
    }
    // Fields stay even if named.
    let text = "class A {\n  int x;\n}";
    let file = parse_all(&mut compiler, &[text]).remove(0).unwrap();
    assert_eq!(remove(text, &file, &named(&file, &["x"])), text);
}

/// A small generator of our own: the same subsets on every run.
fn next(seed: &mut u64) -> u64 {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    *seed
}

fn without_space(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

#[test]
fn any_subset_can_be_removed_and_the_rest_is_as_it_was() {
    let samples = [sample("HardTest.java"), sample("OldTest.java")];
    let variants = samples.iter().flat_map(|s| {
        let windows = s.replace('\n', "\r\n");
        [s.clone(), windows.clone(), s.replace('\t', "    "), format!("\u{feff}{windows}")]
    });
    let texts: Vec<String> = variants.collect();
    for jdk in jdks() {
        check_subsets(&mut compiler(&jdk, "subsets"), &texts, true, 20);
    }
}

/// Our own Java sources, or those below the folder `TESTUDO_SOURCES`.
#[test]
fn subsets_of_real_sources_can_be_removed() {
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime/src");
    let mut folders = vec![std::env::var_os("TESTUDO_SOURCES").map_or(ours, PathBuf::from)];
    let mut texts = Vec::new();
    while let Some(folder) = folders.pop() {
        let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
        entries.sort();
        for entry in entries {
            if entry.is_dir() {
                folders.push(entry);
            } else if entry.extension().is_some_and(|e| e == "java") && !entry.ends_with("module-info.java") {
                texts.push(String::from_utf8_lossy(&std::fs::read(entry).unwrap()).into_owned());
            }
        }
    }
    assert!(texts.len() > 20);
    let mut compiler = compiler(jdks().last().unwrap(), "real");
    for some in texts.chunks(100) {
        check_subsets(&mut compiler, some, false, 2);
    }
}

/// Removes subsets of methods from every text and looks at what is left. `each`: also every single one.
fn check_subsets(compiler: &mut Compiler, texts: &[String], each: bool, random: u64) {
    let files = parse_all(compiler, &texts.iter().map(String::as_str).collect::<Vec<_>>());
    let (mut edited, mut expected) = (Vec::new(), Vec::new());
    let mut seed = 0x5eed;
    for (text, file) in texts.iter().zip(files) {
        let file = file.unwrap();
        let removable: Vec<usize> =
            (0..file.members.len()).filter(|m| file.members[*m].kind == MemberKind::Method).collect();
        let single = removable.iter().filter(|_| each).map(|m| BTreeSet::from([*m]));
        let random = (0..random).map(|n| {
            let take = |_: &&usize| next(&mut seed) % 5 <= n % 5;
            removable.iter().filter(take).copied().collect::<BTreeSet<usize>>()
        });
        let all = removable.iter().copied().collect();
        let subsets: Vec<BTreeSet<usize>> = single.chain(random).chain([BTreeSet::new(), all]).collect();
        for subset in subsets {
            let result = remove(text, &file, &subset);
            assert!(!subset.is_empty() || result == *text);
            let mut rest = text.clone();
            for m in subset.iter().rev() {
                rest.replace_range(file.members[*m].extent.clone(), "");
            }
            assert_eq!(without_space(&result), without_space(&rest));
            expected.push(left(text, &file, &subset));
            edited.push(result);
        }
    }
    let files = parse_all(compiler, &edited.iter().map(String::as_str).collect::<Vec<_>>());
    for ((text, expected), file) in edited.iter().zip(expected).zip(files) {
        let file = file.unwrap_or_else(|e| panic!("{e:?}:\n{text}"));
        assert_eq!(left(text, &file, &BTreeSet::new()), expected, "{text}");
    }
}

/// All members but classes and those removed, with their text.
fn left(text: &str, file: &SourceFile, removed: &BTreeSet<usize>) -> Vec<(String, String)> {
    (0..file.members.len())
        .filter(|m| !removed.contains(m) && file.members[*m].kind != MemberKind::Class)
        .map(|m| (label(file, m), text[file.members[m].extent.clone()].to_owned()))
        .collect()
}

#[test]
fn members_are_found_by_name_and_descriptor() {
    for jdk in jdks() {
        let mut compiler = compiler(&jdk, "members");
        let text = sample("HardTest.java");
        let file = parse_all(&mut compiler, &[&text]).remove(0).unwrap();
        let classes: Vec<(&str, ClassKind)> = file.classes.iter().map(|c| (c.name.internal(), c.kind)).collect();
        assert_eq!(
            classes,
            [
                ("sample/hard/HardTest", ClassKind::Class),
                ("sample/hard/HardTest$Inner", ClassKind::Class),
                ("sample/hard/HardTest$Narrow", ClassKind::Class),
                ("sample/hard/HardTest$Colour", ClassKind::Enum),
                ("sample/hard/HardTest$Point", ClassKind::Record),
                ("sample/hard/HardTest$Contract", ClassKind::Interface),
                ("sample/hard/HardTest$Mark", ClassKind::Annotation),
                ("sample/hard/OtherTest", ClassKind::Class),
            ]
        );
        let hard = ClassName::new("sample/hard/HardTest");
        let written = |name: &str, descriptor: &str| {
            let m = file.method(&hard, name, descriptor)?;
            Some(file.members[m].parameters.iter().map(|p| p.written.clone()).collect::<Vec<_>>().join("; "))
        };
        assert_eq!(written("overloaded", "()V").as_deref(), Some(""));
        assert_eq!(written("overloaded", "(J)V").as_deref(), Some("long"));
        assert_eq!(written("overloaded", "(I)V"), None);
        let many =
            "(I[Ljava/lang/String;Ljava/util/List;Ljava/lang/Number;Ljava/lang/Comparable;[Ljava/util/Map$Entry;)V";
        assert_eq!(
            written("overloaded", many).as_deref(),
            Some("int; String[]; List<? extends E>; E; T; Map.Entry<String, int[]>[]")
        );
        assert_eq!(written("second", "()V").as_deref(), Some(""));
        assert_eq!(written("nowhere", "()V"), None);
        assert!(file.method(&ClassName::new("sample/hard/Nowhere"), "first", "()V").is_none());
        assert!(file.method(&ClassName::new("sample/hard/HardTest$Inner"), "only", "()V").is_some());

        let tests: Vec<&str> = file.members.iter().filter(|m| m.is_test()).map(|m| m.name.as_str()).collect();
        let expected = "first second third fourth fifth overloaded overloaded overloaded only one parametrised inEnum inRecord \
                        again contract umlaut last alone";
        assert_eq!(tests.join(" "), expected);
        let removed = named(&file, &["first", "parametrised"]);
        let unused = |removed: &BTreeSet<usize>| -> Vec<String> {
            file.unused_without(removed).into_iter().map(|m| file.members[m].name.clone()).collect()
        };
        assert_eq!(unused(&removed), ["provider"]);
        assert_eq!(unused(&named(&file, &["first", "second"])), ["helper"]);
        let narrow = file.classes.iter().position(|c| c.name.internal().ends_with("Narrow")).unwrap();
        assert!(file.has_tests(narrow, &removed) && !file.has_tests(narrow, &named(&file, &["one"])));
        assert_eq!(file.left(narrow, &named(&file, &["one"])), []);
        assert!(file.class(&hard).is_some_and(|c| text[..c.body.start].ends_with("java.io.Serializable {")));
    }
}

#[test]
fn syntax_errors_have_a_place() {
    let mut compiler = compiler(&jdks()[0], "errors");
    let texts = [
        "class A {\n\tvoid a( {}\n}\n",
        "class B { void b() {} }",
        "\u{feff}class C { // ä😀\n  int ä = ;\n}",
        "class D { String s = \"; }",
        "",
    ];
    let files = parse_all(&mut compiler, &texts);
    let first = |n: usize| files[n].as_ref().unwrap_err()[0].to_string();
    assert_eq!(first(0), "T0.java:2:10: illegal start of type");
    assert_eq!(files[1].as_ref().unwrap().classes.len(), 1);
    assert_eq!(first(2), "T2.java:2:11: illegal start of expression");
    assert_eq!(first(3), "T3.java:1:22: unclosed string literal");
    assert_eq!(files[4].as_ref().unwrap().members, []);
}
