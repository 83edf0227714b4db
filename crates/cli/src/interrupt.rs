//! Ctrl-C and termination. Owns the flag that the rest polls; the second signal ends the process at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::exit_code::ExitCode;
use crate::screen;

/// Finishing files takes a second or two; somebody who asked for the end does not wait longer than this.
const LONGEST_END: Duration = Duration::from_secs(20);

/// Set once somebody asked us to stop. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Installs the signal handler of the process. Fails only if one is installed already.
    pub fn install() -> Result<Interrupt, ctrlc::Error> {
        let interrupt = Interrupt::default();
        let handler = interrupt.clone();
        ctrlc::set_handler(move || {
            if handler.0.swap(true, Ordering::SeqCst) {
                std::process::exit(i32::from(ExitCode::Interrupted.number()));
            }
            screen::tell("\ninterrupted: finishing the files for what was found (once more to stop at once)");
            // Whatever children do, and whoever waits for them.
            std::thread::spawn(|| {
                std::thread::sleep(LONGEST_END);
                screen::tell("interrupted: ended without what could not be finished in time");
                std::process::exit(i32::from(ExitCode::Interrupted.number()));
            });
        })?;
        Ok(interrupt)
    }

    /// What is set, for those who know nothing of signals.
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.0.clone()
    }

    /// As if somebody had asked.
    #[cfg(test)]
    pub fn set(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}
