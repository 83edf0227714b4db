//! Another solver as a program of this machine. Owns starting it, once per question, how long it may take, and what becomes of one that is of no use; what is said to it and what its answers
//! mean is `symbolic`'s.

use std::io::{ErrorKind, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use symbolic::solver::{Chain, SmtLib};

use crate::failure::Failure;

/// How long one question may take.
const PATIENCE: Duration = Duration::from_secs(5);
/// After so many failures in a row it is not asked any more.
const FAILURES: u32 = 8;
/// A question that every solver can answer.
const EASY: &str =
    "(set-logic QF_BV)\n(declare-const x (_ BitVec 8))\n(assert (= x #x2a))\n(check-sat)\n(get-value (x))\n(exit)\n";

/// A command that reads SMT-LIB from its input.
#[derive(Debug)]
pub struct External {
    words: Vec<String>,
    patience: Duration,
    failures: AtomicU32,
}

impl External {
    /// A command that was seen to answer.
    pub fn start(command: &str) -> Result<Arc<External>, Failure> {
        External::patient(command, PATIENCE)
    }

    fn patient(command: &str, patience: Duration) -> Result<Arc<External>, Failure> {
        let words: Vec<String> = command.split_whitespace().map(String::from).collect();
        let external = External { words, patience, failures: AtomicU32::new(0) };
        let unusable = |cause: String| Failure::UnusableSolver { command: command.to_owned(), cause };
        let output = external.ask(EASY).map_err(unusable)?;
        let first = output.trim_start().lines().next().unwrap_or_default().trim();
        if first != "sat" {
            let said = if first.is_empty() { "nothing".to_owned() } else { format!("`{first}`") };
            return Err(unusable(format!("it says {said} where it should say `sat`")));
        }
        Ok(Arc::new(external))
    }

    /// Our own chain with that program at its end.
    pub fn chain(self: &Arc<External>) -> Chain {
        let this = self.clone();
        Chain::over(Box::new(SmtLib::new(move |script: &str| this.answer(script))))
    }

    /// What the user should know of it after a run.
    pub fn trouble(&self) -> Option<String> {
        let command = self.words.join(" ");
        self.is_given_up().then(|| format!("the solver `{command}` was given up after {FAILURES} failures in a row"))
    }

    fn is_given_up(&self) -> bool {
        self.failures.load(Ordering::Relaxed) >= FAILURES
    }

    fn answer(&self, script: &str) -> Result<String, String> {
        if self.is_given_up() {
            return Err(format!("{} was given up after {FAILURES} failures in a row", self.program()));
        }
        let answer = self.ask(script);
        match &answer {
            Ok(_) => self.failures.store(0, Ordering::Relaxed),
            Err(_) => {
                self.failures.fetch_add(1, Ordering::Relaxed);
            }
        }
        answer
    }

    fn program(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }

    /// What the program prints for a script.
    fn ask(&self, script: &str) -> Result<String, String> {
        let Some((program, arguments)) = self.words.split_first() else { return Err("no program is named".to_owned()) };
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| match error.kind() {
                ErrorKind::NotFound => format!("there is no program {program}"),
                _ => format!("{program} cannot be started: {error}"),
            })?;
        let output = self.converse(&mut child, script);
        if output.is_err() {
            // Gone already, or about to be: either will do.
            let _ = child.kill();
        }
        let ended = child.wait().map_err(|error| format!("{program}: {error}"))?;
        match output {
            Ok(text) if text.trim().is_empty() => Err(format!("{program} printed nothing and ended with {ended}")),
            other => other,
        }
    }

    /// Writes the script and reads to the end, for as long as patience lasts.
    fn converse(&self, child: &mut Child, script: &str) -> Result<String, String> {
        let (send, receive) = mpsc::channel();
        let (mut input, mut output) = (child.stdin.take(), child.stdout.take());
        let script = script.to_owned();
        thread::spawn(move || {
            // A program that does not listen says so by what it prints, or does not.
            let _ = input.take().map(|mut input| input.write_all(script.as_bytes()));
        });
        thread::spawn(move || {
            let mut text = String::new();
            let read = output.as_mut().map_or(Ok(0), |output| output.read_to_string(&mut text));
            // Nobody waits any more if it took too long.
            let _ = send.send(read.map(|_| text));
        });
        match receive.recv_timeout(self.patience) {
            Ok(Ok(text)) => Ok(text),
            Ok(Err(error)) => Err(format!("{}: {error}", self.program())),
            Err(_) => Err(format!("{} gave no answer within {} s", self.program(), self.patience.as_secs_f32())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use symbolic::expr::{Sort, Terms};
    use symbolic::solver::{Answer, Limit, Query, Solver, Why};

    /// A program in the shell's language, and the folder that it is in.
    fn script(text: &str) -> (tempfile::TempDir, String) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("solver.sh");
        std::fs::write(&path, text).unwrap();
        let command = format!("sh {}", path.display());
        (folder, command)
    }

    fn refused(text: &str) -> String {
        let (_folder, command) = script(text);
        External::patient(&command, Duration::from_millis(400)).unwrap_err().to_string().replace(&command, "CMD")
    }

    #[test]
    fn a_program_that_is_no_solver_is_refused() {
        let missing = External::start("no-such-solver -in").unwrap_err();
        assert_eq!(
            missing.to_string(),
            "the solver `no-such-solver -in` cannot be used: there is no program no-such-solver"
        );
        assert!(missing.hint().is_some());
        assert_eq!(refused("echo hello"), "the solver `CMD` cannot be used: it says `hello` where it should say `sat`");
        assert_eq!(
            refused("exit 3"),
            "the solver `CMD` cannot be used: sh printed nothing and ended with exit status: 3"
        );
        assert_eq!(refused("exec sleep 20"), "the solver `CMD` cannot be used: sh gave no answer within 0.4 s");
    }

    /// What a chain says about something that only its back end can answer.
    fn asked(external: &Arc<External>) -> Answer {
        let mut terms = Terms::new();
        let (x, y) = (terms.input(Sort::LONG, "x"), terms.input(Sort::LONG, "y"));
        let (mixed, both) = (terms.bit_xor(x, y), terms.bit_and(x, y));
        let (odd, even) = (terms.constant(Sort::LONG, 0x1111), terms.constant(Sort::LONG, 0x2222));
        let conditions = vec![terms.eq(mixed, odd), terms.eq(both, even)];
        let mut solver = external.chain();
        solver.check(&mut terms, &Query::new(conditions), Limit::ORDINARY)
    }

    #[test]
    fn other_solvers_find_values_that_hold() {
        for command in ["z3 -in", "cvc5 --lang smt2 --produce-models"] {
            // Not every machine has them; the scripted ones below are everywhere.
            let Ok(external) = External::start(command) else { continue };
            assert!(matches!(asked(&external), Answer::Sat(_)), "{command}");
        }
        let answer = "cat > /dev/null\necho sat\necho '((x #x0000000000003333))'\necho '((y #x0000000000002222))'";
        let (_folder, command) = script(answer);
        let Answer::Sat(model) = asked(&External::start(&command).unwrap()) else { panic!() };
        let values: Vec<u64> = model.iter().map(|(_, value)| value.bits()).collect();
        assert_eq!(values, [0x3333, 0x2222]);
    }

    #[test]
    fn a_model_that_does_not_hold_is_none() {
        let (_folder, command) =
            script("cat > /dev/null\necho sat\necho '((x #x0000000000000003))'\necho '((y #x0000000000000005))'");
        let external = External::start(&command).unwrap();
        assert_eq!(asked(&external), Answer::Unknown(Why::WrongModel));
    }

    #[test]
    fn one_that_fails_again_and_again_is_given_up() {
        let folder = tempfile::tempdir().unwrap();
        let flag = folder.path().join("answered");
        let (_folder, command) = script(&format!("test -e {0} && exit 1\ntouch {0}\necho sat", flag.display()));
        let external = External::start(&command).unwrap();
        for _ in 0..FAILURES {
            assert!(!external.is_given_up());
            assert!(matches!(asked(&external), Answer::Unknown(Why::Elsewhere(_))));
        }
        assert!(external.is_given_up());
        let Answer::Unknown(why) = asked(&external) else { panic!() };
        assert_eq!(why.to_string(), "another solver gave no answer: sh was given up after 8 failures in a row");
    }
}
