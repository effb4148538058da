//! How fast a battle goes on.

use std::time::Instant;

/// Ticks a second, over the last half second.
pub(super) struct Rate {
    since: Instant,
    tick: u64,
    pub ticks_per_second: f32,
}

impl Rate {
    /// Counts from now on.
    pub fn new(now: Instant) -> Self {
        Self { since: now, tick: 0, ticks_per_second: 0.0 }
    }

    /// Counts on to a tick.
    pub fn count(&mut self, now: Instant, tick: u64) {
        let seconds = (now - self.since).as_secs_f32();
        if seconds >= 0.5 {
            self.ticks_per_second = tick.saturating_sub(self.tick) as f32 / seconds;
            (self.since, self.tick) = (now, tick);
        }
    }
}
