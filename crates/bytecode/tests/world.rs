//! Questions to the world about compiled test classes and the JDK, on every JDK found.

mod jdk;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bytecode::names::{ClassName, FieldType};
use bytecode::signature::TypeSig;
use bytecode::world::{Scope, World, WorldProblem};
use jdk::source::Source;

const FILES: [&str; 2] = ["demo/Shapes.java", "other/Outsider.java"];

/// The same answers on every JDK.
fn on_every_jdk(test: impl Fn(&World)) {
    for home in jdk::jdks() {
        test(&World::new(Arc::new(Source::compiled(&home, "shapes", &FILES))));
    }
}

/// `Square` is short for the class of `Shapes` of that name.
fn name(short: &str) -> ClassName {
    if short.contains('/') { ClassName::new(short) } else { ClassName::new(format!("demo/Shapes${short}")) }
}

fn short(name: &ClassName) -> String {
    name.internal().replace("demo/Shapes$", "").replace("java/lang/", "").replace("java/util/", "")
}

#[test]
fn answers_about_shapes() {
    on_every_jdk(|world| {
        hierarchy(world);
        members(world);
        signatures(world);
        functional(world);
        access(world);
        downwards(world);
    });
}

fn hierarchy(world: &World) {
    let all: Vec<String> = world.all_supertypes(&name("Hidden")).iter().map(short).collect();
    assert_eq!(all, ["Hidden", "Square", "Object", "Shape", "Named", "Comparable"]);
    let chain: Vec<String> = world.superclasses(&name("other/Outsider")).iter().map(short).collect();
    assert_eq!(chain, ["Derived", "Base", "Object"]);
    for (sub, sup, expected) in [
        ("Square", "Shape", Some(true)),
        ("Shape", "Square", Some(false)),
        ("Shape", "java/lang/Object", Some(true)),
        ("Square", "java/lang/Comparable", Some(true)),
        ("no/Such", "no/Such", Some(true)),
        ("no/Such", "Shape", None),
    ] {
        assert_eq!(world.is_subclass(&name(sub), &name(sup)), expected, "{sub} {sup}");
    }
    for (from, to, expected) in [
        ("I", "I", true),
        ("I", "J", false),
        ("I", "Ljava/lang/Object;", false),
        ("[I", "Ljava/lang/Object;", true),
        ("[I", "Ljava/lang/Cloneable;", true),
        ("[I", "Ljava/lang/Comparable;", false),
        ("[I", "[J", false),
        ("[Ljava/lang/String;", "[Ljava/lang/CharSequence;", true),
        ("[[Ljava/lang/String;", "[Ljava/io/Serializable;", true),
        ("[Ljava/lang/CharSequence;", "[Ljava/lang/String;", false),
        ("[[I", "[Ljava/lang/Object;", true),
        ("Ljava/lang/Object;", "[I", false),
    ] {
        let [from, to] = [from, to].map(|d| FieldType::parse(d).unwrap());
        assert_eq!(world.is_assignable(&from, &to), expected, "{from} {to}");
    }
}

fn methods(world: &World, class: &str) -> Vec<String> {
    let methods = world.methods_of(&name(class)).unwrap();
    let not_object = methods.iter().filter(|m| m.owner().internal() != "java/lang/Object");
    not_object.map(|m| format!("{}.{}{}", short(m.owner()), m.info().name, m.info().raw_descriptor)).collect()
}

