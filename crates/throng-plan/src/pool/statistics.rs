//! Statistics of a pool.

use std::time::Duration;

/// Statistics of a [`Pool`](super::Pool) so far. For people: times and the split between queued and running depend on
/// the machine, and nothing of it is in any result.
///
/// ```
/// use std::sync::Arc;
/// use throng_grid::{Grid, Ground, Lattice};
/// use throng_plan::{AStar, Octile, Pool, Query, Request};
/// let ground = Arc::new(Ground::new(Grid::open_plain(Lattice::new(16, 16, 1.0)?).into(), 0.4)?);
/// let query = Query::new(ground.lattice().cell(1, 1), ground.lattice().cell(9, 1));
/// let request = Request::new(Arc::new(AStar(Octile)), ground, query);
/// let mut pool = Pool::new(2)?;
/// pool.ask(request.clone());
/// pool.ask(request); // shares the search of the first
/// pool.deliver(u64::MAX, |_| {});
/// let done = pool.shut_down();
/// assert_eq!((done.served, done.joined, done.expansions), (2, 1, 8));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Searches that no worker has begun.
    pub queued: usize,
    /// Searches under way.
    pub running: usize,
    /// Requests that have had their last answer.
    pub served: u64,
    /// Requests that were cancelled.
    pub cancelled: u64,
    /// Requests that joined the search of an equal one.
    pub joined: u64,
    /// Nodes expanded by searches that have ended.
    pub expansions: u64,
    /// Workers that took the place of one whose planner panicked.
    pub replaced: usize,
    /// Mean time from a request to its first answer.
    pub mean_latency: Duration,
    /// 99 of 100 first answers took no longer, rounded up by at most an eighth.
    pub p99_latency: Duration,
}

/// Times, counted in classes of which each is at most an eighth wider than the one before.
#[derive(Debug)]
pub(super) struct Latency {
    count: u64,
    sum: Duration,
    classes: [u32; CLASSES],
}

/// Eight classes for each power of two of nanoseconds.
const CLASSES: usize = 8 * 64;

impl Default for Latency {
    fn default() -> Self {
        Self { count: 0, sum: Duration::ZERO, classes: [0; CLASSES] }
    }
}

impl Latency {
    pub(super) fn add(&mut self, time: Duration) {
        self.count += 1;
        self.sum += time;
        let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX).max(8);
        let log = nanos.ilog2();
        self.classes[log as usize * 8 + (nanos >> (log - 3)) as usize % 8] += 1;
    }

    pub(super) fn mean(&self) -> Duration {
        self.sum.checked_div(self.count.try_into().unwrap_or(u32::MAX)).unwrap_or_default()
    }

    /// The upper end of the class below which so many of 100 times lie.
    pub(super) fn percentile(&self, percent: u64) -> Duration {
        let wanted = (self.count * percent).div_ceil(100);
        let mut seen = 0;
        for (class, &count) in self.classes.iter().enumerate().filter(|&(_, &count)| count > 0) {
            seen += u64::from(count);
            if seen >= wanted {
                let (log, eighth) = (class / 8, class as u64 % 8);
                return Duration::from_nanos(((u128::from(eighth + 9)) << log >> 3) as u64);
            }
        }
        Duration::ZERO
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_rounded_up_by_at_most_an_eighth() {
        let mut latency = Latency::default();
        for micros in 1..=1000 {
            latency.add(Duration::from_micros(micros));
        }
        assert_eq!(latency.mean(), Duration::from_nanos(500_500));
        for percent in [1, 50, 99, 100] {
            let exact = Duration::from_micros(percent * 10);
            let found = latency.percentile(percent);
            assert!(found >= exact && found <= exact * 9 / 8 + Duration::from_nanos(1), "{percent}: {found:?}");
        }
        latency.add(Duration::MAX / 2);
        latency.add(Duration::ZERO);
        assert_eq!(Latency::default().percentile(99), Duration::ZERO);
    }
}
