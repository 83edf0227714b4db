//! Which tests of a suite are redundant: everything they show is shown by others that stay. Owns the verdict on each test and its reason; removes nothing.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::sync::Arc;

use bytecode::names::ClassName;
use rustc_hash::FxHashMap;
use testcase::execution::Frame;
use testcase::observed::{ObservedMember, TestMethod, TestOutcome};

use super::digest::{Digest, Digester};

/// In which order tests are asked whether they add anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Order {
    /// As they ran.
    #[default]
    Suite,
    /// Those that add most first: fewer tests stay.
    Fewest,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Rules {
    /// Tests may go although no other makes the same assertions after the same method executions.
    pub ignore_assertions: bool,
    pub order: Order,
}

/// What is known of a suite after looking for redundant tests.
#[derive(Clone, Debug)]
pub struct Redundancy {
    /// Each test method once, in the order of its first run.
    pub tests: Vec<Judged>,
    /// Calls recorded in all tests.
    pub calls: usize,
    /// Calls in the tests that stay.
    pub kept_calls: usize,
    /// Non-equivalent method executions: of all tests and, by definition, of those that stay.
    pub executions: usize,
}

/// A test method and what becomes of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    pub method: TestMethod,
    pub runs: usize,
    pub calls: usize,
    /// Non-equivalent method executions among its calls.
    pub executions: usize,
    pub verdict: Verdict,
}

impl Judged {
    pub fn is_redundant(&self) -> bool {
        matches!(self.verdict, Verdict::Redundant { .. })
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    Kept(Why),
    /// These tests, by their places in [`Redundancy::tests`], show all it shows. All of them stay.
    Redundant {
        because: Vec<usize>,
    },
}

/// Why a test stays.
#[derive(Clone, Debug, PartialEq)]
pub enum Why {
    /// No other test that stays has these method executions; one of them is of this member.
    Executions { own: usize, example: ObservedMember },
    /// No other test that stays makes this assertion after an equivalent method execution.
    Assertion { class: ClassName, name: Arc<str> },
    /// It fails as no other does.
    Fails { class: ClassName },
    /// It was skipped, so nothing is known of it.
    Skipped,
    /// It did not end by itself.
    Unfinished,
    /// It made more calls than were recorded.
    PartlyKnown,
    /// It calls no class under test.
    TouchesNothing,
}

/// Something a test shows that others may show as well.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Item {
    Execution(u32),
    Assertion(u32),
    Failure { class: ClassName, frame: Option<Frame> },
}

/// What a test method shows in all its runs.
struct Shown {
    method: TestMethod,
    runs: usize,
    calls: usize,
    executions: usize,
    /// Numbers of items, sorted.
    items: Vec<u32>,
    /// It stays, whatever others show.
    pinned: Option<Why>,
}

/// `digester`: the one that read the suite, and no other suite.
pub fn find_redundant(suite: &Digest, digester: &Digester, rules: &Rules) -> Redundancy {
    let (shown, items) = collect(suite, rules);
    let mut owners = vec![0u32; items.len()];
    let mut kept = match rules.order {
        Order::Suite => in_order(&shown, &mut owners),
        Order::Fewest => fewest(&shown, &mut owners),
    };
    // A test that added something when it was asked may have been outdone by later ones.
    for (test, kept) in shown.iter().zip(&mut kept).rev() {
        if *kept && test.pinned.is_none() && test.items.iter().all(|&i| owners[i as usize] > 1) {
            *kept = false;
            test.items.iter().for_each(|&i| owners[i as usize] -= 1);
        }
    }
    let mut owner: Vec<Vec<usize>> = vec![Vec::new(); items.len()];
    for (at, test) in shown.iter().enumerate().filter(|(at, _)| kept[*at]) {
        for &item in &test.items {
            let list = &mut owner[item as usize];
            if list.len() < MAX_OWNERS {
                list.push(at);
            }
        }
    }
    let judged: Vec<Judged> = shown
        .iter()
        .enumerate()
        .map(|(at, test)| {
            let verdict = match (kept[at], &test.pinned) {
                (true, Some(why)) => Verdict::Kept(why.clone()),
                (true, None) => Verdict::Kept(reason(test, &owners, &items, digester)),
                (false, _) => Verdict::Redundant { because: because(test, &owner, &shown) },
            };
            Judged {
                method: test.method.clone(),
                runs: test.runs,
                calls: test.calls,
                executions: test.executions,
                verdict,
            }
        })
        .collect();
    Redundancy {
        calls: judged.iter().map(|t| t.calls).sum(),
        kept_calls: judged.iter().filter(|t| !t.is_redundant()).map(|t| t.calls).sum(),
        executions: digester.executions(),
        tests: judged,
    }
}

/// More owners of an item are not needed to explain anything.
const MAX_OWNERS: usize = 16;