fn members(world: &World) {
    assert_eq!(
        methods(world, "Square"),
        [
            "Square.<init>(D)V",
            "Square.area()D",
            "Square.compareTo(Ldemo/Shapes$Square;)I",
            "Square.compareTo(Ljava/lang/Object;)I",
            "Named.label()Ljava/lang/String;",
        ]
    );
    // `inPackage()` of another package, the private `own()` and constructors are not inherited.
    assert_eq!(
        methods(world, "other/Outsider"),
        [
            "other/Outsider.<init>()V",
            "other/Outsider.make(Ldemo/Shapes$Builder;)Ldemo/Shapes$Square;",
            "other/Outsider.inPackage(I)Ldemo/Shapes$Shape;",
            "Derived.make(Ljava/lang/String;)Ljava/lang/String;",
            "Derived.make(Ljava/lang/Object;)Ljava/lang/Object;",
            "Base.helper()V",
        ]
    );
    let bridge = world.methods_of(&name("Derived")).unwrap();
    let bridge = bridge.iter().find(|m| m.info().raw_descriptor == "(Ljava/lang/Object;)Ljava/lang/Object;").unwrap();
    assert!(bridge.info().is_bridge() && bridge.info().access.is_synthetic());
    let interface = world.methods_of(&name("Shape")).unwrap();
    let inherited: BTreeSet<&str> =
        interface.iter().filter(|m| !m.class.is_interface()).map(|m| m.info().name.as_str()).collect();
    assert!(inherited.contains("equals") && !inherited.contains("clone"), "{inherited:?}");
    for (class, method, descriptor, expected) in [
        ("Hidden", "label", "()Ljava/lang/String;", Some("Named")),
        ("Hidden", "area", "()D", Some("Square")),
        ("Hidden", "hashCode", "()I", Some("Object")),
        ("Shape", "hashCode", "()I", Some("Object")),
        ("Square", "unit", "()Ldemo/Shapes$Shape;", None),
        ("Shape", "unit", "()Ldemo/Shapes$Shape;", Some("Shape")),
        ("Hidden", "nothing", "()V", None),
    ] {
        let found = world.resolve_method(&name(class), method, descriptor);
        assert_eq!(found.map(|m| short(m.owner())).as_deref(), expected, "{class}.{method}");
    }
    let field = world.resolve_field(&name("Hidden"), "side", "D").unwrap();
    assert_eq!((short(field.owner()).as_str(), field.info().name.as_str()), ("Square", "side"));
    assert!(world.resolve_field(&name("Hidden"), "side", "I").is_none());
    let limit = world.resolve_field(&name("demo/Shapes"), "LIMIT", "I").unwrap();
    assert_eq!(format!("{:?}", limit.info().constant), "Some(Int(4711))");
    let word = world.resolve_field(&name("demo/Shapes"), "WORD", "Ljava/lang/String;").unwrap();
    assert_eq!(
        format!("{:?}", word.info().constant),
        format!("Some(String({:?}))", "wörd\0".encode_utf16().collect::<Vec<_>>())
    );
}

/// Parameters the compiler invents are in the signature too, erased.
fn signatures(world: &World) {
    let class = world.class(&name("Inner")).unwrap();
    assert!(class.is_inner());
    let constructor = &class.methods[0];
    let signature = constructor.signature.as_ref().unwrap();
    assert_eq!(signature.params.len(), 3);
    assert_eq!(signature.params[0], TypeSig::of(&FieldType::parse("Ldemo/Shapes;").unwrap()));
    assert!(matches!(&signature.params[1], TypeSig::Class { args, .. } if args.len() == 1));
    assert_eq!(signature.type_params[0].bounds.len(), 2);
    assert_eq!(&constructor.param_names[1..], ["names", "count"]);
    let annotated: Vec<usize> = constructor.param_annotations.iter().map(Vec::len).collect();
    assert_eq!(annotated, [0, 0, 1]);
    let color = world.class(&name("Color")).unwrap();
    let constructor = color.methods.iter().find(|m| m.is_constructor()).unwrap();
    assert_eq!(constructor.raw_descriptor, "(Ljava/lang/String;ILjava/util/List;)V");
    let params = &constructor.signature.as_ref().unwrap().params;
    assert!(matches!(&params[2], TypeSig::Class { args, .. } if args.len() == 1), "{params:?}");
    let square = world.class(&name("Square")).unwrap();
    let compare = square.method("compareTo", "(Ldemo/Shapes$Square;)I").unwrap();
    assert_eq!(compare.param_names, ["other"]);
    let (first, last) = compare.lines.unwrap();
    assert!(first == last && first > 40, "{first} {last}");
    assert_eq!(square.source_file.as_deref(), Some("Shapes.java"));
}

fn functional(world: &World) {
    for (class, expected) in [
        ("Source", Some("Source.next")),
        ("Strings", Some("Strings.next")),
        ("Sink", Some("Sink.take")),
        ("StringSink", Some("StringSink.take")),
        ("Both", None),
        ("Overloaded", None),
        ("Marker", None),
        ("Named", Some("Shape.area")),
        ("Square", None),
        ("java/util/Comparator", Some("Comparator.compare")),
        ("java/lang/Comparable", Some("Comparable.compareTo")),
        ("java/util/function/BinaryOperator", Some("function/BiFunction.apply")),
        ("java/util/List", None),
        ("no/Such", None),
    ] {
        let found = world.functional_method(&name(class)).map(|m| format!("{}.{}", short(m.owner()), m.info().name));
        assert_eq!(found.as_deref(), expected, "{class}");
    }
}

