//! Taking classes apart and putting them together again changes no byte.

use crate::jdk;
use crate::support::{everything, for_each_class};
use bytecode::instrument::{Plan, instrument, reencode};

#[test]
fn every_class_of_every_jdk_is_reencoded_byte_for_byte() {
    for home in jdk::jdks() {
        let mut count = 0;
        for_each_class(&home, 1, |name, bytes| {
            let result = reencode(bytes).unwrap_or_else(|p| panic!("{name}: {p}"));
            assert!(result.bytes == bytes, "{name} changed");
            assert_eq!(result.skipped, [], "{name}");
            count += 1;
        });
        assert!(count > 20_000, "{count}");
    }
}

#[test]
fn an_empty_plan_changes_nothing() {
    let plan = Plan::nothing(everything().hooks);
    for_each_class(&jdk::jdks()[0], 20, |name, bytes| {
        let result = instrument(bytes, &plan).unwrap();
        assert!(result.bytes == bytes, "{name} changed");
        assert!(result.probes.is_empty() && result.sites.is_empty() && result.skipped.is_empty(), "{name}");
    });
}
