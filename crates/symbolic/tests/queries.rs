//! Scripts with their answers in `queries/`: read, solved by the back end alone and by the chain, written and solved
//! again.

use std::cell::RefCell;
use std::rc::Rc;

use symbolic::expr::Terms;
use symbolic::solver::{Answer, BitBlaster, Chain, Limit, Logged, Query, SmtLib, Solver, Why};

fn satisfiable(answer: &Answer) -> Option<bool> {
    match answer {
        Answer::Sat(_) => Some(true),
        Answer::Unsat => Some(false),
        Answer::Unknown(_) => None,
    }
}

#[test]
fn scripts_have_the_answers_they_claim() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/queries");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() > 20);
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let mut terms = Terms::new();
        for script in terms.read_script(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display())) {
            let expected = script.status;
            assert!(expected.is_some(), "{} claims nothing", file.display());
            let query = Query::new(script.conditions);
            let log = Rc::new(RefCell::new(String::new()));
            let written = log.clone();
            let mut plain = Logged::new(BitBlaster::default(), move |text: &str| written.borrow_mut().push_str(text));
            for (who, answer) in [
                ("back end", plain.check(&mut terms, &query, Limit::ORDINARY)),
                ("chain", Chain::default().check(&mut terms, &query, Limit::ORDINARY)),
            ] {
                assert_eq!(satisfiable(&answer), expected, "{}: {who}: {answer:?}", file.display());
            }
            // The log says the same when it is read and asked again.
            let mut again = Terms::new();
            let logged = again.read_script(&log.borrow()).unwrap();
            assert_eq!(logged[0].status, expected);
            let answer = Chain::default().check(&mut again, &Query::new(logged[0].conditions.clone()), Limit::ORDINARY);
            assert_eq!(satisfiable(&answer), expected, "{}: {}", file.display(), log.borrow());
        }
    }
}

#[test]
fn limits_end_the_work() {
    let mut terms = Terms::new();
    // A product of two primes of 31 bits, and no factor allowed to be one.
    let script = "(declare-const a (_ BitVec 64)) (declare-const b (_ BitVec 64))
        (assert (= (bvmul a b) #x24d02406e3461e4b)) (assert (bvult #x0000000000000001 a)) (assert (bvult a b))
        (assert (bvult b #x0000000080000000)) (assert (= ((_ extract 0 0) a) #b1)) (check-sat)";
    let query = Query::new(terms.read_script(script).unwrap().remove(0).conditions);
    let few = Limit::of(10);
    assert_eq!(BitBlaster::default().check(&mut terms, &query, few), Answer::Unknown(Why::Conflicts(10)));
    let light = Limit { weight: 4_000, ..Limit::of(u32::MAX) };
    assert!(matches!(
        BitBlaster::default().check(&mut terms, &query, light),
        Answer::Unknown(Why::Weight(4_096.., 4_000))
    ));
    let stopped = Limit { stop: Some(&|| true), ..Limit::of(u32::MAX) };
    assert_eq!(BitBlaster::default().check(&mut terms, &query, stopped), Answer::Unknown(Why::Stopped));
}

/// What a program printed, and what that means.
fn check_elsewhere(printed: &str, expected: &str) {
    let mut terms = Terms::new();
    let script =
        "(declare-const x (_ BitVec 32)) (declare-const f Float32) (declare-const a (Array (_ BitVec 32) (_ BitVec 8)))
        (assert (= x #x0000002a)) (assert (fp.lt f (_ +zero 8 24))) (assert (= (select a x) #x07)) (check-sat)";
    let query = Query::new(terms.read_script(script).unwrap().remove(0).conditions);
    let mut solver = SmtLib::new(|_: &str| Ok(printed.to_string()));
    let answer = match solver.check(&mut terms, &query, Limit::ORDINARY) {
        Answer::Sat(_) => "sat".to_string(),
        Answer::Unsat => "unsat".to_string(),
        Answer::Unknown(why) => why.to_string(),
    };
    assert!(answer.contains(expected), "{answer}");
}

#[test]
fn other_solvers_are_understood_and_not_trusted() {
    let values = "((i0_x #x0000002a))\n((i1_f (fp #b1 #b10000000 #b00000000000000000000000)))\n";
    let array = "((i2_a (store ((as const (Array (_ BitVec 32) (_ BitVec 8))) #x00) #x0000002a #x07)))\n";
    let empty = "((i2_a ((as const (Array (_ BitVec 32) (_ BitVec 8))) #x00)))\n";
    check_elsewhere(&format!("sat\n{values}{array}"), "sat");
    check_elsewhere(&format!("sat\n{values}{empty}"), "does not satisfy");
    check_elsewhere("unsat\n(error \"no model\")", "unsat");
    check_elsewhere("unknown\n", "unknown");
    check_elsewhere("sat\n((i0_x (lambda ((y Int)) y)))", "cannot read");
}

/// What a program prints for a script; `None` if there is no such program.
fn printed(command: &[&str], script: &str) -> Option<String> {
    let mut child = std::process::Command::new(command[0])
        .args(&command[1..])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .ok()?;
    // A solver may be done before it has read all.
    let _ = std::io::Write::write_all(&mut child.stdin.take()?, script.as_bytes());
    String::from_utf8(child.wait_with_output().ok()?.stdout).ok()
}

/// The queries of the repository by other solvers, where there are any: no two give opposite answers, and their models
/// hold.
#[test]
fn second_opinions_agree() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/queries");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for command in [&["z3", "-in", "-T:4"][..], &["cvc5", "--lang", "smt2", "--produce-models", "--tlimit=4000"]] {
        if printed(&[command[0], "--version"], "").is_none() {
            continue;
        }
        let mut answered = 0;
        for file in &files {
            let mut terms = Terms::new();
            for script in terms.read_script(&std::fs::read_to_string(file).unwrap()).unwrap() {
                let mut other = SmtLib::new(|text: &str| printed(command, text).ok_or_else(|| "nothing".to_owned()));
                let answer = other.check(&mut terms, &Query::new(script.conditions), Limit::ORDINARY);
                assert_ne!(answer, Answer::Unknown(Why::WrongModel), "{command:?}: {}", file.display());
                if satisfiable(&answer).is_some() {
                    answered += 1;
                    assert_eq!(satisfiable(&answer), script.status, "{command:?}: {}", file.display());
                }
            }
        }
        assert!(answered > files.len() / 2, "{command:?}: {answered}");
    }
}
