//! One measurement of a comparison and all of them in a file. Owns what is kept from one run of the program to the next; measures nothing.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::judge::Verdict;
use crate::product::ClassReport;
use crate::{Problem, files};

/// What a tool may spend on a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Budget {
    /// Wall time of everything for testudo, search time for the others.
    Seconds(u64),
    /// Sequences that the search runs; the clock decides nothing.
    Executions(u64),
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Budget::Seconds(n) => write!(f, "{n} s"),
            Budget::Executions(n) => write!(f, "{n} executions"),
        }
    }
}

impl FromStr for Budget {
    type Err = String;

    fn from_str(text: &str) -> Result<Budget, String> {
        let (number, unit) = text.split_once(' ').unwrap_or((text, ""));
        let number = number.parse().map_err(|cause| format!("{text}: {cause}"))?;
        match unit {
            "s" => Ok(Budget::Seconds(number)),
            "executions" => Ok(Budget::Executions(number)),
            _ => Err(format!("{text}: neither seconds nor executions")),
        }
    }
}

impl Serialize for Budget {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Budget {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Budget, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl Budget {
    pub fn amount(self) -> u64 {
        match self {
            Budget::Seconds(n) | Budget::Executions(n) => n,
        }
    }

    /// Where curves are drawn through: halves of halves of the budget, two for each doubling.
    pub fn grid(self) -> Vec<f64> {
        (0..=2 * DOUBLINGS)
            .map(|k| self.amount() as f64 * 2_f64.powf(f64::from(k) / 2.0 - f64::from(DOUBLINGS)))
            .collect()
    }
}

const DOUBLINGS: i32 = 9;

/// What decides whether two cells are the same one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Key {
    pub set: String,
    pub class: String,
    pub tool: String,
    pub budget: Budget,
    pub seed: u64,
}

impl Key {
    /// A name for files.
    pub fn folder(&self) -> String {
        let plain = |text: &str| text.replace(|c: char| !c.is_ascii_alphanumeric() && c != '.', "-");
        format!("{}/{}-{}-{}", plain(&self.class), plain(&self.tool), plain(&self.budget.to_string()), self.seed)
    }
}

/// One tool on one class with one budget and one seed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Cell {
    #[serde(flatten)]
    pub key: Key,
    pub wall_seconds: f64,
    pub peak_megabytes: f64,
    pub verdict: Verdict,
    /// What the tool itself says about its search, where it does.
    pub search: Option<Search>,
    pub problem: Option<String>,
}

impl Cell {
    pub fn branch(&self) -> f64 {
        self.verdict.coverage.branches.percent()
    }

    pub fn score(&self) -> f64 {
        let budget = match self.key.budget {
            Budget::Seconds(n) => n as f64,
            Budget::Executions(_) => self.wall_seconds,
        };
        self.verdict.score(budget, self.wall_seconds)
    }
}

/// A search in figures, from `report.json`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Search {
    pub executions: u64,
    pub seconds: f64,
    pub generations: u64,
    pub evaluations: u64,
    /// Branches that the search went through; suites may lose some of them again.
    pub reached: u64,
    pub branches: u64,
    /// Percentage of the branches covered at each point of the budget's grid.
    pub curve: Vec<f64>,
}

impl Search {
    pub fn new(class: &ClassReport, budget: Budget) -> Search {
        let branch = class.goal("branch");
        let evolved = class.evolved.unwrap_or_default();
        let mut search = Search {
            executions: class.executions,
            seconds: class.seconds.search,
            generations: evolved.generations,
            evaluations: evolved.evaluations,
            reached: branch.covered as u64,
            branches: branch.total as u64,
            curve: Vec::new(),
        };
        if let Some(convergence) = &class.convergence {
            search.reached = search.reached.max(convergence.branches.last().copied().unwrap_or(0));
            let executions: Vec<f64> = convergence.executions.iter().map(|n| *n as f64).collect();
            let across = if matches!(budget, Budget::Seconds(_)) { &convergence.seconds } else { &executions };
            search.curve = sampled(across, &convergence.branches, branch.total as u64, &budget.grid());
        }
        search
    }
}

/// A curve of steps at the points of a grid, in percent.
fn sampled(across: &[f64], up: &[u64], total: u64, grid: &[f64]) -> Vec<f64> {
    let at = |x: &f64| {
        let passed = across.partition_point(|a| a <= x);
        let covered = passed.checked_sub(1).and_then(|last| up.get(last)).copied().unwrap_or(0);
        100.0 * covered as f64 / total.max(1) as f64
    };
    grid.iter().map(at).collect()
}

/// A call of the program that added to the results.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Made {
    pub command: String,
    pub day: String,
    /// Of what was measured.
    pub version: String,
}

/// All that was measured under one name.
#[derive(Default, Serialize, Deserialize)]
pub struct Kept {
    pub made: Vec<Made>,
    /// By name, in the order in which they were asked for: all are compared with the first.
    #[serde(default)]
    pub tools: Vec<String>,
    pub cells: Vec<Cell>,
}

impl Kept {
    /// What a file holds; nothing if there is no such file.
    pub fn read(path: &Path) -> Result<Kept, Problem> {
        if !path.exists() {
            return Ok(Kept::default());
        }
        let text = files::read(path)?;
        serde_json::from_str(&text).map_err(|cause| Problem::Report { path: path.to_path_buf(), cause })
    }

    pub fn find(&self, key: &Key) -> Option<&Cell> {
        self.cells.iter().find(|cell| cell.key == *key)
    }

    /// Puts a cell in the place of the one with its key, or behind all others.
    pub fn put(&mut self, cell: Cell) {
        match self.cells.iter_mut().find(|old| old.key == cell.key) {
            Some(old) => *old = cell,
            None => self.cells.push(cell),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_read_as_they_are_written() {
        for budget in [Budget::Seconds(10), Budget::Executions(20_000)] {
            assert_eq!(budget.to_string().parse(), Ok(budget));
        }
        assert!("10 m".parse::<Budget>().is_err());
    }

    #[test]
    fn the_grid_ends_with_the_budget() {
        let grid = Budget::Executions(512).grid();
        assert_eq!((grid.len(), grid[0], grid.last()), (19, 1.0, Some(&512.0)));
    }

    #[test]
    fn curves_are_steps() {
        assert_eq!(sampled(&[2.0, 4.0], &[1, 3], 4, &[1.0, 2.0, 3.0, 9.0]), [0.0, 25.0, 25.0, 75.0]);
        assert_eq!(sampled(&[], &[], 0, &[1.0]), [0.0]);
    }

    #[test]
    fn a_cell_measured_again_takes_the_place_of_the_old_one() {
        let key = |tool: &str| Key {
            set: "s".to_string(),
            class: "a.B".to_string(),
            tool: tool.to_string(),
            budget: Budget::Seconds(1),
            seed: 1,
        };
        let cell = |tool: &str, wall_seconds| Cell {
            key: key(tool),
            wall_seconds,
            peak_megabytes: 0.0,
            verdict: Verdict::default(),
            search: None,
            problem: None,
        };
        let mut kept = Kept::default();
        for (tool, seconds) in [("a", 1.0), ("b", 2.0), ("a", 3.0)] {
            kept.put(cell(tool, seconds));
        }
        let text = serde_json::to_string(&kept).unwrap();
        let again: Kept = serde_json::from_str(&text).unwrap();
        let walls: Vec<f64> = again.cells.iter().map(|cell| cell.wall_seconds).collect();
        assert_eq!(walls, [3.0, 2.0]);
        assert!(again.find(&key("b")).is_some() && again.find(&key("c")).is_none());
    }
}
