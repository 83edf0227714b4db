//! What the user sees while a run goes on: bars on a terminal, plain lines otherwise. Owns the screen; decides nothing.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::screen;
use crate::span;

/// A moment of one class's search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Moment {
    pub executions: u64,
    pub covered: usize,
    pub total: usize,
}

/// Shared by all jobs.
#[derive(Debug)]
pub struct Progress {
    bars: Option<MultiProgress>,
    classes: u64,
    done: AtomicU64,
    /// So that lines of different jobs do not mix.
    lines: Mutex<()>,
}

impl Progress {
    pub fn new(classes: usize) -> Progress {
        let bars = std::io::stderr()
            .is_terminal()
            .then(|| MultiProgress::with_draw_target(ProgressDrawTarget::stderr_with_hz(8)));
        Progress { bars, classes: classes as u64, done: AtomicU64::new(0), lines: Mutex::new(()) }
    }

    /// A line that stays.
    pub fn line(&self, text: &str) {
        let text = screen::lines(text);
        match &self.bars {
            Some(bars) => bars.suspend(|| screen::tell(&text)),
            None => {
                let _guard = self.lines.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                screen::tell(&text);
            }
        }
    }

    #[expect(clippy::disallowed_methods, reason = "the command line may look at the clock")]
    pub fn class(&self, name: &str, budget: Option<Duration>) -> ClassProgress<'_> {
        let bar = self.bars.as_ref().map(|bars| {
            // The template is a constant and was tried: it parses.
            let style = ProgressStyle::with_template("{spinner} {prefix}  {wide_msg}").expect("valid template");
            let bar = bars.add(ProgressBar::new_spinner().with_style(style));
            bar.set_prefix(screen::one_line(name));
            bar
        });
        ClassProgress {
            progress: self,
            name: name.to_string(),
            bar,
            started: Instant::now(),
            budget,
            last: Mutex::new(Moment::default()),
        }
    }
}

/// One class on the screen; gone when dropped.
#[derive(Debug)]
pub struct ClassProgress<'a> {
    progress: &'a Progress,
    name: String,
    bar: Option<ProgressBar>,
    started: Instant,
    budget: Option<Duration>,
    last: Mutex<Moment>,
}

impl ClassProgress<'_> {
    pub fn phase(&self, what: &str) {
        if let Some(bar) = &self.bar {
            let last = *self.last.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            let goals = if last.total > 0 { format!("{}/{} goals  ", last.covered, last.total) } else { String::new() };
            bar.set_message(format!("{goals}{what}"));
            bar.tick();
        }
    }

    pub fn searching(&self, moment: Moment) {
        *self.last.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = moment;
        let Some(bar) = &self.bar else { return };
        let elapsed = self.started.elapsed();
        let rate = moment.executions as f64 / elapsed.as_secs_f64().max(0.001);
        let left = self.budget.map_or(String::new(), |b| format!("  {} left", span::show(b.saturating_sub(elapsed))));
        bar.set_message(format!(
            "{}/{} goals  {} executions/s{left}",
            moment.covered,
            moment.total,
            thousands(rate as u64)
        ));
        bar.tick();
    }

    /// A line about this class that stays.
    pub fn note(&self, text: &str) {
        self.progress.line(&format!("{}: {text}", self.name));
    }

    /// The class is done; `outcome` is its line, if it gets one.
    pub fn finish(self, outcome: Option<&str>) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        let done = self.progress.done.fetch_add(1, Ordering::Relaxed) + 1;
        let Some(outcome) = outcome else { return };
        let counter =
            if self.progress.classes > 1 { format!("[{done}/{}] ", self.progress.classes) } else { String::new() };
        self.progress.line(&format!("{counter}{}: {outcome}", self.name));
    }
}

fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(c);
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn thousands_are_grouped() {
        for (n, text) in [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(super::thousands(n), text);
        }
    }
}
