//! Who breaks whom: finds the test after which others fail, by running tests in orders made for that. Owns the search; what becomes of whom it finds is
//! decided elsewhere.

use crate::failure::Failure;
use crate::verify::RanResult;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TestName {
    /// Binary name of the test class.
    pub class: String,
    pub method: String,
}

impl std::fmt::Display for TestName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.class, self.method)
    }
}

/// A JVM in which tests run one after the other; what they leave behind stays.
pub trait Fresh {
    /// One result per test; fewer if the JVM ended or the time was up.
    fn run(&mut self, tests: &[TestName]) -> Result<Vec<RanResult>, Failure>;
}

/// Runs tests in a JVM of their own.
pub type Runs<'a> = &'a mut dyn FnMut(&[TestName]) -> Result<Vec<RanResult>, Failure>;

/// A test and the one that failed after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guilt {
    pub culprit: TestName,
    pub victim: TestName,
}

/// A class could not be initialised, or could not be when somebody tried before.
pub fn is_half_initialised(result: &RanResult) -> bool {
    match result {
        RanResult::Failed { exception, message, .. } => match exception.as_str() {
            "java.lang.ExceptionInInitializerError" => true,
            "java.lang.NoClassDefFoundError" => message.starts_with("Could not initialize class"),
            _ => false,
        },
        RanResult::Passed | RanResult::TimedOut | RanResult::Reached(_) => false,
    }
}

/// The one among `before` after which `victim` fails, if one is enough and it does not fail alone. `run` takes a JVM of its own each time.
pub fn by_halving(before: &[TestName], victim: &TestName, run: Runs<'_>) -> Result<Option<TestName>, Failure> {
    let mut fails_after = |tests: &[TestName]| -> Result<bool, Failure> {
        let mut order = tests.to_vec();
        order.push(victim.clone());
        let results = run(&order)?;
        Ok(results.len() == order.len() && results.last().is_some_and(|r| *r != RanResult::Passed))
    };
    if before.is_empty() || fails_after(&[])? || !fails_after(before)? {
        return Ok(None);
    }
    let mut suspects = before;
    while suspects.len() > 1 {
        let (first, second) = suspects.split_at(suspects.len() / 2);
        suspects = if fails_after(first)? {
            first
        } else if fails_after(second)? {
            second
        } else {
            return Ok(None);
        };
    }
    Ok(suspects.first().cloned())
}

/// What was found in the folders, as a reason.
pub fn traces_in_words(touched: &[String]) -> String {
    const NAMED: usize = 3;
    let mut words = format!("reaches outside: {}", touched.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", "));
    if touched.len() > NAMED {
        words.push_str(", …");
    }
    words
}

/// Those that leave traces in the folders they run in. `traces` takes a JVM and folders of their own each time. What only several do together is blamed on all of them.
pub fn by_traces(
    tests: &[TestName],
    traces: &mut dyn FnMut(&[TestName]) -> Result<Vec<String>, Failure>,
) -> Result<Vec<TestName>, Failure> {
    if tests.len() < 2 {
        return Ok(tests.to_vec());
    }
    let (first, second) = tests.split_at(tests.len() / 2);
    let mut guilty = Vec::new();
    for half in [first, second] {
        if !traces(half)?.is_empty() {
            guilty.extend(by_traces(half, traces)?);
        }
    }
    Ok(if guilty.is_empty() { tests.to_vec() } else { guilty })
}

