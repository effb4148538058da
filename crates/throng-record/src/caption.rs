//! What the legend of a picture tells of its moment.

use throng_sim::world::{ArmyCount, Frame, Verdict};

/// The time, the armies and the end of a battle, as a legend shows them.
#[derive(Clone, Debug, Default)]
pub(super) struct Caption {
    pub tick: u64,
    /// Simulated time (s).
    pub time: f64,
    pub armies: Vec<ArmyCount>,
    pub verdict: Option<Verdict>,
}

impl Caption {
    pub fn of(frame: &Frame) -> Self {
        Self { tick: frame.tick, time: frame.time, armies: frame.armies.clone(), verdict: frame.verdict }
    }
}
