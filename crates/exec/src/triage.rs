//! From the end of a worker to the outcome of the sequence that caused it. Owns the judgement; restarts nothing.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::sync::Arc;

use testcase::execution::Outcome;

/// Why a worker is no more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// It ended by itself, or somebody else ended it.
    Ended { status: Option<ExitStatus>, crash_report: Option<String> },
    /// We ended it: no progress for too long.
    WallClock,
    /// It said something that does not follow the protocol, or said itself that it failed.
    Protocol { message: String },
}

/// Kinds of deaths, for statistics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Death {
    Exited,
    Killed,
    Crashed,
    WallClock,
    Protocol,
    ThreadsLeft,
    /// A class initialiser was cut short, so its class is unusable in that JVM.
    Spoilt,
    Deadline,
    /// Replaced because what ran in it no longer did what it had done.
    Renewed,
}

/// Signals by which code, rather than somebody else, ends a process.
const OWN_MAKING: &[i32] =
    &[libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGFPE, libc::SIGABRT, libc::SIGTRAP, libc::SIGSYS];

/// The outcome of the sequence that was running, at `statement` if known.
pub fn triage(cause: &Cause, statement: Option<u16>) -> (Death, Outcome) {
    match cause {
        Cause::WallClock => (Death::WallClock, Outcome::WallClock { statement }),
        Cause::Protocol { message } => (Death::Protocol, Outcome::Protocol { message: Arc::from(message.as_str()) }),
        Cause::Ended { status, crash_report } => {
            let signal = status.and_then(|s| s.signal());
            if crash_report.is_some() || signal.is_some_and(|s| OWN_MAKING.contains(&s)) {
                let signal = crash_report.as_deref().and_then(reported_signal).or(signal);
                return (Death::Crashed, Outcome::Crashed { statement, signal });
            }
            let death = if signal.is_some() { Death::Killed } else { Death::Exited };
            // As shells tell it.
            let status = status.and_then(|s| s.code()).or(signal.map(|s| 128 + s));
            (death, Outcome::Killed { statement, status })
        }
    }
}

/// The JVM ends itself by SIGABRT after a crash; its report names the signal that counts: `#  SIGSEGV (0xb) at pc=…`.
fn reported_signal(report: &str) -> Option<i32> {
    let line = report.lines().find(|l| l.starts_with("#  SIG"))?;
    let number = line.split_once("(0x")?.1.split_once(')')?.0;
    i32::from_str_radix(number, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_end_has_its_outcome() {
        let check = |raw: Option<i32>, report: Option<&str>, expected: (Death, Outcome)| {
            let status = raw.map(ExitStatus::from_raw);
            let cause = Cause::Ended { status, crash_report: report.map(str::to_owned) };
            assert_eq!(triage(&cause, Some(3)), expected);
        };
        let statement = Some(3);
        check(Some(0), None, (Death::Exited, Outcome::Killed { statement, status: Some(0) }));
        check(Some(7 << 8), None, (Death::Exited, Outcome::Killed { statement, status: Some(7) }));
        check(Some(9), None, (Death::Killed, Outcome::Killed { statement, status: Some(137) }));
        check(Some(11), None, (Death::Crashed, Outcome::Crashed { statement, signal: Some(11) }));
        let report = "#\n# A fatal error has been detected:\n#\n#  SIGSEGV (0xb) at pc=0x00007f, pid=1\n";
        check(Some(6), Some(report), (Death::Crashed, Outcome::Crashed { statement, signal: Some(11) }));
        check(None, None, (Death::Exited, Outcome::Killed { statement, status: None }));
        assert_eq!(triage(&Cause::WallClock, None), (Death::WallClock, Outcome::WallClock { statement: None }));
        let message = Arc::from("nonsense");
        let cause = Cause::Protocol { message: "nonsense".to_owned() };
        assert_eq!(triage(&cause, None), (Death::Protocol, Outcome::Protocol { message }));
    }
}