/// Runs all tests once, and after each of them the victims: whoever came last before a victim failed did it. All in one JVM, so that finding many costs
/// little more than finding one. Victims that fail at once, or right after themselves, are nobody's but their own.
pub fn by_watching(tests: &[TestName], victims: &[TestName], jvm: &mut dyn Fresh) -> Result<Vec<Guilt>, Failure> {
    let mut guilt = Vec::new();
    let mut watching: Vec<TestName> = Vec::new();
    let fine = |names: &mut Vec<TestName>, results: &[RanResult]| {
        let mut results = results.iter();
        names.retain(|_| results.next().is_some_and(|r| *r == RanResult::Passed));
    };
    for victim in victims {
        let mut order = vec![victim.clone(), victim.clone()];
        order.extend(watching.iter().cloned());
        let results = jvm.run(&order)?;
        if results.len() < order.len() {
            return Ok(guilt);
        }
        let failed = order.iter().zip(&results).skip(2).find(|(_, r)| **r != RanResult::Passed);
        guilt.extend(failed.map(|(broken, _)| Guilt { culprit: victim.clone(), victim: broken.clone() }));
        fine(&mut watching, &results[2..]);
        if results[..2].iter().all(|r| *r == RanResult::Passed) {
            watching.push(victim.clone());
        }
    }
    for test in tests {
        if watching.is_empty() {
            break;
        }
        let mut order = vec![test.clone()];
        order.extend(watching.iter().filter(|v| *v != test).cloned());
        let results = jvm.run(&order)?;
        if results.len() < order.len() {
            break;
        }
        let failed = order.iter().zip(&results).skip(1).find(|(_, r)| **r != RanResult::Passed);
        if let Some((victim, _)) = failed {
            guilt.push(Guilt { culprit: test.clone(), victim: victim.clone() });
            let mut still: Vec<TestName> = order[1..].to_vec();
            fine(&mut still, &results[1..]);
            watching.retain(|v| still.contains(v));
        }
    }
    Ok(guilt)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests named `breaksX` make those named `X` fail from then on; `alone` fails always, `once` whenever it ran before.
    #[derive(Default)]
    struct Shared {
        broken: Vec<String>,
    }

    impl Fresh for Shared {
        fn run(&mut self, tests: &[TestName]) -> Result<Vec<RanResult>, Failure> {
            let one = |test: &TestName| {
                let fails = test.method == "alone" || self.broken.contains(&test.method);
                self.broken.extend(test.method.strip_prefix("breaks").map(str::to_string));
                self.broken.extend((test.method == "once").then(|| test.method.clone()));
                if fails { RanResult::TimedOut } else { RanResult::Passed }
            };
            Ok(tests.iter().map(one).collect())
        }
    }

    fn names(methods: &[&str]) -> Vec<TestName> {
        methods.iter().map(|m| TestName { class: "T".to_string(), method: (*m).to_string() }).collect()
    }

    #[test]
    fn whoever_came_last_before_a_failure_did_it() {
        let tests = names(&["a", "breaksb", "b", "c", "breaksc", "d", "alone", "breakse"]);
        let check = |victims: &[&str], expected: &[(&str, &str)]| {
            let guilt = by_watching(&tests, &names(victims), &mut Shared::default()).unwrap();
            let found: Vec<_> = guilt.iter().map(|g| (g.culprit.method.as_str(), g.victim.method.as_str())).collect();
            assert_eq!(found, expected, "{victims:?}");
        };
        check(&["b", "c"], &[("breaksb", "b"), ("breaksc", "c")]);
        check(&["c", "alone"], &[("breaksc", "c")]);
        check(&["c", "once"], &[("breaksc", "c")]);
        check(&["c", "breaksc"], &[("breaksc", "c")]);
        check(&["d"], &[]);
    }

    #[test]
    fn traces_lead_to_those_who_leave_them() {
        let check = |methods: &[&str], expected: &[&str]| {
            let found = by_traces(&names(methods), &mut |tests| {
                let writes = tests.iter().any(|t| t.method.starts_with("writes"));
                let pair = ["one", "other"].iter().all(|m| tests.iter().any(|t| t.method == *m));
                Ok(if writes || pair { vec!["pom.xml was changed".to_string()] } else { Vec::new() })
            });
            assert_eq!(found.unwrap(), names(expected), "{methods:?}");
        };
        check(&["a", "writes1", "b", "c", "d", "writes2", "writes3"], &["writes1", "writes2", "writes3"]);
        check(&["a", "one", "other", "b"], &["a", "one", "other", "b"]);
        check(&["writes"], &["writes"]);
    }

    #[test]
    fn halving_finds_the_one_that_is_enough() {
        let check = |before: &[&str], victim: &str, expected: Option<&str>| {
            let mut started = 0;
            let found = by_halving(&names(before), &names(&[victim])[0], &mut |tests| {
                started += 1;
                Shared::default().run(tests)
            });
            assert_eq!(found.unwrap().map(|t| t.method).as_deref(), expected);
            assert!(started <= 8, "{started} JVMs");
        };
        check(&["a", "c", "breaksb", "d", "e"], "b", Some("breaksb"));
        check(&["a", "c"], "b", None);
        check(&["a", "c"], "alone", None);
        check(&[], "b", None);
    }
}
