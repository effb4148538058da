//! What has happened in a battle: who fell, where arrows stuck, where walls fell.

use std::sync::Arc;
use throng_scene::figures::Figure;
use throng_scene::painter::clouds::Cloud;
use throng_scene::painter::moment::Change;
use throng_scene::painter::traces::Traces;
use throng_sim::world::Frame;

/// Of what lies on the ground so much is drawn, the newest.
const MAX_LYING: usize = 20_000;

/// States that are further apart (s) do not follow one another.
const MAX_STEP_S: f32 = 3.0;

/// The past of a battle, as far as it is seen.
#[derive(Default)]
pub struct Past {
    traces: Option<Traces>,
    lying: Vec<Change>,
    /// How often it was forgotten.
    cleared: u64,
}

impl Past {
    /// Forgets all.
    pub fn clear(&mut self) {
        self.traces = None;
        self.lying.clear();
        self.cleared += 1;
    }

    /// Takes in the next state. O(agents).
    pub fn show(&mut self, frame: &Frame) {
        let Some(grid) = &frame.grid else { return };
        let before = self.lying.len();
        self.traces.get_or_insert_with(|| Traces::new(Arc::clone(grid))).show(frame, &mut self.lying);
        // The painter follows edits by itself, and each keeps a map.
        let new = self.lying.drain(before..).filter(|change| !matches!(change, Change::Edited { .. }));
        let new: Vec<Change> = new.collect();
        self.lying.extend(new);
    }

    /// How many things lie on the ground, and how often all were forgotten.
    pub fn state(&self) -> (usize, u64) {
        (self.lying.len(), self.cleared)
    }

    /// What lies on the ground, without the first so many things.
    pub fn lying(&self, first: usize) -> &[Change] {
        let first = first.max(self.lying.len().saturating_sub(MAX_LYING)).min(self.lying.len());
        &self.lying[first..]
    }

    /// The time between the last two states (s), where they follow one another.
    pub fn seconds(&self) -> Option<f32> {
        let seconds = self.traces.as_ref().map(Traces::seconds);
        seconds.filter(|seconds| (0.0..MAX_STEP_S).contains(seconds))
    }

    /// The clouds over a state at a time (s).
    pub fn clouds(&self, frame: &Frame, figures: &[Figure], time: f64, out: &mut Vec<Cloud>) {
        if let Some(traces) = &self.traces {
            traces.clouds(frame, figures, time, out);
        }
    }
}
