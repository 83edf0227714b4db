//! Another solver as a program of this machine. Owns starting it, once per question; what is said to it and what its answers mean is `symbolic`'s.

use std::io::Write;
use std::process::{Command, Stdio};

use symbolic::solver::{Chain, SmtLib};

/// Our own chain with that program at its end.
pub fn chain(command: &str) -> Chain {
    let words: Vec<String> = command.split_whitespace().map(String::from).collect();
    Chain::over(Box::new(SmtLib::new(move |script: &str| ask(&words, script))))
}

/// What the program prints for a script.
fn ask(words: &[String], script: &str) -> Result<String, String> {
    let (program, arguments) = words.split_first().ok_or("no program is named")?;
    let failed = |error: std::io::Error| format!("{program}: {error}");
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(failed)?;
    if let Some(mut input) = child.stdin.take() {
        input.write_all(script.as_bytes()).map_err(failed)?;
    }
    let output = child.wait_with_output().map_err(failed)?;
    String::from_utf8(output.stdout).map_err(|error| format!("{program}: {error}"))
}
