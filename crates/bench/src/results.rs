//! Result files: one Markdown page for people and one JSON file for programs, side by side.

mod rows;

use std::path::PathBuf;

use serde::Serialize;

use crate::jdk::Jdk;
use crate::{Problem, command, files};

pub struct Results {
    folder: PathBuf,
    name: String,
    page: String,
}

impl Results {
    pub fn new(folder: PathBuf, name: &str) -> Results {
        Results { folder, name: name.to_string(), page: format!("# {name}\n\n") }
    }

    pub fn paragraph(&mut self, text: &str) {
        self.page.push_str(text);
        self.page.push_str("\n\n");
    }

    /// How the figures were made, so that somebody else can make them again.
    pub fn conditions(&mut self, jdk: &Jdk) {
        let cores = std::thread::available_parallelism().map_or(0, usize::from);
        let command: Vec<String> = std::env::args().skip(1).collect();
        self.paragraph(&format!("`bench {}` on JDK {}, {cores} cores.", command.join(" "), jdk.version));
    }

    /// Where the figures were made, for pages that name their commands themselves.
    pub fn machine(&mut self, jdk: &Jdk) {
        let cores = std::thread::available_parallelism().map_or(0, usize::from);
        let memory = std::fs::read_to_string("/proc/meminfo").ok();
        let memory = memory.and_then(|text| text.split_whitespace().nth(1)?.parse::<u64>().ok());
        let memory = memory.map_or(String::new(), |kilobytes| format!(", {} GB", kilobytes.div_ceil(1 << 20)));
        self.paragraph(&format!("JDK {}, {cores} cores{memory}.", jdk.version));
    }

    /// Where the file for programs is.
    pub fn data(&self) -> PathBuf {
        self.folder.join(format!("{}.json", self.name))
    }

    /// A table; the first column is text, the others are numbers.
    pub fn table(&mut self, heads: &[&str], rows: &[Vec<String>]) {
        self.page.push_str(&format!("| {} |\n|---|{}\n", heads.join(" | "), "---:|".repeat(heads.len() - 1)));
        for row in rows {
            self.page.push_str(&format!("| {} |\n", row.join(" | ")));
        }
        self.page.push('\n');
    }

    /// Prints the page and writes both files.
    pub fn finish(self, data: &impl Serialize) -> Result<(), Problem> {
        println!("{}\n", self.page.trim_end());
        self.write(data)
    }

    /// Writes both files.
    pub fn write(self, data: &impl Serialize) -> Result<(), Problem> {
        let page = format!("{}\n", self.page.trim_end());
        files::write(&self.folder.join(format!("{}.md", self.name)), &page)?;
        let path = self.data();
        let json = rows::to_string(data);
        let json = json.map_err(|cause| Problem::Report { path: path.clone(), cause })?;
        files::write(&path, &format!("{json}\n"))
    }
}

pub fn percent(value: f64) -> String {
    format!("{value:.1}")
}

pub fn seconds(value: f64) -> String {
    format!("{value:.2}")
}

/// The date, as `2026-11-15`.
pub fn today() -> String {
    date(command::since_1970().as_secs() / 86_400)
}

/// The date of a day counted from the first of 1970.
fn date(mut day: u64) -> String {
    let leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    while day >= 365 + u64::from(leap(year)) {
        day -= 365 + u64::from(leap(year));
        year += 1;
    }
    let lengths = [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while day >= lengths[month] {
        day -= lengths[month];
        month += 1;
    }
    format!("{year}-{:02}-{:02}", month + 1, day + 1)
}

#[test]
fn days_have_dates() {
    for (day, expected) in [(0, "1970-01-01"), (59, "1970-03-01"), (11_016, "2000-02-29"), (20_772, "2026-11-15")] {
        assert_eq!(date(day), expected);
    }
}
