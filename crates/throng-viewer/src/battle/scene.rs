//! A battle that is to be shown, and its state at the end.

use super::simulation::Simulation;
use std::sync::Arc;
use throng_grid::Grid;
use throng_scenario::Scenario;
use throng_sim::world::Frame;

/// The content of a window.
///
/// See [`Window`](crate::Window) for one.
pub struct Scene {
    /// The name on the panel.
    pub title: String,
    /// The map.
    pub grid: Arc<Grid>,
    /// Simulated time of a tick (s).
    pub step: f32,
    /// The simulation of the agents.
    pub simulation: Box<dyn Simulation>,
    /// The scenario it was made from, where there is one: an edited map is saved with it.
    pub scenario: Option<Box<Scenario>>,
    /// It begins paused, for its squads to be deployed.
    pub deploys: bool,
}

impl std::fmt::Debug for Scene {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let size = self.grid.lattice().size();
        f.debug_struct("Scene").field("title", &self.title).field("size", &size).finish_non_exhaustive()
    }
}

/// The last state of a battle's window.
///
/// See [`Window::show`](crate::Window::show).
#[derive(Clone, Debug, Default)]
pub struct Shown {
    /// Frames drawn.
    pub frames: u64,
    /// The last state that was drawn.
    pub last: Frame,
    /// Why the simulation, or the painter of the landscape, ended before the window did, where one did.
    pub failure: Option<String>,
}
