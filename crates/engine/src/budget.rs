//! When to stop. Owns the step count; the clock is somebody else's, asked through a callback.

/// Limits of a search.
pub struct Budget<'c> {
    /// Most executions; `None` for no limit.
    pub max_executions: Option<u64>,
    /// True once time is up. Never asked between submitting a batch and collecting it.
    pub expired: Box<dyn FnMut() -> bool + 'c>,
}

impl<'c> Budget<'c> {
    pub fn executions(n: u64) -> Budget<'static> {
        Budget { max_executions: Some(n), expired: Box::new(|| false) }
    }
    pub fn until(expired: impl FnMut() -> bool + 'c) -> Budget<'c> {
        Budget { max_executions: None, expired: Box::new(expired) }
    }
    /// How many more executions may be started after `done`.
    pub fn left(&self, done: u64) -> u64 {
        self.max_executions.map_or(u64::MAX, |max| max.saturating_sub(done))
    }
}
