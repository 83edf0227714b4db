//! Suites run together, on a scripted JVM: tests do what their names say.

use super::*;

/// `breaksX`: tests `X` fail from then on. `spoilsX`: `X` fails from then on because a class was not initialised, unless an `X` ran before. `kills`: ends the JVM
/// when it is not the first.
#[derive(Default)]
struct Jvm {
    broken: BTreeSet<String>,
    spoilt: BTreeSet<String>,
    ran: BTreeSet<String>,
}

impl Fresh for Jvm {
    fn run(&mut self, tests: &[TestName]) -> Result<Vec<RanResult>, Failure> {
        let mut results = Vec::new();
        for TestName { method, .. } in tests {
            if method == "kills" && !self.ran.is_empty() {
                break;
            }
            self.broken.extend(method.strip_prefix("breaks").map(str::to_string));
            if let Some(x) = method.strip_prefix("spoils")
                && !self.ran.contains(x)
            {
                self.spoilt.insert(x.to_string());
            }
            self.ran.insert(method.clone());
            let failed = |exception: &str| RanResult::Failed {
                exception: exception.to_string(),
                message: "Could not initialize class X".to_string(),
                frame: String::new(),
            };
            results.push(match method.as_str() {
                m if self.spoilt.contains(m) => failed("java.lang.NoClassDefFoundError"),
                "reaches" => RanResult::Reached("writes files".to_string()),
                m if self.broken.contains(m) => failed("java.lang.AssertionError"),
                _ => RanResult::Passed,
            });
        }
        Ok(results)
    }
}

/// Time for so many runs.
struct Script {
    runs: usize,
    touched: Vec<String>,
}

impl Bench for Script {
    fn run(&mut self, orders: &[Vec<TestName>]) -> Result<Vec<Vec<RanResult>>, Failure> {
        self.runs = self.runs.saturating_sub(1);
        self.touched = self.touched_by(&orders[0])?;
        orders.iter().map(|order| Jvm::default().run(order)).collect()
    }
    fn touched(&self) -> Vec<String> {
        self.touched.clone()
    }
    fn touched_by(&mut self, tests: &[TestName]) -> Result<Vec<String>, Failure> {
        let touches = tests.iter().any(|t| t.method == "touches");
        Ok(touches.then(|| "pom.xml was changed".to_string()).into_iter().collect())
    }
    fn fresh(&mut self) -> Result<Box<dyn Fresh + '_>, Failure> {
        Ok(Box::<Jvm>::default())
    }
    fn hurry(&self) -> bool {
        self.runs == 0
    }
}

fn check(names: &[&str], runs: usize, expected: &[(&str, DropReason)], finished: bool) {
    let tests: Vec<TestName> = names
        .iter()
        .enumerate()
        .map(|(i, m)| TestName { class: format!("T{}", i % 3), method: (*m).to_string() })
        .collect();
    for seed in 0..20 {
        let settled = settle(&tests, seed, &mut Script { runs, touched: Vec::new() }).unwrap();
        let mut gone: Vec<(&str, DropReason)> =
            settled.gone.iter().map(|g| (g.name.method.as_str(), g.reason)).collect();
        gone.sort();
        assert_eq!((gone.as_slice(), settled.end == End::Finished), (expected, finished), "{names:?} with seed {seed}");
    }
}

#[test]
fn suites_that_get_along_stay_as_they_are() {
    check(&[], 9, &[], true);
    check(&["a", "b", "c", "d"], 9, &[], true);
}

#[test]
fn whoever_disturbs_goes_and_the_disturbed_stay() {
    check(&["a", "b", "breaksb", "c", "d"], 9, &[("breaksb", DropReason::Disturbs)], true);
    let two = [("breaksa", DropReason::Disturbs), ("breaksd", DropReason::Disturbs)];
    check(&["a", "breaksa", "c", "breaksd", "d"], 9, &two, true);
}

#[test]
fn whoever_spoils_a_class_for_good_goes_alone() {
    let tests: Vec<TestName> = ["a", "b", "spoilsb", "c"]
        .iter()
        .map(|m| TestName { class: format!("T{m}"), method: (*m).to_string() })
        .collect();
    for seed in 0..20 {
        let settled = settle(&tests, seed, &mut Script { runs: 9, touched: Vec::new() }).unwrap();
        // In some orders it does no harm.
        assert!(settled.gone.iter().all(|g| g.name.method == "spoilsb" && g.reason == DropReason::Disturbs));
        assert_eq!(settled.end, End::Finished);
    }
}

#[test]
fn whoever_ends_the_jvm_goes() {
    check(&["a", "kills", "b", "c"], 9, &[("kills", DropReason::Failed)], true);
}

/// No JVM comes up.
struct Dead;

impl Bench for Dead {
    fn run(&mut self, orders: &[Vec<TestName>]) -> Result<Vec<Vec<RanResult>>, Failure> {
        Ok(vec![Vec::new(); orders.len()])
    }
    fn touched(&self) -> Vec<String> {
        Vec::new()
    }
    fn touched_by(&mut self, _: &[TestName]) -> Result<Vec<String>, Failure> {
        panic!("no JVM comes up")
    }
    fn fresh(&mut self) -> Result<Box<dyn Fresh + '_>, Failure> {
        panic!("no JVM comes up")
    }
    fn hurry(&self) -> bool {
        false
    }
}

#[test]
fn what_reaches_outside_goes_and_nobody_else() {
    let gone = [("reaches", DropReason::ReachesOutside), ("touches", DropReason::ReachesOutside)];
    check(&["a", "reaches", "b", "touches", "c"], 50, &gone, true);
}

#[test]
fn nobody_is_blamed_for_jvms_that_do_not_come_up() {
    let tests = [TestName { class: "T".to_string(), method: "a".to_string() }];
    assert_eq!(settle(&tests, 1, &mut Dead).unwrap(), Settled { gone: Vec::new(), end: End::NoJvm });
}

#[test]
fn without_time_the_disturbed_go() {
    check(&["a", "b", "breaksb", "c"], 1, &[("b", DropReason::OrderDependent)], false);
}
