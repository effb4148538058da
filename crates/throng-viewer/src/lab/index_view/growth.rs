//! The number of discs growing step by step, and what a frame takes at each.

use super::IndexTrial;
use super::recent_times::median;

/// The numbers: doubled from step to step.
const DISC_COUNTS: [u32; 9] = [100, 200, 400, 800, 1600, 3200, 6400, 12_800, IndexTrial::MAX_DISCS];
/// Frames a step.
const FRAMES_PER_STEP: usize = 24;
/// A step that takes longer than this (µs) ends with the frames it has.
const MAX_STEP_TIME_US: f64 = 1e6;
/// But not with fewer than these.
const MIN_FRAMES_PER_STEP: usize = 3;

/// How far it has grown.
#[derive(Debug, Default)]
pub(super) struct Growth {
    step: usize,
    /// The times of the frames of this step (µs).
    took: Vec<f64>,
}

impl Growth {
    /// How many discs there are to be now.
    pub fn discs(&self) -> u32 {
        DISC_COUNTS[self.step.min(DISC_COUNTS.len() - 1)]
    }

    /// Takes a frame; the median once that was the last of its step, which is over then.
    pub fn add(&mut self, micros: f64) -> Option<f64> {
        self.took.push(micros);
        let is_slow = self.took.len() >= MIN_FRAMES_PER_STEP && self.took.iter().sum::<f64>() > MAX_STEP_TIME_US;
        (self.took.len() >= FRAMES_PER_STEP || is_slow).then(|| {
            self.step += 1;
            median(self.took.drain(..))
        })
    }

    /// True after the last step.
    pub fn is_over(&self) -> bool {
        self.step >= DISC_COUNTS.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_grows_to_the_most_and_slow_steps_are_short() {
        let (mut growth, mut points, mut frames) = (Growth::default(), Vec::new(), 0);
        while !growth.is_over() {
            let discs = growth.discs();
            frames += 1;
            if let Some(micros) = growth.add(f64::from(discs) * 50.0) {
                points.push((discs, micros));
            }
        }
        assert_eq!(points.len(), DISC_COUNTS.len());
        assert_eq!((points[0], points[8]), ((100, 5000.0), (IndexTrial::MAX_DISCS, 1e6)));
        assert!(
            frames < FRAMES_PER_STEP * DISC_COUNTS.len() && frames > MIN_FRAMES_PER_STEP * DISC_COUNTS.len(),
            "{frames}"
        );
    }
}
