//! The speeds of agents, from one moment to the next.

use super::Agents;
use throng_grid::geom::Vec2;

/// Speeds by the straight way between two moments that were shown.
#[derive(Clone, Debug, Default)]
pub struct Strides {
    /// By agent: where it was (m), at which step it was there, and its speed then (m/s).
    agents: Vec<(Vec2, u32, f32)>,
    time: f64,
    step: u32,
}

impl Strides {
    /// Takes in the next moment. One earlier than the last, as when a replay jumps back, leaves speeds as they are.
    pub(crate) fn step(&mut self, agents: &Agents) {
        let seconds = (agents.time - self.time) as f32;
        if seconds == 0.0 && self.step > 0 {
            return;
        }
        let before = self.step;
        self.step = self.step.wrapping_add(1).max(1);
        self.time = agents.time;
        let ids = agents.id.iter().max().map_or(0, |&most| most as usize + 1);
        if ids > self.agents.len() {
            self.agents.resize(ids, (Vec2::ZERO, 0, 0.0));
        }
        for (&id, &place) in agents.id.iter().zip(agents.position) {
            let (old, seen, speed) = &mut self.agents[id as usize];
            if *seen != before || before == 0 {
                *speed = 0.0;
            } else if seconds > 0.0 {
                *speed = old.distance(place) / seconds;
            }
            (*old, *seen) = (place, self.step);
        }
    }

    /// The speed of an agent (m/s), 0 where it was not there before.
    pub(super) fn speed(&self, id: u32) -> f32 {
        self.agents.get(id as usize).map_or(0.0, |agent| agent.2)
    }
}
