//! A camera that follows the hottest fighting.

use throng_grid::geom::Vec2;
use throng_scene::figures::{Agents, Figure, Strides, figures};
use throng_scene::painter::Director;
use throng_sim::world::Frame;

/// The camera has arrived where it has no further to go than this (m).
const ARRIVAL_DISTANCE_M: f32 = 0.2;

/// How much of the ground is seen beside the panels when it begins (m), if the camera was further away.
pub(super) const MAX_FIRST_VIEW_M: f32 = 90.0;

/// A director, and what it sees of the battle.
pub(super) struct Directing {
    director: Director,
    strides: Strides,
    figures: Vec<Figure>,
    /// Time since it began (s).
    time: f64,
}

impl Directing {
    /// Begins where the camera looks (m).
    pub fn new(at: Vec2) -> Self {
        Self { director: Director::starting(at), strides: Strides::default(), figures: Vec::new(), time: 0.0 }
    }

    /// Looks at a new state. O(agents log agents).
    pub fn see(&mut self, frame: &Frame) {
        // Recordings of others may lack what only soldiers have.
        if frame.unit.len() == frame.id.len() {
            figures(&Agents::from(frame), &mut self.strides, &mut self.figures);
            self.director.aim(&self.figures);
        }
    }

    /// Where the camera looks after so much time (s).
    pub fn advance(&mut self, seconds: f32) -> Vec2 {
        self.time += f64::from(seconds);
        self.director.go(self.time)
    }

    /// True where the camera has come to the fighting.
    pub fn has_arrived(&self) -> bool {
        self.director.left() < ARRIVAL_DISTANCE_M
    }
}
