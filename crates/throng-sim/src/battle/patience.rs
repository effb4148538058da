//! When to ask again for a route that could not be found.

use serde::{Deserialize, Serialize};

/// After so many failures the time between two requests grows no more.
const MOST_DOUBLINGS: u8 = 5;

/// How long somebody has waited for a route, and when he asks again where there was none.
///
/// After the first failure he waits one to two seconds, after each further one twice as long, up to 32 to 64 seconds. Where in
/// that time he asks is a function of who he is and how often he has asked: those who failed together do not come back
/// together.
///
/// ```
/// use throng_sim::battle::Patience;
/// let mut patience = Patience::default();
/// assert!(patience.may_ask(0));
/// patience.asks(0);
/// patience.fails(7, 3, 20); // in tick 7, the fourth agent, 20 ticks a second
/// assert!(!patience.may_ask(7 + 19) && patience.may_ask(7 + 40));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Patience {
    /// The tick in which he asked last.
    pub asked: u64,
    /// How often in a row there was no route.
    pub failures: u8,
    /// He does not ask again before this tick.
    pub again: u64,
}

impl Patience {
    /// True where he may ask now.
    pub fn may_ask(&self, tick: u64) -> bool {
        self.again <= tick
    }

    /// He asks.
    pub fn asks(&mut self, tick: u64) {
        self.asked = tick;
    }

    /// There is no route; `who` is a number of his own, `second` how many ticks a second has.
    pub fn fails(&mut self, tick: u64, who: u32, second: u64) {
        let pause = second.max(1) << self.failures.min(MOST_DOUBLINGS);
        self.failures = self.failures.saturating_add(1);
        // Fibonacci hashing (Knuth 1973): neighbours are spread evenly.
        let spread = (u64::from(who) + (u64::from(self.failures) << 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        self.again = tick + pause + spread % pause;
    }

    /// The map has changed: he may ask at once.
    pub fn hopes(&mut self) {
        self.again = 0;
    }

    /// There is a route.
    pub fn is_content(&mut self) {
        (self.failures, self.again) = (0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pause_grows_and_is_bounded_and_spread() {
        let mut last = [0; 12];
        for who in 0..1000 {
            let (mut patience, mut tick) = (Patience::default(), 0);
            for (n, last) in last.iter_mut().enumerate() {
                patience.fails(tick, who, 20);
                let (pause, base) = (patience.again - tick, 20 << n.min(5));
                assert!((base..2 * base).contains(&pause), "{pause} after failure {n}");
                tick = patience.again;
                *last = (*last).max(pause);
            }
        }
        assert_eq!(last[11], 2 * 640 - 1);
        let mut first = [0; 20];
        for who in 0..1000 {
            let mut patience = Patience::default();
            patience.fails(0, who, 20);
            first[patience.again as usize - 20] += 1;
        }
        assert!(first.iter().all(|&asking| (40..=60).contains(&asking)), "not evenly: {first:?}");
    }
}
