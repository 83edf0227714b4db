//! The plan of a class for made-up searches and suites. Owns these; never looks at a clock.

use super::*;

#[test]
fn batches_become_smaller_towards_the_end() {
    let second = Duration::from_secs(1);
    let sight = Sight { executions: 500, searched: second, ..Sight::default() };
    assert_eq!((sight.at_once(8 * second), sight.at_once(second / 10)), (1_000, 12));
    assert_eq!(Sight::default().at_once(second), usize::MAX);
}

#[test]
fn a_few_slow_batches_are_not_ordinary() {
    let batch = |n: u64| if n % 5 == 4 { Duration::from_secs(1) } else { Duration::from_millis(20) };
    let sight = (0..40).fold(Sight::default(), |sight, n| sight.and(100, batch(n)));
    assert_eq!((sight.executions, sight.searched.as_millis()), (4_000, 8_640));
    assert!(sight.ordinary < 0.000_3, "{sight:?}");
    assert_eq!(Sight::default().and(20, Duration::from_secs(1)).ordinary, 0.0);
    // Thinking before the first answer took no time that was seen, and batches of several workers come together.
    assert_eq!(Sight::default().and(500, Duration::ZERO).ordinary, 0.0);
    let pair = |sight: Sight| sight.and(100, Duration::from_millis(40)).and(100, Duration::ZERO);
    let together = (0..40).fold(Sight::default(), |sight, _| pair(sight)).ordinary;
    assert!((0.000_19..0.000_45).contains(&together), "{together}");
    let slower = (0..40).fold(sight, |sight, _| sight.and(100, Duration::from_millis(200)));
    assert_eq!(slower.ordinary, 0.002);
}

/// A search of a second that has gathered so many tests.
fn sight(tests: usize) -> Sight {
    let archived = Size { tests, statements: 7 * tests };
    let seen = Sight { archived, mutation: Duration::from_millis(80), ..Sight::default() };
    seen.and(20_000, Duration::from_secs(1))
}

fn size(tests: usize) -> Size {
    Size { tests, statements: 6 * tests }
}

fn check(planner: &Planner, budget: u64, tests: usize) -> Plan {
    let budget = Duration::from_millis(budget);
    let plan = planner.plan(budget, &sight(tests));
    let ordered = plan.search_until < plan.refine_until && plan.refine_until <= budget;
    assert!(ordered, "{plan:?} of {budget:?}");
    assert!(plan.search_until.as_secs_f64() >= 0.149 * budget.as_secs_f64(), "{plan:?} of {budget:?}");
    plan
}

fn took(refine: u64, verify: u64) -> (Duration, Duration) {
    (Duration::from_millis(refine), Duration::from_millis(verify))
}

#[test]
fn most_of_the_budget_is_for_the_search_on_a_quiet_machine() {
    let planner = Planner::new();
    planner.saw_pace(Duration::from_millis(250));
    let small = check(&planner, 2_000, 40);
    assert!(small.search_until > Duration::from_millis(1_150), "{small:?}");
    let small = check(&planner, 10_000, 60);
    assert!(small.search_until > Duration::from_millis(9_000), "{small:?}");
    let large = check(&planner, 10_000, 600);
    assert!(large.search_until > Duration::from_millis(5_000), "{large:?}");
}

#[test]
fn the_reserve_follows_what_was_measured() {
    let planner = Planner::new();
    for _ in 0..20 {
        planner.learn(&sight(40), size(24), took(20, 250));
    }
    let quick = check(&planner, 2_000, 40);
    assert!(quick.search_until > Duration::from_millis(1_500), "{quick:?}");
    planner.learn(&sight(40), size(24), took(30, 900));
    assert!(check(&planner, 2_000, 40).search_until < quick.search_until);
}

#[test]
fn a_larger_suite_and_a_slower_machine_get_a_larger_reserve() {
    let planner = Planner::new();
    let small = check(&planner, 10_000, 10);
    let large = check(&planner, 10_000, 500);
    assert!(large.search_until < small.search_until);
    planner.saw_first_answer(Duration::from_secs(1));
    assert!(check(&planner, 10_000, 10).search_until < small.search_until);
    planner.learn(&sight(10), size(6), took(20, 300));
    let measured = check(&planner, 10_000, 10);
    planner.saw_first_answer(Duration::from_secs(9));
    assert_eq!(check(&planner, 10_000, 10), measured, "guesses do not replace measurements");
}

