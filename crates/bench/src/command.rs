//! Child processes with a time limit and captured output. The one place that looks at the clock.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::{Problem, files};

#[expect(clippy::disallowed_methods, reason = "measuring time is what this program is for")]
pub fn now() -> Instant {
    Instant::now()
}

#[expect(clippy::disallowed_methods, reason = "pages have a date")]
pub fn since_1970() -> Duration {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default()
}

/// How a child ended.
pub struct Finished {
    /// `None` if it was killed by a signal or by our time limit.
    pub code: Option<i32>,
    pub timed_out: bool,
    pub wall: Duration,
    /// CPU time of it and of all processes it waited for; zero where the system does not tell. Unlike wall time it hardly depends on what else runs.
    pub cpu: Duration,
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

/// CPU time of all children that ended, and of theirs.
fn children_cpu() -> Duration {
    let ticks = || -> Option<u64> {
        let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
        let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(13);
        Some(fields.next()?.parse::<u64>().ok()? + fields.next()?.parse::<u64>().ok()?)
    };
    // The kernel reports in USER_HZ, which is 100 everywhere.
    Duration::from_millis(ticks().unwrap_or(0) * 10)
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
    let (begun, cpu) = (now(), children_cpu());
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
            // With what it started, if it has a group of its own. It may end by itself between the check and the kill; waiting then reaps it either way.
            let _ =
                Command::new("kill").args(["-KILL", "--", &format!("-{}", child.id())]).stderr(Stdio::null()).status();
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
        cpu: children_cpu().saturating_sub(cpu),
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
