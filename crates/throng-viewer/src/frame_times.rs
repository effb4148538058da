//! What the frames of a window cost.

use std::fmt;
use std::time::Duration;

/// Frames of which medians are taken.
const FRAMES: usize = 50;

/// What one frame costs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FrameTime {
    /// Processor time of the panels: asking for them and painting them.
    pub panels: Duration,
    /// Processor time until all is given to the driver, panels included.
    pub draw: Duration,
    /// From the frame before to this one.
    pub whole: Duration,
}

/// Those of the last frames.
#[derive(Debug, Default)]
pub(super) struct FrameTimes(Vec<FrameTime>);

impl FrameTimes {
    pub fn push(&mut self, cost: FrameTime) {
        if self.0.len() == FRAMES {
            self.0.remove(0);
        }
        self.0.push(cost);
    }

    fn sorted(&self, of: impl Fn(&FrameTime) -> Duration) -> Vec<f64> {
        let mut all: Vec<f64> = self.0.iter().map(|cost| of(cost).as_secs_f64() * 1e3).collect();
        all.sort_by(f64::total_cmp);
        all
    }
}

impl fmt::Display for FrameTimes {
    /// Medians, and the longest frame (ms).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let median = |of: fn(&FrameTime) -> Duration| {
            let all = self.sorted(of);
            all.get(all.len() / 2).copied().unwrap_or(0.0)
        };
        let worst = self.sorted(|cost| cost.whole).last().copied().unwrap_or(0.0);
        let (panels, draw, whole) = (median(|cost| cost.panels), median(|cost| cost.draw), median(|cost| cost.whole));
        write!(f, "panels {panels:.2} draw {draw:.2} frame {whole:.1} worst {worst:.1} ms")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_are_of_the_last_frames() {
        let mut costs = FrameTimes::default();
        assert_eq!(costs.to_string(), "panels 0.00 draw 0.00 frame 0.0 worst 0.0 ms");
        for frame in 0..120_u64 {
            let [panels, draw, whole] = [1, 2, 3].map(|part| Duration::from_millis(part * frame));
            costs.push(FrameTime { panels, draw, whole });
        }
        assert_eq!(costs.to_string(), "panels 95.00 draw 190.00 frame 285.0 worst 357.0 ms");
    }
}
