//! The exit codes of the `testudo` command. Owns their numbers and one-line meanings; never decides which applies.
//! `docs/book/exit-codes.md` lists the same table (a test compares them).

/// How the command ended, as scripts see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExitCode {
    Success = 0,
    Findings = 1,
    Usage = 2,
    NoSuchClass = 3,
    NoJdk = 4,
    ClassTooNew = 5,
    UnreadableInput = 6,
    EmptyTarget = 7,
    NotInstantiable = 8,
    MissingDependency = 9,
    OutputNotWritable = 10,
    DiskFull = 11,
    OutputInUse = 12,
    WorkerFailed = 13,
    SuiteRefused = 14,
    NoTests = 15,
    NothingDelivered = 16,
    SandboxMissing = 17,
    Internal = 70,
    Interrupted = 130,
}

impl ExitCode {
    pub const ALL: [ExitCode; 20] = [
        ExitCode::Success,
        ExitCode::Findings,
        ExitCode::Usage,
        ExitCode::NoSuchClass,
        ExitCode::NoJdk,
        ExitCode::ClassTooNew,
        ExitCode::UnreadableInput,
        ExitCode::EmptyTarget,
        ExitCode::NotInstantiable,
        ExitCode::MissingDependency,
        ExitCode::OutputNotWritable,
        ExitCode::DiskFull,
        ExitCode::OutputInUse,
        ExitCode::WorkerFailed,
        ExitCode::SuiteRefused,
        ExitCode::NoTests,
        ExitCode::NothingDelivered,
        ExitCode::SandboxMissing,
        ExitCode::Internal,
        ExitCode::Interrupted,
    ];

    pub fn number(self) -> u8 {
        self as u8
    }

    /// One line, as the documentation has it.
    pub fn meaning(self) -> &'static str {
        match self {
            ExitCode::Success => "Done: what was asked for was written or printed.",
            ExitCode::Findings => "There are findings, and --fail-on asks to say so; everything else went well.",
            ExitCode::Usage => "The arguments make no sense.",
            ExitCode::NoSuchClass => "A class that was asked for is not on the class path.",
            ExitCode::NoJdk => "No usable JDK was found.",
            ExitCode::ClassTooNew => "The classes were compiled for a newer Java than the JDK in use.",
            ExitCode::UnreadableInput => "A jar, folder or class file cannot be read.",
            ExitCode::EmptyTarget => "The target holds no class that can be tested.",
            ExitCode::NotInstantiable => "The target is abstract or an interface, and nothing implements it.",
            ExitCode::MissingDependency => "A class or a test needs a class that is missing on the class path.",
            ExitCode::OutputNotWritable => "The output folder cannot be written.",
            ExitCode::DiskFull => "The disk is full, or a quota or a limit on file sizes is reached.",
            ExitCode::OutputInUse => "Another run is writing to the same output folder.",
            ExitCode::WorkerFailed => "The JVMs that run the code could not be started or kept running.",
            ExitCode::SuiteRefused => "The test sources do not compile.",
            ExitCode::NoTests => "There is no test, or none that uses the classes under test.",
            ExitCode::NothingDelivered => "No test could be delivered for any class; the message says why.",
            ExitCode::SandboxMissing => "A layer of the sandbox is missing on this machine, and all are required.",
            ExitCode::Internal => "Testudo itself failed; please report it with the seed.",
            ExitCode::Interrupted => "Interrupted; the files hold what had been found.",
        }
    }

    /// Lines for `--help`.
    pub fn table() -> String {
        Self::ALL.iter().map(|c| format!("  {:>3}  {}\n", c.number(), c.meaning())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_book_lists_every_code_with_the_same_meaning() {
        let page = include_str!("../../../docs/book/exit-codes.md");
        for code in ExitCode::ALL {
            let row = format!("| {} | {} |", code.number(), code.meaning());
            assert!(page.contains(&row), "docs/book/exit-codes.md lacks the row {row}");
        }
        let rows = page.lines().filter(|l| l.starts_with("| ") && l.as_bytes()[2].is_ascii_digit()).count();
        assert_eq!(rows, ExitCode::ALL.len());
    }
}
