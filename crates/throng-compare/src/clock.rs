//! The clocks by which searches are timed.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// A clock by which a search is timed.
///
/// ```
/// use throng_compare::Clock;
/// let clock = Clock::of_thread();
/// let begun = clock.now();
/// println!("{:?} by {}", clock.now() - begun, clock.name());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// The time of the wall: that of other programs on the same processors counts too.
    Wall,
    /// The processor time of the calling thread, which other programs hardly change. Reading it takes about a microsecond.
    /// Where the system does not tell it, all times by it are 0: see [`Clock::of_thread`].
    Thread,
}

impl Clock {
    /// The processor time of the calling thread where the system tells it (Linux), else the time of the wall.
    pub fn of_thread() -> Self {
        if cfg!(target_os = "linux") { Self::Thread } else { Self::Wall }
    }

    /// Its name, as it stands beside the times.
    pub fn name(self) -> &'static str {
        match self {
            Self::Wall => "wall time",
            Self::Thread => "processor time",
        }
    }

    /// The time since a moment that is the same for all calls, of [`Clock::Thread`] for those on one thread.
    pub fn now(self) -> Duration {
        static FIRST: LazyLock<Instant> = LazyLock::new(Instant::now);
        match self {
            Self::Wall => FIRST.elapsed(),
            Self::Thread => of_this_thread(),
        }
    }
}

#[cfg(target_os = "linux")]
fn of_this_thread() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

#[cfg(not(target_os = "linux"))]
fn of_this_thread() -> Duration {
    Duration::ZERO
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_sleeps_takes_no_processor_time() {
        let begun = [Clock::Wall, Clock::of_thread()].map(Clock::now);
        std::thread::sleep(Duration::from_millis(30));
        let wall = Clock::Wall.now().saturating_sub(begun[0]);
        assert!(wall >= Duration::from_millis(30));
        let slept = Clock::of_thread().now().saturating_sub(begun[1]);
        assert!(Clock::of_thread() == Clock::Wall || slept < Duration::from_millis(20), "{slept:?}");
        let begun = Clock::of_thread().now();
        while Clock::of_thread().now() == begun {
            std::hint::black_box(0);
        }
    }
}