fn access(world: &World) {
    for (package, class, expected) in [
        ("demo", "Square", true),
        ("other", "Square", true),
        ("demo", "Hidden", true),
        ("other", "Hidden", false),
        ("other", "Hidden$Exposed", false),
        ("demo", "Hidden$Exposed", true),
        ("demo", "Secret", false),
        ("demo", "1", false),
        ("demo", "1Local", false),
        ("other", "java/util/Map$Entry", true),
        ("other", "java/util/HashMap$Node", false),
        ("java/util", "java/util/HashMap$Node", true),
        ("demo", "jdk/internal/misc/Unsafe", false),
        ("jdk/internal/misc", "jdk/internal/misc/Unsafe", true),
        ("demo", "no/Such", false),
    ] {
        assert_eq!(world.is_accessible_from(package, &name(class)), expected, "{package} {class}");
    }
    let base = world.class(&name("Base")).unwrap();
    let of = |method: &str| base.methods.iter().find(|m| m.name == method).unwrap().access;
    let outsider = name("other/Outsider");
    for (package, subclass, method, expected) in [
        ("demo", None, "inPackage", true),
        ("other", None, "inPackage", false),
        ("demo", None, "own", false),
        ("other", None, "helper", true),
        ("demo", None, "make", true),
        ("other", None, "make", false),
        ("other", Some(&outsider), "make", true),
        ("other", Some(&outsider), "inPackage", false),
    ] {
        let found = world.is_member_accessible_from(package, subclass, &name("Derived"), &base.name, of(method));
        assert_eq!(found, expected, "{package} {subclass:?} {method}");
    }
}

fn downwards(world: &World) {
    let below: Vec<String> = world.implementors(&name("Shape"), Scope::Application).iter().map(short).collect();
    assert_eq!(below, ["Hidden", "Named", "Square"]);
    let comparable = world.implementors(&name("java/lang/Comparable"), Scope::Application);
    assert_eq!(comparable.iter().map(short).collect::<Vec<_>>(), ["Color", "Hidden", "Square"]);
    assert_eq!(world.implementors(&name("Marker"), Scope::Application), []);
    let lists = world.implementors(&name("java/util/List"), Scope::Platform);
    assert!(lists.contains(&name("java/util/ArrayList")) && lists.contains(&name("java/util/AbstractList")));
    let show = |providers: Vec<bytecode::world::Provider>| -> Vec<String> {
        let show_one = |p: &bytecode::world::Provider| {
            let class = world.class(&p.class).unwrap();
            let member = match p.kind {
                bytecode::world::ProviderKind::StaticField => &class.fields[p.index].name,
                _ => &class.methods[p.index].name,
            };
            format!("{:?} {}.{member}", p.kind, short(&p.class))
        };
        providers.iter().map(show_one).collect()
    };
    assert_eq!(
        show(world.providers(&name("Square"), Scope::Application)),
        [
            "Constructor Square.<init>",
            "StaticField demo/Shapes.UNIT",
            "StaticMethod other/Outsider.make",
            "BuilderMethod Builder.build",
            "BuilderMethod Builder.peek",
        ]
    );
    assert_eq!(
        show(world.providers_for(&name("Square"), Scope::Application, "demo"))[..6],
        [
            "Constructor Square.<init>",
            "StaticField demo/Shapes.UNIT",
            "StaticMethod other/Outsider.make",
            "BuilderMethod Builder.build",
            "BuilderMethod Builder.peek",
            "Constructor Hidden.<init>",
        ]
    );
    assert_eq!(
        show(world.providers(&name("Shape"), Scope::Application))[..2],
        ["StaticMethod Shape.unit", "Constructor Square.<init>"]
    );
    assert_eq!(show(world.providers(&name("Color"), Scope::Application))[0], "StaticField Color.RED");
    assert_eq!(
        show(world.providers(&name("Base"), Scope::Application))[..2],
        ["Constructor Derived.<init>", "Constructor other/Outsider.<init>"]
    );
    let charsets = show(world.providers(&name("java/nio/charset/Charset"), Scope::Platform));
    assert!(charsets.contains(&"StaticMethod nio/charset/Charset.forName".replace("nio", "java/nio")), "{charsets:?}");
    assert!(charsets.contains(&"StaticField java/nio/charset/StandardCharsets.UTF_8".to_owned()), "{charsets:?}");
}

