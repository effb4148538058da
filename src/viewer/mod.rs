//! The window: a battle on the screen, or planners side by side.
//!
//! [`Window::open`] opens one or says in a line why it cannot and what to install. [`Window::show`] runs a
//! [`Simulation`] on a thread of its own and draws its newest state: the map with all its smaller versions, one
//! instanced draw for the soldiers, one for the fallen, and the numbers on top.
//!
//! ```text
//! Simulation ── thread ── Handover ── Motion ── agents ┐
//!                                     Fallen ── agents ┤
//!                                     Frame ── Flights ┼─ Window ── screen
//!                          Grid ── MapImage ── map     │
//!                                     Frame ── Hud     ┘
//! ```
//!
//! A [`Replay`] of a recording takes the place of a simulation; then there is a time line to go to any moment.
//!
//! [`Window::compare`] shows a [`Comparison`]: the same trip on the same map for up to four planners, searched anew while
//! the mouse drags its ends and draws walls.
//!
//! [`Window::index`] shows an [`IndexTrial`]: discs, the cells of a spatial index over them, and what it takes.

mod agents;
mod area;
mod backdrop;
mod brush;
mod camera;
mod cells;
mod clusters;
mod compare;
mod costs;
mod deed;
mod error;
mod fallen;
mod fight;
mod filming;
mod flights;
mod graphics;
mod handover;
mod heat;
mod history;
mod hud;
mod index_view;
mod input;
mod layers;
mod map_image;
mod map_painter;
mod marks;
mod mini_map;
mod motion;
mod opening;
mod palette;
mod panels;
mod pen;
mod pipeline;
mod pixel_layer;
mod replay;
mod saving;
mod screenshot;
mod shell;
mod simulation;
mod software;
mod speed;
mod splat;
mod tabs;
mod tools;
mod ui;
mod view_buffer;
mod window;

pub use cells::IndexCell;
pub use clusters::Hierarchy;
pub use compare::{Compared, Comparison};
pub use deed::{Deed, Gaze, Sight};
pub use error::{PACKAGES, ViewError};
pub use index_view::{Arrangement, IndexCurve, IndexTrial};
pub use opening::Opener;
pub use replay::Replay;
pub use simulation::Simulation;
pub use window::Window;

use crate::grid::Grid;
use crate::scenario::Scenario;
use crate::world::Frame;
use std::path::PathBuf;
use std::sync::Arc;

/// What a window shows.
///
/// ```
/// use std::sync::Arc;
/// use throng::{grid::{Grid, Lattice}, viewer::{Scene, Simulation}, world::Frame};
///
/// struct Still;
///
/// impl Simulation for Still {
///     fn tick(&mut self) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
///         Ok(())
///     }
///
///     fn frame(&self, _: &mut Frame) {}
/// }
///
/// let grid = Arc::new(Grid::open_plain(Lattice::new(64, 64, 1.0)?));
/// let scene = Scene { title: "a plain".into(), grid, step: 0.1, simulation: Box::new(Still), scenario: None };
/// # assert_eq!(scene.title, "a plain");
/// # Ok::<(), throng::grid::LatticeError>(())
/// ```
pub struct Scene {
    /// Name of what is shown.
    pub title: String,
    /// The map.
    pub grid: Arc<Grid>,
    /// Simulated time of a tick (s).
    pub step: f32,
    /// What moves on it.
    pub simulation: Box<dyn Simulation>,
    /// The scenario it was made from, where there is one: an edited map is saved with it.
    pub scenario: Option<Box<Scenario>>,
}

impl std::fmt::Debug for Scene {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let size = self.grid.lattice().size();
        f.debug_struct("Scene").field("title", &self.title).field("size", &size).finish_non_exhaustive()
    }
}

/// Someone to tell what happens in a window, a line at a time.
pub type Listener = Box<dyn FnMut(&str) + Send>;

/// How a window is shown.
///
/// ```
/// use throng::viewer::ViewOptions;
/// let options = ViewOptions { frames: Some(100), ..ViewOptions::default() };
/// assert!(options.screenshot.is_none());
/// ```
#[derive(Default)]
pub struct ViewOptions {
    /// Called with a line for whatever happens: `READY` after the first frame, commands, `tick`, `task`, `zoom`, `pan`,
    /// `frames`, `result`, `picture`, and `END` at last.
    pub events: Option<Listener>,
    /// Closes the window after so many frames.
    pub frames: Option<u64>,
    /// Writes a picture of the window when it closes (PNG).
    pub screenshot: Option<PathBuf>,
    /// Opens files that are dropped on the window, and those of before; without it the window keeps what it has.
    pub opener: Option<Opener>,
    /// The file that is shown, to be found among those of before.
    pub file: Option<PathBuf>,
}

impl std::fmt::Debug for ViewOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ViewOptions")
            .field("events", &self.events.is_some())
            .field("frames", &self.frames)
            .field("screenshot", &self.screenshot)
            .field("opener", &self.opener.is_some())
            .field("file", &self.file)
            .finish()
    }
}

/// What was shown until the window was closed.
///
/// ```
/// let shown = throng::viewer::Shown::default();
/// assert!(shown.failure.is_none());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Shown {
    /// Frames drawn.
    pub frames: u64,
    /// The last state that was drawn.
    pub last: Frame,
    /// Why the simulation ended before the window did, where it did.
    pub failure: Option<String>,
}