fn collect(suite: &Digest, rules: &Rules) -> (Vec<Shown>, Vec<Item>) {
    let mut places: BTreeMap<&TestMethod, usize> = BTreeMap::new();
    let mut shown: Vec<Shown> = Vec::new();
    let mut numbers: FxHashMap<Item, u32> = FxHashMap::default();
    let mut items: Vec<Item> = Vec::new();
    let mut number = |item: Item| {
        *numbers.entry(item).or_insert_with_key(|item| {
            items.push(item.clone());
            items.len() as u32 - 1
        })
    };
    for run in &suite.runs {
        let place = *places.entry(&run.method).or_insert_with(|| {
            shown.push(Shown {
                method: run.method.clone(),
                runs: 0,
                calls: 0,
                executions: 0,
                items: Vec::new(),
                pinned: None,
            });
            shown.len() - 1
        });
        let test = &mut shown[place];
        test.runs += 1;
        test.calls += run.calls;
        test.items.extend(run.executions.iter().map(|&e| number(Item::Execution(e))));
        if !rules.ignore_assertions {
            test.items.extend(run.assertions.iter().map(|&a| number(Item::Assertion(a))));
        }
        if run.unrecorded > 0 {
            test.pinned.get_or_insert(Why::PartlyKnown);
        }
        match &run.outcome {
            TestOutcome::Passed => {}
            TestOutcome::Failed { class, frame, .. } => {
                test.items.push(number(Item::Failure { class: class.clone(), frame: frame.clone() }));
            }
            TestOutcome::Skipped { .. } => {
                test.pinned.get_or_insert(Why::Skipped);
            }
            TestOutcome::TimedOut | TestOutcome::Died { .. } => test.pinned = Some(Why::Unfinished),
        }
    }
    for test in &mut shown {
        test.items.sort_unstable();
        test.items.dedup();
        test.executions = test.items.iter().filter(|&&i| matches!(items[i as usize], Item::Execution(_))).count();
        if test.calls == 0 {
            test.pinned.get_or_insert(Why::TouchesNothing);
        }
    }
    (shown, items)
}

/// Keeps each test that shows something no test before it showed.
fn in_order(shown: &[Shown], owners: &mut [u32]) -> Vec<bool> {
    shown
        .iter()
        .map(|test| {
            let keep = test.pinned.is_some() || test.items.iter().any(|&i| owners[i as usize] == 0);
            if keep {
                test.items.iter().for_each(|&i| owners[i as usize] += 1);
            }
            keep
        })
        .collect()
}

/// Keeps the test that adds most, again and again; of equals the earlier one.
fn fewest(shown: &[Shown], owners: &mut [u32]) -> Vec<bool> {
    let mut kept = vec![false; shown.len()];
    let mut queue = BinaryHeap::new();
    for (at, test) in shown.iter().enumerate() {
        if test.pinned.is_some() {
            kept[at] = true;
            test.items.iter().for_each(|&i| owners[i as usize] += 1);
        } else {
            queue.push((test.items.len(), Reverse(at)));
        }
    }
    while let Some((promised, Reverse(at))) = queue.pop() {
        let gain = shown[at].items.iter().filter(|&&i| owners[i as usize] == 0).count();
        if gain == 0 {
            continue;
        }
        if gain < promised {
            queue.push((gain, Reverse(at)));
            continue;
        }
        kept[at] = true;
        shown[at].items.iter().for_each(|&i| owners[i as usize] += 1);
    }
    kept
}

/// What a test that stays shows alone.
fn reason(test: &Shown, owners: &[u32], items: &[Item], digester: &Digester) -> Why {
    let own = || test.items.iter().filter(|&&i| owners[i as usize] == 1).map(|&i| &items[i as usize]);
    let of_calls: Vec<u32> = own().filter_map(|i| if let Item::Execution(e) = i { Some(*e) } else { None }).collect();
    if let Some(example) = of_calls.first().and_then(|e| digester.member_of(*e)) {
        return Why::Executions { own: of_calls.len(), example: example.clone() };
    }
    own()
        .find_map(|item| match item {
            Item::Failure { class, .. } => Some(Why::Fails { class: class.clone() }),
            Item::Assertion(assertion) => {
                let (class, name) = digester.assertion_method(*assertion)?;
                Some(Why::Assertion { class: class.clone(), name: name.clone() })
            }
            Item::Execution(_) => None,
        })
        // Without anything of its own the second pass would have removed it.
        .unwrap_or(Why::TouchesNothing)
}

/// Tests that stay and together show all that `test` shows: few, the rarest things first.
fn because(test: &Shown, owner: &[Vec<usize>], shown: &[Shown]) -> Vec<usize> {
    let mut order: Vec<u32> = test.items.clone();
    order.sort_by_key(|&i| owner[i as usize].len());
    let shows = |at: usize, item: &u32| shown[at].items.binary_search(item).is_ok();
    let mut chosen: Vec<usize> = Vec::new();
    for item in order {
        if chosen.iter().any(|&c| shows(c, &item)) {
            continue;
        }
        let common = |&at: &usize| (test.items.iter().filter(|i| shows(at, i)).count(), Reverse(at));
        chosen.extend(owner[item as usize].iter().copied().max_by_key(common));
    }
    chosen.sort_unstable();
    chosen
}

#[cfg(test)]
mod tests;
