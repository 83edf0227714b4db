//! Every class of every JDK found is read, with all facts and graphs and without a problem, and says what reflection
//! says. `TESTUDO_FULL=1` takes all classes instead of a sample.

mod jdk;

use std::collections::BTreeMap;
use std::fs::File;

use bytecode::analysis::{Cfg, ClassFacts};
use bytecode::class_info::{ClassInfo, NestingKind};
use bytecode::jimage::Jimage;
use bytecode::names::{ClassName, FieldType};
use bytecode::raw::RawClass;
use bytecode::signature::{ArgSig, TypeParam, TypeSig};
use memmap2::Mmap;

fn open(home: &std::path::Path) -> Jimage<Mmap> {
    // The file belongs to an installed JDK; nothing writes it while the test runs.
    Jimage::open(unsafe { Mmap::map(&File::open(home.join("lib/modules")).unwrap()).unwrap() }).unwrap()
}

/// Every n-th class, sorted; all of them on demand.
fn sample(image: &Jimage<Mmap>, n: usize) -> Vec<ClassName> {
    let mut names: Vec<ClassName> = image.classes().map(|c| c.unwrap().1).collect();
    names.sort();
    let step = if jdk::full() { 1 } else { n };
    names.into_iter().step_by(step).collect()
}

#[test]
fn every_class_is_read_without_a_problem() {
    for home in jdk::jdks() {
        let image = open(&home);
        let (mut classes, mut methods, mut blocks, mut back_edges) = (0, 0, 0, 0);
        for name in sample(&image, 10) {
            let bytes = image.class_bytes(name.internal()).unwrap().unwrap();
            let raw = RawClass::parse(&bytes).unwrap();
            let (info, problems) = ClassInfo::from_raw(&raw).unwrap();
            assert_eq!(problems, [], "{name}");
            assert_eq!(info.name, name);
            let facts = ClassFacts::from_raw(&raw).unwrap();
            assert_eq!(facts.methods.len(), info.methods.len());
            for method in &raw.methods {
                let Some(code) = raw.code(method).unwrap() else { continue };
                let cfg = Cfg::build(&code, &raw.pool).unwrap();
                check_graph(&cfg, code.code.len() as u32);
                blocks += cfg.blocks.len();
                back_edges += cfg.back_edges().len();
                methods += 1;
            }
            classes += 1;
        }
        println!("{}: {classes} classes, {methods} methods, {blocks} blocks, {back_edges} back edges", home.display());
        assert!(classes > 2_000 && back_edges > 0);
    }
}

/// Blocks cover the code without gap or overlap, and javac's code is reachable throughout.
fn check_graph(cfg: &Cfg, length: u32) {
    assert_eq!(cfg.blocks[0].start, 0);
    assert_eq!(cfg.blocks.last().unwrap().end, length);
    for pair in cfg.blocks.windows(2) {
        assert_eq!(pair[0].end, pair[1].start);
    }
    for (i, block) in cfg.blocks.iter().enumerate() {
        for pc in [block.start, block.last, block.end - 1] {
            assert_eq!(cfg.block_at(pc).map(|id| id.0 as usize), Some(i));
        }
    }
    assert_eq!(cfg.block_at(length), None);
}

#[test]
fn classes_are_what_reflection_says() {
    for home in jdk::jdks() {
        let image = open(&home);
        let mut names = sample(&image, 15);
        // The JVM rewrites its event classes while it loads them.
        let rewritten = |n: &ClassName| ["jdk/jfr/", "jdk/internal/event/"].iter().any(|p| n.internal().starts_with(p));
        names.retain(|n| !rewritten(n));
        let folder = jdk::scratch(&format!("reflect-{}", home.file_name().unwrap().to_str().unwrap()));
        let list = folder.join("names");
        let text: String = names.iter().map(|n| n.binary() + "\n").collect();
        std::fs::write(&list, text).unwrap();
        let program = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/java/Reflect.java");
        let output =
            jdk::run(&home, "java", &["-Xshare:off", "--add-modules", "ALL-DEFAULT", program, list.to_str().unwrap()]);
        let mut expected: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        let mut current = "";
        for line in output.lines() {
            match line.strip_prefix("class ") {
                Some(name) => {
                    current = name;
                    expected.insert(current, Vec::new());
                }
                None => expected.get_mut(current).unwrap().push(line),
            }
        }
        assert!(expected.len() * 10 > names.len() * 8, "{} of {} loaded", expected.len(), names.len());
        let mut differences = String::new();
        for (name, lines) in expected {
            let bytes = image.class_bytes(&name.replace('.', "/")).unwrap().unwrap();
            let (info, _) = ClassInfo::read(&bytes).unwrap();
            let found = describe(&info);
            let hidden = |line: &&String| line.starts_with("field ") && filtered(name);
            let found: Vec<&String> = found.iter().filter(|l| !hidden(l)).collect();
            let lines: Vec<&&str> = lines.iter().filter(|l| !(l.starts_with("field ") && filtered(name))).collect();
            let differ = found.len() != lines.len() || found.iter().zip(&lines).any(|(a, b)| a != *b);
            let only_ours: Vec<_> = found.iter().filter(|l| !lines.iter().any(|x| x == *l)).collect();
            let only_theirs: Vec<_> = lines.iter().filter(|l| !found.iter().any(|x| x == **l)).collect();
            if differ {
                differences += &format!("{name}\nours: {only_ours:#?}\nreflection: {only_theirs:#?}\n");
            }
        }
        assert!(differences.is_empty(), "{}:\n{differences}", home.display());
    }
}

