//! When to stop. Owns the step count; the clock is somebody else's, asked through a callback.

/// Limits of a search.
pub struct Budget<'c> {
    /// Most executions; `None` for no limit.
    pub max_executions: Option<u64>,
    /// True once time is up. Never asked between submitting a batch and collecting it.
    pub expired: Box<dyn FnMut() -> bool + 'c>,
    /// How many executions there is time for at once, without keeping anybody waiting at the end.
    pub at_once: Box<dyn Fn() -> usize + 'c>,
}

impl<'c> Budget<'c> {
    pub fn executions(n: u64) -> Budget<'static> {
        Budget { max_executions: Some(n), expired: Box::new(|| false), at_once: Box::new(|| usize::MAX) }
    }
    pub fn until(expired: impl FnMut() -> bool + 'c) -> Budget<'c> {
        Budget { max_executions: None, expired: Box::new(expired), at_once: Box::new(|| usize::MAX) }
    }
    /// How many more executions may be started after `done`.
    pub fn left(&self, done: u64) -> u64 {
        self.max_executions.map_or(u64::MAX, |max| max.saturating_sub(done))
    }
}
