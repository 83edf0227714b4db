//! How a search went: goals and branches over executions and time, and who found what. Owns the points that are kept, few enough to be read and drawn; which these are depends
//! on counts alone, so that times are all that differs between equal runs.

use std::collections::BTreeMap;

use engine::session::Progress;
use serde::{Deserialize, Serialize};

/// Most points of a curve.
const MOST_POINTS: usize = 200;

/// Columns of equal length: a row is a moment at which something had changed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Convergence {
    pub executions: Vec<u64>,
    /// Goals of all kinds covered by then.
    pub goals: Vec<u32>,
    /// Branches and switch targets covered by then.
    pub branches: Vec<u32>,
    /// Goals that each generator was the first to cover.
    pub found: BTreeMap<String, Vec<u64>>,
    /// Since the search began.
    pub seconds: Vec<f64>,
}

/// Collects the points of one search.
#[derive(Debug)]
pub struct Curve {
    technique: String,
    points: Vec<Point>,
}

#[derive(Clone, Copy, Debug)]
struct Point {
    progress: Progress,
    seconds: f64,
    /// Something is new since the point before.
    news: bool,
}

impl Curve {
    pub fn new(technique: &str) -> Curve {
        Curve { technique: technique.to_owned(), points: Vec::new() }
    }

    /// Results of a batch were taken in.
    pub fn add(&mut self, progress: &Progress, seconds: f64) {
        let covered = |p: &Progress| (p.goals.covered, p.branches.covered);
        let news = self.points.last().is_none_or(|last| covered(&last.progress) != covered(progress));
        // Of a stretch without news, its last moment is enough.
        let within = self.points.last().is_some_and(|last| !last.news);
        if within && !news {
            self.points.pop();
        }
        self.points.push(Point { progress: *progress, seconds, news });
        if self.points.len() >= 2 * MOST_POINTS {
            self.thin(MOST_POINTS);
        }
    }

    /// Leaves so many points, spread evenly; the first and the last stay.
    fn thin(&mut self, most: usize) {
        let n = self.points.len();
        if n > most {
            self.points = (0..most).map(|i| self.points[i * (n - 1) / (most - 1)]).collect();
        }
    }

    pub fn finish(mut self) -> Option<Convergence> {
        self.thin(MOST_POINTS);
        let last = self.points.last()?.progress;
        let names: Vec<&str> = last.shares.iter().flatten().map(|(name, _)| *name).collect();
        let column = |of: &dyn Fn(&Progress) -> u64| self.points.iter().map(|p| of(&p.progress)).collect();
        let found = if names.is_empty() {
            BTreeMap::from([(self.technique.clone(), column(&|p| u64::from(p.goals.covered)))])
        } else {
            let of = |name: &str| {
                column(&|p| p.shares.iter().flatten().find(|(n, _)| *n == name).map_or(0, |(_, goals)| *goals))
            };
            names.into_iter().map(|name| (name.to_owned(), of(name))).collect()
        };
        Some(Convergence {
            executions: column(&|p| p.executions),
            goals: self.points.iter().map(|p| p.progress.goals.covered).collect(),
            branches: self.points.iter().map(|p| p.progress.branches.covered).collect(),
            found,
            seconds: self.points.iter().map(|p| (p.seconds * 1e4).round() / 1e4).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use engine::goal::Count;

    use super::*;

    fn progress(executions: u64, goals: u32) -> Progress {
        Progress { executions, goals: Count { covered: goals, total: 1000 }, ..Progress::default() }
    }

    /// Points as `executions:goals`, from moments given likewise.
    fn check(moments: &[(u64, u32)], expected: &str) {
        let mut curve = Curve::new("random");
        for &(executions, goals) in moments {
            curve.add(&progress(executions, goals), executions as f64);
        }
        let made = curve.finish().unwrap();
        let points: Vec<String> = made.executions.iter().zip(&made.goals).map(|(e, g)| format!("{e}:{g}")).collect();
        assert_eq!(points.join(" "), expected);
        assert_eq!(made.seconds.len(), made.executions.len());
        assert_eq!(made.found["random"].len(), made.executions.len());
    }

    #[test]
    fn stretches_without_news_are_two_points() {
        check(&[(10, 3)], "10:3");
        check(&[(10, 3), (20, 3), (30, 3), (40, 3)], "10:3 40:3");
        check(&[(10, 3), (20, 3), (30, 5), (40, 5), (50, 5)], "10:3 20:3 30:5 50:5");
    }

    #[test]
    fn long_searches_keep_their_ends_and_few_points() {
        let mut curve = Curve::new("evolve");
        for i in 1..=5_000 {
            curve.add(&progress(i, i as u32), 0.0);
        }
        let made = curve.finish().unwrap();
        assert_eq!(made.executions.len(), MOST_POINTS);
        assert_eq!((made.executions[0], *made.executions.last().unwrap()), (1, 5_000));
        assert!(made.executions.is_sorted() && made.goals.is_sorted());
    }

    #[test]
    fn members_of_a_portfolio_are_told_apart() {
        let mut curve = Curve::new("portfolio");
        let mut moment = progress(10, 3);
        moment.shares[0] = Some(("random", 2));
        moment.shares[1] = Some(("evolve", 1));
        curve.add(&moment, 0.5);
        let found = curve.finish().unwrap().found;
        assert_eq!(found, BTreeMap::from([("random".to_owned(), vec![2]), ("evolve".to_owned(), vec![1])]));
    }
}
