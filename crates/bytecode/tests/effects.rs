//! Data flow, purity and method call dependences of compiled test classes and of the JDK, on every JDK found.

mod jdk;

use std::sync::Arc;

use bytecode::analysis::dataflow::{DataFlow, Flow, Follow, Influence};
use bytecode::analysis::emcdg::type_name;
use bytecode::analysis::{Emcdg, Purity};
use bytecode::names::{ClassName, FieldType};
use bytecode::world::{MethodRef, World};
use jdk::source::Source;

#[test]
fn effects() {
    for home in jdk::jdks() {
        let files = ["demo/Effects.java", "demo/Monitor.java"];
        let world = &World::new(Arc::new(Source::compiled(&home, "effects", &files)));
        let mut facts = DataFlow::new(world, Follow::Application);
        thesis_table(world, &mut facts);
        facts_of_callees_and_lambdas(world, &mut facts);
        influences(world, &mut facts);
        let mut purity = Purity::new(world);
        parameters(world, &mut purity);
        kept_summaries_give_the_same_answers(world, &purity);
        answers_do_not_depend_on_the_order_of_questions(world);
        beyond_a_limit_nothing_is_claimed(world);
        stack(world, &mut purity);
        bit_set(world, &mut purity);
    }
}

fn method(world: &World, class: &str, name: &str) -> MethodRef {
    let class = world.class(&ClassName::new(class)).unwrap();
    let index = class.methods.iter().position(|m| m.name == name).unwrap();
    MethodRef { class, index }
}

/// `defines | uses | arguments | return`, by simple names.
fn row(flow: &Flow) -> String {
    let fields = |list: &std::collections::BTreeSet<bytecode::analysis::dataflow::Field>| {
        list.iter().map(|f| f.name.clone()).collect::<Vec<_>>().join(", ")
    };
    let types = |list: &[FieldType]| list.iter().map(type_name).collect::<Vec<_>>().join(", ");
    let returns: Vec<FieldType> = flow.returns.iter().cloned().collect();
    format!("{} | {} | {} | {}", fields(&flow.defines), fields(&flow.uses), types(&flow.requires), types(&returns))
}

fn thesis_table(world: &World, facts: &mut DataFlow<'_>) {
    for (name, expected) in [
        ("<init>", "enabled, temperature |  |  | Monitor"),
        ("setEnabled", "enabled |  | Monitor | "),
        ("updateTemperature", "temperature | enabled | Monitor | "),
        ("getTemperature", " | temperature | Monitor | "),
        ("warning", " | temperature | Monitor | "),
    ] {
        let flow = facts.whole(&method(world, "demo/Monitor", name));
        assert_eq!(row(&flow), expected, "{name}");
    }
    assert!(facts.direct(&method(world, "demo/Monitor", "warning")).uses.is_empty());
}

fn facts_of_callees_and_lambdas(world: &World, facts: &mut DataFlow<'_>) {
    let show = |list: &std::collections::BTreeSet<FieldType>| list.iter().map(type_name).collect::<Vec<_>>();
    let flow = facts.whole(&method(world, "demo/Effects", "tested"));
    assert_eq!(show(&flow.casts), ["Comparable"]);
    assert_eq!(show(&flow.tests), ["CharSequence"]);
    assert_eq!(show(&flow.stores), ["Object[]"]);
    // The lambda reads an element of an element.
    assert_eq!(show(&flow.loads), ["Object[]", "Object[][]"]);
    let flow = facts.whole(&method(world, "demo/Effects", "copy"));
    assert!(flow.opaque_defines.contains(&ClassName::new("java/lang/System")));
    let flow = facts.whole(&method(world, "demo/Effects", "writeAfterPublishing"));
    assert!(flow.defines.iter().any(|f| f.is_static && f.name == "shared"), "{flow:?}");
    let flow = facts.whole(&method(world, "demo/Effects", "add"));
    assert!(flow.opaque_defines.contains(&ClassName::new("java/util/List")));
    assert!(flow.opaque_defines.iter().all(|c| c.internal() != "java/lang/Object"));
}

fn influences(world: &World, facts: &mut DataFlow<'_>) {
    let mut check = |earlier: &str, later: &str, expected: &[Influence]| {
        let (a, b) = (method(world, "demo/Monitor", earlier), method(world, "demo/Monitor", later));
        let (a, b) = (facts.whole(&a), facts.whole(&b));
        assert_eq!(a.influences(&b, world), expected, "{earlier} {later}");
    };
    check("<init>", "warning", &[Influence::ReturnArgument, Influence::DefineUse]);
    check("updateTemperature", "warning", &[Influence::DefineUse]);
    check("setEnabled", "warning", &[]);
    check("setEnabled", "updateTemperature", &[Influence::DefineUse]);
}

