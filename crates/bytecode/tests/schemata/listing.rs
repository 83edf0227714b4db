//! Which mutants a class has, in words.

use crate::jdk;
use crate::support::{compile, source};
use bytecode::mutate::{Exempt, sites};
use bytecode::raw::RawClass;

fn listing(bytes: &[u8], exempt: &[Exempt]) -> String {
    let class = RawClass::parse(bytes).unwrap();
    let mut lines = Vec::new();
    for site in sites(bytes, exempt, 1).unwrap() {
        for (number, mutant) in site.numbered() {
            let method = class.methods[usize::from(site.method)].name;
            let once = if site.initialiser { " (once)" } else { "" };
            let line = site.line.unwrap();
            lines.push(format!("{number} {method} {line} {}: {}{once}", mutant.operator.name(), mutant.words));
        }
    }
    lines.join("\n")
}

#[test]
fn every_operator_has_its_mutants_and_compilers_code_has_none() {
    // What javac makes of the source differs a little from version to version; the oldest is the judge.
    let home = &jdk::jdks()[0];
    let folder = compile(home, "listing", &[&source("subjects/Faults.java")]);
    let bytes = std::fs::read(folder.join("Faults.class")).unwrap();
    let listed = listing(&bytes, &[]);
    assert_eq!(listed, EXPECTED.trim(), "\n{listed}\n");
}

#[test]
fn what_the_caller_exempts_has_no_mutants() {
    let home = &jdk::jdks()[0];
    let folder = compile(home, "exempt", &[&source("subjects/Faults.java")]);
    let bytes = std::fs::read(folder.join("Faults.class")).unwrap();
    let class = RawClass::parse(&bytes).unwrap();
    let exempt: Vec<Exempt> = class
        .methods
        .iter()
        .map(|m| match &*m.name.lossy() {
            "math" => Exempt { whole: false, ranges: vec![(2, 3)] },
            "increment" => Exempt::default(),
            _ => Exempt { whole: true, ranges: Vec::new() },
        })
        .collect();
    let listed = listing(&bytes, &exempt);
    assert_eq!(
        listed,
        "2 increment 34 increments: changed the increment from 1 to -1\n4 increment 35 primitive-returns: replaced the result by 0\n6 math 43 primitive-returns: replaced the result by 0"
    );
}

const EXPECTED: &str = r#"
2 <init> 9 field-writes: removed the assignment to log
4 <init> 10 constants: replaced 3 by 4
6 <init> 10 field-writes: removed the assignment to field
8 boundary 14 constants: replaced 5 by 6
10 boundary 15 constants: replaced 5 by 6
12 boundary 15 conditionals-boundary: replaced < by <=
13 boundary 15 negate-conditionals: replaced < by >=
15 boundary 16 empty-returns: replaced the result by ""
17 boundary 18 empty-returns: replaced the result by ""
19 doWhile 22 constants: replaced 0 by 1
21 doWhile 24 math: replaced + by -
23 doWhile 25 constants: replaced 4 by 5
25 doWhile 25 conditionals-boundary: replaced < by <=
26 doWhile 25 negate-conditionals: replaced < by >=
28 doWhile 26 primitive-returns: replaced the result by 0
30 nulls 30 negate-conditionals: replaced == by !=
32 nulls 30 false-returns: replaced the result by false
33 nulls 30 true-returns: replaced the result by true
35 increment 34 increments: changed the increment from 1 to -1
37 increment 35 primitive-returns: replaced the result by 0
39 negative 39 invert-negatives: removed the negation
41 negative 39 primitive-returns: replaced the result by 0
43 math 43 math: replaced % by *
45 math 43 primitive-returns: replaced the result by 0
47 shift 47 constants: replaced 40 by 41
49 shift 47 math: replaced >>> by <<
51 shift 47 primitive-returns: replaced the result by 0
53 divide 51 math: replaced / by *
55 divide 51 primitive-returns: replaced the result by 0
57 voidCall 60 constants: replaced 7L by 8L
59 voidCall 60 constants: replaced 2.5 by 1.0
61 voidCall 60 void-method-calls: removed the call of Faults.note
63 voidCall 61 empty-returns: replaced the result by ""
65 elements 67 empty-returns: replaced the result by an empty one
67 optional 71 empty-returns: replaced the result by an empty one
69 boxed 79 constants: replaced 3 by 4
71 boxed 79 conditionals-boundary: replaced > by >=
72 boxed 79 negate-conditionals: replaced > by <=
74 boxed 79 false-returns: replaced the result by false
75 boxed 79 true-returns: replaced the result by true
77 yes 83 false-returns: replaced the result by false
79 object 87 null-returns: replaced the result by null
81 letter 91 primitive-returns: replaced the result by 0
83 constant 95 constants: replaced 100 by 101
85 constant 96 constants: replaced 1.0f by 2.0f
87 constant 97 math: replaced * by /
89 constant 97 primitive-returns: replaced the result by 0
91 write 101 field-writes: removed the assignment to field
93 write 102 primitive-returns: replaced the result by 0
95 forEach 106 constants: replaced 0 by 1
97 forEach 108 math: replaced + by -
99 forEach 111 math: replaced + by -
101 forEach 113 primitive-returns: replaced the result by 0
103 asserted 122 primitive-returns: replaced the result by 0
105 resource 130 empty-returns: replaced the result by ""
107 construct 134 negate-conditionals: replaced != by ==
109 construct 134 constants: replaced 1 by 0
111 construct 134 constants: replaced 0 by 1
113 construct 134 constants: replaced 97 by 98
115 construct 134 constants: replaced 0 by 1
117 construct 134 empty-returns: replaced the result by ""
119 <clinit> 8 negate-conditionals: negated the condition (once)
"#;
