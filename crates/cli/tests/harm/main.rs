//! Nothing outside the output folder is touched while tests are generated, nor by what is delivered. Owns this promise
//! for a few classes of each kind; `bench harm` goes over all of them.

#[path = "../../../../fixtures/harm/decoys.rs"]
mod decoys;
#[path = "../../../../fixtures/harm/outside.rs"]
mod outside;
mod site;

use site::Site;

/// One for each way out, as far as a quick look allows.
const HOSTILE: [&str; 14] = [
    "FileWriterAppends",
    "MapsFile",
    "FilesSetPermissions",
    "RelativePathEmpties",
    "ReflectionByNames",
    "ShutdownHookWrites",
    "ProcessBuilderStarts",
    "ProcessHandleKills",
    "TcpConnects",
    "UdpSends",
    "OutputAsLink",
    "ProgressShrinks",
    "LocaleByReflection",
    "ReadsParentEnvironment",
];

/// Branches covered of classes that touch nothing: all but what needs luck within so few executions.
const STAYS: f64 = 0.75;

const ORDINARY: [&str; 6] = ["Saver", "LogRotator", "StatsdClient", "ReportToPath", "PathTools", "ReportToStream"];

#[test]
fn code_that_does_harm_does_none() {
    for jdk in exec::jdk::Jdk::all() {
        let mut site = Site::new(&jdk, "hostile", &HOSTILE);
        site.generates_without_harm();
        site.delivers_without_harm();
    }
}

#[test]
fn ordinary_code_does_no_harm_and_keeps_the_tests_of_what_stays_inside() {
    for jdk in exec::jdk::Jdk::all() {
        let mut site = Site::new(&jdk, "ordinary", &ORDINARY);
        site.generates_without_harm();
        for class in ["PathTools", "ReportToStream"] {
            assert!(site.branch_share(class) >= STAYS, "{class} on JDK {}: {}", jdk.feature, site.branch_share(class));
        }
        for (class, harmless) in [("Saver", "nameFor"), ("LogRotator", "nameOf"), ("StatsdClient", "line")] {
            assert!(site.suite(class).contains(&format!("{harmless}(")), "{class}: {}", site.suite(class));
        }
        site.delivers_without_harm();
    }
}

#[test]
fn what_the_class_path_offers_to_compilers_does_not_run() {
    for jdk in exec::jdk::Jdk::all() {
        let mut site = Site::new(&jdk, "tools", &["Plain"]);
        site.generates_without_harm();
        // Whether a charset is known is asked of the provider, which writes; the rest stays.
        assert!(site.suite("Plain").contains("sign("), "{}", site.suite("Plain"));
    }
}
