//! What happens at the limits of the class-file format: far branches, methods too large, pools too full, stacks too
//! deep.

use crate::jdk;
use crate::support::{compile, everything, instrument_folder, observing, source};
use bytecode::instruction::{decode, opcode as op};
use bytecode::instrument::{Plan, SkipReason, Skipped, instrument};
use bytecode::raw::RawClass;
use std::fmt::Write;

/// A loop over `count` conditional statements, with exception handlers and a switch between them.
fn long_method(name: &str, count: usize, per_line: usize) -> String {
    let mut s = format!("static int {name}(int x) {{ int s = 0; if (x < -9) System.exit(s); while (x > 0) {{\n");
    for n in 0..count {
        match n % 50 {
            0 => write!(s, "try {{ ").unwrap(),
            49 => write!(s, "}} catch (RuntimeException e) {{ s -= {n}; }}").unwrap(),
            25 => write!(s, "if (x == {n}) throw new IllegalStateException();").unwrap(),
            30 => write!(s, "switch (x & 3) {{ case 1: s++; break; case 2: s ^= {n}; break; default: }}").unwrap(),
            _ => write!(s, "if (x > {n}) s += {n};").unwrap(),
        }
        s.push(if n % per_line == 0 { '\n' } else { ' ' });
    }
    s.push_str("x -= 7; } return s; }\n");
    s
}

fn method<'a>(class: &'a RawClass<'a>, name: &str) -> (usize, bytecode::raw::RawCode<'a>) {
    let index = class.methods.iter().position(|m| m.name == name).unwrap();
    (index, class.code(&class.methods[index]).unwrap().unwrap())
}

#[test]
fn far_branches_go_through_islands_and_too_large_methods_stay() {
    let body = [
        long_method("far", 1150, 1000),
        long_method("middle", 600, 1),
        long_method("tight", 1500, 1),
        long_method("tooLarge", 2300, 1),
        "static int small(int x) { return x > 2 ? 1 : 2; }\n".to_owned(),
    ];
    let main = "public static void main(String[] a) { for (int x : new int[] {0, 1, 25, 500, 3000})
        System.out.println(far(x) + \" \" + middle(x) + \" \" + tight(x) + \" \" + tooLarge(x) + \" \" + small(x)); }";
    let program = format!("public class Limits {{ {}{main} }}", body.concat());
    for home in jdk::jdks() {
        let folder = jdk::scratch("limits-source");
        let file = folder.join("Limits.java");
        std::fs::write(&file, &program).unwrap();
        let file = file.to_str().unwrap();
        let harness = [
            &*source("Harness.java"),
            &*source("testudo/runtime/Hooks.java"),
            &*source("testudo/runtime/Monitor.java"),
        ];
        let from = compile(&home, "limits-plain", &[&harness[..], &[file]].concat());
        let execute = |class_path: &str| jdk::run(&home, "java", &["-cp", class_path, "Limits"]);
        let plain = execute(from.to_str().unwrap());
        let plan = Plan { lines: false, ..everything() };
        let to = jdk::scratch("limits-instrumented");
        let results = instrument_folder(&from, &to, &plan);
        let (_, result) = results.iter().find(|(name, _)| name == "Limits").unwrap();
        let class = RawClass::parse(&result.bytes).unwrap();
        let (far, code) = method(&class, "far");
        assert!(code.code.len() > 40_000, "{}", code.code.len());
        assert!(result.probes.iter().any(|p| usize::from(p.method) == far));
        let (too_large, code) = method(&class, "tooLarge");
        let calls: Vec<String> = decode(code.code, code.code_start)
            .unwrap()
            .iter()
            .filter(|i| i.opcode == op::INVOKESTATIC)
            .map(|i| class.pool.member(i.constant().unwrap()).unwrap())
            .map(|m| format!("{}.{}", m.owner, m.name))
            .collect();
        assert_eq!(calls, ["testudo/runtime/Hooks.exit"]);
        assert!(!result.probes.iter().any(|p| usize::from(p.method) == too_large));
        assert_eq!(result.skipped.len(), 1, "{:?}", result.skipped);
        assert_eq!(usize::from(result.skipped[0].method), too_large);
        assert!(matches!(result.skipped[0].reason, SkipReason::CodeTooLarge { size } if size > 0xffff));
        assert_eq!(execute(&format!("{}:{}", to.display(), from.display())), plain);
        // Without edges the jumps of the program itself become too long.
        let plan = Plan { edges: false, lines: false, ..everything() };
        let results = instrument_folder(&from, &to, &plan);
        let (_, result) = results.iter().find(|(name, _)| name == "Limits").unwrap();
        assert_eq!(result.skipped, []);
        let class = RawClass::parse(&result.bytes).unwrap();
        let (_, code) = method(&class, "tooLarge");
        let instructions = decode(code.code, code.code_start).unwrap();
        assert!(instructions.iter().any(|i| i.opcode == op::GOTO_W));
        assert_eq!(execute(&format!("{}:{}", to.display(), from.display())), plain);
        // What is too large for probes has its calls reported, and what is too large for lines and operands still has
        // probes.
        let plan = Plan { edges: true, lines: true, operands: true, steps: true, ..observing() };
        let results = instrument_folder(&from, &to, &plan);
        let (_, result) = results.iter().find(|(name, _)| name == "Limits").unwrap();
        let members: Vec<&str> = result.members.iter().map(|m| m.name.as_str()).collect();
        assert_eq!(members, ["<init>", "far", "middle", "tight", "tooLarge", "small", "main"]);
        let (tight, _) = method(&class, "tight");
        let methods = |list: &[Skipped]| list.iter().map(|s| usize::from(s.method)).collect::<Vec<_>>();
        assert_eq!((methods(&result.skipped), methods(&result.thinned)), (vec![too_large], vec![tight]));
        let edges = |m: usize| result.probes.iter().filter(|p| usize::from(p.method) == m).count();
        assert!(edges(tight) > 1000 && edges(too_large) == 0);
        assert_eq!(execute(&format!("{}:{}", to.display(), from.display())), plain);
    }
}

/// A class with one method of the given code, and a pool of `constants` integers besides what it needs.
fn class_with(code: &[u8], max_stack: u16, constants: u16) -> Vec<u8> {
    let mut c = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 49];
    let u2 = |c: &mut Vec<u8>, v: u16| c.extend(v.to_be_bytes());
    let texts = ["C", "f", "()V", "Code"];
    u2(&mut c, texts.len() as u16 + 2 + constants);
    for t in texts {
        c.push(1);
        u2(&mut c, t.len() as u16);
        c.extend(t.as_bytes());
    }
    c.extend([7, 0, 1]);
    for n in 0..constants {
        c.extend([3, 0, 0]);
        u2(&mut c, n);
    }
    for v in [0x0021, 5, 0, 0, 0, 1, 0x0009, 2, 3, 1, 4] {
        u2(&mut c, v);
    }
    c.extend((12 + code.len() as u32).to_be_bytes());
    u2(&mut c, max_stack);
    u2(&mut c, 0);
    c.extend((code.len() as u32).to_be_bytes());
    c.extend(code);
    c.extend([0; 6]);
    c
}

