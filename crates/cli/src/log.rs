//! `testudo.log`: what happened, line by line. Owns the file and the choice of what is also shown with `-v`.
//! A log that cannot be written never ends a run.

use std::fs::File;
use std::io::Write;
use std::sync::Mutex;

use crate::screen;

/// Shared by all jobs.
#[derive(Debug)]
pub struct Log {
    file: Mutex<Option<File>>,
    verbose: u8,
}

/// How much a line matters: shown from `-v` or `-vv` on; always in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Step of the run.
    Step = 1,
    /// Fine detail.
    Detail = 2,
}

impl Log {
    pub fn new(file: File, verbose: u8) -> Log {
        Log { file: Mutex::new(Some(file)), verbose }
    }

    /// Goes to the file; and is handed back if the user wants to see it.
    pub fn line(&self, level: Level, text: &str) -> bool {
        // A poisoned lock means a job panicked while writing a line: the file is still good.
        let mut file = self.file.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(f) = file.as_mut() {
            let line = format!("{}\n", screen::lines(text));
            if f.write_all(line.as_bytes()).is_err() {
                *file = None;
            }
        }
        self.verbose >= level as u8
    }
}
