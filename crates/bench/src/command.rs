//! Child processes with a time limit and captured output. The one place that looks at the clock.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::{Problem, files};

#[expect(clippy::disallowed_methods, reason = "measuring time is what this program is for")]
pub fn now() -> Instant {
    Instant::now()
}

/// How a child ended.
pub struct Finished {
    /// `None` if it was killed by a signal or by our time limit.
    pub code: Option<i32>,
    pub timed_out: bool,
    pub wall: Duration,
    pub stdout: String,
    pub stderr: String,
}

impl Finished {
    pub fn succeeded(&self) -> bool {
        self.code == Some(0)
    }

    /// The last lines it wrote, for error messages.
    pub fn tail(&self) -> String {
        let text = if self.stderr.trim().is_empty() { &self.stdout } else { &self.stderr };
        let lines: Vec<&str> = text.lines().collect();
        let how = match self.code {
            _ if self.timed_out => "time limit".to_string(),
            Some(code) => format!("exit code {code}"),
            None => "killed by a signal".to_string(),
        };
        format!("{how}\n{}", lines[lines.len().saturating_sub(20)..].join("\n"))
    }
}

pub fn start(command: &mut Command) -> Result<Child, Problem> {
    let program = command.get_program().to_string_lossy().into_owned();
    command.stdin(Stdio::null()).spawn().map_err(|cause| Problem::Start { program, cause })
}

/// Runs to the end or to the limit, calling `watch` with the process id about every 20 ms.
pub fn run_watched(
    command: &mut Command,
    folder: &Path,
    limit: Duration,
    mut watch: impl FnMut(u32, Duration),
) -> Result<Finished, Problem> {
    files::create(folder)?;
    let (out, err) = (folder.join("stdout.txt"), folder.join("stderr.txt"));
    command.stdout(files::open_for_writing(&out)?).stderr(files::open_for_writing(&err)?);
    let begun = now();
    let mut child = start(command)?;
    let mut timed_out = false;
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Some(status),
            Ok(None) => {}
            Err(cause) => {
                return Err(Problem::Failed { what: "waiting".to_string(), detail: cause.to_string() });
            }
        }
        if begun.elapsed() > limit {
            timed_out = true;
            // It may end by itself between the check and the kill; waiting then reaps it either way.
            let _ = child.kill();
            let _ = child.wait();
            break None;
        }
        watch(child.id(), begun.elapsed());
        std::thread::sleep(Duration::from_millis(20));
    };
    Ok(Finished {
        code: status.and_then(|status| status.code()),
        timed_out,
        wall: begun.elapsed(),
        stdout: String::from_utf8_lossy(&files::bytes(&out)?).into_owned(),
        stderr: String::from_utf8_lossy(&files::bytes(&err)?).into_owned(),
    })
}

pub fn run(command: &mut Command, folder: &Path, limit: Duration) -> Result<Finished, Problem> {
    run_watched(command, folder, limit, |_, _| {})
}

/// Runs something that has to succeed for the measurement to make sense.
pub fn must(what: &str, command: &mut Command, folder: &Path, limit: Duration) -> Result<Finished, Problem> {
    let finished = run(command, folder, limit)?;
    if finished.succeeded() {
        Ok(finished)
    } else {
        Err(Problem::Failed { what: what.to_string(), detail: finished.tail() })
    }
}
