//! Zones against trying all values: what they contain, what is found in them, what is left of them without some inputs.

use symbolic::expr::InputId;
use symbolic::state::{Change, Place, Range, Zone, ZoneFound};

const INPUTS: usize = 4;
const LEAST: i64 = -1;
const GREATEST: i64 = 3;

type Values = [i128; INPUTS];

#[derive(Clone, Copy, Debug)]
enum Fact {
    AtMost(Place, Place, i128),
    Differ(Place, Place),
}

fn value(values: &Values, place: Place) -> i128 {
    place.plus + if place.row == 0 { 0 } else { values[place.row - 1] }
}

fn holds(fact: Fact, values: &Values) -> bool {
    match fact {
        Fact::AtMost(a, b, most) => value(values, a) - value(values, b) <= most,
        Fact::Differ(a, b) => value(values, a) != value(values, b),
    }
}

fn all() -> Vec<Values> {
    let numbers = || LEAST..=GREATEST;
    let mut all = Vec::new();
    for a in numbers() {
        for b in numbers() {
            for c in numbers() {
                all.extend(numbers().map(|d| [a, b, c, d].map(i128::from)));
            }
        }
    }
    all
}

/// Whether values are in a zone, by its own bounds.
fn is_in(zone: &Zone, values: &Values) -> bool {
    let of = |row: usize| if row == 0 { 0 } else { values[zone.inputs()[row - 1].0.0 as usize] };
    let rows = 0..=zone.inputs().len();
    rows.clone().all(|r| rows.clone().all(|c| of(r) - of(c) <= zone.bound(r, c)))
        && zone.apart().iter().all(|&(r, c, apart)| of(r) - of(c) != apart)
}

fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

#[test]
fn zones_are_what_their_facts_say() {
    let mut state = 7;
    let mut split = 0;
    for _ in 0..3_000 {
        let mut zone = Zone::default();
        let range = Range { least: LEAST, greatest: GREATEST };
        (0..INPUTS as u32).for_each(|input| assert_eq!(zone.row(InputId(input), range), input as usize + 1));
        let mut set = all();
        for _ in 0..2 + random(&mut state) % 5 {
            let mut place = || Place {
                row: random(&mut state) as usize % (INPUTS + 1),
                plus: i128::from(random(&mut state) % 3) - 1,
            };
            let (a, b) = (place(), place());
            let fact = match random(&mut state) % 2 {
                0 => Fact::AtMost(a, b, i128::from(random(&mut state) % 4) - 2),
                _ => Fact::Differ(a, b),
            };
            let change = match fact {
                Fact::AtMost(a, b, most) => zone.at_most(a, b, most),
                Fact::Differ(a, b) => zone.differ(a, b),
            };
            let before = set.len();
            set.retain(|values| holds(fact, values));
            match change {
                Change::Empty => assert!(set.is_empty(), "{fact:?} {zone:?}"),
                Change::None => assert_eq!(set.len(), before, "{fact:?} {zone:?}"),
                Change::Narrowed => {}
            }
            if change == Change::Empty {
                break;
            }
            let inside: Vec<Values> = all().into_iter().filter(|values| is_in(&zone, values)).collect();
            assert_eq!(inside, set, "{fact:?} {zone:?}");
            match zone.values() {
                ZoneFound::Values(found) => {
                    let mut values = [0; INPUTS];
                    found.iter().for_each(|(input, value)| values[input.0 as usize] = i128::from(*value));
                    assert!(set.contains(&values), "{values:?} {zone:?}");
                }
                ZoneFound::Nothing => assert!(set.is_empty(), "{zone:?}"),
                ZoneFound::Unknown => panic!("too few cases for {zone:?}"),
            }
            let keep = [InputId(2), InputId(0)];
            let zones = zone.onto(&keep, 64);
            split += usize::from(zones.len() > 1);
            for a in LEAST..=GREATEST {
                for c in LEAST..=GREATEST {
                    let values = [a, 0, c, 0].map(i128::from);
                    let expected = set.iter().any(|v| v[0] == values[0] && v[2] == values[2]);
                    assert_eq!(zones.iter().any(|zone| is_in(zone, &values)), expected, "{a} {c} {zone:?} {zones:?}");
                }
            }
            for zone in &zones {
                assert_eq!(zone.inputs().iter().map(|(input, _)| *input).collect::<Vec<_>>(), keep);
            }
        }
    }
    assert!(split > 100, "inequalities split projections: {split}");
}

#[test]
fn values_are_small_and_different() {
    let mut zone = Zone::default();
    let range = Range { least: i64::MIN, greatest: i64::MAX };
    let [a, b, c] = [5, 6, 7].map(|input| Place { row: zone.row(InputId(input), range), plus: 0 });
    zone.at_most(a, b, -1);
    assert_eq!(zone.values(), ZoneFound::Values([(5, 1), (6, 2), (7, 3)].map(|(i, v)| (InputId(i), v)).to_vec()));
    zone.at_most(a, c, -1);
    zone.at_most(c, b, -1);
    assert_eq!(zone.values(), ZoneFound::Values([(5, 1), (6, 3), (7, 2)].map(|(i, v)| (InputId(i), v)).to_vec()));
}