fn verdict(world: &World, purity: &mut Purity<'_>, name: &str) -> String {
    let verdict = purity.verdict(&method(world, "demo/Effects", name), None);
    let mut words: Vec<String> = verdict
        .params
        .iter()
        .map(|p| format!("{}{}", p.effect.name(), if p.effect == p.strict { "" } else { "*" }))
        .collect();
    if verdict.pure {
        words.push("pure".to_owned());
    }
    words.join(" ")
}

const EXPECTED: [(&str, &str); 19] = [
    ("read", "safe safe pure"),
    ("write", "safe read/write"),
    ("keep", "read/write read-only"),
    ("fresh", "safe pure"),
    ("holder", "read-only pure"),
    ("writeThroughHolder", "read/write"),
    ("publish", "read-only"),
    ("writeAfterPublishing", "read/write"),
    ("count", "safe"),
    ("localList", "safe* pure"),
    ("holds", "safe* safe* pure"),
    ("call", "read/write safe"),
    ("viaLambda", "read/write"),
    ("caught", "read/write"),
    ("recursive", "read/write safe"),
    ("swapped", "safe safe safe pure"),
    ("copy", "safe read/write"),
    ("check", "safe pure"),
    ("<init>", "read/write pure"),
];

fn parameters(world: &World, purity: &mut Purity<'_>) {
    let found = EXPECTED.map(|(name, _)| (name, verdict(world, purity, name)));
    assert_eq!(found, EXPECTED.map(|(name, expected)| (name, expected.to_owned())));
    // A list of any class may do anything, so that only the JDK's word is taken for what it keeps.
    assert!(verdict(world, purity, "add").starts_with("read/write"));
}

fn answers_do_not_depend_on_the_order_of_questions(world: &World) {
    let mut purity = Purity::new(world);
    for (name, expected) in EXPECTED.into_iter().rev() {
        assert_eq!(verdict(world, &mut purity, name), expected, "{name}");
    }
}

fn kept_summaries_give_the_same_answers(world: &World, purity: &Purity<'_>) {
    let text = purity.to_text();
    let mut later = Purity::new(world);
    assert!(later.remember(&text) > 100, "{} bytes", text.len());
    for (name, expected) in EXPECTED {
        assert_eq!(verdict(world, &mut later, name), expected, "{name}");
    }
    assert!(later.analysed() <= purity.analysed());
    // Nothing is taken of a text that is cut or of another kind.
    assert_eq!(Purity::new(world).remember(&text[..text.len() - 1]), 0);
    assert_eq!(Purity::new(world).remember("something else\n"), 0);
    // `Effects.Carrier` overrides nothing; a class that did would make summaries doubtful.
    assert!(
        text.lines().any(|line| line.starts_with("java/util/ArrayList.add(Ljava/lang/Object;)Z java/util/ArrayList\t"))
    );
    assert!(!text.contains("demo/Effects"));
}

/// Entries of the function set and edges of the graph, whole and purified.
fn beyond_a_limit_nothing_is_claimed(world: &World) {
    let (size, stream) = (method(world, "java/util/BitSet", "size"), method(world, "java/util/BitSet", "stream"));
    let mut purity = Purity::new(world).limited(3);
    assert!(purity.verdict_within_limit(&size, None).is_some_and(|v| v.pure));
    assert!(purity.verdict_within_limit(&stream, None).is_none());
    assert!(purity.verdict_within_limit(&size, None).is_none(), "what was cut short is believed no more");
    assert!(Purity::new(world).verdict_within_limit(&stream, None).is_some());
}

fn sizes(world: &World, purity: &mut Purity<'_>, class: &str) -> [usize; 4] {
    let whole = Emcdg::build(world, &ClassName::new(class)).unwrap();
    let purified = whole.purified(purity);
    [whole.functions().len(), purified.functions().len(), whole.edges(), purified.edges()]
}

/// The published numbers: the class has the members it had then.
fn stack(world: &World, purity: &mut Purity<'_>) {
    assert_eq!(sizes(world, purity, "java/util/Stack"), [12, 7, 19, 14]);
    let graph = Emcdg::build(world, &ClassName::new("java/util/Stack")).unwrap();
    let dot = graph.dot();
    assert!(dot.contains("label=\"push(Object)\"") && dot.contains("label=\"IP\", style=dashed"), "{dot}");
}

/// The class has grown since it was measured; everything that is only read goes.
fn bit_set(world: &World, purity: &mut Purity<'_>) {
    let [all, kept, edges, kept_edges] = sizes(world, purity, "java/util/BitSet");
    assert!(all >= 54 && edges >= 106, "{all} {edges}");
    assert_eq!(all - kept, edges - kept_edges);
    assert!(kept * 3 <= all * 2 + 6, "{all} {kept}");
}
