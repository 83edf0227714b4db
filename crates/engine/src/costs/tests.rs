//! Who is blamed for slow runs, who is suspected, and who is forgiven.

use super::*;

const CALL: OpId = OpId(3);

fn size(n: i32) -> Option<usize> {
    size_of(&OperationKind::Constant(Constant::Int(n)))
}

fn place(op: u32, operand: usize) -> Place {
    Place { op: OpId(op), operand }
}

/// Runs of an operation that was given numbers of these sizes, one after the other.
fn run(costs: &mut Costs, op: u32, steps: f32, sizes: &[usize]) {
    let given: Vec<_> = sizes.iter().enumerate().map(|(i, &size)| (place(op, i), size)).collect();
    if steps < DEAR_STEPS {
        costs.was_cheap(OpId(op), steps, given.into_iter());
    } else {
        costs.was_dear(OpId(op), steps, given.clone(), &given);
    }
}

/// How often of 1,000 a number of this size is handed out.
fn taken(costs: &Costs, place: Place, size: usize) -> usize {
    let mut rng = Rng::new(1);
    (0..1_000).filter(|_| costs.takes(place, size, &mut rng)).count()
}

/// How often of 1,000 a large number is handed out after runs with one of its size.
fn check(steps: f32, runs: usize) -> usize {
    let mut costs = Costs::default();
    let (large, alike) = (size(2_000_000_000).unwrap(), size(i32::MAX).unwrap());
    (0..runs).for_each(|_| run(&mut costs, 3, steps, &[large]));
    assert_eq!(taken(&costs, place(3, 0), size(5_000).unwrap()), 1_000, "others as before");
    assert_eq!(taken(&costs, place(3, 1), alike), 1_000, "in other places as before");
    assert_eq!(taken(&costs, place(9, 0), alike), 1_000, "elsewhere as before");
    taken(&costs, place(3, 0), alike)
}

#[test]
fn numbers_that_proved_dear_are_handed_out_seldom() {
    assert_eq!(check(500.0, 100), 1_000);
    assert!((1..100).contains(&check(200_000.0, 3)));
    assert!(check(CALL_OUT_OF_MEMORY_STEPS, 1) < 20);
}

#[test]
fn whoever_was_given_a_large_number_before_a_dear_call_is_suspected_of_it() {
    let mut costs = Costs::default();
    let large = size(1 << 24).unwrap();
    (0..4).for_each(|_| costs.was_dear(OpId(7), 5e6, vec![(place(3, 0), large)], &[]));
    assert!(taken(&costs, place(3, 0), large) < 20 && !costs.is_dear(CALL));
    assert!(costs.is_dear(OpId(7)), "it may be its fault as well");
    (0..100).for_each(|_| run(&mut costs, 3, 10.0, &[large]));
    assert_eq!(taken(&costs, place(3, 0), large), 1_000, "forgiven");
}

#[test]
fn whoever_is_known_to_be_slow_explains_it_for_the_others() {
    let (large, other) = (size(1 << 20).unwrap(), size(1_000).unwrap());
    let mut costs = Costs::default();
    run(&mut costs, 3, 4e6, &[large]);
    (0..5).for_each(|_| run(&mut costs, 3, 4e6, &[large, other]));
    assert_eq!(taken(&costs, place(3, 1), other), 1_000);
    assert!(taken(&costs, place(3, 0), large) < 20);
    assert!(!costs.is_dear(CALL), "with other numbers it may be quick");
}

#[test]
fn what_is_somewhat_slow_does_not_explain_what_hangs() {
    let (large, other) = (size(1 << 28).unwrap(), size(100).unwrap());
    let mut costs = Costs::default();
    (0..5).for_each(|_| run(&mut costs, 3, 1e5, &[other]));
    costs.was_dear(
        OpId(4),
        CALL_LOST_WORKER_STEPS,
        vec![(place(3, 0), other), (place(4, 0), large)],
        &[(place(4, 0), large)],
    );
    assert!(taken(&costs, place(4, 0), large) < 20);
}

