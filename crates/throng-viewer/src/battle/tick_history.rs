//! The last ticks: kills, and the times of ticks.

use std::collections::VecDeque;
use throng_sim::world::{Frame, Stage};

/// How many ticks are kept.
const MAX_TICKS: usize = 240;

/// The simulated time over which kills are counted (s).
const KILL_RATE_WINDOW_S: f64 = 2.0;

/// One of the ticks that were seen.
struct TickRecord {
    time: f64,
    /// Enemies killed so far, by army.
    kills: Vec<u32>,
    stage_ms: [f32; Stage::COUNT],
}

/// The last ticks that were seen, the newest last.
#[derive(Default)]
pub(super) struct TickHistory {
    moments: VecDeque<TickRecord>,
}

impl TickHistory {
    /// Adds a frame. One that is older than the last begins anew.
    pub fn add(&mut self, frame: &Frame) {
        if self.moments.back().is_some_and(|last| frame.time < last.time) {
            self.moments.clear();
        }
        if self.moments.len() == MAX_TICKS {
            self.moments.pop_front();
        }
        let kills = frame.armies.iter().map(|army| army.kills).collect();
        self.moments.push_back(TickRecord { time: frame.time, kills, stage_ms: frame.stage_ms });
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.moments.clear();
    }

    /// Enemies that an army slays in a second of simulated time, of late.
    pub fn kills_a_second(&self, army: usize) -> f64 {
        let Some(last) = self.moments.back() else { return 0.0 };
        let lately = self.moments.iter().find(|moment| moment.time >= last.time - KILL_RATE_WINDOW_S).unwrap_or(last);
        let seconds = last.time - lately.time;
        let kills = |moment: &TickRecord| moment.kills.get(army).copied().unwrap_or(0);
        if seconds > 0.0 { f64::from(kills(last).saturating_sub(kills(lately))) / seconds } else { 0.0 }
    }

    /// For each stage the time of all stages up to it (ms) in each tick kept, the oldest first.
    pub fn stages(&self) -> [Vec<f64>; Stage::COUNT] {
        let mut sums = vec![0.0; self.moments.len()];
        std::array::from_fn(|stage| {
            for (sum, moment) in sums.iter_mut().zip(&self.moments) {
                *sum += f64::from(moment.stage_ms[stage]);
            }
            sums.clone()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_sim::world::ArmyCount;

    fn frame(time: f64, kills: u32) -> Frame {
        let mut frame = Frame { time, armies: vec![ArmyCount { kills, ..ArmyCount::default() }], ..Frame::default() };
        frame.stage_ms[0] = 1.0;
        frame.stage_ms[1] = 2.0;
        frame
    }

    #[test]
    fn kills_are_counted_over_the_last_two_seconds() {
        let mut history = TickHistory::default();
        assert_eq!(history.kills_a_second(0), 0.0);
        for (time, kills) in [(0.0, 0), (1.0, 50), (2.0, 52), (3.0, 60)] {
            history.add(&frame(time, kills));
        }
        assert_eq!(history.kills_a_second(0), 5.0);
        assert_eq!(history.kills_a_second(7), 0.0);
        // The user went back in a recording.
        history.add(&frame(1.0, 50));
        assert_eq!(history.kills_a_second(0), 0.0);
    }

    #[test]
    fn stages_are_stacked() {
        let mut history = TickHistory::default();
        history.add(&frame(0.0, 0));
        history.add(&frame(0.1, 0));
        let stages = history.stages();
        assert_eq!((&stages[0], &stages[1]), (&vec![1.0, 1.0], &vec![3.0, 3.0]));
        assert_eq!(stages[Stage::COUNT - 1], [3.0, 3.0]);
    }
}