#[test]
fn missing_and_malformed_classes_are_told_apart() {
    let home = &jdk::jdks()[0];
    let mut source = Source::compiled(home, "missing", &FILES[..1]);
    source.application.remove("demo/Shapes$Base");
    source.application.insert("demo/Shapes$Color".to_owned(), b"no class".to_vec());
    let world = World::new(Arc::new(source));
    assert_eq!(world.class(&name("Base")), Err(WorldProblem::Missing { name: name("Base") }));
    assert!(matches!(world.class(&name("Color")), Err(WorldProblem::Malformed { .. })));
    assert_eq!(world.is_subclass(&name("Derived"), &name("Base")), Some(true));
    assert_eq!(world.is_subclass(&name("Derived"), &name("Shape")), None);
    assert!(!world.hierarchy_is_complete(&name("Derived")));
    assert_eq!(methods(&world, "Derived").len(), 3);
    // Nothing that goes over all classes stumbles.
    assert!(!world.providers(&name("Shape"), Scope::Application).is_empty());
    assert!(!world.is_accessible_from("demo", &name("Color")));
}

#[test]
fn threads_get_the_same_answers() {
    let world = World::new(Arc::new(Source::compiled(&jdk::jdks()[0], "threads", &FILES)));
    let ask = || {
        let list = name("java/util/List");
        (world.providers(&list, Scope::Platform), world.implementors(&list, Scope::Platform), methods(&world, "Square"))
    };
    let answers: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(ask)).collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect()
    });
    assert!(answers.windows(2).all(|pair| pair[0] == pair[1]));
    assert!(!answers[0].0.is_empty());
}

#[test]
fn members_of_platform_classes_are_what_reflection_says() {
    for home in jdk::jdks() {
        let source = Source::open(&home);
        let exported = source.image.exported_classes().unwrap();
        let world = World::new(Arc::new(source));
        let step = if jdk::full() { 1 } else { 10 };
        let names: Vec<&ClassName> =
            exported.iter().step_by(step).filter(|n| world.is_accessible_everywhere(n)).collect();
        let folder = jdk::scratch(&format!("methods-{}", home.file_name().unwrap().to_str().unwrap()));
        let list = folder.join("names");
        std::fs::write(&list, names.iter().map(|n| n.binary() + "\n").collect::<String>()).unwrap();
        let program = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/java/Methods.java");
        let output = jdk::run(&home, "java", &[program, list.to_str().unwrap()]);
        let (mut classes, mut functional) = (0, 0);
        for block in output.split("class ").filter(|b| !b.is_empty()) {
            let mut lines = block.lines();
            let mut head = lines.next().unwrap().split(' ');
            let class = ClassName::from_binary(head.next().unwrap());
            if head.next().is_some() {
                assert!(world.functional_method(&class).is_some(), "{class} is functional");
                functional += 1;
            }
            let mut expected: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
            for (method, owner) in lines.map(|l| l.split_once(' ').unwrap()) {
                expected.entry(method).or_default().insert(owner);
            }
            let mut found: BTreeMap<String, String> = BTreeMap::new();
            let is_interface = world.class(&class).unwrap().is_interface();
            for m in world.methods_of(&class).unwrap() {
                let of_object = is_interface && !m.class.is_interface();
                if m.info().access.is_public() && !m.info().is_constructor() && !of_object {
                    found.insert(format!("{}{}", m.info().name, m.info().raw_descriptor), m.owner().binary());
                }
            }
            let (ours, theirs): (Vec<&str>, Vec<&str>) =
                (found.keys().map(String::as_str).collect(), expected.keys().copied().collect());
            assert_eq!(ours, theirs, "{class} of {}", home.display());
            for (method, owner) in &found {
                assert!(expected[method.as_str()].contains(owner.as_str()), "{class}: {owner}.{method}");
            }
            classes += 1;
        }
        println!("{}: {classes} classes, {functional} functional", home.display());
        assert!(classes > 300 && functional > 2);
    }
}
