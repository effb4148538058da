//! The pause before a request for a route that failed is made again.

use crate::crowd::RouteId;
use serde::{Deserialize, Serialize};

/// After so many failures the time between two requests grows no more.
const MOST_DOUBLINGS: u8 = 5;

/// After so many routes of its own the time between two requests grows no more: it is twelve days then.
const MOST_TIMES: u8 = 20;

/// So much shorter (m) a route must be than any before for its walker to have come nearer.
const NEARER: u32 = 8;

/// How long an agent or a squad has waited for a route, and when it asks again.
///
/// After the first failure it waits one to two seconds, after each further one twice as long, up to 32 to 64 seconds. After
/// each route of its own that it loses again it waits twice as long, too. That has no end while it has a route to walk,
/// unless it has come nearer. The moment within the pause is a function of its number and of the number of requests:
/// agents that failed together do not come back together.
///
/// ```
/// use throng_sim::battle::RetryBackoff;
/// let mut backoff = RetryBackoff::default();
/// assert!(backoff.may_ask(0));
/// backoff.asks(0);
/// backoff.fails(7, 3, 20); // in tick 7, the fourth agent, 20 ticks a second
/// assert!(!backoff.may_ask(7 + 19) && backoff.may_ask(7 + 40));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RetryBackoff {
    /// The tick in which it asked last.
    pub asked: u64,
    /// How often in a row there was no route.
    pub failures: u8,
    /// How often it has asked since it was sent where it goes, or since it has come nearer by a good deal.
    pub times: u8,
    /// The least that was left of its route when it was lost (m), to a whole metre; 0 = it has had none yet.
    pub nearest: u32,
    /// It does not ask again before this tick.
    pub again: u64,
}

impl RetryBackoff {
    /// True where it may ask now.
    pub fn may_ask(&self, tick: u64) -> bool {
        self.again <= tick
    }

    /// It asks.
    pub fn asks(&mut self, tick: u64) {
        self.asked = tick;
    }

    /// It asks once more, because it has lost the route that it was given. Each time the next pause is twice as long. `who`
    /// and `second` as for [`RetryBackoff::fails`].
    pub fn asks_anew(&mut self, tick: u64, who: u32, second: u64, has: RouteId) {
        self.asks(tick);
        self.times = self.times.saturating_add(1);
        // Without a route it would stand still until then.
        let most = if has == RouteId::NONE { MOST_DOUBLINGS } else { MOST_TIMES };
        self.waits(tick, who, second.max(1) << self.times.saturating_sub(1).min(most));
    }

    /// There is no route; `who` is its own number, `second` how many ticks a second has.
    pub fn fails(&mut self, tick: u64, who: u32, second: u64) {
        let pause = second.max(1) << self.failures.min(MOST_DOUBLINGS);
        self.failures = self.failures.saturating_add(1);
        self.waits(tick, who, pause);
    }

    /// It waits for one to two times `pause` (ticks).
    fn waits(&mut self, tick: u64, who: u32, pause: u64) {
        // Fibonacci hashing (Knuth 1973): neighbours are spread evenly.
        let times = u64::from(self.failures) + u64::from(self.times);
        let spread = (u64::from(who) + (times << 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        self.again = self.again.max(tick + pause + spread % pause);
    }

    /// The map has changed: it may ask at once.
    pub fn hopes(&mut self) {
        (self.times, self.again) = (0, 0);
    }

    /// There is a route.
    pub fn is_content(&mut self) {
        (self.failures, self.again) = (0, 0);
    }

    /// There is a route, so long (m), though it may lose it again.
    pub fn finds(&mut self, length: f32) {
        self.failures = 0;
        if self.nearest == 0 {
            self.nearest = (length as u32).max(1);
        }
    }

    /// True where so much is left of its route (m) that it has come nearer than it was: it may ask at once. That happens no more
    /// often than the way is long, so the number of requests stays bounded.
    pub fn comes_nearer(&mut self, left: f32) -> bool {
        let nearer = left as u32 + NEARER <= self.nearest;
        if nearer {
            (self.nearest, self.times, self.again) = ((left as u32).max(1), 0, 0);
        }
        nearer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_asks_without_end() {
        let (mut backoff, mut asked) = (RetryBackoff::default(), 0);
        for tick in 0..20 * 3600 * 24 {
            if backoff.may_ask(tick) {
                backoff.asks_anew(tick, 7, 20, RouteId(3));
                backoff.finds(100.0);
                asked += 1;
            }
        }
        assert!((10..20).contains(&asked), "{asked} times in a day");
    }

    #[test]
    fn the_pause_grows_and_is_bounded_and_spread() {
        let mut last = [0; 12];
        for who in 0..1000 {
            let (mut backoff, mut tick) = (RetryBackoff::default(), 0);
            for (n, last) in last.iter_mut().enumerate() {
                backoff.fails(tick, who, 20);
                let (pause, base) = (backoff.again - tick, 20 << n.min(5));
                assert!((base..2 * base).contains(&pause), "{pause} after failure {n}");
                tick = backoff.again;
                *last = (*last).max(pause);
            }
        }
        assert_eq!(last[11], 2 * 640 - 1);
        let mut first = [0; 20];
        for who in 0..1000 {
            let mut backoff = RetryBackoff::default();
            backoff.fails(0, who, 20);
            first[backoff.again as usize - 20] += 1;
        }
        assert!(first.iter().all(|&asking| (40..=60).contains(&asking)), "not evenly: {first:?}");
    }
}
