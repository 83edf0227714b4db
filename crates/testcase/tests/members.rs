//! Which operations real classes give, as text. The expectations are snapshots: read them when they change.

mod support;

use bytecode::names::ClassName;
use testcase::generic::{instantiate_as, instantiate_class};
use testcase::members::{MemberOptions, functional_shape, operations_of};
use testcase::subtyping::Subtyping;
use testcase::text::print_operation;
use testcase::types::{ClassType, Type, TypeArg};
use testcase::verify::verify_operation;

/// All operations of a class's instantiations as seen from a package.
fn listing(subtyping: &Subtyping<'_>, class: &str, package: &str) -> String {
    let candidates = [Type::string(), Type::class("java/lang/Integer")];
    let mut out = String::new();
    for class_type in instantiate_class(subtyping, &ClassName::new(class), &candidates, 1) {
        out.push_str(&format!("{class_type} from {package:?}\n"));
        for (operation, member) in operations_of(subtyping, &class_type, package, &MemberOptions::default()) {
            assert_eq!(verify_operation(&operation, subtyping), Ok(()), "{operation:?}");
            out.push_str(&format!("  {}", print_operation(&operation)));
            if member.class != class_type.name {
                out.push_str(&format!("   # of {}", member.class));
            }
            if !member.throws.is_empty() {
                out.push_str(&format!("   # throws {:?}", member.throws));
            }
            out.push_str(if member.deprecated { "   # deprecated\n" } else { "\n" });
        }
    }
    out
}

#[test]
fn members_of_hard_classes() {
    let jdk = support::jdks().remove(0);
    let world = support::world(&jdk, &support::compile(&jdk, "members", &["Shapes.java"]));
    let subtyping = Subtyping::new(&world);
    let mut all = String::new();
    for (class, package) in [
        ("demo/Shapes", "demo"),
        ("demo/Shapes", "other"),
        ("demo/Shapes$Box", "demo"),
        ("demo/Shapes$Box", "other"),
        ("demo/Shapes$Color", "demo"),
        ("demo/Shapes$Inner", "demo"),
        ("demo/Shapes$Pair", "demo"),
        ("demo/Shapes$Generic", "demo"),
        ("demo/Shapes$Generic$Part", "demo"),
        ("demo/Shapes$Shown", "other"),
        ("demo/Shapes$Secret", "demo"),
        ("demo/Shapes$Named", "demo"),
        ("demo/Shapes$Named", "other"),
        ("demo/Shapes$Point", "demo"),
        ("demo/Shapes$NeedsDeep", "demo"),
    ] {
        all.push_str(&listing(&subtyping, class, package));
    }
    let own: String =
        listing(&subtyping, "demo/Shapes$Strings", "demo").lines().take(5).map(|l| format!("{l}\n")).collect();
    all.push_str(&own);
    // Newer platforms give enums more methods.
    let all: String = all.lines().filter(|l| !l.contains("describeConstable")).map(|l| format!("{l}\n")).collect();
    insta::assert_snapshot!(all);
}

#[test]
fn instantiations_stay_within_bounds() {
    let jdk = support::jdks().remove(0);
    let world = support::world(&jdk, &support::compile(&jdk, "instantiations", &["Shapes.java"]));
    let subtyping = Subtyping::new(&world);
    let candidates = [Type::string(), Type::class("java/lang/Integer")];
    let mut out = String::new();
    for class in [
        "java/util/ArrayList",
        "java/util/HashMap",
        "java/util/EnumMap",
        "java/util/EnumSet",
        "java/lang/String",
        "java/lang/Enum",
        "demo/Shapes$Pair",
        "demo/Shapes$NeedsDeep",
        "demo/Shapes$Generic$Part",
        "java/util/stream/BaseStream",
        "no/Such",
    ] {
        let choices: Vec<String> = instantiate_class(&subtyping, &ClassName::new(class), &candidates, 3)
            .iter()
            .map(ToString::to_string)
            .collect();
        out.push_str(&format!("{class}: {}\n", choices.join(" | ")));
    }
    insta::assert_snapshot!(out);
}

