//! Result files: one Markdown page for people and one JSON file for programs, side by side.

use std::path::PathBuf;

use serde::Serialize;

use crate::jdk::Jdk;
use crate::{Problem, files};

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
        let page = format!("{}\n", self.page.trim_end());
        println!("{page}");
        files::write(&self.folder.join(format!("{}.md", self.name)), &page)?;
        let path = self.folder.join(format!("{}.json", self.name));
        let json = serde_json::to_string_pretty(data);
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
