//! The image reader against the JDKs themselves, on images made here, and on garbage.

mod jdk;

use std::collections::BTreeMap;
use std::fs::File;

use bytecode::jimage::{Jimage, JimageProblem};
use memmap2::Mmap;
use proptest::prelude::*;

fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
    let table: Vec<u32> = (0..256).map(|i| (0..8).fold(i, step)).collect();
    !bytes.iter().fold(!0u32, |crc, b| table[usize::from(crc as u8 ^ b)] ^ (crc >> 8))
}

#[test]
fn every_class_is_found_as_the_jdk_sees_it() {
    for home in jdk::jdks() {
        // The file belongs to an installed JDK; nothing writes it while the test runs.
        let map = unsafe { Mmap::map(&File::open(home.join("lib/modules")).unwrap()).unwrap() };
        let image = Jimage::open(map).unwrap();
        let program = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/java/Jrt.java");
        let listing = jdk::run(&home, "java", &[program]);
        let mut expected: BTreeMap<(String, String), (usize, u32)> = BTreeMap::new();
        for line in listing.lines() {
            let mut words = line.split(' ');
            let (module, file) = words.next().unwrap().split_once('/').unwrap();
            let name = file.strip_suffix(".class").unwrap();
            let [size, crc] = [words.next().unwrap(), words.next().unwrap()];
            if name != "module-info" {
                expected.insert((module.to_owned(), name.to_owned()), (size.parse().unwrap(), crc.parse().unwrap()));
            }
        }
        assert!(expected.len() > 20_000, "{}", expected.len());
        let mut found = BTreeMap::new();
        for class in image.classes() {
            let (module, name) = class.unwrap();
            assert_eq!(image.module_of(name.package()).unwrap(), Some(module), "{name}");
            let bytes = image.class_bytes(name.internal()).unwrap().unwrap();
            found.insert((module.to_owned(), name.internal().to_owned()), (bytes.len(), crc32(&bytes)));
        }
        assert!(found == expected, "{}", home.display());
    }
}

#[test]
fn exports_and_misses() {
    for home in jdk::jdks() {
        let map = unsafe { Mmap::map(&File::open(home.join("lib/modules")).unwrap()).unwrap() };
        let image = Jimage::open(map).unwrap();
        for missing in ["java/lang/Strin", "String", "java/lang/String.class", "", "no/such/Thing", "java/lang/"] {
            assert_eq!(image.class_bytes(missing).unwrap(), None, "{missing}");
        }
        assert_eq!(image.module_of("javax/swing").unwrap(), Some("java.desktop"));
        assert_eq!(image.module_of("java").unwrap(), None);
        let exported = ["java/util", "jdk/internal/misc", "no/such"].map(|p| image.is_exported(p).unwrap());
        assert_eq!(exported, [Some(true), Some(false), None]);
        let base = image.exports("java.base").unwrap().unwrap().packages;
        assert!(
            base.contains("java/util") && !base.contains("jdk/internal/misc") && !base.contains("sun/security/x509")
        );
        assert_eq!(image.exports("no.such.module").unwrap(), None);
        let classes = image.exported_classes().unwrap();
        let has = |name: &str| classes.binary_search(&name.into()).is_ok();
        assert!(has("java/util/ArrayList") && has("java/util/Map$Entry") && has("java/sql/Date"));
        assert!(!has("jdk/internal/misc/Unsafe") && !has("module-info"));
    }
}

/// An image with one resource `/m/p/B.class`, stored as given, in either byte order.
fn image(big_endian: bool, content: &[u8], compressed: bool, size: u8) -> Vec<u8> {
    let strings = b"\0m\0p\0B\0class\0zip\0compact-cp\0";
    let word = |v: u32| if big_endian { v.to_be_bytes() } else { v.to_le_bytes() };
    let stored = if compressed { content.len() as u8 } else { 0 };
    let location = [1 << 3, 1, 2 << 3, 3, 3 << 3, 5, 4 << 3, 7, 5 << 3, 0, 6 << 3, stored, 7 << 3, size, 0];
    let mut out = Vec::new();
    for v in [0xCAFE_DADA, 1 << 16, 0, 1, 1, location.len() as u32, strings.len() as u32, -1i32 as u32, 0] {
        out.extend(word(v));
    }
    out.extend(location);
    out.extend(strings);
    out.extend(content);
    out
}

