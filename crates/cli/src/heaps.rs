//! How much memory the JVMs get that verify. Owns the sizes: one far below the workers' and one far above, so that tests whose end depends on memory differ and go.

use exec::runner::Surroundings;

/// No JVM gets more.
const LARGEST_MB: u32 = 8 << 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heaps {
    small_mb: u32,
    large_mb: u32,
}

impl Heaps {
    /// For so many JVMs at a time beside workers with a heap of so much.
    pub fn new(worker_mb: u32, jobs: u32) -> Heaps {
        Heaps::on(worker_mb, jobs, available_mb())
    }

    /// On a machine with so much memory to spare, if that is known.
    fn on(worker_mb: u32, jobs: u32, available_mb: Option<u32>) -> Heaps {
        // Half of what there is is for others.
        let share = available_mb.map_or(LARGEST_MB, |all| all / 2 / jobs.max(1));
        // What needs more than the workers' half is left to those who give workers more.
        Heaps { small_mb: (worker_mb / 2).max(1), large_mb: share.min(LARGEST_MB).max(worker_mb) }
    }

    pub fn of(self, surroundings: Surroundings) -> u32 {
        match surroundings {
            Surroundings::Usual => self.small_mb,
            Surroundings::Other => self.large_mb,
        }
    }
}

/// What the kernel says could be used without swapping, less if this process may not have it.
fn available_mb() -> Option<u32> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|l| l.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    u32::try_from(kilobytes >> 10).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_smaller_than_the_workers_and_one_as_large_as_the_machine_allows() {
        let check = |worker: u32, jobs: u32, available: Option<u32>, expected: (u32, u32)| {
            let heaps = Heaps::on(worker, jobs, available);
            assert_eq!((heaps.of(Surroundings::Usual), heaps.of(Surroundings::Other)), expected);
        };
        check(512, 1, Some(64 << 10), (256, 8192));
        check(512, 4, Some(16 << 10), (256, 2048));
        check(512, 1, Some(300), (256, 512));
        check(4096, 1, None, (2048, 8192));
    }
}
