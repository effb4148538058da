//! The times of a window's frames.

use super::event::FrameTimesInfo;
use std::time::Duration;

/// Frames of which medians are taken.
const MEDIAN_FRAMES: usize = 50;

/// The times of one frame.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FrameTime {
    /// Processor time of the panels: asking for them and painting them.
    pub panels: Duration,
    /// Processor time until all is given to the driver, panels included.
    pub draw: Duration,
    /// From the frame before to this one.
    pub whole: Duration,
}

/// The times of the last frames.
#[derive(Debug, Default)]
pub(super) struct FrameTimes(Vec<FrameTime>);

impl FrameTimes {
    pub fn push(&mut self, time: FrameTime) {
        if self.0.len() == MEDIAN_FRAMES {
            self.0.remove(0);
        }
        self.0.push(time);
    }

    fn sorted(&self, of: impl Fn(&FrameTime) -> Duration) -> Vec<f64> {
        let mut all: Vec<f64> = self.0.iter().map(|time| of(time).as_secs_f64() * 1e3).collect();
        all.sort_by(f64::total_cmp);
        all
    }

    /// Medians, the mean of the panels, and the longest frame (ms).
    pub fn summary(&self) -> FrameTimesInfo {
        let median = |of: fn(&FrameTime) -> Duration| {
            let all = self.sorted(of);
            all.get(all.len() / 2).copied().unwrap_or(0.0)
        };
        let worst = self.sorted(|time| time.whole).last().copied().unwrap_or(0.0);
        let (panels, draw, frame) = (median(|time| time.panels), median(|time| time.draw), median(|time| time.whole));
        let sum: f64 = self.0.iter().map(|time| time.panels.as_secs_f64() * 1e3).sum();
        FrameTimesInfo { panels, panels_mean: sum / self.0.len().max(1) as f64, draw, frame, worst }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_are_of_the_last_frames() {
        let mut times = FrameTimes::default();
        assert_eq!(times.summary(), FrameTimesInfo::default());
        for frame in 0..120_u64 {
            let [panels, draw, whole] = [1, 2, 3].map(|part| Duration::from_millis(part * frame));
            times.push(FrameTime { panels, draw, whole });
        }
        let [panels, panels_mean, draw, frame, worst] = [95.0, 94.5, 190.0, 285.0, 357.0];
        let summary = times.summary();
        assert!((summary.panels_mean - panels_mean).abs() < 1e-9);
        assert_eq!(summary, FrameTimesInfo { panels, panels_mean: summary.panels_mean, draw, frame, worst });
    }
}
