//! The times of the last frames.

use std::collections::VecDeque;

/// The number of frames that are kept.
const MAX_FRAMES: usize = 60;

/// Times of the last frames (µs).
#[derive(Debug, Default)]
pub(super) struct RecentTimes(VecDeque<f64>);

impl RecentTimes {
    pub fn add(&mut self, micros: f64) {
        if self.0.len() == MAX_FRAMES {
            self.0.pop_front();
        }
        self.0.push_back(micros);
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The median; zero of none.
    pub fn median(&self) -> f64 {
        median(self.0.iter().copied())
    }
}

/// The upper of the two in the middle, where there are two; zero of none.
pub(super) fn median(times: impl Iterator<Item = f64>) -> f64 {
    let mut sorted: Vec<f64> = times.collect();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_frames_count() {
        let mut lately = RecentTimes::default();
        assert_eq!(lately.median(), 0.0);
        for frame in 0..200 {
            lately.add(f64::from(frame));
        }
        assert_eq!(lately.median(), 170.0);
    }
}
