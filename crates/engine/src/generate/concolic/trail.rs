//! What calls really did to each other: who wrote a word that a later one read, whose result became an argument. Owns the dynamic side of influence: which calls of
//! a sequence were of use, and which still can be.

use rustc_hash::FxHashMap;
use symbolic::vm::Access;

/// Calls by number, as bits.
pub type Calls = u64;

/// The story of one execution, call by call.
#[derive(Clone, Debug, Default)]
pub struct Trail {
    /// Who wrote a word last.
    writer: FxHashMap<u32, u8>,
    /// Calls that mattered to a later one.
    settled: Calls,
    /// Calls whose result is an object that nobody has taken yet.
    offered: Calls,
    len: u8,
}

/// What a call was seen to do.
#[derive(Clone, Copy, Debug)]
pub struct Deed<'a> {
    pub accesses: &'a [Access],
    /// Words from here on did not exist before the call.
    pub top: u32,
    /// Calls whose results it was given.
    pub taken: Calls,
    /// It gave an object that others may take.
    pub gives: bool,
}

/// How the last call stands to the one before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Relation {
    /// The earlier one mattered to the later one.
    pub influenced: bool,
    /// The later one wrote what the earlier one had written.
    pub overwrote: bool,
}

impl Trail {
    /// Adds a call. Says how it stands to the one before.
    pub fn add(&mut self, deed: Deed<'_>) -> Relation {
        let me = self.len;
        let before = me.checked_sub(1);
        let mut relation = Relation::default();
        let mut matter = |settled: &mut Calls, who: u8| {
            *settled |= 1 << who;
            relation.influenced |= Some(who) == before;
        };
        for who in (0..me).filter(|w| deed.taken & 1 << w != 0) {
            matter(&mut self.settled, who);
        }
        let mut overwrote = false;
        for access in deed.accesses.iter().filter(|a| a.word < deed.top) {
            if access.is_write {
                let old = self.writer.insert(access.word, me);
                overwrote |= old.is_some() && old == before;
            } else if let Some(&who) = self.writer.get(&access.word)
                && who != me
            {
                matter(&mut self.settled, who);
            }
        }
        relation.overwrote = overwrote;
        if deed.gives {
            self.offered |= 1 << me;
        }
        self.len += 1;
        relation
    }

    /// Did every call but the last matter to a later one?
    pub fn is_whole(&self) -> bool {
        let earlier = (1u64 << self.len.saturating_sub(1)) - 1;
        self.settled & earlier == earlier
    }

    /// Can every call still come to matter to a later one, or has it?
    pub fn can_go_on(&self) -> bool {
        let all = (1u64 << self.len) - 1;
        let mut alive = self.settled | self.offered;
        if alive & all == all {
            return true;
        }
        for &who in self.writer.values() {
            alive |= 1 << who;
        }
        alive & all == all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each call as letters: `r` or `w` and a word.
    fn story(calls: &[&str]) -> Trail {
        let mut trail = Trail::default();
        for call in calls {
            let accesses: Vec<Access> = call
                .split_whitespace()
                .map(|a| Access { word: a[1..].parse().unwrap(), is_write: a.starts_with('w') })
                .collect();
            trail.add(Deed { accesses: &accesses, top: 100, taken: 0, gives: false });
        }
        trail
    }

    fn check(calls: &[&str], can_go_on: bool, whole: bool) {
        let last = calls.len() - 1;
        let goes = (1..=last).all(|n| story(&calls[..n]).can_go_on());
        assert_eq!((goes, story(calls).is_whole()), (can_go_on, whole), "{calls:?}");
    }

    #[test]
    fn calls_that_cannot_matter_any_more_are_noticed() {
        // The second changes nothing.
        check(&["w1", "r1", "r1"], false, false);
        // The second overwrites what the first did before anybody looked.
        check(&["w1", "w1", "r1"], false, false);
        check(&["w1", "w2", "r1 r2"], true, true);
        check(&["w1", "r1 w1", "r1"], true, true);
        // What a call reads of its own does not count.
        check(&["w1", "w1 r1 w2", "r2"], false, false);
        // Words that are made during the call are nobody's.
        check(&["w200", "r1"], false, false);
    }
}
