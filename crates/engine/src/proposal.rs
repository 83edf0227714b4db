//! A sequence somebody wants run: what has to be told of the run, and the ticket by which its result comes back to
//! whoever asked. Owns these types and nothing else; decides nothing.

use rustc_hash::FxHashMap;
use testcase::cost::Cost;
use testcase::executor::{Detail, Observe};
use testcase::sequence::Sequence;

/// Whose proposal it is: no two proposals of generators have the same ticket in one search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ticket(u64);

impl Ticket {
    /// The session's own: contract checks and what existing tests do. No generator waits for the result.
    pub const SESSION: Ticket = Ticket(0);
}

/// Hands out tickets, one after the other.
#[derive(Debug, Default)]
pub struct Tickets(u64);

impl Tickets {
    pub fn hand_out(&mut self) -> Ticket {
        self.0 += 1;
        Ticket(self.0)
    }
}

/// What has to be told of a run besides what every search needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Every probe hit, not only those that show something new.
    pub all_probes: bool,
    pub operands: bool,
    /// Distances to the outcomes of the watched sites.
    pub distances: bool,
    /// Values are of no use: they are not looked at, which may take long, and none is kept for other sequences.
    pub no_values: bool,
    /// Nothing but whether contracts hold.
    pub only_contracts: bool,
}

impl Wanted {
    pub fn add_to(self, detail: &mut Detail) {
        detail.all_probes |= self.all_probes;
        detail.operands |= self.operands;
        detail.distances |= self.distances;
        if self.no_values {
            (detail.observe, detail.states) = (Observe::Nothing, false);
        }
    }
}

#[derive(Clone, Debug)]
pub struct Proposal {
    pub sequence: Sequence,
    pub cost: Cost,
    pub detail: Wanted,
    pub ticket: Ticket,
}

impl Proposal {
    /// Of the session itself, with no particular wishes.
    pub fn of_session(sequence: Sequence, cost: Cost) -> Proposal {
        Proposal { sequence, cost, detail: Wanted::default(), ticket: Ticket::SESSION }
    }
}

/// What a generator has to remember of its proposals until their results are back.
#[derive(Debug)]
pub struct Pending<T> {
    by_ticket: FxHashMap<Ticket, T>,
}

impl<T> Default for Pending<T> {
    fn default() -> Self {
        Pending { by_ticket: FxHashMap::default() }
    }
}

impl<T> Pending<T> {
    pub fn insert(&mut self, ticket: Ticket, what: T) {
        self.by_ticket.insert(ticket, what);
    }

    /// `None` for the ticket of somebody else.
    pub fn take(&mut self, ticket: Ticket) -> Option<T> {
        self.by_ticket.remove(&ticket)
    }

    pub fn is_empty(&self) -> bool {
        self.by_ticket.is_empty()
    }

    /// How many there are of which this holds.
    pub fn count(&self, of: impl Fn(&T) -> bool) -> usize {
        self.by_ticket.values().filter(|what| of(what)).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_back_in_any_order_and_once() {
        let (mut tickets, mut pending) = (Tickets::default(), Pending::default());
        let [a, b] = [tickets.hand_out(), tickets.hand_out()];
        pending.insert(a, "a");
        pending.insert(b, "b");
        assert_eq!(pending.count(|what| *what == "a"), 1);
        assert_eq!((pending.take(b), pending.take(a), pending.take(a)), (Some("b"), Some("a"), None));
        assert!(pending.is_empty() && pending.take(Ticket::SESSION).is_none());
    }

    #[test]
    fn wishes_only_ever_add_to_what_is_told_but_for_values() {
        let mut detail = Detail { operands: true, states: true, observe: Observe::LastStatement, ..Detail::default() };
        Wanted { all_probes: true, ..Wanted::default() }.add_to(&mut detail);
        assert!(detail.operands && detail.states && detail.all_probes && !detail.distances);
        Wanted { no_values: true, ..Wanted::default() }.add_to(&mut detail);
        assert!(!detail.states && detail.observe == Observe::Nothing);
    }
}