/// A compressed layer: header naming the decompressor, then the data.
fn layer(big_endian: bool, decompressor: u32, inflated: u64, data: &[u8]) -> Vec<u8> {
    let word = |v: u32| if big_endian { v.to_be_bytes() } else { v.to_le_bytes() };
    let long = |v: u64| if big_endian { v.to_be_bytes() } else { v.to_le_bytes() };
    let mut out = word(0xCAFE_FAFA).to_vec();
    out.extend(long(data.len() as u64));
    out.extend(long(inflated));
    out.extend(word(decompressor));
    out.extend(word(0));
    out.push(1);
    out.extend(data);
    out
}

#[test]
fn zip_is_inflated_and_other_compression_is_named() {
    let text = b"class file, class file, class file";
    let zipped = miniz_oxide::deflate::compress_to_vec_zlib(text, 6);
    for big_endian in [false, true] {
        let find = |image: &[u8]| Jimage::open(image).unwrap().find("/m/p/B.class").map(|r| r.map(|b| b.into_owned()));
        let plain = image(big_endian, text, false, text.len() as u8);
        assert_eq!(find(&plain), Ok(Some(text.to_vec())));
        assert_eq!(Jimage::open(plain.as_slice()).unwrap().find("/m/p/C.class"), Ok(None));
        let zip = layer(big_endian, 13, text.len() as u64, &zipped);
        assert_eq!(find(&image(big_endian, &zip, true, text.len() as u8)), Ok(Some(text.to_vec())));
        let twice = layer(big_endian, 13, zip.len() as u64, &miniz_oxide::deflate::compress_to_vec_zlib(&zip, 6));
        assert_eq!(find(&image(big_endian, &twice, true, text.len() as u8)), Ok(Some(text.to_vec())));
        let other = image(big_endian, &layer(big_endian, 17, 9, b"abc"), true, 9);
        assert_eq!(
            find(&other),
            Err(JimageProblem::Decompressor {
                resource: "/m/p/B.class".to_owned(),
                decompressor: "compact-cp".to_owned()
            })
        );
        let lies = image(big_endian, &layer(big_endian, 13, 5, &zipped), true, 5);
        assert!(matches!(find(&lies), Err(JimageProblem::Malformed { .. })));
    }
}

#[test]
fn what_is_no_image_is_refused() {
    assert_eq!(Jimage::open([0u8; 3]).unwrap_err(), JimageProblem::NotAnImage);
    assert_eq!(Jimage::open([0u8; 100]).unwrap_err(), JimageProblem::NotAnImage);
    let mut newer = image(false, b"x", false, 1);
    newer[6] = 2;
    assert_eq!(Jimage::open(newer).unwrap_err(), JimageProblem::Version { major: 2, minor: 0 });
    let whole = image(false, b"x", false, 1);
    for length in 4..whole.len() {
        match Jimage::open(&whole[..length]) {
            Ok(image) => assert!(image.find("/m/p/B.class").is_err(), "{length}"),
            Err(problem) => assert!(matches!(problem, JimageProblem::Truncated { .. }), "{length}: {problem}"),
        }
    }
}

proptest! {
    #[test]
    fn garbage_never_panics(changes in prop::collection::vec((0usize..150, any::<u8>()), 1..6), big in any::<bool>()) {
        let zipped = miniz_oxide::deflate::compress_to_vec_zlib(b"abcabcabc", 6);
        let mut bytes = image(big, &layer(big, 13, 9, &zipped), true, 9);
        for (at, value) in changes {
            let at = at % bytes.len();
            bytes[at] = value;
        }
        if let Ok(image) = Jimage::open(bytes) {
            let _ = image.find("/m/p/B.class");
            let _ = image.class_bytes("p/B");
            let _ = image.classes().count();
            let _ = image.exported_classes();
        }
    }
}