#[test]
fn extremes_keep_their_order() {
    let planner = Planner::new();
    for budget in [1, 50, 500, 10_000, 3_600_000] {
        check(&planner, budget, 0);
        check(&planner, budget, 1_000_000);
    }
    planner.learn(&sight(1), size(1), took(500_000, 500_000));
    check(&planner, 1_000, 10);
}

#[test]
fn the_compilers_pace_replaces_the_first_guess_and_yields_to_a_class() {
    let planner = Planner::new();
    let guessed = check(&planner, 3_000, 100);
    planner.saw_warm_up(Duration::from_millis(2_600));
    assert!(check(&planner, 3_000, 100).search_until < guessed.search_until);
    planner.saw_pace(Duration::from_millis(700));
    let slow = check(&planner, 3_000, 100);
    planner.saw_pace(Duration::from_millis(150));
    let quick = check(&planner, 3_000, 100);
    assert!(slow.search_until < guessed.search_until && guessed.search_until < quick.search_until);
    planner.learn(&sight(100), size(60), took(20, 450));
    let measured = check(&planner, 3_000, 100);
    planner.saw_pace(Duration::from_millis(900));
    assert_eq!(check(&planner, 3_000, 100), measured);
}

#[test]
fn a_finished_suite_is_given_what_it_takes() {
    let planner = Planner::new();
    planner.learn(&sight(100), size(60), took(20, 450));
    let same = planner.verifying(size(60)).as_secs_f64();
    assert!((same - SLACK * 0.45).abs() < 0.01, "{same}");
    assert!(planner.verifying(size(200)) > planner.verifying(size(60)));
}

/// Milliseconds left, for verifying and reserved; what mutants get.
fn check_mutants(left: u64, verifying: u64, reserved: u64, expected: u64) {
    let given =
        for_mutants(Duration::from_millis(left), Duration::from_millis(verifying), Duration::from_millis(reserved));
    assert_eq!(given, Duration::from_millis(expected));
}

#[test]
fn mutants_get_what_is_spare_and_something_at_any_rate() {
    check_mutants(5_000, 400, 200, 4_600);
    check_mutants(420, 400, 100, 60);
    check_mutants(320, 400, 100, 25);
    check_mutants(370, 400, 100, 60);
    check_mutants(0, 400, 100, 25);
}

#[test]
fn slow_runs_take_no_more_than_a_fifth_for_making_tests_small() {
    let planner = Planner::new();
    planner.saw_pace(Duration::from_millis(250));
    let slow = Sight { ordinary: 0.002, thorough: 2.0, ..sight(200) };
    let plan = planner.plan(Duration::from_secs(10), &slow);
    assert!(plan.search_until > Duration::from_millis(5_500), "{plan:?}");
    let refine = plan.refine_until - plan.search_until;
    assert!((1_900..=2_100).contains(&refine.as_millis()), "{plan:?}");
}

#[test]
fn what_is_affordable_follows_the_time_left_and_is_never_nothing() {
    let planner = Planner::new();
    let suite = Size { tests: 100, statements: 550 };
    let much = planner.affordable(Duration::from_secs(5), suite);
    assert!(much > planner.affordable(Duration::from_secs(1), suite));
    assert_eq!(planner.affordable(Duration::ZERO, suite), LEAST_STATEMENTS);
    // Starting a test costs something whatever its size.
    assert!(planner.affordable(Duration::from_secs(5), Size { tests: 50, ..suite }) > much);
    assert!(planner.affordable(Duration::from_secs(5), Size { tests: 0, statements: 0 }) > much);
    planner.learn(&sight(100), size(60), took(20, 2_000));
    assert!(planner.affordable(Duration::from_secs(5), suite) < much);
}

/// Statements and goals per test; which are kept.
fn check_kept(tests: &[(usize, &[u32])], room: usize, expected: &[bool]) {
    let tests: Vec<_> = tests.iter().map(|(n, g)| Worth { statements: *n, goals: g.to_vec() }).collect();
    assert_eq!(most_worth(&tests, room), expected);
}

#[test]
fn the_most_goals_per_statement_are_kept() {
    check_kept(&[(5, &[1]), (5, &[2])], 10, &[true, true]);
    check_kept(&[(5, &[1]), (5, &[2, 3]), (2, &[4])], 8, &[false, true, true]);
    // Covered already by a better one.
    check_kept(&[(3, &[1, 2]), (1, &[2]), (2, &[1, 2, 3]), (9, &[7])], 6, &[false, false, true, false]);
    check_kept(&[(50, &[1]), (60, &[2])], 10, &[true, false]);
    check_kept(&[], 10, &[]);
}