fn check_skipped(class: &[u8], expected: Option<SkipReason>) {
    let result = instrument(class, &everything()).unwrap();
    assert_eq!(result.skipped.into_iter().map(|s| s.reason).collect::<Vec<_>>(), Vec::from_iter(expected.clone()));
    assert_eq!(result.bytes == class, expected.is_some());
    assert_eq!(result.probes.is_empty(), expected.is_some());
}

#[test]
fn a_full_pool_and_a_full_stack_leave_the_method_alone() {
    let code = [op::ICONST_0, op::IFEQ, 0, 3, op::RETURN];
    check_skipped(&class_with(&code, 1, 0), None);
    check_skipped(&class_with(&code, 1, 65_529), Some(SkipReason::PoolFull));
    check_skipped(&class_with(&code, 1, 65_500), None);
    check_skipped(&class_with(&code, 65_532, 0), None);
    check_skipped(&class_with(&code, 65_533, 0), Some(SkipReason::StackTooDeep));
}

#[test]
fn code_that_cannot_be_decoded_is_left_alone() {
    let result = instrument(&class_with(&[op::GOTO, 0, 1], 1, 0), &everything()).unwrap();
    assert!(matches!(result.skipped[0].reason, SkipReason::Malformed(_)));
}

#[test]
fn methods_too_large_for_operands_still_have_probes() {
    let home = &jdk::jdks()[0];
    let file = format!("{}/../../fixtures/hostile/src/hostile/Huge.java", env!("CARGO_MANIFEST_DIR"));
    let from = compile(home, "huge", &[&file]).join("hostile");
    let bytes = std::fs::read(from.join("Huge.class")).unwrap();
    let result = instrument(&bytes, &everything()).unwrap();
    let class = RawClass::parse(&result.bytes).unwrap();
    let names = |list: &[Skipped]| -> Vec<String> {
        list.iter().map(|s| class.methods[usize::from(s.method)].name.to_string()).collect()
    };
    assert_eq!(
        (names(&result.thinned), names(&result.skipped)),
        (vec!["large".to_owned()], vec!["largest".to_owned()])
    );
    let (large, _) = method(&class, "large");
    let of_large = |m: u16| usize::from(m) == large;
    assert!(result.probes.iter().filter(|p| of_large(p.method)).count() > 1000);
    assert!(!result.sites.iter().any(|s| of_large(s.method)));
}
