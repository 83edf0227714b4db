//! What was seen of a child by watching it: the counters it can read, and the last attempts. Owns keeping both; judges nothing.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use super::attempt::Attempt;
use super::page::Page;

/// How many attempts are kept: the last ones, for messages.
const KEPT: usize = 64;

#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub page: Arc<Page>,
    attempts: Arc<Mutex<VecDeque<Attempt>>>,
}

impl Seen {
    pub fn new() -> io::Result<Seen> {
        Ok(Seen { page: Arc::new(Page::new()?), attempts: Arc::default() })
    }

    /// The last attempts, oldest first.
    pub fn attempts(&self) -> Vec<Attempt> {
        self.attempts.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// Keeps the attempt, and then counts it: who sees the count finds the attempt.
    pub fn count(&self, attempt: Attempt) {
        let kind = attempt.kind;
        let mut attempts = self.attempts.lock().unwrap_or_else(PoisonError::into_inner);
        if attempts.len() == KEPT {
            attempts.pop_front();
        }
        attempts.push_back(attempt);
        drop(attempts);
        self.page.count(kind);
    }
}