#[test]
fn arguments_follow_from_what_is_wanted() {
    let jdk = support::jdks().remove(0);
    let world = support::world(&jdk, &support::compile(&jdk, "wanted", &["Shapes.java"]));
    let subtyping = Subtyping::new(&world);
    let exact = |name: &str| TypeArg::Exact(Type::class(name));
    let check = |class: &str, wanted: &str, args: &[TypeArg], expected: &str| {
        let wanted = ClassType { name: ClassName::new(wanted), args: args.to_vec() };
        let choices = instantiate_as(&subtyping, &ClassName::new(class), &wanted, &[Type::object()], 1);
        assert_eq!(choices[0].to_string(), expected, "{class} for {wanted}");
    };
    let (string, integer) = (exact("java/lang/String"), exact("java/lang/Integer"));
    let map = |class: &str, args: &[TypeArg], expected: &str| check(class, "java/util/Map", args, expected);
    map(
        "java/util/HashMap",
        &[string.clone(), integer.clone()],
        "java/util/HashMap<java/lang/String, java/lang/Integer>",
    );
    map("java/util/TreeMap", &[integer.clone(), string], "java/util/TreeMap<java/lang/Integer, java/lang/String>");
    // What is not said is chosen.
    map(
        "java/util/HashMap",
        &[TypeArg::Any, integer.clone()],
        "java/util/HashMap<java/lang/Object, java/lang/Integer>",
    );
    let numbers = TypeArg::Extends(Type::class("java/lang/Number"));
    check("java/util/ArrayList", "java/lang/Iterable", &[numbers], "java/util/ArrayList<java/lang/Number>");
    // An argument that is out of bounds is no argument.
    let enums = "java/util/EnumMap<java/lang/Thread$State, java/lang/Object>";
    map("java/util/EnumMap", &[integer.clone(), integer.clone()], enums);
    check("java/util/Properties", "java/util/Map", &[integer.clone(), integer], "java/util/Properties");
}

/// Every operation of many platform classes obeys the verifier.
#[test]
fn operations_of_the_platform_are_valid() {
    for jdk in support::jdks() {
        let world = support::world(&jdk, std::path::Path::new("/nonexistent"));
        let subtyping = Subtyping::new(&world);
        let mut count = 0;
        for class in [
            "java/util/ArrayList",
            "java/util/TreeMap",
            "java/util/Collections",
            "java/util/Arrays",
            "java/util/BitSet",
            "java/util/Optional",
            "java/util/stream/Stream",
            "java/util/stream/Collectors",
            "java/util/function/Function",
            "java/lang/StringBuilder",
            "java/lang/String",
            "java/lang/Integer",
            "java/util/concurrent/ConcurrentHashMap",
            "java/util/concurrent/CompletableFuture",
            "java/time/LocalDate",
            "java/math/BigDecimal",
            "java/util/EnumSet",
            "java/nio/ByteBuffer",
            "java/util/Map$Entry",
            "java/util/Comparator",
            "java/text/SimpleDateFormat",
        ] {
            for class_type in instantiate_class(&subtyping, &ClassName::new(class), &[], 2) {
                let operations = operations_of(&subtyping, &class_type, "app", &MemberOptions::default());
                assert!(operations.len() > 1, "{class_type}");
                for (operation, _) in operations {
                    assert_eq!(verify_operation(&operation, &subtyping), Ok(()), "{operation:?}");
                    count += 1;
                }
            }
        }
        assert!(count > 1500, "only {count} operations");
    }
}

#[test]
fn visibility_bridges_do_not_hide_members() {
    let jdk = support::jdks().remove(0);
    let world = support::world(&jdk, std::path::Path::new("/nonexistent"));
    let text = listing(&Subtyping::new(&world), "java/lang/StringBuilder", "app");
    for wanted in [
        "call java/lang/StringBuilder.setLength(I)V",
        "call java/lang/StringBuilder.charAt(I)C",
        "call java/lang/StringBuilder.append(Ljava/lang/Object;)Ljava/lang/StringBuilder;",
    ] {
        assert_eq!(text.matches(wanted).count(), 1, "{wanted}\n{text}");
    }
}

#[test]
fn functional_interfaces_have_one_method_however_often_it_is_declared() {
    let jdk = support::jdks().remove(0);
    let world = support::world(&jdk, &support::compile(&jdk, "functions", &["Functions.java"]));
    let subtyping = Subtyping::new(&world);
    let source = include_str!("java/Functions.java");
    let mut seen = 0;
    for line in source.lines().filter(|l| l.trim_start().starts_with("interface")) {
        let (declared, expected) = line.split_once(" // ").expect("an expectation on the line");
        let name = declared.trim_start()["interface ".len()..].split([' ', '<']).next().expect("a name");
        let class = ClassName::new(format!("demo/Functions${name}"));
        let ty = instantiate_class(&subtyping, &class, &[Type::string()], 1).remove(0);
        let shape = functional_shape(&subtyping, &ty);
        let found = shape.map_or("none".into(), |s| format!("{}{}", s.method, s.descriptor));
        assert_eq!(found, expected, "{name}");
        seen += 1;
    }
    assert_eq!(seen, 14);
}

#[test]
fn what_a_wildcard_forbids_is_done_on_the_raw_type() {
    let jdk = support::jdks().remove(0);
    let world = support::world(&jdk, &support::compile(&jdk, "wildcards", &["Shapes.java"]));
    let subtyping = Subtyping::new(&world);
    let list = ClassType { name: ClassName::new("java/util/List"), args: vec![TypeArg::Any] };
    let all = operations_of(&subtyping, &list, "demo", &MemberOptions::default());
    let receiver = |name: &str, params: usize| {
        let found = all.iter().find(|(o, m)| &*m.name == name && o.params.len() == params + 1);
        found.expect("lists have it").0.params[0].to_string()
    };
    assert_eq!(receiver("add", 1), "java/util/List");
    assert_eq!(receiver("get", 1), "java/util/List<?>");
}