#[test]
fn a_run_with_several_numbers_is_no_reason_to_suspect_others() {
    let (large, other) = (size(1 << 20).unwrap(), place(8, 0));
    let mut costs = Costs::default();
    let given = vec![(place(3, 0), large), (place(4, 0), large), (place(5, 0), large)];
    costs.was_dear(OpId(5), CALL_LOST_WORKER_STEPS, given, &[(place(5, 0), large)]);
    assert!([3, 4, 5].iter().all(|op| taken(&costs, place(*op, 0), large) < 20));
    assert_eq!(taken(&costs, other, large), 1_000);
}

#[test]
fn sizes_that_proved_cheap_are_not_suspected_with_smaller_ones() {
    let (large, larger) = (size(1 << 20).unwrap(), size(1 << 24).unwrap());
    let mut costs = Costs::default();
    run(&mut costs, 4, 1e5, &[larger]);
    run(&mut costs, 5, 1e5, &[larger]);
    run(&mut costs, 3, 10.0, &[larger]);
    run(&mut costs, 3, 4e6, &[large]);
    assert_eq!(taken(&costs, place(3, 0), larger), 1_000);
    assert!(taken(&costs, place(3, 0), larger - 1) < 20);
}

#[test]
fn what_costs_much_is_not_tried_with_somewhat_larger_numbers() {
    let mut costs = Costs::default();
    run(&mut costs, 3, CALL_LOST_WORKER_STEPS, &[size(20).unwrap()]);
    let taken = |n: i32| taken(&costs, place(3, 0), size(n).unwrap());
    assert!(taken(20) < 20 && taken(1_000) < 20);
    assert_eq!([taken(8), taken(i32::MAX), taken(-1_000)], [1_000; 3]);
}

#[test]
fn what_was_dear_to_two_operations_is_handed_to_others_seldom_until_it_proved_cheap_there() {
    let (large, other) = (size(1 << 20).unwrap(), place(8, 0));
    let mut costs = Costs::default();
    for _ in 0..3 {
        run(&mut costs, 3, 2e5, &[large]);
        run(&mut costs, 3, 2e5, &[large + 2]);
        assert_eq!(taken(&costs, other, large), 1_000, "one operation, however often");
        (0..20).for_each(|_| run(&mut costs, 3, 10.0, &[large]));
    }
    run(&mut costs, 4, 2e5, &[large]);
    assert!((50..200).contains(&taken(&costs, other, large)));
    assert!(taken(&costs, other, large + 1) < 200, "larger ones likewise");
    assert_eq!(taken(&costs, other, large - 1), 1_000, "smaller ones as before");
    run(&mut costs, 4, CALL_LOST_WORKER_STEPS, &[large]);
    assert!((50..200).contains(&taken(&costs, other, large)), "one may be worse than the others");
    run(&mut costs, 3, CALL_LOST_WORKER_STEPS, &[large]);
    assert!(taken(&costs, other, large) < 20, "the dearer, the seldomer");
    run(&mut costs, 8, 10.0, &[large]);
    assert_eq!(taken(&costs, other, large), 1_000);
}

#[test]
fn small_numbers_are_never_to_blame_and_signs_are_told_apart() {
    assert_eq!((size(0), size(3), size(-3)), (None, None, None));
    assert_ne!(size(1 << 20), size(-(1 << 20)));
}

#[test]
fn a_dear_operation_is_known_after_a_while_and_forgiven_later() {
    let mut costs = Costs::default();
    (0..20).for_each(|_| run(&mut costs, 3, 1e6, &[]));
    assert!(costs.is_dear(CALL) && costs.ordinary_runs(CALL) > 10.0);
    (0..200).for_each(|_| run(&mut costs, 3, 10.0, &[]));
    assert!(!costs.is_dear(CALL) && costs.ordinary_runs(CALL) == 1.0);
}