/// Reflection hides fields of its own classes.
fn filtered(name: &str) -> bool {
    matches!(
        name,
        "java.lang.Class"
            | "java.lang.ClassLoader"
            | "java.lang.System"
            | "java.lang.Module"
            | "java.lang.invoke.MethodHandles$Lookup"
            | "jdk.internal.reflect.ConstantPool"
            | "jdk.internal.reflect.Reflection"
    ) || name.starts_with("java.lang.reflect.")
}

/// The same lines as `Reflect.java` prints.
fn describe(c: &ClassInfo) -> Vec<String> {
    let mut lines = vec![format!("flags {}{}", c.access.0 & 0x7fdf, deprecated(c.deprecated))];
    let plain = |name: &ClassName| TypeSig::of(&FieldType::Class(name.clone()));
    if !c.is_interface()
        && let Some(superclass) = &c.superclass
    {
        let sig = c.signature.as_ref().map_or_else(|| plain(superclass), |s| s.superclass.clone());
        lines.push(format!("super {}", show(&sig)));
    }
    let interfaces: Vec<TypeSig> =
        c.signature.as_ref().map_or_else(|| c.interfaces.iter().map(plain).collect(), |s| s.interfaces.clone());
    lines.extend(interfaces.iter().map(|i| format!("interface {}", show(i))));
    lines.push(format!("params {}", variables(c.signature.as_ref().map_or(&[], |s| s.type_params.as_slice()))));
    lines.push(format!("host {}", c.nest_host.as_ref().unwrap_or(&c.name).binary()));
    if let Some(nesting) = &c.nesting {
        let outer = nesting.outer.as_ref().unwrap().binary();
        let name = nesting.simple_name.clone().unwrap_or_default();
        lines.push(match nesting.kind {
            NestingKind::Member => format!("member of {outer} as {name}"),
            NestingKind::Local => format!("local in {outer} as {name}"),
            NestingKind::Anonymous => format!("anonymous in {outer}"),
        });
    }
    lines.extend(c.members.iter().map(|m| format!("has {}", m.binary())));
    lines.extend(c.permitted.iter().flatten().map(|p| format!("permits {}", p.binary())));
    for r in c.record.iter().flatten() {
        let sig = r.signature.clone().unwrap_or_else(|| TypeSig::of(&r.field_type));
        lines.push(format!("component {} {}", r.name, show(&sig)));
    }
    for f in &c.fields {
        let sig = f.signature.clone().unwrap_or_else(|| TypeSig::of(&f.field_type));
        let (flags, name, erased) = (f.access.0, &f.name, &f.field_type);
        lines.push(format!("field {flags} {name} {erased} {}{}", show(&sig), deprecated(f.deprecated)));
    }
    let local = matches!(&c.nesting, Some(n) if n.kind != NestingKind::Member);
    let member = matches!(&c.nesting, Some(n) if n.kind == NestingKind::Member);
    let plain_constructors = !c.is_enum() && !local && (!member || c.access.is_static());
    for m in c.methods.iter().filter(|m| !m.is_class_initializer()) {
        let mut line = format!("method {} {}{}", m.access.0, m.name, m.raw_descriptor);
        if !m.is_constructor() || plain_constructors {
            let params: Vec<TypeSig> = match &m.signature {
                Some(s) => s.params.clone(),
                None => m.descriptor.params.iter().map(TypeSig::of).collect(),
            };
            let result = match &m.signature {
                Some(s) => s.result.clone(),
                None => m.descriptor.result.as_ref().map(TypeSig::of),
            };
            line += &format!(" {}(", variables(m.signature.as_ref().map_or(&[], |s| s.type_params.as_slice())));
            line += &params.iter().map(show).collect::<String>();
            line += &format!("){}", result.as_ref().map_or("V".to_owned(), show));
        }
        for t in &m.throws {
            line += &format!(" throws {}", t.binary());
        }
        lines.push(line + deprecated(m.deprecated));
    }
    // Java sorts by UTF-16 units; names here are ASCII.
    lines.sort();
    lines
}

fn deprecated(yes: bool) -> &'static str {
    if yes { " deprecated" } else { "" }
}

fn variables(params: &[TypeParam]) -> String {
    let show_one =
        |p: &TypeParam| p.name.clone() + &p.bounds.iter().map(|b| format!(":{}", show(b))).collect::<String>();
    format!("<{}>", params.iter().map(show_one).collect::<String>())
}

fn show(sig: &TypeSig) -> String {
    match sig {
        TypeSig::Primitive(p) => p.descriptor().to_string(),
        TypeSig::Variable(name) => format!("T{name};"),
        TypeSig::Array(element) => format!("[{}", show(element)),
        TypeSig::Class { name, args, outer_args } => {
            let list = |args: &[ArgSig]| args.iter().map(argument).collect::<String>();
            let outer = if outer_args.is_empty() { String::new() } else { format!("^{}", list(outer_args)) };
            format!("L{name}{outer}{};", list(args))
        }
    }
}

fn argument(arg: &ArgSig) -> String {
    match arg {
        ArgSig::Any => "*".to_owned(),
        ArgSig::Extends(t) if show(t) == "Ljava/lang/Object;" => "*".to_owned(),
        ArgSig::Extends(t) => format!("+{}", show(t)),
        ArgSig::Super(t) => format!("-{}", show(t)),
        ArgSig::Exact(t) => format!("={}", show(t)),
    }
}
