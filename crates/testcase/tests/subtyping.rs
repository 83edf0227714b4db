//! Subtyping against what javac accepts: every question is written as Java too and compiled, so that the expectations are javac's own.

mod support;

use bytecode::world::World;
use testcase::operation::Operations;
use testcase::subtyping::Subtyping;
use testcase::text::parse_sequence;
use testcase::types::Type;

/// `have -> want: yes | no`, types in `.seq` spelling.
const CASES: &str = "
java/util/ArrayList<java/lang/String> -> java/util/Collection<? extends java/lang/CharSequence>: yes
java/util/ArrayList<java/lang/String> -> java/util/Collection<java/lang/CharSequence>: no
java/util/ArrayList<java/lang/String> -> java/util/List<java/lang/String>: yes
java/util/ArrayList<java/lang/String> -> java/lang/Iterable<?>: yes
java/util/ArrayList<java/lang/String> -> java/util/RandomAccess: yes
java/util/ArrayList<java/lang/String> -> java/util/List: yes
java/util/ArrayList -> java/util/List<java/lang/String>: yes
java/util/ArrayList<java/lang/Integer> -> java/util/List<? super java/lang/Integer>: yes
java/util/ArrayList<java/lang/Number> -> java/util/List<? super java/lang/Integer>: yes
java/util/ArrayList<java/lang/Integer> -> java/util/List<? super java/lang/Number>: no
java/util/List<java/util/ArrayList<java/lang/String>> -> java/util/List<? extends java/util/List<java/lang/String>>: yes
java/util/List<java/util/ArrayList<java/lang/String>> -> java/util/List<java/util/List<java/lang/String>>: no
java/util/List<java/util/ArrayList> -> java/util/List<? extends java/util/List<java/lang/String>>: no
java/lang/Class<java/lang/Enum> -> java/lang/Class<? extends java/lang/Enum<?>>: no
java/lang/Enum -> java/lang/Enum<?>: yes
java/util/List<? extends java/lang/Integer> -> java/util/List<? extends java/lang/Number>: yes
java/util/List<?> -> java/util/List<? extends java/lang/Object>: yes
java/util/List<?> -> java/util/List<? extends java/lang/Number>: no
java/util/List<? super java/lang/Number> -> java/util/List<? super java/lang/Integer>: yes
java/lang/Integer -> java/lang/Comparable<java/lang/Integer>: yes
java/lang/Integer -> java/lang/Comparable<java/lang/Number>: no
java/lang/Integer -> java/lang/Comparable<? super java/lang/Integer>: yes
java/lang/Integer -> java/lang/Number: yes
java/lang/Number -> java/lang/Integer: no
java/lang/Runnable -> java/lang/Object: yes
int[] -> java/lang/Object: yes
int[] -> java/lang/Cloneable: yes
int[] -> java/lang/Comparable: no
int[] -> long[]: no
int[][] -> java/lang/Object[]: yes
int[] -> java/lang/Object[]: no
java/lang/String[] -> java/lang/CharSequence[]: yes
java/util/ArrayList<java/lang/String>[] -> java/util/List<java/lang/String>[]: yes
java/lang/Object -> java/lang/Object[]: no
demo/Shapes$Strings -> java/util/Collection<java/lang/String>: yes
demo/Shapes$Strings -> java/util/Collection<java/lang/Integer>: no
demo/Shapes$Raw -> java/util/Collection<java/lang/Integer>: yes
demo/Shapes$Box<java/lang/String> -> java/lang/Comparable<demo/Shapes$Box<java/lang/String>>: yes
demo/Shapes$Box<java/lang/String> -> java/lang/Comparable<demo/Shapes$Box<java/lang/Integer>>: no
demo/Shapes$Color -> java/lang/Enum<demo/Shapes$Color>: yes
demo/Shapes$Color -> java/lang/Comparable<demo/Shapes$Color>: yes
java/util/Properties -> java/util/Map<java/lang/Object, java/lang/Object>: yes
java/util/Properties -> java/util/Map<java/lang/String, java/lang/String>: no
java/util/HashMap<java/lang/String, java/util/List<java/lang/Integer>> -> java/util/Map<?, ? extends java/util/Collection<? extends java/lang/Number>>: yes
int -> int: yes
boolean -> int: no
";

fn parse(text: &str) -> Type {
    let mut operations = Operations::default();
    let sequence = parse_sequence(&format!("v0 = null : {text}"), &mut operations).unwrap();
    operations.get(sequence.statements()[0].op).result.clone()
}

fn cases() -> Vec<(Type, Type, bool)> {
    let mut cases = Vec::new();
    for line in CASES.lines().filter(|l| !l.is_empty()) {
        let (types, answer) = line.rsplit_once(": ").unwrap();
        let (have, want) = types.split_once(" -> ").unwrap();
        cases.push((parse(have), parse(want), answer == "yes"));
    }
    cases
}

#[test]
fn agrees_with_javac() {
    let jdk = support::jdks().remove(0);
    let classes = support::compile(&jdk, "subtyping", &["Shapes.java"]);
    let world: World = support::world(&jdk, &classes);
    let subtyping = Subtyping::new(&world);
    for (have, want, expected) in cases() {
        assert_eq!(subtyping.fits(&have, &want), expected, "{have} -> {want}");
    }
    // The table itself: javac accepts exactly the lines marked yes.
    for (number, chunk) in [true, false].into_iter().enumerate() {
        let mut source = String::from("@SuppressWarnings({\"rawtypes\", \"unchecked\"}) class Check {\n");
        let wanted: Vec<_> = cases().into_iter().filter(|c| c.2 == chunk).collect();
        for (i, (have, want, _)) in wanted.iter().enumerate() {
            let java = |t: &Type| t.to_string().replace(['/', '$'], ".");
            source.push_str(&format!("  {} m{i}({} v) {{ return v; }}\n", java(want), java(have)));
        }
        source.push_str("}\n");
        let folder = support::scratch(&format!("subtyping-check-{number}"));
        std::fs::write(folder.join("Check.java"), source).unwrap();
        let output = std::process::Command::new(jdk.join("bin/javac"))
            .args([
                "-cp",
                classes.to_str().unwrap(),
                "-d",
                folder.to_str().unwrap(),
                "-Xmaxerrs",
                "1000",
                "-XDrawDiagnostics",
            ])
            .arg(folder.join("Check.java"))
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        let count = errors.lines().filter(|l| l.contains("compiler.err")).count();
        assert_eq!(count, if chunk { 0 } else { wanted.len() }, "{errors}");
    }
}

#[test]
fn casts() {
    let jdk = support::jdks().remove(0);
    let world = support::world(&jdk, std::path::Path::new("/nonexistent"));
    let subtyping = Subtyping::new(&world);
    for (have, want, plausible) in [
        ("java/lang/Object", "java/lang/String", true),
        ("java/lang/String", "java/lang/Integer", false),
        ("java/util/List", "java/lang/Runnable", true),
        ("java/lang/Runnable", "java/lang/String", false),
        ("java/lang/Number", "java/lang/Runnable", true),
        ("java/lang/Object", "int[]", true),
        ("java/lang/String", "int[]", false),
        ("java/lang/Object[]", "java/lang/String[]", true),
    ] {
        assert_eq!(subtyping.cast_is_plausible(&parse(have), &parse(want)), plausible, "{have} -> {want}");
    }
}
